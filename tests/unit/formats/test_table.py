"""Tables rewritten: every byte outside the changed fields stays as it was."""

from __future__ import annotations

import pytest

from sfumato.core.errors import BadInput
from sfumato.formats.table import read_table


def written(path, content: bytes, changed, rows, dropped=()):
    path.write_bytes(content)
    table = read_table(str(path))
    return table, b"".join(table.pieces(changed, rows, set(dropped)))


CSV = b'\xef\xbb\xbfid,"age",note\r\n007,"36","a ""b"", c"\r\n\r\n8,1e5,x\r\n9,,y'


def test_csv_as_it_was(tmp_path):
    table, out = written(tmp_path / "t.csv", CSV, {}, [0, 1, 2])
    assert out == CSV
    assert table.frame["id"].to_list() == ["007", "8", "9"]
    assert table.frame["note"][0] == 'a "b", c'


def test_csv_with_other_cells_rows_and_columns(tmp_path):
    cells = {"age": ["[1-2]", "(a,b)"], "note": ['a "b", c', "x"]}
    _, out = written(tmp_path / "t.csv", CSV, cells, [0, 1], ["id"])
    assert out == b'\xef\xbb\xbf"age",note\r\n"[1-2]","a ""b"", c"\r\n\r\n"(a,b)",x\r\n'


def test_a_cell_without_value_is_emptied(tmp_path):
    _, out = written(tmp_path / "t.csv", CSV, {"age": [None, None, None]}, [0, 1, 2])
    assert out == CSV.replace(b'"36"', b'""').replace(b"1e5", b"")
    _, out = written(tmp_path / "t.jsonl", JSONL, {"age": [None, None]}, [0, 1])
    assert out == JSONL.replace(b"36", b"null")


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
    assert out == (
        b'{"age":"[1-2]" , "note": "\\u00e9!"}\n\n'
        b'{ "note": null, "codes": ["a"], "age": "5|missing"}\n'
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
