"""A name that was found once: what is found elsewhere is what the definition says."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from oracles.story import followed
from sfumato.kernels import tagger
from sfumato.recognizers.story import INTRODUCES, NO_PART, helping

TITLES = set(INTRODUCES.split())
NO_PARTS = TITLES | set(NO_PART.split())
WORDS = [
    *("Will", "will", "Young", "Marlow", "MARLOW", "marlow", "Edwin", "E", "M", "J", "EM", "EJM"),
    *("Mr", "de", "Ho", "ho", "emarlow", "Edwin7", "marlow73", "Öz", "öz", "李", "e\u0301", "7"),
    "s",
]
GAPS = (" ", ". ", ".", ", ", "-", "_", "'", "’", "\n", "@", "  ")
LISTED = tagger.lexicon({"will": 1, "young": 1, "ho": 2})


def usual(word):
    return word in ("will", "young")


def documents():
    pieces = st.tuples(st.sampled_from(WORDS), st.sampled_from(GAPS))
    return st.lists(pieces, max_size=8).map(lambda told: "".join(a + b for a, b in told))


@given(st.lists(documents(), min_size=1, max_size=3), st.data())
def test_what_is_followed_is_what_the_definition_says(texts, data):
    spans = []
    for document, text in enumerate(texts):
        cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=4)))
        for start, stop in zip(cuts[::2], cuts[1::2], strict=False):
            spans.append((document, start, stop, data.draw(st.booleans())))
    scopes = [data.draw(st.integers(0, 1)) for _ in texts]
    columns = [np.array([span[i] for span in spans], np.int64) for i in range(3)]
    found = tagger.follow(
        texts, LISTED, 1, helping(), np.array(scopes, np.int64), tuple(columns),
        np.array([span[3] for span in spans], np.uint8),
    )  # fmt: skip
    expected = followed(texts, spans, scopes, usual, TITLES, NO_PARTS)
    assert set(zip(*(x.tolist() for x in found), strict=True)) == expected


@given(st.integers(4080, 4100), documents(), documents())
def test_names_far_into_a_long_document_are_followed(words, one, two):
    """Runs are held some thousand at a time: names near the end of such a stretch count as well."""
    far = "so " * words
    text = f"Edwin J. Marlow Young {far}{one} {far}{two}"
    spans = [(0, 0, 21, True)]
    found = tagger.follow(
        [text], LISTED, 1, helping(), np.zeros(1, np.int64),
        (np.array([0]), np.array([0]), np.array([21])), np.ones(1, np.uint8),
    )  # fmt: skip
    expected = followed([text], spans, [0], usual, TITLES, NO_PARTS)
    assert set(zip(*(x.tolist() for x in found), strict=True)) == expected
