"""`anonymize`: kinds of columns, frames, rows and texts; one test for each known defect."""

from __future__ import annotations

import numpy as np
import pandas
import polars as pl
import pyarrow
import pytest

import sfumato as sf
from sfumato.recognizers.combine import recogniser


def spans(texts: list[str | None], *terms: tuple[str, str], width: int = 1) -> list[sf.Span]:
    """Every occurrence of the terms in the documents."""
    found = []
    for document, text in enumerate(texts):
        for term, label in terms:
            at = (text or "").find(term)
            while at >= 0:
                found.append(sf.Span(document, at, at + len(term), label))
                at = (text or "").find(term, at + 1)
    return found


def verified(original, release: sf.Release) -> sf.Release:
    assert [v.reason for v in sf.verify(original, release) if not v.holds] == []
    return release


def table(**columns) -> pl.DataFrame:
    return pl.DataFrame(
        {"id": [str(i) for i in range(len(next(iter(columns.values()))))], **columns}
    )


def described(**columns):
    return {"person": "id", "columns": columns}


# Known defects of rx-anon's code.


def test_terms_in_other_rows_are_rewritten_beside_a_redundant_match():
    frame = pl.DataFrame(
        {
            "id": ["1", "1", "2", "2"],
            "age": [36, 36, 24, 24],
            "text": ["I am 36", "on 4 May", "I am 24", "on 7 June"],
        }
    )
    found = spans(frame["text"].to_list(), *((t, "DATE") for t in ("36", "24", "4 May", "7 June")))
    schema = described(age={"kind": "number", "entities": ["DATE"]}, text={"kind": "text"})
    release = verified(frame, sf.anonymize(frame, schema, k=2, recognizer=found))
    assert release.data["text"].to_list() == ["I am [24-36]", "on date", "I am [24-36]", "on date"]


def test_two_redundant_matches_of_one_label_in_a_text():
    frame = table(age=[36, 24], text=["36, yes 36!", "24 and 24 and 24."])
    found = spans(frame["text"].to_list(), ("36", "AGE"), ("24", "AGE"))
    schema = described(age={"kind": "number", "entities": ["AGE"]}, text={"kind": "text"})
    release = verified(frame, sf.anonymize(frame, schema, k=2, recognizer=found))
    assert release.data["text"].to_list() == [
        "[24-36], yes [24-36]!",
        "[24-36] and [24-36] and [24-36].",
    ]


def test_the_text_loss_of_a_class_of_three():
    texts = ["Bonn Ulm", "Bonn Rome", "Bonn"]
    found = spans(texts, *((t, "GPE") for t in ("Bonn", "Ulm", "Rome")))
    frame = table(text=texts)
    release = sf.anonymize(frame, described(text={"kind": "text"}), k=3, recognizer=found)
    assert release.loss["NCP_X"] == pytest.approx((1 / 2 + 1 / 2 + 0) / 3)
    assert release.loss["NCP_X:GPE"] == pytest.approx(1 / 3)


def test_rows_with_missing_values_are_not_dropped():
    frame = table(age=[36, None, 24, None], job=["a", None, "a", None], text=["x", None, "y", None])
    schema = described(age={"kind": "number"}, job={}, text={"kind": "text"})
    release = verified(frame, sf.anonymize(frame, schema, k=2, recognizer=[]))
    assert release.data.height == 4
    assert release.data["age"].to_list() == ["[24-36]", None, "[24-36]", None]
    release = verified(frame, sf.anonymize(frame, schema, k=4, recognizer=[]))
    assert release.data["age"].to_list() == ["[24-36]|missing"] * 4
    assert release.data["job"].to_list() == ["a|missing"] * 4
    assert release.data["text"].to_list() == frame["text"].to_list()


def test_fewer_than_k_people_cannot_be_met():
    frame = pl.DataFrame({"id": ["1", "1", "1"], "age": [1, 2, 3]})
    with pytest.raises(sf.CannotBeMet) as problem:
        sf.anonymize(frame, described(age={"kind": "number"}), k=2)
    assert problem.value.exit_code == 3


def test_a_constant_date_is_no_division_by_zero():
    frame = table(day=["2004-05-14"] * 4, age=[1, 2, 3, 4])
    release = verified(
        frame, sf.anonymize(frame, described(day={"kind": "date"}, age={"kind": "number"}), k=2)
    )
    assert release.data["day"].to_list() == ["2004-05-14"] * 4
    assert release.loss["NCP_A:day"] == 0


def test_column_names_keep_their_capitals():
    frame = pl.DataFrame({"ID": [1, 2], "Age": [3, 4], "AGE": ["x", "y"]})
    schema = {"person": "ID", "columns": {"Age": {"kind": "number"}, "AGE": {}}}
    release = verified(frame, sf.anonymize(frame, schema, k=2))
    assert release.data.columns == ["ID", "Age", "AGE"]


def test_gdf_uses_a_term_again_in_another_branch():
    # Most frequent: a (4 of 8); b then cuts both sides.
    texts = ["a b", "a b", "a", "a", "b", "b", "", ""]
    frame = table(text=texts)
    found = spans(texts, ("a", "GPE"), ("b", "GPE"))
    schema = described(text={"kind": "text"})
    release = sf.anonymize(frame, schema, k=2, partitioner="gdf", recognizer=found)
    assert release.counts["classes"] == 4
    assert release.loss["NCP_X"] == 0


# Frames.


FRAME = {"id": [3, 1, 2, 4], "age": [36, 24, 61, 58], "note": ["a", "b", "c", "d"]}
SCHEMA = described(age={"kind": "number"}, note={"role": "insensitive"})
AGES = ["[24-36]", "[24-36]", "[58-61]", "[58-61]"]


@pytest.mark.parametrize(
    "make",
    [
        lambda: pl.DataFrame(FRAME),
        lambda: pandas.DataFrame(FRAME, index=list("wxyz")),
        lambda: pyarrow.table(FRAME),
    ],
)
def test_the_kind_of_frame_comes_back(make):
    frame = make()
    release = verified(frame, sf.anonymize(frame, SCHEMA, k=2))
    assert type(release.data) is type(frame)
    assert (
        list(
            release.data["age"].to_pylist()
            if hasattr(release.data["age"], "to_pylist")
            else release.data["age"]
        )
        == AGES
    )
    if isinstance(frame, pandas.DataFrame):
        assert list(release.data.index) == list("wxyz")
        assert release.data["id"].dtype == np.int64
        assert list(frame["age"]) == FRAME["age"]  # untouched


def test_an_unchanged_column_keeps_its_type():
    frame = pl.DataFrame({"id": [1, 2, 3, 4], "age": [36, 36, 61, 61]})
    release = sf.anonymize(frame, described(age={"kind": "number"}), k=2)
    assert release.data["age"].dtype == pl.Int64
    assert "age" not in release.claims[-1].parameters["recoded"]


def test_several_frames_are_joined_on_the_person():
    people = pl.DataFrame({"id": ["1", "2"], "age": [36, 24]})
    posts = pl.DataFrame({"id": ["1", "1", "2"], "text": ["in Bonn", "in Ulm", "in Bonn"]})
    frame = {"people": people, "posts": posts}
    found = spans(["in Bonn", "in Ulm", "in Bonn"], ("Bonn", "GPE"), ("Ulm", "GPE"))
    schema = described(age={"kind": "number"}, text={"kind": "text"})
    release = sf.anonymize(frame, schema, k=2, recognizer=found)
    assert release.data["text"].to_list() == ["in Bonn", "in gpe", "in Bonn"]


# Kinds.


def test_every_kind_of_column():
    frame = table(
        pain=["low", "mid", "high", "high"],
        city=["Bonn", "Ulm", "Rome", "Pisa"],
        codes=[["a", "b"], ["b", "c"], ["x"], ["x", "y"]],
        pay=[1.5, 2.5, 9.0, 10.0],
        gone=["p", "q", "r", "s"],
    )
    tree = {"tree": {"Germany": ["Bonn", "Ulm"], "Italy": ["Rome", "Pisa"]}}
    schema = described(
        pain={"kind": "ordered", "order": ["low", "mid", "high"]},
        city={"hierarchy": tree},
        codes={"kind": "set"},
        pay={"kind": "number", "recode": "mean"},
        gone={"role": "drop"},
    )
    release = verified(frame, sf.anonymize(frame, schema, k=2))
    data = release.data
    assert data["pain"].to_list() == ["[low-mid]", "[low-mid]", "high", "high"]
    assert data["city"].to_list() == ["Germany", "Germany", "Italy", "Italy"]
    assert data["codes"].to_list() == [["b"], ["b"], ["x"], ["x"]]
    assert data["pay"].to_list() == [2.0, 2.0, 9.5, 9.5]
    assert "gone" not in data.columns


def test_sets_as_strings_and_no_person_number():
    frame = table(codes=["b; a", "a;c", "x", "x;y"])
    schema = {**described(codes={"kind": "set"}), "person_number": False}
    release = verified(frame, sf.anonymize(frame, schema, k=2, partitioner="gdf"))
    assert release.data.columns == ["codes"]
    assert release.data["codes"].to_list() == ["a", "a", "x", "x"]


@pytest.mark.parametrize(
    ("days", "cell"),
    [
        (["2004-05-01", "2004-05-09"], "2004-05"),
        (["2010-01-01", "2010-11-01"], "2010"),
        (["1990-01-01", "1992-01-01"], "[1990-1992]"),
        (["1990-01-01", "1990-01-01"], "1990-01-01"),
    ],
)
def test_dates_become_months_years_and_ranges(days, cell):
    frame = table(day=days)
    release = verified(frame, sf.anonymize(frame, described(day={"kind": "date"}), k=2))
    assert release.data["day"].to_list() == [cell, cell]


def test_several_text_columns_and_rows():
    frame = pl.DataFrame(
        {
            "id": ["1", "1", "2"],
            "good": ["Bonn is fine", None, "Bonn"],
            "bad": ["rain in Ulm", "more rain", "sun in Rome"],
        }
    )
    schema = described(good={"kind": "text"}, bad={"kind": "text"})
    texts = [text for row in zip(frame["good"], frame["bad"], strict=True) for text in row]
    found = spans(texts, ("Bonn", "GPE"), ("Ulm", "GPE"), ("Rome", "GPE"))
    release = verified(frame, sf.anonymize(frame, schema, k=2, recognizer=found))
    assert release.data["good"].to_list() == ["Bonn is fine", None, "Bonn"]
    assert release.data["bad"].to_list() == ["rain in gpe", "more rain", "sun in gpe"]
    kept = release.private["kept"]
    assert kept["start"].to_list() == [0, 0]


# Terms.


def test_roles_types_and_synonyms():
    texts = [
        "Ann of Bonn, today",
        "Bob of bonn, Today",
        "Cy of Ulm, now",
        "Di of the City Ulm, now",
    ]
    pairs = [("Ann", "PERSON"), ("Bob", "PERSON"), ("Cy", "PERSON"), ("Di", "PERSON")]
    pairs += [(city, "GPE") for city in ("Bonn", "bonn", "the City Ulm")]
    pairs += [(word, "TIME") for word in ("today", "Today", "now")]
    found = [*spans(texts, *pairs), sf.Span(2, 6, 9, "GPE")]
    frame = table(text=texts)
    schema = described(text={"kind": "text"})
    schema |= {"synonyms": {"City Ulm": "Ulm"}, "entities": {"TIME": "quasi"}}
    release = verified(frame, sf.anonymize(frame, schema, k=2, recognizer=found))
    assert release.data["text"].to_list() == [
        "Person of Bonn, today",
        "Person of bonn, Today",
        "Person of Ulm, now",
        "Person of the City Ulm, now",
    ]
    only = {**schema, "entity_types": ["GPE"]}
    release = verified(frame, sf.anonymize(frame, only, k=2, recognizer=found))
    assert release.data["text"].to_list() == texts


def test_terms_given_by_person_and_by_place():
    frame = table(text=["Bonn, not Bonnie", "Ulm", "Bonn", "Ulm"])
    schema = described(text={"kind": "text"})
    terms = pl.DataFrame(
        {"id": ["0", "1", "2", "3"], "entity_type": ["GPE"] * 4, "term": ["Bonn", "Ulm"] * 2}
    )
    release = verified(frame, sf.anonymize(frame, schema, k=2, recognizer=terms))
    assert release.counts["terms"] == 4
    places = pl.DataFrame({"row": [0], "start": [10], "stop": [16], "label": ["PERSON"]})
    release = verified(frame, sf.anonymize(frame, schema, k=4, recognizer=places.to_pandas()))
    assert release.data["text"][0] == "Bonn, not person"
    with pytest.raises(sf.BadInput):
        sf.anonymize(frame, schema, k=2, recognizer=places.with_columns(stop=99))


def test_redundancy_in_words_dates_and_near_matches():
    texts = ["thirty-six, Educaton, May 14th, 2004", "aged 24, Student, 2005"]
    frame = table(
        age=[36, 24], topic=["Education", "Student"], day=["2004-05-14", "2005-08-18"], text=texts
    )
    found = [
        sf.Span(0, 0, 10, "AGE"),
        sf.Span(0, 12, 20, "TOPIC"),
        sf.Span(0, 22, 36, "DATE"),
        sf.Span(1, 0, 7, "AGE"),
        sf.Span(1, 9, 16, "TOPIC"),
        sf.Span(1, 18, 22, "DATE"),
    ]
    schema = described(
        age={"kind": "number", "entities": ["AGE"]},
        topic={"entities": ["TOPIC"]},
        day={"kind": "date", "entities": ["DATE"]},
        text={"kind": "text"},
    )
    release = verified(frame, sf.anonymize(frame, schema, k=2, recognizer=found))
    assert release.data["text"].to_list() == [
        "[24-36], (Education,Student), [2004-2005]",
        "aged [24-36], (Education,Student), [2004-2005]",
    ]


def test_a_day_that_equals_the_age_repeats_no_age():
    frame = pl.DataFrame(
        {
            "id": ["0", "1", "2", "3"],
            "age": ["15", "13", "17", "17"],
            "date": ["2004-04-15", "2004-08-02", "2004-06-17", "2004-02-03"],
            "text": ["on April 15, 2004", "on 2-8", "on June 17, 2004", "nothing"],
        }
    )
    schema = {
        "person": "id",
        "columns": {
            "age": {"kind": "number", "entities": ["DATE"]},
            "date": {"kind": "date", "entities": ["DATE"]},
            "text": {"kind": "text"},
        },
    }
    spans = [sf.Span(0, 3, 17, "DATE"), sf.Span(1, 3, 6, "DATE"), sf.Span(2, 3, 16, "DATE")]
    release = verified(frame, sf.anonymize(frame, schema, k=2, recognizer=spans))
    assert release.data["text"].to_list() == ["on 2004", "on date", "on 2004", "nothing"]


def test_given_terms_that_overlap_are_one_place():
    frame = table(age=[1, 2, 3], note=["in New York City", "in New York City", "in York"])
    terms = pl.DataFrame(
        {
            "id": ["0", "0", "1", "1"],
            "entity_type": ["GPE", "ORG"] * 2,
            "term": ["York City", "New York"] * 2,
        }
    )
    schema = described(age={"kind": "number"}, note={"kind": "text"})
    release = verified(frame, sf.anonymize(frame, schema, k=3, recognizer=terms))
    assert release.data["note"].to_list() == ["in gpe", "in gpe", "in York"]


def test_a_term_that_overlaps_itself_within_a_word_is_found():
    table = pl.DataFrame({"id": ["0", "1"], "note": ["xa b a b a", "nothing"]})
    schema = {"person": "id", "columns": {"note": {"kind": "text"}}, "entities": {"GPE": "quasi"}}
    terms = pl.DataFrame({"id": ["0"], "entity_type": ["GPE"], "term": ["a b a"]})
    release = sf.anonymize(table, schema, k=2, recognizer=terms)
    assert release.data["note"].to_list() == ["xa b gpe", "nothing"]


def test_terms_are_generalised_where_a_class_meets(tmp_path):
    ontology = tmp_path / "places.csv"
    ontology.write_text(
        "Berlin,German city\nHamburg,German city\nRome,capital\nOslo,capital\n"
        "German city,city\ncapital,city\nUlm,German city\n"
    )
    texts = ["from Berlin", "from Hamburg", "from Rome", "from Oslo"]
    found = spans(texts, *((t, "GPE") for t in ("Berlin", "Hamburg", "Rome", "Oslo")))
    frame = table(age=[1, 2, 8, 9], text=texts)
    schema = described(age={"kind": "number"}, text={"kind": "text"})
    plain = sf.anonymize(frame, schema, k=2, recognizer=found)
    release = sf.anonymize(
        frame, schema, k=2, recognizer=found, terms="generalize", ontology=ontology
    )
    verified(frame, release)
    expected = ["from German city"] * 2 + ["from capital"] * 2
    assert release.data["text"].to_list() == expected
    assert release.loss["NCP_X"] == pytest.approx((3 / 5 + 2 / 5) / 2)
    assert plain.loss["NCP_X"] == 1


# Demands.


def test_diversity_and_closeness_hold_in_every_class():
    rng = np.random.default_rng(1)
    frame = table(age=rng.integers(20, 80, 80), ill=rng.choice(["a", "b", "c"], 80))
    schema = described(age={"kind": "number"}, ill={"role": "sensitive"})
    plain = sf.anonymize(frame, schema, k=3)
    assert any("sensitive" in one for one in plain.warnings)
    for options in (
        {"l": 3},
        {"l": 2, "diversity": "entropy"},
        {"l": 2, "diversity": "recursive", "c": 2.0},
        {"t": 0.2},
    ):
        for partitioner in ("mondrian", "clusters"):
            release = sf.anonymize(frame, schema, k=3, partitioner=partitioner, **options)
            assert len(release.claims) == 3
            verified(frame, release)
            assert release.counts["classes"] > 1
    with pytest.raises(sf.CannotBeMet):
        sf.anonymize(frame, schema, k=3, l=4)


def test_outliers_are_left_out():
    frame = table(age=[1, 2, 3, 90, 60, 61])
    schema = described(age={"kind": "number"})
    release = verified(frame, sf.anonymize(frame, schema, k=2, suppress_share=0.2))
    assert release.counts["people_suppressed"] == 1
    assert release.data.height == 5
    assert release.loss["NCP"] < sf.anonymize(frame, schema, k=2).loss["NCP"]


def test_a_list_of_k():
    frame = table(age=list(range(12)))
    releases = sf.anonymize(frame, described(age={"kind": "number"}), k=[2, 3])
    assert list(releases) == [2, 3]
    for k, release in releases.items():
        verified(frame, release)
        assert release.claims[0].parameters["k"] == k


@pytest.mark.parametrize(
    "options",
    [
        {"partitioner": "best"},
        {"relational_weight": 2},
        {"relational_weight": "half"},
        {"suppress_share": 1},
        {"terms": "drop"},
        {"cuts": "none"},
        {"l": 2},
        {"t": 0.1},
        {"k": 0},
        {"partitioner": "gdf"},
    ],
)
def test_what_cannot_be_is_refused(options):
    frame = table(age=[1, 2, 3])
    with pytest.raises(sf.BadInput):
        sf.anonymize(frame, described(age={"kind": "number"}), **options)


def test_no_frame_is_refused():
    for wrong in ("text", [1, 2], None, 5):
        with pytest.raises(sf.BadInput):
            sf.anonymize(wrong, described(age={"kind": "number"}))


def test_same_seed_same_numbers():
    frame = table(age=list(range(20)))
    schema = described(age={"kind": "number"})
    one, two, other = (sf.anonymize(frame, schema, seed=seed).data for seed in (1, 1, 2))
    assert one.equals(two)
    assert not one["id"].equals(other["id"])


def test_the_default_recogniser_is_the_rules():
    texts = ["Mail ann.ho@clinic.org", "Mail bob@clinic.org"]
    frame = table(text=texts)
    release = verified(frame, sf.anonymize(frame, described(text={"kind": "text"}), k=2))
    assert "@" not in "".join(release.data["text"])
    assert recogniser("rules-en")(texts)


def test_clusters_cost_numbers_by_their_hierarchy() -> None:
    people = pl.DataFrame({"age": [9, 10, 14, 5]})
    ages = {"kind": "number", "hierarchy": {"intervals": [10, 100]}}
    release = sf.anonymize(
        people, {"columns": {"age": ages}}, k=2, partitioner="clusters", relational_weight=1.0
    )
    cells = release.data["age"].to_list()
    assert cells[0] == cells[3] != cells[1] == cells[2]
