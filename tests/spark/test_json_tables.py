"""Tables of JSON lines on Spark: the rows, places and numbers of one machine."""

from __future__ import annotations

import json
import shutil

import pytest

from spark.commands import several

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def folder(tmp_path):
    if shutil.which("java") is None:
        pytest.skip("no Java: apt install default-jre-headless")
    pytest.importorskip("pyspark", reason="no pyspark: make spark")
    rows = [
        # Keys out of order, decimals as people write them, lists, nulls, a key that comes late.
        f'{{"who": {100 + i // 2}, "weight": {60 + i % 5}.50, "age": {20 + i % 7}, '
        f'"seen": [{i % 3}, "x"], "visits": {i % 4}, "note": {json.dumps(None)}'
        + (f', "again": {json.dumps(i % 2 == 0)}}}' if i > 3 else "}")
        for i in range(24)
    ]
    (tmp_path / "people.jsonl").write_text("\n".join(rows) + "\n")
    (tmp_path / "people.yaml").write_text(
        "person: who\n"
        "columns:\n"
        "  age: {kind: number}\n"
        "  weight: {kind: number}\n"
        "  seen: {kind: set}\n"
        "  visits: {role: insensitive}\n"
        "  again: {role: insensitive}\n"
        "  note: {role: insensitive}\n"
    )
    (tmp_path / "key").write_text("thirty-two bytes of a secret key")
    (tmp_path / "policy.yaml").write_text(
        "sfumato: 1\ninput: {path: people.jsonl, person: who}\nschema: people.yaml\n"
        "stages:\n  - anonymize: {k: 3}\n"
    )
    return tmp_path


def rows_of(path):
    parts = sorted(path.glob("part-*")) if path.is_dir() else [path]
    return [json.loads(line) for part in parts for line in part.read_text("utf-8").splitlines()]


def test_a_table_of_json_has_the_rows_and_numbers_of_one_machine(folder):
    table = ("anonymize", "people.jsonl", "--schema", "people.yaml", "-k", "3", "--key-file", "key")
    there = ("--engine", "spark")
    codes, told = several(
        folder,
        (*table, "-o", "here.jsonl"),
        (*table, *there, "-o", "there"),
        ("verify", "people.jsonl", "there", "--schema", "people.yaml", "--key-file", "key", *there),
    )
    assert codes == [0, 0, 0], told
    here, found = rows_of(folder / "here.jsonl"), rows_of(folder / "there")
    # Spark leaves out no key; where a record had none, one machine leaves it out too.
    assert [{"again": None, **one} for one in here] == [{"again": None, **one} for one in found]
    # A column that is left as it was is numbers, and true and false, as in the input.
    assert {type(one["visits"]) for one in found} == {int}
    assert {type(one["again"]) for one in found} <= {bool, type(None)}


def test_a_line_that_is_none_and_a_key_twice_are_refused_without_their_text(folder):
    whole = (folder / "people.jsonl").read_text()
    (folder / "cut.jsonl").write_text(whole + '{"who": 7, "note": "secret')
    (folder / "twice.jsonl").write_text(whole + '{"who": 7, "who": 8}\n')
    asked = ("--schema", "people.yaml", "-k", "3", "--key-file", "key", "--engine", "spark")
    codes, told = several(
        folder,
        *(("anonymize", f"{name}.jsonl", *asked, "-o", "out") for name in ("cut", "twice")),
    )
    assert codes == [2, 2], told
    assert "a file is damaged" in told
    assert "a key occurs twice" in told
    assert "secret" not in told
    assert not (folder / "out").exists()
