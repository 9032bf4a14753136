"""The parameters of a claim as types: a check reads them once, and from then on asks names.

Each family of claims has its own (`claims/<family>.py`). A parameter without a default must be
there; what a family does not name is not read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from types import NoneType
from typing import TYPE_CHECKING, Literal, Self, get_args, get_origin, get_type_hints

from .printed_form import by_sizes

if TYPE_CHECKING:
    from .claims import Claim


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class StatedParameters:
    """What a claim, or the stage that makes it, states of itself; families derive from it."""

    __repr__ = by_sizes

    @classmethod
    def of(cls, claim: Claim) -> Self:
        """The parameters of a claim."""
        return cls.read(claim.parameters)

    @classmethod
    def read(cls, stated: Mapping[str, object]) -> Self:
        """The same from plain values; KeyError, TypeError or ValueError where they are wrong.

        >>> from sfumato.claims.substrings import LegibleParameters
        >>> told = {"k": 5, "count": "groups", "unit": "word", "keep": "", "mask": "★"}
        >>> given = LegibleParameters.read({**told, "collapse": False, "strict": True})
        >>> given.k, given.reach
        (5, None)
        """
        values = {
            name: _value(kind, stated[name])
            for name, (kind, is_needed) in _wanted(cls).items()
            if is_needed or name in stated
        }
        return cls(**values)


def _wanted(family: type[StatedParameters]) -> dict[str, tuple[object, bool]]:
    """The type of every parameter of a family, and whether it must be there."""
    kinds = get_type_hints(family)
    return {one.name: (kinds[one.name], one.default is MISSING) for one in fields(family)}


def _value(kind: object, value: object) -> object:
    """A parameter as its type has it.

    >>> _value(int, 5), _value(float | None, None), _value(tuple[str, ...], ["age"])
    (5, None, ('age',))
    >>> _value(bool | None, False), _value(bool, 3), _value(str | None, "once")
    (False, True, 'once')
    """
    if kind is object or (value is None and NoneType in get_args(kind)):
        return value
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            raise ValueError("no such choice")
        return value
    if kind == tuple[str, ...]:
        if not isinstance(value, Iterable):
            raise TypeError("expected names")
        return tuple(map(str, value))
    if kind in (bool, bool | None):
        return bool(value)
    if kind in (int, int | None):
        return int(str(value))
    return float(str(value)) if kind in (float, float | None) else str(value)
