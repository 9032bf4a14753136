"""Every separator of a text replaced: by a letter, by nothing, or by a short string."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...kernels import patterns as kernels
from .hide_and_mine import hide_and_mine
from .integer_program import integer_program
from .mcsr import mcsr
from .separators import blocked_at, choices_of, frequent_letters, replaced, without_choice
from .strings import FilledText, Judge, crowded, misplaced, short_string

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from .mcsr import Ghost, Sub
    from .options import Replacement
    from .sensitive import Sensitive
    from .separators import Choices, Rules
    from .sequences import EncodedSequences

    Codes = NDArray[np.int32]
    Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Options:
    """How separators are to be replaced."""

    replacement: Replacement
    tau: int
    theta: float | None
    ghost: Ghost | None
    sub: Sub | None
    rules: Rules
    shuffle: bool
    keep_short: bool
    seed: int


ROUNDS = 8  # how often strings are written anew for patterns of other lengths


def with_letters(
    text: Codes,
    encoded: EncodedSequences,
    sensitive: Sensitive,
    options: Options,
    strings: bool,
    progress: Callable[[float], None] | None,
) -> tuple[Codes, Ints]:
    """The text with its separators replaced, and how many symbols stand in the place of each.

    Separators that share a window, and with `strings` those without an admissible letter, get short
    strings first; then every other its letter; then those whose letters made a listed pattern of
    another length get another string.
    """
    rules, k = options.rules, sensitive.k
    places = np.flatnonzero(text == 0)
    filled = FilledText(text, places)
    judge = Judge(encoded, sensitive, rules, text, options.tau)
    letters = frequent_letters(encoded, rules.letters, k * len(places)).tolist()
    hard = crowded(places, k)
    if strings:
        hard |= without_choice(choices_of(text, encoded, sensitive, rules, progress))
    _fill(filled, np.flatnonzero(hard).tolist(), letters, judge)
    rest = filled.written() if hard.any() else text
    if not hard.all():
        choices = choices_of(rest, encoded, sensitive, rules, progress)
        chosen = _chosen(choices, encoded, options, progress)
        if not hard.any() and not rules.others:
            sizes = (chosen < len(choices.letters)).astype(np.int64)
            return replaced(choices, chosen), sizes
        single = [(one,) for one in choices.letters.tolist()] + [()]
        for i, choice in zip(np.flatnonzero(~hard).tolist(), chosen.tolist(), strict=True):
            filled.strings[i] = single[choice]
    for _ in range(ROUNDS):
        wrong = misplaced(filled, rules.others) if rules.others else []
        if not wrong:
            break
        _fill(filled, wrong, letters, judge)
    else:
        raise blocked_at(text, places, np.isin(np.arange(len(places)), wrong))
    return filled.written(), np.array([len(filled.strings[i]) for i in range(len(places))])


def _fill(filled: FilledText, separators: Iterable[int], letters: list[int], judge: Judge) -> None:
    """Writes short strings in the place of some separators, from left to right."""
    for i in separators:
        filled.strings.pop(i, None)
        found = short_string(*filled.sides(i, judge.longest - 1), letters, judge)
        if found is None:
            none = np.arange(len(filled.places)) == i
            raise blocked_at(filled.text, filled.places, none)
        filled.strings[i] = found


def _chosen(
    choices: Choices,
    encoded: EncodedSequences,
    options: Options,
    progress: Callable[[float], None] | None,
) -> NDArray[np.int32]:
    """The choice of the letter at every separator."""
    if options.replacement == "hide-and-mine":
        return hide_and_mine(choices, options.tau, progress)
    if options.replacement == "integer-program":
        return integer_program(choices, options.tau, progress)
    return mcsr(choices, encoded, options.tau, options.theta, options.ghost, options.sub, progress)


def parted(
    encoded: EncodedSequences, pieces: kernels.Pieces, k: int, patterns: tuple[tuple[int, ...], ...]
) -> kernels.Pieces:
    """The pieces, overlapping ones apart where together they make a listed pattern longer than k.

    The k-1 symbols they share are then written twice, with a separator between them. Cost: O(n).
    """
    longer = [pattern for pattern in patterns if len(pattern) > k]
    joined = pieces.joins == kernels.OVERLAPPING
    if not longer or not joined.any():
        return pieces
    text, _ = kernels.assemble(encoded.codes, pieces, len(encoded.ends))
    sizes = pieces.stops - pieces.starts
    separated = pieces.joins == kernels.SEPARATED
    begins = np.cumsum(sizes + separated) - sizes + pieces.documents
    apart = np.zeros(len(joined), bool)
    for size in sorted(set(map(len, longer))):
        flat = np.array([one for one in longer if len(one) == size], np.int32).ravel()
        for place in np.flatnonzero(kernels.sensitive_windows(text, flat, size)).tolist():
            # Within a piece and the k-1 symbols it shares, the pattern is one of the original.
            apart |= joined & (place < begins - (k - 1)) & (begins < place + size)
    if not apart.any():
        return pieces
    starts = pieces.starts - np.where(apart, k - 1, 0)
    joins = np.where(apart, kernels.SEPARATED, pieces.joins).astype(np.uint8)
    return kernels.Pieces(starts, pieces.stops, pieces.documents, joins)
