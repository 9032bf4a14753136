"""Sfumato makes text, strings and tables safe to publish, and proves what it guarantees.

Every public name is imported when it is first used, so that `import sfumato` stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .core import (
        BadInput,
        CannotBeMet,
        Claim,
        NotInstalled,
        NotVerified,
        Release,
        SfumatoError,
        Span,
        Verdict,
    )
    from .methods.substrings import suppress
    from .methods.terms import TermDictionary, redact
    from .verification import verify

_HOME = {
    "BadInput": "core",
    "CannotBeMet": "core",
    "Claim": "core",
    "NotInstalled": "core",
    "NotVerified": "core",
    "Release": "core",
    "SfumatoError": "core",
    "Span": "core",
    "TermDictionary": "methods.terms",
    "Verdict": "core",
    "redact": "methods.terms",
    "suppress": "methods.substrings",
    "verify": "verification",
}

__all__ = [
    "BadInput",
    "CannotBeMet",
    "Claim",
    "NotInstalled",
    "NotVerified",
    "Release",
    "SfumatoError",
    "Span",
    "TermDictionary",
    "Verdict",
    "redact",
    "suppress",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'sfumato' has no attribute {name!r}")
    value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
