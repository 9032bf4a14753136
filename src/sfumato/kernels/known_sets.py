"""Which items people may show, so that who knows m of them finds k people or nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _core

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

MOST_KNOWN = 8


def shown_items(
    classes: NDArray[np.int32],
    offsets: NDArray[np.int64],
    codes: NDArray[np.int32],
    k: int,
    m: int,
    above: tuple[NDArray[np.int64], NDArray[np.int32]] | None = None,
    progress: Callable[[float], None] | None = None,
) -> NDArray[np.int32]:
    """What is shown of each person's items: the item, a more general one, or -1 for nothing.

    `codes` are the distinct items of each person in compressed rows; `above` are, in compressed
    rows for each item, more general ones, numbered from the most special to the widest. In every
    class each set of up to m shown items is shown by at least k people.
    Paper: Terrovitis, Mamoulis & Kalnis 2008, k^m-anonymity; here by local suppression.
    Cost: O(items x shown sets of up to m - 1) hash steps; for m = 2 O(sum of squares of sizes).

    >>> import numpy as np
    >>> one = np.zeros(3, np.int32)
    >>> offsets, codes = np.array([0, 2, 4, 5]), np.array([0, 1, 0, 1, 0], np.int32)
    >>> shown_items(one, offsets, codes, k=3, m=2).tolist()
    [0, -1, 0, -1, 0]
    """
    import numpy as np

    if above is None:
        items = int(codes.max(initial=-1)) + 1
        above = np.zeros(items + 1, np.int64), np.zeros(0, np.int32)
    return np.asarray(_core.known_sets(classes, offsets, codes, *above, k, m, progress), np.int32)
