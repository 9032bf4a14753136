"""What the check of a table is made of, piece by piece beside the definitions."""

from __future__ import annotations

import math
import random
from collections import defaultdict

import numpy as np
import polars as pl
import pytest

from oracles import record_measures as oracle
from sfumato.core.errors import BadInput
from sfumato.core.release import Release, Sides
from sfumato.core.spans import Change, Changes
from sfumato.schema import Column, as_schema
from sfumato.verification import records_secrets as secrets
from sfumato.verification.records_alone import (
    _left,
    _types,
    _without_types,
    shown_terms,
    view_alone,
)
from sfumato.verification.records_cells import covered
from sfumato.verification.records_view import View, Violation, classes, item_lists, signatures


def release_of(data, schema, changes=(), **sides):
    parts = {"claims": (), "changes": Changes.of(list(changes)), "loss": {}, "parameters": {}}
    return Release(verb="anonymize", data=data, sides=Sides(schema=schema, **sides), **parts)


def by_class(measured):
    return dict(measured.rows())


@pytest.mark.parametrize("number", range(8))
def test_measures_of_classes_are_those_of_the_definition(number):
    chance = random.Random(number)
    for _ in range(12):
        size = chance.randint(1, 12)
        held = [(chance.randrange(3), chance.randrange(4)) for _ in range(size)]
        members = defaultdict(list)
        for label, value in held:
            members[label].append(value)
        everybody = [value for _, value in held]
        counts = secrets.votes(pl.Series(everybody), pl.Series([label for label, _ in held]))
        found = {
            "distinct": by_class(secrets.distinct_values(counts)),
            "entropy": by_class(secrets.entropies(counts)),
            "recursive": by_class(secrets.recursive(counts, 2)),
            "equal": by_class(secrets.equal_distances(counts)),
        }
        ranked = counts["value"].rank("dense").cast(pl.Int64) - 1
        by_rank = by_class(secrets.ordered_distances(counts, ranked))
        place = {value: i for i, value in enumerate(sorted(set(everybody)))}
        for label, values in members.items():
            assert found["distinct"][label] == oracle.distinct_diversity(values)
            assert found["entropy"][label] == pytest.approx(oracle.entropy_diversity(values))
            assert found["equal"][label] == pytest.approx(oracle.equal_distance(values, everybody))
            expected = oracle.recursive_diversity(values, 2)
            assert found["recursive"][label] == pytest.approx(expected)
            ranks, all_ranks = [place[one] for one in values], [place[one] for one in everybody]
            expected = oracle.ordered_distance(ranks, all_ranks)
            assert by_rank[label] == pytest.approx(expected, abs=1e-12)


def test_of_nobody_nothing_is_measured():
    empty = secrets.votes(pl.Series([], dtype=pl.Int64), pl.Series([], dtype=pl.Int64))
    assert secrets.ordered_distances(empty, empty["value"]).height == 0
    assert secrets.equal_distances(empty).height == 0
    nobody = pl.DataFrame({"person": pl.Series([], dtype=pl.Int64)})
    assert classes(nobody).height == 0
    assert classes(pl.DataFrame({"person": [1, 2]}))["size"].to_list() == [2]


@pytest.mark.parametrize(
    ("kind", "value", "cell", "holds"),
    [
        ("number", 3, "[1-3]", True),
        ("number", 4, "[1-3]", False),
        ("number", 0, "[1-3]", False),
        ("number", 2.0, "2", True),
        ("number", None, "[1-3]", False),
        ("number", None, "[1-3]|missing", True),
        ("number", 2, "[1-3]|missing", True),
        ("number", 2, None, False),
        ("number", None, None, True),
        ("category", "a", "(a,b)", True),
        ("category", "c", "(a,b)", False),
        ("category", "b", "(a,bc)", False),
        ("category", "a,b", "(a,b)", True),
        ("category", "a", "a,b)", False),
        ("category", "a", "b", False),
        ("category", None, "(a,b)", False),
        ("date", "2020-02-03", "2020", True),
        ("date", "2020-02-03", "2020-02", True),
        ("date", "2020-02-03", "2020-03", False),
        ("date", "2020-02-03", "[2019-2020]", True),
        ("date", "2020-02-03", "[2021-2022]", False),
        ("date", "2020-02-03", "2020-02-04", False),
    ],
)
def test_cells_cover_the_values_they_replace(kind, value, cell, holds):
    dtype = {"number": pl.Float64}.get(kind, pl.String)
    values, cells = pl.Series([value], dtype=dtype), pl.Series([cell], dtype=pl.String)
    assert covered(Column(kind=kind), values, cells).to_list() == [holds]


def test_ordered_cells_cover_what_lies_between():
    column = Column(kind="ordered", order=["low", "mid-way", "high"])
    values = pl.Series(["low", "mid-way", "high", "high", "low"])
    cells = pl.Series(["[low-mid-way]", "[low-high]", "[low-mid-way]", "high", "[high-low]"])
    assert covered(column, values, cells).to_list() == [True, True, False, True, False]


def test_people_who_look_alike():
    persons = pl.Series(["a", "b", "a"])
    cells = [pl.Series("x", ["1", "2", "2"]), pl.Series("y", ["u", "u", "u"])]
    found = signatures(cells, persons).sort("person")
    assert found["y"].to_list() == ["u", "u"]
    assert found["x"][0] != found["x"][1]  # who shows 1 and 2 looks like nobody who shows 2
    items = [pl.Series("z", [["p"], ["q", "p"], ["q"]])]
    alike = signatures([], persons, items)
    assert classes(alike)["size"].to_list() == [2]  # both show p and q, one in two rows
    assert item_lists(pl.Series(["a; b", " ;c", None]), ";").to_list() == [["a", "b"], ["c"], None]


def test_rows_are_those_of_the_original():
    frame, schema = pl.DataFrame({"x": [1, 2]}), {"columns": {"x": {"kind": "number"}}}
    assert View.of(frame, release_of(frame, schema, rows=np.array([1, 0]))).rows.tolist() == [1, 0]
    for rows in ([0, 0], [0, 2], [-1, 0], [0]):
        with pytest.raises(Violation):
            View.of(frame, release_of(frame, schema, rows=np.array(rows)))
    with pytest.raises(BadInput, match="no such column"):
        View.of(frame, release_of(frame, {**schema, "person": "who"}))
    with pytest.raises(BadInput, match="schema"):
        View.of(frame, release_of(frame, None))


def test_what_a_place_tells_beside_the_cells_of_its_row():
    town, age = Column(kind="category", entities=["CITY"]), Column(kind="number")
    text = "from (Bonn,Ulm), [24-36] years old"
    assert _left(text, 5, 15, "CITY", [(town, "(Bonn,Ulm)", False)]) is None
    assert _left(text, 5, 15, "NAME", [(town, "(Bonn,Ulm)", False)]).strip() == ""
    assert _left(text, 21, 34, "AGE", [(age, "[24-36]", False)]).strip() == "years old"
    assert _left("in Bonn", 3, 7, "CITY", [(town, "Bonn", False)]) is None
    assert _left("in Bonn", 3, 7, "CITY", [(town, "Ulm", False)]) == "Bonn"
    assert _left("in Bonn", 3, 7, "CITY", [(town, None, True)]) == "Bonn"


def test_entity_types_tell_nothing():
    types = _types(as_schema({"columns": {}}), {"CITY"})
    assert _without_types("[CITY]", types) is None
    assert _without_types("City_ CITY", types) is None
    assert "Bonn" in _without_types("city of Bonn", types)
    assert _without_types("cityhall", types) is not None


NOTES = {"columns": {"note": {"kind": "text"}}, "entities": {"NAME": "direct", "CITY": "quasi"}}


def found_in(texts, places, **more):
    columns = ["row", "column", "start", "stop", "label"]
    found = pl.DataFrame(places, schema=columns, orient="row")
    release = release_of(pl.DataFrame({"note": texts}), NOTES, found=found, **more)
    return shown_terms(view_alone(release), release)


def test_terms_are_read_from_the_release_alone():
    shown = found_in(["in Bonn", "in Ulm"], [(0, "note", 3, 7, "CITY"), (1, "note", 3, 6, "CITY")])
    assert sorted(shown["term"].to_list()) == ["bonn", "ulm"]
    assert found_in(["in [CITY]"], [(0, "note", 3, 9, "CITY")]).height == 0
    with pytest.raises(Violation, match="direct identifier"):
        found_in(["Ann came"], [(0, "note", 0, 3, "NAME")])
    for start, stop in ((3, 9), (-1, 2), (4, 4)):
        with pytest.raises(BadInput, match="outside its text"):
            found_in(["in Bonn"], [(0, "note", start, stop, "CITY")])
    release = release_of(pl.DataFrame({"note": ["in Bonn"]}), NOTES)
    with pytest.raises(BadInput, match="not known"):
        shown_terms(view_alone(release), release)


@pytest.mark.parametrize(
    ("before", "changes", "after", "terms"),
    [
        ("in Bonn", [], "in Bonn", ["bonn"]),
        ("Ann in Bonn", [(0, 3, "[PERSON]")], "[PERSON] in Bonn", ["bonn"]),
        ("in Bonn", [(3, 7, "[CITY]")], "in [CITY]", []),
        ("in Bonn now", [(3, 7, "(Bonn,Ulm)")], "in (Bonn,Ulm) now", ["bonn,ulm"]),
    ],
)
def test_places_of_the_original_are_carried_over(before, changes, after, terms):
    start = before.index("Bonn")
    places = [(0, "note", start, start + 4, "CITY")]
    columns = ["row", "column", "start", "stop", "label"]
    listed = pl.DataFrame(places, schema=columns, orient="row")
    made = [Change(0, *one, "class") for one in changes]
    release = release_of(pl.DataFrame({"note": [after]}), NOTES, made, terms=listed)
    assert shown_terms(view_alone(release), release)["term"].to_list() == terms
    if changes:
        spoilt = release_of(pl.DataFrame({"note": [before]}), NOTES, made, terms=listed)
        with pytest.raises(Violation, match="not what its changes say"):
            shown_terms(view_alone(spoilt), spoilt)


def test_a_class_of_one_value_is_as_far_as_the_others_are_many():
    counts = secrets.votes(pl.Series(["a", "b", "b", "b"]), pl.Series([0, 1, 1, 1]))
    far = by_class(secrets.equal_distances(counts))
    assert far == {0: pytest.approx(0.75), 1: pytest.approx(0.25)}
    assert math.isclose(secrets.recursive(counts, 1)["c"].max(), 1.0)
