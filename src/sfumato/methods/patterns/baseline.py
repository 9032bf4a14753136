"""BA: the baseline that replaces one letter in every sensitive occurrence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...kernels import patterns as kernels

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from .sensitive import Sensitive
    from .sequences import EncodedSequences


def baseline(
    encoded: EncodedSequences,
    sensitive: Sensitive,
    reverse: bool = False,
    progress: Callable[[float], None] | None = None,
) -> NDArray[np.int32]:
    """The most frequent letter of each sensitive occurrence becomes the rarest one not in it.

    Never such that a sensitive pattern appears; a separator where no letter will do. `reverse`: the
    rarest letter becomes the most frequent one.

    Paper: Section 7, BA. Cost: O(n k).
    """
    codes = encoded.codes
    largest = max(int(codes.max(initial=0)), int(sensitive.codes.max(initial=0)))
    frequency = np.bincount(codes[codes > 0], minlength=largest + 1).astype(np.int64)
    return kernels.baseline(codes, sensitive.codes, sensitive.k, frequency, reverse, progress)
