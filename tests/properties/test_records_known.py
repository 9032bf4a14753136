"""What people may show, against the definition; the verification, against planted violations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.kernels.known_sets import shown_items

from ..oracles import known as oracle

SETS = st.lists(st.frozensets(st.integers(0, 5), max_size=5), max_size=14)


def _rows(held: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    offsets = np.cumsum([0, *map(len, held)]).astype(np.int64)
    return offsets, np.array([one for row in held for one in row], np.int32)


@given(SETS, st.integers(1, 5), st.integers(1, 4), st.data())
@settings(max_examples=200)
def test_the_kernel_and_the_definition(
    drawn: list[frozenset[int]], k: int, m: int, data: st.DataObject
) -> None:
    held = [sorted(one) for one in drawn]
    numbers = st.integers(-1, min(1, len(held) - 1))
    classes = data.draw(st.lists(numbers, min_size=len(held), max_size=len(held)))
    offsets, codes = _rows(held)
    found = shown_items(np.array(classes, np.int32), offsets, codes, k, m)
    shown = [
        frozenset(found[a:b][found[a:b] >= 0].tolist())
        for a, b in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)
    ]
    assert oracle.holds(shown, classes, k, m)
    slow = oracle.greedy(held, classes, k, m)
    assert [set(one) for one in slow] == [set(one) for one in shown]


@given(SETS, st.integers(1, 4), st.integers(1, 3))
@settings(max_examples=200)
def test_more_general_items(drawn: list[frozenset[int]], k: int, m: int) -> None:
    """Items 0 and 1 lie below 6, which lies below 7; 2 lies below 3, a term of its own, and 7."""
    held = [sorted(one) for one in drawn]
    above = {0: [6, 7], 1: [6, 7], 2: [3, 7]}
    rows = [above.get(item, []) for item in range(6)]
    classes = np.zeros(len(held), np.int32)
    offsets, codes = _rows(held)
    above_offsets, flat = _rows(rows)
    found = shown_items(classes, offsets, codes, k, m, (above_offsets, flat)).tolist()
    shown = [
        {
            item: found[at]
            for item, at in zip(row, range(int(start), int(start) + len(row)), strict=True)
            if found[at] >= 0
        }
        for row, start in zip(held, offsets.tolist(), strict=False)
    ]
    assert oracle.holds([frozenset(one.values()) for one in shown], [0] * len(held), k, m)
    assert shown == oracle.greedy(held, [0] * len(held), k, m, above)


@pytest.mark.parametrize("wrong", ["classes", "offsets", "codes"])
def test_arrays_of_another_type(wrong: str) -> None:
    given = {
        "classes": np.zeros(1, np.int32),
        "offsets": np.array([0, 1]),
        "codes": np.zeros(1, np.int32),
    }
    given[wrong] = given[wrong].astype(np.float64)
    with pytest.raises(TypeError):
        shown_items(**given, k=1, m=1)


WEIGHTS = st.sampled_from([0.0, 0.3, 1.0])
WORDS = ["paris", "berlin", "madrid", "oslo", "bern"]
TABLES = st.lists(
    st.tuples(
        st.sampled_from("ab"),
        st.frozensets(st.sampled_from(WORDS), max_size=4),
        st.frozensets(st.sampled_from("xyz"), max_size=3),
        st.sampled_from(["flu", "hiv", "gout"]),
    ),
    min_size=6,
    max_size=20,
)
SCHEMA = {
    "person": "id",
    "columns": {
        "town": {},
        "tags": {"kind": "set", "separator": ";"},
        "ill": {"role": "sensitive"},
        "text": {"kind": "text"},
    },
    "entities": {"GPE": "quasi"},
}


def _table(rows: list[tuple[str, frozenset[str], frozenset[str], str]]) -> tuple[pl.DataFrame, ...]:
    frame = pl.DataFrame(
        {
            "id": list(range(len(rows))),
            "town": [town for town, *_ in rows],
            "tags": [";".join(sorted(tags)) for _, _, tags, _ in rows],
            "ill": [ill for *_, ill in rows],
            "text": ["I saw " + " and ".join(sorted(seen)) + "." for _, seen, _, _ in rows],
        }
    )
    terms = [
        {"id": i, "entity_type": "GPE", "term": one}
        for i, (_, seen, _, _) in enumerate(rows)
        for one in sorted(seen)
    ]
    schema = {"id": pl.Int64, "entity_type": pl.String, "term": pl.String}
    return frame, pl.DataFrame(terms, schema=schema)


@given(TABLES, st.integers(1, 4), st.integers(1, 3), WEIGHTS, st.booleans())
@settings(max_examples=40, deadline=None)
def test_a_release_is_verified(
    rows: list[tuple[str, frozenset[str], frozenset[str], str]],
    k: int,
    m: int,
    weight: float,
    diverse: bool,
) -> None:
    frame, terms = _table(rows)
    asked = {"l": 2} if diverse and len({row[3] for row in rows}) > 1 else {}
    release = sf.anonymize(
        frame, SCHEMA, k=k, knows=m, relational_weight=weight, recognizer=terms, **asked
    )
    verdicts = sf.verify(frame, release)
    assert all(one.holds for one in verdicts), [one.reason for one in verdicts]
    assert release.claims[0].name == "km-anonymity"
    classes, shown = _shown(release)
    assert oracle.holds(shown, classes, k, m)


def _shown(release: sf.Release) -> tuple[list[int], list[frozenset[int]]]:
    """The classes of cells, and what each person shows, read from the release by the eye."""
    classes = release.data["town"].rank("dense").to_list()
    items = [
        frozenset(
            [hash(("t", one)) for one in WORDS if one in text]
            + [hash(("s", one)) for one in tags.split(";") if one]
        )
        for text, tags in release.data.select("text", "tags").iter_rows()
    ]
    return classes, items


PLANTED = [("a", frozenset({"paris", "berlin"}), frozenset("x"), "flu")] * 4


def test_planted_violations_are_found() -> None:
    frame, terms = _table(PLANTED)
    release = sf.anonymize(frame, SCHEMA, k=4, knows=2, recognizer=terms)
    assert all(one.holds for one in sf.verify(frame, release))
    tags = ["x", "x", "x", ""]
    for data in (
        release.data.with_columns(tags=pl.Series(tags)),
        release.data.with_columns(town=pl.Series(["a", "a", "a", "b"])),
    ):
        verdict = sf.verify(frame, replace(release, data=data))[0]
        assert not verdict.holds


def test_pairs_are_counted_for_two_and_not_for_one() -> None:
    """Each term is shown by three people, the pair by two."""
    seen = [{"paris", "berlin"}] * 2 + [{"paris"}, {"berlin"}]
    rows = [("a", frozenset(one), frozenset(), "flu") for one in seen]
    frame, terms = _table(rows)
    one = sf.anonymize(frame, SCHEMA, k=3, knows=1, recognizer=terms, relational_weight=0)
    assert all(verdict.holds for verdict in sf.verify(frame, one))
    two = replace(
        one, claims=(replace(one.claims[0], parameters={**one.claims[0].parameters, "knows": 2}),)
    )
    (verdict,) = sf.verify(frame, two)
    assert not verdict.holds
    assert "2 terms" in verdict.reason


@pytest.mark.parametrize(
    ("asked", "where"),
    [
        ({"knows": 0}, "knows"),
        ({"knows": True}, "knows"),
        ({"knows": 2, "partitioner": "gdf"}, "partitioner"),
        ({"knows": 2, "suppress_share": 0.1, "t": 0.5}, "suppress_share"),
    ],
)
def test_what_cannot_be(asked: dict[str, object], where: str) -> None:
    frame, terms = _table(PLANTED)
    with pytest.raises(sf.BadInput, match=where):
        sf.anonymize(frame, SCHEMA, k=2, recognizer=terms, **asked)
