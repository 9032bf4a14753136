"""The guarantee `matching`: at least k terms of W match the published pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...kernels.terms import best_patterns

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from ...core.values import Array


def fewest_stars(
    columns: Array, alphabet: int, k: int, progress: Callable[[float], None] | None = None
) -> NDArray[np.uint8]:
    """Stars of every term of one length: the fewest with k matches, else all of them.

    On ties the most matches, then the leftmost kept characters.

    Paper: Step 3, over Step 1-3 and 1-4. Cost: see `kernels.terms.best_patterns`.

    >>> import numpy as np
    >>> columns = np.array([[1, 1, 2], [3, 4, 4]], np.uint16)  # ac, ad, bd
    >>> fewest_stars(columns, 5, 2).tolist()  # a*, a*, *d
    [[0, 1], [0, 1], [1, 0]]
    """
    kept, _ = best_patterns(columns, alphabet, k, progress)
    return 1 - kept
