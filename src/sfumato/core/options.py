"""Checks of parameters that several verbs share."""

from __future__ import annotations

import re
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


UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
UNITS |= {"KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40}


def check_memory(memory: str | int | None) -> int | None:
    """An amount of memory in bytes: a whole number, or a number with a unit; None is no limit.

    >>> check_memory("2GB"), check_memory("1.5 MiB"), check_memory(4096)
    (2000000000, 1572864, 4096)
    """
    if memory is None:
        return None
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*([a-zA-Z]*)", str(memory).strip())
    if isinstance(memory, bool) or not found or found[2].upper() not in UNITS:
        raise BadInput(
            "expected an amount of memory", where="memory", remedy="for instance 2GB or 512MiB"
        )
    amount = int(float(found[1]) * UNITS[found[2].upper()])
    if amount < 1:
        raise BadInput("must be at least 1 byte", where="memory", remedy="for instance 2GB")
    return amount


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
