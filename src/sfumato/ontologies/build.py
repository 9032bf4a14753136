"""From words and links to the arrays of a Table: volumes, levels and places are counted once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import accumulate, chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import BadInput
from .protocol import key_of

Sections = dict[str, NDArray[Any]]


def build_sections(
    words: Sequence[Sequence[str]],
    parents: Sequence[Sequence[int]],
    *,
    senses: Mapping[str, Sequence[int]] | None = None,
    not_nouns: Collection[str] = (),
    levels: bool = False,
) -> Sections:
    """Lays an ontology out as arrays.

    `senses` gives the nodes of each key, the commonest first; without it they come in the order of
    the nodes. `not_nouns` are keys that are rarely nouns. `levels` also stores how many nodes stand
    at every distance below each, which takes the square of a chain's length.
    Cost: O(links) for a tree, without `levels`.
    """
    downward = downward_order(parents)
    sections: Sections = {"parents": _flat(parents), "parent_starts": _starts(parents)}
    sections["leaves"] = _leaves(parents, downward)
    sections |= levels_of(parents, downward) if levels else {}
    sections |= _strings(words, senses or _senses(words), not_nouns)
    sections |= _places(words, parents)
    return sections


def _flat(lists: Iterable[Iterable[int]]) -> NDArray[np.uint32]:
    return np.fromiter(chain.from_iterable(lists), np.uint32)


def _starts(lists: Iterable[Sequence[object]]) -> NDArray[np.uint32]:
    return np.fromiter(accumulate(map(len, lists), initial=0), np.uint32)


def _text(lines: Iterable[str]) -> NDArray[np.uint8]:
    return np.frombuffer("\n".join(lines).encode(), np.uint8)


def downward_order(parents: Sequence[Sequence[int]]) -> list[int]:
    """The nodes, every one after all above it; a cycle is refused. Cost: O(links)."""
    below: list[list[int]] = [[] for _ in parents]
    for node, some in enumerate(parents):
        for parent in some:
            below[parent].append(node)
    open_above = [len(some) for some in parents]
    order = [node for node, count in enumerate(open_above) if not count]
    for node in order:  # grows
        for child in below[node]:
            open_above[child] -= 1
            if not open_above[child]:
                order.append(child)
    if len(order) == len(parents):
        return order
    node, seen = next(node for node, count in enumerate(open_above) if count), set[int]()
    while node not in seen:  # upward among what is left, into the cycle
        seen.add(node)
        node = next(parent for parent in parents[node] if open_above[parent])
    raise BadInput("a node is its own ancestor", where=f"node {node}", remedy="remove the cycle")


def _leaves(parents: Sequence[Sequence[int]], downward: Sequence[int]) -> NDArray[np.uint32]:
    """How many leaves stand below every node; a leaf is one itself.

    Cost: O(nodes) where no node has two parents, else O(leaves x nodes above them).
    """
    inner = {parent for some in parents for parent in some}
    counts = np.array([node not in inner for node in range(len(parents))], np.uint32)
    if all(len(some) <= 1 for some in parents):
        for node in reversed(downward):
            for parent in parents[node]:
                counts[parent] += counts[node]
        return counts
    for leaf in range(len(parents)):
        if leaf in inner:
            continue
        above, waiting = {leaf}, [leaf]
        while waiting:
            new = [parent for parent in parents[waiting.pop()] if parent not in above]
            above.update(new)
            waiting += new
        above.discard(leaf)
        counts[list(above)] += 1
    return counts


def levels_of(parents: Sequence[Sequence[int]], downward: Sequence[int]) -> Sections:
    """How many nodes stand so many steps below every node, itself with 0. Cost: O(links x height).

    A table that is made to be kept stores them; others count when they are asked.
    """
    above: list[set[tuple[int, int]]] = [set() for _ in parents]
    levels: list[list[int]] = [[] for _ in parents]
    for node in downward:
        above[node] = {(node, 0)}.union(
            *({(ancestor, steps + 1) for ancestor, steps in above[one]} for one in parents[node])
        )
        for ancestor, steps in above[node]:
            counts = levels[ancestor]
            counts += [0] * (steps + 1 - len(counts))
            counts[steps] += 1
    return {"levels": _flat(levels), "level_starts": _starts(levels)}


def _senses(words: Sequence[Sequence[str]]) -> dict[str, list[int]]:
    result: dict[str, list[int]] = defaultdict(list)
    for node, some in enumerate(words):
        for key in dict.fromkeys(map(key_of, some)):
            result[key].append(node)
    return result


def _strings(
    words: Sequence[Sequence[str]], senses: Mapping[str, Sequence[int]], not_nouns: Collection[str]
) -> Sections:
    """Keys in order, then the written forms that are no keys; every node's words as numbers."""
    keys = sorted(senses)
    forms = sorted({word for some in words for word in some} - set(keys))
    number = {text: i for i, text in enumerate([*keys, *forms])}
    longest: dict[str, int] = {}
    for key in keys:
        first, *rest = key.split(" ")
        if rest:
            longest[first] = max(longest.get(first, 1), 1 + len(rest))
    return {
        "strings": _text([*keys, *forms]),
        "senses": _flat(senses[key] for key in keys),
        "sense_starts": _starts([senses[key] for key in keys]),
        "nouns": np.array([key not in not_nouns for key in keys], np.uint8),
        "words": _flat([number[word] for word in some] for some in words),
        "word_starts": _starts(words),
        "firsts": _text(longest),
        "longest": np.array([min(count, 255) for count in longest.values()], np.uint8),
    }


def _places(words: Sequence[Sequence[str]], parents: Sequence[Sequence[int]]) -> Sections:
    """Numbers the tree of first parents from the roots down, so that a subtree is an interval."""
    children: list[list[int]] = [[] for _ in parents]
    for node, some in enumerate(parents):
        if some:
            children[some[0]].append(node)
    first, last = np.zeros(len(parents), np.uint32), np.zeros(len(parents), np.uint32)
    at, stack = 0, [node for node in reversed(range(len(parents))) if not parents[node]]
    inner: list[int] = []
    while stack:
        node = stack.pop()
        first[node], at = at, at + 1
        inner.append(node)
        stack += reversed(children[node])
    last[:] = first + 1
    for node in reversed(inner):
        if parents[node]:
            parent = parents[node][0]
            last[parent] = max(last[parent], last[node])
    places: dict[str, set[int]] = defaultdict(set)
    for node, forms in enumerate(words):
        for token in {token for word in forms for token in key_of(word).split()}:
            places[token].add(int(first[node]))
    tokens = sorted(places)
    return {
        "place_first": first,
        "place_last": last,
        "tokens": _text(tokens),
        "token_places": _flat(sorted(places[token]) for token in tokens),
        "token_starts": _starts([list(places[token]) for token in tokens]),
    }
