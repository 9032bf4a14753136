"""The shipped clinic is what its script makes, small, and annotated where it identifies."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

from sfumato import formats

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "src" / "sfumato" / "examples"
TABLE, GOLD = EXAMPLES / "clinic.csv", EXAMPLES / "clinic_gold.jsonl"


@pytest.fixture(scope="module")
def script():
    sys.path.insert(0, str(ROOT / "tools"))
    spec = importlib.util.spec_from_file_location("clinic", ROOT / "tools" / "make_clinic.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["clinic"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def source():
    return formats.read(TABLE, text_column="note", group_column="patient_id")


@pytest.fixture(scope="module")
def gold():
    return [json.loads(line) for line in GOLD.read_text().splitlines()]


def test_the_script_makes_the_shipped_bytes(script):
    assert script.table() == (TABLE.read_bytes(), GOLD.read_bytes())
    assert TABLE.stat().st_size + GOLD.stat().st_size < 300_000


def test_the_table_has_one_or_two_rows_a_patient(script, source):
    assert source.columns == script.COLUMNS
    rows = [source.groups.count(patient) for patient in sorted(set(source.groups))]
    assert len(rows) == script.PATIENTS
    assert set(rows) == {1, 2}
    assert len(set(source.column("name"))) == script.PATIENTS


def test_the_gold_covers_every_identifier(source, gold):
    """What the columns say of a patient stands in the note only inside gold spans."""
    for document, text in enumerate(source.texts):
        hidden = list(text)
        for span in gold:
            if span["document"] == document:
                hidden[span["start"] : span["stop"]] = "·" * (span["stop"] - span["start"])
        rest = "".join(hidden)
        assert len(rest) == len(text)
        for column in ("name", "birth_date", "town"):
            value = source.column(column)[document]
            assert value not in rest
            assert value.split()[-1] not in rest


def test_rules_find_most_and_miss_what_is_told_in_passing(source, gold):
    from sfumato.recognizers import recognizer

    found = recognizer("rules-en")(source.texts)
    covered = {(s.document, p) for s in found for p in range(s.start, s.stop)}

    def missed(span):
        places = range(span["start"], span["stop"])
        return any(source.texts[span["document"]][p].isalnum() for p in places) and not all(
            (span["document"], p) in covered
            for p in places
            if source.texts[span["document"]][p].isalnum()
        )

    in_passing = {"fact", "nickname", "rare", "relative", "handle"}
    told = [missed(s) for s in gold if s["entity"].split()[-1] in in_passing]
    formal = [missed(s) for s in gold if s["entity"].split()[-1] not in in_passing]
    assert sum(told) > 0.8 * len(told)
    assert sum(formal) < 0.1 * len(formal)
