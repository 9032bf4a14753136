"""The claims of `sanitize`, checked from their definitions.

Original, release and patterns become one text of numbers; windows of equal symbols get equal
names; everything else is counting and comparing names. A window with a separator is no window.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.claims import Claim, Verdict
from ..core.corpus import is_missing
from ..core.printed import by_sizes
from ..kernels import checks
from .marks import taken_for_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.release import Release
    from ..core.values import Data

    Ints = NDArray[np.int64]
    Flags = NDArray[np.bool_]

BREAK = 0  # what ends a sequence, and the separator


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """Several groups of sequences as one text; a break follows every sequence.

    `groups` has, for every symbol, the group it belongs to, `sequences` the sequence in its group.
    """

    text: Ints
    groups: Ints
    sequences: Ints
    offsets: Ints
    patterns: list[Data]
    k: int

    __repr__ = by_sizes


ORIGINAL, RELEASE, PATTERNS, LISTED, REFERENCE = range(5)


def check_patterns(claims: Iterable[Claim], original: Data, release: Release) -> list[Verdict]:
    """Judges the claims of `sanitize`; their symbols are numbered once. Cost: O(n log n)."""
    known: dict[tuple[object, ...], Case] = {}
    original = release.data if original is None else original  # that no pattern occurs needs none
    return [_check(claim, original, release, known) for claim in claims]


def _check(
    claim: Claim, original: Data, release: Release, known: dict[tuple[object, ...], Case]
) -> Verdict:
    patterns = release.sides.patterns
    if patterns is None:
        return Verdict(claim, False, "the sensitive patterns are needed to judge this")
    for told, name, what in (
        ("listed", "implausible", "the listed implausible patterns are"),
        ("reference", "reference", "the reference is"),
    ):
        if claim.parameters.get(told) and getattr(release.sides, name) is None:
            return Verdict(claim, False, f"{what} needed to judge this")
    collection, k = bool(claim.parameters["collection"]), int(str(claim.parameters["k"]))
    key = collection, k, claim.parameters["separator"]
    if key not in known:
        after = _sequences(release.data, collection)
        before = after if original is None else _sequences(original, collection)
        if len(before) != len(after):
            return Verdict(claim, False, f"{len(before)} sequences became {len(after)}")
        problem = _separator(claim, [] if original is None else before, list(patterns))
        if problem is not None:
            return Verdict(claim, False, problem)
        reference = release.sides.reference
        many = collection and not isinstance(reference, str)
        groups = [
            before,
            after,
            list(patterns),
            list(release.sides.implausible or []),
            [] if reference is None else _sequences(reference, many),
        ]
        numbers = _numbers(groups, claim.parameters["separator"], k)
        known[key] = Case(numbers, _named(numbers))
    judge: dict[str, Callable[[Claim, Numbers, Named], Verdict]] = {
        "pattern-free": _pattern_free,
        "order-kept": _order_kept,
        "frequency-kept": _frequency_kept,
        "no-lost": _no_lost,
        "no-implausible": _no_implausible,
    }
    return judge[claim.name](claim, known[key].numbers, known[key].named)


def _separator(claim: Claim, before: list[Data], patterns: list[Data]) -> str | None:
    """Why a separator is none, or None: it would hide what it stands in."""
    separator = claim.parameters["separator"]
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
    def values(one: Any) -> Any:
        for name in ("to_list", "to_pylist", "tolist"):
            if hasattr(one, name):
                return getattr(one, name)()
        return one

    data = values(data)
    if not collection:
        return [data]
    return ["" if is_missing(one) else values(one) for one in data]


def _numbers(groups: list[list[Data]], separator: object, k: int) -> Numbers:
    """Numbers every symbol from 1 on; the separator and the end of a sequence are breaks."""
    everything = [sequence for group in groups for sequence in group]
    sizes = np.array([len(sequence) for sequence in everything], np.int64)
    ends = np.cumsum(sizes + 1) - 1
    if all(isinstance(sequence, str) for sequence in everything):
        joined = "".join(f"{sequence}\0" for sequence in everything)
        points = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32)
        _, text = np.unique(points, return_inverse=True)
        text = text.astype(np.int64) + 1
        if isinstance(separator, str) and len(separator) == 1:
            text[points == ord(separator)] = BREAK
    else:
        known: dict[object, int] = {separator: BREAK}
        text = np.array(
            [
                known.setdefault(symbol, len(known))
                for sequence in everything
                for symbol in [*sequence, separator]
            ],
            np.int64,
        )
    text[ends] = BREAK
    group = np.repeat(np.arange(len(groups)), [len(one) for one in groups])
    sequence = np.concatenate([np.arange(len(one)) for one in groups])
    starts = np.repeat(ends - sizes, sizes + 1)
    return Numbers(
        text,
        np.repeat(group, sizes + 1),
        np.repeat(sequence, sizes + 1),
        np.arange(len(text)) - starts,
        groups[PATTERNS],
        k,
    )


def _windows(numbers: Numbers, length: int) -> tuple[Ints, Ints]:
    """Where the windows of some length stand, and their names: equal for equal windows."""
    text = numbers.text
    count = max(0, len(text) - length + 1)
    symbols = int(text.max(initial=0)) + 1
    names, size = np.zeros(count, np.int64), 1
    for at in range(length):
        if size * symbols >= 1 << 62:
            distinct, names = np.unique(names, return_inverse=True)
            size = len(distinct)
        names, size = names * symbols + text[at : at + count], size * symbols
    breaks = np.concatenate(([0], np.cumsum(text == BREAK)))
    places = np.flatnonzero(breaks[length : length + count] == breaks[:count])
    return places, np.unique(names[places], return_inverse=True)[1].astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """All windows of k symbols: their places, names and groups, and which names are sensitive."""

    places: Ints
    names: Ints
    groups: Ints
    sensitive: Flags

    def counts(self, group: int) -> Ints:
        """How often every name occurs in a group."""
        return np.bincount(self.names[self.groups == group], minlength=len(self.sensitive))

    def kept(self, group: int) -> tuple[Ints, Ints]:
        """Places and names of a group's windows that are not sensitive."""
        mine = (self.groups == group) & ~self.sensitive[self.names]
        return self.places[mine], self.names[mine]


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """What claims with the same k and separator are judged by."""

    numbers: Numbers
    named: Named


def _named(numbers: Numbers) -> Named:
    """Names the windows; of each pattern its rarest window, leftmost on ties, is sensitive."""
    places, names = _windows(numbers, numbers.k)
    groups = numbers.groups[places]
    size = int(names.max(initial=-1)) + 1
    counts = np.bincount(names[groups == ORIGINAL], minlength=size)
    sensitive = np.zeros(size, bool)
    mine = groups == PATTERNS
    owners, candidates = numbers.sequences[places[mine]], names[mine]
    order = np.lexsort((np.arange(len(owners)), counts[candidates], owners))
    first = np.diff(owners[order], prepend=-1) != 0
    sensitive[candidates[order][first]] = True
    return Named(places, names, groups, sensitive)


def _place(numbers: Numbers, place: int) -> str:
    return f"sequence {numbers.sequences[place]}, offset {numbers.offsets[place]}"


def _pattern_free(claim: Claim, numbers: Numbers, named: Named) -> Verdict:
    lengths = sorted({len(pattern) for pattern in numbers.patterns})
    for length in lengths:
        places, names = (
            (named.places, named.names) if length == numbers.k else _windows(numbers, length)
        )
        groups = numbers.groups[places]
        whole = (groups == PATTERNS) & (numbers.offsets[places] == 0)
        sizes = np.array([len(pattern) for pattern in numbers.patterns])
        whole &= sizes[np.where(whole, numbers.sequences[places], 0)] == length
        found = (groups == RELEASE) & np.isin(names, names[whole])
        if found.any():
            return Verdict(
                claim,
                False,
                f"a sensitive pattern of {length} symbols occurs",
                _place(numbers, int(places[np.argmax(found)])),
                {"occurrences": int(found.sum())},
            )
    return Verdict(claim, True, f"none of {len(numbers.patterns)} patterns occurs")


def _order_kept(claim: Claim, numbers: Numbers, named: Named) -> Verdict:
    if claim.parameters["order"] == "blocks":
        return _blocks_kept(claim, numbers, named)
    places, names = named.kept(ORIGINAL)
    mine = named.groups == RELEASE
    found_places, found = named.places[mine], named.names[mine]
    wanted = list(zip(numbers.sequences[places].tolist(), names.tolist(), strict=True))
    have = list(zip(numbers.sequences[found_places].tolist(), found.tolist(), strict=True))
    if claim.parameters["order"] == "subsequence":
        rest = iter(have)
        missing = next((i for i, one in enumerate(wanted) if one not in rest), None)
        if missing is None:
            return Verdict(claim, True, f"all {len(wanted)} windows appear in their order")
        return Verdict(
            claim,
            False,
            "a window is missing or out of order",
            f"original's {_place(numbers, int(places[missing]))}",
        )
    if wanted == have:
        return Verdict(claim, True, f"the {len(wanted)} windows are the same, in order")
    pairs = zip(wanted, have, strict=False)
    first = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(wanted), len(have)))
    where = (
        _place(numbers, int(found_places[first]))
        if first < len(have)
        else f"original's {_place(numbers, int(places[first]))}"
    )
    return Verdict(claim, False, "the windows are not those of the original in order", where)


def _blocks_kept(claim: Claim, numbers: Numbers, named: Named) -> Verdict:
    """Every p-chain (a stretch of a block) occurs at least as often in the release."""
    k, text = numbers.k, numbers.text
    places, _ = named.kept(ORIGINAL)
    documents = numbers.sequences[places]
    parts = np.zeros(len(text) + 1, np.int64)
    if k > 1:
        stands, names = _windows(numbers, k - 1)
        parts[stands] = names + 1
    follows = np.zeros(len(places), bool)
    follows[1:] = (documents[1:] == documents[:-1]) & (parts[places[:-1] + 1] == parts[places[1:]])
    # A window that follows adds its last symbol; another one a break and all its symbols.
    sizes = np.where(follows, 1, k + 1)
    last = np.cumsum(sizes)
    back = np.repeat(last, sizes) - 1 - np.arange(int(last[-1]) if len(last) else 0)
    blocks = text[np.repeat(places + k - 1, sizes) - np.minimum(back, k - 1)]
    blocks[back == k] = BREAK
    count = int(numbers.sequences[numbers.groups == RELEASE].max(initial=-1)) + 1
    per_document = np.bincount(documents, weights=sizes, minlength=count).astype(np.int64)
    mine = numbers.groups == RELEASE
    found = text[mine]
    found_ends = np.cumsum(np.bincount(numbers.sequences[mine], minlength=count)).astype(np.int64)
    first = checks.first_uncovered(blocks, np.cumsum(per_document), found, found_ends, k)
    if first >= 0:
        return Verdict(
            claim,
            False,
            "a stretch of overlapping windows occurs less often than in the original",
            f"sequence {first}",
        )
    return Verdict(claim, True, f"every stretch of {int((~follows).sum())} blocks appears")


def _frequency_kept(claim: Claim, numbers: Numbers, named: Named) -> Verdict:
    before = np.where(named.sensitive, 0, named.counts(ORIGINAL))
    return _compare(claim, numbers, named, before != named.counts(RELEASE), "has another frequency")


def _no_lost(claim: Claim, numbers: Numbers, named: Named) -> Verdict:
    before = np.where(named.sensitive, 0, named.counts(ORIGINAL))
    return _compare(claim, numbers, named, before > named.counts(RELEASE), "became rarer")


def _compare(claim: Claim, numbers: Numbers, named: Named, bad: Flags, what: str) -> Verdict:
    mine = (named.groups == ORIGINAL) | (named.groups == RELEASE)
    spoilt = mine & bad[named.names]
    if not spoilt.any():
        kept = int((~named.sensitive & (named.counts(ORIGINAL) > 0)).sum())
        return Verdict(claim, True, f"{kept} distinct windows compared")
    place = int(named.places[np.argmax(spoilt)])
    whose = "original's " if numbers.groups[place] == ORIGINAL else ""
    return Verdict(
        claim,
        False,
        f"a window of {numbers.k} symbols {what}",
        whose + _place(numbers, place),
        {"windows": int(bad.sum())},
    )


def _no_implausible(claim: Claim, numbers: Numbers, named: Named) -> Verdict:
    k = numbers.k
    more = named.counts(RELEASE) > named.counts(ORIGINAL)
    created = np.flatnonzero((named.groups == RELEASE) & more[named.names])
    places = named.places[created]
    bad = np.isin(named.names[created], named.names[named.groups == LISTED])
    rho = claim.parameters["rho"]
    if rho is not None:
        by = REFERENCE if claim.parameters.get("reference") else ORIGINAL
        bad |= _scores(numbers, places, k, by) < float(str(rho))
    if bad.any():
        where = _place(numbers, int(places[np.argmax(bad)]))
        return Verdict(claim, False, "a created window is implausible", where)
    return Verdict(claim, True, f"{int(more.sum())} created windows are plausible")


def _scores(numbers: Numbers, places: Ints, k: int, group: int) -> NDArray[np.float64]:
    """Z of the windows at some places, by the frequencies in one group."""

    def f(start: int, stop: int) -> NDArray[np.float64]:
        stands, names = _windows(numbers, stop - start)
        counts = np.bincount(names[numbers.groups[stands] == group], minlength=int(names.max()) + 1)
        found: NDArray[np.float64] = counts[names[np.searchsorted(stands, places + start)]].astype(
            np.float64
        )
        return found

    if not len(places):
        return np.zeros(0)
    whole, left, right, inner = f(0, k), f(0, k - 1), f(1, k), f(1, k - 1)
    expected = np.divide(left * right, inner, out=np.zeros_like(inner), where=inner > 0)
    result: NDArray[np.float64] = (whole - expected) / np.maximum(1.0, np.sqrt(expected))
    return result
