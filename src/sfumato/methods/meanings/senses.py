"""Which sense a word has: the first one, or the one whose hypernyms suit the text around."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from ...core.printed_form import by_sizes
from ...ontologies.inflection import singulars
from ...ontologies.protocol import ASCII_WORD, WORD
from ...ontologies.readings import FUNCTION_WORDS

if TYPE_CHECKING:
    from ...ontologies import Ontology

WINDOW = 20  # words on either side
MOST_KEPT = 1 << 20  # words beside nodes whose affinity is kept
SMOOTH = 20.0  # a subtree this small counts half
RANK = 0.8  # what the second sense must make up for, in nats; the third twice that, ..


class _Affinities(dict[str, float]):
    """The affinities of words to one node."""

    def __init__(self, affinity: Callable[[str], float]) -> None:
        super().__init__()
        self.affinity = affinity

    def __missing__(self, word: str) -> float:
        found = self[word] = self.affinity(word)
        return found


@dataclass(frozen=True, slots=True)
class Context:
    """Simplified Lesk without glosses: how much likelier a word is near a sense's hypernyms.

    A subtree is described by the words of all its nodes; a word of the text speaks for a sense
    when it is commoner in the subtree of one of its hypernyms than in the whole ontology.

    >>> from sfumato.ontologies import wordnet
    >>> context, nodes = Context(wordnet()), wordnet().senses("marijuana")
    >>> context.choose(nodes, ["limb", "pain"]), context.choose(nodes, ["hemp", "stem"])
    (15897, 66614)
    """

    ontology: Ontology
    _affinity: dict[int, _Affinities] = field(default_factory=dict, repr=False)
    _kept: list[int] = field(default_factory=lambda: [0], repr=False)  # how many affinities
    _places: dict[str, tuple[int, ...]] = field(default_factory=dict, repr=False)
    _intervals: dict[int, list[tuple[int, int]]] = field(default_factory=dict, repr=False)

    def choose(self, nodes: Sequence[int], around: Iterable[str]) -> int:
        """The best of the nodes, which come with the commonest first; ties go to the first."""
        if len(nodes) == 1:
            return nodes[0]
        words = set(around)
        if self._kept[0] > MOST_KEPT:
            self._affinity.clear()
            self._kept[0] = 0
        scores = [
            math.fsum(map(self._speaking(node).__getitem__, words)) - RANK * math.log2(rank + 1)
            for rank, node in enumerate(nodes)
        ]
        return nodes[max(range(len(nodes)), key=lambda i: (scores[i], -i))]

    def _speaking(self, node: int) -> _Affinities:
        """How much every word speaks for a node, each found once."""
        found = self._affinity.get(node)
        if found is None:
            found = self._affinity[node] = _Affinities(partial(self._affinity_of, node=node))
        return found

    def _affinity_of(self, word: str, node: int) -> float:
        """The greatest log likelihood ratio of the word over the node's hypernyms; at least 0."""
        self._kept[0] += 1
        places = self._places_of(word)
        if not places:
            return 0.0
        everywhere = len(places) / len(self.ontology)
        best, low, high = everywhere, 0, len(places)
        for first, last in self._intervals_of(node):  # from the root: each lies in the one before
            low, high = bisect_left(places, first, low, high), bisect_left(places, last, low, high)
            if low == high:
                break
            share = (high - low + SMOOTH * everywhere) / (last - first + SMOOTH)
            if share > best:
                best = share
        return math.log(best / everywhere)

    def _places_of(self, word: str) -> tuple[int, ...]:
        found = self._places.get(word)
        if found is None:
            found = self._places[word] = self.ontology.places(word)
        return found

    def _intervals_of(self, node: int) -> list[tuple[int, int]]:
        found = self._intervals.get(node)
        if found is None:
            path = reversed(self.ontology.path(node))
            found = self._intervals[node] = [self.ontology.tree_interval(above) for above in path]
        return found


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The words of a document and where they start."""

    starts: Sequence[int]
    words: Sequence[str]

    __repr__ = by_sizes

    @classmethod
    def of(cls, text: str) -> Surroundings:
        """Splits a text once."""
        matches = list(WORD.finditer(text))
        return cls([match.start() for match in matches], [m.group().casefold() for m in matches])

    def near(self, places: Sequence[tuple[int, int]]) -> set[str]:
        """The content words near the places of a word, as written and in the singular.

        >>> sorted(Surroundings.of("He takes drugs for pains").near([(9, 14)]))
        ['pain', 'pains', 'take', 'takes']
        """
        around: set[str] = set()
        own: set[str] = set()
        for start, stop in places:
            first, last = bisect_left(self.starts, start), bisect_left(self.starts, stop)
            own.update(self.words[first:last])
            around.update(self.words[max(0, first - WINDOW) : last + WINDOW])
        return _content(around - own)


@dataclass(frozen=True, slots=True)
class UnmarkedWords:
    """The words of a document outside its marked places, and how many stand before each place."""

    words: Sequence[str]
    before: Sequence[int]

    __repr__ = by_sizes

    @classmethod
    def of(cls, text: str, places: Sequence[tuple[int, int]]) -> UnmarkedWords:
        """Splits what is not marked; the places come in order."""
        words: list[str] = []
        before, at = [], 0
        word, small = WORD, False
        if text.isascii():  # then a small text has the same places
            word, small, text = ASCII_WORD, True, text.casefold()
        for start, stop in (*places, (len(text), len(text))):
            found = word.findall(text, at, start)
            words += found if small else [one.casefold() for one in found]
            before.append(len(words))
            at = stop
        return cls(words, before[:-1])

    def near(self, numbers: Iterable[int]) -> set[str]:
        """The content words near marked places, as written and in the singular.

        >>> places = [(9, 14), (19, 24)]
        >>> sorted(UnmarkedWords.of("He takes drugs for pains daily", places).near([0]))
        ['daily', 'take', 'takes']
        """
        around: set[str] = set()
        for number in numbers:
            at = self.before[number]
            around.update(self.words[max(0, at - WINDOW) : at + WINDOW])
        return _content(around)


def _content(words: Iterable[str]) -> set[str]:
    """The content words among these, as written and in the singular."""
    return set().union(*map(_forms, words))


@lru_cache(maxsize=1 << 16)
def _forms(word: str) -> tuple[str, ...]:
    if word in FUNCTION_WORDS or len(word) < 3:
        return ()
    return word, *singulars(word)[:1]
