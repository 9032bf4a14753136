"""Which symbols stay legible, given how far each position's k-repeat reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from . import _core

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from .repeats import Lengths
    from .spill import Make


def cover(
    lengths: Lengths,
    ends: NDArray[np.int64],
    *,
    how: Literal["fewest", "longest-first"] = "fewest",
    tokens: NDArray[np.int64] | None = None,
    kept: NDArray[np.uint8] | None = None,
    blocked: NDArray[np.uint8] | None = None,
    min_run: int = 1,
    run_price: int = 0,
    make: Make | None = None,
    progress: Callable[[float], None] | None = None,
) -> NDArray[np.uint8]:
    """Stars (1) and legible symbols (0) such that every legible stretch is a k-repeat.

    `lengths` is L over the encoded text, `ends` where each document ends; `tokens` (their starts
    and a final n) are starred whole; `kept` symbols are never starred; `blocked` ones always are,
    and `lengths` is clipped at them in place. `make(size, dtype)` gives the array of stars and the
    working memory of `fewest`; by default both are in memory, the latter for a document at a time.

    Paper: Algorithm 2 (`longest-first`); `fewest` is the exact minimum. Cost: O(n).

    >>> import numpy as np
    >>> lengths = np.array([4, 3, 2, 1, 0, 1, 0, 4, 3, 2, 1, 0], np.int32)  # abracadabra, k = 2
    >>> cover(lengths, np.array([11]))[:11]
    array([0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0], dtype=uint8)
    """
    size = len(lengths)
    stars = np.zeros(size, np.uint8) if make is None else make(size, np.uint8)
    greedy = tokens is None and kept is None and min_run <= 1 and run_price == 0
    needs_steps = make is not None and how == "fewest" and not greedy
    steps = make(size + 1, lengths.dtype) if make is not None and needs_steps else None
    _core.cover(
        lengths,
        ends,
        tokens,
        kept,
        blocked,
        how == "longest-first",
        min_run,
        run_price,
        stars,
        steps,
        progress,
    )
    return stars
