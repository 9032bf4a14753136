"""What is named is imported when it is needed: functions of higher layers, by their names."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def load(name: str) -> Any:
    """What a name as `methods.terms.redact:redact` stands for, below the package.

    >>> load("core.errors:BadInput").__name__
    'BadInput'
    """
    module, _, inside = name.partition(":")
    return getattr(import_module(f"..{module}", __package__), inside)
