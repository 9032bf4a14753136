"""What a reader writes back into a release, document by document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..claims.substrings import MaskedParameters
from .reader import laid_on, left_of_stars, public_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..core.claims import Claim
    from ..core.release import Release
    from ..kernels import checks

    Bools = NDArray[np.bool_]


def read_texts(
    claim: Claim,
    before: list[str],
    after: list[str],
    release: Release,
    labels: NDArray[np.int32] | None,
) -> list[list[tuple[int, int, str]]] | None:
    """For each document what a reader writes back into the release: start, stop there, and text.

    None where the release is not its original with words starred whole.
    """
    laid = laid_on(claim, before, after)
    if laid.first_difference is not None:
        return None
    left = left_of_stars(claim, laid, before, public_of(claim, release), labels)
    given = MaskedParameters.of(claim)
    mask = given.mask
    found: list[list[tuple[int, int, str]]] = []
    word = 0
    for text, stop in zip(before, laid.ends.tolist(), strict=True):
        here: list[tuple[int, int, str]] = []
        while word < stop:
            at, same = int(laid.shown[word]), word
            while same < stop and int(laid.shown[same]) == at:
                same += 1  # words under one mask
            if laid.starred[word] and not left[word:same].all():
                size = 1 if given.collapse else int(laid.stops[word] - laid.starts[word])
                here.append((at, at + size * len(mask), _read(text, laid, left, word, same, mask)))
            word = same
        found.append(here)
    return found


def _read(
    text: str, laid: checks.WordAlignment, left: Bools, first: int, stop: int, mask: str
) -> str:
    """What a reader has of the words under one mask."""
    pieces, at = [], int(laid.starts[first])
    for i in range(first, stop):
        start, end = int(laid.starts[i]), int(laid.stops[i])
        pieces += [text[at:start], mask if left[i] else text[start:end]]
        at = end
    return "".join(pieces)
