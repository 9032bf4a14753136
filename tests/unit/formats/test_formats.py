"""Reading and writing by path: suffixes, standard streams, and the writer's promises."""

from __future__ import annotations

import gzip
import io
import os
import sys

import pytest
import zstandard

from sfumato import formats
from sfumato.core.errors import BadInput

JSONL = b'{"id": 1, "text": "calm"}\n'
CSV = b"id,text\n1,calm\n"


def release(source, target, texts, **options):
    with formats.writer(target, source, **options) as out:
        out.write(texts)
        out.commit()
    return target.read_bytes()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", JSONL),
        ("a.NDJSON", JSONL),
        ("a.csv", CSV),
        ("a.tsv", CSV.replace(b",", b"\t")),
        ("a.2024.jsonl.gz", gzip.compress(JSONL, mtime=0)),
        ("a.csv.zst", zstandard.ZstdCompressor().compress(CSV)),
    ],
)
def test_the_suffix_tells_the_format(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    source = formats.read(tmp_path / name, text_column="text")
    assert source.texts == ["calm"]
    assert source.path == tmp_path / name
    assert not source.is_single
    assert "calm" not in repr(source)


def test_one_text_file_is_single_and_a_folder_of_one_is_not(tmp_path):
    (tmp_path / "a.txt").write_text("calm")
    assert formats.read(tmp_path / "a.txt").is_single
    assert not formats.read(tmp_path).is_single


def test_the_format_can_be_named(tmp_path):
    (tmp_path / "a.dat").write_bytes(CSV)
    (tmp_path / "a.dat.gz").write_bytes(gzip.compress(CSV))
    (tmp_path / "b").write_bytes(gzip.compress(CSV))
    for name, format in [("a.dat", "csv"), ("a.dat.gz", "csv"), ("b", "csv.gz")]:
        source = formats.read(tmp_path / name, text_column="text", format=format)
        assert source.texts == ["calm"]
    with pytest.raises(BadInput, match=r"a\.dat: the format is not known; give format as one of"):
        formats.read(tmp_path / "a.dat")
    with pytest.raises(BadInput, match="no format is named 'pages'"):
        formats.read(tmp_path / "a.dat", format="pages")
    with pytest.raises(BadInput, match="a folder is read as text"):
        formats.read(tmp_path, format="csv")


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_the_target_is_packed_by_its_own_suffix(tmp_path, suffix):
    (tmp_path / "a.jsonl.zst").write_bytes(zstandard.ZstdCompressor().compress(JSONL))
    source = formats.read(tmp_path / "a.jsonl.zst", text_column="text")
    raw = release(source, tmp_path / f"b.jsonl{suffix}", ["★"])
    unpacked = {
        "": bytes,
        ".gz": gzip.decompress,
        ".zst": zstandard.ZstdDecompressor().decompressobj().decompress,
    }
    assert unpacked[suffix](raw) == JSONL.replace(b"calm", "★".encode())


def test_the_target_keeps_the_format_of_the_source(tmp_path):
    (tmp_path / "a.csv").write_bytes(CSV)
    source = formats.read(tmp_path / "a.csv", text_column="text")
    for name in ("b.jsonl", "b.tsv", "b.tsv.gz", "b.txt"):
        with pytest.raises(BadInput, match=r"has the format of its source, csv, not"):
            formats.writer(tmp_path / name, source)
    assert release(source, tmp_path / "b.dat", [None]) == CSV


def test_other_encodings_come_back(tmp_path):
    raw = "id,text\r\né,è\r\n".encode("latin-1")
    (tmp_path / "a.csv").write_bytes(raw)
    source = formats.read(tmp_path / "a.csv", text_column="text", encoding="latin-1")
    assert source.texts == ["è"]
    assert release(source, tmp_path / "b.csv", [None]) == raw
    assert release(source, tmp_path / "b.csv", ["ê"], overwrite=True) == raw.replace(
        b"\xe8", b"\xea"
    )
    with (
        pytest.raises(BadInput, match="a character that iso8859-1 lacks"),
        formats.writer(tmp_path / "c.csv", source) as out,
    ):
        out.write(["★"])
    assert sorted(os.listdir(tmp_path)) == ["a.csv", "b.csv"]


class Standard:
    """A standard stream in memory."""

    def __init__(self, content=b""):
        self.buffer = io.BytesIO(content)


def test_standard_input_to_standard_output_at_the_commit(monkeypatch):
    monkeypatch.setattr(sys, "stdin", Standard(gzip.compress(CSV)))
    monkeypatch.setattr(sys, "stdout", Standard())
    source = formats.read("-", text_column="text", format="csv.gz")
    assert source.where(0) == "standard input, record 1 (line 2)"
    with formats.writer("-", source) as out:
        out.write(["★"])
    assert sys.stdout.buffer.getvalue() == b""
    with formats.writer("-", source) as out:
        out.write(["★"])
        out.commit()
    assert sys.stdout.buffer.getvalue() == CSV.replace(b"calm", "★".encode())


def test_standard_input_needs_a_format(monkeypatch):
    monkeypatch.setattr(sys, "stdin", Standard(CSV))
    with pytest.raises(BadInput, match="standard input: the format is not known; give format"):
        formats.read("-", text_column="text")


def test_a_folder_does_not_go_to_standard_output(tmp_path):
    (tmp_path / "a.txt").write_text("a")
    with pytest.raises(BadInput, match="a folder cannot go to standard output"):
        formats.writer("-", formats.read(tmp_path))


def test_several_outputs_appear_together(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(JSONL)
    source = formats.read(tmp_path / "a.jsonl", text_column="text")
    with formats.atomic_files() as files:
        outs = [formats.writer(tmp_path / f"b.k{k}.jsonl", source, files=files) for k in (2, 5)]
        for k, out in zip((2, 5), outs, strict=True):
            out.write([str(k)])
        with files.open(tmp_path / "b.certificate.json") as stream:
            stream.write(b"{}")
        assert not list(tmp_path.glob("b*"))
        files.commit()
    assert {p.name: p.read_bytes() for p in tmp_path.glob("b*")} == {
        "b.k2.jsonl": JSONL.replace(b"calm", b"2"),
        "b.k5.jsonl": JSONL.replace(b"calm", b"5"),
        "b.certificate.json": b"{}",
    }


def test_the_writer_wants_one_text_per_document(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(JSONL + b'{"text": null}\n')
    source = formats.read(tmp_path / "a.jsonl", text_column="text")
    for texts, message in [
        (["a"], "expected 2 texts, one per document, found 1"),
        (["a", "b"], "line 2: there is no text here to replace"),
    ]:
        with (
            pytest.raises(BadInput, match=message),
            formats.writer(tmp_path / "b.jsonl", source) as out,
        ):
            out.write(texts)
    with (
        formats.writer(tmp_path / "b.jsonl", source) as out,
        pytest.raises(RuntimeError, match="still being written"),
    ):
        out.commit()
    assert os.listdir(tmp_path) == ["a.jsonl"]


def test_the_input_is_never_the_output(tmp_path):
    (tmp_path / "a.csv").write_bytes(CSV)
    source = formats.read(tmp_path / "a.csv", text_column="text")
    for target in (tmp_path / "a.csv", os.path.relpath(tmp_path / "a.csv")):
        with pytest.raises(BadInput, match="overwrite or mix with the input"):
            formats.writer(target, source)


def test_what_is_not_there_or_not_readable(tmp_path):
    with pytest.raises(BadInput, match=r"no\.csv: no such file or folder; check the path"):
        formats.read(tmp_path / "no.csv", text_column="text")
    for name in ("a.csv", "a.jsonl", "a.txt"):
        (tmp_path / name).write_bytes(b"")
        with pytest.raises(BadInput, match="the file is empty; give a file with text"):
            formats.read(tmp_path / name, text_column="text")
    (tmp_path / "b.csv").write_bytes("id,text\n1,a\n".encode("utf-16"))
    with pytest.raises(BadInput, match=r"a binary file: .*utf-16"):
        formats.read(tmp_path / "b.csv", text_column="text")
    assert formats.read(tmp_path / "b.csv", text_column="text", encoding="utf-16").texts == ["a"]


def test_a_path_that_is_not_readable(tmp_path, monkeypatch):
    from pathlib import Path

    def refused(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refused)
    with pytest.raises(BadInput, match=r"cannot be read \(Permission denied\); check"):
        formats.read(tmp_path / "a.csv", text_column="text")


@pytest.mark.parametrize("person", ["", " ", "\u200b"])
@pytest.mark.parametrize("kind", ["csv", "events"])
def test_people_are_named(tmp_path, person, kind):
    path = tmp_path / "notes.csv"
    path.write_text(f"who,note\np1,calm\n{person},calm\n")
    with pytest.raises(BadInput):
        formats.read(path, text_column="note", group_column="who", format=kind)
