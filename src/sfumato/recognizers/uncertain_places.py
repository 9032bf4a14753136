"""The places that are worth reviewing first: what a recogniser nearly missed, and nearly found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, Any

from ..core.errors import BadInput
from .combine import found_by

if TYPE_CHECKING:
    from ..core.progress import Progress
    from ..core.spans import Span

MORE = 1.5  # how much more a recogniser leans to find what it nearly found


@dataclass(frozen=True, slots=True)
class Doubt:
    """A place, and whether the recogniser found it."""

    span: Span
    found: bool


def uncertain(
    recognizer: Any, texts: Sequence[str], count: int, progress: Progress | None = None
) -> list[Doubt]:
    """The `count` most doubtful places, the most doubtful first.

    A score of a half is the most doubtful. A recogniser that can lean (`leaning`) also tells what
    it nearly found: places that it finds when it leans more, with the odds against them.

    >>> from .names import Names
    >>> texts = ["they met at swan"]
    >>> [doubt.found for doubt in uncertain(Names(), texts, 1)]
    [False]
    """
    if count < 1:
        raise BadInput(f"must be at least 1, found {count}", where="uncertain")
    found = found_by(recognizer, texts, progress)
    doubts = [Doubt(span, True) for span in found]
    leaning = getattr(recognizer, "leaning", None)
    if leaning is not None:
        taken: dict[int, list[Span]] = {}
        for span in found:
            taken.setdefault(span.document, []).append(span)
        for span in found_by(leaning(MORE), texts):
            near = taken.get(span.document, ())
            if not any(one.start < span.stop and span.start < one.stop for one in near):
                doubts.append(Doubt(span, False))
    return sorted(doubts, key=_doubtful)[:count]


def _doubtful(doubt: Doubt) -> tuple[float, int, int]:
    """Sorts the most doubtful first; a place that was not found has the odds without the lean."""
    score = min(max(doubt.span.score, 0.001), 0.999)
    odds = log(score / (1 - score)) - (0 if doubt.found else MORE)
    return abs(odds), doubt.span.document, doubt.span.start
