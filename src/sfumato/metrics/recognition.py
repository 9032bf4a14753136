"""How much of what identifies a recogniser finds, and how much of what it finds identifies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.spans import Span


@dataclass(frozen=True, slots=True)
class LabelRecall:
    """Of the gold spans of one label: how many there are, and how many were found.

    `covered`: every symbol lies in some found span, whatever its label, so that nothing of it
    would stay legible; `touched`: at least one symbol does; `exact`: a found span has its bounds.
    """

    gold: int
    covered: int
    touched: int
    exact: int

    @property
    def recall(self) -> float:
        """The share that was covered."""
        return self.covered / self.gold if self.gold else 1.0


@dataclass(frozen=True, slots=True)
class LabelPrecision:
    """Of the found spans of one label: how many, and how many touch a gold span."""

    found: int
    right: int

    @property
    def precision(self) -> float:
        """The share that touches a gold span."""
        return self.right / self.found if self.found else 1.0


def recall(
    gold: Iterable[Span], found: Sequence[Span], texts: Sequence[str]
) -> dict[str, LabelRecall]:
    """What was found of the gold spans, by their label. Cost: O(n).

    >>> from sfumato import Span
    >>> gold = [Span(0, 0, 6, "PERSON"), Span(0, 7, 9, "AGE")]
    >>> recall(gold, [Span(0, 0, 6, "NAME")], ["Ann Ho 44"])["PERSON"].recall
    1.0
    """
    sums = _sums(found, texts)
    bounds = {(span.document, span.start, span.stop) for span in found}
    counts: dict[str, list[int]] = {}
    for span in gold:
        inside = int(sums[span.document][span.stop] - sums[span.document][span.start])
        count = counts.setdefault(span.label, [0, 0, 0, 0])
        count[0] += 1
        count[1] += inside == span.stop - span.start
        count[2] += inside > 0
        count[3] += (span.document, span.start, span.stop) in bounds
    return {label: LabelRecall(*count) for label, count in sorted(counts.items())}


def precision(
    gold: Sequence[Span], found: Iterable[Span], texts: Sequence[str]
) -> dict[str, LabelPrecision]:
    """How many found spans are right, by their label. Cost: O(n).

    >>> from sfumato import Span
    >>> precision([], [Span(0, 0, 3, "PERSON")], ["Ann"])["PERSON"].precision
    0.0
    """
    sums = _sums(gold, texts)
    counts: dict[str, list[int]] = {}
    for span in found:
        count = counts.setdefault(span.label, [0, 0])
        count[0] += 1
        count[1] += bool(sums[span.document][span.stop] > sums[span.document][span.start])
    return {label: LabelPrecision(*count) for label, count in sorted(counts.items())}


def total(counts: Mapping[str, LabelRecall], labels: Iterable[str]) -> LabelRecall:
    """The labels together.

    >>> total({"A": LabelRecall(2, 1, 1, 1), "B": LabelRecall(3, 3, 3, 0)}, ["A", "B"])
    LabelRecall(gold=5, covered=4, touched=4, exact=1)
    """
    chosen = [counts[label] for label in labels if label in counts]
    return LabelRecall(
        sum(one.gold for one in chosen),
        sum(one.covered for one in chosen),
        sum(one.touched for one in chosen),
        sum(one.exact for one in chosen),
    )


def _sums(spans: Iterable[Span], texts: Sequence[str]) -> list[NDArray[np.int64]]:
    """For each text, how many symbols before each place lie in a span."""
    covered = [np.zeros(len(text) + 1, np.int64) for text in texts]
    for span in spans:
        covered[span.document][span.start + 1 : span.stop + 1] = 1
    return [np.cumsum(one) for one in covered]
