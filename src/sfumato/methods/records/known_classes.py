"""Classes of columns for (k, k^m)-anonymity: as large as the terms need, as small as columns wish.

Larger classes never show fewer terms and always wider cells. So people are cut in two again and
again by their columns, as Mondrian does; for every group the loss as one class is compared with
the least loss of its parts, and the cheaper stays. Where hardly a term is left to lose, a group is
clustered by its columns at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from ...kernels.records import Partition, People
from .partition import classes_of, drawn_classes, numbered
from .recode import recode
from .view import kernel_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from ...core.progress import Progress
    from .known_terms import Held
    from .options import Options
    from .partition import Draw
    from .view import Relational

    Step = Callable[[float], None] | None
    Members = NDArray[np.int64]

NOTHING_LEFT = 0.02  # of the terms: what a group shows at most, to be clustered at once
SHARES = (3, 8)  # a cut leaves a third of a group on every side, else an eighth, else k


@dataclass(slots=True, eq=False)
class _Group:
    """Some people as one class: what they lose so, and the groups they are cut into."""

    members: Members = field(repr=False)
    parent: int
    is_cut: bool = True  # whether it may be cut further
    relational: float = 0.0
    textual: float = 0.0
    best: float = 0.0
    parts: float = 0.0

    def lost(self, weight: float) -> float:
        """Columns and terms together, as `relational_weight` weighs them."""
        return weight * self.relational + (1 - weight) * self.textual


@dataclass(frozen=True, slots=True, eq=False)
class Forming:
    """What classes are formed of: columns without sets, all that people hold, and the demands."""

    table: People
    columns: Sequence[Relational]
    sets: int
    has_terms: bool
    held: Held
    k: int
    m: int

    def classes(self, options: Options, step: Step = None) -> Partition:
        """The classes, numbered without gaps. Cost: O(log(people / k)) rounds over all terms."""
        single = People(self.table.count, kernel_columns(self.columns))
        if options.partitioner == "mondrian":
            judged = People(self.table.count, single.columns, self.table.sensitive)
            return judged.mondrian(self.k, 1.0, options.cuts == "printed", step)
        groups = self._groups(single, options, step)
        weight = options.relational_weight
        for number in range(len(groups) - 1, -1, -1):
            one = groups[number]
            own = one.lost(weight)
            one.best = own if one.parts <= 0 else min(own, one.parts)
            one.is_cut = one.best < own
            if one.parent >= 0:
                groups[one.parent].parts += max(one.best, 1e-12)
        classes = np.full(self.table.count, -1, np.int32)
        kept, count = {-1}, 0  # the groups that are cut, from above
        for number, one in enumerate(groups):
            if one.parent not in kept:
                continue
            if one.is_cut:
                kept.add(number)
            else:
                classes[one.members] = count
                count += 1
        if weight == 0:  # one class of all people shows most terms
            return Partition(classes)
        # Classes in which everybody shows the same terms are right for every m.
        plain = classes_of(self.table, self.k, options, None)
        whole = [_Group(part, -1) for part in _parts(np.arange(self.table.count), plain.classes)]
        self._measure(whole)
        is_less = sum(one.lost(weight) for one in whole) < groups[0].best
        return plain if is_less else Partition(classes)

    def _groups(self, single: People, options: Options, step: Step) -> list[_Group]:
        """All groups that cutting makes, those of a round together, whole ones first."""
        groups = [_Group(np.arange(self.table.count), -1)]
        first, rounds = 0, 0
        while first < len(groups):
            last = len(groups)
            self._measure(groups[first:last])
            for number in range(first, last):
                one = groups[number]
                if one.is_cut and one.relational > 0 and options.relational_weight > 0:
                    parts, further = self._cut(single, one, options)
                    groups += [_Group(part, number, further) for part in parts]
            first, rounds = last, rounds + 1
            if step is not None:
                step(min(0.9, rounds / 14))
        return groups

    def _measure(self, groups: Sequence[_Group]) -> None:
        """What each group loses as one class, of columns and of terms, over its people."""
        count = self.table.count
        classes = np.full(count, -1, np.int32)
        for number, one in enumerate(groups):
            classes[one.members] = number
        inside = classes >= 0
        sizes = np.bincount(classes[inside], minlength=len(groups))
        shown = self.held.shown(classes, self.k, self.m)
        lost, owners = self.held.lost(shown), self.held.owners
        relational = np.zeros(len(groups))
        for column in self.columns:
            relational += recode(column, classes, len(groups)).losses * sizes
        for number in range(1, self.sets + 1):
            relational += self._shares(self.held.part(number), owners, lost, classes, len(groups))
        textual = self._shares(self.held.part(0), owners, lost, classes, len(groups))
        width = max(len(self.columns) + self.sets, 1)
        for number, one in enumerate(groups):
            one.relational = float(relational[number]) / width
            one.textual = float(textual[number]) * self.has_terms

    def _shares(
        self,
        part: NDArray[np.bool_],
        owners: NDArray[np.int64],
        lost: NDArray[np.float64],
        classes: NDArray[np.int32],
        groups: int,
    ) -> NDArray[np.float64]:
        """The sums, over each group's people, of the share that a person loses."""
        count = self.table.count
        held = np.bincount(owners[part], minlength=count)
        share = np.bincount(owners[part], lost[part], count) / np.maximum(held, 1)
        inside = classes >= 0
        return np.asarray(np.bincount(classes[inside], share[inside], groups), np.float64)

    def _cut(self, single: People, one: _Group, options: Options) -> tuple[list[Members], bool]:
        """The parts of a group, each as demanded, and whether they may be cut further."""
        size = len(one.members)
        if size < 2 * self.k:
            return [], False
        some = single.among(one.members)
        if one.textual >= (1 - NOTHING_LEFT) * size or (not self.has_terms and not self.sets):
            some, weight = self.table.among(one.members), options.relational_weight
            formed = some.clusters(self.k, weight, options.block)
            found = some.improved(formed, self.k, weight, options.effort).classes
            parts = _parts(one.members, found)
            return (parts, False) if self._hold(parts) else ([], False)
        for least in (*(size // share for share in SHARES), self.k):
            if least >= self.k:
                parts = _parts(one.members, some.mondrian(least, 1.0).classes)
                if len(parts) > 1 and self._hold(parts):
                    return parts, True
        return [], False

    def _hold(self, parts: Sequence[Members]) -> bool:
        return all(self.table.satisfied(part.astype(np.uint32), self.k) for part in parts)


def known_partition(
    forming: Forming, options: Options, progress: Progress | None, draw: Draw
) -> tuple[Partition, NDArray[np.int64]]:
    """The classes, without outliers where some may be left out, and their sizes.

    Where they must tell no sensitive value, columns and terms say how many classes there are, and
    the classes are then drawn.
    """
    step = None if progress is None else lambda share: progress("classes for terms", share)
    table = forming.table
    if options.is_drawn:
        plain = replace(forming, table=People(table.count, table.columns))
        size = table.count // (int(plain.classes(options, step).classes.max()) + 1)
        judged = People(table.count, kernel_columns(forming.columns), table.sensitive)
        return numbered(drawn_classes(judged, max(forming.k, size), options, draw))
    partition = forming.classes(options, step)
    most = int(options.suppress_share * forming.table.count)
    if most:
        table = People(
            forming.table.count, kernel_columns(forming.columns), forming.table.sensitive
        )
        partition = table.without_outliers(partition, forming.k, 1.0, most)
    return numbered(partition)


def _parts(members: Members, classes: NDArray[np.int32]) -> list[Members]:
    order = np.argsort(classes, kind="stable")
    starts = np.flatnonzero(np.diff(classes[order], prepend=-1))
    return [np.sort(part) for part in np.split(members[order], starts[1:])]
