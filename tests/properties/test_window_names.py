"""Windows get equal names exactly where they are equal, in the order of their first occurrence."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels import window_checks


def by_definition(text: list[int], k: int) -> tuple[list[int], int]:
    known: dict[tuple[int, ...], int] = {}
    names = []
    for place in range(len(text)):
        window = tuple(text[place : place + k])
        whole = len(window) == k and min(window) > 0
        names.append(known.setdefault(window, len(known)) if whole else -1)
    return names, len(known)


@st.composite
def texts(draw):
    """Symbols that are few, many or far apart, with stretches that come again."""
    symbols = draw(st.sampled_from([(1, 2), (1, 2, 3, 70), (5,), (1, 4096, 5000), range(1, 40)]))
    base = draw(st.lists(st.sampled_from([*symbols, 0]), max_size=60))
    again = draw(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=4))
    return base + [one for start, stop in again for one in base[start:stop]]


@given(texts(), st.integers(1, 9))
def test_names_are_those_of_the_definition(text, k):
    names, count = window_checks.name_windows(np.array(text, np.int32), k)
    assert (names.tolist(), count) == by_definition(text, k)
    counts = window_checks.count_names(names, count)
    assert counts.tolist() == [names.tolist().count(name) for name in range(count)]


@pytest.mark.parametrize("symbols", [4, 5000])
def test_a_long_text_that_comes_again_changed_has_its_names(symbols):
    chance = np.random.default_rng(0)
    text = chance.integers(1, symbols + 1, 5000)
    again = np.where(chance.random(5000) < 0.01, 0, text)
    again = np.where(chance.random(5000) < 0.01, 1, again)
    whole = np.concatenate([text, [0], again, [0]]).astype(np.int32)
    names, count = window_checks.name_windows(whole, 6)
    assert (names.tolist(), count) == by_definition(whole.tolist(), 6)


def test_a_name_that_there_is_not_is_refused():
    for names, size in (([2], 2), ([-2], 2), ([0], -1)):
        with pytest.raises(ValueError):
            window_checks.count_names(np.array(names, np.int32), size)
