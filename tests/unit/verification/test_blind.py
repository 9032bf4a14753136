"""`generalize` judged without the steward's record: some words may have been marked, or others.

A release holds if, and only if, it is what the method publishes for its original under some choice
of marked words.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from itertools import product

import pytest

import sfumato as sf
from sfumato.core.release import Sides
from sfumato.core.spans import Changes
from sfumato.ontologies.build import build_sections
from sfumato.ontologies.table import Table
from sfumato.verification.base_values import keys_of

pytestmark = pytest.mark.filterwarnings("ignore")
NAMES = ["thing", "drink", "infection", "rum", "gin", "tea", "flu", "cold"]
ABOVE = [(), (0,), (0,), (1,), (1,), (1,), (2,), (2,)]
SHOWN = ["rum", "gins", "drink", "drinks", "thing", "things", "infection", "flu", "★"]


@functools.cache
def ontology():
    return Table("small", build_sections([[name] for name in NAMES], ABOVE))


def published(text, t, marked):
    try:
        return sf.generalize(text, t, words=marked, ontology=ontology())
    except sf.CannotBeMet:
        return None


def blind(release, data):
    return replace(release, data=data, changes=Changes.of(), sides=Sides(ontology=ontology()))


@pytest.mark.parametrize("t", [2, 3, 4])
@pytest.mark.parametrize(
    ("first", "second"),
    [("rum", "gin"), ("rum", "flu"), ("tea", "cold"), ("gins", "tea"), ("drink", "rum")],
)
def test_what_holds_is_published_under_some_marks(t, first, second):
    text = f"has {first} or {second} again"
    choices = ([first], [second], [first, second])
    made = [one for marked in choices if (one := published(text, t, marked)) is not None]
    known = {one.data for one in made}
    for one, other in product([first, second, *SHOWN], repeat=2):
        data = f"has {one} or {other} again"
        (verdict,) = sf.verify(text, blind(made[0], data))
        # For a plural any form may stand that always does: it tells nothing.
        forms = {data, f"has {one}s or {other} again"} if first == "gins" else {data}
        assert verdict.holds == bool(forms & known), (data, known, verdict.reason)


@pytest.mark.parametrize("t", [2, 3])
def test_the_number_of_a_word_tells_nothing_of_what_it_replaces(t):
    """Were rum written drink and gin drinks, the release would tell which it was."""
    texts = ["has rum again", "has gin again"]
    release = sf.generalize(texts, t, ontology=ontology())
    assert release.data == ["has drink again"] * 2
    assert sf.verify(texts, blind(release, release.data))[0].holds
    for data in (["has drink again", "has drinks again"], ["has drinks again"] * 2):
        verdict = sf.verify(texts, blind(release, data))[0]
        assert (verdict.holds, verdict.reason) == (False, "a word is not written as its group is")


@pytest.mark.parametrize(
    "data",
    [
        "has, drink again",
        "has drink  again",
        "has drink; again",
        " has drink again",
        "has drink again.",
    ],
)
def test_what_stands_between_words_stays(data):
    text = "has rum again"
    release = published(text, 2, ["rum"])
    assert sf.verify(text, blind(release, "has drink again"))[0].holds
    assert not sf.verify(text, blind(release, data))[0].holds


def test_plurals_inside_phrases_are_read():
    """Cups of tea are a cup of tea in the plural, as drugs of abuse are drugs."""
    words = [["thing"], ["drink"], ["cup of tea"], ["mug of ale"], ["rum"]]
    small = Table("small", build_sections(words, [(), (0,), (1,), (1,), (1,)]))
    text = "has cups of tea again"
    release = sf.generalize(text, 2, words=["cups of tea"], ontology=small)
    assert release.data != text
    alone = replace(release, changes=Changes.of(), sides=Sides(ontology=small))
    assert sf.verify(text, alone)[0].holds
    assert not sf.verify("has cups off tea again", alone)[0].holds


def test_phrases_are_looked_up_without_the_blanks_of_scripts_that_have_none():
    assert keys_of("結 核") == ("結核",)
    assert keys_of("ab 結 核 cd") == ("ab 結核 cd",)
    assert keys_of("soft drugs")[:2] == ("soft drugs", "soft drug")


def test_one_meaning_has_one_general_word():
    """Were one rum a drink and the other a thing, both together would tell more."""
    text = "has rum and rum again"
    release = sf.generalize(text, 2, words=["rum"], guarantee="plausible", ontology=ontology())
    assert sf.verify(text, release)[0].holds
    first, second = release.changes
    other = "thing" if second.replacement == "drink" else "drink"
    node = NAMES.index(other)
    marks = [tuple(one) for one in release.sides.marks]
    marks[1] = (*marks[1][:4], node)
    at = release.data.rindex(second.replacement)
    data = release.data[:at] + other + release.data[at + len(second.replacement) :]
    changes = Changes.of([first, replace(second, replacement=other)])
    planted = replace(
        release, data=data, changes=changes, sides=replace(release.sides, marks=marks)
    )
    verdict = sf.verify(text, planted)[0]
    assert (verdict.holds, verdict.reason) == (False, "one meaning has two general words")
