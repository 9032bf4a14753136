"""The printed form of what holds the user's text: names and sizes, never what is held."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import fields
from typing import Any


def by_sizes(held: Any) -> str:
    """A dataclass by the sizes of its fields; numbers and switches as they are.

    Put `__repr__ = by_sizes` into the class: a traceback, a log or a notebook may print it.

    >>> from .corpus import Corpus
    >>> Corpus.of(["Ann has flu.", "Bob left."])
    <Corpus: given 2, texts 2, missing 0>
    """
    parts = []
    for field in fields(held):
        value = getattr(held, field.name, None)
        if field.repr and isinstance(value, bool | int | float):
            parts.append(f"{field.name} {value}")
        elif field.repr and isinstance(value, Sized):
            parts.append(f"{field.name} {len(value)}")
    return f"<{type(held).__name__}: {', '.join(parts)}>"


def by_names(model: Any) -> str:
    """What people wrote (a policy, a schema) by the names of what is set, not by what they wrote.

    >>> from types import SimpleNamespace
    >>> by_names(SimpleNamespace(model_fields_set={"words", "t"}))
    '<SimpleNamespace: t, words>'
    """
    return f"<{type(model).__name__}: {', '.join(sorted(model.model_fields_set))}>"
