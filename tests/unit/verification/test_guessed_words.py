"""What a reader guesses of single words and of pairs, beside the definition."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

from oracles.reader import Reader, size_of
from sfumato.kernels.checks import WordAlignment
from sfumato.verification.guessed_words import Share, guessed_stars

WORDS = ["a", "a", "b", "cc", "dd"]


def laid_out(documents):
    """The words of documents as numbers, all of them starred."""
    every = [word for one in documents for word in one]
    known = {word: i for i, word in enumerate(sorted({word for word in every if word}))}
    numbers = np.array([known.get(word, -1) for word in every], np.int64)
    stops = np.cumsum([max(1, size_of(word)) for word in every]).astype(np.int64)
    starts = np.append(0, stops[:-1])[: len(every)]
    ends = np.cumsum([len(one) for one in documents])
    stars = np.ones(len(every), np.uint8)
    return WordAlignment(numbers, starts, stops, starts, ends, stars, stars, numbers, None)


def some_documents(chance):
    count = chance.randint(1, 6)
    made = [
        [chance.choice([*WORDS, None]) for _ in range(chance.randint(0, 5))] for _ in range(count)
    ]
    return made + [list(one) for one in chance.choices(made, k=chance.randint(0, 3))]


@pytest.mark.parametrize("number", range(40))
def test_guesses_are_those_of_the_definition(number):
    chance = random.Random(number)
    told = 0
    for _ in range(12):
        documents = some_documents(chance)
        labels = chance.choice([None, [chance.randrange(3) for _ in documents]])
        guess = Fraction(chance.choice(["0.2", "0.5", "0.6", "0.75", "1"]))
        lengths = chance.random() < 0.5
        laid = laid_out(documents)
        given = None if labels is None else np.array(labels, np.int32)
        starred = np.ones(len(laid.numbers), bool)
        found = guessed_stars(laid, len(documents), guess, lengths, given, starred)
        reader = Reader(documents, labels, guess, lengths)
        at = 0
        for d, document in enumerate(documents):
            for i, word in enumerate(document):
                assert found.left[at] == reader.in_left(d, i)
                assert found.right[at] == reader.in_right(d, i)
                if word is not None:
                    some = found.left[at] or found.right[at] or found.both[at]
                    assert some == (not reader.alone(d, i))
                last = i + 1 == len(document)
                if not last and not found.left[at] and not found.right[at + 1]:
                    assert found.pair[at] == reader.pair(d, i)
                    told += found.pair[at]
                assert not (last and found.pair[at])
                at += 1
        assert at == len(found.left)
    assert told or number != 0


def test_shares_at_the_very_limit_are_compared_exactly():
    """Of (1 + 1/3) / (1 + 1) and of (1 + 2 * 2/3) / (2 + 2), which no float says."""
    one = [np.array([value]) for value in (1, 1, 1, 3)]
    share = Share(*one)
    for guess, reached in (("2/3", True), ("2000000001/3000000000", False)):
        assert share.reaches(Fraction(guess)).tolist() == [reached]
    for guess, reached in (("7/12", True), ("7000000001/12000000000", False)):
        found = share.with_both(np.array([1]), np.array([2]), Fraction(guess))
        assert found.tolist() == [reached]
