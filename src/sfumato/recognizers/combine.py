"""Recognisers by name, together, and as every verb takes them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from ..core.errors import BadInput
from ..core.spans import Span
from .overlaps import require_inside, resolve

if TYPE_CHECKING:
    from ..core.progress import Progress

# The one protocol: documents in, spans out; a second argument, if it takes one, reports progress.
Recognizer: TypeAlias = "Callable[..., list[Span]]"

DEFAULT = "rules-en"


@dataclass(frozen=True, slots=True)
class Combined:
    """Several recognisers as one; overlaps: longest, then score, then order.

    >>> from .gazetteer import deny
    >>> both = Combined((deny(["Ann"]), deny(["Ann Ho"])))
    >>> [(span.start, span.stop) for span in both(["Ann Ho and Ann"])]
    [(0, 6), (11, 14)]
    """

    recognizers: tuple[Recognizer, ...]

    def __call__(self, texts: Sequence[str], progress: Progress | None = None) -> list[Span]:
        """The spans of all documents, none overlapping another."""
        return resolve(span for one in self.recognizers for span in found_by(one, texts, progress))


def found_by(
    recognizer: Recognizer, texts: Sequence[str], progress: Progress | None = None
) -> list[Span]:
    """The spans a recogniser gives; one that reports no progress is called with the texts alone.

    >>> found_by(lambda texts: [Span(0, 0, 3)], ["Ann"])[0].stop
    3
    """
    try:
        inspect.signature(recognizer).bind(texts, progress)
    except TypeError:
        found = recognizer(texts)
    else:
        found = recognizer(texts, progress)
    if not isinstance(found, Iterable):
        raise BadInput(f"expected spans, found {type(found).__name__}", where="recognizer")
    spans = list(found)
    for one in spans:
        if not isinstance(one, Span):
            raise BadInput(f"expected spans, found {type(one).__name__}", where="recognizer")
    return spans


def recogniser(*names: str | Recognizer, processes: int = 1) -> Recognizer:
    """A recogniser by name, several of them together.

    A name is `rules-en`, `rules-es`, a YAML file of rules, or an installed spaCy pipeline; `+`
    joins names. Anything that takes texts and gives spans is a recogniser as well. A spaCy pipeline
    runs in so many `processes`.

    >>> [span.label for span in recogniser("rules-en")(["Seen on 06/17/2021."])]
    ['DATE']
    """
    parts: list[Recognizer] = []
    for name in names:
        parts += [name] if callable(name) else [_named(one, processes) for one in name.split("+")]
    if not parts:
        raise BadInput("no recogniser named", where="recognizer", remedy=f"for instance {DEFAULT}")
    return parts[0] if len(parts) == 1 else Combined(tuple(parts))


def _named(name: str, processes: int) -> Recognizer:
    name = name.strip()
    if not name:
        raise BadInput("the name is empty", where="recognizer", remedy=f"for instance {DEFAULT}")
    if name.startswith("rules-"):
        from .rules import rules

        return rules(name.removeprefix("rules-"))
    if name.endswith((".yaml", ".yml")):
        from .expressions import read_rules

        loaded: Recognizer = read_rules(name)
        return loaded
    from .spacy_pipeline import Pipeline

    return Pipeline(name, processes)


def spans_of(recognizer: Any, texts: list[str], progress: Progress | None = None) -> list[Span]:
    """The spans of the texts, however they are given, resolved and checked.

    `recognizer` is None (the English rules), a name, a recogniser, spans, Presidio's result
    lists (one for each text), or a list of names and recognisers.

    >>> spans_of([Span(0, 4, 6, "PERSON")], ["Dr. Ho"])
    [Span(document=0, start=4, stop=6, label='PERSON', score=1.0, why='')]
    """
    if recognizer is None:
        recognizer = DEFAULT
    if isinstance(recognizer, str) or callable(recognizer):
        found = found_by(recogniser(recognizer), texts, progress)
    elif not isinstance(recognizer, Sequence):
        raise BadInput(
            f"expected a name, a recogniser or spans, found {type(recognizer).__name__}",
            where="recognizer",
        )
    elif all(isinstance(one, Span) for one in recognizer):
        found = list(recognizer)
    elif all(isinstance(one, str) or callable(one) for one in recognizer):
        found = found_by(recogniser(*recognizer), texts, progress)
    else:
        from .presidio import from_presidio

        found = from_presidio(recognizer)
    require_inside(found, texts)
    return resolve(found)
