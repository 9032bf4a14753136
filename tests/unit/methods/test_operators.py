"""Operators by label: what they write, what is claimed, what is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

import sfumato as sf
from sfumato.core.errors import BadInput
from sfumato.core.spans import Span
from sfumato.methods.pseudonyms.operators import decrypted
from sfumato.methods.pseudonyms.secret import secret_of

KEY = "a key of sixteen bytes"
TEXTS = ["Ann Ho, 48", "Bob Li, 31", "ANN HO, 48"]
SPANS = [span for i in range(3) for span in (Span(i, 0, 6, "PERSON"), Span(i, 8, 10, "AGE"))]


def released(**operators):
    release = sf.pseudonymize(TEXTS, SPANS, KEY, operators=operators)
    assert all(one.holds for one in sf.verify(TEXTS, release))
    return release, [text.split(", ") for text in release.data]


@pytest.mark.parametrize("operator", ["tag", "hash", "encrypt"])
def test_one_entity_has_one_text(operator):
    _, rows = released(PERSON=operator)
    assert rows[0][0] == rows[2][0] != rows[1][0]
    other = sf.pseudonymize(TEXTS, SPANS, KEY + "!", operators={"PERSON": operator})
    assert other.data[0] != f"{rows[0][0]}, 48"


@pytest.mark.parametrize(("operator", "text"), [("mask", "*****"), ("replace", "[PERSON]")])
def test_all_entities_of_a_kind_have_one_text_and_the_claim_says_so(operator, text):
    release, rows = released(PERSON=operator)
    assert {row[0] for row in rows} == {text}
    assert "PERSON" in release.claims[0].statement
    # Without the exception the claim does not hold.
    plain = sf.pseudonymize(TEXTS, SPANS, KEY).claims
    judged = sf.verify(TEXTS, replace(release, claims=plain[:1]))
    assert not judged[0].holds


def test_what_is_kept_is_named_and_what_stays_may_be_changed():
    release, rows = released(PERSON="keep", AGE="mask")
    assert [row[0] for row in rows] == ["Ann Ho", "Bob Li", "ANN HO"]
    assert {row[1] for row in rows} == {"*****"}
    stay = next(one for one in release.claims if one.name == "no-found-span").parameters["stay"]
    assert "PERSON" in stay
    assert "AGE" not in stay


def test_the_key_reads_what_was_encrypted():
    _, rows = released(PERSON="encrypt")
    assert decrypted(rows[0][0], "PERSON", secret_of(KEY, 0)) == "ann ho"
    for wrong in ("ADDRESS", "PERSON"):
        secret = secret_of(KEY if wrong == "ADDRESS" else KEY + "!", 0)
        with pytest.raises(BadInput, match="this key"):
            decrypted(rows[0][0], wrong, secret)


@pytest.mark.parametrize("operator", ["mask", "replace", "tag", "hash", "keep"])
def test_dates(operator):
    texts, spans = ["on 06/17/2021"], [Span(0, 3, 13, "DATE")]
    release = sf.pseudonymize(texts, spans, KEY, operators={"DATE": operator})
    assert ("06/17/2021" in release.data[0]) == (operator == "keep")
    assert all(one.holds for one in sf.verify(texts, release))


def test_a_text_that_looks_like_what_is_written():
    texts, spans = ["*****", "[PERSON]"], [Span(0, 0, 5, "PERSON"), Span(1, 0, 8, "PERSON")]
    for operator in ("mask", "replace"):
        release = sf.pseudonymize(texts, spans, KEY, operators={"PERSON": operator})
        assert all(one.holds for one in sf.verify(texts, release))


@pytest.mark.parametrize("operators", [{"PERSON": "shout"}, {"": "mask"}, ["mask"]])
def test_what_is_refused(operators):
    with pytest.raises(BadInput):
        sf.pseudonymize(TEXTS, SPANS, KEY, operators=operators)


@pytest.mark.parametrize(
    "back", ["Ann", "ANN", "A\u00adnn", "A\u200bn\u2060n", "\uff21nn", "A n n"]
)
def test_a_name_that_is_only_disguised_is_noticed(back):
    """What is written for it reads as it was found: nobody sees the difference."""
    texts = ["Ann came", "Bob came"]
    spans = [sf.Span(0, 0, 3, "PERSON"), sf.Span(1, 0, 3, "PERSON")]
    release = sf.pseudonymize(texts, spans, key="a key of sixteen bytes")
    changes = [replace(release.changes[0], replacement=back), release.changes[1]]
    data = [f"{back} came", release.data[1]]
    planted = replace(release, data=data, changes=type(release.changes).of(changes))
    found = {verdict.claim.name: verdict.holds for verdict in sf.verify(texts, planted)}
    assert found["no-found-span"] is False
