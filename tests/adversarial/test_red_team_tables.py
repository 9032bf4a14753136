"""Policies on a table with texts, by somebody who reruns them on every original of a small world.

Compared is the whole public folder. Of the tables with the same folder every word of a note that a
claim speaks of must have as many originals as the claim says.
"""

from __future__ import annotations

import itertools
import json
import re
import shutil
from collections import defaultdict
from pathlib import Path

import pytest

from adversarial.worlds import LINKS
from support.commands import call
from support.table_policies import table_policy

pytestmark = pytest.mark.filterwarnings("ignore")
# What the key draws, from what was given: hashes, and the numbers of people.
KEYED = re.compile(r"\b[0-9a-f]{24,}\b|^\d(?=,)", re.MULTILINE)
SCHEMA = {
    "person": "id",
    "columns": {"age": {"kind": "number"}, "note": {"kind": "text"}},
}
TABLE = {"verb": "anonymize", "k": 2, "shuffle": False}
REDACT = {"verb": "redact", "terms": "terms.txt", "k": 2}
GENERALIZE = {"verb": "generalize", "ontology": "ontology.csv", "t": 2}
ORDERS = {
    "generalize, anonymize": (GENERALIZE, TABLE),
    "anonymize, generalize": (TABLE, GENERALIZE),
    "redact, anonymize": (REDACT, TABLE),
    "anonymize, redact": (TABLE, REDACT),
}
WORDS = ["rum", "gin", "flu", "cold"]
AGES = [30, 31, 60, 61]


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ontology.csv").write_text(LINKS)
    (tmp_path / "terms.txt").write_text("\n".join(["rum", "gin", "tea", "flu", "cold"]) + "\n")
    (tmp_path / "schema.yaml").write_text(json.dumps(SCHEMA))
    (tmp_path / "spans.jsonl").write_text("")
    (tmp_path / "key").write_text("k" * 32)
    return tmp_path


def released(place, stages, ages, words):
    """The public folder, what the key draws by its length, and the table in it."""
    rows = [
        f"p{i},{age},has {word}\n" for i, (age, word) in enumerate(zip(ages, words, strict=True))
    ]
    (place / "people.csv").write_text("id,age,note\n" + "".join(rows))
    path = table_policy(place, *stages, key_file="key")
    for one in ("out", "out.private"):
        shutil.rmtree(one, ignore_errors=True)
    assert call("run", path, "-q", "-o", "out") == 0
    files = sorted(one for one in Path("out").rglob("*") if one.is_file())
    told = [
        (str(one), one.stat().st_size, KEYED.sub(lambda m: "x" * len(m[0]), one.read_text()))
        for one in files
    ]
    return json.dumps(told), next(text for name, _, text in told if "/data/" in name)


@pytest.mark.parametrize("name", ORDERS)
def test_stages_on_a_table_keep_what_each_claims(name, place):
    """Words of two people over all their values; the folder tells no more than the table."""
    groups, beside = defaultdict(list), defaultdict(set)
    for some in itertools.product(WORDS, repeat=2):
        told, data = released(place, ORDERS[name], AGES, (*some, "rum", "flu"))
        groups[told].append(some)
        beside[data].add(told)
    assert all(len(one) == 1 for one in beside.values())
    for group in groups.values():
        for person in range(2):
            assert len({some[person] for some in group}) >= 2, group


@pytest.mark.parametrize("name", ORDERS)
def test_ages_of_a_class_are_told_by_nothing_else(name, place):
    """Who has which age of a class gives the same folder, whatever the notes became."""
    groups = defaultdict(list)
    for ages in itertools.permutations(AGES[:2]):
        told, _ = released(place, ORDERS[name], (*ages, 60, 61), ("rum", "flu", "gin", "cold"))
        groups[told].append(ages)
    assert [len(one) for one in groups.values()] == [2]
