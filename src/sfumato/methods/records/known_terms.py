"""What people may show when an attacker knows m of their terms: (k, k^m)-anonymity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ...core.printed_form import by_sizes
from ...kernels.known_sets import shown_items
from .generalize import General, path_of, widest_leaves
from .recode import RecodedColumn, no_cells
from .rewrite import GENERALIZED, KEPT, OUTLIER, SUPPRESSED, Fates
from .terms import QUASI, normal_form

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from ...ontologies import Ontology
    from .terms import Terms
    from .view import Relational

    Step = Callable[[float], None] | None


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """The terms of people's texts and the items of their sets, as one set for each person.

    Items are numbered: the terms' first, then those of each set column. `terms` has the pair of
    `Terms` that each entry is, -1 for items of sets; `above` the more general items of each.
    """

    offsets: NDArray[np.int64]
    codes: NDArray[np.int32]
    starts: NDArray[np.int64]  # the first item of the terms and of every set column; one more
    above: tuple[NDArray[np.int64], NDArray[np.int32]]
    general: Mapping[int, General]  # what a general item writes

    __repr__ = by_sizes

    @property
    def owners(self) -> NDArray[np.int64]:
        """The person of every entry."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    def shown(
        self, classes: NDArray[np.int32], k: int, m: int, step: Step = None
    ) -> NDArray[np.int32]:
        """What each entry is shown as in these classes; -1 is withheld."""
        return shown_items(classes, self.offsets, self.codes, k, m, self.above, step)

    def lost(self, shown: NDArray[np.int32]) -> NDArray[np.float64]:
        """What is lost of every entry: 1 where it is withheld, less where it is generalised."""
        result = np.where(shown == self.codes, 0.0, 1.0)
        for at in np.flatnonzero((shown >= 0) & (shown != self.codes)).tolist():
            result[at] = self.general[int(shown[at])].loss
        return result

    def part(self, number: int) -> NDArray[np.bool_]:
        """Which entries are terms (0), or items of the set column with this number, from 1."""
        first, last = (int(self.starts[number + i]) for i in (0, 1))
        result: NDArray[np.bool_] = (self.codes >= first) & (self.codes < last)
        return result


def held_items(
    terms: Terms | None,
    sets: Sequence[Relational],
    count: int,
    ontology: Ontology | None,
    synonyms: Mapping[str, str],
) -> Held:
    """All that people hold, with what is more general than each term where there is an ontology.

    Cost: a sort of the people's terms, and O(terms x height) for an ontology.
    """
    owners = [np.zeros(0, np.int64) if terms is None else terms.pair_people]
    codes = [np.zeros(0, np.int64) if terms is None else terms.pair_items]
    starts = [0, 0 if terms is None else len(terms.item_forms)]
    for column in sets:
        people, items = column.pairs()
        owners.append(people.astype(np.int64))
        codes.append(items.astype(np.int64) + starts[-1])
        starts.append(starts[-1] + len(column.labels))
    whose, what = np.concatenate(owners), np.concatenate(codes)
    order = np.lexsort((what, whose))
    whose, what = whose[order], what[order]
    general: dict[int, General] = {}
    above = np.zeros(starts[-1] + 1, np.int64), np.zeros(0, np.int32)
    if terms is not None and ontology is not None:
        above, general = _above(terms, ontology, starts[-1], synonyms)
    return Held(
        np.searchsorted(whose, np.arange(count + 1)).astype(np.int64),
        what.astype(np.int32),
        np.array(starts, np.int64),
        above,
        general,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Nodes:
    """The leaves, the word and its normal form of an ontology's nodes, each looked up once."""

    ontology: Ontology
    synonyms: Mapping[str, str]
    seen: dict[int, tuple[int, str, str]] = field(default_factory=dict)

    __repr__ = by_sizes

    def of(self, node: int) -> tuple[int, str, str]:
        found = self.seen.get(node)
        if found is None:
            word = self.ontology.words(node)[0]
            form = normal_form(word)
            found = self.ontology.leaves(node), word, self.synonyms.get(form, form)
            self.seen[node] = found
        return found


def _above(
    terms: Terms, ontology: Ontology, items: int, synonyms: Mapping[str, str]
) -> tuple[tuple[NDArray[np.int64], NDArray[np.int32]], dict[int, General]]:
    """The more general items of every term: one for each word and entity type, special ones first.

    A word that is some person's own term is the same item.
    """
    groups = terms.group_of_item.tolist()
    paths = [path_of(ontology, form) for form in terms.item_forms]
    widest = widest_leaves(paths, terms.group_of_item, len(terms.groups), ontology)
    known = _Nodes(ontology, {normal_form(a): normal_form(b) for a, b in synonyms.items()})
    words: dict[tuple[int, str], tuple[float, str]] = {}
    chains: list[list[tuple[int, str]]] = []
    for group, path in zip(groups, paths, strict=True):
        chain = []
        for node in path:
            leaves, word, form = known.of(node)
            if leaves >= widest[group]:
                continue
            key = group, form
            loss = leaves / widest[group]
            if loss > words.get(key, (0.0, ""))[0]:
                words[key] = loss, words.get(key, (0.0, word))[1]
            chain.append(key)
        chains.append(list(dict.fromkeys(chain)))
    own = {
        (group, form): i
        for i, (group, form) in enumerate(zip(groups, terms.item_forms, strict=True))
    }
    ordered = sorted(words, key=lambda key: (words[key][0], key))
    number = {key: own.get(key, items + place) for place, key in enumerate(ordered)}
    rows = [sorted({number[key] for key in chain} - {item}) for item, chain in enumerate(chains)]
    sizes = np.zeros(items + 1, np.int64)
    sizes[1 : len(rows) + 1] = [len(row) for row in rows]
    flat = np.array([one for row in rows for one in row], np.int32)
    general = {number[key]: General(word, loss) for key, (loss, word) in words.items()}
    return (np.cumsum(sizes), flat), general


def known_fates(
    terms: Terms, held: Held, shown: NDArray[np.int32], classes: NDArray[np.int32]
) -> Fates:
    """What becomes of every place: all mentions of a person's term follow it.

    Cost: O(places log terms).
    """
    mine = held.part(0)
    as_what, lost = shown[mine], held.lost(shown)[mine]
    items = max(len(terms.item_forms), 1)
    keys = terms.pair_people * items + terms.pair_items
    quasi = np.flatnonzero(terms.roles == QUASI)
    wanted = terms.people[quasi].astype(np.int64) * items + terms.item[quasi]
    found = as_what[np.searchsorted(keys, wanted)] if len(keys) else np.zeros(0, np.int32)
    outcomes = np.full(len(terms.places), SUPPRESSED, np.int8)
    outcomes[quasi[found == terms.item[quasi]]] = KEPT
    general = quasi[(found >= 0) & (found != terms.item[quasi])]
    words = {}
    for at, item in zip(general.tolist(), found[np.isin(quasi, general)].tolist(), strict=True):
        words[at] = held.general[item]
    outcomes[general] = GENERALIZED
    outcomes[classes[terms.people] < 0] = OUTLIER
    return Fates(outcomes, words, lost)


def known_set(
    held: Held, number: int, column: Relational, shown: NDArray[np.int32], classes: int
) -> RecodedColumn:
    """A set column of which each person shows some items: person x width + item."""
    mine = held.part(number) & (shown == held.codes)
    width = max(len(column.labels), 1)
    keys = held.owners[mine] * width + (held.codes[mine] - held.starts[number])
    return RecodedColumn(no_cells(classes), np.zeros(classes), np.sort(keys), by_person=True)
