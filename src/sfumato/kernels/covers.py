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
    from .text import Codes


def try_stars(
    codes: Codes,
    ends: NDArray[np.int64],
    stars: NDArray[np.uint8],
    turn: int,
    *,
    hashed: int,
    tokens: NDArray[np.int64] | None = None,
    fixed: NDArray[np.uint8] | None = None,
) -> int:
    """Marks stars, by 2 and in place, that `judge_stars` may give back; no two in one stretch.

    Returns how many tokens. In the turns below `hashed` equal tokens are marked together, in the
    others every second one; `fixed` stars and breaks (code 0) never. Cost: O(n).

    >>> import numpy as np
    >>> stars = np.array([1, 0, 1, 1, 0], np.uint8)
    >>> try_stars(np.array([1, 2, 1, 2, 0], np.uint8), np.array([4]), stars, 0, hashed=0)
    1
    >>> stars.tolist()
    [1, 0, 2, 1, 0]
    """
    return _core.try_stars(codes, ends, tokens, fixed, turn, hashed, stars)


def part_runs(
    codes: Codes,
    stars: NDArray[np.uint8],
    k: int,
    *,
    tokens: NDArray[np.int64] | None = None,
    kept: NDArray[np.uint8] | None = None,
) -> int:
    """Parts text that repeats itself into equal pieces, of which k do not overlap: how many runs.

    `codes` are 0 where stars stood; `stars`, changed in place, are those and what a cover added. A
    cover's piece that occurs a second time across the cover's own star is part of such a run.
    Cost: O(n) for each of the first eight periods.

    >>> import numpy as np
    >>> stars = np.array([0, 0, 0, 0, 0, 0, 1, 0], np.uint8)
    >>> part_runs(np.array([1, 1, 1, 1, 1, 1, 1, 0], np.uint8), stars, 2), stars.tolist()
    (1, [0, 0, 0, 1, 0, 0, 0, 0])
    """
    return _core.part_runs(codes, tokens, kept, k, stars)


def judge_stars(
    lengths: Lengths, ends: NDArray[np.int64], stars: NDArray[np.uint8], *, min_run: int = 1
) -> tuple[int, int]:
    """Stars again, in place, what is marked in a stretch that L does not cover: how many symbols.

    L counts marked symbols as legible. When it covers all of them they become legible; the second
    number says how many. Cost: O(n).

    >>> import numpy as np
    >>> stars = np.array([2, 0, 1, 2, 0], np.uint8)
    >>> judge_stars(np.array([2, 1, 0, 0, 0], np.int32), np.array([4]), stars), stars.tolist()
    ((1, 1), [2, 0, 1, 1, 0])
    """
    return _core.judge_stars(lengths, ends, min_run, stars)


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
