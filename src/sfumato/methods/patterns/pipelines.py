"""The methods from end to end: TFS, PFS, ETFS, BA, and the pipelines TM, TMI and TPM."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ...kernels import patterns as kernels
from .baseline import baseline
from .changes import Kept, kept_pieces, kept_symbols
from .etfs import etfs
from .hide_and_mine import hide_and_mine
from .integer_program import integer_program
from .losses import created_loss, difference_loss
from .mcsr import mcsr
from .pfs import exchanged, pfs
from .separators import Blocked, Rules, choices_of, replaced
from .tfs import tfs, with_short_sequences

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from .mcsr import Ghost, Sub
    from .options import Method, Replacement
    from .sensitive import Sensitive
    from .sequences import Encoded

ARRANGEMENTS = 32  # how many optimal arrangements are tried before saying that none will do


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


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """A sanitized text: its codes, what was kept, how many separators were replaced, its cost."""

    codes: NDArray[np.int32]
    ends: NDArray[np.int64]
    kept: Kept
    replaced: int
    loss: Callable[[], dict[str, float]]


def sanitized(
    encoded: Encoded,
    sensitive: Sensitive,
    method: Method,
    options: Options,
    progress: Callable[[float], None] | None,
) -> Outcome:
    """The sequences after one method."""
    if method in ("ba", "ba-reverse"):
        codes = baseline(encoded, sensitive, method == "ba-reverse", progress)
        aligned = np.arange(len(codes))
        kept = kept_symbols(encoded, codes, aligned)
        touched = np.flatnonzero(codes != encoded.codes)
        loss = partial(difference_loss, encoded, sensitive, codes, touched, options.tau)
        return Outcome(codes, encoded.ends, kept, 0, loss)
    if method == "etfs":
        codes, ends, aligned, distance = etfs(encoded, sensitive, progress)
        kept = kept_symbols(encoded, codes, aligned)
        return Outcome(codes, ends, kept, 0, lambda: {"edit_distance": distance})
    pieces = tfs(encoded, sensitive, progress)
    if method in ("tfs", "pfs"):
        if method == "pfs":
            pieces = pfs(encoded, pieces, sensitive.k, _seed(options), progress)
        if options.keep_short:
            pieces = with_short_sequences(encoded, pieces, sensitive.k)
        codes, ends = kernels.assemble(encoded.codes, pieces, len(encoded.ends))
        separated = pieces.joins == kernels.SEPARATED
        return Outcome(codes, ends, kept_pieces(pieces, separated), 0, dict)
    return _replaced(encoded, sensitive, pieces, method == "tpm", options, progress)


def _seed(options: Options) -> int | None:
    return options.seed if options.shuffle else None


def _replaced(
    encoded: Encoded,
    sensitive: Sensitive,
    pieces: kernels.Pieces,
    arrange: bool,
    options: Options,
    progress: Callable[[float], None] | None,
) -> Outcome:
    """TM, TMI and TPM: where some separator has no admissible choice, more letters are tried, and
    with PFS other arrangements: the paths at these separators exchanged, now and then all shuffled.
    """
    rules = options.rules
    arranged = pieces
    for attempt in range(ARRANGEMENTS):
        if arrange and attempt % 8 == 0:
            shuffle = options.seed + attempt if attempt or options.shuffle else None
            arranged = pfs(encoded, pieces, sensitive.k, shuffle, progress)
        whole = arranged
        if options.keep_short:
            whole = with_short_sequences(encoded, arranged, sensitive.k)
        try:
            return _with_letters(encoded, sensitive, whole, rules, options, progress)
        except Blocked as error:
            if rules.letters is not None and rules.letters < len(encoded.numbers):
                rules = replace(rules, letters=None)
            elif not arrange or attempt == ARRANGEMENTS - 1:
                raise
            else:
                arranged = exchanged(arranged, error.separators, options.seed + attempt)
    raise AssertionError("the last attempt returns or raises")


def _with_letters(
    encoded: Encoded,
    sensitive: Sensitive,
    pieces: kernels.Pieces,
    rules: Rules,
    options: Options,
    progress: Callable[[float], None] | None,
) -> Outcome:
    """One letter, or none, in the place of every separator."""
    text, ends = kernels.assemble(encoded.codes, pieces, len(encoded.ends))
    separated = pieces.joins == kernels.SEPARATED
    if not separated.any():
        return Outcome(text, ends, kept_pieces(pieces, separated), 0, dict)
    choices = choices_of(text, encoded, sensitive, rules, progress)
    if options.replacement == "hide-and-mine":
        chosen = hide_and_mine(choices, options.tau, progress)
    elif options.replacement == "integer-program":
        chosen = integer_program(choices, options.tau, progress)
    else:
        chosen = mcsr(
            choices, encoded, options.tau, options.theta, options.ghost, options.sub, progress
        )
    codes, new_ends = replaced(choices, ends, chosen)
    deleted = chosen == len(choices.letters)
    written = separated.copy()
    written[np.flatnonzero(separated)[deleted]] = False
    kept = kept_pieces(pieces, written)
    places = choices.places
    places = places - np.cumsum(deleted) + deleted  # where each stands once others are deleted
    loss = partial(created_loss, encoded, sensitive, codes, places, deleted, options.tau)
    return Outcome(codes, new_ends, kept, len(chosen), loss)
