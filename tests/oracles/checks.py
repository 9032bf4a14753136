"""Substring k-anonymity by its definition: scan for every occurrence of every stretch."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

Stretch = tuple[int, int, int]
"""Document, start, stop."""


def count(
    reference: Sequence[Sequence[object]],
    stretch: Sequence[object],
    labels: Sequence[int] | None = None,
) -> int:
    """Places (overlapping ones too) at which a stretch occurs, or distinct labels it is under."""
    places = [
        document
        for document, text in enumerate(reference)
        for p in range(len(text) - len(stretch) + 1)
        if text[p : p + len(stretch)] == stretch
    ]
    return len(places) if labels is None else len({labels[document] for document in places})


def suppress(
    texts: Sequence[str], k: int, mask: str, labels: Sequence[int] | None = None
) -> list[str]:
    """Keep from left to right as long as the stretch occurs k times, then mask one symbol."""
    releases = []
    for text in texts:
        release, start = "", 0
        for p, symbol in enumerate(text):
            legible = symbol != mask and count(texts, text[start : p + 1], labels) >= k
            release += symbol if legible else mask
            start = start if legible else p + 1
        releases.append(release)
    return releases


def stretches(releases: Sequence[str], mask: str) -> list[Stretch]:
    """The longest parts without the mask."""
    found = []
    for document, release in enumerate(releases):
        start = 0
        for part in release.split(mask):
            if part:
                found.append((document, start, start + len(part)))
            start += len(part) + len(mask)
    return found


def counted(
    reference: Sequence[Sequence[object]],
    queries: Sequence[Sequence[object]],
    found: Sequence[Stretch],
    k: int,
    labels: Sequence[int] | None = None,
) -> tuple[int, int, int, int]:
    """Smallest count (at most k), first failure (or -1), number of failures, number checked."""
    counts = [count(reference, queries[d][i:j], labels) for d, i, j in found]
    failures = [i for i, number in enumerate(counts) if number < k]
    smallest = min([k, *counts])
    return smallest, failures[0] if failures else -1, len(failures), len(counts)


def first_difference(
    originals: Sequence[str], releases: Sequence[str], mask: str
) -> tuple[int, int] | None:
    """The first position that shows neither the original's symbol nor the mask."""
    for document, (original, release) in enumerate(zip(originals, releases, strict=False)):
        for p in range(max(len(original), len(release))):
            if p >= min(len(original), len(release)) or release[p] not in (original[p], mask):
                return document, p
    if len(originals) != len(releases):
        return min(len(originals), len(releases)), 0
    return None


def can_become(original: str, parts: Sequence[str], collapsed: bool) -> bool:
    """Whether the parts with one masked symbol (collapsed: one or more) between them can be it."""
    if len(parts) == 1:
        return original == parts[0]
    if not original.startswith(parts[0]):
        return False
    rest = original[len(parts[0]) :]
    hidden = range(1, len(rest) + 1) if collapsed else range(1, min(1, len(rest)) + 1)
    return any(can_become(rest[h:], parts[1:], collapsed) for h in hidden)
