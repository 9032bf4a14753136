"""The claims of `sanitize`, checked from their definitions.

Original, release and patterns become one text of numbers; windows of equal symbols get equal
names; everything else is counting and comparing names. A window with a separator is no window.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..claims.patterns import ImplausibleParameters, OrderParameters, WindowParameters
from ..core.claims import Claim, Verdict
from ..core.corpus import is_missing
from ..kernels import window_checks
from .marks import taken_for_text
from .pattern_numbers import (
    LISTED,
    ORIGINAL,
    PATTERNS,
    REFERENCE,
    RELEASE,
    Case,
    Numbers,
    WindowNames,
    named_windows,
    names_of_length,
    numbered,
    whole_names,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.release import Release
    from ..core.values import Data

    Codes = NDArray[np.int32]
    Ints = NDArray[np.int64]
    Flags = NDArray[np.bool_]


def check_patterns(claims: Iterable[Claim], original: object, release: Release) -> list[Verdict]:
    """Judges the claims of `sanitize`; their symbols are numbered once. Cost: O(n)."""
    known: dict[tuple[object, ...], Case] = {}
    return [_check_claim(claim, original, release, known) for claim in claims]


def _check_claim(
    claim: Claim, original: Data, release: Release, known: dict[tuple[object, ...], Case]
) -> Verdict:
    patterns = release.sides.patterns
    if patterns is None:
        return Verdict(claim, False, "the sensitive patterns are needed to judge this")
    given = WindowParameters.of(claim)
    for told, name, what in (
        (given.listed, "implausible", "the listed implausible patterns are"),
        (given.reference, "reference", "the reference is"),
    ):
        if told and getattr(release.sides, name) is None:
            return Verdict(claim, False, f"{what} needed to judge this")
    key = given.collection, given.k, given.separator, given.separated
    after = _sequences(release.data, given.collection)
    alone = original is None  # that no pattern occurs needs none, and separators are the release's
    before = after if alone else _sequences(original, given.collection)
    if len(before) != len(after):
        return Verdict(claim, False, f"{len(before)} sequences became {len(after)}")
    if claim.name == "nothing-invented":
        return _nothing_invented(claim, given.timed, before, after)
    if key not in known:
        originals = [] if alone or given.separated else before
        problem = _separator(given.separator, originals, list(patterns))
        if problem is not None:
            return Verdict(claim, False, problem)
        reference = release.sides.reference
        many = given.collection and not isinstance(reference, str)
        groups = [
            before,
            after,
            list(patterns),
            list(release.sides.implausible or []),
            [] if reference is None else _sequences(reference, many),
        ]
        numbers = numbered(groups, given.separator, given.k)
        known[key] = Case(numbers, named_windows(numbers))
    judge: dict[str, Callable[[Claim, Numbers, WindowNames], Verdict]] = {
        "pattern-free": _pattern_free,
        "order-kept": _order_kept,
        "frequency-kept": _frequency_kept,
        "no-lost": _no_lost,
        "no-implausible": _no_implausible,
    }
    return judge[claim.name](claim, known[key].numbers, known[key].named)


def _separator(separator: Data, before: list[Data], patterns: list[Data]) -> str | None:
    """Why a separator is none, or None: it would hide what it stands in."""
    if separator is None:  # nothing was written
        return None
    if isinstance(separator, str):
        problem = taken_for_text(separator)
        if problem is not None:
            return problem.replace("mask", "separator")
    for what, sequences in (("pattern", patterns), ("original", before)):
        for one in sequences:
            # A str is searched for a part of it, which a number cannot be.
            if (isinstance(separator, str) or not isinstance(one, str)) and separator in one:
                return f"the {what} has the separator: it would stand for itself"
    return None


def _sequences(data: Data, collection: bool) -> list[Any]:
    def values(one: object) -> Any:
        for name in ("to_list", "to_pylist", "tolist"):
            if hasattr(one, name):
                return getattr(one, name)()
        return one

    data = values(data)
    if not collection:
        return [data]
    return ["" if is_missing(one) else values(one) for one in data]


def _pattern_free(claim: Claim, numbers: Numbers, named: WindowNames) -> Verdict:
    for length in sorted({len(pattern) for pattern in numbers.patterns}):
        names, size = names_of_length(numbers, named, length)
        bad = np.zeros(size + 1, bool)  # the last one is no window
        bad[whole_names(numbers, names, PATTERNS, length)] = True
        bad[-1] = False
        found = bad[names[numbers.part(RELEASE)]]
        if found.any():
            place = numbers.part(RELEASE).start + int(np.argmax(found))
            return Verdict(
                claim,
                False,
                f"a sensitive pattern of {length} symbols occurs",
                numbers.place(place),
                {"occurrences": int(found.sum())},
            )
    return Verdict(claim, True, f"none of {len(numbers.patterns)} patterns occurs")


def _order_kept(claim: Claim, numbers: Numbers, named: WindowNames) -> Verdict:
    order = OrderParameters.of(claim).order
    if order == "blocks":
        return _blocks_kept(claim, numbers, named)
    known = _compared(numbers, named)
    wanted, found = window_checks.first_out_of_order(*known, exact=order == "total")
    if wanted < 0 and found < 0:
        kept = int(named.before[~named.sensitive].sum())
        told = "are the same, in order" if order == "total" else "appear in their order"
        return Verdict(claim, True, f"the {kept} windows {told}")
    if order == "subsequence":
        return Verdict(claim, False, "a window is missing or out of order", numbers.place(wanted))
    where = numbers.place(found if found >= 0 else wanted)
    return Verdict(claim, False, "the windows are not those of the original in order", where)


def _compared(numbers: Numbers, named: WindowNames) -> tuple[Codes, Codes, Any, Ints, Ints, int]:
    """What the kernels compare original and release by."""
    return (
        numbers.text,
        named.names,
        named.sensitive.view(np.uint8),
        np.concatenate((numbers.begins(ORIGINAL), numbers.begins(RELEASE))),
        np.concatenate((numbers.stops(ORIGINAL), numbers.stops(RELEASE))),
        numbers.k,
    )


def _blocks_kept(claim: Claim, numbers: Numbers, named: WindowNames) -> Verdict:
    """Every p-chain (a stretch of a block) occurs at least as often in the release."""
    known = _compared(numbers, named)
    begins, stops = numbers.begins(RELEASE), numbers.stops(RELEASE)
    first, unknown = window_checks.first_rarer(*known)
    for sequence in unknown:  # by a suffix automaton, which takes more memory
        blocks = np.array(window_checks.blocks(*known, sequence), np.int64)
        found = numbers.text[begins[sequence] : stops[sequence]].astype(np.int64)
        ends = np.array([len(blocks)]), np.array([len(found)])
        if window_checks.first_uncovered(blocks, ends[0], found, ends[1], numbers.k) >= 0:
            first = sequence
            break
    if first >= 0:
        return Verdict(
            claim,
            False,
            "a stretch of overlapping windows occurs less often than in the original",
            f"sequence {first}",
        )
    kept = int(named.before[~named.sensitive].sum())
    return Verdict(claim, True, f"every stretch of {kept} windows appears")


def _frequency_kept(claim: Claim, numbers: Numbers, named: WindowNames) -> Verdict:
    before = np.where(named.sensitive, 0, named.before)
    return _compare(claim, numbers, named, before != named.after, "has another frequency")


def _no_lost(claim: Claim, numbers: Numbers, named: WindowNames) -> Verdict:
    before = np.where(named.sensitive, 0, named.before)
    return _compare(claim, numbers, named, before > named.after, "became rarer")


def _compare(claim: Claim, numbers: Numbers, named: WindowNames, bad: Flags, what: str) -> Verdict:
    if not bad.any():
        kept = int((~named.sensitive & (named.before > 0)).sum())
        return Verdict(claim, True, f"{kept} distinct windows compared")
    past = numbers.part(RELEASE).stop
    spoilt = np.append(bad, False)[named.names[:past]]  # the last one is no window
    return Verdict(
        claim,
        False,
        f"a window of {numbers.k} symbols {what}",
        numbers.place(int(np.argmax(spoilt))),
        {"windows": int(bad.sum())},
    )


def _no_implausible(claim: Claim, numbers: Numbers, named: WindowNames) -> Verdict:
    begin = numbers.part(RELEASE).start
    released = named.names[numbers.part(RELEASE)]
    more = named.after > named.before
    created = np.flatnonzero(np.append(more, False)[released]) + begin
    names = named.names[created]
    bad = np.isin(names, whole_names(numbers, named.names, LISTED, numbers.k))
    given = ImplausibleParameters.of(claim)
    if given.rho is not None:
        by = REFERENCE if given.reference else ORIGINAL
        bad |= _scores(numbers, created, by) < given.rho
    if bad.any():
        where = numbers.place(int(created[np.argmax(bad)]))
        return Verdict(claim, False, "a created window is implausible", where)
    if given.other_lengths:
        found = _new_of_other_length(numbers)
        if found is not None:
            return Verdict(claim, False, "a listed pattern occurs", numbers.place(found))
    return Verdict(claim, True, f"{int(more.sum())} created windows are plausible")


def _new_of_other_length(numbers: Numbers) -> int | None:
    """Where a listed pattern of another length than k stands that the original does not have."""
    for length in sorted({len(one) for one in numbers.listed} - {numbers.k}):
        names, size = window_checks.name_windows(numbers.text, length)
        listed = np.zeros(size + 1, bool)  # the last one is no window
        listed[whole_names(numbers, names, LISTED, length)] = True
        listed[names[numbers.part(ORIGINAL)]] = False
        listed[-1] = False
        found = listed[names[numbers.part(RELEASE)]]
        if found.any():
            return int(numbers.part(RELEASE).start) + int(np.argmax(found))
    return None


def _scores(numbers: Numbers, places: Ints, group: int) -> NDArray[np.float64]:
    """Z of the windows at some places, by the frequencies in one group."""
    k = numbers.k

    def f(start: int, stop: int) -> NDArray[np.float64]:
        names, size = window_checks.name_windows(numbers.text, stop - start)
        counts = window_checks.count_names(names[numbers.part(group)], size)
        found: NDArray[np.float64] = counts[names[places + start]].astype(np.float64)
        return found

    if not len(places):
        return np.zeros(0)
    whole, left, right, inner = f(0, k), f(0, k - 1), f(1, k), f(1, k - 1)
    expected = np.divide(left * right, inner, out=np.zeros_like(inner), where=inner > 0)
    result: NDArray[np.float64] = (whole - expected) / np.maximum(1.0, np.sqrt(expected))
    return result


def _nothing_invented(claim: Claim, timed: bool, before: list[Any], after: list[Any]) -> Verdict:
    """Every released sequence is a subsequence of its original, with the times it has."""
    for number, (old, new) in enumerate(zip(before, after, strict=True)):
        rest = iter(old)
        for offset, symbol in enumerate(new):
            for one in rest:
                if one == symbol and (not timed or _time(one) == _time(symbol)):
                    break
            else:
                reason = "a symbol is not of the original, or not in its place"
                return Verdict(claim, False, reason, f"sequence {number}, offset {offset}")
    many = sum(map(len, after))
    return Verdict(claim, True, f"{many} symbols are symbols of the original, in its order")


def _time(symbol: object) -> Any:
    """When an event happened; what has no time is no event, and equals none."""
    return getattr(symbol, "time", object())
