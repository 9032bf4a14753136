"""Plausibility and cost: P_o from frequencies, the entropies of equations (2) and (3), the cost (1)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ...ontologies import Ontology, Volume, key_of

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
    """How often words are used, by key. Every base value counts once more than it was seen.

    So a base value never seen stays possible, and with no counts at all P_o is uniform. What a
    word of several senses was counted is shared equally by them.

    >>> Frequencies.of({"Migraine": 9}).counts
    {'migraine': 9.0}
    """

    counts: Mapping[str, float]
    _of_node: dict[int, float] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, table: Mapping[str, float]) -> Frequencies:
        """From a table of words; forms that differ in case only are added up."""
        counts: Counter[str] = Counter()
        for word, count in table.items():
            counts[key_of(word)] += count  # type: ignore[assignment]
        return cls({word: float(count) for word, count in counts.items()})

    def of_node(self, ontology: Ontology, node: int) -> float:
        """The count of a base value."""
        found = self._of_node.get(node)
        if found is None:
            found = 1.0
            for key in dict.fromkeys(map(key_of, ontology.words(node))):
                if key in self.counts:
                    found += self.counts[key] / max(1, len(ontology.senses(key)))
            self._of_node[node] = found
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


def value_counts(
    ontology: Ontology, node: int, distance: int, reading: Volume, frequencies: Frequencies
) -> list[float]:
    """The counts of the base values of a general word, in the order of their nodes."""
    values = sorted(base_values(ontology, node, distance, reading))
    return [frequencies.of_node(ontology, value) for value in values]
