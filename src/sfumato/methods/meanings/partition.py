"""An ontology in groups of at least s base values, each published as one general node.

Made for a size before any text is read, so that a group depends on no text: whoever has the
source makes the same groups, and finds s base values behind every general word.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ...core.printed_form import by_sizes
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
    depths: Whole
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
        level, levels = order[starts[0] : starts[1]], list["Whole"]()
        roots, depths = np.arange(len(parents)), np.zeros(len(parents), np.int64)
        while len(level):
            depths[level] = len(levels)
            levels.append(level)
            first, last = starts[level + 1], starts[level + 2]
            sizes = last - first
            places = np.repeat(first - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
            level = order[places]
            roots[level] = roots[parents[level]]
        return cls(ontology, parents, tuple(levels), roots, depths, sure_nodes(ontology))

    @property
    def pool(self) -> int:
        """The number of the group that stands above all roots, and is published as the mask."""
        return len(self.parents)

    @cached_property
    def homes(self) -> Whole:
        """Where a node's own word is published first: at its parent, a root's at the root."""
        own = np.arange(len(self.parents))
        return np.where(self.parents >= 0, self.parents, own)

    def partition(self, size: int, many: bool = False) -> Partition:
        """The partition of a size, made once; `many` is that of words that stand in the plural."""
        found = self._partitions.get((size, many))
        if found is None:
            found = self._partitions[size, many] = _partition(self, size, many)
        return found


@dataclass(frozen=True)
class Partition:
    """The groups of one size: of every node the general node it is published as.

    `volumes` has the base values of the group that is published as a node, 0 if none is; the last
    is that of the pool. Where the whole ontology has too few, the pool is `short`.
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

        Where the node has none, the first of those above it that has one, else its own. The pool
        has no word.
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
        starts = np.searchsorted(self.general[order], np.arange(len(self.general) + 2))
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

    A node's own word counts at its parent, a root's at the root. A remainder at a root takes in the
    group of its tree that loses least; the trees that have too few are pooled, and the pool takes
    in the group that loses least of all.

    Cost: O(nodes).
    """
    counted, count = tree.counted[many], len(tree.parents)
    left = np.bincount(tree.homes[counted], minlength=count)
    closed = np.zeros(count, np.bool_)
    for level in reversed(tree.levels):
        closed[level] = left[level] >= size
        open_ = level[~closed[level] & (tree.parents[level] >= 0)]
        np.add.at(left, tree.parents[open_], left[open_])
    general = np.arange(count)
    for level in tree.levels[1:]:
        general[level] = np.where(closed[level], level, general[tree.parents[level]])
    general = _joined(tree, left, closed, size)[general]
    published = general[tree.homes]
    volumes = np.bincount(published[counted], minlength=count + 1)
    short = frozenset([count] if (published == count).any() and volumes[count] < size else [])
    return Partition(tree, size, many, published, volumes, short)


def _joined(tree: Tree, left: Whole, closed: NDArray[np.bool_], size: int) -> Whole:
    """Of every node that a group has: itself, or the root or the pool that takes the group in.

    What loses least is the group whose words, times the levels they rise, are the fewest.
    """
    pool = tree.pool
    becomes, groups = np.arange(pool), np.flatnonzero(closed)
    roots = tree.roots[groups]
    order = np.lexsort((groups, left[groups] * tree.depths[groups], roots))
    grouped, first = np.unique(roots[order], return_index=True)
    own = tree.levels[0] if tree.levels else groups
    becomes[own[~closed[own]]] = pool
    needy = ~closed[grouped]
    taken, by = groups[order][first][needy], grouped[needy]
    becomes[taken], becomes[by] = by, by
    held = closed | (tree.parents < 0)
    volumes = np.bincount(becomes[held], left[held], pool + 1)
    groups = np.flatnonzero(volumes[:pool] > 0)
    if (becomes == pool).any() and len(groups) and volumes[pool] < size:
        prices = volumes[groups] * (tree.depths[groups] + 1)
        becomes[becomes == groups[np.lexsort((groups, prices))[0]]] = pool
    return becomes
