"""Places that are starred whatever their count, in the layout of symbols."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Literal

import numpy as np

from ...core.printed_form import by_sizes
from ...kernels import text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...core.spans import Span
    from ...kernels.spill import Make


@dataclass(frozen=True, slots=True)
class Places:
    """Spans of texts, in order; with a `unit`, words or graphemes they touch are starred whole."""

    texts: list[str]
    spans: list[Span]
    unit: Literal["word", "grapheme"] | None = None

    __repr__ = by_sizes

    def symbols(self, make: Make = np.zeros) -> NDArray[np.uint8]:
        """A flag for every symbol of the texts, one break after each document. Cost: O(n).

        >>> from sfumato import Span
        >>> Places(["Dr. Ho", "x"], [Span(0, 4, 5)], "word").symbols().tolist()
        [0, 0, 0, 0, 1, 1, 0, 0, 0]
        """
        sizes = np.fromiter(map(len, self.texts), np.int64, len(self.texts))
        begins = (np.cumsum(sizes + 1) - sizes - 1).tolist()
        flags = make(int(sizes.sum()) + len(sizes), np.uint8)
        for document, spans in groupby(self.spans, key=attrgetter("document")):
            borders = None
            if self.unit is not None:
                borders = text.token_starts([self.texts[document]], self.unit).starts
            for span in spans:
                start, stop = span.start, span.stop
                if borders is not None:
                    start = int(borders[np.searchsorted(borders, start, "right") - 1])
                    stop = int(borders[np.searchsorted(borders, stop, "left")])
                flags[begins[document] + start : begins[document] + stop] = 1
        return flags
