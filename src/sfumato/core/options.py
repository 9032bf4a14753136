"""Checks of parameters that several verbs share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Integral

from .errors import BadInput, NotInstalled


def check_k(k: int | Sequence[int]) -> list[int]:
    """The values of k, ascending and distinct.

    >>> check_k([5, 2, 5])
    [2, 5]
    """
    ks = list(k) if isinstance(k, Sequence) else [k]
    if not ks:
        raise BadInput("no k given", where="k", remedy="give at least one")
    for one in ks:
        if isinstance(one, bool) or not isinstance(one, Integral):
            raise BadInput(f"expected a whole number, found {type(one).__name__}", where="k")
        if one < 1:
            raise BadInput(f"must be at least 1, found {one}", where="k", remedy="2 to 20 is usual")
        if one >= 2**31:
            raise BadInput("must be below 2^31", where="k", remedy="2 to 20 is usual")
    return sorted({int(one) for one in ks})


def choose(name: str, value: object, allowed: Iterable[str]) -> None:
    """Refuses a value that is not among the allowed ones.

    >>> choose("unit", "word", ["character", "word"])
    """
    allowed = list(allowed)
    if value not in allowed:
        raise BadInput(f"expected one of {', '.join(allowed)}", where=name)


def check_engine(engine: str | None) -> None:
    """Refuses an engine that this verb does not have."""
    if engine == "spark":
        raise NotInstalled("this verb does not run on Spark yet", where="engine", remedy="drop it")
    choose("engine", engine or "local", ["local"])
