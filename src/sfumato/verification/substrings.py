"""Substring k-anonymity and word k-anonymity, checked from their definitions.

The release is compared with the original symbol by symbol; then every whole star-free stretch is
counted, in the original or (strict) in the release. That suffices: a substring of a stretch occurs
at least as often as the stretch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypedDict

import numpy as np

from ..claims.substrings import LegibleParameters
from ..core.allowance import allowance
from ..core.claims import Claim, Verdict
from ..core.corpus import Corpus
from ..kernels import checks
from . import marks, reader
from .labels import group_labels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.progress import Share
    from ..core.release import Release
    from ..core.values import Array, Data


class Counting(TypedDict):
    """What counting is told beside what it counts."""

    memory: int | None
    progress: Share | None


def check_substrings(claim: Claim, original: Data, release: Release) -> Verdict:
    """Judges a claim of `suppress`; without the original (None) in the release. Cost: O(n)."""
    after = Corpus.of(release.data).texts
    before = after if original is None else Corpus.of(original).texts
    if len(before) != len(after):
        return Verdict(claim, False, f"{len(before)} documents became {len(after)}")
    given = LegibleParameters.of(claim)
    mask = given.mask
    problem = marks.taken_for_text(mask)
    if original is not None:  # alone, a release has masks of its own only
        problem = problem or marks.stands_for_itself(mask, before, as_break=True)
    if problem is not None:
        return Verdict(claim, False, problem)
    labels = labels_of(given.count, len(before), release)
    if given.guess is not None:
        if original is None:
            return reader.recount(claim, after, labels)
        return reader.check_reader(claim, before, after, release, labels)
    found = compared(before, after, mask, given.collapse)
    if found.first_difference is not None:
        reason = "the release differs from the original other than by the mask"
        return Verdict(claim, False, reason, _place(*found.first_difference))
    k = given.k
    legible = found.documents, found.starts, found.stops
    if claim.name == "word-k-anonymity" or given.unit == "word":
        each = claim.name == "word-k-anonymity"
        counted, place = _words(before, after, legible, k, labels, given.strict, each)
    else:
        stretches = checks.strip_kept(after, *legible, given.keep)
        place = _places(stretches[0], stretches[1])
        if given.strict:
            counted = checks.count_stretches(
                after, *stretches, after, k, labels=labels, within=legible, **counting()
            )
        else:
            counted = checks.count_stretches(
                before, *stretches, after, k, labels=labels, **counting()
            )
    return _verdict(claim, counted, k, place)


def compared(
    before: list[str], after: list[str], mask: str, collapse: bool
) -> checks.LegibleStretches:
    """The legible stretches of a release, if it is its original with symbols masked."""
    told = allowance().told(0.0, 0.1)
    if len(mask) == 1 and not collapse:
        return checks.compare_masked(before, after, mask, progress=told)
    return checks.align_collapsed(before, after, mask, collapsed=collapse, progress=told)


def counting() -> Counting:
    """How stretches are counted within what is allowed."""
    may = allowance()
    return {"memory": may.memory, "progress": may.told(0.1, 1.0)}


def labels_of(count: object, documents: int, release: Release) -> NDArray[np.int32] | None:
    """Whose each document is, as k counts; None where it counts occurrences."""
    if count == "occurrences":
        return None
    if count == "documents":
        return np.arange(documents, dtype=np.int32)
    return group_labels(release.sides.groups, documents)


def _words(
    before: list[str],
    after: list[str],
    legible: checks.Spans,
    k: int,
    labels: NDArray[np.int32] | None,
    strict: bool,
    each: bool,
) -> tuple[checks.StretchCounts, Callable[[int], str]]:
    """Counts the legible sequences of words, or (`each`) every legible word by itself."""
    words = checks.number_words(before, after, legible)
    owners = legible[0]
    bounds = np.concatenate([np.zeros(1, np.int64), words.query_ends])
    if each:
        # Every word is a stretch of its own.
        owners = np.repeat(owners, np.diff(bounds))
        bounds = np.arange(len(words.queries) + 1, dtype=np.int64)
    filled = np.flatnonzero(np.diff(bounds))
    lengths = np.diff(bounds)[filled]
    reference, ends = (
        (words.queries, words.query_ends) if strict else (words.reference, words.reference_ends)
    )
    if strict and labels is not None:
        labels = labels[legible[0]]
    counted = checks.count_sequences(
        reference,
        ends,
        filled.astype(np.int32),
        np.zeros(len(filled), np.int64),
        lengths,
        words.queries,
        bounds[1:],
        k,
        labels=labels,
        **counting(),
    )
    return counted, _places(owners[filled], words.query_starts[bounds[:-1][filled]])


def _verdict(
    claim: Claim, counted: checks.StretchCounts, k: int, place: Callable[[int], str]
) -> Verdict:
    measured = {"smallest_count": counted.smallest, "stretches": counted.checked}
    if counted.failures:
        measured["violations"] = counted.failures
        reason = f"a legible stretch has the count {counted.smallest}, k is {k}"
        return Verdict(claim, False, reason, place(counted.first), measured)
    return Verdict(claim, True, f"all {counted.checked} legible stretches hold", None, measured)


def _places(documents: Array, starts: Array) -> Callable[[int], str]:
    return lambda i: _place(int(documents[i]), int(starts[i]))


def _place(document: int, offset: int) -> str:
    return f"document {document}, offset {offset}"
