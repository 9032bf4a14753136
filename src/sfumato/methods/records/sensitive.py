"""Sensitive columns as the partitioners take them: one code a person, and which values it means."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ...kernels.records import Sensitive
from ...schema.cells import present
from ...schema.table import forms
from .view import code_texts, of_people, one_column, set_column

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from ...schema import Column as Described
    from .options import SensitiveDemand
    from .view import Codes

    Sets = list[tuple[int, ...]]


def sensitive_columns(
    frame: pl.DataFrame,
    name: str,
    described: Described,
    people: NDArray[np.int32],
    demanded: SensitiveDemand,
) -> list[Sensitive]:
    """What is demanded of a sensitive column, as one column of codes, or one for l and one for t.

    Several values of a person are a code of their own. For l the values it stands for count too:
    no few of them may be all that a class has. By the ordered distance the smallest stands for all.
    """
    count = int(people.max(initial=-1)) + 1
    codes, sets = _read(frame, name, described, people, count)
    diversity = demanded.diversity if demanded.l is not None else None
    level, ordered = demanded.l or 1.0, described.ordered_distance
    if sets is None:
        made = _from_zero(codes)
        return [Sensitive(*made[:2], ordered, diversity, level, demanded.c, demanded.t, made[2])]
    result = []
    smallest = np.array([one[0] if one else -1 for one in sets], np.int32)
    if demanded.l is not None:
        together = demanded.t if not ordered else None
        given = (ordered, diversity, level, demanded.c, together)
        result.append(_of_sets(sets, *given))
    elif not ordered:
        result.append(_of_sets(sets, ordered, None, 1.0, 1.0, demanded.t))
    if demanded.t is not None and ordered:
        ranks, distinct, missing = _from_zero(smallest)
        result.append(Sensitive(ranks, distinct, True, None, 1.0, 1.0, demanded.t, missing))
    return result


def _read(
    frame: pl.DataFrame, name: str, described: Described, people: NDArray[np.int32], count: int
) -> tuple[Codes, Sets | None]:
    """A code for every person, -1 for none, in the order of the values; or all codes of each.

    Values that differ by case, blanks or Unicode form alone are one.
    """
    if described.kind in ("number", "date", "ordered"):
        column = one_column(name, described, frame[name], people, count)
        codes, offsets = column.codes, column.offsets
    elif described.kind == "set":
        column = set_column(name, described, frame[name], people, count, forms)
        codes, offsets = column.codes, column.offsets
    else:
        texts = forms(present(described, frame[name]))
        codes, _ = code_texts(texts.set((texts == "").fill_null(False), None), sort=True)
        codes, offsets, _ = of_people(codes, codes < 0, people, count)
    if offsets is None:
        return codes, None
    return codes, [tuple(codes[a:b].tolist()) for a, b in pairwise(offsets.tolist())]


def _from_zero(codes: Codes) -> tuple[Codes, int, bool]:
    """The codes without gaps, how many there are, and whether code 0 means that one has none."""
    seen, ranks = np.unique(codes, return_inverse=True)
    return ranks.astype(np.int32), len(seen), bool(len(seen) and seen[0] < 0)


def _of_sets(
    sets: Sets, ordered: bool, diversity: str | None, level: float, c: float, t: float | None
) -> Sensitive:
    known = sorted(set(sets))
    number = {one: at for at, one in enumerate(known)}
    codes = np.array([number[one] for one in sets], np.int32)
    offsets = np.cumsum([0, *map(len, known)]).astype(np.int64)
    values = np.array([value for one in known for value in one], np.int32)
    missing = bool(known) and known[0] == ()
    return Sensitive(
        *(codes, len(known), ordered, diversity, level, c, t, missing),  # type: ignore[arg-type]
        offsets=offsets,
        values=values,
    )
