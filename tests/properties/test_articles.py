"""The article before a place is the one that its definition names, found without reading all."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from sfumato.ontologies.articles import OPENING, article_by_place, suited

TEXTS = st.lists(st.sampled_from([*"aAnN xé\n_'“1", " an ", " A "]), max_size=8).map("".join)
BEFORE = re.compile(rf"(?<![^\W_])([^\W_]{{1,2}})\s+[{re.escape(OPENING)}]*\Z")


def by_definition(text, document, start, before, word):
    """One or two letters, blanks, opening marks; no letter before, nor a marked place."""
    found = BEFORE.search(text[before:start])
    if found is None or found[1].casefold() not in ("a", "an") or (found.start() == 0 < before):
        return None
    return suited(found[1], before + found.start(), document, word)


@given(TEXTS, TEXTS, st.sampled_from(("pain", "ache", "ACHE", "★")))
def test_the_article_is_the_one_of_its_definition(left, gap, word):
    text, before = left + gap + "ache", len(left)
    asked = text, 0, len(left + gap), before, word
    assert article_by_place(*asked) == by_definition(*asked)
