"""A person's own values in the person's texts, found without any recogniser."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.errors import BadInput
from sfumato.core.spans import Changes, Span

anonymize = partial(sf.anonymize, shuffle=False)  # rows are compared with the original's

PEOPLE = pl.DataFrame(
    {
        "id": ["P-0001", "P-0002", "P-0003", "P-0004"],
        "name": ["Anna Schmidt", "Bob Lee", "Cy Young", "Dora Hall"],
        "city": ["Leeds", "York", "Leeds", "Hull"],
        "age": [36, 24, 61, 58],
        "born": ["1968-05-14", "1980-01-02", "1943-03-03", "1946-04-04"],
        "codes": ["flu;cold", "flu;gout", "gout;cold", "gout"],
        "text": [
            "Anna came to the clinic in LEEDS, aged 36, born 14 May 1968; flu, cold. P-0001",
            "York is nice. Bob Lee says flu, not Leeds.",
            "Leeds again; Leedsy, 61.5 and young",
            "nothing of Hull, born 4/4/1946 with gout",
        ],
    }
)
COLUMNS = {
    "name": {"role": "drop"},
    "city": {},
    "age": {"kind": "number"},
    "born": {"kind": "date"},
    "codes": {"kind": "set"},
    "text": {"kind": "text"},
}
SCHEMA = {"person": "id", "columns": COLUMNS}


def released(schema=SCHEMA, people=PEOPLE, **options):
    release = anonymize(people, schema, k=2, **{"recognizer": [], **options})
    assert all(verdict.holds for verdict in sf.verify(people, release))
    assert all(verdict.holds for verdict in sf.verify(None, release))
    return release


def test_words_follow_their_cells_and_dropped_ones_become_their_type():
    assert released(own_values="words").data["text"].to_list() == [
        "[NAME] came to the clinic in (Leeds,York), aged 36, born [1968-1980]; flu, [CODES]. [ID]",
        "(Leeds,York) is nice. [NAME] says flu, not Leeds.",  # Leeds is not Bob's
        "(Hull,Leeds) again; Leedsy, 61.5 and young",
        "nothing of (Hull,Leeds), born [1943-1946] with gout",
    ]


def test_numbers_only_when_asked():
    first = released(own_values="all").data["text"][0]
    assert "aged [24-36], born" in first


def test_numbers_are_no_parts_of_numbers():
    assert "61.5" in released(own_values="all").data["text"][2]


def test_given_terms_leave_all_but_dropped_columns():
    assert released().data["text"].to_list() == [
        "[NAME] came to the clinic in LEEDS, aged 36, born 14 May 1968; flu, cold. [ID]",
        "York is nice. [NAME] says flu, not Leeds.",
        *PEOPLE["text"][2:],
    ]
    recognizer = released(recognizer="rules-en")
    assert recognizer.parameters["own_values"] == "words"
    assert "LEEDS" not in recognizer.data["text"][0]


def test_none_leaves_everything():
    assert released(own_values="none").data["text"].to_list() == PEOPLE["text"].to_list()


def test_the_schema_says_so_and_a_column_otherwise():
    columns = {**COLUMNS, "city": {"own_values": "none"}}
    texts = released({**SCHEMA, "columns": columns, "own_values": "words"}).data["text"]
    assert "in LEEDS, aged 36, born [1968" in texts[0]
    columns = {**COLUMNS, "age": {"kind": "number", "own_values": "all"}}
    texts = released({**SCHEMA, "columns": columns, "own_values": "none"}).data["text"]
    assert "LEEDS, aged [24-36], born 14 May" in texts[0]


def test_everyday_words_stay():
    people = pl.DataFrame({"id": [1, 2], "smokes": ["yes", "no"], "text": ["yes indeed", "no, no"]})
    schema = {"person": "id", "columns": {"smokes": {}, "text": {"kind": "text"}}}
    assert released(schema, people, own_values="words").data["text"].to_list()[0] == "yes indeed"


def test_a_value_that_its_class_shares_stays():
    people = pl.DataFrame({"id": [1, 2], "city": ["Leeds"] * 2, "text": ["in Leeds", "leeds"]})
    schema = {"person": "id", "columns": {"city": {}, "text": {"kind": "text"}}}
    release = released(schema, people, own_values="words")
    assert release.data["text"].to_list() == people["text"].to_list()


def test_all_values_of_a_person_in_all_of_their_texts():
    people = pl.DataFrame(
        {
            "id": [1, 1, 2],
            "city": ["Leeds", "York", "Hull"],
            "text": ["was in York", "then in Leeds", "Hull"],
        }
    )
    schema = {"person": "id", "columns": {"city": {}, "text": {"kind": "text"}}}
    cell = "(Hull,Leeds,York)"
    texts = released(schema, people, own_values="words").data["text"].to_list()
    assert texts == [f"was in {cell}", f"then in {cell}", cell]


@pytest.mark.parametrize(
    ("text", "found", "expected"),
    [
        ("in Leeds now", (3, 8), "in [GPE] now"),  # a recognised term stays what it is
        ("in Leeds West now", (9, 13), "in (Hull,Leeds) [GPE] now"),
        ("the New Leeds now", (4, 13), "the [GPE] now"),
        ("in East Leeds now", (3, 13), "in [GPE] now"),
    ],
)
def test_recognized_terms_come_first(text, found, expected):
    people = pl.DataFrame({"id": [1, 2], "city": ["Leeds", "Hull"], "text": [text, ""]})
    schema = {"person": "id", "columns": {"city": {}, "text": {"kind": "text"}}}
    spans = [Span(0, *found, "GPE")]
    release = released(schema, people, recognizer=spans, own_values="words")
    assert release.data["text"][0] == expected


def test_an_own_value_takes_what_is_recognized_inside_it():
    people = pl.DataFrame(
        {"id": [1, 2], "firm": ["Smith and Sons", "Hull Ltd"], "text": ["at Smith and Sons", ""]}
    )
    schema = {"person": "id", "columns": {"firm": {}, "text": {"kind": "text"}}}
    spans = [Span(0, 3, 8, "PERSON")]
    release = released(schema, people, recognizer=spans, own_values="words")
    assert release.data["text"][0] == "at (Hull Ltd,Smith and Sons)"


def test_what_stands_beside_a_repeated_part_is_no_leak():
    people = pl.DataFrame(
        {"id": [1, 2], "city": ["Leeds", "Hull"], "age": [36, 24], "text": ["36 in Leeds", ""]}
    )
    schema = {
        "person": "id",
        "columns": {
            "city": {},
            "age": {"kind": "number", "entities": ["AGE"]},
            "text": {"kind": "text"},
        },
    }
    spans = [Span(0, 0, 11, "AGE")]
    release = released(schema, people, recognizer=spans, own_values="words")
    assert release.data["text"][0] == "[AGE]"


def test_own_values_that_overlap_become_a_type():
    people = pl.DataFrame(
        {
            "id": [1, 2],
            "town": ["Leeds West", "Hull"],
            "county": ["West Yorkshire", "Kent"],
            "text": ["in Leeds West Yorkshire", ""],
        }
    )
    schema = {"person": "id", "columns": {"town": {}, "county": {}, "text": {"kind": "text"}}}
    assert released(schema, people, own_values="words").data["text"][0] == "in [COUNTY]"


DATES = ["2004-05-14", "14.05.2004", "5/14/04", "May 14th, 2004", "14 MAY 2004", "14th of May 2004"]


@pytest.mark.parametrize("written", DATES)
def test_dates_in_other_forms(written):
    people = pl.DataFrame(
        {"id": [1, 2], "born": ["2004-05-14", "2004-05-20"], "text": [f"born {written}.", ""]}
    )
    schema = {"person": "id", "columns": {"born": {"kind": "date"}, "text": {"kind": "text"}}}
    assert released(schema, people, own_values="words").data["text"][0] == "born 2004-05."


def test_months_and_years_only_when_asked_and_where_they_say_more():
    people = pl.DataFrame(
        {"id": [1, 2], "born": ["2004-05-14", "2004-08-20"], "text": ["in 2004, May 2004", ""]}
    )
    schema = {"person": "id", "columns": {"born": {"kind": "date"}, "text": {"kind": "text"}}}
    assert released(schema, people, own_values="words").data["text"][0] == "in 2004, May 2004"
    assert released(schema, people, own_values="all").data["text"][0] == "in 2004, 2004"


def test_an_unknown_choice_is_refused():
    with pytest.raises(BadInput, match="own_values"):
        anonymize(PEOPLE, SCHEMA, k=2, own_values="some")


def without_changes(release, row, text):
    """The release with a text of the planter's, its changes in that row taken back."""
    texts = release.data["text"].to_list()
    texts[row] = text
    stay = [one for one in release.changes if one.document != row]
    columns = [[getattr(one, name) for one in stay] for name in ("document", "start", "stop")]
    arrays = [pl.Series(one, dtype=pl.Int64).to_numpy() for one in columns]
    words = [one.replacement for one in stay], [one.reason for one in stay]
    data = release.data.with_columns(pl.Series("text", texts))
    return replace(release, data=data, changes=Changes(*arrays, *words))


@pytest.mark.parametrize("row", range(4))
def test_a_value_put_back_is_rejected(row):
    release = released(own_values="words")
    planted = without_changes(release, row, PEOPLE["text"][row])
    verdict = sf.verify(PEOPLE, planted)[0]
    assert not verdict.holds
    assert verdict.where is not None
    assert f"record {row + 1}" in verdict.where
    assert PEOPLE["name"][row] not in verdict.reason + verdict.where


def test_a_value_that_a_release_never_changed_is_rejected():
    loose = anonymize(PEOPLE, SCHEMA, k=2, recognizer=[], own_values="none")
    strict = loose.sides.schema.model_copy(update={"own_values": "words"})
    stricter = replace(
        loose.claims[0], parameters=loose.claims[0].parameters | {"own_values": "words"}
    )
    sides = replace(loose.sides, schema=strict)
    assert "own values" in sf.verify(PEOPLE, replace(loose, sides=sides))[0].reason
    planted = replace(loose, sides=sides, claims=(stricter, *loose.claims[1:]))
    verdict = sf.verify(PEOPLE, planted)[0]
    assert not verdict.holds
    assert "value of its person" in verdict.reason


CITIES = ["Leeds", "York", "New York", "Hull West", "West End"]
WORDS = st.lists(
    st.sampled_from([*CITIES, "west", "36", "24", "in", "36.5", "may 2004"]), max_size=5
)
ROW = st.tuples(st.integers(1, 4), st.sampled_from(CITIES), st.sampled_from([24, 36]), WORDS)


@settings(max_examples=60)
@given(st.lists(ROW, min_size=4, max_size=8), st.sampled_from(["words", "all"]), st.data())
def test_whatever_is_found_is_verified_and_what_is_put_back_is_not(rows, level, data):
    people = pl.DataFrame(
        {
            "id": [one[0] for one in rows],
            "city": [one[1] for one in rows],
            "age": [one[2] for one in rows],
            "text": [" ".join(one[3]) for one in rows],
        }
    )
    columns = {"city": {}, "age": {"kind": "number"}, "text": {"kind": "text"}}
    schema = {"person": "id", "columns": columns}
    if people["id"].n_unique() < 2:
        return
    documents = [(d, text) for d, text in enumerate(people["text"]) if "West" in text]
    spans = [Span(d, text.index("West"), text.index("West") + 4, "GPE") for d, text in documents]
    spans = spans if data.draw(st.booleans()) else []
    release = anonymize(people, schema, k=2, recognizer=spans, own_values=level)
    assert all(verdict.holds for verdict in sf.verify(people, release))
    own = release.sides.terms.filter(pl.col("own").is_not_null() & (pl.col("outcome") != "kept"))
    for row in own["row"].unique().to_list():
        planted = without_changes(release, row, people["text"][row])
        assert not all(verdict.holds for verdict in sf.verify(people, planted))
