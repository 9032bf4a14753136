"""Windows of k symbols, and the algorithms of string sanitization over coded sequences.

A text is int32: positive codes, 0 for a separator, -1 after every sequence. A window with a
separator or an end in it is no window.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import _core

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    Codes = NDArray[np.int32]
    Ints = NDArray[np.int64]
    Flags = NDArray[np.uint8]
    Report = Callable[[float], None] | None

FIRST, SEPARATED, OVERLAPPING = 0, 1, 2


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """A sequence as intervals of the original, each with how it follows the one before.

    `joins`: FIRST of its sequence, SEPARATED by a separator, or OVERLAPPING by k-1 symbols, which
    are then left out of the interval.
    """

    starts: Ints
    stops: Ints
    documents: Ints
    joins: Flags


def sensitive_windows(text: Codes, patterns: Codes, k: int, progress: Report = None) -> Flags:
    """Flags the places where one of the patterns (k codes each, one after another) stands.

    Cost: O(n).

    >>> import numpy as np
    >>> sensitive_windows(np.array([1, 2, 1, 2, -1], np.int32), np.array([1, 2], np.int32), 2)
    array([1, 0, 1, 0, 0], dtype=uint8)
    """
    return _core.sensitive_windows(text, patterns, k, progress)


def count_windows(text: Codes, windows: Codes, k: int) -> Ints:
    """How often each of the windows (k codes each) occurs in the text. Cost: O(n + windows).

    >>> import numpy as np
    >>> text = np.array([1, 2, 1, 2, -1], np.int32)
    >>> count_windows(text, np.array([1, 2, 2, 2], np.int32), 2).tolist()
    [2, 0]
    """
    return _core.count_windows(text, windows, k)


def distinct_windows(text: Codes, k: int) -> tuple[Ints, Ints]:
    """Where each distinct window stands first, and how often it occurs. Cost: O(n).

    >>> import numpy as np
    >>> places, counts = distinct_windows(np.array([1, 2, 1, 2, -1], np.int32), 2)
    >>> places.tolist(), counts.tolist()
    ([0, 1], [2, 1])
    """
    return _core.distinct_windows(text, k)


def compared_windows(before: Codes, after: Codes, k: int) -> tuple[Ints, Ints, Ints]:
    """Where each distinct window of two texts stands first, and how often it occurs in either.

    Places are those in `before` followed by `after`. Cost: O(n).

    >>> import numpy as np
    >>> before, after = np.array([1, 2, 1, -1], np.int32), np.array([2, 1, 1, -1], np.int32)
    >>> [found.tolist() for found in compared_windows(before, after, 2)]
    [[0, 1, 5], [1, 1, 0], [0, 1, 1]]
    """
    return _core.compared_windows(before, after, k)


def tfs(text: Codes, ends: Ints, sensitive: Flags, k: int, progress: Report = None) -> Pieces:
    """TFS-ALGO: the shortest sequences with the non-sensitive windows in order, as pieces.

    Paper: Theorem 2.1. Cost: O(n + k r) for r runs of sensitive windows.

    >>> import numpy as np
    >>> text, ends = np.array([1, 2, 3, 4, -1], np.int32), np.array([4])
    >>> pieces = tfs(text, ends, np.array([0, 1, 0, 0, 0], np.uint8), 2)
    >>> pieces.starts.tolist(), pieces.stops.tolist(), pieces.joins.tolist()
    ([0, 2], [2, 4], [0, 1])
    """
    return Pieces(*_core.tfs(text, ends, sensitive, k, progress))


def pfs(
    text: Codes, pieces: Pieces, k: int, shuffle: int | None = None, progress: Report = None
) -> Pieces:
    """PFS-ALGO: the blocks of every sequence so arranged that it is shortest.

    Blocks are tried in their order, or in a random one with `shuffle` as its seed.

    Paper: Theorem 2.2. Cost: O(k q) for q blocks.
    """
    return Pieces(
        *_core.pfs(
            text,
            pieces.starts,
            pieces.stops,
            pieces.documents,
            pieces.joins,
            k,
            shuffle is not None,
            shuffle or 0,
            progress,
        )
    )


def assemble(text: Codes, pieces: Pieces, documents: int) -> tuple[Codes, Ints]:
    """The text that pieces stand for, and where its sequences end. Cost: O(output)."""
    return _core.assemble(
        text, pieces.starts, pieces.stops, pieces.documents, pieces.joins, documents
    )


def candidate_windows(text: Codes, letters: Codes, k: int, progress: Report = None) -> Codes:
    """The distinct windows that some letter, or deletion, at some separator would create.

    Cost: O(k q l) for q separators and l letters.
    """
    return _core.candidate_windows(text, letters, k, progress)


def hide_and_mine(
    text: Codes,
    letters: Codes,
    windows: Codes,
    k: int,
    frequency: Ints,
    forbidden: Flags,
    tau: int,
    sweeps: int,
    progress: Report = None,
) -> NDArray[np.int32]:
    """The greedy choice at every separator: a letter's number, `len(letters)` (deleted) or -1.

    At most so many `sweeps` refine it. Cost: O(k q l) each.
    """
    return _core.hide_and_mine(
        text, letters, windows, k, frequency, forbidden, tau, sweeps, progress
    )


def choice_costs(
    text: Codes,
    letters: Codes,
    windows: Codes,
    k: int,
    weight: NDArray[np.float64],
    forbidden: Flags,
    progress: Report = None,
) -> NDArray[np.float64]:
    """c_ij: the summed weights of what each choice creates, infinite with a forbidden window.

    One row a separator, one column a letter and a last one for deletion. Cost: O(k q l).
    """
    costs = _core.choice_costs(text, letters, windows, k, weight, forbidden, progress)
    return costs.reshape(-1, len(letters) + 1)


def most_created(text: Codes, letters: Codes, windows: Codes, k: int) -> Ints:
    """The sum over separators of the most occurrences of each window that one choice creates."""
    return _core.most_created(text, letters, windows, k)


def incidences(
    text: Codes, letters: Codes, windows: Codes, k: int, progress: Report = None
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], Ints]:
    """Every window every choice creates: separator, choice, window's number, place in the text."""
    return _core.incidences(text, letters, windows, k, progress)


def etfs_cells(text: Codes, kept: Ints, k: int, most: int) -> float:
    """The steps one pass of `etfs` would take."""
    return _core.etfs_cells(text, kept, k, most)


def etfs(
    text: Codes, kept: Ints, k: int, most: int, progress: Report = None
) -> tuple[Codes, Ints, int]:
    """ETFS: codes, the place in the text each is aligned with (or -1), and the edit distance.

    `text` is one sequence without its end, `kept` where its non-sensitive windows start, `most` an
    upper bound on the distance, which narrows the search.

    Paper: Theorem 2.4. Cost: O(k n^2) time, O(n sqrt(n)) memory.
    """
    return _core.etfs(text, kept, k, most, progress)


def baseline(
    text: Codes,
    patterns: Codes,
    k: int,
    frequency: Ints,
    reverse: bool = False,
    progress: Report = None,
) -> Codes:
    """BA: one letter of every sensitive occurrence replaced, by the letters' frequencies.

    Cost: O(n k) and O(k^2 l) an occurrence.
    """
    return _core.baseline(text, patterns, k, frequency, reverse, progress)


def edit_distance(a: Codes, b: Codes, progress: Report = None) -> int:
    """Levenshtein's distance d. Cost: O(n d).

    >>> import numpy as np
    >>> edit_distance(np.array([1, 2, 3], np.int32), np.array([1, 3], np.int32))
    1
    """
    return int(_core.edit_distance(a, b, progress))
