"""Rules by language: one small module each, a tuple of rules that are tried in order."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from ...core.errors import BadInput
from ..scan import Rules
from . import everywhere, phones, streets
from .japanese import Japanese

# A language joins by one module here with the tuples FREQUENT and RULES.
LANGUAGES = {
    "en": "english",
    "es": "spanish",
    "de": "german",
    "fr": "french",
    "nl": "dutch",
    "it": "italian",
    "pt": "portuguese",
}


def rules(language: str, region: str | None = None) -> Rules | Japanese:
    """The recogniser by rules for one language; telephone numbers of the region need no other sign.

    >>> [span.label for span in rules("en")(["Dr. Ann Ho, ann.ho@example.org, on 06/17/2021"])]
    ['PERSON', 'EMAIL', 'DATE']
    >>> [span.label for span in rules("en", "GB")(["Ask 02079460018 about it"])]
    ['PHONE']
    """
    if language == "ja":
        return Japanese()
    if language not in LANGUAGES:
        raise BadInput(
            f"no rules for this language; there are {', '.join((*LANGUAGES, 'ja'))}",
            where="recognizer",
            remedy="write your own rules in YAML",
        )
    return _rules(language, _known_region(region))


def _known_region(region: str | None) -> str | None:
    """The region in capitals; one that has no telephone numbers is refused."""
    if region is None:
        return None
    import phonenumbers

    if region.upper() not in phonenumbers.SUPPORTED_REGIONS:
        raise BadInput(
            "no such region", where="recognizer", remedy="two letters, as in en-GB or de-AT"
        )
    return region.upper()


@cache
def _rules(language: str, region: str | None) -> Rules:
    of_language = import_module(f".{LANGUAGES[language]}", __name__)
    first = (*of_language.FREQUENT, *everywhere.RULES, *of_language.RULES)
    first += (everywhere.weekday(language),)
    numbers = (*phones.rules(region), *everywhere.LAST)
    name = f"rules-{language}" if region is None else f"rules-{language}-{region}"
    also = (Rules(name, streets.RULES), Rules(name, numbers))
    return Rules(name, first, everywhere.ANCHORED, also)
