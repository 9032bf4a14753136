"""Sfumato makes text, strings and tables safe to publish, and proves what it guarantees.

Every public name is imported when it is first used, so that `import sfumato` stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .attacks.run import attack
    from .core.claims import Claim, Verdict
    from .core.errors import BadInput, CannotBeMet, NotInstalled, NotVerified, SfumatoError
    from .core.release import Release
    from .core.spans import Span
    from .engines.spark import SparkEngine
    from .judging.evaluate import evaluate
    from .judging.risk import risk
    from .judging.sweep import sweep
    from .methods.meanings.generalize import generalize
    from .methods.patterns.sanitize import sanitize
    from .methods.pseudonyms.pseudonymize import pseudonymize
    from .methods.records.anonymize import anonymize
    from .methods.substrings.suppress import suppress
    from .methods.terms.dictionary import TermDictionary
    from .methods.terms.redact import redact
    from .pipeline.policy_run import run
    from .pipeline.verify import verify
    from .recognizers import recognizer
    from .recognizers.learn import learn
    from .reports.plots import plot
    from .studio.notebook import review

_HOME = {
    "BadInput": "core.errors",
    "CannotBeMet": "core.errors",
    "Claim": "core.claims",
    "NotInstalled": "core.errors",
    "NotVerified": "core.errors",
    "Release": "core.release",
    "SfumatoError": "core.errors",
    "Span": "core.spans",
    "SparkEngine": "engines.spark",
    "TermDictionary": "methods.terms.dictionary",
    "Verdict": "core.claims",
    "attack": "attacks.run",
    "evaluate": "judging.evaluate",
    "learn": "recognizers.learn",
    "plot": "reports.plots",
    "recognizer": "recognizers",
    "review": "studio.notebook",
    "risk": "judging.risk",
    "run": "pipeline.policy_run",
    "sweep": "judging.sweep",
    "verify": "pipeline.verify",
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
    "SparkEngine",
    "TermDictionary",
    "Verdict",
    "anonymize",
    "attack",
    "evaluate",
    "generalize",
    "learn",
    "plot",
    "pseudonymize",
    "recognizer",
    "redact",
    "review",
    "risk",
    "run",
    "sanitize",
    "suppress",
    "sweep",
    "verify",
]


def __getattr__(name: str) -> object:
    if name in _HOME:
        value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    else:
        from .methods import METHODS, method

        if name not in METHODS:
            raise AttributeError(f"module 'sfumato' has no attribute {name!r}")
        from .verified_verbs import verifying

        value = verifying(method(name).call())
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    from .methods import METHODS

    return sorted({*__all__, *METHODS})
