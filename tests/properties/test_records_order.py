"""Classes of people, and all that is released, do not depend on the order of the rows.

Random tables (missing and mixed values, sets, dates, terms, several rows a person, many who are
alike) are released as they are and in other orders. The same people are together, and with the
same key the release is the same, row for row and figure for figure.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.methods.records import parts
from sfumato.methods.records.order import row_keys

pytestmark = pytest.mark.filterwarnings("ignore")
LIMIT = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
KEY = b"one key for the orders of rows"
COLUMNS = {
    "age": {"kind": "number"},
    "dose": {"kind": "number", "missing": "own", "recode": "mean"},
    "town": {"missing": "own"},
    "job": {"hierarchy": {"tree": {"a": ["a1", "a2"], "b": ["b1", "b2"]}}},
    "grade": {"kind": "ordered", "order": ["low", "middle", "high"]},
    "seen": {"kind": "date"},
    "codes": {"kind": "set", "separator": "|"},
    "result": {"role": "sensitive"},
    "second": {"role": "sensitive", "kind": "number"},
    "note": {"kind": "text"},
    "remark": {"role": "insensitive"},
}
WORDS = ["Ulm", "Bonn", "Linz", "Graz", "Kiel"]
CELLS = {
    "age": lambda chance: str(chance.choice([7, 20, 21, 36, 50, 51, 90, 36.0])),
    "dose": lambda chance: chance.choice(["1", "1.0", "2.5", "", None, "8"]),
    "town": lambda chance: chance.choice(["Ulm", "Łódź", "東京", None, ""]),
    "job": lambda chance: chance.choice(["a1", "a2", "b1", "b2"]),
    "grade": lambda chance: chance.choice(["low", "middle", "high"]),
    "seen": lambda chance: (
        f"20{chance.randint(10, 13)}-0{chance.randint(1, 3)}-1{chance.randint(1, 3)}"
    ),
    "codes": lambda chance: "|".join(chance.sample("ABC", chance.randint(0, 3))),
    "result": lambda chance: chance.choice("xyzw"),
    "second": lambda chance: chance.choice(["1", "2", "3"]),
    "note": lambda chance: f"From {chance.choice(WORDS)}, near {chance.choice(WORDS)}.",
    "remark": lambda chance: chance.choice("pqr"),
}
PLAIN = ("age", "dose", "town", "grade", "seen", "codes")
OPTIONS = {
    "clusters": {},
    "quick": {"effort": "quick"},
    "thorough": {"effort": "thorough"},
    "small blocks": {"block": 2},
    "mondrian": {"partitioner": "mondrian"},
    "as printed": {"partitioner": "mondrian", "cuts": "printed"},
    "gdf": {"partitioner": "gdf"},
    "some left out": {"suppress_share": 0.2},
    "drawn l": {"l": 2},
    "drawn t": {"t": 0.4},
    "chosen l": {"l": 2, "strata": "chosen"},
    "chosen t": {"t": 0.4, "strata": "chosen", "suppress_share": 0.1},
    "knows": {"knows": 2},
    "knows, left out": {"knows": 1, "suppress_share": 0.1},
    "columns alone": {"relational_weight": 1.0},
}


def table(chance, names, people, with_ids):
    """Rows of so many people, some of them alike, and some with several rows."""
    owners = list(range(people))
    if with_ids:
        owners += [chance.randrange(people) for _ in range(chance.choice([0, 3, people]))]
    rows = []
    for owner in owners:
        if rows and chance.random() < 0.4:
            rows.append({**chance.choice(rows), "who": f"p{owner}"})
            if chance.random() < 0.5:
                rows[-1]["remark"] = CELLS["remark"](chance)
                rows[-1]["result"] = CELLS["result"](chance)
        else:
            rows.append({"who": f"p{owner}", **{name: CELLS[name](chance) for name in names}})
    frame = pl.DataFrame(rows, schema=dict.fromkeys(["who", *names], pl.String))
    return frame if with_ids else frame.drop("who")


def places(frame):
    """Where a town stands in the notes: the terms, so that no recogniser is needed."""
    found = []
    for row, note in enumerate(frame["note"].to_list() if "note" in frame.columns else []):
        for word in WORDS:
            start = note.find(word)
            while start >= 0:
                found.append((row, start, start + len(word), "GPE"))
                start = note.find(word, start + 1)
    names = ["row", "start", "stop", "label"]
    return pl.DataFrame(sorted(found), schema=names, orient="row") if found else None


def classes(release, order):
    """The rows of every class, as numbers of the first table; those that look alike count alike."""
    together = defaultdict(set)
    for row, one in zip(release.sides.rows.tolist(), release.sides.classes.tolist(), strict=True):
        together[one].add(order[row])
    return sorted(map(sorted, together.values()))


def released(frame, schema, order, **options):
    given = frame[order]
    try:
        release = sf.anonymize(given, schema, key=KEY, recognizer=places(given), **options)
    except sf.CannotBeMet as refused:
        return str(refused), None, None
    told = release.loss, release.counts, release.claims, release.warnings
    return release.data, classes(release, order), told


@pytest.mark.parametrize("option", OPTIONS)
@LIMIT
@given(
    seed=st.integers(0, 2**32),
    k=st.sampled_from([1, 2, 3, 5, 10, 50]),
    people=st.sampled_from([2, 7, 24, 60, 120]),
    with_ids=st.booleans(),
)
def test_rows_in_another_order_give_the_same_release(option, seed, k, people, with_ids):
    chance = random.Random(seed)
    others = [name for name in PLAIN if chance.random() < 0.6] or ["age"]
    names = [*others, "result", "remark"]
    names += [name for name in ("note", "job", "second") if chance.random() < 0.5]
    if option == "gdf" and "codes" not in names:
        names.append("codes")
    if "knows" in option and not {"note", "codes"} & set(names):
        names.append("note")
    frame = table(chance, names, people, with_ids)
    schema = {"columns": {name: COLUMNS[name] for name in names}}
    if with_ids:
        schema["person"] = "who"
    rows = list(range(frame.height))
    first, together, told = released(frame, schema, rows, k=k, **OPTIONS[option])
    chance.shuffle(rows)
    second, again, told_again = released(frame, schema, rows, k=k, **OPTIONS[option])
    if together is None:
        assert first == second
        return
    alike = Counter(frame.rows())
    if max(alike.values()) == 1 or with_ids:
        assert together == again
    assert first.equals(second)
    assert told == told_again


@pytest.mark.parametrize("partitioner", ["clusters", "mondrian"])
@LIMIT
@given(seed=st.integers(0, 2**32), with_ids=st.booleans())
def test_parts_of_large_tables_do_not_depend_on_the_order_either(partitioner, seed, with_ids):
    chance = random.Random(seed)
    names = ["age", "dose", "town", "codes", "remark"]
    frame = table(chance, names, 120, with_ids)
    schema = {"columns": {name: COLUMNS[name] for name in names}}
    schema |= {"person": "who"} if with_ids else {}
    rows = list(range(frame.height))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "PART", 30)
        first, *_ = released(frame, schema, rows, k=3, partitioner=partitioner)
        chance.shuffle(rows)
        second, *_ = released(frame, schema, rows, k=3, partitioner=partitioner)
    assert first.equals(second)


@LIMIT
@given(st.lists(st.tuples(st.text(max_size=3), st.none() | st.text(max_size=3)), max_size=12))
def test_keys_of_rows_tell_tables_apart_and_not_their_orders(rows):
    names = {"a": pl.String, "b": pl.String}
    frame = pl.DataFrame(rows, schema=names, orient="row")
    found, other = row_keys(frame, KEY), row_keys(frame.reverse(), KEY)
    assert found.digest == other.digest
    assert sorted(found.places.tolist()) == list(range(len(rows)))
    ordered = [rows[i] for i in found.places.argsort()]
    assert ordered == [rows[::-1][i] for i in other.places.argsort()]
    more = pl.DataFrame([("", None)], schema=names, orient="row")
    swapped = frame.select(a="b", b="a")
    for one in (pl.concat([frame, more]), frame.rename({"a": "c"}), swapped):
        same = one.columns == frame.columns and Counter(one.rows()) == Counter(rows)
        assert (row_keys(one, KEY).digest == found.digest) == same
    assert row_keys(frame, KEY[::-1]).digest != found.digest or not rows
