"""The methods from end to end: TFS, PFS, ETFS, BA, deletion; the pipelines TM, TMI and TPM."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ...kernels import patterns as kernels
from .baseline import baseline
from .changes import KeptIntervals, kept_pieces, kept_symbols
from .deletion import deleted
from .etfs import etfs
from .losses import created_loss, deletion_loss, difference_loss
from .pfs import exchanged, pfs
from .replacement import Options, parted, with_letters
from .separators import BlockedSeparators
from .tfs import tfs, with_short_sequences

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from .options import Method
    from .sensitive import Sensitive
    from .sequences import EncodedSequences

ARRANGEMENTS = 32  # how many optimal arrangements are tried before saying that none will do


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """A sanitized text: its codes, what was kept, how many separators were replaced, its cost."""

    codes: NDArray[np.int32]
    ends: NDArray[np.int64]
    kept: KeptIntervals
    replaced: int
    loss: Callable[[], dict[str, float]]
    written: int = 0
    """How many symbols stand in the places of separators."""
    picked: NDArray[np.int64] | None = None
    """Where each symbol stood, if symbols were deleted and nothing else."""


def sanitized(
    encoded: EncodedSequences,
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
    if method == "delete":
        return _deleted(encoded, sensitive, options.tau, progress)
    if method == "etfs":
        codes, ends, aligned, distance = etfs(encoded, sensitive, progress)
        kept = kept_symbols(encoded, codes, aligned)
        return Outcome(codes, ends, kept, 0, lambda: {"edit_distance": distance})
    if method == "replace":
        given, told = _between_separators(encoded), replace(options, keep_short=False)
        return _replaced(encoded, sensitive, given, False, told, progress)
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
    encoded: EncodedSequences,
    sensitive: Sensitive,
    pieces: kernels.Pieces,
    arrange: bool,
    options: Options,
    progress: Callable[[float], None] | None,
) -> Outcome:
    """TM, TMI and TPM: where some separator has no admissible choice, more letters are tried, and
    with PFS other arrangements: the paths at these separators exchanged, now and then all shuffled.
    Where that is not enough, short strings are written there.
    """
    rules, last = options.rules, ARRANGEMENTS - 1
    arranged = pieces
    for attempt in range(ARRANGEMENTS):
        if arrange and attempt % 8 == 0:
            shuffle = options.seed + attempt if attempt or options.shuffle else None
            arranged = pfs(encoded, pieces, sensitive.k, shuffle, progress)
        parts = whole = parted(encoded, arranged, sensitive.k, rules.others)
        if options.keep_short:
            whole = with_short_sequences(encoded, parts, sensitive.k)
        told = replace(options, rules=rules)
        try:
            return _with_letters(encoded, sensitive, whole, told, False, progress)
        except BlockedSeparators as error:
            if rules.letters is not None and rules.letters < len(encoded.numbers):
                rules = replace(rules, letters=None)
            elif not arrange or parts is not arranged or attempt == last:
                if options.theta is not None or options.sub is not None:
                    raise  # strings have no weight
                return _with_letters(encoded, sensitive, whole, told, True, progress)
            else:
                arranged = exchanged(arranged, error.separators, options.seed + attempt)
    raise AssertionError("the last attempt returns or raises")


def _with_letters(
    encoded: EncodedSequences,
    sensitive: Sensitive,
    pieces: kernels.Pieces,
    options: Options,
    strings: bool,
    progress: Callable[[float], None] | None,
) -> Outcome:
    """One letter, or none, in the place of every separator; where `strings`, also several."""
    text, ends = kernels.assemble(encoded.codes, pieces, len(encoded.ends))
    separated = pieces.joins == kernels.SEPARATED
    if not separated.any():
        return Outcome(text, ends, kept_pieces(pieces, separated), 0, dict)
    places = np.flatnonzero(text == 0)
    codes, sizes = with_letters(text, encoded, sensitive, options, strings, progress)
    written = np.zeros(len(separated), np.int64)
    written[separated] = sizes
    grown = np.cumsum(sizes - 1)  # how far each moved what follows
    new_ends = ends + np.concatenate(([0], grown))[np.searchsorted(places, ends)]
    begins = places + grown - (sizes - 1)
    loss = partial(created_loss, encoded, sensitive, codes, begins, sizes, options.tau)
    kept = kept_pieces(pieces, written)
    return Outcome(codes, new_ends, kept, len(sizes), loss, int(sizes.sum()))


def _deleted(
    encoded: EncodedSequences,
    sensitive: Sensitive,
    tau: int,
    progress: Callable[[float], None] | None,
) -> Outcome:
    """The sequences without some of their symbols."""
    unknown: dict[object, int] = {}
    patterns = [encoded.encode(pattern, unknown) for pattern in sensitive.patterns]
    gone = deleted(encoded, patterns, progress)
    picked = np.delete(np.arange(len(encoded.codes)), gone)
    codes = encoded.codes[picked]
    ends = encoded.ends - np.searchsorted(gone, encoded.ends)
    loss = partial(deletion_loss, encoded, sensitive, codes, gone, tau)
    return Outcome(codes, ends, kept_symbols(encoded, codes, picked), 0, loss, picked=picked)


def _between_separators(encoded: EncodedSequences) -> kernels.Pieces:
    """What stands between the separators of sequences that were given with them."""
    codes, begins = encoded.codes, encoded.starts
    cuts = np.flatnonzero(codes == 0)
    starts = np.concatenate((begins, cuts + 1))
    joins = np.concatenate(
        (np.full(len(begins), kernels.FIRST), np.full(len(cuts), kernels.SEPARATED))
    ).astype(np.uint8)
    order = np.argsort(starts, kind="stable")
    stops = np.sort(np.concatenate((cuts, encoded.ends)))
    documents = np.searchsorted(encoded.ends, starts[order])
    return kernels.Pieces(starts[order], stops, documents.astype(np.int64), joins[order])
