"""Several recognisers as one; what each gives is checked."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from ..core.errors import BadInput
from ..core.spans import Span
from .overlaps import resolve

if TYPE_CHECKING:
    from ..core.progress import Progress

# The one protocol: documents in, spans out; a second argument, if it takes one, reports progress,
# a third says whose text each is.
Recognizer: TypeAlias = "Callable[..., list[Span]]"


@dataclass(frozen=True, slots=True)
class CombinedRecognizer:
    """Several recognisers as one; overlaps: longest, then score, then order.

    >>> from .gazetteer import deny
    >>> both = CombinedRecognizer((deny(["Ann"]), deny(["Ann Ho"])))
    >>> [(span.start, span.stop) for span in both(["Ann Ho and Ann"])]
    [(0, 6), (11, 14)]
    """

    recognizers: tuple[Recognizer, ...]

    def __call__(
        self,
        texts: Sequence[str],
        progress: Progress | None = None,
        groups: Sequence[Hashable] | None = None,
    ) -> list[Span]:
        """The spans of all documents, none overlapping another."""
        return resolve(
            span for one in self.recognizers for span in found_by(one, texts, progress, groups)
        )


def found_by(
    recognizer: Recognizer,
    texts: Sequence[str],
    progress: Progress | None = None,
    groups: Sequence[Hashable] | None = None,
) -> list[Span]:
    """The spans a recogniser gives; what it does not take (progress, groups) it is not given.

    >>> found_by(lambda texts: [Span(0, 0, 3)], ["Ann"])[0].stop
    3
    """
    every = (texts, progress, groups)
    for arguments in (every, every[:2], every[:1]):
        try:
            inspect.signature(recognizer).bind(*arguments)
        except TypeError:
            continue
        break
    found = recognizer(*arguments)
    if not isinstance(found, Iterable):
        raise BadInput(f"expected spans, found {type(found).__name__}", where="recognizer")
    spans = list(found)
    for one in spans:
        if not isinstance(one, Span):
            raise BadInput(f"expected spans, found {type(one).__name__}", where="recognizer")
    return spans
