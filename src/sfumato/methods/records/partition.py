"""The classes of a release: a partitioner's, without outliers where some may be left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...kernels.records import Partition, People
from ...kernels.records_dealt import dealt
from ...kernels.records_drawn import drawn
from . import parts

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from ...core.progress import Progress
    from .options import Options

    Step = Callable[[float], None] | None
    Draw = Callable[[int, int], NDArray[np.int64]]
    """A permutation of so many people, another one for every number, drawn under the key."""


def partition_of(
    table: People, k: int, options: Options, progress: Progress | None, draw: Draw
) -> tuple[Partition, NDArray[np.int64]]:
    """The classes, numbered without gaps, and their sizes."""
    step = _step(progress, f"{options.partitioner}, k={k}")
    if options.is_drawn:
        return numbered(drawn_classes(table, k, options, draw, step))
    partition = classes_of(table, k, options, step)
    most = int(options.suppress_share * table.count)
    if most:
        partition = table.without_outliers(partition, k, options.relational_weight, most)
        if options.demanded.t is not None:
            partition = _close_without(table, partition, k, options, step)
    return numbered(partition)


def numbered(partition: Partition) -> tuple[Partition, NDArray[np.int64]]:
    """A partition, and how many people each of its classes has."""
    sizes = np.bincount(partition.classes[partition.classes >= 0])
    return partition, sizes.astype(np.int64)


def drawn_classes(
    table: People, k: int, options: Options, draw: Draw, step: Step = None
) -> Partition:
    """Classes that tell no more of sensitive values than their shares.

    Who is left out is chosen first, by the columns and terms alone.
    """
    weight, count = options.relational_weight, table.count
    stay = np.arange(count)
    most = int(options.suppress_share * count)
    if most:
        plain = People(count, table.columns)
        formed = plain.clusters(min(2 * k, count), weight, options.block)
        stay = np.flatnonzero(plain.without_outliers(formed, k, weight, most).classes >= 0)
    left = table.among(stay) if most else table
    found = drawn(left, k, weight, lambda turn: draw(turn, left.count), options.effort, step)
    classes = np.full(count, -1, np.int32)
    classes[stay] = found.classes
    return Partition(classes)


def _close_without(
    table: People, partition: Partition, k: int, options: Options, step: Step
) -> Partition:
    """Without some people the distribution that t compares with is that of those who stay.

    Classes that are not close to it any more are formed anew, all of them, among these people: at
    worst they are one class, which is as close as can be.
    """
    stay = np.flatnonzero(partition.classes >= 0)
    left = table.among(stay)
    if left.hold(partition.classes[stay], k):
        return partition
    anew = classes_of(left, k, options, step)
    classes = np.full(table.count, -1, np.int32)
    classes[stay] = anew.classes
    return Partition(classes, anew.relational, anew.textual)


def classes_of(table: People, k: int, options: Options, step: Step) -> Partition:
    """A partitioner's classes of everybody."""
    weight = options.relational_weight
    if options.partitioner == "gdf":
        return table.gdf(k, step)
    if parts.in_parts(table.count, options):
        return parts.formed_in_parts(table, k, options, step)
    if options.partitioner == "clusters":
        formed = _formed(table, k, weight, options, _part(step, 0.0, 0.3))
        return table.improved(formed, k, weight, options.effort, _part(step, 0.3, 1.0))
    return table.mondrian(k, weight, options.cuts == "printed", step)


def _formed(table: People, k: int, weight: float, options: Options, step: Step) -> Partition:
    """Clusters; where sensitive columns demand more, the best of three beginnings."""
    formed = table.clusters(k, weight, options.block, step)
    if options.demanded.l is None and options.demanded.t is None:
        return formed
    others = (dealt(table, k, weight, step), table.mondrian(k, weight))
    begun = [formed, *(one for one in others if one is not None)]
    return min(begun, key=lambda one: table.loss(one, k, weight))


def _part(step: Step, first: float, last: float) -> Step:
    return None if step is None else lambda share: step(first + (last - first) * share)


def _step(progress: Progress | None, what: str) -> Step:
    return None if progress is None else lambda share: progress(what, share)
