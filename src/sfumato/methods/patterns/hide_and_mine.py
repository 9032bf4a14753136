"""Hide and Mine: separators replaced left to right, the frequencies kept up to date; refined."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...kernels import patterns as kernels
from .separators import require_admissible

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from .separators import Choices


SWEEPS = 6  # on real data the last ones change little


def hide_and_mine(
    choices: Choices, tau: int, progress: Callable[[float], None] | None = None
) -> NDArray[np.int32]:
    """At each separator the letter with the least sum of 1/(tau - f) over infrequent windows.

    f counts what earlier letters have created too. Ties: the least added distortion, then the first
    letter; deletion only when no letter is admissible. Then the separators are gone through again,
    at most SWEEPS times: another letter is taken if it makes fewer ghosts, or as many and less
    distortion.

    Paper: Hide and Mine in Strings, the greedy heuristic. Cost: O(n + k q l).
    """
    chosen = kernels.hide_and_mine(
        choices.text,
        choices.letters,
        choices.windows,
        choices.k,
        choices.frequency,
        choices.forbidden,
        tau,
        SWEEPS,
        progress,
    )
    require_admissible(choices, chosen < 0)
    return chosen
