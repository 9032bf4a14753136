"""Tables rewritten: changed columns in one form, every byte outside them as it was."""

from __future__ import annotations

import json

import pytest

from sfumato.core.errors import BadInput
from sfumato.formats.table import read_table


def written(path, content: bytes, changed, rows, dropped=()):
    path.write_bytes(content)
    table = read_table(str(path))
    return table, b"".join(table.cells(changed, rows, set(dropped)))


CSV = b'\xef\xbb\xbfid,"age",note\r\n007,"36","a ""b"", c"\r\n\r\n8,1e5,x\r\n9,,y'


def test_csv_as_it_was(tmp_path):
    table, out = written(tmp_path / "t.csv", CSV, {}, [0, 1, 2])
    assert out == CSV
    assert table.frame["id"].to_list() == ["007", "8", "9"]
    assert table.frame["note"][0] == 'a "b", c'


def test_csv_with_other_cells_rows_and_columns(tmp_path):
    cells = {"age": ["[1-2]", "(a,b)"], "note": ['a "b", c', "x"]}
    _, out = written(tmp_path / "t.csv", CSV, cells, [0, 1], ["id"])
    assert out == b'\xef\xbb\xbf"age",note\r\n[1-2],"a ""b"", c"\r\n"(a,b)",x'


def test_a_cell_without_value_is_emptied(tmp_path):
    _, out = written(tmp_path / "t.csv", CSV, {"age": [None, None, None]}, [0, 1, 2])
    one_end = CSV.replace(b"\r\n\r\n", b"\r\n")  # a blank line would mark its record
    assert out == one_end.replace(b'"36"', b"").replace(b"1e5", b"")
    _, out = written(tmp_path / "t.jsonl", JSONL, {"age": [None, None]}, [0, 1])
    assert [json.loads(line)["age"] for line in out.splitlines() if line] == [None, None]


JSONL = (
    b'{"id": 7, "age":36 , "note": "caf\\u00e9"}\n\n{ "note": null, "id": "8", "codes": ["a", 1]}\n'
)


def test_json_lines_as_they_were(tmp_path):
    table, out = written(tmp_path / "t.jsonl", JSONL, {}, [0, 1])
    assert out == JSONL
    assert table.frame["codes"].to_list() == [None, ["a", "1"]]
    assert table.frame["id"].to_list() == ["7", "8"]


def test_json_lines_with_other_values(tmp_path):
    cells = {"age": ["[1-2]", "5|missing"], "note": ["é!", None], "codes": [None, ["a"]]}
    _, out = written(tmp_path / "t.jsonl", JSONL, cells, [0, 1], ["id"])
    assert (
        out
        == (
            '{"age": "[1-2]", "note": "é!", "codes": null}\n'
            '{"age": "5|missing", "note": null, "codes": ["a"]}\n'
        ).encode()
    )


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", b"a,a\n1,2\n"),
        ("t.csv", b"a,b\n1\n"),
        ("t.csv", b'a,b\n1,"2\n'),
        ("t.csv", b"a,b\n1,\xff\n"),
        ("t.jsonl", b'{"a": 1, "a": 2}\n'),
        ("t.jsonl", b"[1]\n"),
        ("t.parquet", b"no"),
        ("t.txt", b"a,b\n"),
    ],
)
def test_broken_tables_are_refused(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BadInput):
        read_table(str(path))


def test_columns_of_lists_are_written_as_lists(tmp_path):
    """A frame's column of lists gives columns when it is iterated, which JSON does not know."""
    import polars as pl

    lines = b'{"id": 1, "codes": ["a", "b"]}\n{"id": 2, "codes": []}\n{"id": 3}\n'
    cells = {"codes": pl.Series([["a"], [], None], dtype=pl.List(pl.String))}
    _, out = written(tmp_path / "t.jsonl", lines, cells, [0, 1, 2])
    assert [json.loads(line)["codes"] for line in out.splitlines()] == [["a"], [], None]
