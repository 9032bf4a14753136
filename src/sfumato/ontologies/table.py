"""An ontology held as arrays: what the package's own table and every reader give."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.values import Array
    from .build import Sections


class Table:
    """An `Ontology` over the arrays of `build_sections`, in memory or mapped from a file.

    >>> from sfumato.ontologies.csv import parse_csv
    >>> table = parse_csv("child,parent\\nflu,disease\\ncold,disease\\n")
    >>> [table.words(node) for node in table.path(table.senses("flu")[0])]
    [('flu',), ('disease',)]
    >>> table.leaves(table.senses("disease")[0])
    2
    """

    def __init__(self, name: str, sections: Sections, digest: str | None = None):
        self.name = name
        self.sections = sections
        self._digest = digest
        self._strings = _lines(sections["strings"])
        senses = sections["sense_starts"]
        self._keys = dict(
            zip(self._strings[: len(senses) - 1], range(len(senses) - 1), strict=True)
        )
        self._longest: dict[str, int] = dict(
            zip(_lines(sections["firsts"]), sections["longest"].tolist(), strict=True)
        )
        # Kept per table, not per class: a cache on the method would keep every table alive.
        self.path = cache(self._path)
        self.children = cache(self._children)
        self._layers = cache(self._count_layers)

    def __len__(self) -> int:
        return len(self.sections["leaves"])

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the arrays."""
        return self._digest or digest_of(self.sections)

    def senses(self, phrase: str) -> tuple[int, ...]:
        """The nodes that a phrase, given as its key, is a word of; the commonest first."""
        key = self._keys.get(phrase)
        return () if key is None else self._row("senses", "sense_starts", key)

    def words(self, node: int) -> tuple[str, ...]:
        """The words of a node as they are written, the preferred one first."""
        return tuple(self._strings[word] for word in self._row("words", "word_starts", node))

    def parents(self, node: int) -> tuple[int, ...]:
        """The nodes directly above."""
        return self._row("parents", "parent_starts", node)

    def leaves(self, node: int) -> int:
        """How many leaves stand below a node; 1 for a leaf."""
        return int(self.sections["leaves"][node])

    def level(self, node: int, distance: int) -> int:
        """How many nodes stand exactly so many steps below a node.

        Cost: O(1) where the table stores it; O(log nodes) in a tree; else O(nodes below), once.
        """
        if "levels" in self.sections:
            start, stop = self.sections["level_starts"][node : node + 2].tolist()
            at = start + distance
            return int(self.sections["levels"][at]) if at < stop else 0
        if self._depths is not None:
            depths, by_depth = self._depths
            places = by_depth.get(int(depths[node]) + distance, ())
            first, last = self.tree_interval(node)
            return bisect_left(places, last) - bisect_left(places, first)
        counts = self._layers(node)
        return counts[distance] if distance < len(counts) else 0

    def longest(self, word: str) -> int:
        """How many words the longest phrase has that begins with this one; 1 if there is none."""
        return self._longest.get(word, 1)

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """The first two words of all phrases that have several."""
        found = (key.split(" ", 2) for key in self._keys)
        return frozenset((words[0], words[1]) for words in found if len(words) > 1)

    def is_common_noun(self, phrase: str) -> bool:
        """Whether the phrase, given as its key, is more often a noun than anything else."""
        key = self._keys.get(phrase)
        return key is not None and bool(self.sections["nouns"][key])

    def tree_interval(self, node: int) -> tuple[int, int]:
        """The places of a node and all below it, in the tree that the first parents make."""
        return int(self.sections["place_first"][node]), int(self.sections["place_last"][node])

    def places(self, word: str) -> tuple[int, ...]:
        """The places, ascending, of the nodes that have this single word in one of their words."""
        token = self._tokens.get(word)
        return () if token is None else self._row("token_places", "token_starts", token)

    def _path(self, node: int) -> tuple[int, ...]:
        result = [node]
        while parents := self.parents(result[-1]):
            result.append(parents[0])
        return tuple(result)

    def _children(self, node: int) -> tuple[int, ...]:
        starts, children = self._below
        return tuple(children[starts[node] : starts[node + 1]].tolist())

    @cached_property
    def _depths(self) -> tuple[NDArray[np.int64], dict[int, list[int]]] | None:
        """In a tree: of every node its depth, and the places at each depth, ascending."""
        starts = self.sections["parent_starts"].astype(np.int64)
        if (starts[1:] - starts[:-1] > 1).any():
            return None
        depths, first = np.zeros(len(self), np.int64), self.sections["place_first"]
        by_depth: dict[int, list[int]] = {}
        for node in np.argsort(first).tolist():  # every node after the one above it
            for parent in self.parents(node):
                depths[node] = depths[parent] + 1
            by_depth.setdefault(int(depths[node]), []).append(int(first[node]))
        return depths, by_depth

    def _count_layers(self, node: int) -> list[int]:
        """How many nodes stand at each distance below a node, over all paths."""
        layer, counts = {node}, []
        while layer:
            counts.append(len(layer))
            layer = {child for above in layer for child in self.children(above)}
        return counts

    @cached_property
    def _tokens(self) -> dict[str, int]:
        return {token: i for i, token in enumerate(_lines(self.sections["tokens"]))}

    @cached_property
    def _below(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The links turned round: where each node's children start, and the children."""
        parents = self.sections["parents"].astype(np.int64)
        ends = self.sections["parent_starts"].astype(np.int64)
        counts = ends[1:] - ends[:-1]
        order = np.argsort(parents, kind="stable")
        starts = np.searchsorted(parents[order], np.arange(len(self) + 1))
        return starts, np.repeat(np.arange(len(self)), counts)[order]

    def _row(self, values: str, starts: str, row: int) -> tuple[int, ...]:
        start, stop = self.sections[starts][row : row + 2].tolist()
        return tuple(self.sections[values][start:stop].tolist())

    def __repr__(self) -> str:
        return f"<ontology {self.name}: {len(self)} nodes, {len(self._keys)} phrases>"


def digest_of(sections: Sections) -> str:
    """SHA-256 over the names and bytes of the arrays."""
    result = hashlib.sha256()
    for name in sorted(sections):
        array = np.ascontiguousarray(sections[name])
        result.update(f"{name}:{array.dtype.str}:{array.size}:".encode())
        result.update(array.data)
    return result.hexdigest()


def _lines(text: Array) -> list[str]:
    return text.tobytes().decode().split("\n") if text.size else []
