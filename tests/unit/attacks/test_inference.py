"""Inference: what a release teaches about those in it and those not in it; linkage by terms."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import sfumato as sf

SCHEMA = {
    "person": "id",
    "columns": {"age": {"kind": "number"}, "ill": {"role": "sensitive"}, "note": {"kind": "text"}},
    "entities": {"GPE": "quasi"},
}
TERMS = pl.DataFrame(schema={"id": pl.Int64, "entity_type": pl.String, "term": pl.String})


def _people(notes: bool) -> pl.DataFrame:
    chance = np.random.default_rng(0)
    ills = chance.choice(["flu", "gout", "asthma", "cold"], 120)
    said = [f"comes with {one}" if notes else "comes" for one in ills.tolist()]
    ages = chance.permutation(120) + 20
    return pl.DataFrame({"id": range(120), "age": ages, "ill": ills, "note": said})


def _attack(frame: pl.DataFrame, k: int) -> sf.attack:
    release = sf.anonymize(frame, SCHEMA, k=k, recognizer=TERMS, effort="quick")
    (found,) = sf.attack(frame, release, ["inference"])
    return found


def test_small_classes_teach_more() -> None:
    found = {k: _attack(_people(False), k) for k in (1, 2, 40)}
    assert found[1].success == 1.0
    assert found[1].success > found[2].success > found[40].success
    assert found[1].control < 0.6
    assert found[40].risk < 0.3


def test_texts_teach_about_everybody() -> None:
    found = _attack(_people(True), 40)
    assert found.success > 0.9
    assert found.control > 0.9


def test_without_a_sensitive_column() -> None:
    frame = _people(False).select("id", "age")
    schema = {"person": "id", "columns": {"age": {"kind": "number"}}}
    release = sf.anonymize(frame, schema, k=2)
    with pytest.raises(sf.BadInput, match="sensitive"):
        sf.attack(frame, release, ["inference"])


def test_terms_link_no_more_than_one_in_k() -> None:
    chance = np.random.default_rng(1)
    words = [f"town{i}" for i in range(12)]
    held = [sorted(chance.choice(words, 5, replace=False).tolist()) for _ in range(60)]
    frame = pl.DataFrame(
        {"id": range(60), "age": chance.integers(20, 30, 60), "note": [" ".join(x) for x in held]}
    )
    terms = pl.DataFrame(
        [(i, "GPE", one) for i, row in enumerate(held) for one in row],
        schema=["id", "entity_type", "term"],
        orient="row",
    )
    columns = {"age": {"kind": "number"}, "note": {"kind": "text"}}
    schema = {"person": "id", "columns": columns, "entities": {"GPE": "quasi"}}
    for m in (1, 2):
        release = sf.anonymize(frame, schema, k=4, knows=m, recognizer=terms, relational_weight=0.1)
        (found,) = sf.attack(frame, release, ["linkage-terms"])
        assert 0 < found.detail["worst"] <= 1 / 4
