"""Terms generalised through an ontology where all people of a class meet at a node."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...ontologies import key_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...ontologies import Ontology
    from .terms import Terms


@dataclass(frozen=True, slots=True)
class General:
    """What a class writes for an item: the node's word, and the share of meaning lost by it."""

    word: str
    loss: float


def generalized(
    terms: Terms,
    ontology: Ontology,
    classes: NDArray[np.int32],
    sizes: NDArray[np.int64],
    is_shared: NDArray[np.bool_],
    roots: Sequence[int] | None = None,
) -> dict[tuple[int, int], General]:
    """The word for each (class, item) below a node at which everybody of the class has a term.

    In each class and group the nodes with the fewest leaves come first; a term goes to one node.
    A node as wide as all terms of its entity type together says no more than the type; `roots` are
    the leaves of that, where these are not all terms.
    Paper: section 8, future work. Cost: O(terms x height).
    """
    groups = terms.group_of_item
    paths = [path_of(ontology, form) for form in terms.item_forms]
    if roots is None:
        roots = widest_leaves(paths, groups, len(terms.groups), ontology)
    owners = classes[terms.pair_people]
    open_pairs = np.flatnonzero((owners >= 0) & ~is_shared)
    order = open_pairs[np.lexsort((groups[terms.pair_items[open_pairs]], owners[open_pairs]))]
    result: dict[tuple[int, int], General] = {}
    at = 0
    keys = list(zip(owners[order].tolist(), groups[terms.pair_items[order]].tolist(), strict=True))
    while at < len(order):
        stop = at
        while stop < len(order) and keys[stop] == keys[at]:
            stop += 1
        number, group = keys[at]
        pairs = list(
            zip(
                terms.pair_people[order[at:stop]].tolist(),
                terms.pair_items[order[at:stop]].tolist(),
                strict=True,
            )
        )
        met = _meeting(pairs, paths, int(sizes[number]), ontology, roots[group])
        result.update({(number, item): general for item, general in met.items()})
        at = stop
    return result


def path_of(ontology: Ontology, form: str) -> tuple[int, ...]:
    """The nodes above a term in its first sense, the term's own first."""
    senses = ontology.senses(key_of(form))
    return ontology.path(senses[0]) if senses else ()


def common_nodes(
    paths: Sequence[tuple[int, ...]],
    groups: Sequence[int],
    known: Sequence[tuple[int, ...] | None],
) -> list[tuple[int, ...] | None]:
    """The nodes that all known terms of each group have in common, the lowest first.

    They go on from those that are `known`, so that terms can be looked at one part after another.

    >>> common_nodes([(3, 1, 0), (4, 1, 0), ()], [0, 0, 0], [None, None])
    [(1, 0), None]
    """
    common = list(known)
    for group, path in zip(groups, paths, strict=True):
        if not path:
            continue
        before = common[group]
        if before is None:
            common[group] = path
        else:
            above = set(path)
            common[group] = tuple(node for node in before if node in above)
    return common


def widest_leaves(
    paths: Sequence[tuple[int, ...]], groups: NDArray[np.int64], count: int, ontology: Ontology
) -> list[int]:
    """The leaves below the lowest node that all known terms of each group have in common."""
    return leaves_below(common_nodes(paths, groups.tolist(), [None] * count), ontology)


def leaves_below(common: Sequence[tuple[int, ...] | None], ontology: Ontology) -> list[int]:
    """The leaves below the lowest of the nodes that each group has in common."""
    return [ontology.leaves(path[0]) if path else 0 for path in common]


def _meeting(
    pairs: Iterable[tuple[int, int]],
    paths: Sequence[tuple[int, ...]],
    size: int,
    ontology: Ontology,
    root_leaves: int,
) -> Mapping[int, General]:
    """The nodes where all people of a class have a term below, the most specific first."""
    below: dict[int, set[int]] = {}  # person -> items
    for person, item in pairs:
        if paths[item]:
            below.setdefault(person, set()).add(item)
    result: dict[int, General] = {}
    if len(below) < size:
        return result
    while True:
        counts: Counter[int] = Counter()
        for items in below.values():
            counts.update({node for item in items for node in paths[item]})
        met = [node for node, people in counts.items() if people == size]
        best = min(met, key=lambda node: (ontology.leaves(node), node), default=None)
        if best is None or ontology.leaves(best) >= root_leaves:
            return result
        general = General(ontology.words(best)[0], ontology.leaves(best) / root_leaves)
        for person, items in below.items():
            taken = {item for item in items if best in paths[item]}
            result.update(dict.fromkeys(taken, general))
            below[person] = items - taken
