"""Leaks that are known, by place and action: a line goes when its repair comes."""

from __future__ import annotations

import pytest

# Of each place: the actions that let the secret out, and why.
KNOWN: dict[str, tuple[tuple[str, ...], str]] = {}


def case(place: object, name: str, action: str) -> object:
    """The parameters of a test, with its mark if it is known to fail."""
    actions, reason = KNOWN.get(name, ((), ""))
    marks = [pytest.mark.xfail(strict=True, reason=reason)] if action in actions else []
    return pytest.param(place, action, id=f"{name}, {action}", marks=marks)
