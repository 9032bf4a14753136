"""Runs of words that somebody else's text has before, found by the definition."""

from __future__ import annotations

import random

import numpy as np
import pytest

from sfumato.verification.copies import copied_words


def by_definition(documents, labels, least):
    """Of every run of so many words: a copy where the first text that has it is another's."""
    first, flags = {}, [[False] * len(one) for one in documents]
    for d, document in enumerate(documents):
        for i in range(len(document) - least + 1):
            run = tuple(document[i : i + least])
            if min(run) < 0:
                continue
            if first.setdefault(run, labels[d]) != labels[d]:
                flags[d][i : i + least] = [True] * least
    return [flag for one in flags for flag in one]


@pytest.mark.parametrize("least", range(1, 8))
def test_copies_are_those_of_the_definition(least):
    chance, copied = random.Random(least), 0
    for _ in range(60):
        documents = [
            [chance.choice([-1, 0, 0, 1, 1, 2]) for _ in range(chance.randint(0, 12))]
            for _ in range(chance.randint(1, 4))
        ]
        for one in chance.sample(documents, 1):  # somebody has it all
            documents.append(list(one))
        labels = [chance.randrange(3) for _ in documents]
        numbers = np.array([word for one in documents for word in one], np.int64)
        ends = np.cumsum([len(one) for one in documents])
        found = copied_words(numbers, ends, np.array(labels), least).tolist()
        assert found == by_definition(documents, labels, least)
        copied += sum(found)
    assert copied
