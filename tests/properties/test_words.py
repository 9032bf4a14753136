"""Words against the rules of the standard read literally."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import words as oracle
from sfumato.kernels import checks

# Every symbol of the oracle, and few kinds at a time: runs of what is ignored, flags and emoji,
# words and numbers with what may stand inside them.
MIXES = ("AHSQE", "ANLMDS_", "REZ", "aApZE", "CJBEW", "K_ANE", "OWEAN")
ALPHABETS = [
    "".join(oracle.KIND),
    *("".join(oracle.KINDS[kind] for kind in kinds) for kinds in MIXES),
    # One alphabet for each width that CPython stores.
    "".join(symbol for symbol in oracle.KIND if symbol < "\x80"),
    "".join(symbol for symbol in oracle.KIND if symbol < "\u0100"),
    "".join(symbol for symbol in oracle.KIND if symbol < "\U00010000"),
]
texts = st.sampled_from(ALPHABETS).flatmap(lambda alphabet: st.text(alphabet, max_size=24))


def test_all_texts_of_up_to_three_kinds():
    symbols = [kind[0] for kind in oracle.KINDS.values()]
    for length in range(4):
        for text in map("".join, itertools.product(symbols, repeat=length)):
            assert checks.word_boundaries(text) == oracle.word_boundaries(text), ascii(text)


def test_every_symbol_of_the_oracle_alone():
    for symbol in oracle.KIND:
        assert checks.words(symbol) == oracle.words(symbol), ascii(symbol)


@settings(max_examples=400)
@given(texts)
def test_boundaries_and_words(text: str):
    assert checks.word_boundaries(text) == oracle.word_boundaries(text)
    assert checks.words(text) == oracle.words(text)


@settings(max_examples=200)
@given(st.lists(texts, max_size=4), st.lists(texts, min_size=1, max_size=4), st.data())
def test_numbers(reference: list[str], queries: list[str], data: st.DataObject):
    every = [
        (document, start, stop)
        for document, text in enumerate(queries)
        for start in range(len(text))
        for stop in range(start + 1, len(text) + 1)
    ]
    chosen = data.draw(st.lists(st.sampled_from(every), max_size=6)) if every else []
    documents, starts, stops = np.array(chosen, dtype=np.int64).reshape(-1, 3).T.copy()
    found = checks.number_words(reference, queries, (documents.astype(np.int32), starts, stops))

    stretches = [queries[document][start:stop] for document, start, stop in chosen]
    of_reference, of_stretches = oracle.number_words(reference, stretches)
    assert split(found.reference, found.reference_ends) == of_reference
    assert split(found.queries, found.query_ends) == of_stretches
    assert found.query_starts.tolist() == [
        first + start
        for (_, first, _), stretch in zip(chosen, stretches, strict=True)
        for start, _ in oracle.words(stretch)
    ]


def split(numbers: np.ndarray, ends: np.ndarray) -> list[list[int]]:
    bounds = itertools.pairwise([0, *ends.tolist()])
    return [numbers[start:stop].tolist() for start, stop in bounds]
