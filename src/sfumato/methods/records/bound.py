"""A lower bound on the loss: how far it could fall at best, whatever the classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...kernels.records import Partition, People

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...schema import Schema
    from .options import Options
    from .terms import Terms
    from .view import Relational


MOST_PEOPLE = 200_000


def least_loss(
    columns: Sequence[Relational],
    terms: Terms | None,
    schema: Schema,
    partition: Partition,
    k: int,
    options: Options,
) -> float | None:
    """What NCP is at least for these people and this k, whatever the classes.

    A person's class has k - 1 others; she loses at least what she would in a pair with the
    (k - 1)-th nearest. Columns whose loss is counted otherwise than partitioners do (ordered
    ones, sets, hierarchies with missing values) and terms that may be
    generalised are bounded by 0. None if somebody was left out (others could have been), if terms
    are not shared by whole classes (`knows`), or with more than `MOST_PEOPLE`.
    Cost: O(people squared) at worst, up to `kernels.records.PAIRS`.
    """
    people = len(partition.classes)
    counted = [column for column in columns if _counted_alike(column)]
    textual = terms is not None and options.terms == "suppress"
    if (
        options.knows is not None
        or people > MOST_PEOPLE
        or (partition.classes < 0).any()
        or not (counted or textual)
    ):
        return None
    parts = bool(columns) + (terms is not None)
    relational = len(counted) / len(columns) / parts if counted else 0.0
    scale = relational + (1 / parts if textual else 0.0)
    texts = terms.kernel(schema, people) if terms is not None and textual else []
    table = People(people, [*(column.kernel() for column in counted), *texts])
    return float(table.least_loss(partition, k, relational / scale).mean()) * scale


def _counted_alike(column: Relational) -> bool:
    """Whether partitioners count the loss of a column as it is reported."""
    if column.described.kind not in ("number", "date", "category"):
        return False
    return column.tree is None or column.code_tree() is not None
