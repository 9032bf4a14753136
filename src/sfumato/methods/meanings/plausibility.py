"""Plausibility: base values, P_o from frequencies, entropies (2) to (4), the cost (1)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...core.printed_form import by_sizes
from ...ontologies import Ontology, Volume, key_of, volume

# Entropies that differ by less are equal: sums of logarithms are rounded.
TOLERANCE = 1e-9


def cost(entropies: Sequence[float], log_t: float, alpha: float) -> float:
    """How far a text is from the expected uncertainty, globally and word by word.

    Paper: equation (1). Cost: O(m).

    >>> round(cost([5, 0, 0, 0], 5, 0.5), 2), round(cost([2, 1, 1, 1], 5, 0.5), 2)
    (2.34, 0.09)
    """
    m = len(entropies)
    if m == 0:
        return 0.0
    local = math.fsum((h - log_t / m) ** 2 for h in entropies)
    return alpha / m**2 * (math.fsum(entropies) - log_t) ** 2 + (1 - alpha) / m * local


def entropy_of_counts(counts: Iterable[float]) -> float:
    """H of the base values of a general word, P_o being their share of all counts; in bits.

    Paper: equation (2).

    >>> entropy_of_counts([1, 1, 1, 1]), entropy_of_counts([3, 1])
    (2.0, 0.8112781244591328)
    """
    counts = [count for count in counts if count > 0]
    total = math.fsum(counts)
    return -math.fsum(count / total * math.log2(count / total) for count in counts) + 0.0


@dataclass(frozen=True, slots=True)
class Frequencies:
    """How often the nodes of an ontology are used; P_o is a base value's share of all counts.

    Every base value counts once more than it was seen, so that one never seen stays possible and
    no counts at all make P_o uniform. What a word of several senses was counted is shared equally
    by them.

    >>> from sfumato.ontologies.csv import parse_csv
    >>> pains = parse_csv("migraine,pain\\nlumbago,pain")
    >>> counted, lumbago = Frequencies.of({"Migraine": 2}, pains), pains.senses("lumbago")[0]
    >>> round(counted.entropy(lumbago, 1, "leaves"), 3)  # shares of 3/4 and 1/4
    0.811
    """

    ontology: Ontology
    words: Mapping[str, float]  # by key
    seen: Mapping[int, float]  # by node
    _below: Mapping[
        int, tuple[float, float]
    ]  # by node: sums of seen, of f log f, over leaves below

    __repr__ = by_sizes

    @classmethod
    def of(cls, table: Mapping[str, float], ontology: Ontology) -> Frequencies:
        """From a table of words; forms that differ in case only are added up."""
        words: dict[str, float] = {}
        for word, count in table.items():
            words[key_of(word)] = words.get(key_of(word), 0.0) + count
        seen: dict[int, float] = {}
        for key in sorted(words):
            nodes = ontology.senses(key)
            for node in nodes:
                seen[node] = seen.get(node, 0.0) + words[key] / len(nodes)
        below: dict[int, tuple[float, float]] = {}
        for node in sorted(seen):
            if not ontology.children(node):
                for above in ancestors(ontology, node):
                    counts, logs = below.get(above, (0.0, 0.0))
                    below[above] = counts + seen[node], logs + _f_log_f(1 + seen[node])
        return cls(ontology, words, seen, below)

    def entropy(self, node: int, distance: int, reading: Volume) -> float:
        """H of the general word `distance` steps above a node.

        Paper: equation (2). Cost: O(1) over leaves, O(nodes below) over a level.
        """
        if distance == 0:
            return 0.0
        if reading == "level":
            values = base_values(self.ontology, node, distance, reading)
            return entropy_of_counts(1 + self.seen.get(value, 0.0) for value in sorted(values))
        counts, logs = self._below.get(self.ontology.path(node)[distance], (0.0, 0.0))
        if self.ontology.children(node):  # the word itself is a base value beside the leaves
            own = self.seen.get(node, 0.0)
            counts, logs = counts + own, logs + _f_log_f(1 + own)
        total = volume(self.ontology, node, distance, reading) + counts
        return math.log2(total) - logs / total


def _f_log_f(count: float) -> float:
    return count * math.log2(count)


def ancestors(ontology: Ontology, node: int) -> set[int]:
    """A node and all above it, by every path."""
    found, waiting = {node}, [node]
    while waiting:
        new = set(ontology.parents(waiting.pop())) - found
        found |= new
        waiting += new
    return found


def base_values(ontology: Ontology, node: int, distance: int, reading: Volume) -> set[int]:
    """W: the nodes that generalise to the one `distance` steps above `node`, and could stand there.

    Paper: Section III-A, function 1. Cost: O(nodes below).

    >>> from sfumato.ontologies import wordnet
    >>> pain = wordnet().senses("phantom limb pain")[0]
    >>> sorted(wordnet().words(value)[0] for value in base_values(wordnet(), pain, 1, "leaves"))
    ['mittelschmerz', 'phantom limb pain', 'twinge']
    """
    if distance == 0:
        return {node}
    layer = {ontology.path(node)[distance]}
    if reading == "level":
        for _ in range(distance):
            layer = {child for above in layer for child in ontology.children(above)}
        return layer
    seen, values = set(layer), {node}
    while layer:
        below = {child for above in layer for child in ontology.children(above)} - seen
        values |= {above for above in layer if not ontology.children(above)}
        seen |= below
        layer = below
    return values


def own_hyponyms(ontology: Ontology, node: int, distance: int, reading: Volume) -> int:
    """How many base values of the general word stand below the word itself.

    >>> from sfumato.ontologies import wordnet
    >>> own_hyponyms(wordnet(), wordnet().senses("marijuana")[1], 1, "leaves")
    2
    """
    if distance == 0 or not ontology.children(node):
        return 0
    if reading == "leaves":
        return ontology.leaves(node)
    found: set[int] = set()
    layer = {node}
    values = base_values(ontology, node, distance, reading)
    while layer:
        layer = {child for above in layer for child in ontology.children(above)} - found
        found |= layer
    return len(found & values)
