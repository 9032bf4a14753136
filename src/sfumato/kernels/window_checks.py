"""What verification asks of windows: equal ones by equal names, and whether they are kept.

Shares no code with the kernels that make releases. Symbols are positive numbers, and 0 breaks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.kernels import _checks

if TYPE_CHECKING:
    from .checks import Flags, Int32s, Int64s


def first_uncovered(
    wanted: Int64s, wanted_ends: Int64s, found: Int64s, found_ends: Int64s, k: int
) -> int:
    """The first document with a stretch of at least k symbols that is wanted more often than found.

    Both texts are symbols, one document after another, and the end of each; a symbol that is not
    positive ends a stretch. -1: every stretch is found as often as wanted.

    Cost: O(n) for few distinct symbols.

    >>> import numpy as np
    >>> found, ends = np.array([1, 2, 3, 0, 1, 2]), np.array([6])
    >>> first_uncovered(np.array([1, 2, 0, 2, 3]), np.array([5]), found, ends, 2)
    -1
    >>> first_uncovered(np.array([2, 3, 0, 2, 3]), np.array([5]), found, ends, 2)
    0
    """
    return int(_checks.first_uncovered(wanted, wanted_ends, found, found_ends, k))


def name_windows(text: Int32s, k: int) -> tuple[Int32s, int]:
    """The name of the window of k symbols at every place, equal for equal windows; how many names.

    -1 where no window stands: symbols are positive, and 0 breaks. Cost: O(n) expected.

    >>> import numpy as np
    >>> names, count = name_windows(np.array([1, 2, 1, 2, 0], np.int32), 2)
    >>> names.tolist(), count
    ([0, 1, 0, -1, -1], 2)
    """
    return _checks.name_windows(text, k)


def count_names(names: Int32s, size: int) -> Int64s:
    """How often every name below `size` occurs; -1 is none.

    >>> import numpy as np
    >>> count_names(np.array([0, 1, 0, -1], np.int32), 3).tolist()
    [2, 1, 0]
    """
    return _checks.count_names(names, size)


def first_out_of_order(
    text: Int32s, names: Int32s, sensitive: Flags, begins: Int64s, ends: Int64s, k: int, exact: bool
) -> tuple[int, int]:
    """The first place where the kept windows of sequences are not those of their releases in order.

    `begins` and `ends` have all sequences, then their releases. The windows of the release are the
    kept ones (`exact`), or have them as a subsequence. Places of both; -1, -1: they are.
    """
    return _checks.first_out_of_order(text, names, sensitive, begins, ends, k, exact)


def first_rarer(
    text: Int32s, names: Int32s, sensitive: Flags, begins: Int64s, ends: Int64s, k: int
) -> tuple[int, list[int]]:
    """The first sequence with a stretch of its blocks that is rarer in its release, or -1.

    And the sequences that would take too much memory to judge so. Cost: O(n log n).
    """
    return _checks.first_rarer(text, names, sensitive, begins, ends, k)


def blocks(
    text: Int32s,
    names: Int32s,
    sensitive: Flags,
    begins: Int64s,
    ends: Int64s,
    k: int,
    sequence: int,
) -> list[int]:
    """The blocks of one sequence, 0 between them: stretches of kept windows that overlap in k-1."""
    return _checks.blocks(text, names, sensitive, begins, ends, k, sequence)
