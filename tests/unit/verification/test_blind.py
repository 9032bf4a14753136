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
