"""Finding what identifies: documents in, spans out.

    from sfumato.recognizers import recognizer, spans_of
    spans = recognizer("rules-en", "en_core_web_sm")(texts)

Every recogniser is called with texts and gives spans (document, start, stop, label, score, why).
Where several find overlapping places, the longest stays, then the best score, then the first.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .by_name import recognizer, spans_of
    from .by_name import recognizer as recogniser
    from .combine import CombinedRecognizer, Recognizer
    from .combine import CombinedRecognizer as Combined
    from .gazetteer import Allow, Gazetteer, deny
    from .overlaps import resolve
    from .roles import PRESETS, ROLES, Preset, preset, with_role
    from .scan import AnchoredRule, Rule, Rules
    from .scan import AnchoredRule as Anchored

# Where each name is: it is imported when it is first used, since lists and expressions are many.
_HOME = {
    **dict.fromkeys(("recognizer", "spans_of"), "by_name"),
    **dict.fromkeys(("CombinedRecognizer", "Recognizer"), "combine"),
    **dict.fromkeys(("Allow", "Gazetteer", "deny"), "gazetteer"),
    "resolve": "overlaps",
    **dict.fromkeys(("PRESETS", "ROLES", "Preset", "preset", "with_role"), "roles"),
    **dict.fromkeys(("AnchoredRule", "Rule", "Rules"), "scan"),
}
# As version 0.1 spelt them.
_EARLIER = {
    "recogniser": "recognizer",
    "Anchored": "AnchoredRule",
    "Combined": "CombinedRecognizer",
}


def __getattr__(name: str) -> object:
    known = _EARLIER.get(name, name)
    if known not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOME[known]}", __name__), known)
    globals()[name] = value
    return value


__all__ = [
    "PRESETS",
    "ROLES",
    "Allow",
    "Anchored",
    "AnchoredRule",
    "Combined",
    "CombinedRecognizer",
    "Gazetteer",
    "Preset",
    "Recognizer",
    "Rule",
    "Rules",
    "deny",
    "preset",
    "recogniser",
    "recognizer",
    "resolve",
    "spans_of",
    "with_role",
]
