"""The information loss of a release of records: NCP with its parts, and the classes' sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...kernels.records import Partition
    from .recode import RecodedColumn
    from .rewrite import Fates
    from .terms import Terms
    from .view import Relational


def losses(
    partition: Partition,
    sizes: NDArray[np.int64],
    columns: Sequence[Relational],
    recoded: Sequence[RecodedColumn],
    kept_items: Mapping[str, NDArray[np.float64]],
    terms: Terms | None,
    found: Fates | None,
    least: float | None = None,
) -> dict[str, float]:
    """NCP_A, NCP_X, their mean NCP and its parts, averaged over the released people.

    `kept_items` has, for every set column, what share each person lost; `least` is what NCP is at
    least, if it is known.
    Paper: section 5.3. Cost: O(people x columns + terms).
    """
    classes = partition.classes
    here = classes >= 0
    result: dict[str, float] = {}
    by_column = []
    for column, one in zip(columns, recoded, strict=True):
        lost = kept_items.get(column.name)
        share = one.losses[classes[here]] if lost is None else lost[here]
        by_column.append(float(share.mean()) if len(share) else 0.0)
        result[f"NCP_A:{column.name}"] = by_column[-1]
    relational = float(np.mean(by_column)) if by_column else 0.0
    textual, by_label = _textual(terms, found, here)
    parts = [relational] * bool(by_column) + [textual] * (terms is not None)
    return {
        "NCP": sum(parts) / len(parts) if parts else 0.0,
        **({} if least is None else {"NCP_least": least}),
        "NCP_A": relational,
        "NCP_X": textual,
        "classes": len(sizes),
        "mean_class_size": float(sizes.mean()),
        "sd_class_size": float(sizes.std()),
        "splits_relational": partition.relational,
        "splits_textual": partition.textual,
        **result,
        **by_label,
    }


def _textual(
    terms: Terms | None, found: Fates | None, here: NDArray[np.bool_]
) -> tuple[float, dict[str, float]]:
    """The mean share of terms that people lost, of all and of each entity type."""
    if terms is None or found is None:
        return 0.0, {}
    counted = here[terms.pair_people]
    people, items = terms.pair_people[counted], terms.pair_items[counted]
    lost = found.pair_losses[counted]
    whole = _mean_share(people, lost, len(here)).sum() / max(int(here.sum()), 1)
    labels = np.array([label for _, label in terms.groups], object)
    groups = terms.group_of_item[items]
    by_label = {}
    for label in sorted(set(labels.tolist())):
        chosen = np.isin(groups, np.flatnonzero(labels == label))
        if chosen.any():
            shares = _mean_share(people[chosen], lost[chosen], len(here))
            owners = len(np.unique(people[chosen]))
            by_label[f"NCP_X:{label}"] = float(shares.sum() / owners)
    return float(whole), by_label


def _mean_share(
    people: NDArray[np.int64], lost: NDArray[np.float64], count: int
) -> NDArray[np.float64]:
    """Of each person the mean loss of the terms; 0 for people without any."""
    held = np.bincount(people, minlength=count)
    return np.bincount(people, lost, count) / np.maximum(held, 1)
