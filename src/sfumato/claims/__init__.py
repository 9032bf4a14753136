"""What can be claimed of a release: one kind of claim in each `KINDS`, words and all.

Every module here but `claim_kind` declares `KINDS`; a new claim is a new module, found by itself.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from ..core.errors import BadInput
from .claim_kind import ClaimKind, Side, Statement

if TYPE_CHECKING:
    from ..core.claims import Claim

__all__ = ["ClaimKind", "Side", "Statement", "find", "is_recounted", "is_reworded", "kind", "kinds"]


@cache
def kinds() -> tuple[ClaimKind, ...]:
    """All kinds of claims, by name."""
    modules = sorted(one.name for one in iter_modules(__path__) if one.name != "claim_kind")
    found = [one for name in modules for one in import_module(f".{name}", __name__).KINDS]
    if len({one.name for one in found}) != len(found):
        raise ValueError("two kinds of claims have one name")
    return tuple(sorted(found, key=lambda one: one.name))


@cache
def _by_name() -> dict[str, ClaimKind]:
    return {one.name: one for one in kinds()}


def find(name: str) -> ClaimKind | None:
    """The kind of this name, which may be anything that a certificate says; None: no such kind.

    >>> find("k-anonymity").is_from_release({}), find("world-peace")
    (True, None)
    """
    return _by_name().get(name)


def kind(name: str) -> ClaimKind:
    """The kind of this name.

    >>> kind("pattern-free").claim({"k": 4}).statement
    'No sensitive pattern occurs in the release.'
    """
    found = find(name)
    if found is None:
        known = ", ".join(one.name for one in kinds())
        raise BadInput("no such claim", where="claim", remedy=f"one of {known}")
    return found


def is_reworded(claim: Claim) -> bool:
    """Whether a claim says something else than its parameters; unknown ones cannot be told."""
    known = find(claim.name)
    return known is not None and known.is_reworded(claim)


def is_recounted(name: str) -> bool:
    """Whether claims of this name are counted in a release by itself, whatever made it."""
    known = find(name)
    return known is not None and known.survives == "recount"
