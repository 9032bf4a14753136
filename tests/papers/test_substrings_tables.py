"""Matsubara and Hasida, "K-repeating Substrings": the tables and examples of the paper."""

from __future__ import annotations

import numpy as np

from sfumato.kernels.repeats import SuffixIndex


def codes(text: str) -> np.ndarray:
    alphabet = sorted(set(text))
    return np.array([alphabet.index(symbol) + 1 for symbol in text], np.uint8)


def test_table_1_suffix_array_and_lcp() -> None:
    index = SuffixIndex(codes("abracadabra$"))
    assert index.suffix_array.tolist() == [11, 10, 7, 0, 3, 5, 8, 1, 4, 6, 9, 2]
    assert index.plcp[index.suffix_array].tolist() == [0, 0, 1, 4, 1, 1, 0, 3, 0, 0, 0, 2]


def test_section_4_repeats_of_abracadabra() -> None:
    assert SuffixIndex(codes("abracadabra")).repeat_lengths(2).tolist() == [
        *(4, 3, 2, 1, 0, 1, 0),
        *(4, 3, 2, 1),
    ]


def test_figure_1_maximum_repeats() -> None:
    text = "abracadabra xrac"
    lengths = SuffixIndex(codes(text)).repeat_lengths(2).tolist()
    maximal = {
        text[p : p + length]
        for p, length in enumerate(lengths)
        if length > 0 and (p == 0 or p + length > p - 1 + lengths[p - 1])
    }
    assert maximal == {"abra", "rac", "a"}
