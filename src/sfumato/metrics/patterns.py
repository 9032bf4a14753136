"""Measures of a sanitized sequence: frequencies, lost and ghost patterns, lengths, edit distance.

Every function takes the original and the released sequence (a str or a sequence of symbols; with
`collection` lists of these), counts windows of k symbols, and ignores those with the separator.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..kernels import patterns as kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.values import Data

    Codes = NDArray[np.int32]
    Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Frequencies:
    """Every distinct window of two texts (a row of k codes) and its frequency in both."""

    windows: Codes
    before: Ints
    after: Ints
    sensitive: NDArray[np.bool_]
    original: Codes


@dataclass(frozen=True, slots=True)
class Utility:
    """What sanitizing cost, in the paper's measures."""

    length: int
    released_length: int
    distortion: int
    lost: int
    ghosts: int
    implausible: int | None

    def as_dict(self) -> dict[str, int | None]:
        """Name -> number."""
        return asdict(self)


def utility(
    original: Data,
    released: Data,
    patterns: Iterable[Data],
    k: int,
    tau: int = 1,
    rho: float | None = None,
    separator: object = "#",
    collection: bool = False,
) -> Utility:
    """All measures at once; `patterns` are the sensitive windows of k symbols.

    Paper: Section 7. Cost: O(n).

    >>> utility("aabaab", "aab#baab", ["aba"], 3)
    Utility(length=6, released_length=8, distortion=0, lost=0, ghosts=0, implausible=None)
    """
    found = frequencies(original, released, patterns, k, separator, collection)
    many = (original, released) if collection else ([original], [released])
    length, released_length = (sum(len(one) for one in group) for group in many)
    return Utility(
        length,
        released_length,
        distortion(found),
        lost(found, tau),
        ghosts(found, tau),
        None if rho is None else implausible(found, rho),
    )


def frequencies(
    original: Data,
    released: Data,
    patterns: Iterable[Data],
    k: int,
    separator: object = "#",
    collection: bool = False,
) -> Frequencies:
    """Counts every window of k symbols in both texts. Cost: O(n)."""
    groups = [
        list(original) if collection else [original],
        list(released) if collection else [released],
        list(patterns),
    ]
    before, after, secret = coded(groups, separator)
    places, counted_before, counted_after = kernels.compared_windows(before, after, k)
    both = np.concatenate((before, after))
    windows = windows_at(both, places, k)
    sensitive = kernels.count_windows(secret, windows.ravel(), k) > 0
    return Frequencies(windows, counted_before, counted_after, sensitive, before)


def windows_at(text: Codes, places: Ints, k: int) -> Codes:
    """The windows of k symbols at some places, as rows.

    >>> windows_at(np.array([1, 2, 3, -1], np.int32), np.array([0, 1]), 2).tolist()
    [[1, 2], [2, 3]]
    """
    if len(text) < k:
        return np.zeros((0, k), np.int32)
    return np.ascontiguousarray(np.lib.stride_tricks.sliding_window_view(text, k)[places])


def coded(groups: Sequence[Sequence[Data]], separator: Any) -> list[Codes]:
    """Groups of sequences as texts of codes: 0 for the separator, -1 after each sequence.

    >>> [text.tolist() for text in coded([["ab", "b#"], ["a"]], "#")]
    [[98, 99, -1, 99, 0, -1], [98, -1]]
    """
    if all(isinstance(one, str) for group in groups for one in group):
        joined = ["".join(one + "\0" for one in group) for group in groups]
        result = [
            np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int32) + 1
            for text in joined
        ]  # code points, and one more: symbols are positive
        for text, group in zip(result, groups, strict=True):
            text[text == ord(separator) + 1] = 0
            text[np.cumsum([len(one) + 1 for one in group], dtype=np.int64) - 1] = -1
        return result
    numbers: dict[object, int] = {separator: 0}
    return [
        np.array(
            [
                code
                for one in group
                for code in (*(numbers.setdefault(s, len(numbers)) for s in one), -1)
            ],
            np.int32,
        )
        for group in groups
    ]


def distortion(found: Frequencies) -> int:
    """The sum over non-sensitive windows of the squared change of frequency (Section 7)."""
    change = (found.after - found.before)[~found.sensitive]
    return int((change.astype(np.int64) ** 2).sum())


def lost(found: Frequencies, tau: int) -> int:
    """How many non-sensitive windows are tau-lost: frequent in the original, not in the release."""
    return int((~found.sensitive & (found.before >= tau) & (found.after < tau)).sum())


def ghosts(found: Frequencies, tau: int) -> int:
    """How many windows are tau-ghosts: frequent in the release, not in the original."""
    return int((~found.sensitive & (found.before < tau) & (found.after >= tau)).sum())


def implausible(found: Frequencies, rho: float) -> int:
    """How many distinct windows that became more frequent are rho-implausible (Section 5.3)."""
    created = found.after > found.before
    return int((z_scores(found.windows[created], found.original) < rho).sum())


def z_scores(rows: Codes, reference: Codes) -> NDArray[np.float64]:
    """Z of windows (rows): frequency against the one that their parts let expect."""
    k = rows.shape[1]

    def f(start: int, stop: int) -> NDArray[np.float64]:
        part = np.ascontiguousarray(rows[:, start:stop]).ravel()
        return kernels.count_windows(reference, part, stop - start).astype(np.float64)

    inner = f(1, k - 1)
    expected = np.divide(f(0, k - 1) * f(1, k), inner, out=np.zeros_like(inner), where=inner > 0)
    result: NDArray[np.float64] = (f(0, k) - expected) / np.maximum(np.sqrt(expected), 1.0)
    return result


def edit_distance(original: Data, released: Data) -> int:
    """Levenshtein's distance between two sequences. Cost: O(n d) for distance d.

    >>> edit_distance("aaabbaabaccbbb", "aaabaccb#cbbb")
    5
    """
    first, second = coded([[original], [released]], "\0")
    return kernels.edit_distance(first, second)


def edit_distance_relative_error(original: Data, tfs: object, etfs: object) -> float:
    """EDRE = (d(W, X) - d(W, X_ED)) / d(W, X_ED); 0 when both equal the original (Section 7).

    >>> edit_distance_relative_error("aaabbaabaccbbb", "aaabaccb#cbbb", "aaab#aabaccb#cbbb")
    0.25
    """
    least = edit_distance(original, etfs)
    return (edit_distance(original, tfs) - least) / least if least else 0.0
