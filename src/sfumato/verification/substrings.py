"""Substring k-anonymity and word k-anonymity, checked from their definitions.

The release is compared with the original symbol by symbol; then every whole star-free stretch is
counted, in the original or (strict) in the release. That suffices: a substring of a stretch occurs
at least as often as the stretch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.claims import Claim, Verdict
from ..core.corpus import Corpus, group_labels
from ..kernels import checks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.release import Release


def check(claim: Claim, original: Any, release: Release) -> Verdict:
    """Judges a claim of `suppress`. Cost: near O(n)."""
    before, after = Corpus.of(original).texts, Corpus.of(release.data).texts
    if len(before) != len(after):
        return Verdict(claim, False, f"{len(before)} documents became {len(after)}")
    parameters = claim.parameters
    k, mask = int(str(parameters["k"])), str(parameters["mask"])
    compared = checks.compare(before, after, mask, bool(parameters["collapse"]))
    if compared.first_difference is not None:
        document, offset = compared.first_difference
        return Verdict(
            claim,
            False,
            "the release differs from the original other than by the mask",
            _place(document, offset),
        )
    labels = _labels(parameters["count"], len(before), release)
    reference = after if parameters["strict"] else before
    stretches = compared.documents, compared.starts, compared.stops
    if parameters["unit"] == "word" or claim.name == "word-k-anonymity":
        single = claim.name == "word-k-anonymity"
        counted, places = _count_words(reference, after, stretches, k, labels, mask, single)
    else:
        places = checks.strip_kept(after, *stretches, str(parameters["keep"]))
        counted = checks.count_stretches(reference, *places, after, k, labels=labels)
    measured = {"smallest_count": counted.smallest, "stretches": counted.checked}
    if counted.failures:
        documents, starts, _ = places
        where = _place(int(documents[counted.first]), int(starts[counted.first]))
        measured["violations"] = counted.failures
        reason = f"a legible stretch occurs {counted.smallest} times, fewer than k={k}"
        return Verdict(claim, False, reason, where, measured)
    return Verdict(claim, True, f"every one of {counted.checked} stretches", None, measured)


def _labels(count: object, documents: int, release: Release) -> NDArray[np.int32] | None:
    if count == "occurrences":
        return None
    if count == "documents":
        return np.arange(documents, dtype=np.int32)
    return group_labels(release.private["groups"], documents)


def _place(document: int, offset: int) -> str:
    return f"document {document}, offset {offset}"
