"""The groups of base values that general words are published for, found once more.

Other code than the method's: lists are passed from every node to the one above it, where the
method counts level by level in arrays. What both read are the ontology's links, words and senses,
and which of its nodes some word surely means.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import cached_property

from ..core.printed_form import by_sizes
from ..ontologies import Ontology, key_of
from ..ontologies.readings import sure_nodes


@dataclass(frozen=True)
class Grouping:
    """Of one size: the group of every node, and the base values of each group."""

    size: int
    group: dict[int, int]
    values: dict[int, frozenset[int]]

    __repr__ = by_sizes


@dataclass(frozen=True)
class Groups:
    """The groupings of an ontology, by size."""

    ontology: Ontology
    _made: dict[tuple[int, bool], Grouping] = field(default_factory=dict)
    _words: dict[tuple[int, bool, int], str] = field(default_factory=dict)
    _met: dict[tuple[tuple[int, bool, int], int, bool], frozenset[int]] = field(
        default_factory=dict
    )

    __repr__ = by_sizes

    @cached_property
    def above(self) -> list[int | None]:
        """The first parent of every node."""
        parents = (self.ontology.parents(node) for node in range(len(self.ontology)))
        return [some[0] if some else None for some in parents]

    @cached_property
    def _downward(self) -> list[int]:
        """The nodes, each after the one above it."""
        below: dict[int | None, list[int]] = {}
        for node, parent in enumerate(self.above):
            below.setdefault(parent, []).append(node)
        found = list(below.get(None, ()))
        for node in found:  # which grows
            found += below.get(node, ())
        return found

    @cached_property
    def _leaves(self) -> dict[int, list[int]]:
        """Of every node the leaves directly below it."""
        inner = set(self.above)
        found: dict[int, list[int]] = {}
        for node, parent in enumerate(self.above):
            if parent is not None and node not in inner:
                found.setdefault(parent, []).append(node)
        return found

    @cached_property
    def _upward(self) -> list[int]:
        """The roots and all nodes that have some below them, each before the one above it."""
        inner = set(self.above)
        nodes = reversed(self._downward)
        return [node for node in nodes if node in inner or self.above[node] is None]

    @cached_property
    def _depth(self) -> dict[int, tuple[int, int]]:
        """Of every node its depth and its root."""
        found: dict[int, tuple[int, int]] = {}
        for node in self._downward:
            parent = self.above[node]
            found[node] = (0, node) if parent is None else (found[parent][0] + 1, found[parent][1])
        return found

    def of_size(self, size: int, many: bool) -> Grouping:
        """The grouping of a size, made once; `many` is that of words that stand in the plural."""
        if (size, many) not in self._made:
            self._made[size, many] = self._grouped(size, many)
        return self._made[size, many]

    def meeting(self, other: tuple[int, bool, int], size: int, many: bool) -> frozenset[int]:
        """The groups of a size that share base values with another group, of a size of its own."""
        key = other, size, many
        if key not in self._met:
            values = self.of_size(*other[:2]).values[other[2]]
            grouping = self.of_size(size, many)
            self._met[key] = frozenset(
                grouping.group[value]
                for value in values
                if value in grouping.values[grouping.group[value]]
            )
        return self._met[key]

    @property
    def pool(self) -> int:
        """The group above all roots: of the trees that have too few; it is masked."""
        return len(self.ontology)

    def _grouped(self, size: int, many: bool) -> Grouping:
        """A node's word waits at its parent, with all that waits below until it is enough.

        The word of a root waits at the root.
        """
        sure, above = sure_nodes(self.ontology)[many].tolist(), self.above
        waiting: list[list[int] | None] = [None] * len(above)
        counted = [0] * len(above)
        for node, leaves in self._leaves.items():  # which wait before anything else
            waiting[node], counted[node] = leaves.copy(), sum([sure[one] for one in leaves])
        members: dict[int, list[int]] = {}
        for node in self._upward:
            here, enough, parent = waiting[node] or [], counted[node], above[node]
            if parent is None:
                members[node] = [*here, node]
                continue
            if enough >= size:
                members[node] = here
                here, enough = [], 0
            here.append(node)
            there = waiting[parent]
            if there is None:
                waiting[parent] = here
            else:
                there += here
            counted[parent] += enough + sure[node]
        values = {
            general: frozenset(node for node in some if sure[node])
            for general, some in members.items()
        }
        self._fill_roots(size, members, values)
        group = {node: general for general, some in members.items() for node in some}
        return Grouping(size, group, values)

    def _fill_roots(
        self, size: int, members: dict[int, list[int]], values: dict[int, frozenset[int]]
    ) -> None:
        """A root with too few takes in the group of its tree that loses least by it.

        Where its tree has no other group, it goes to the pool, which takes in another if it must.
        """
        depth = self._depth
        cheapest: dict[int, tuple[int, int]] = {}
        for general, some in values.items():
            steps, root = depth[general]
            if steps:
                price = len(some) * steps, general
                cheapest[root] = min(cheapest.get(root, price), price)
        for root in [node for node in self._upward[::-1] if self.above[node] is None]:
            if len(values[root]) < size:
                other, into = (cheapest[root][1], root) if root in cheapest else (root, self.pool)
                members[into] = members.get(into, []) + members.pop(other)
                values[into] = values.get(into, frozenset()) | values.pop(other)
        if size > len(values.get(self.pool, range(size))):
            prices = [
                (len(some) * (depth[general][0] + 1), general)
                for general, some in values.items()
                if general != self.pool
            ]
            if prices:
                members[self.pool] += members.pop(min(prices)[1])
                values[self.pool] |= values.pop(min(prices)[1])

    def word(self, size: int, many: bool, general: int) -> str:
        """What the group is called: a word of its node, or of one above, that none in it has.

        Where all have, the node's own; the pool is called nothing.
        """
        if general == self.pool:
            return ""
        key = size, many, general
        if key not in self._words:
            self._words[key] = self._called(self.of_size(size, many).group, general)
        return self._words[key]

    def _called(self, group: dict[int, int], general: int) -> str:
        ontology = self.ontology
        at: int | None = general
        while at is not None:
            for word in ontology.words(at):
                if general not in {group.get(node) for node in ontology.senses(key_of(word))}:
                    return word
            at = self.above[at]
        return ontology.words(general)[0]


_LAST: deque[Groups] = deque(maxlen=2)


def groups_of(ontology: Ontology) -> Groups:
    """The groupings of an ontology: made once for all releases that are judged with it."""
    found = next((one for one in _LAST if one.ontology is ontology), None)
    if found is None:
        found = Groups(ontology)
        _LAST.append(found)
    return found
