"""The exact searches for t-plausible texts: one level of every word's hypernym path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _core

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

TooManyStates = _core.TooManyStates


def plausible_uniform(
    entropies: NDArray[np.float64],
    starts: NDArray[np.int64],
    log_t: float,
    alpha: float,
    progress: Callable[[float], None] | None = None,
) -> list[int]:
    """The levels of least cost whose entropies add up to at least log t; empty if there are none.

    Word i has the levels `entropies[starts[i]:starts[i + 1]]`.

    Paper: Definition 4, equation (1). Cost: a Pareto dynamic program over (sum, cost).

    >>> import numpy as np
    >>> entropies = np.log2([1, 4, 32, 1, 2, 1, 2, 1, 2])  # Figure 2
    >>> plausible_uniform(entropies, np.array([0, 3, 5, 7, 9]), 5.0, 0.5)
    [1, 1, 1, 1]
    """
    return _core.plausible_uniform(entropies, starts, log_t, alpha, progress)


def plausible_smallest(
    volumes: NDArray[np.int64],
    starts: NDArray[np.int64],
    t: int,
    progress: Callable[[float], None] | None = None,
) -> list[int]:
    """The levels whose volumes have the least product of at least t; empty if there are none.

    Of equal products the one of lower uniform cost, then of lower levels.

    Paper: Definition 3. Cost: O(words x levels x min(t, products below t)).

    >>> import numpy as np
    >>> plausible_smallest(np.array([1, 4, 32, 1, 2, 1, 3]), np.array([0, 3, 5, 7]), 6)
    [0, 1, 1]
    """
    return _core.plausible_smallest(volumes, starts, t, progress)
