"""Finding what identifies: documents in, spans out.

    from sfumato.recognizers import recogniser, spans_of
    spans = recogniser("rules-en", "en_core_web_sm")(texts)

Every recogniser is called with texts and gives spans (document, start, stop, label, score, why).
Where several find overlapping places, the longest stays, then the best score, then the first.
"""

from .combine import Combined, Recognizer, recogniser, spans_of
from .gazetteer import Allow, Gazetteer, deny
from .overlaps import resolve
from .roles import PRESETS, ROLES, Preset, preset, with_role
from .scan import Anchored, Rule, Rules

__all__ = [
    "PRESETS",
    "ROLES",
    "Allow",
    "Anchored",
    "Combined",
    "Gazetteer",
    "Preset",
    "Recognizer",
    "Rule",
    "Rules",
    "deny",
    "preset",
    "recogniser",
    "resolve",
    "spans_of",
    "with_role",
]
