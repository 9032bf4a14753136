"""The hypernym path of a word with its volumes and entropies: what every search chooses from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...ontologies import Ontology, Volume, key_of, volume

if TYPE_CHECKING:
    from .plausibility import Frequencies


@dataclass(frozen=True, slots=True)
class Ladder:
    """w^{+0}, w^{+1}, .. w^{+h}: nodes, |W| and H of each; searches start at level `floor`.

    >>> Ladder((0, 1), (1, 4), (0.0, 2.0)).entropies
    (0.0, 2.0)
    """

    nodes: tuple[int, ...]
    volumes: tuple[int, ...]
    entropies: tuple[float, ...]
    floor: int = 0

    def raised(self, least: int) -> Ladder:
        """The same ladder, to be searched from the first level of at least this volume.

        Where there is none, from the top.
        """
        high = (j for j, volume in enumerate(self.volumes) if volume >= least)
        return self.from_level(next(high, len(self.volumes) - 1))

    def from_level(self, floor: int) -> Ladder:
        """The same ladder, to be searched from this level, if it was lower."""
        return Ladder(self.nodes, self.volumes, self.entropies, max(floor, self.floor))


def ladder_of_volumes(volumes: Sequence[int]) -> Ladder:
    """A ladder of which only the volumes are known; base values are equally likely.

    >>> ladder_of_volumes([1, 4, 32]).entropies
    (0.0, 2.0, 5.0)
    """
    return Ladder(tuple(range(len(volumes))), tuple(volumes), tuple(map(math.log2, volumes)))


def ladder_of_node(
    ontology: Ontology, node: int, reading: Volume, frequencies: Frequencies | None = None
) -> Ladder:
    """The ladder of a node.

    A level is left out when all its words are words of the node itself: it would read the same.

    >>> from sfumato.ontologies import wordnet
    >>> pain = wordnet().senses("phantom limb pain")[0]
    >>> ladder_of_node(wordnet(), pain, "leaves").volumes[:4]
    (1, 3, 9, 52)
    """
    own = set(map(key_of, ontology.words(node)))
    path = ontology.path(node)
    levels = [
        j
        for j, above in enumerate(path)
        if j == 0 or not own.issuperset(map(key_of, ontology.words(above)))
    ]
    volumes = tuple(volume(ontology, node, j, reading) for j in levels)
    if frequencies is None:
        entropies = tuple(map(math.log2, volumes))
    else:
        entropies = tuple(frequencies.entropy(node, j, reading) for j in levels)
    return Ladder(tuple(path[j] for j in levels), volumes, entropies)
