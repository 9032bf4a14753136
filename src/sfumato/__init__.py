"""Sfumato makes text, strings and tables safe to publish, and proves what it guarantees.

Every public name is imported when it is first used, so that `import sfumato` stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .attacks.run import attack
    from .core.claims import Claim, Verdict
    from .core.errors import BadInput, CannotBeMet, NotInstalled, NotVerified, SfumatoError
    from .core.release import Release
    from .core.spans import Span
    from .judging.evaluate import evaluate
    from .judging.sweep import sweep
    from .methods.meanings import generalize
    from .methods.patterns import sanitize
    from .methods.pseudonyms import pseudonymize
    from .methods.records import anonymize
    from .methods.substrings import suppress
    from .methods.terms import TermDictionary, redact
    from .reports import plot
    from .verification import verify

_HOME = {
    "BadInput": "core.errors",
    "CannotBeMet": "core.errors",
    "Claim": "core.claims",
    "NotInstalled": "core.errors",
    "NotVerified": "core.errors",
    "Release": "core.release",
    "SfumatoError": "core.errors",
    "Span": "core.spans",
    "TermDictionary": "methods.terms",
    "Verdict": "core.claims",
    "anonymize": "methods.records",
    "attack": "attacks.run",
    "evaluate": "judging.evaluate",
    "generalize": "methods.meanings",
    "plot": "reports",
    "redact": "methods.terms",
    "sanitize": "methods.patterns",
    "pseudonymize": "methods.pseudonyms",
    "suppress": "methods.substrings",
    "sweep": "judging.sweep",
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
    "anonymize",
    "attack",
    "evaluate",
    "generalize",
    "plot",
    "pseudonymize",
    "redact",
    "sanitize",
    "suppress",
    "sweep",
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
