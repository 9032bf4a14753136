"""An ontology in groups of at least s base values, each published as one general node.

Made for a size before any text is read, so that a group depends on no text: whoever has the
source makes the same groups, and finds s base values behind every general word.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ...core.printed import by_sizes
from ...ontologies import key_of
from ...ontologies.readings import sure_nodes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...ontologies import Ontology

    Whole = NDArray[np.int64]

NOTHING_ABOVE = -1
KEPT = 4  # ontologies whose partitions are kept
_TREES: dict[str, Tree] = {}  # by the ontology's digest


@dataclass(frozen=True)
class Tree:
    """An ontology as the tree that its first parents make, level by level from the roots."""

    ontology: Ontology
    parents: Whole
    levels: tuple[Whole, ...]
    roots: Whole
    # Base values, nodes that some word surely means: in the singular, and in the plural too.
    counted: tuple[NDArray[np.bool_], NDArray[np.bool_]]
    _partitions: dict[tuple[int, bool], Partition] = field(default_factory=dict, repr=False)

    __repr__ = by_sizes

    @classmethod
    def of(cls, ontology: Ontology) -> Tree:
        """Cost: O(nodes)."""
        parents = _first_parents(ontology)
        order = np.argsort(parents, kind="stable")
        starts = np.searchsorted(parents[order], np.arange(-1, len(parents) + 1))
        level, levels = order[starts[0] : starts[1]], []
        roots = np.arange(len(parents))
        while len(level):
            levels.append(level)
            first, last = starts[level + 1], starts[level + 2]
            sizes = last - first
            places = np.repeat(first - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
            level = order[places]
            roots[level] = roots[parents[level]]
        one, many = (sure & (parents >= 0) for sure in sure_nodes(ontology))
        return cls(ontology, parents, tuple(levels), roots, (one, many))

    def partition(self, size: int, many: bool = False) -> Partition:
        """The partition of a size, made once; `many` is that of words that stand in the plural."""
        found = self._partitions.get((size, many))
        if found is None:
            found = self._partitions[size, many] = _partition(self, size, many)
        return found


@dataclass(frozen=True)
class Partition:
    """The groups of one size: of every node the general node it is published as.

    `volumes` has the base values of the group that is published as a node, 0 if none is. Groups
    of a whole tree that has too few are `short`.
    """

    tree: Tree
    size: int
    many: bool
    general: Whole
    volumes: Whole
    short: frozenset[int]
    _words: dict[int, str] = field(default_factory=dict, repr=False)
    _met: dict[tuple[int, bool, int], list[int]] = field(default_factory=dict, repr=False)

    __repr__ = by_sizes

    def word(self, general: int) -> str:
        """What a group is published as: a word of its node that no node of the group has.

        Where the node has none, the first of those above it that has one.
        """
        found = self._words.get(general)
        if found is None:
            found = self._words[general] = self._word(general)
        return found

    def _word(self, general: int) -> str:
        ontology = self.tree.ontology
        for above in ontology.path(general):
            for word in ontology.words(above):
                if all(self.general[node] != general for node in ontology.senses(key_of(word))):
                    return word
        return ontology.words(general)[0]

    def meeting(self, other: Partition, general: int) -> list[int]:
        """The groups of this partition that share a base value with a group of another."""
        if (other.size, other.many) == (self.size, self.many):
            return [general]
        key = other.size, other.many, general
        found = self._met.get(key)
        if found is None:
            values = other.values(general)
            shared = values[self.tree.counted[self.many][values]]
            found = self._met[key] = np.unique(self.general[shared]).tolist()
        return found

    def values(self, general: int) -> Whole:
        """The base values of a group."""
        order, starts = self._ordered
        inside = order[starts[general] : starts[general + 1]]
        return inside[self.tree.counted[self.many][inside]]

    @cached_property
    def _ordered(self) -> tuple[Whole, Whole]:
        order = np.argsort(self.general, kind="stable")
        starts = np.searchsorted(self.general[order], np.arange(len(self.general) + 1))
        return order, starts


def tree_of(ontology: Ontology) -> Tree:
    """The tree of an ontology with the partitions made so far, kept for the next release.

    >>> from sfumato.ontologies import wordnet
    >>> tree_of(wordnet()) is tree_of(wordnet())
    True
    """
    found = _TREES.get(ontology.digest)
    if found is None:
        if len(_TREES) >= KEPT:
            _TREES.clear()
        found = _TREES[ontology.digest] = Tree.of(ontology)
    return found


def _first_parents(ontology: Ontology) -> Whole:
    """The first parent of every node, -1 where nothing stands above it."""
    sections = getattr(ontology, "sections", None)
    if sections is not None:
        starts = sections["parent_starts"].astype(np.int64)
        none = np.append(sections["parents"].astype(np.int64), -1)
        return np.where(starts[1:] > starts[:-1], none[starts[:-1]], NOTHING_ABOVE)
    found = ((*ontology.parents(node), NOTHING_ABOVE)[0] for node in range(len(ontology)))
    return np.fromiter(found, np.int64, len(ontology))


def _partition(tree: Tree, size: int, many: bool) -> Partition:
    """Bottom up: what is left at a node is published as it once it has so many base values.

    A node's own word counts at its parent. A remainder at a root takes in the group that loses
    least: of those that are to be published as the root, the fewest words times levels.

    Cost: O(nodes).
    """
    counted = tree.counted[many]
    left = np.bincount(tree.parents[counted], minlength=len(tree.parents))
    closed = np.zeros(len(left), np.bool_)
    for level in reversed(tree.levels):
        closed[level] = left[level] >= size
        open_ = level[~closed[level] & (tree.parents[level] >= 0)]
        np.add.at(left, tree.parents[open_], left[open_])
    joined = _remainders(tree, left, closed)
    general = np.arange(len(left))
    for level in tree.levels[1:]:
        general[level] = np.where(closed[level], level, general[tree.parents[level]])
    for group, root in joined.items():
        general[general == group] = root
    published = np.where(
        tree.parents >= 0, general[np.maximum(tree.parents, 0)], NOTHING_ABOVE
    )  # where a node's own word is published, which stands one above it
    volumes = np.bincount(published[counted], minlength=len(left))
    short = [root for level in tree.levels[:1] for root in level.tolist() if volumes[root] < size]
    return Partition(tree, size, many, published, volumes, frozenset(short))


def _remainders(tree: Tree, left: Whole, closed: NDArray[np.bool_]) -> dict[int, int]:
    """Which group becomes part of a root's, for every root that has too few of its own."""
    joined: dict[int, int] = {}
    depths = np.zeros(len(left), np.int64)
    for depth, level in enumerate(tree.levels):
        depths[level] = depth
    groups = np.flatnonzero(closed)
    for root in tree.levels[0][~closed[tree.levels[0]]].tolist() if tree.levels else []:
        inside = groups[tree.roots[groups] == root]
        if len(inside):
            price = left[inside] * depths[inside]
            joined[int(inside[np.lexsort((inside, price))[0]])] = root
    return joined
