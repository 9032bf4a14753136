"""The check of `redact` reads a text quickly as it reads it slowly, and walks straight alike."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.letters import fold_case
from sfumato.ontologies.elision import ELIDING, eliding_before
from sfumato.verification.records_articles import BEFORE, article_before
from sfumato.verification.term_places import (
    NOT_SIMPLE,
    Reading,
    _is_plain,
    _simply_spaced,
)
from sfumato.verification.term_walk import Walk

LETTERS = st.one_of(
    st.sampled_from("ab  \n\t\x1f\x85\xa0\xad\x07\u2003\u200b\u0301★▒é’…я京ａßİ"), st.characters()
)
TEXTS = st.text(LETTERS, max_size=12)


@given(TEXTS)
def test_simple_texts_are_read_as_all_are(text):
    read, begins, ends = Reading._spaced(text)
    quick = _simply_spaced(text)
    if quick is not None:
        assert (quick[0], list(quick[1]), list(quick[2])) == (read, begins, ends)
        assert list(quick[1][:-1]) == begins[:-1]
        assert quick[1][-1] == begins[-1]
    if _is_plain(text):
        assert (text, list(range(len(text) + 1))) == (read, begins)


def test_every_simple_character_is_read_as_itself():
    for point in range(0x3000):
        one = chr(point)
        if NOT_SIMPLE.search(one) or one.isspace():
            continue
        for text in (f"a{one}b", f"{one} {one}", one):
            read, begins, ends = Reading._spaced(text)
            assert (read, begins) == (text, list(range(len(text) + 1)))
            assert ends == list(range(1, len(text) + 1))


@given(TEXTS)
def test_case_is_folded_letter_by_letter(text):
    assert Reading.without_case(text) == "".join(map(fold_case, text))


@given(st.text("aAnN lLeEidu\n'’“_xıİ", max_size=8), st.integers(0, 3))
def test_words_before_a_place_are_those_that_a_search_finds(text, after):
    gap = text[after:]
    found = BEFORE.search(gap)
    told = found is not None and not (found.start(2) == 0 and after > 0)
    wanted = (after + found.start(2), after + found.end(2)) if told else None
    assert article_before(text, len(text), after) == wanted
    for name, known in ELIDING.items():
        one = known.search(text, max(0, len(text) - 20))
        assert eliding_before(text, name) == (None if one is None else one.start())


@given(st.lists(st.sampled_from(["ab", "ba", "aab", " ", "-", "c", "an "]), max_size=8))
def test_the_straight_way_is_the_first_that_a_search_finds(pieces):
    text = "".join(pieces)
    release = sf.redact(text, ["ab", "ba", "aab", "abb", "bba"], 2)
    ways = []
    straight = Walk._straight

    def both(self, taken, strings):
        found = straight(self, taken, strings)
        if found is not None:
            slow = self._found(taken, strings, range(len(self.text) + 1), strict=True)
            ways.append((found, slow))
        return found

    Walk._straight = both
    try:
        assert all(one.holds for one in sf.verify(text, release))
        told = replace(release, changes=type(release.changes).of())
        sf.verify(text, told)
    finally:
        Walk._straight = straight
    for found, slow in ways:
        assert found == slow
