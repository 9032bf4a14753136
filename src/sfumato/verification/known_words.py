"""Sets of words that a person shows are shown by k people: counted anew in what a reader has.

The release is laid on its original, what can be guessed is written back, and of what is then
legible every set of up to m words that are not common is listed and counted. Without the original
the release is taken as it stands.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from ..claims.substrings import KnownParameters
from ..core.claims import Claim, Verdict
from ..core.corpus import Corpus
from ..kernels import checks
from . import marks, reader
from .known_sets import set_counts
from .substrings import labels_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.release import Release
    from ..core.values import Data


def check_known_words(claim: Claim, original: Data, release: Release) -> Verdict:
    """Judges a claim about sets of words. Cost: O(n log n), and the sets that people show."""
    after = Corpus.of(release.data).texts
    given = KnownParameters.of(claim)
    mask = given.mask
    labels = labels_of(given.count, len(after), release)
    problem = marks.taken_for_text(mask)
    if original is not None and problem is None:
        before = Corpus.of(original).texts
        if len(before) != len(after):
            return Verdict(claim, False, f"{len(before)} documents became {len(after)}")
        problem = marks.stands_for_itself(mask, before, as_break=True)
    if problem is not None:
        return Verdict(claim, False, problem)
    if original is None:
        return recount_known_words(claim, after, labels)
    laid = reader.laid_on(claim, before, after)
    if laid.first_difference is not None:
        document, offset = laid.first_difference
        reason = "the release differs from the original other than by words starred whole"
        return Verdict(claim, False, reason, f"document {document}, offset {offset}")
    public = reader.public_of(claim, release)
    left = reader.left_of_stars(claim, laid, before, public, labels)
    return _judged(claim, laid, left, labels)


def recount_known_words(
    claim: Claim, texts: list[str], labels: NDArray[np.int32] | None
) -> Verdict:
    """Counts the same in texts as a reader has them, or by themselves."""
    given = KnownParameters.of(claim)
    texts, mask = reader.one_symbol(texts, given.mask)
    laid = checks.lay_words(texts, texts, mask, keep=given.keep)
    return _judged(claim, laid, laid.starred != 0, labels)


def _judged(
    claim: Claim,
    laid: checks.WordAlignment,
    left: NDArray[np.bool_],
    labels: NDArray[np.int32] | None,
) -> Verdict:
    given = KnownParameters.of(claim)
    k, m = given.k, given.knows
    if labels is None:
        return Verdict(claim, False, "sets of words are counted over documents or people")
    table, people = _shown(laid, left, labels), len(np.unique(labels))
    of_word = pl.col("owner").n_unique().over("item")
    share = Fraction(repr(given.common))
    is_common = (of_word * share.denominator > share.numerator * people) & (of_word >= k)
    known = table.filter(~is_common).sort("class", "owner", "item")
    fewest = people
    for size in range(1, m + 1):
        for counted in set_counts(known, size):
            if not counted.height:
                continue
            least = int(counted["people"].min())  # type: ignore[arg-type]
            if least < k:
                whose = counted.filter(pl.col("people") < k)["owner"][0]
                document = int(np.flatnonzero(labels == whose)[0])
                reason = f"{size} words that one shows are shown by {least}, k is {k}"
                return Verdict(claim, False, reason, f"document {document}")
            fewest = min(fewest, least)
    reason = f"every set of up to {m} words that one shows is shown by {k}"
    return Verdict(claim, True, reason, None, {"smallest_count": fewest})


def _shown(
    laid: checks.WordAlignment, left: NDArray[np.bool_], labels: NDArray[np.int32]
) -> pl.DataFrame:
    """Which words each label shows, each once."""
    owner = np.repeat(labels, np.diff(laid.ends, prepend=0))
    shown = ~left & (laid.numbers >= 0)
    return (
        pl.DataFrame({"owner": owner[shown], "item": laid.numbers[shown]})
        .unique()
        .with_columns(pl.lit(0, pl.UInt32).alias("class"))
        .select("class", "owner", "item")
    )
