"""Rules by language: one small module each, a tuple of rules that are tried in order."""

from __future__ import annotations

from importlib import import_module

from ...core.errors import BadInput
from ..scan import Rules
from . import everywhere

# A language joins by one module here with the tuples FREQUENT and RULES.
LANGUAGES = {"en": "english", "es": "spanish"}


def rules(language: str) -> Rules:
    """The recogniser by rules for one language.

    >>> [span.label for span in rules("en")(["Dr. Ann Ho, ann.ho@example.org, on 06/17/2021"])]
    ['PERSON', 'EMAIL', 'DATE']
    """
    if language not in LANGUAGES:
        raise BadInput(
            f"no rules for this language; there are {', '.join(LANGUAGES)}",
            where="recognizer",
            remedy="write your own rules in YAML",
        )
    of_language = import_module(f".{LANGUAGES[language]}", __name__)
    ordered = of_language.FREQUENT + everywhere.RULES + of_language.RULES
    return Rules(f"rules-{language}", ordered, everywhere.ANCHORED)
