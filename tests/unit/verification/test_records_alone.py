"""Releases of records judged alone: good ones pass, planted violations do not."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from papers.rx_anon_tables import TERMS, spoilt, table_5
from sfumato.core.claims import Claim
from sfumato.core.release import Release, Sides
from sfumato.core.spans import Changes
from sfumato.schema import as_schema
from sfumato.verification.records_alone import _left, _moved, _types, _without_types

anonymize = partial(sf.anonymize, shuffle=False)  # rows are compared with the original's

NONE = Changes(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64), [], [])
WORDS = {words: label for _, words, label, _ in TERMS} | {"Germany": "location"}


def found_in(data: pl.DataFrame) -> pl.DataFrame:
    """What a recogniser that knows the words finds, placeholders included."""
    words = WORDS | dict.fromkeys(("location", "person", "job", "Date"), "location")
    places = []
    for row, text in enumerate(data["text"]):
        for word, label in words.items():
            at = text.find(word)
            if at >= 0:
                places.append((row, "text", at, at + len(word), label))
    return pl.DataFrame(places, ["row", "column", "start", "stop", "label"], orient="row")


def judged(release: Release, places: bool) -> sf.Verdict:
    """The verdict on k-anonymity, from places found in the release or from its changes."""
    if places:
        sides = Sides(schema=release.sides.schema, found=found_in(release.data))
        release = replace(release, sides=sides, changes=NONE)
    (verdict,) = sf.verify(None, release)
    assert verdict.claim.name == "k-anonymity"
    return verdict


@pytest.mark.parametrize("places", [True, False])
def test_table_5_shows_it_alone(places):
    verdict = judged(table_5(), places)
    assert verdict.holds, verdict.reason
    assert verdict.measured == {"people": 6, "classes": 3, "smallest": 2, "largest": 2}


@pytest.mark.parametrize("places", [True, False])
@pytest.mark.parametrize(
    ("row", "old", "new"),
    [
        (0, "location", "Mexico"),
        (0, "[24-36] years old", "36 years old"),
        (4, "UK", "location"),
        (5, "Date", "Four days ago"),
        (3, "location", "Germany"),
        (6, "2004", "May 2004"),
    ],
)
def test_planted_terms_are_rejected(row, old, new, places):
    release = table_5()
    texts = release.data["text"].to_list()
    assert old in texts[row]
    texts[row] = texts[row].replace(old, new)
    bad = spoilt(release, text=texts)
    if places and new == "May 2004":
        found = found_in(bad.data).with_columns(
            stop=pl.when(pl.col("row") == 6)
            .then(pl.lit(len(new)))
            .otherwise("stop")
            .cast(pl.Int64),
            start=pl.when(pl.col("row") == 6).then(0).otherwise("start").cast(pl.Int64),
        )
        sides = Sides(schema=release.sides.schema, found=found)
        verdict = sf.verify(None, replace(bad, sides=sides, changes=NONE))[0]
    else:
        verdict = judged(bad, places)
    assert not verdict.holds


@pytest.mark.parametrize("places", [True, False])
@pytest.mark.parametrize("column", ["gender", "age", "topic", "sign", "date"])
def test_one_odd_cell_is_rejected(column, places):
    cells = table_5().data[column].to_list()
    cells[2] = "other"
    assert not judged(spoilt(table_5(), **{column: cells}), places).holds


def test_direct_identifiers_are_rejected_though_all_share_them():
    release = table_5()
    schema = as_schema(release.sides.schema.as_dict() | {"entities": {"job": "direct"}})
    verdict = judged(replace(release, sides=replace(release.sides, schema=schema)), False)
    assert "direct" in verdict.reason


@pytest.mark.parametrize(
    "numbers",
    [[1, 7, 2, 3, 4, 4, 4, 5, 6], [1, 1, 2, 3, 4, 4, 4, 5, 9], [1, 1, 2, 3, 4, 4, 4, 5, None]],
)
def test_odd_numbers_of_people_are_rejected(numbers):
    assert not judged(spoilt(table_5(), id=numbers), True).holds


def test_fewer_people_than_claimed_are_rejected():
    release = table_5()
    claim = replace(release.claims[0], parameters={**release.claims[0].parameters, "people": 6})
    assert judged(replace(release, claims=(claim,)), True).holds
    lost = release.data.filter(~pl.col("id").is_in([5, 6]))
    verdict = judged(replace(release, claims=(claim,), data=lost), True)
    assert verdict.reason == "6 people should be there, found 4"


def test_a_k_that_is_too_large_is_rejected():
    release = table_5()
    claim = replace(release.claims[0], parameters={**release.claims[0].parameters, "k": 3})
    assert "smallest 2" in judged(replace(release, claims=(claim,)), True).reason


def test_sensitive_columns_are_judged():
    people = pl.DataFrame(
        {"id": range(8), "age": [1, 1, 2, 2, 8, 8, 9, 9], "ill": list("aabbaabb")}
    )
    schema = {
        "person": "id",
        "columns": {"age": {"kind": "number"}, "ill": {"role": "sensitive"}},
    }
    release = anonymize(people, schema, k=4, l=2, t=0.5, key=bytes(16))  # two classes
    names = [one.claim.name for one in sf.verify(None, release)]
    assert names == ["k-anonymity", "l-diversity", "t-closeness"]
    assert all(one.holds for one in sf.verify(None, release))
    alike = release.data.sort("age").with_columns(ill=pl.Series(list("aaaabbbb")))
    verdicts = {one.claim.name: one for one in sf.verify(None, replace(release, data=alike))}
    assert verdicts["k-anonymity"].holds
    assert not verdicts["l-diversity"].holds


def test_what_is_missing_is_named():
    release = table_5()
    with pytest.raises(sf.BadInput, match="numbers of people"):
        sf.verify(None, replace(release, data=release.data.drop("id")))
    with pytest.raises(sf.BadInput, match="not known"):
        sf.verify(None, replace(release, sides=Sides(schema=release.sides.schema)))
    with pytest.raises(sf.BadInput, match="schema"):
        sf.verify(None, replace(release, sides=Sides()))
    with pytest.raises(sf.BadInput, match="without the original"):
        sf.verify(None, replace(release, claims=release.claims[1:]))
    sides = Sides(schema=release.sides.schema, found=found_in(release.data))
    outside = sides.found.with_columns(stop=pl.lit(10_000))
    with pytest.raises(sf.BadInput, match="outside"):
        sf.verify(None, replace(release, sides=replace(sides, found=outside)))


def test_rows_without_a_person_column_are_people():
    schema = as_schema({"columns": {"age": {"kind": "number"}}})
    claim = Claim("k-anonymity", "", {"k": 2, "person": None, "quasi": ["age"], "text": []})
    data = pl.DataFrame({"age": ["[1-2]", "[1-2]"]})
    release = Release(
        verb="anonymize",
        data=data,
        claims=(claim,),
        changes=NONE,
        loss={},
        parameters={},
        sides=Sides(schema=schema),
    )
    assert sf.verify(None, release)[0].holds
    odd = data.with_columns(age=pl.Series(["[1-2]", "[1-3]"]))
    assert not sf.verify(None, replace(release, data=odd))[0].holds


def test_other_verbs_are_judged_alone_where_their_claims_allow():
    release = sf.suppress("abracadabra", k=2, align="character", strict=True)
    assert [one.holds for one in sf.verify(None, release)] == [True]
    with pytest.raises(sf.BadInput, match="without the original"):
        sf.verify(None, sf.suppress("abracadabra", k=2, align="character"))


def test_placeholders_are_no_terms():
    types = _types(as_schema({"columns": {"x": {}}, "entities": {"MY_TYPE": "quasi"}}))
    for words in ("location", "Work of art", "Date, person", "my type", "[..]"):
        assert _without_types(words, types) is None
    assert _without_types("person Ben", types).strip() == "Ben"
    assert _without_types("update", types) == "update"


def test_parts_of_cells_are_no_terms():
    column = as_schema({"columns": {"age": {"kind": "number", "entities": ["AGE"]}}}).columns["age"]
    text = "aged [24-36] or so"
    for start, stop in ((5, 12), (9, 15), (0, 8)):
        assert _left(text, start, stop, "AGE", [(column, "[24-36]", False)]) is None
    assert _left(text, 9, 15, "ORG", [(column, "[24-36]", False)]).strip() == "or"
    assert _left("aged 36", 5, 7, "AGE", [(column, "36", False)]) is None
    assert _left("aged 36", 5, 7, "AGE", [(column, "37", False)]) == "36"


def test_places_move_with_the_changes_before_them():
    old, spans = "ab cd ef gh", [(0, 2, "x"), (3, 5, "y"), (9, 11, "z")]
    changes = [(0, 2, "long"), (4, 5, "")]
    new = "longcd"[:4] + " c ef gh"
    found = [new[a:b] for a, b, _ in _moved(spans, changes)]
    assert old[9:11] == "gh"
    assert found == ["long", "c", "gh"]


@pytest.mark.data
@pytest.mark.parametrize("options", [{}, {"partitioner": "gdf"}])
def test_four_thousand_people(data_folder, options):
    people = pl.read_csv(data_folder / "people_4000.csv.zst")
    terms = pl.read_csv(data_folder / "people_4000_terms.csv.zst")
    columns = {
        "gender": {},
        "age": {"kind": "number"},
        "topic": {},
        "sign": {},
        "date": {"kind": "date"},
        "text": {"kind": "text"},
    }
    release = anonymize(
        people, {"person": "id", "columns": columns}, k=5, recognizer=terms, **options
    )
    verdict = sf.verify(None, release)[0]
    assert verdict.holds, verdict.reason
    assert verdict.measured == sf.verify(people, release)[0].measured
    one = release.sides.kept.row(0, named=True)  # a term that a class shows
    texts = release.data["text"].to_list()
    row = release.sides.rows.tolist().index(one["row"])
    texts[row] = texts[row].replace(texts[row][one["start"] : one["stop"]], "other")
    odd = replace(release, data=release.data.with_columns(text=pl.Series(texts)))
    assert not sf.verify(None, odd)[0].holds
