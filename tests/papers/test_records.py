"""rx-anon's running example: Tables 4 and 5 (GDF, k = 2) and its NCP (section 5.3)."""

from __future__ import annotations

from functools import partial

import polars as pl
import pytest

import sfumato as sf
from papers.rx_anon_tables import ROWS as WRITTEN
from papers.rx_anon_tables import TEXTS

anonymize = partial(sf.anonymize, shuffle=False)  # rows are compared with the original's

# Table 1, its numbers as numbers.
ROWS = [(int(person), gender, int(age), *rest) for person, gender, age, *rest in WRITTEN]
# The terms of Table 4, and the redundant ones of section 4.1.
FOUND = [
    (0, "Pedro", "PERSON"),
    (0, "36 years old", "AGE"),
    (0, "engineer", "JOB"),
    (0, "Mexico", "LOCATION"),
    (2, "engineer", "JOB"),
    (3, "Canada", "LOCATION"),
    (3, "Ben", "PERSON"),
    (4, "scientist", "JOB"),
    (4, "UK", "LOCATION"),
    (5, "Four days ago", "DATE"),
    (6, "2004", "DATE"),
    (6, "science", "TOPIC"),
    (6, "biologist", "JOB"),
    (7, "Pisces", "SIGN"),
    (8, "UK", "LOCATION"),
]
SCHEMA = {
    "person": "id",
    "columns": {
        "gender": {"kind": "category"},
        "age": {"kind": "number", "entities": ["DATE", "AGE"]},
        "topic": {"kind": "category", "entities": ["TOPIC"]},
        "sign": {"kind": "category", "entities": ["SIGN"]},
        "date": {"kind": "date", "entities": ["DATE"]},
        "text": {"kind": "text"},
    },
    "entities": {"PERSON": "quasi"},
}
# Table 5, sets sorted, without the ids; the types, words in the paper, are placeholders.
FIRST = ("male", "[24-36]", "(Education,Student)", "(Aries,Leo)", "[2004-2005]")
SECOND = ("male", "[29-37]", "(Banking,indUnk)", "Pisces", "2004-05")
THIRD = ("female", "[24-27]", "Science", "Aries", "2004")
TABLE_5 = [
    (*FIRST, "My name is [PERSON], I'm a [24-36] years old engineer from [LOCATION]."),
    (*FIRST, TEXTS[1]),
    (*FIRST, TEXTS[2]),
    (*SECOND, "During my last business trip to [LOCATION] I met my friend [PERSON] from college."),
    (*THIRD, "As a [JOB] from the UK, you can be proud!"),
    (*THIRD, "[DATE], I started my blog. Stay tuned for more content."),
    (*THIRD, "2004 will be a great year for science and for my career as a [JOB]."),
    (*SECOND, TEXTS[7]),
    (*THIRD, TEXTS[8]),
]


@pytest.fixture(scope="module")
def frame() -> pl.DataFrame:
    names = ["id", "gender", "age", "topic", "sign", "date"]
    return pl.DataFrame(ROWS, names, orient="row").with_columns(text=pl.Series(TEXTS))


@pytest.fixture(scope="module")
def spans() -> list[sf.Span]:
    return [
        sf.Span(row, start := TEXTS[row].index(term), start + len(term), label)
        for row, term, label in FOUND
    ]


@pytest.fixture(scope="module")
def release(frame, spans) -> sf.Release:
    return anonymize(frame, SCHEMA, k=2, partitioner="gdf", recognizer=spans)


def test_table_5(release):
    assert release.data.drop("id").rows() == TABLE_5


def test_the_classes_of_section_4_2(frame, release):
    classes = {}
    for person, number in zip(frame["id"], release.sides.classes.tolist(), strict=True):
        classes.setdefault(number, set()).add(person)
    assert sorted(map(sorted, classes.values())) == [[1, 2], [3, 5], [4, 6]]


def test_the_person_centric_view_of_table_4(frame, release):
    terms = release.sides.terms.filter(pl.col("role") == "quasi")
    people = frame["id"].gather(terms["row"])
    held = {}
    for person, term, label in zip(people, terms["term"], terms["label"], strict=True):
        held.setdefault(person, set()).add((term, label.lower()))
    assert held == {
        1: {("pedro", "person"), ("engineer", "job"), ("mexico", "location")},
        2: {("engineer", "job")},
        3: {("ben", "person"), ("canada", "location")},
        4: {
            ("four days ago", "date"),
            ("scientist", "job"),
            ("biologist", "job"),
            ("uk", "location"),
        },
        6: {("uk", "location")},
    }


def test_the_information_loss(release):
    assert release.loss["NCP_A"] == pytest.approx(0.3681, abs=5e-5)
    assert release.loss["NCP_X"] == pytest.approx(0.4028, abs=5e-5)
    assert release.loss["NCP"] == pytest.approx(0.3854, abs=5e-5)


def test_the_people_have_new_numbers(release):
    numbers = release.data["id"].to_list()
    assert sorted(set(numbers)) == [1, 2, 3, 4, 5, 6]
    assert numbers[0] == numbers[1]
    assert len(set(numbers[4:7])) == 1


def test_it_verifies(frame, release):
    assert [v.reason for v in sf.verify(frame, release) if not v.holds] == []
