"""Other delimiters, no header, zip, Arrow, and documents between separators."""

from __future__ import annotations

import io
import zipfile

import polars as pl
import pytest

from sfumato import formats
from sfumato.core.errors import BadInput
from sfumato.formats.form import form, form_of
from sfumato.formats.table import read_table
from sfumato.verification.written_bytes import require_written
from support.commands import outcome

ROWS = [["1", "Ann is ill"], ["2", 'a|b, "c"; d\te']]


def table(delimiter, header=True):
    rows = [["id", "note"], *ROWS] if header else ROWS
    quoted = [['"' + one.replace('"', '""') + '"' for one in row] for row in rows]
    return "".join(delimiter.join(row) + "\r\n" for row in quoted).encode()


@pytest.mark.parametrize("delimiter", [",", ";", "|", "\t", "^", " ", "\\", "]"])
@pytest.mark.parametrize("header", [True, False])
def test_every_delimiter_with_and_without_a_header(tmp_path, delimiter, header):
    path, target = tmp_path / "n.csv", tmp_path / "out.csv"
    path.write_bytes(table(delimiter, header))
    said = f"csv:{delimiter}" + ("" if header else " no-header")
    name = "note" if header else "column_2"
    source = formats.read(path, text_column=name, format=said)
    assert source.texts == [row[1] for row in ROWS]
    new = ["★ is ill", f'x{delimiter}"y"']
    with formats.writer(target, source) as out:
        out.write(new)
        out.commit()
    assert formats.read(target, text_column=name, format=said).texts == new
    chunks = formats.read_chunks(path, text_column=name, format=said, size=8)
    assert [text for chunk in chunks for text in chunk.texts] == source.texts
    whole = read_table(str(path), format=said)
    assert whole.frame[name].to_list() == source.texts
    changed = whole.frame.with_columns(pl.Series(name, new))
    content, columns = whole.released(changed, [0, 1])
    require_written(content, "csv", changed, columns, header)
    assert content.startswith(b'"id"') == header


@pytest.mark.parametrize("delimiter", ["|", "\t"])
def test_the_header_shows_the_delimiter(tmp_path, delimiter):
    (tmp_path / "n.csv").write_bytes(table(delimiter))
    assert formats.read(tmp_path / "n.csv", text_column="note").texts[0] == "Ann is ill"


@pytest.mark.parametrize("said", ["csv:ab", "csv:é", 'csv:"', "jsonl:x", "csv:a"])
def test_what_is_no_delimiter_is_refused(said):
    with pytest.raises(BadInput):
        form_of(said)


def test_options_become_a_format():
    assert form("csv", "txt", "tab", True, None) == "csv:tab"
    assert form(None, "csv.gz", None, False, None) == "csv.gz:no-header"
    assert form(None, "dat", None, True, r"\n--\n") == r"txt:\n--\n"
    assert form_of(r"txt:\n--\n").separator == "\n--\n"
    with pytest.raises(BadInput):
        form(None, "txt", "|", True, "--")


def test_the_command_line_reads_tables_as_they_are(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "n.dat").write_text("7^the cat\n8^the dog\n9^the cat\n")
    command = "suppress n.dat --delimiter ^ --no-header --text-column column_2 -k 2 -o out.csv"
    done = outcome(command)
    assert done.code == 0, done.told
    assert (tmp_path / "out.csv").read_text() == "7^the cat\n8^the ★★★\n9^the cat\n"
    (tmp_path / "n.txt").write_text("the cat\n--\nthe dog\n--\nthe cat")
    done = outcome(r"suppress n.txt --separator '\n--\n' -k 2 -o out.txt")
    assert done.code == 0, done.told
    assert (tmp_path / "out.txt").read_text() == "the cat\n--\nthe ★★★\n--\nthe cat"


def test_a_zip_file_with_one_file(tmp_path):
    path = tmp_path / "n.csv.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("Ann Marlow.csv", "id,note\n1,calm\n2,well\n")
    source = formats.read(path, text_column="note")
    with formats.writer(tmp_path / "out.csv.zip", source) as out:
        out.write(["c*lm", None])
        out.commit()
    with zipfile.ZipFile(tmp_path / "out.csv.zip") as archive:
        [info] = archive.infolist()
        assert (info.filename, info.date_time) == ("data", (1980, 1, 1, 0, 0, 0))
        assert archive.read("data") == b"id,note\n1,c*lm\n2,well\n"
    chunks = formats.read_chunks(path, text_column="note", size=8)
    with formats.atomic_files() as files:
        with formats.chunk_writer(tmp_path / "parts.csv.zip", chunks, files) as out:
            for chunk in chunks:
                out.write(chunk, ["*" for _ in chunk.texts])
        files.commit()
    assert formats.read(tmp_path / "parts.csv.zip", text_column="note").texts == ["*", "*"]
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("more.csv", "id,note\n")
    with pytest.raises(BadInput, match="found 2"):
        formats.read(path, text_column="note")
    path.write_bytes(b"no")
    with pytest.raises(BadInput, match=r"not a \.zip file"):
        formats.read(path, text_column="note")


@pytest.mark.parametrize("kind", [pl.String, pl.Categorical, pl.Enum(["calm", "well", "gone"])])
@pytest.mark.parametrize("stream", [False, True])
def test_arrow_files(tmp_path, kind, stream):
    frame = pl.DataFrame(
        {
            "id": [1, 2, 3],
            "note": pl.Series(["calm", None, "well"], dtype=kind),
            "x": [[1], [], [2]],
        }
    )
    out = io.BytesIO()
    frame.write_ipc_stream(out) if stream else frame.write_ipc(out)
    (tmp_path / "n.arrow").write_bytes(out.getvalue())
    source = formats.read(tmp_path / "n.arrow", text_column="note", group_column="id")
    assert source.texts == ["calm", None, "well"]
    assert source.groups == ["1", "2", "3"]
    with formats.writer(tmp_path / "out.arrow", source) as out:
        out.write(["****", None, "well"])
        out.commit()
    made = pl.read_ipc(tmp_path / "out.arrow", use_pyarrow=False)
    assert made["note"].cast(pl.String).to_list() == ["****", None, "well"]
    assert made.drop("note").equals(frame.drop("note"))
    assert isinstance(made["note"].dtype, type(kind) if isinstance(kind, pl.Enum) else kind)
    assert b"calm" not in (tmp_path / "out.arrow").read_bytes()
    (tmp_path / "n.arrow").write_bytes(b"no")
    with pytest.raises(BadInput, match="no Arrow file"):
        formats.read(tmp_path / "n.arrow", text_column="note")


def test_a_delimiter_that_nobody_can_tell_is_refused_without_a_header(
    tmp_path, monkeypatch, capsys
):
    from sfumato.cli.app import run

    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("7;seen again, Zyxomme\n8;seen again, well\n")
    command = ["suppress", "a.csv", "--no-header", "-k", "2", "-o", "b.csv", "-q"]
    assert run([*command, "--text-column", "column_2"]) == 2
    told = capsys.readouterr().err
    assert "--delimiter" in told
    assert "Zyxomme" not in told
    assert run(["new", "a.csv", "--no-header", "--rest", "drop"]) == 2
    assert run([*command, "--text-column", "column_2", "--delimiter", ";"]) == 0
    assert "Zyxomme" not in (tmp_path / "b.csv").read_text()
