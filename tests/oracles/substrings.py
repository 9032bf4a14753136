"""Substring k-anonymity, literally: every star-free substring is counted by scanning."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence

from .covers import is_valid, masks

MASK = "★"


def count(piece: str, texts: Sequence[str], labels: Sequence[Hashable] | None) -> int:
    """How often a piece occurs (overlaps count), or with how many distinct labels."""
    if labels is None:
        return sum(text.startswith(piece, p) for text in texts for p in range(len(text)))
    return len({label for text, label in zip(texts, labels, strict=True) if piece in text})


def substrings(text: str) -> Iterator[str]:
    """All non-empty substrings."""
    for start in range(len(text)):
        for stop in range(start + 1, len(text) + 1):
            yield text[start:stop]


def is_anonymous(
    released: Iterable[str],
    reference: Sequence[str],
    k: int,
    labels: Sequence[Hashable] | None,
    keep: str = "",
) -> bool:
    """Definition 4.1, over every substring of every star-free stretch."""
    return all(
        count(piece, reference, labels) >= k
        for text in released
        for stretch in text.split(MASK)
        for piece in substrings(stretch.strip(keep) if keep else stretch)
        if not keep or piece.strip(keep)
    )


def lengths(texts: Sequence[str], k: int, labels: Sequence[Hashable] | None) -> list[list[int]]:
    """L(p) of every position of every document."""
    return [
        [
            max(
                size
                for size in range(len(text) - p + 1)
                if size == 0 or count(text[p : p + size], texts, labels) >= k
            )
            for p in range(len(text))
        ]
        for text in texts
    ]


def tokens(text: str, align: str) -> list[int]:
    """Where tokens start, and the end: words of ASCII letters, or single symbols."""
    if align == "character":
        return list(range(len(text) + 1))
    return [match.start() for match in re.finditer(r"[a-z]+|.", text, re.DOTALL)] + [len(text)]


def fewest_stars(
    texts: Sequence[str],
    k: int,
    labels: Sequence[Hashable] | None,
    align: str,
    keep: str = "",
    min_run: int = 1,
) -> int:
    """The smallest number of stars over all masks of whole tokens."""
    total = 0
    for text, reach in zip(texts, lengths(texts, k, labels), strict=True):
        kept = [int(symbol in keep) for symbol in text]
        total += min(
            sum(stars)
            for stars in masks(tokens(text, align), kept)
            if is_valid(stars, reach, kept, min_run)
        )
    return total


def fewest_stars_strict(text: str, k: int) -> int:
    """The smallest number of stars when substrings are counted in the release, one text."""
    best = len(text)
    for stars in masks(list(range(len(text) + 1)), [0] * len(text)):
        if sum(stars) < best:
            released = "".join(
                MASK if star else symbol for star, symbol in zip(stars, text, strict=True)
            )
            if is_anonymous([released], [released], k, None):
                best = sum(stars)
    return best
