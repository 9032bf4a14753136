"""Finding what identifies: documents in, spans out.

    from sfumato.recognizers import recognizer, spans_of
    spans = recognizer("rules-en", "en_core_web_sm")(texts)

Every recogniser is called with texts and gives spans (document, start, stop, label, score, why).
Where several find overlapping places, the longest stays, then the best score, then the first.
"""

from .by_name import recognizer, spans_of
from .combine import CombinedRecognizer, Recognizer
from .gazetteer import Allow, Gazetteer, deny
from .overlaps import resolve
from .roles import PRESETS, ROLES, Preset, preset, with_role
from .scan import AnchoredRule, Rule, Rules

# As version 0.1 spelt them.
recogniser = recognizer
Anchored = AnchoredRule
Combined = CombinedRecognizer

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
