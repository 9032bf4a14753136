"""Listed spans, judged from the original, the release and the list alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from ..claims.substrings import MaskedParameters
from ..core.claims import Verdict
from ..core.corpus import Corpus
from ..core.errors import BadInput
from . import marks, reader
from .substrings import compared

if TYPE_CHECKING:
    from ..core.claims import Claim
    from ..core.release import Release
    from ..core.values import Data

Place = tuple[int, int, int]


def check_spans(claim: Claim, original: Data, release: Release) -> Verdict:
    """Judges a claim about listed spans. Cost: O(n), more only where unchanged texts repeat."""
    before, after = Corpus.of(original).texts, Corpus.of(release.data).texts
    if len(before) != len(after):
        return Verdict(claim, False, f"{len(before)} documents became {len(after)}")
    places = listed(claim, release, before)
    judge = _hidden if claim.name == "spans-hidden" else _only_changed
    return judge(claim, before, after, places)


def _hidden(claim: Claim, before: list[str], after: list[str], places: list[Place]) -> Verdict:
    """No symbol of the spans is legible.

    The spans of the original are overwritten with a symbol that the release does not have: what
    still turns into the release by masking can have shown none of them.
    """
    given = MaskedParameters.of(claim)
    mask = given.mask
    problem = marks.taken_for_text(mask) or marks.stands_for_itself(mask, before, as_break=True)
    if problem is not None:
        return Verdict(claim, False, problem)
    if given.guess is not None:
        return _hidden_words(claim, before, after, places)
    blank = _unused(mask, after)
    blanked = [list(text) for text in before]
    for document, start, stop in places:
        blanked[document][start:stop] = blank * (stop - start)
    hidden = compared(list(map("".join, blanked)), after, mask, given.collapse)
    if hidden.first_difference is not None:
        document, offset = hidden.first_difference
        where = f"document {document}, released offset {offset}"
        return Verdict(claim, False, "a listed span is legible, or other text was changed", where)
    return Verdict(claim, True, "all listed spans are starred", None, {"spans": len(places)})


def _hidden_words(
    claim: Claim, before: list[str], after: list[str], places: list[Place]
) -> Verdict:
    """The same where words are starred whole, and what stands between them may be blanks."""
    laid = reader.laid_on(claim, before, after)
    if laid.first_difference is not None:
        document, offset = laid.first_difference
        where = f"document {document}, released offset {offset}"
        return Verdict(claim, False, "text was changed other than by stars", where)
    begins = [0, *accumulate(map(len, before))]
    for document, start, stop in places:
        if not laid.hidden[begins[document] + start : begins[document] + stop].all():
            where = f"document {document}, offset {start}"
            return Verdict(claim, False, "a listed span is legible", where)
    return Verdict(claim, True, "all listed spans are starred", None, {"spans": len(places)})


def _only_changed(
    claim: Claim, before: list[str], after: list[str], places: list[Place]
) -> Verdict:
    """What stands between the spans follows in the release, in order, from end to end."""
    by_document: dict[int, list[Place]] = {}
    for place in places:
        by_document.setdefault(place[0], []).append(place)
    for document, (old, new) in enumerate(zip(before, after, strict=True)):
        here = by_document.get(document, [])
        stops = [0, *(stop for _, _, stop in here)]
        starts = [*(start for _, start, _ in here), len(old)]
        between = [old[stop:start] for stop, start in zip(stops, starts, strict=True)]
        if not _in_order(between, new):
            reason = "text outside the listed spans was changed"
            return Verdict(claim, False, reason, f"document {document}")
    return Verdict(claim, True, "nothing else was changed", None, {"spans": len(places)})


def _in_order(pieces: Sequence[str], text: str) -> bool:
    """Whether the text is these pieces with anything between them: the first place for each does.

    >>> _in_order(["a", "b"], "a--b"), _in_order(["a", "b"], "a--bc"), _in_order(["a"], "ab")
    (True, False, False)
    """
    first, last = pieces[0], pieces[-1]
    if len(pieces) == 1:
        return text == first
    end = len(text) - len(last)
    if not text.startswith(first) or not text.endswith(last) or end < len(first):
        return False
    at = len(first)
    for piece in pieces[1:-1]:
        found = text.find(piece, at, end)
        if found < 0:
            return False
        at = found + len(piece)
    return True


def listed(claim: Claim, release: Release, texts: Sequence[str]) -> list[Place]:
    """The spans a claim is about, in order; others than the release counts, or none, are refused.

    How many there are is private: without the count, the keyed hash of the spans tells.
    """
    if release.sides.spans is None:
        raise BadInput("this claim is about listed spans", where="spans", remedy="give them")
    places = sorted(tuple(map(int, place[:3])) for place in release.sides.spans)
    expected = release.counts.get("spans", len(places))
    if len(places) != expected:
        raise BadInput(
            f"the claim is about {expected} spans, found {len(places)}",
            where="spans",
            remedy="give those of the release",
        )
    for document, start, stop in places:
        inside = 0 <= document < len(texts) and 0 <= start < stop <= len(texts[document])
        if not inside:
            raise BadInput("a span lies outside the texts", where=f"document {document}")
    return places  # type: ignore[return-value]


def _unused(mask: str, texts: Iterable[str]) -> str:
    """A symbol that is no part of the mask or of any text."""
    used = set(mask).union(*texts)
    return next(symbol for symbol in map(chr, range(0xE000, 0x110000)) if symbol not in used)
