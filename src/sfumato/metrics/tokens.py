"""Token-level precision and recall, as the substrings paper evaluates suppression."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .masked_symbols import flags_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.spans import Span
    from ..core.values import Array

    Flags = NDArray[np.bool_]

# Never suppressed, and so the borders of tokens. The paper has 16 and names some: "space, new line
# character, tab, parentheses, etc."
EXEMPT = " \n\t\r()[].,;:\"'/-"
SHARE = 0.2  # the paper's R


@dataclass(frozen=True, slots=True)
class TokenScores:
    """How many tokens were rightly protected, wrongly protected, and missed."""

    right: int
    wrong: int
    missed: int
    tokens: int

    @property
    def precision(self) -> float:
        """Of the protected tokens the share that is gold; 1 if there are none."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        """Of the gold tokens the share that is protected; 1 if there are none."""
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    def as_dict(self) -> dict[str, float]:
        """Name -> number."""
        counts = {"right": self.right, "wrong": self.wrong, "missed": self.missed}
        shares = {"precision": self.precision, "recall": self.recall, "f1": self.f1}
        return {**shares, **counts, "tokens": self.tokens}


def token_scores(
    texts: Sequence[str],
    masked: Sequence[Flags],
    gold: Iterable[Span],
    share: float = SHARE,
    exempt: str = EXEMPT,
) -> TokenScores:
    """Tokens stand between exempt symbols; one is protected with more than `share` of it masked.

    A token is gold if a gold span touches it. Paper: Section 6.2. Cost: O(n).

    >>> from sfumato import Span
    >>> masked = [np.array([symbol == "★" for symbol in "★★★ Li has ★★★"])]
    >>> token_scores(["Ann Li has flu"], masked, [Span(0, 0, 6, "PERSON")])
    TokenScores(right=1, wrong=1, missed=1, tokens=4)
    """
    spans: dict[int, list[tuple[int, int]]] = {}
    for span in gold:
        spans.setdefault(span.document, []).append((span.start, span.stop))
    counts = np.zeros(4, np.int64)
    for number, (text, flags) in enumerate(zip(texts, masked, strict=True)):
        starts, stops = tokens_between(text, exempt)
        marked = flags_of(spans.get(number, []), len(text))
        hidden = _inside(flags, starts, stops) > share * (stops - starts)
        wanted = _inside(marked, starts, stops) > 0
        found = (hidden & wanted, hidden & ~wanted, ~hidden & wanted, np.ones_like(hidden))
        counts += np.array([np.count_nonzero(one) for one in found])
    return TokenScores(*counts.tolist())


def tokens_between(text: str, exempt: str) -> tuple[Array, Array]:
    """Where the longest runs without an exempt symbol start and stop.

    >>> [one.tolist() for one in tokens_between("Ann (44)", " ()")]
    [[0, 5], [3, 7]]
    """
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    borders = np.isin(codes, [ord(symbol) for symbol in exempt])
    edges = np.flatnonzero(np.diff((~borders).astype(np.int8), prepend=0, append=0))
    return edges[::2], edges[1::2]


def _inside(flags: Flags, starts: Array, stops: Array) -> Array:
    sums = np.concatenate([[0], np.cumsum(flags)])
    inside: Array = sums[stops] - sums[starts]
    return inside
