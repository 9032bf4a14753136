"""The separators of a text, what each choice of a letter there would create, and writing it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...core.errors import CannotBeMet
from ...kernels import patterns as kernels
from .implausible import implausible

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from .sensitive import Sensitive
    from .sequences import EncodedSequences


class BlockedSeparators(CannotBeMet):
    """Some separators have no admissible choice: their numbers."""

    def __init__(self, separators: NDArray[np.int64], problem: str, *, where: str, remedy: str):
        super().__init__(problem, where=where, remedy=remedy)
        self.separators = separators


MOST_WINDOWS, FEWEST_LETTERS = 20_000_000, 16


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """A text with separators, the letters that may replace them, and the candidate windows.

    `places` are where the separators stand; `windows` are the distinct windows that any choice
    would create, k codes each; `frequency` is how often each occurs in the text, `forbidden` which
    may not appear. The choice after the last letter is deletion.
    """

    text: NDArray[np.int32]
    places: NDArray[np.int64]
    k: int
    letters: NDArray[np.int32]
    windows: NDArray[np.int32]
    frequency: NDArray[np.int64]
    forbidden: NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """What may not be created besides sensitive patterns, and how many letters are tried."""

    letters: int | None = 256  # None: all
    rho: float | None = None
    reference: NDArray[np.int32] | None = None
    listed: NDArray[np.int32] | None = None
    others: tuple[tuple[int, ...], ...] = ()
    """Listed patterns of other lengths than k."""


def choices_of(
    text: NDArray[np.int32],
    encoded: EncodedSequences,
    sensitive: Sensitive,
    rules: Rules,
    progress: Callable[[float], None] | None = None,
) -> Choices:
    """Collects the candidate windows S_ij of every separator and letter, with their frequencies.

    Paper: MCSR-ALGO, step 1; Section 5.3 for what is implausible. Cost: O(n + k q l).
    """
    k = sensitive.k
    places = np.flatnonzero(text == 0)
    letters = frequent_letters(encoded, rules.letters, k * len(places))
    windows = kernels.candidate_windows(text, letters, k, progress)
    frequency = kernels.count_windows(text, windows, k)
    forbidden = kernels.count_windows(_apart(sensitive.codes, k), windows, k) > 0
    if rules.listed is not None:
        forbidden |= kernels.count_windows(_apart(rules.listed, k), windows, k) > 0
    if rules.rho is not None:
        reference = encoded.codes if rules.reference is None else rules.reference
        forbidden |= implausible(windows, k, reference, rules.rho)
    return Choices(text, places, k, letters, windows, frequency, forbidden.astype(np.uint8))


def frequent_letters(
    encoded: EncodedSequences, most: int | None, windows: int
) -> NDArray[np.int32]:
    """The letters of the original, in order; only the most frequent ones of a large alphabet.

    Each letter makes some windows; when all would be too many for the memory, fewer are tried.
    """
    letters = np.arange(1, len(encoded.numbers) + 1, dtype=np.int32)
    if most is None:
        return letters
    most = min(most, max(FEWEST_LETTERS, MOST_WINDOWS // max(1, windows)))
    if len(letters) <= most:
        return letters
    counts = np.bincount(encoded.codes[encoded.codes > 0], minlength=len(letters) + 1)[1:]
    return np.sort(letters[np.argsort(-counts, kind="stable")[:most]])


def _apart(windows: NDArray[np.int32], k: int) -> NDArray[np.int32]:
    """Windows as a text in which no other window arises between two of them."""
    rows = windows.reshape(-1, k)
    return np.column_stack((rows, np.full(len(rows), -1, np.int32))).ravel()


def replaced(choices: Choices, chosen: NDArray[np.int32]) -> NDArray[np.int32]:
    """Writes the chosen letter over every separator of the text, or deletes the separator."""
    text, places = choices.text, choices.places
    deleted = chosen == len(choices.letters)
    text[places[~deleted]] = choices.letters[chosen[~deleted]]
    gone = places[deleted]
    return np.delete(text, gone) if len(gone) else text


def without_choice(choices: Choices) -> NDArray[np.bool_]:
    """The separators at which every letter, and deletion, makes a forbidden window."""
    free = np.zeros(len(choices.frequency))
    costs = kernels.choice_costs(
        choices.text, choices.letters, choices.windows, choices.k, free, choices.forbidden
    )
    result: NDArray[np.bool_] = np.all(np.isinf(costs), axis=1)
    return result


def require_admissible(choices: Choices, blocked: NDArray[np.bool_]) -> None:
    """Says that there is no solution where a separator has no admissible choice."""
    if blocked.any():
        raise blocked_at(choices.text, choices.places, blocked)


def blocked_at(
    text: NDArray[np.int32], places: NDArray[np.int64], blocked: NDArray[np.bool_]
) -> BlockedSeparators:
    """What is said where separators have no admissible choice."""
    place = int(places[int(np.argmax(blocked))])
    before = np.flatnonzero(text[:place] == -1)  # the ends of earlier sequences
    document, offset = len(before), place - (int(before[-1]) + 1 if len(before) else 0)
    return BlockedSeparators(
        np.flatnonzero(blocked),
        f"{int(blocked.sum())} of {len(blocked)} separators can be neither replaced nor deleted "
        "without a sensitive or implausible pattern",
        where=f"sequence {document}, offset {offset} of the text with separators",
        remedy="keep the separators (method='tfs' or 'pfs'), lower rho, or hide fewer patterns",
    )
