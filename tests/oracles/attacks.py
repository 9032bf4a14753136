"""What the attacks compute, written down as their definitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log, sqrt


def tf_idf_cosines(
    known: Sequence[str], shown: Mapping[int, Sequence[str]], population: int
) -> dict[int, float]:
    """The cosine of the known words with each person's, tf = 1 + ln(count), idf = ln(N / n)."""
    sharers = Counter(word for words in shown.values() for word in set(words))

    def weight(word: str, count: int) -> float:
        return (1 + log(count)) * log(population / sharers[word])

    query = {word: weight(word, count) for word, count in Counter(known).items() if word in sharers}
    length = sqrt(sum(value**2 for value in query.values()))
    result = {}
    for person, words in shown.items():
        mine = {word: weight(word, count) for word, count in Counter(words).items()}
        norm = sqrt(sum(value**2 for value in mine.values()))
        product = sum(value * mine.get(word, 0.0) for word, value in query.items())
        result[person] = product / (length * norm) if length and norm else 0.0
    return result


def rare_run_votes(
    known: Sequence[str], shown: Mapping[int, Sequence[str]], rare: int, longest: int
) -> dict[int, float]:
    """For each person the sum of 1 / sharers over the rare runs shared with the known words."""

    def runs(words: Sequence[str]) -> set[tuple[str, ...]]:
        return {
            tuple(words[i : i + n])
            for n in range(1, longest + 1)
            for i in range(len(words) - n + 1)
        }

    mine = {person: runs(words) for person, words in shown.items()}
    sharers = Counter(run for some in mine.values() for run in some)
    return {
        person: sum(1 / sharers[run] for run in some & runs(known) if sharers[run] < rare)
        for person, some in mine.items()
    }
