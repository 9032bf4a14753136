"""The verb `sanitize`."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from functools import cache, partial
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from ...core.errors import BadInput, CannotBeMet
from ...core.loss import Loss
from ...core.options import check_engine, choose
from ...core.release import Release
from ...kernels import patterns as kernels
from .baseline import baseline
from .changes import Kept, changes_of, kept_pieces, kept_symbols
from .claims import claims_of, not_protected, warnings_of
from .etfs import etfs
from .hide_and_mine import hide_and_mine
from .integer_program import integer_program
from .losses import created_loss, difference_loss
from .mcsr import mcsr
from .pfs import pfs
from .sensitive import Sensitive, drawn_patterns, patterns_at, read_patterns, sensitive_windows
from .separators import Rules, choices_of, replaced
from .sequences import Encoded, encode
from .tfs import tfs, with_short_sequences

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from ...core.progress import Progress
    from .mcsr import Ghost, Sub

Method = Literal["tfs", "pfs", "tm", "tmi", "tpm", "etfs", "ba", "ba-reverse"]
Replacement = Literal["hide-and-mine", "mcsr", "integer-program"]

ARRANGEMENTS = 8  # how many optimal arrangements are tried before saying that none will do


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
    """A sanitized text: its codes, what was kept, how many separators there were, and its cost."""

    codes: NDArray[np.int32]
    ends: NDArray[np.int64]
    kept: Kept
    hidden: int
    loss: Callable[[], dict[str, float]]


def sanitize(
    sequence: Any,
    patterns: Any = None,
    method: Method = "tpm",
    replacement: Replacement = "hide-and-mine",
    tau: int = 1,
    theta: float | None = None,
    rho: float | None = None,
    separator: str | int = "#",
    length: int | None = None,
    *,
    positions: Sequence[Any] | None = None,
    draw: int | None = None,
    collection: bool | None = None,
    keep_short: bool | None = None,
    shuffle: bool = False,
    letters: int = 256,
    ghost: Ghost | None = None,
    sub: Sub | None = None,
    implausible: Sequence[Any] | None = None,
    reference: Any = None,
    engine: str | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Release:
    """Conceals every occurrence of the sensitive patterns and keeps the other windows of k symbols.

    `sequence` is a str, any sequence of hashable symbols, or a collection of either (elements that
    are lists or tuples; elements that are str, when the patterns are str; `collection` settles it).
    `patterns` is a list of patterns or a Path to a file with one a line; or give `positions`
    (in a collection pairs of sequence and position) or `draw`, the number of patterns to draw at
    random among the windows that occur at least `tau` times, both with `length`. k is the length of
    the shortest pattern, or `length`.

    `method`: `tfs` (total order), `pfs` (shorter, order inside blocks), `etfs` (least edit
    distance) leave separators in; `tpm`, `tm` and `tmi` (no implausible windows: `rho`, by the
    frequencies in `reference` or the sequence, and `implausible`, a list) replace them by
    `replacement`: `hide-and-mine`, `mcsr` (with `ghost`, `sub`, `theta`) or `integer-program`. `ba`
    and `ba-reverse` are baselines. A single sequence shorter than k has no window and becomes
    empty, a short one of a collection is kept (`keep_short`). Only the most frequent `letters` of a
    larger alphabet replace separators. `shuffle` breaks the ties of blocks at random.

    Paper: TFS-, PFS-, MCSR-, ETFS-ALGO; pipelines TPM, TM, TMI. Cost: O(n + k q l) for q separators
    and l letters; etfs O(k n^2).

    >>> sanitize("aabaaacbcbbbaabbacaab", ["baaa", "bbaa"]).data
    'aaacbcbbbacaabaabbacaab'
    >>> sanitize(["home", "bus", "clinic", "bus"], [["bus", "clinic"]], method="tfs").data
    ['home', 'bus', '#', 'clinic', 'bus']
    """
    check_engine(engine)
    _check(method, replacement, tau, theta, rho, length, letters, separator)
    if isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0:
        raise BadInput("expected a whole number from 0 on", where="seed")
    _check_combination(method, replacement, theta, rho, ghost, sub, implausible)
    listed = read_patterns(patterns)
    encoded = encode(sequence, listed, collection)
    _check_separator(encoded, separator)
    given = _given_patterns(encoded, listed, positions, draw, length, tau, seed)
    sensitive = sensitive_windows(encoded, given, length, separator)
    rules = _rules(encoded, sensitive, letters, rho, implausible, reference)
    if keep_short is None:
        keep_short = encoded.is_collection
    options = Options(replacement, tau, theta, ghost, sub, rules, shuffle, keep_short, seed)
    report = None if progress is None else partial(progress, "sanitize")
    outcome = _outcome(encoded, sensitive, method, options, report)
    replaces = method in ("tpm", "tm", "tmi")
    parameters = {
        "method": method,
        "replacement": replacement if replaces else None,
        "tau": tau,
        "theta": theta,
        "rho": rho,
        "separator": separator,
        "k": sensitive.k,
        "collection": encoded.is_collection,
        "keep_short": keep_short,
        "shuffle": shuffle,
        "letters": letters,
        "seed": seed,
    }
    private = {"input": sequence, "patterns": given}
    if implausible is not None:
        private["implausible"] = list(implausible)
    if reference is not None:
        private["reference"] = reference
    return _release(encoded, sensitive, outcome, parameters, private)


def _outcome(
    encoded: Encoded,
    sensitive: Sensitive,
    method: Method,
    options: Options,
    progress: Callable[[float], None] | None,
) -> Outcome:
    if method in ("ba", "ba-reverse"):
        codes = baseline(encoded, sensitive, method == "ba-reverse", progress)
        aligned = np.arange(len(codes))
        kept = kept_symbols(encoded, codes, aligned)
        touched = np.flatnonzero(codes != encoded.codes)
        loss = partial(difference_loss, encoded, sensitive, codes, touched, options.tau)
        return Outcome(codes, encoded.ends, kept, int((codes == 0).sum()), loss)
    if method == "etfs":
        codes, ends, aligned, distance = etfs(encoded, sensitive, progress)
        kept = kept_symbols(encoded, codes, aligned)
        return Outcome(
            codes, ends, kept, int((codes == 0).sum()), lambda: {"edit_distance": distance}
        )
    pieces = tfs(encoded, sensitive, progress)
    if method in ("tfs", "pfs"):
        if method == "pfs":
            pieces = pfs(encoded, pieces, sensitive.k, _seed(options), progress)
        if options.keep_short:
            pieces = with_short_sequences(encoded, pieces, sensitive.k)
        codes, ends = kernels.assemble(encoded.codes, pieces, len(encoded.ends))
        separated = pieces.joins == kernels.SEPARATED
        return Outcome(codes, ends, kept_pieces(pieces, separated), int(separated.sum()), dict)
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
    with PFS other arrangements of the blocks.
    """
    rules = options.rules
    for attempt in range(ARRANGEMENTS):
        arranged = pieces
        if arrange:
            shuffle = options.seed + attempt if attempt or options.shuffle else None
            arranged = pfs(encoded, pieces, sensitive.k, shuffle, progress)
        if options.keep_short:
            arranged = with_short_sequences(encoded, arranged, sensitive.k)
        try:
            return _with_letters(encoded, sensitive, arranged, rules, options, progress)
        except CannotBeMet as error:
            if error.where == "theta":
                raise
            if rules.letters is not None and rules.letters < len(encoded.numbers):
                rules = replace(rules, letters=None)
            elif not arrange or attempt == ARRANGEMENTS - 1:
                raise
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


def _release(
    encoded: Encoded,
    sensitive: Sensitive,
    outcome: Outcome,
    parameters: dict[str, Any],
    private: dict[str, Any],
) -> Release:
    codes, ends = outcome.codes, outcome.ends
    documents = len(ends)
    released = len(codes) - documents
    counts = {
        "sequences": documents,
        "symbols": len(encoded.codes) - documents,
        "released_symbols": released,
        "patterns": len(sensitive.patterns),
        "hidden": outcome.hidden,
        "separators": int((codes == 0).sum()),
    }
    kept_exactly = parameters["method"] in ("tfs", "pfs", "etfs")
    zero = dict.fromkeys(("distortion", "lost", "ghosts"), 0.0)
    measured = cache(lambda: zero | outcome.loss())
    names = ["distortion", "lost", "ghosts"] + (
        ["edit_distance"] if parameters["method"] == "etfs" else []
    )
    loss: dict[str, float | Callable[[], float]] = {
        "length_change": released - counts["symbols"],
        "separators": counts["separators"],
    }
    for name in names:
        loss[name] = 0 if kept_exactly and name in zero else partial(_pick, measured, name)
    release_warnings = warnings_of(counts)
    for warning in release_warnings:
        if "empty" in warning:
            warnings.warn(warning, stacklevel=3)
    separator = parameters["separator"]
    return Release(
        "sanitize",
        encoded.rebuild(codes, ends, separator),
        claims_of(
            parameters, implausible=parameters["rho"] is not None or "implausible" in private
        ),
        changes_of(encoded, codes, ends, outcome.kept, separator),
        Loss(loss),
        parameters,
        counts,
        not_protected(parameters),
        release_warnings,
        private,
    )


def _pick(measured: Callable[[], dict[str, float]], name: str) -> float:
    return measured()[name]


def _given_patterns(
    encoded: Encoded,
    patterns: list[Any] | None,
    positions: Sequence[Any] | None,
    draw: int | None,
    length: int | None,
    tau: int,
    seed: int,
) -> list[Any]:
    if sum(one is not None for one in (patterns, positions, draw)) != 1:
        raise BadInput("expected one of patterns, positions and draw", where="patterns")
    if patterns is not None:
        return patterns
    if positions is not None:
        return patterns_at(encoded, positions, length)
    if draw is None or isinstance(draw, bool) or not isinstance(draw, Integral) or draw < 0:
        raise BadInput("expected how many patterns to draw", where="draw")
    return drawn_patterns(encoded, int(draw), length, tau, seed)


def _rules(
    encoded: Encoded,
    sensitive: Sensitive,
    letters: int,
    rho: float | None,
    implausible: Sequence[Any] | None,
    reference: Any,
) -> Rules:
    k = sensitive.k
    if rho is not None and k < 3:
        raise BadInput(
            f"implausible patterns need k of at least 3, found {k}", where="rho", remedy="drop rho"
        )
    unknown: dict[Any, int] = {}
    listed = None
    if implausible is not None:
        for i, pattern in enumerate(implausible):
            if len(pattern) != k:
                raise BadInput(
                    f"expected patterns of k={k} symbols, found one of {len(pattern)}",
                    where=f"implausible[{i}]",
                )
        coded = [code for pattern in implausible for code in encoded.encode(pattern, unknown)]
        listed = np.array(coded, np.int32)
    if reference is None:
        return Rules(letters, rho, None, listed)
    sequences = (
        reference if encoded.is_collection and not isinstance(reference, str) else [reference]
    )
    codes = [code for one in sequences for code in (*encoded.encode(one, unknown), -1)]
    return Rules(letters, rho, np.array(codes, np.int32), listed)


def _check(
    method: str,
    replacement: str,
    tau: int,
    theta: float | None,
    rho: float | None,
    length: int | None,
    letters: int,
    separator: object,
) -> None:
    choose("method", method, get_args(Method))
    choose("replacement", replacement, get_args(Replacement))
    for name, whole in (("tau", tau), ("letters", letters), ("length", length)):
        if whole is None:
            continue
        if isinstance(whole, bool) or not isinstance(whole, Integral):
            raise BadInput(f"expected a whole number, found {type(whole).__name__}", where=name)
        if whole < 1:
            raise BadInput(f"must be at least 1, found {whole}", where=name)
    for name, number in (("theta", theta), ("rho", rho)):
        if number is not None and (isinstance(number, bool) or not isinstance(number, Real)):
            raise BadInput(f"expected a number, found {type(number).__name__}", where=name)
    if rho is not None and not rho < 0:
        raise BadInput(f"must be below 0, found {rho:g}", where="rho", remedy="-1 is usual")
    if theta is not None and not theta >= 0:
        raise BadInput(f"must be at least 0, found {theta:g}", where="theta")
    if not isinstance(separator, (str, int)):
        raise BadInput(
            f"expected a str or an int, found {type(separator).__name__}", where="separator"
        )


def _check_combination(
    method: str,
    replacement: str,
    theta: float | None,
    rho: float | None,
    ghost: Ghost | None,
    sub: Sub | None,
    implausible: Sequence[Any] | None,
) -> None:
    replaces = method in ("tpm", "tm", "tmi")
    if method == "tmi" and rho is None and implausible is None:
        raise BadInput(
            "tmi avoids implausible patterns and needs to know which",
            where="rho",
            remedy="give rho below 0, for instance -1, or list them in implausible",
        )
    for name, value in (("rho", rho), ("implausible", implausible)):
        if value is not None and not replaces:
            raise BadInput(
                f"{method} replaces no separators", where=name, remedy="use tpm, tm or tmi"
            )
    for name, option in (("theta", theta), ("ghost", ghost), ("sub", sub)):
        if option is not None and not (replaces and replacement == "mcsr"):
            raise BadInput(
                "belongs to the replacement mcsr", where=name, remedy="say replacement='mcsr'"
            )


def _check_separator(encoded: Encoded, separator: str | int) -> None:
    if encoded.is_text and (not isinstance(separator, str) or len(separator) != 1):
        raise BadInput("expected one character", where="separator", remedy="for instance '#'")
    if separator in encoded.numbers:
        code = encoded.numbers[separator]
        place = int(np.argmax(encoded.codes == code))
        document = int(np.searchsorted(encoded.ends, place))
        raise BadInput(
            "the separator occurs in the input",
            where=f"sequence {document}, offset {place - int(encoded.starts[document])}",
            remedy="choose another separator",
        )
