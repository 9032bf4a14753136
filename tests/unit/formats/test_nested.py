"""Nested columns of Parquet, and byte order marks of annotated texts."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from sfumato import formats
from sfumato.cli.app import run
from sfumato.core.errors import BadInput

SECRET = "Zyxomme"


@pytest.fixture
def nested(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    count = 12
    frame = pl.DataFrame(
        {
            "id": [f"p{i // 2}" for i in range(count)],
            "visits": [
                [
                    {"day": i, "note": {"text": f"seen again and well {SECRET}{i}"}},
                    {"day": i + 1, "note": {"text": None if i % 3 else "seen again and well"}},
                ]
                for i in range(count)
            ],
            "codes": [[1, 2, None], []] * (count // 2),
        }
    )
    frame.write_parquet(tmp_path / "visits.parquet")
    return frame


def test_texts_inside_nested_columns(nested):
    source = formats.read("visits.parquet", text_column="visits[].note.text", group_column="id")
    assert len(source.texts) == 16
    assert source.groups[:2] == ["p0", "p0"]
    options = ["--text-column", "visits[].note.text", "--group-column", "id", "-k", "3", "-q"]
    assert run(["suppress", "visits.parquet", *options, "-o", "out.parquet"]) == 0
    made = pl.read_parquet("out.parquet")
    assert made.schema == nested.schema
    assert made["codes"].to_list() == nested["codes"].to_list()
    assert SECRET.encode() not in Path("out.parquet").read_bytes()
    old, new = nested["visits"].to_list(), made["visits"].to_list()
    assert [[one["day"] for one in row] for row in new] == [
        [one["day"] for one in row] for row in old
    ]
    assert [[one["note"]["text"] is None for one in row] for row in new] == [
        [one["note"]["text"] is None for one in row] for row in old
    ]
    judged = ["verify", "visits.parquet", "out.parquet", *options[:4], "-q"]
    assert run([*judged, "--certificate", "out.parquet.certificate.json"]) == 0


@pytest.mark.parametrize("path", ["visits[].day", "visits[].note", "visits[].no", "no[].text"])
def test_paths_that_lead_to_no_text_are_refused(nested, path):
    with pytest.raises(BadInput):
        formats.read("visits.parquet", text_column=path)


def test_nested_columns_beside_the_text_are_looked_at(nested, capsys):
    nested.with_columns(pl.Series("text", [f"well {SECRET}{i}" for i in range(12)])).write_parquet(
        "beside.parquet"
    )
    options = ["--text-column", "text", "-k", "3", "-o", "out.parquet"]
    assert run(["suppress", "beside.parquet", *options]) == 2
    assert "visits" in capsys.readouterr().err


MARK = b"\xef\xbb\xbf"


def test_i2b2_with_a_byte_order_mark(tmp_path):
    text = f"<?xml version='1.0'?><deIdi2b2><TEXT><![CDATA[Seen was {SECRET}.]]></TEXT><TAGS>"
    tag = f'<NAME id="P0" start="9" end="16" text="{SECRET}" TYPE="PATIENT" comment="{SECRET}"/>'
    (tmp_path / "a.xml").write_bytes(MARK + f"{text}{tag}</TAGS></deIdi2b2>".encode())
    source = formats.read(tmp_path / "a.xml")
    assert source.texts == [f"Seen was {SECRET}."]
    with formats.writer(tmp_path / "out.xml", source) as out:
        out.write(["Seen was *******."])
        out.commit()
    made = (tmp_path / "out.xml").read_bytes()
    assert made.startswith(MARK)
    assert SECRET.encode() not in made
    assert b'text="*******"' in made


def test_brat_with_byte_order_marks(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.txt").write_bytes(MARK + f"Seen was {SECRET}.".encode())
    (folder / "a.ann").write_bytes(
        MARK + f"T1\tNAME 9 16\t{SECRET}\n#1\tAnnotatorNotes T1\t{SECRET}\n".encode()
    )
    source = formats.read(folder)
    assert source.texts == [f"Seen was {SECRET}."]
    with formats.writer(tmp_path / "out", source) as out:
        out.write(["Seen was *******."])
        out.commit()
    made = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert made["a.txt"] == MARK + b"Seen was *******."
    assert b"T1\tNAME 9 16\t*******" in made["a.ann"]
    assert SECRET.encode() not in made["a.ann"]
