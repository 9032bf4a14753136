"""Places of people's terms: the kernels against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from oracles import places as oracle
from sfumato.kernels.places import own_terms, sentence_starts, spellings, splice

# Narrow and wide symbols, letters, digits, marks, cases without one-to-one forms.
LETTERS = "aAbß ẞ.1σςΣ京😀İKſ\ud800"
TEXTS = st.lists(st.text(LETTERS, max_size=12), min_size=1, max_size=4)


@settings(max_examples=300)
@given(TEXTS, st.lists(st.text(LETTERS, max_size=3), max_size=5), st.booleans(), st.randoms())
@example(["ab b", "b"], ["b", "b", ""], False, None)
@example(["Σ σ ς", "ẞ ß"], ["ς", "ß"], True, None)
def test_own_terms(texts, terms, any_case, random):
    draw = random.randrange if random else lambda stop: 0
    of_text = [draw(2) for _ in texts]
    of_term = [draw(3) - 1 if random else 0 for _ in terms]
    found = own_terms(
        texts, np.array(of_text, np.int32), terms, np.array(of_term, np.int32), 2, any_case
    )
    expected = oracle.own_terms(texts, of_text, terms, of_term, any_case)
    assert list(zip(*(one.tolist() for one in found), strict=True)) == expected


def test_every_letter_has_the_case_of_its_definition():
    letters = [chr(point) for point in range(0x80, 0x11000) if not 0xD800 <= point < 0xE000]
    ones = np.zeros(1, np.int32)
    for low in range(0, len(letters), 997):
        part = letters[low : low + 997]
        text = " ".join(part)
        lower = [oracle.without_case(one) for one in part]
        found = own_terms([text], ones, lower, np.zeros(len(lower), np.int32), 1, True)
        places = {(start, term) for start, term in zip(found.starts, found.terms, strict=True)}
        assert {(2 * at, at) for at in range(len(part))} <= places


@st.composite
def placed(draw):
    texts = draw(TEXTS)
    places = []
    for document, text in enumerate(texts):
        cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=6)))
        pairs = zip(cuts[::2], cuts[1::2], strict=False)
        places += [(document, start, stop) for start, stop in pairs]
    return texts, places


def arrays(places):
    return tuple(np.array(places, np.int64).reshape(-1, 3).T.copy())


@settings(max_examples=200)
@given(placed())
def test_spellings(made):
    texts, places = made
    codes, distinct = spellings(texts, *arrays(places))
    expected = [texts[document][start:stop] for document, start, stop in places]
    assert [distinct[code] for code in codes] == expected
    assert distinct == list(dict.fromkeys(expected))


@settings(max_examples=300)
@given(st.lists(st.text("a .!“('\u2003", max_size=8), min_size=1, max_size=3), st.data())
def test_sentence_starts(texts, data):
    places = [(d, at) for d, text in enumerate(texts) for at in range(len(text) + 1)]
    documents, starts = np.array(places, np.int64).T.copy()
    expected = [oracle.starts_sentence(texts[d], at) for d, at in places]
    assert sentence_starts(texts, documents, starts).tolist() == expected


@settings(max_examples=200)
@given(placed(), st.data())
def test_splice(made, data):
    texts, places = made
    table = ["", "city", "Ort in 京", "😀"]
    words = [data.draw(st.integers(0, 3)) for _ in places]
    new = splice(texts, *arrays(places), np.array(words, np.int32), table)
    assert new == oracle.splice(texts, places, [table[word] for word in words])
    assert [hash(one) for one in new] == [hash("".join(list(one))) for one in new]  # canonical


ONE = np.zeros(1, np.int64)


@pytest.mark.parametrize("wrong", [np.int32, np.float64, np.uint64])
def test_arrays_of_another_type_are_refused(wrong):
    other = ONE.astype(wrong)
    for places in ((other, ONE, ONE), (ONE, other, ONE), (ONE, ONE, other)):
        with pytest.raises(TypeError):
            spellings(["a"], *places)
        with pytest.raises(TypeError):
            splice(["a"], *places, np.zeros(1, np.int32), [""])
    with pytest.raises(TypeError):
        sentence_starts(["a"], ONE, other)
    with pytest.raises(TypeError):
        own_terms(["a"], ONE, ["a"], ONE, 1)
    with pytest.raises(TypeError):
        splice(["a"], ONE, ONE, ONE, ONE, [""])


@pytest.mark.parametrize(
    ("document", "start", "stop"), [(1, 0, 0), (-1, 0, 0), (0, -1, 1), (0, 1, 0), (0, 0, 2)]
)
def test_places_outside_are_refused(document, start, stop):
    at = [np.array([one], np.int64) for one in (document, start, stop)]
    with pytest.raises(ValueError, match="place 0"):
        spellings(["a"], *at)
    with pytest.raises(ValueError, match="place 0"):
        splice(["a"], *at, np.zeros(1, np.int32), [""])


def test_what_does_not_fit_together_is_refused():
    none = np.zeros(1, np.int32)
    with pytest.raises(ValueError, match="no such person"):
        own_terms(["a"], none + 1, ["a"], none, 1)
    with pytest.raises(ValueError, match="no such person"):
        own_terms(["a"], none, ["a"], none - 2, 1)
    with pytest.raises(ValueError, match="one person"):
        own_terms(["a", "b"], none, ["a"], none, 1)
    with pytest.raises(ValueError, match="no such word"):
        splice(["a"], ONE, ONE, ONE + 1, none + 1, [""])
    with pytest.raises(ValueError, match="in order"):
        splice(
            ["ab"], *(np.array(one) for one in ([0, 0], [1, 0], [2, 1])), np.zeros(2, "i4"), [""]
        )
    with pytest.raises(TypeError):
        spellings([None], ONE, ONE, ONE)
