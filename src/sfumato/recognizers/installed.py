"""Recognisers of the package and of installed ones, by name: no file is read."""

from __future__ import annotations

from importlib.metadata import entry_points

from ..core.errors import BadInput
from .combine import Combined, Recognizer

DEFAULT = "en"
GROUP = "sfumato.recognizers"  # entry points by which installed packages declare recognisers


def installed(name: str, processes: int = 1) -> Recognizer:
    """The recogniser of one name; a spaCy pipeline runs in so many `processes`.

    >>> [span.label for span in installed("rules-en")(["Seen on 06/17/2021."])]
    ['DATE']
    """
    name = name.strip()
    if not name:
        raise BadInput("the name is empty", where="recognizer", remedy=f"for instance {DEFAULT}")
    if name in ("en", "names-en", "lists-en"):
        from .names import named

        return named(name)
    if name.startswith("rules-"):
        from .rules import rules

        return rules(name.removeprefix("rules-"))
    declared = tuple(entry_points(group=GROUP, name=name))
    if declared:
        found = declared[0].load()
        if not callable(found):
            raise BadInput("what is declared is no recogniser", where="recognizer")
        own: Recognizer = found
        return own
    from .spacy_pipeline import Pipeline

    return Pipeline(name, processes)


def joined(parts: list[Recognizer]) -> Recognizer:
    """Several recognisers as one."""
    if not parts:
        raise BadInput("no recogniser named", where="recognizer", remedy=f"for instance {DEFAULT}")
    return parts[0] if len(parts) == 1 else Combined(tuple(parts))
