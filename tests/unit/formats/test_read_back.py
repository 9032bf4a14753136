"""What was written is read again: a file with other texts than the release is not written."""

from __future__ import annotations

import csv
import dataclasses
import gzip
import io
import json
import os
import zipfile

import openpyxl
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato import formats
from sfumato.core.errors import NotVerified
from sfumato.formats.kinds import SUFFIXES
from sfumato.formats.read_back import OTHERS, Seal, require_gone, require_read_back
from sfumato.formats.read_options import ReadOptions

TEXTS = ["Ann Marlow is ill", 'a, "b"\tc', "ACGT"]


def fields(delimiter=","):
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter)
    writer.writerows([["id", "note"], *([str(i), text] for i, text in enumerate(TEXTS))])
    return out.getvalue().encode()


def book():
    out, made = io.BytesIO(), openpyxl.Workbook()
    for row in (["id", "note"], *([str(i), text] for i, text in enumerate(TEXTS))):
        made.active.append(row)
    made.save(out)
    return out.getvalue()


def parquet():
    out = io.BytesIO()
    pl.DataFrame({"id": [0, 1, 2], "note": TEXTS}).write_parquet(out)
    return out.getvalue()


LINES = "".join(json.dumps({"id": 1, "note": text}) + "\n" for text in TEXTS).encode()
FILES = {
    "n.csv": (fields(), "note"),
    "s.csv": (fields(";"), "note"),
    "n.tsv": (fields("\t"), "note"),
    "n.csv.gz": (gzip.compress(fields()), "note"),
    "n.jsonl": (LINES, "note"),
    "n.json": (json.dumps({"entry": [{"note": t} for t in TEXTS]}).encode(), "entry[].note"),
    "n.lines": ("\n".join(TEXTS).encode(), None),
    "n.txt": (TEXTS[0].encode(), None),
    "n.fasta": (b">one\nACGT\nAC\n>two\nTT\n", None),
    "n.parquet": (parquet(), "note"),
    "n.xlsx": (book(), "note"),
    "n.xml": (b"<d><TEXT>Ann Marlow is ill</TEXT></d>", None),
}


def given_file(tmp_path, name):
    content, column = FILES[name]
    path = tmp_path / name
    path.write_bytes(content)
    return formats.read(path, text_column=column)


@pytest.mark.parametrize("name", FILES)
def test_a_file_with_other_texts_than_the_release_is_not_written(tmp_path, name):
    source = given_file(tmp_path, name)
    hidden = ["*" * len(text) for text in source.texts]
    wrong = dataclasses.replace(source, pieces=lambda new: source.pieces([None] * len(new)))
    with (
        pytest.raises(NotVerified) as caught,
        formats.writer(tmp_path / f"out.{name.partition('.')[2]}", wrong) as out,
    ):
        out.write(hidden)
    assert "Marlow" not in str(caught.value)
    assert os.listdir(tmp_path) == [name]


@pytest.mark.parametrize("name", FILES)
def test_a_release_as_it_should_be_is_written(tmp_path, name):
    source = given_file(tmp_path, name)
    hidden = ["*" * len(text) for text in source.texts]
    target = tmp_path / f"out.{name.partition('.')[2]}"
    with formats.writer(target, source) as out:
        out.write(hidden)
        out.commit()
    assert formats.read(target, text_column=FILES[name][1]).texts == hidden


@pytest.mark.parametrize("name", ["n.csv", "n.jsonl", "n.lines", "n.fasta", "n.parquet"])
def test_parts_are_read_back_too(tmp_path, name, monkeypatch):
    given_file(tmp_path, name)
    chunks = formats.read_chunks(tmp_path / name, text_column=FILES[name][1], size=16)
    first = True
    with formats.atomic_files() as files:
        out = formats.chunk_writer(tmp_path / f"out.{name[2:]}", chunks, files)
        for chunk in chunks:
            out.write(chunk, ["*" * len(text) for text in chunk.texts])
            if first:
                out._seal.add(["one text more"])
            first = False
        with pytest.raises(NotVerified):
            out.close()
    assert os.listdir(tmp_path) == [name]


def test_a_folder_is_read_back(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("Ann Marlow")
    source = formats.read(tmp_path / "in")
    wrong = dataclasses.replace(source, pieces=lambda new: iter([b"Ann Marlow"]))
    with pytest.raises(NotVerified), formats.writer(tmp_path / "out", wrong) as out:
        out.write(["*** ******"])
    assert os.listdir(tmp_path) == ["in"]


@pytest.mark.parametrize("part", ["word/note.xml", "word/split.xml", "word/attribute.xml"])
def test_a_changed_text_in_another_part_of_an_archive_is_found(part):
    parts = {
        "word/note.xml": "<a>Ann Marlow is ill</a>",
        "word/split.xml": "<a><b>Ann Mar</b><b>low is ill</b></a>",
        "word/attribute.xml": '<a title="&#65;nn Marlow is ill"/>',
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(part, parts[part])
    with pytest.raises(NotVerified):
        require_gone(
            out.getvalue(), "docx", ["Ann Marlow is ill"], ["*** ****** is ill"], "out.docx"
        )
    require_gone(out.getvalue(), "docx", ["Ann Marlow is ill"], ["Ann Marlow is ill"], "out.docx")


CELL = st.text(st.sampled_from("ab\",;\t \r\n'é★"), min_size=1, max_size=8)


@given(st.lists(CELL, min_size=1, max_size=5), st.sampled_from([",", ";"]))
def test_the_csv_module_reads_what_is_written(texts, delimiter):
    from sfumato.formats import csv as own

    rows = "".join(f"{i}{delimiter}x\r\n" for i in range(len(texts)))
    raw = f"id{delimiter}note\r\n{rows}".encode()
    source = own.read(raw, "n.csv", text_column="note")
    seal = Seal()
    seal.add(texts)
    made = io.BytesIO(b"".join(source.pieces(texts)))
    require_read_back(made, ReadOptions("csv", "note"), None, "utf-8", seal, "n.csv")


def test_every_format_is_read_again_by_other_code():
    assert {name for name, _ in SUFFIXES.values()} <= set(OTHERS)
