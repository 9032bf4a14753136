"""Repeats of a text by its suffix array: how far from each position a text occurs k times.

The text is an array of dense codes. Code 0 is the break: it ends every repeat. Callers give it
to document ends, masks and symbols too rare to be repeated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np

from ..core.errors import BadInput
from . import _core

T = TypeVar("T")

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Codes = NDArray[np.uint8] | NDArray[np.uint16] | NDArray[np.uint32]
    Lengths = NDArray[np.int32] | NDArray[np.int64]
    Progress = Callable[[float], object]

NARROW_LIMIT = 2**31 - 1
NOBODY = -(2**31)
STEPS = 5


class SuffixIndex:
    """The suffix array and the permuted LCP array of codes, ready for any number of k.

    `codes` is a contiguous array of uint8, uint16 or uint32 with dense values; 0 is the break.
    Texts of more than `narrow_limit` symbols get 64-bit numbers. `progress` is called with the
    share done; what it raises ends the work.

    Paper: Matsubara and Hasida, Section 4 (SA and LCP), with PLCP in place of LCP.
    Cost: O(n) time; 4 + 4 bytes per symbol beside the codes (8 + 8 for wide texts).

    >>> import numpy as np
    >>> index = SuffixIndex(np.frombuffer(b"abracadabra", np.uint8) - 96)
    >>> index.suffix_array
    array([10,  7,  0,  3,  5,  8,  1,  4,  6,  9,  2], dtype=int32)
    >>> index.repeat_lengths(2)
    array([4, 3, 2, 1, 0, 1, 0, 4, 3, 2, 1], dtype=int32)
    """

    def __init__(
        self,
        codes: Codes,
        *,
        progress: Progress | None = None,
        narrow_limit: int = NARROW_LIMIT,
    ):
        suffixes, lengths = _checked(_core.suffix_index, codes, narrow_limit, progress)
        self._codes = codes
        self._suffixes: Lengths = suffixes
        self._lengths: Lengths | None = lengths

    @property
    def suffix_array(self) -> Lengths:
        """The starts of all suffixes in lexicographic order, a proper prefix first.

        >>> import numpy as np
        >>> SuffixIndex(np.array([1, 1, 1], np.uint8)).suffix_array
        array([2, 1, 0], dtype=int32)
        """
        return self._suffixes

    @property
    def plcp(self) -> Lengths:
        """For each position the longest common prefix with the suffix sorted before it.

        A break equals nothing, not even another break, so no prefix reaches across one.
        Paper: Kärkkäinen, Manzini and Puglisi 2009, Section 3.

        >>> import numpy as np
        >>> SuffixIndex(np.array([1, 2, 1, 2, 1, 0], np.uint8)).plcp
        array([3, 2, 1, 0, 0, 0], dtype=int32)
        """
        if self._lengths is None:
            raise BadInput(
                "this index was used up by repeat_lengths(last=True)",
                remedy="make a new SuffixIndex, or give last=True with the last k only",
            )
        return self._lengths

    def repeat_lengths(
        self,
        k: int,
        *,
        labels: NDArray[np.int32] | None = None,
        ends: NDArray[np.int64] | None = None,
        last: bool = False,
        progress: Progress | None = None,
    ) -> Lengths:
        """For each position p the longest L such that T[p .. p+L) occurs at least k times.

        With `labels`, one per document, substrings count once per distinct label of the documents
        that contain them; `ends` has the position of the break after each document, ascending.
        Documents with the label NOBODY are not counted.
        `last=True` reuses the memory of the PLCP array: the index cannot be asked again.

        Paper: Matsubara and Hasida, Algorithm 1 (L), Section 7.2 (distinct documents).
        Cost: O(n) whatever k is; 4 bytes per symbol unless `last`, 4 more with `labels`.

        >>> import numpy as np
        >>> index = SuffixIndex(np.array([1, 2, 0, 1, 2, 0, 2, 0], np.uint8))
        >>> ends = np.array([2, 5, 7])
        >>> index.repeat_lengths(2, labels=np.array([1, 1, 2], np.int32), ends=ends)
        array([0, 1, 0, 0, 1, 0, 1, 0], dtype=int32)
        """
        plcp = self.plcp
        if k < 1:
            raise BadInput(f"k must be at least 1, found {k}", remedy="give k >= 1")
        if (labels is None) != (ends is None):
            raise BadInput("labels and ends must be given together", remedy="give both or neither")
        if last:
            self._lengths = None
        if k == 1:
            return cast("Lengths", _core.break_distances(self._codes, plcp.itemsize == 8))
        lengths = plcp if last else plcp.copy()
        if labels is None or ends is None:
            _checked(_core.repeat_lengths, self._suffixes, lengths, k, progress)
        else:
            kernel = _core.shared_repeat_lengths
            _checked(kernel, self._codes, self._suffixes, lengths, k, labels, ends, progress)
        return lengths

    def copied(
        self, least: int, labels: NDArray[np.int32], ends: NDArray[np.int64]
    ) -> NDArray[np.uint8]:
        """Flags what stands in a passage of at least `least` that another label's text has before.

        The first document of the text that has it is no copy, nor are others of its label.

        Cost: O(n).

        >>> import numpy as np
        >>> index = SuffixIndex(np.array([1, 2, 3, 0, 4, 1, 2, 3, 0], np.uint8))
        >>> index.copied(3, np.array([0, 1], np.int32), np.array([3, 8]))
        array([0, 0, 0, 0, 0, 1, 1, 1, 0], dtype=uint8)
        """
        flags = np.zeros(len(self._suffixes), np.uint8)
        _checked(_core.mark_copied, self._suffixes, self.plcp, least, labels, ends, flags)
        return flags


class SharedStretches:
    """What `SuffixIndex(codes).repeat_lengths(k)` tells as more and more codes are starred.

    Stretches of one code, of two, of three that k share are found once, then counted where they
    are still legible. Where they stand in more than `STEPS` places a code, every count makes a
    suffix array.

    Cost: O(n + the sum of all lengths) in time, and 4 bytes for each of that sum.

    >>> import numpy as np
    >>> ends = np.array([2, 5, 7])
    >>> codes = np.array([1, 2, 0, 1, 2, 0, 2, 0], np.uint8)
    >>> found = SharedStretches(codes, 2, labels=np.array([1, 1, 2], np.int32), ends=ends)
    >>> found.repeat_lengths(np.zeros(8, np.uint8))
    array([0, 1, 0, 0, 1, 0, 1, 0], dtype=int32)
    >>> found.repeat_lengths(np.array([0, 0, 0, 0, 0, 0, 1, 0], np.uint8))
    array([0, 0, 0, 0, 0, 0, 0, 0], dtype=int32)
    """

    def __init__(
        self,
        codes: Codes,
        k: int,
        *,
        labels: NDArray[np.int32] | None,
        ends: NDArray[np.int64],
        progress: Progress | None = None,
    ):
        self._codes, self._k, self._labels, self._ends = codes, k, labels, ends
        self._found: _core.SharedStretches | None = None
        self._lengths = np.empty(0, np.int32)
        if k > 1:
            most = STEPS * len(codes)
            kernel = _core.shared_stretches
            found = _checked(kernel, codes, k, labels, ends, most, progress)
            self._found = cast("_core.SharedStretches | None", found)

    def repeat_lengths(self, stars: NDArray[np.uint8], progress: Progress | None = None) -> Lengths:
        """L where stars (1) stand, in an array that the next call writes again."""
        if self._found is not None:
            if not len(self._lengths):
                self._lengths = np.empty(len(self._codes), np.int32)
            _checked(self._found.count, stars, self._k, self._lengths)
            return self._lengths
        index = SuffixIndex(self._codes * (stars != 1), progress=progress)
        return index.repeat_lengths(
            self._k,
            labels=self._labels,
            ends=None if self._labels is None else self._ends,
            last=True,
            progress=progress,
        )


def shared_when_shown(
    codes: Codes,
    k: int,
    *,
    labels: NDArray[np.int32] | None,
    ends: NDArray[np.int64],
    stars: NDArray[np.uint8],
    asked: NDArray[np.uint8],
) -> NDArray[np.uint8]:
    """Of `asked` starred words whether k share each, once it is legible; others as stars stand.

    Cost: O(n).

    >>> import numpy as np
    >>> codes, ends = np.array([1, 2, 0, 1, 2, 0], np.uint8), np.array([2, 5])
    >>> stars = np.array([0, 1, 0, 1, 1, 0], np.uint8)
    >>> shared_when_shown(codes, 2, labels=None, ends=ends, stars=stars, asked=stars)
    array([0, 0, 0, 1, 0, 0], dtype=uint8)
    """
    found = asked.copy()
    _checked(_core.shared_when_shown, codes, k, labels, ends, stars, found)
    return found


def _checked(kernel: Callable[..., T], *arguments: object) -> T:
    """Call a compiled kernel; what it refuses is bad input."""
    try:
        return kernel(*arguments)
    except ValueError as error:
        raise BadInput(str(error)) from None
