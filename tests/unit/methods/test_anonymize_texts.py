"""`anonymize`: texts and their terms; one test for each known defect."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import polars as pl
import pytest

import sfumato as sf
from sfumato.recognizers.by_name import recognizer
from unit.methods.tables import described, spans, table, verified

anonymize = partial(sf.anonymize, shuffle=False)  # rows are compared with the original's

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
    release = verified(frame, anonymize(frame, schema, k=2, recognizer=found))
    assert release.data["text"].to_list() == [
        "I am [24-36]",
        "on [DATE]",
        "I am [24-36]",
        "on [DATE]",
    ]


def test_two_redundant_matches_of_one_label_in_a_text():
    frame = table(age=[36, 24], text=["36, yes 36!", "24 and 24 and 24."])
    found = spans(frame["text"].to_list(), ("36", "AGE"), ("24", "AGE"))
    schema = described(age={"kind": "number", "entities": ["AGE"]}, text={"kind": "text"})
    release = verified(frame, anonymize(frame, schema, k=2, recognizer=found))
    assert release.data["text"].to_list() == [
        "[24-36], yes [24-36]!",
        "[24-36] and [24-36] and [24-36].",
    ]


def test_the_text_loss_of_a_class_of_three():
    texts = ["Bonn Ulm", "Bonn Rome", "Bonn"]
    found = spans(texts, *((t, "GPE") for t in ("Bonn", "Ulm", "Rome")))
    frame = table(text=texts)
    release = anonymize(frame, described(text={"kind": "text"}), k=3, recognizer=found)
    assert release.loss["NCP_X"] == pytest.approx((1 / 2 + 1 / 2 + 0) / 3)
    assert release.loss["NCP_X:GPE"] == pytest.approx(1 / 3)


def test_gdf_uses_a_term_again_in_another_branch():
    # Most frequent: a (4 of 8); b then cuts both sides.
    texts = ["a b", "a b", "a", "a", "b", "b", "", ""]
    frame = table(text=texts)
    found = spans(texts, ("a", "GPE"), ("b", "GPE"))
    schema = described(text={"kind": "text"})
    release = anonymize(frame, schema, k=2, partitioner="gdf", recognizer=found)
    assert release.counts["classes"] == 4
    assert release.loss["NCP_X"] == 0


# Texts.


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
    release = verified(frame, anonymize(frame, schema, k=2, recognizer=found))
    assert release.data["good"].to_list() == ["Bonn is fine", None, "Bonn"]
    assert release.data["bad"].to_list() == ["rain in [GPE]", "more rain", "sun in [GPE]"]
    kept = release.sides.kept
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
    release = verified(frame, anonymize(frame, schema, k=2, recognizer=found))
    assert release.data["text"].to_list() == [
        "[PERSON] of Bonn, today",
        "[PERSON] of bonn, Today",
        "[PERSON] of Ulm, now",
        "[PERSON] of the City Ulm, now",
    ]
    only = {**schema, "entity_types": ["GPE"]}
    release = verified(frame, anonymize(frame, only, k=2, recognizer=found))
    assert release.data["text"].to_list() == texts


def test_terms_given_by_person_and_by_place():
    frame = table(text=["Bonn, not Bonnie", "Ulm", "Bonn", "Ulm"])
    schema = described(text={"kind": "text"})
    terms = pl.DataFrame(
        {"id": ["0", "1", "2", "3"], "entity_type": ["GPE"] * 4, "term": ["Bonn", "Ulm"] * 2}
    )
    release = verified(frame, anonymize(frame, schema, k=2, recognizer=terms))
    assert release.counts["terms"] == 4
    places = pl.DataFrame({"row": [0], "start": [10], "stop": [16], "label": ["PERSON"]})
    release = verified(frame, anonymize(frame, schema, k=4, recognizer=places.to_pandas()))
    assert release.data["text"][0] == "Bonn, not [PERSON]"
    with pytest.raises(sf.BadInput):
        anonymize(frame, schema, k=2, recognizer=places.with_columns(stop=99))


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
    release = verified(frame, anonymize(frame, schema, k=2, recognizer=found))
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
    release = verified(frame, anonymize(frame, schema, k=2, recognizer=spans))
    assert release.data["text"].to_list() == ["on 2004", "on [DATE]", "on 2004", "nothing"]


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
    release = verified(frame, anonymize(frame, schema, k=3, recognizer=terms))
    assert release.data["note"].to_list() == ["in [GPE]", "in [GPE]", "in York"]


def test_a_term_that_overlaps_itself_within_a_word_is_found():
    table = pl.DataFrame({"id": ["0", "1"], "note": ["xa b a b a", "nothing"]})
    schema = {"person": "id", "columns": {"note": {"kind": "text"}}, "entities": {"GPE": "quasi"}}
    terms = pl.DataFrame({"id": ["0"], "entity_type": ["GPE"], "term": ["a b a"]})
    release = anonymize(table, schema, k=2, recognizer=terms)
    assert release.data["note"].to_list() == ["xa b [GPE]", "nothing"]


def test_terms_are_generalized_where_a_class_meets(tmp_path):
    ontology = tmp_path / "places.csv"
    ontology.write_text(
        "Berlin,German city\nHamburg,German city\nRome,capital\nOslo,capital\n"
        "German city,city\ncapital,city\nUlm,German city\n"
    )
    texts = ["from Berlin", "from Hamburg", "from Rome", "from Oslo"]
    found = spans(texts, *((t, "GPE") for t in ("Berlin", "Hamburg", "Rome", "Oslo")))
    frame = table(age=[1, 2, 8, 9], text=texts)
    schema = described(age={"kind": "number"}, text={"kind": "text"})
    plain = anonymize(frame, schema, k=2, recognizer=found)
    release = anonymize(frame, schema, k=2, recognizer=found, terms="generalize", ontology=ontology)
    verified(frame, release)
    expected = ["from German city"] * 2 + ["from capital"] * 2
    assert release.data["text"].to_list() == expected
    assert release.loss["NCP_X"] == pytest.approx((3 / 5 + 2 / 5) / 2)
    assert plain.loss["NCP_X"] == 1


def test_the_default_recognizer_is_the_rules():
    texts = ["Mail ann.ho@clinic.org", "Mail bob@clinic.org"]
    frame = table(text=texts)
    release = verified(frame, anonymize(frame, described(text={"kind": "text"}), k=2))
    assert "@" not in "".join(release.data["text"])
    assert recognizer("rules-en")(texts)


def test_a_dropped_name_with_an_s_behind_it():
    """Genitives and plurals without an apostrophe; a planted one is found by verification."""
    name = ["Schmidt", "Anna Verschueren", "Otto", "Ida", "Lea", "Kim"]
    note = ["Schmidts Auto, SCHMIDTS", "the Verschuerens", "calm", "calm", "calm", "calm"]
    frame = pl.DataFrame({"age": [30] * 6, "name": name, "note": note})
    schema = {
        "columns": {"age": {"kind": "number"}, "name": {"role": "drop"}, "note": {"kind": "text"}}
    }
    release = sf.anonymize(frame, schema, k=2, recognizer="rules-en", shuffle=False)
    told = " ".join(release.data["note"].to_list()).casefold()
    assert "schmidt" not in told
    assert "verschueren" not in told
    assert all(one.holds for one in sf.verify(frame, release))
    planted = release.data.with_columns(note=frame["note"])
    assert not all(one.holds for one in sf.verify(frame, replace(release, data=planted)))
