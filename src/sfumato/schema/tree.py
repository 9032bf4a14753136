"""Generalisation hierarchies as arrays: nodes numbered so that all below a node follow it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..core.errors import BadInput
from ..core.printed_form import by_sizes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Nodes = NDArray[np.int32]

ROOT = "*"


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """A hierarchy of values. Node 0 is the root; below node v stand v + 1 .. ends[v] - 1.

    `counts[v]` counts the values at or below v. A value may also be a node with others below it.

    >>> tree = Tree.of_paths([("Bonn", "Germany", "*"), ("Ulm", "Germany", "*"), ("Rome", "*")])
    >>> tree.common(["Bonn", "Ulm"]), tree.leaves("Germany"), tree.size
    ('Germany', 2, 3)
    """

    labels: tuple[str, ...]
    parents: Nodes
    ends: Nodes
    counts: NDArray[np.int64]
    values: Mapping[str, int]
    nodes: Mapping[str, int]

    __repr__ = by_sizes

    @classmethod
    def of_paths(cls, paths: Iterable[Sequence[str]], where: str = "hierarchy") -> Tree:
        """The tree whose paths, each from a value up to the root, are given.

        Levels that repeat the label below them add nothing; several roots get one above them.
        """
        given: dict[str, tuple[str, ...]] = {}
        for number, path in enumerate(paths, 1):
            down = tuple(_without_repeats(reversed(path)))
            if not down:
                raise BadInput("a path of the hierarchy is empty", where=f"{where}, line {number}")
            if given.setdefault(path[0], down) != down:
                raise BadInput("a value stands at two places", where=f"{where}, line {number}")
        if len({down[0] for down in given.values()}) != 1:
            given = {value: (ROOT, *down) for value, down in given.items()}
        return cls._of_nested(given, where)

    @classmethod
    def _of_nested(cls, given: Mapping[str, tuple[str, ...]], where: str) -> Tree:
        import numpy as np

        children: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
        for down in given.values():
            for depth in range(1, len(down)):
                children.setdefault(down[:depth], [])
                if down[: depth + 1] not in children:
                    children[down[: depth + 1]] = []
                    children[down[:depth]].append(down[: depth + 1])
        is_value = set(given.values())
        top = next(iter(given.values()), (ROOT,))[:1]
        labels: list[str] = []
        parents: list[int] = []
        own: list[bool] = []
        number: dict[tuple[str, ...], int] = {}
        names: dict[str, int] = {}
        stack = [top]
        while stack:
            place = stack.pop()
            number[place] = len(labels)
            if place[-1] in names:
                raise BadInput(
                    "one label stands at two nodes, and a reader of a release could not tell which",
                    where=where,
                    remedy="give the nodes labels of their own",
                )
            names[place[-1]] = len(labels)
            labels.append(place[-1])
            parents.append(number[place[:-1]] if len(place) > 1 else -1)
            own.append(place in is_value)
            stack.extend(reversed(children.get(place, [])))
        counts = np.array(own, np.int64)
        ends = np.arange(1, len(labels) + 1, dtype=np.int32)
        for node in range(len(labels) - 1, 0, -1):
            counts[parents[node]] += counts[node]
            ends[parents[node]] = max(ends[parents[node]], ends[node])
        values = {value: number[down] for value, down in given.items()}
        return cls(tuple(labels), np.array(parents, np.int32), ends, counts, values, names)

    @property
    def size(self) -> int:
        """How many values there are."""
        return int(self.counts[0])

    def leaves(self, label: str) -> int:
        """How many values stand at or below the node with this label."""
        return int(self.counts[self.nodes[label]])

    def common(self, values: Iterable[str]) -> str:
        """The label of the lowest node that covers all these values.

        Cost: O(values + height).
        """
        import numpy as np

        nodes = self.find(list(values))
        if not len(nodes) or nodes.min() < 0:
            raise BadInput("a value is not in the hierarchy", where="hierarchy", remedy="add it")
        low, high = (np.array([one], np.int32) for one in (nodes.min(), nodes.max()))
        return self.labels[int(self.common_nodes(low, high)[0])]

    def find(self, values: Sequence[str | None]) -> Nodes:
        """The nodes of values, -1 for those that are not in the hierarchy.

        Cost: O(values).
        """
        import numpy as np

        known = self.values
        return np.fromiter((known.get(one or "", -1) for one in values), np.int32, len(values))

    def find_labels(self, labels: Sequence[str | None]) -> Nodes:
        """The nodes that bear these labels, -1 for labels no node has.

        Cost: O(labels).
        """
        import numpy as np

        known = self.nodes
        return np.fromiter((known.get(one or "", -1) for one in labels), np.int32, len(labels))

    def common_nodes(self, first: Nodes, second: Nodes) -> Nodes:
        """The lowest common nodes of pairs of nodes.

        Cost: O(pairs x height).
        """
        import numpy as np

        low, high = np.minimum(first, second), np.maximum(first, second)
        result = low.astype(np.int32)
        while True:
            outside = np.flatnonzero(high >= self.ends[result])
            if not len(outside):
                return result
            result[outside] = self.parents[result[outside]]

    def common_of_groups(self, nodes: Nodes, groups: NDArray[np.integer], number: int) -> Nodes:
        """The lowest common node of each of `number` groups; -1 for a group without nodes.

        All nodes of a group lie between its first and its last one, so these two decide.
        Cost: O(nodes + groups x height).
        """
        import numpy as np

        first = np.full(number, len(self.labels), np.int32)
        last = np.full(number, -1, np.int32)
        np.minimum.at(first, groups, nodes)
        np.maximum.at(last, groups, nodes)
        full = last >= 0
        result = np.full(number, -1, np.int32)
        result[full] = self.common_nodes(first[full], last[full])
        return result

    def covers(self, nodes: Nodes, below: Nodes) -> NDArray[np.bool_]:
        """Whether each node is the other one or stands above it.

        Cost: O(pairs).
        """
        import numpy as np

        return np.asarray((nodes >= 0) & (nodes <= below) & (below < self.ends[nodes]))


def _without_repeats(path: Iterable[str]) -> Iterator[str]:
    previous = None
    for label in path:
        if label != previous:
            yield label
        previous = label
