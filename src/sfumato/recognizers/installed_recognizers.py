"""Recognisers of the package and of installed ones, by name: no file is read."""

from __future__ import annotations

import re

from ..core.errors import BadInput
from .combine import CombinedRecognizer, Recognizer

DEFAULT = "en"
_LANGUAGE = re.compile(r"(rules-)?(auto|en|es|de|fr|nl|it|pt|ja)(?:-([A-Za-z]{2}))?")
_LISTS = re.compile("lists-(?:es|de|fr|nl|it|pt)")
_REGIONAL_IDS = re.compile("ids-[A-Z]{2}")
GROUP = "sfumato.recognizers"  # entry points by which installed packages declare recognisers


def installed(name: str, processes: int = 1) -> Recognizer:
    """The recogniser of one name; a spaCy pipeline runs in so many `processes`.

    >>> [span.label for span in installed("rules-en")(["Seen on 06/17/2021."])]
    ['DATE']
    """
    name = name.strip()
    if not name:
        raise BadInput("the name is empty", where="recognizer", remedy=f"for instance {DEFAULT}")
    own = _own(name)
    if own is not None:
        return own
    from importlib.metadata import entry_points

    declared = tuple(entry_points(group=GROUP, name=name))
    if declared:
        found = declared[0].load()
        if not callable(found):
            raise BadInput("what is declared is no recogniser", where="recognizer")
        declared_one: Recognizer = found
        return declared_one
    from .spacy_pipeline import Pipeline

    return Pipeline(name, processes)


def _own(name: str) -> Recognizer | None:
    """The package's own recogniser of a name: of a language, perhaps with a region (`en-GB`)."""
    if name in ("names-en", "lists-en"):
        from .names import named

        return named(name)
    if _LISTS.fullmatch(name):
        from .capitals import Capitals

        return Capitals(name.removeprefix("lists-"))
    if name == "ids" or _REGIONAL_IDS.fullmatch(name):
        from .national import Identifiers

        return Identifiers(region=name[4:] or None)
    language = _LANGUAGE.fullmatch(name)
    if language is None and name.startswith("rules-"):
        from .rules import rules

        return rules(name.removeprefix("rules-"))
    if language is None:
        return None
    if language[1]:
        from .rules import rules

        return rules(language[2], language[3])
    if language[2] == "auto":
        from .language import Auto

        return Auto(region=language[3])
    from .language import named as of_language

    return of_language(language[2], language[3])


def joined(parts: list[Recognizer]) -> Recognizer:
    """Several recognisers as one."""
    if not parts:
        raise BadInput("no recogniser named", where="recognizer", remedy=f"for instance {DEFAULT}")
    return parts[0] if len(parts) == 1 else CombinedRecognizer(tuple(parts))
