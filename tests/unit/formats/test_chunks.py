"""A file in parts is the file: same texts, groups, places and bytes, wherever it is cut."""

import gzip
import io

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import formats
from sfumato.core.errors import BadInput

BOM = b"\xef\xbb\xbf"
FILES = {
    "plain.csv": (b"id,t\r\n1,calm\r\n2,well\r\n", "t", "id"),
    "quoted.csv": (
        BOM + b'\n\nid,"t"\n1,"a ""b"", c\n\nd"\n\n\n2,\xc3\xa9"x\r\n3,""\n4,last',
        "t",
        "id",
    ),
    "lone.csv": (b't\n"a\nb"\n\n""\nc\n', "t", None),
    "cr.csv": (b"t,u\r1,2\r\r3,4\r", "u", "t"),
    "one.tsv": (b"a\tb\n1\tx,y\n2\t\n", "b", "a"),
    "notes.jsonl": (
        BOM + b'{"p": 7, "t": "caf\\u00e9"}\r\n\n{"p": 1e5, "u": {"t": 1}}\n'
        b'{"p": "\xe2\x98\x85", "t": "\\ud800 \xf0\x9f\x98\x80", "n": 123456789012345678901}',
        "t",
        "p",
    ),
    "deep.jsonl": (
        b'{"n": [{"t": "a"}, {"t": null}, {}], "p": 1}\n{"n": [], "p": 2}\n'
        b'{"p": 3}\n{"n": [{"t": "\xc3\xa9", "x": {"t": "no"}}], "p": {"q": 1}}\n',
        "n[].t",
        "p",
    ),
    "genes.fa": (b">one\r\nACGT\r\nAC\r\n>two\n>three\nTT", None, None),
    "texts.lines": (BOM + b"calm\r\n\nwell\n\xc3\xa9nd", None, None),
}


def whole_and_parts(path, text, group, size):
    columns = {"text_column": text, "group_column": group}
    return formats.read(path, **columns), list(formats.read_chunks(path, **columns, size=size))


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 13, 21, 34, 1000])
def test_parts_are_the_whole(tmp_path, name, size):
    raw, text, group = FILES[name]
    path = tmp_path / name
    path.write_bytes(raw)
    whole, parts = whole_and_parts(path, text, group, size)
    assert [one for part in parts for one in part.texts] == whole.texts
    assert [one for part in parts for one in part.groups or ()] == (whole.groups or [])
    places = [part.where(i) for part in parts for i in range(len(part.texts))]
    assert places == [whole.where(i) for i in range(len(whole.texts))]
    new = [None if one is None or i % 2 else "*" + one for i, one in enumerate(whole.texts)]
    following = iter(new)
    written = b"".join(
        bytes(piece)
        for part in parts
        for piece in part.pieces([next(following) for _ in part.texts])
    )
    assert written == b"".join(map(bytes, whole.pieces(new)))
    same = b"".join(bytes(piece) for part in parts for piece in part.pieces(part.texts))
    assert same == b"".join(map(bytes, whole.pieces(whole.texts)))


@settings(max_examples=200)
@given(
    st.lists(st.tuples(st.text('a",\n\r;é\t', max_size=6), st.text('b"\n,', max_size=4))),
    st.integers(1, 40),
)
def test_any_csv_in_parts(tmp_path_factory, rows, size):
    import csv

    out = io.StringIO(newline="")
    csv.writer(out).writerows([("t", "u"), *rows])
    path = tmp_path_factory.mktemp("csv") / "f.csv"
    path.write_bytes(out.getvalue().encode())
    whole, parts = whole_and_parts(path, "t", None, size)
    assert [one for part in parts for one in part.texts] == whole.texts == [t for t, _ in rows]
    assert b"".join(bytes(p) for part in parts for p in part.pieces(part.texts)) == (
        b"".join(map(bytes, whole.pieces(whole.texts)))
    )


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_packed_parts_are_written_packed(tmp_path, suffix):
    raw = b'{"t": "calm"}\n' * 500
    pack = {"": bytes, ".gz": gzip.compress, ".zst": zstandard.compress}[suffix]
    path, target = tmp_path / f"n.jsonl{suffix}", tmp_path / f"out.jsonl{suffix}"
    path.write_bytes(pack(raw[:700]) + pack(raw[700:]))  # several members are one file
    chunks = formats.read_chunks(path, text_column="t", size=64)
    with formats.atomic_files() as files:
        with formats.chunk_writer(target, chunks, files) as out:
            for chunk in chunks:
                out.write(chunk, ["c*lm"] * len(chunk.texts))
        assert not target.exists()
        files.commit()
    assert formats.read(target, text_column="t").texts == ["c*lm"] * 500


@pytest.mark.parametrize("suffix", ["gz", "zst"])
def test_a_cut_packed_file_is_refused(tmp_path, suffix):
    raw = (gzip.compress if suffix == "gz" else zstandard.compress)(b'{"t": "calm"}\n' * 5000)
    path = tmp_path / f"n.jsonl.{suffix}"
    path.write_bytes(raw[:-5])
    with pytest.raises(BadInput, match="damaged or cut short"):
        list(formats.read_chunks(path, text_column="t", size=64))


def test_another_encoding_in_parts_comes_back_in_it(tmp_path):
    raw = 'id,t\n1,"é, ü"\n2,ß\n'.encode("utf-16")
    path, target = tmp_path / "n.csv", tmp_path / "out.csv"
    path.write_bytes(raw)
    chunks = formats.read_chunks(path, text_column="t", encoding="utf-16", size=5)
    with formats.atomic_files() as files:
        with formats.chunk_writer(target, chunks, files) as out:
            for chunk in chunks:
                out.write(chunk, chunk.texts)
        files.commit()
    assert target.read_bytes() == raw


@pytest.mark.parametrize(
    ("name", "raw", "options", "message"),
    [
        ("f.csv", b"t\na\nb,c\n", {"text_column": "t"}, r"record 2 \(line 3\).*expected 1 fields"),
        ("f.csv", b't\na\n"b\nc', {"text_column": "t"}, "closing quote is missing"),
        ("f.csv", b"t\na\n\xff\n", {"text_column": "t"}, r"record 2 \(line 3\).*not valid UTF-8"),
        ("f.csv", b"t\na\n", {"text_column": "u"}, "no column is named 'u'"),
        ("f.jsonl", b'{"t": "a"}\n{"t": 1}\n', {"text_column": "t"}, "line 2.*neither a string"),
        ("f.jsonl", b'{"t": "a"}\n{"t": "b"\n', {"text_column": "t"}, "line 2, column 10"),
        ("f.jsonl", b'{"t": "a"}\n', {"text_column": "u"}, "no column is named 'u'"),
        ("f.jsonl", b'{"t": "a"}\n', {"text_column": "t[].u"}, "expects an array"),
        ("f.jsonl", b"\n \n", {"text_column": "t"}, "every line is blank"),
        ("f.jsonl", b"", {"text_column": "t"}, "empty"),
        ("f.fa", b"ACGT\n", {}, "line 1.*no header"),
        ("f.lines", b"a\n\xff\n", {}, "line 2.*not valid UTF-8"),
    ],
)
@pytest.mark.parametrize("size", [4, 1000])
def test_what_is_wrong_is_told_with_its_place(tmp_path, name, raw, options, message, size):
    (tmp_path / name).write_bytes(raw)
    with pytest.raises(BadInput, match=f"(?s){message}"):
        list(formats.read_chunks(tmp_path / name, **options, size=size))


def test_texts_that_do_not_fit_their_chunk_are_refused(tmp_path):
    (tmp_path / "n.jsonl").write_bytes(b'{"t": "a"}\n{"t": null}\n')
    chunks = formats.read_chunks(tmp_path / "n.jsonl", text_column="t")
    for texts, message in (([], "expected 2 texts"), (["a", "b"], "no text here")):
        with (
            formats.atomic_files() as files,
            pytest.raises(BadInput, match=message),
            formats.chunk_writer(tmp_path / "out.jsonl", chunks, files) as out,
        ):
            out.write(next(iter(chunks)), texts)
    assert not (tmp_path / "out.jsonl").exists()


def test_what_has_no_parts_is_refused(tmp_path):
    (tmp_path / "n.txt").write_text("calm")
    with pytest.raises(BadInput, match="not read in parts"):
        formats.read_chunks(tmp_path / "n.txt")
