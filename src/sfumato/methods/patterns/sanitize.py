"""The verb `sanitize`."""

from __future__ import annotations

import warnings
from functools import cache, partial
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.engine import elsewhere, is_elsewhere
from ...core.errors import BadInput
from ...core.loss import Loss
from ...core.options import check_kinds, check_run
from ...core.release import Release, Sides
from .changes import changes_of
from .claims import claims_of, not_protected, warnings_of
from .options import REPLACES, check_combination, check_separator, check_sequence, check_settings
from .pipelines import Outcome, sanitized
from .replacement import Options
from .sensitive import (
    Sensitive,
    drawn_patterns,
    patterns_at,
    read_patterns,
    require_hidden,
    sensitive_windows,
    symbols_in_file,
    texts_of_spans,
)
from .separators import Rules
from .sequences import EncodedSequences, encode

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...core.progress import Progress
    from ...core.values import Data, JsonObject
    from .mcsr import Ghost, Sub
    from .options import Method, Replacement


def sanitize(
    sequence: object,
    patterns: Data = None,
    method: Method = "tpm",
    replacement: Replacement = "hide-and-mine",
    tau: int = 1,
    theta: float | None = None,
    rho: float | None = None,
    separator: str | int = "#",
    length: int | None = None,
    *,
    positions: Sequence[object] | None = None,
    draw: int | None = None,
    collection: bool | None = None,
    keep_short: bool | None = None,
    shuffle: bool = False,
    letters: int = 256,
    ghost: Ghost | None = None,
    sub: Sub | None = None,
    implausible: Sequence[Any] | None = None,
    reference: Data = None,
    engine: object = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Release:
    """Conceals every occurrence of the sensitive patterns and keeps the other windows of k symbols.

    `sequence` is a str, any sequence of hashable symbols, or a collection of either (elements that
    are lists or tuples; elements that are str, when the patterns are str; `collection` settles it).
    `patterns` is a list of patterns, of spans (then the texts they have are the patterns), or a
    Path to a file with one a line (symbols that are no characters stand between blanks, as they
    print, in quotes if they hold blanks) or, in a .csv file, one a row; or give `positions` (in a
    collection pairs of sequence and position) or `draw`, the number of patterns to draw at random
    among the windows that occur at least `tau` times, both with `length`. k is the length of the
    shortest pattern, or `length`.

    `method`: `tfs` (total order), `pfs` (shorter, order inside blocks), `etfs` (least edit
    distance) leave separators in; `tpm`, `tm` and `tmi` (no implausible windows: `rho`, by the
    frequencies in `reference` or the sequence, and `implausible`, a list) replace them by
    `replacement`: `hide-and-mine`, `mcsr` (with `ghost`, `sub`, `theta`) or `integer-program`.
    `replace` does so in sequences that have separators already. `delete` leaves symbols out, the
    fewest, and writes none: for logs of events. `ba` and `ba-reverse` are baselines. A single
    sequence shorter than k has no window and becomes empty, a short one of a collection is kept
    (`keep_short`). Only the most frequent `letters` of a larger alphabet replace separators.
    `shuffle` breaks the ties of blocks at random.

    Paper: TFS-, PFS-, MCSR-, ETFS-ALGO; pipelines TPM, TM, TMI. Cost: O(n + k q l) for q separators
    and l letters; etfs O(k n^2).

    >>> sanitize("aabaaacbcbbbaabbacaab", ["baaa", "bbaa"]).data
    'aaacbcbbbacaabaabbacaab'
    >>> sanitize(["home", "bus", "clinic", "bus"], [["bus", "clinic"]], method="tfs").data
    ['home', 'bus', '#', 'clinic', 'bus']
    """
    if is_elsewhere(engine):
        made: Release = elsewhere("sanitize", locals())
        return made
    check_run(engine, seed, progress)
    flags = {"shuffle": shuffle, "keep_short": keep_short, "collection": collection}
    check_kinds(flag={name: flag for name, flag in flags.items() if flag is not None})
    check_settings(method, replacement, tau, theta, rho, length, letters, separator)
    check_combination(method, replacement, theta, rho, ghost, sub, implausible, reference)
    listed = read_patterns(texts_of_spans(patterns, sequence))
    in_file = isinstance(patterns, Path)  # then the lines do not tell what the symbols are
    encoded = encode(sequence, None if in_file else listed, collection)
    if in_file and not encoded.is_text:
        listed = symbols_in_file(encoded, patterns)
    if method == "replace":
        encoded = encoded.with_separators(separator)
    elif method != "delete":
        check_separator(encoded, separator)
    given = _given_patterns(encoded, listed, positions, draw, length, tau, seed)
    marks = (separator,) if method != "delete" else ()
    sensitive = sensitive_windows(encoded, given, length, *marks)
    if method == "replace":
        require_hidden(sensitive)
    rules = _rules(encoded, sensitive, letters, rho, implausible, reference)
    if keep_short is None:
        keep_short = encoded.is_collection
    options = Options(replacement, tau, theta, ghost, sub, rules, shuffle, keep_short, seed)
    report = None if progress is None else partial(progress, "sanitize")
    outcome = sanitized(encoded, sensitive, method, options, report)
    replaces = method in REPLACES
    parameters = {
        "method": method,
        "replacement": replacement if replaces else None,
        "tau": tau,
        "theta": theta,
        "rho": rho,
        "separator": None if method == "delete" else separator,
        "k": sensitive.k,
        "collection": encoded.is_collection,
        "keep_short": keep_short,
        "shuffle": shuffle,
        "letters": letters,
        "seed": seed,
    }
    if method == "delete" and encoded.is_timed:
        parameters["timed"] = True
    sides = Sides(
        input=sequence,
        patterns=given,
        implausible=None if implausible is None else list(implausible),
        reference=reference,
    )
    return _release(encoded, sensitive, outcome, parameters, sides)


def _release(
    encoded: EncodedSequences,
    sensitive: Sensitive,
    outcome: Outcome,
    parameters: JsonObject,
    sides: Sides,
) -> Release:
    codes, ends = outcome.codes, outcome.ends
    documents = len(ends)
    released = len(codes) - documents
    counts = {
        "sequences": documents,
        "symbols": len(encoded.codes) - documents,
        "released_symbols": released,
        "patterns": len(sensitive.patterns),
        "hidden": int(sensitive.occurrences.sum()),
        "separators": int((codes == 0).sum()),
        "replaced": outcome.replaced,
    }
    if parameters["method"] in REPLACES:
        counts["invented"] = outcome.written
    if outcome.picked is not None:
        counts["deleted"] = len(encoded.codes) - len(outcome.picked)
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
    release_warnings = warnings_of(counts, int((sensitive.occurrences == 0).sum()))
    for warning in release_warnings:
        if "empty" in warning:
            warnings.warn(warning, stacklevel=3)
    separator = parameters["separator"]
    return Release(
        verb="sanitize",
        data=encoded.rebuild(codes, ends, separator)
        if outcome.picked is None
        else encoded.picked(outcome.picked, ends),
        claims=claims_of(parameters, sides),
        changes=changes_of(
            encoded, codes, ends, outcome.kept, "\0" if separator is None else separator
        ),
        loss=Loss(loss),
        parameters=parameters,
        counts=counts,
        not_protected=not_protected(parameters),
        warnings=release_warnings,
        sides=sides,
    )


def _pick(measured: Callable[[], dict[str, float]], name: str) -> float:
    return measured()[name]


def _given_patterns(
    encoded: EncodedSequences,
    patterns: list[Data] | None,
    positions: Sequence[object] | None,
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
    encoded: EncodedSequences,
    sensitive: Sensitive,
    letters: int,
    rho: float | None,
    implausible: Sequence[object] | None,
    reference: Data,
) -> Rules:
    k = sensitive.k
    if rho is not None and k < 3:
        raise BadInput(
            f"implausible patterns need k of at least 3, found {k}", where="rho", remedy="drop rho"
        )
    unknown: dict[Any, int] = {}
    listed, others = None, []
    if implausible is not None:
        for i, pattern in enumerate(check_sequence("implausible", implausible)):
            if not len(check_sequence(f"implausible[{i}]", pattern)):
                raise BadInput("expected at least one symbol", where=f"implausible[{i}]")
        coded = [encoded.encode(pattern, unknown) for pattern in implausible]
        alike = [code for pattern in coded if len(pattern) == k for code in pattern]
        listed = np.array(alike, np.int32)
        others = [tuple(pattern) for pattern in coded if len(pattern) != k]
    if reference is None:
        return Rules(letters, rho, None, listed, tuple(others))
    sequences = (
        reference if encoded.is_collection and not isinstance(reference, str) else [reference]
    )
    for i, one in enumerate(check_sequence("reference", sequences)):
        check_sequence(f"reference[{i}]", one)
    try:
        codes = [code for one in sequences for code in (*encoded.encode(one, unknown), -1)]
    except TypeError:
        raise BadInput("expected symbols that can be compared", where="reference") from None
    return Rules(letters, rho, np.array(codes, np.int32), listed, tuple(others))
