"""What this release and earlier ones of the same documents reveal together.

Who holds both reads a symbol that either shows: of suppressed texts the union of what is legible
must be shared by k people again. What one release wrote in place of a word (a general word, a
string of `redact`) is undone where the other shows the word, and narrowed where the other wrote
something else: then the readings that fit both must still be enough. See docs/releases.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ...claims import is_recounted, kind
from ...claims.substrings import CountedParameters
from ...core.claims import Claim, Verdict
from ...core.errors import CannotBeMet
from ...core.labels import group_labels
from ...core.printed_form import by_sizes
from ...methods import method
from ...verification import composed_claims, reader
from ...verification.trace import Trace
from ..chains import traces as traces_of
from ..verbs import counts_legible
from . import readings
from .earlier import Earlier, kept, star_masks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...core.release import Release
    from ...core.values import JsonObject
    from ..steps import StageResult
    from .earlier import Flags

HOLE = "\ue000"


@dataclass(frozen=True, slots=True, eq=False)
class JointText:
    """A text as who holds all releases reads it: holes where no release shows anything.

    `document` and `places` say which symbols of this release's text they are (-1: none of them);
    `ours` which of these only this release shows, so that only it can hide them. `is_original`
    tells whether it is the original but for its holes.
    """

    text: str
    label: str
    document: int
    places: NDArray[np.int64]
    ours: Flags
    is_original: bool = False

    __repr__ = by_sizes


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One column of this release, with the earlier ones of the same column."""

    name: str | None
    done: Sequence[StageResult]
    earlier: Sequence[Earlier]
    matches: Sequence[Sequence[int]]

    @classmethod
    def of(cls, done: Sequence[StageResult], earlier: Sequence[Earlier]) -> Column:
        """Matches every document of the input with the earlier releases'."""
        source = done[0].source
        return cls(done[0].step.column, done, earlier, [one.matched(source) for one in earlier])

    @property
    def originals(self) -> list[str]:
        """The texts before any stage."""
        return readings.originals_of(self.done)

    def label(self, document: int) -> str:
        """Whose document it is."""
        groups = self.done[0].source.groups
        return f"document {document}" if groups is None else f"person {groups[document]}"

    def claim(self) -> Claim | None:
        """What must hold for all together: the weakest k of the releases that count substrings."""
        found = [c for one in self.done for c in one.release.claims if is_recounted(c.name)]
        before = [
            claim
            for one in self.earlier
            for stage in one.stages
            for claim in stage.claims
            if is_recounted(claim.name)
        ]
        if not found and not before:
            return None
        of_all = [CountedParameters.of(claim) for claim in [*found, *before]]
        first = (found or before)[0]
        stated = {
            **first.parameters,
            "k": min(one.k for one in of_all),
            "mask": HOLE,
            "collapse": False,
            "strict": True,
        }
        shares = [one.guess for one in of_all if one.guess is not None]
        if shares:  # the weakest reader, and the shortest phrases, that any of them promised
            reaches = [one.reach for one in of_all if one.reach is not None]
            reach = min(reaches) if reaches else None
            stated = {**stated, "unit": "word", "keep": "", "guess": max(shares), "reach": reach}
        return kind("substring-k-anonymity-together").claim(stated)


def judge_column(column: Column) -> tuple[list[Verdict], dict[str, object]]:
    """The verdicts on all releases together, and what they show in numbers."""
    for earlier, matches in zip(column.earlier, column.matches, strict=True):
        readings.check_readings(column.done, earlier, matches)
    verdicts = []
    claim = column.claim()
    if claim is not None:
        verdicts.append(recount(column, claim))
    return verdicts, _figures(column)


def told(column: Column) -> JsonObject:
    """What the certificate says of all releases together; raises where a claim does not hold."""
    verdicts, figures = judge_column(column)
    for verdict in verdicts:
        if not verdict.holds:
            raise CannotBeMet(
                f"this release and the earlier ones together break the claim: {verdict.reason}; "
                "nothing was written",
                where=verdict.where,
                remedy="end with a suppress stage (one mark a symbol), which then hides more",
            )
    return {
        **figures,
        "claims": [verdict.claim.as_dict() for verdict in verdicts],
        "verdicts": [verdict.as_dict() for verdict in verdicts],
        "in_words": sentences(column, figures),
    }


def sentences(column: Column, figures: JsonObject) -> list[str]:
    """What two releases reveal together, in plain words."""
    symbols, names = figures["symbols"], ", ".join(figures["releases"])
    result = [
        f"{sum(figures['documents_in_both'])} documents also stand in {names}, word for word the "
        "same originals; who holds all of it reads whatever any release shows.",
        f"{symbols['only_earlier']} symbols are hidden here but stand in an earlier release: for "
        "its readers they are hidden in vain.",
        f"{symbols['only_here']} symbols that every earlier release hid are shown here.",
    ]
    claim = column.claim()
    if claim is not None:
        mine = [c for one in column.done for c in one.release.claims if is_recounted(c.name)]
        k = CountedParameters.of(claim).k
        result.append(f"Whatever is legible in any of them has a count of at least {k} in all.")
        own = CountedParameters.of(mine[0]).k if mine else k
        if own > k:
            result.append(
                f"That is less than the {own} of this release alone: an "
                "earlier one promised no more, and what it shows cannot be taken back."
            )
    if figures["aligned"]:
        result.append(
            f"{', '.join(figures['aligned'])}: compared without a private folder, by aligning its "
            "texts with the originals; what may stand unchanged counts as shown."
        )
    if sum(figures["documents_only_earlier"]):
        result.append(
            f"{sum(figures['documents_only_earlier'])} documents of earlier releases are not in "
            "this input as they were; if they were edited, what the two versions tell about each "
            "other is not judged."
        )
    if any(method(one.release.verb).undoing is not None for one in column.done):
        result.append(
            "Surrogates of different keys link the releases place by place; they claim nothing."
        )
    return result


def recount(column: Column, claim: Claim) -> Verdict:
    """Counts what is legible in this release or an earlier one, in all of them."""
    shown = as_read(column, claim)
    texts = [one.text for one in shown]
    count = CountedParameters.of(claim).count
    groups = None if count == "occurrences" else [one.label for one in shown]
    # A document that stands in two releases is one.
    stated = {**claim.parameters, "count": "groups" if count == "documents" else count}
    plain = kind("substring-k-anonymity").claim(stated)
    found = composed_claims.recount(plain, texts, groups)
    return Verdict(claim, found.holds, found.reason, found.where, found.measured)


def as_read(column: Column, claim: Claim) -> list[JointText]:
    """The same, with what a reader guesses of what no release shows written back.

    The reader knows the originals of all others. Nothing is written back of words that a stage
    put there, and of documents that only earlier releases have.
    """
    shown = list(read_together(column))
    given = CountedParameters.of(claim)
    if given.guess is None:
        return shown
    last, originals = column.done[-1].release, column.originals
    public = list(last.sides.public or ()) if given.public else []
    texts = [HOLE * len(original) for original in originals]
    places = {one.document: i for i, one in enumerate(shown) if one.is_original}
    for document, i in places.items():
        texts[document] = shown[i].text
    labels = None
    if given.count != "occurrences":
        labels = group_labels([column.label(i) for i in range(len(texts))], len(texts))
    read = reader.filled(claim, originals, texts, labels, public)
    for document, i in places.items():
        shown[i] = replace(shown[i], text=read[document])
    return shown


def read_together(column: Column) -> Iterator[JointText]:
    """Every text as who holds all releases reads it.

    First in the words this release had before it counted (other stages may have written them);
    where these differ from the original, in the original's words too; then what only an earlier
    release has.
    """
    before, last, way = _last(column)
    stars, whole = _stars(column), traces_of(column.done)
    for i, original in enumerate(column.originals):
        legible = _public_before(column, i, original)
        here, length = last[i], len(before[i])
        ours = np.array([symbol not in stars for symbol in here], bool)
        if len(here) != length:  # marks for several symbols: places do not agree
            yield JointText(_holes(here, ours), column.label(i), i, _none(len(here)), ours & False)
            yield _out_of_step(original, legible, kept(whole[i], len(original)), column.label(i), i)
            continue
        theirs = _moved(legible, way[i], length)
        theirs |= _same_words(column, i, way[i], length)
        places = np.arange(length)
        yield JointText(
            _holes(before[i], ours | theirs),
            column.label(i),
            i,
            places,
            ours & ~theirs,
            is_original=before[i] == original,
        )
        if way[i].pieces and legible.any():
            yield _in_original(original, legible, ours, theirs, way[i], column.label(i), i)
    yield from _only_earlier(column)


def _last(column: Column) -> tuple[list[str], list[str], list[Trace]]:
    """The texts before and after the last stage if it counts, and the trace to the former."""
    done = column.done
    if counts_legible(done[-1].release.verb):
        before = done[-1].source.filled
        way = traces_of(done[:-1]) or [Trace() for _ in before]
    else:
        before = _texts(done[-1].release)
        way = traces_of(done)
    return before, _texts(done[-1].release), way


def _texts(release: Release) -> list[str]:
    from ...core.corpus import Corpus

    return list(Corpus.of(release.data).texts)


def _stars(column: Column) -> str:
    """The symbols that stand for what stages of this release hid."""
    return star_masks([one.release for one in column.done])


def _public_before(column: Column, document: int, original: str) -> Flags:
    """Which symbols of an original an earlier release shows."""
    legible = np.zeros(len(original), bool)
    for earlier, matches in zip(column.earlier, column.matches, strict=True):
        if matches[document] >= 0:
            legible |= kept(earlier.traces[matches[document]], len(original))
    return legible


def _moved(legible: Flags, trace: Trace, length: int) -> Flags:
    """Flags of the original's symbols, at the places of the text that came of it."""
    result = np.zeros(length, bool)
    at = shift = 0
    for piece in trace.pieces:
        result[at + shift : piece.start + shift] = legible[at : piece.start]
        shift += len(piece.text) - (piece.stop - piece.start)
        at = piece.stop
    result[at + shift :] = legible[at:]
    return result


def _same_words(column: Column, document: int, way: Trace, length: int) -> Flags:
    """What earlier stages wrote here and an earlier release shows in the same place."""
    result = np.zeros(length, bool)
    shift = 0
    for piece in way.pieces:
        start = piece.start + shift
        for earlier, matches in zip(column.earlier, column.matches, strict=True):
            if matches[document] < 0:
                continue
            theirs = earlier.traces[matches[document]].over(piece.start, piece.stop)
            if any(
                (t.start, t.stop, t.text) == (piece.start, piece.stop, piece.text) for t in theirs
            ):
                result[start : start + len(piece.text)] = True
        shift += len(piece.text) - (piece.stop - piece.start)
    return result


def _in_original(
    original: str,
    legible: Flags,
    ours: Flags,
    theirs: Flags,
    way: Trace,
    label: str,
    document: int,
) -> JointText:
    """The original as far as any release shows it, where this one has other words."""
    places = np.full(len(original), -1, np.int64)
    at = shift = 0
    for piece in way.pieces:
        places[at : piece.start] = np.arange(at, piece.start) + shift
        shift += len(piece.text) - (piece.stop - piece.start)
        at = piece.stop
    places[at:] = np.arange(at, len(original)) + shift
    here = np.where(places >= 0, ours[places], False)
    alone = np.where(places >= 0, (ours & ~theirs)[places], False)
    return JointText(_holes(original, legible | here), label, document, places, alone, True)


def _out_of_step(
    original: str, legible: Flags, here: Flags, label: str, document: int
) -> JointText:
    """The original as far as any release shows it, where this one cannot hide symbol by symbol.

    What a reader guesses is asked where one release shows what the other hides, both ways: else
    both show no more than one of them, which was judged alone.
    """
    more = bool((legible & ~here).any() and (here & ~legible).any())
    text = _holes(original, legible | here)
    return JointText(text, label, document, _none(len(text)), legible & False, is_original=more)


def _only_earlier(column: Column) -> Iterator[JointText]:
    """Documents of earlier releases that this input does not have as they were."""
    for earlier, matches in zip(column.earlier, column.matches, strict=True):
        found = {place for place in matches if place >= 0}
        masks = star_masks(earlier.stages)
        for place, text in enumerate(earlier.texts):
            if place in found:
                continue
            groups = earlier.groups
            label = f"{earlier.name} {place}" if groups is None else f"person {groups[place]}"
            shown = np.array([symbol not in masks for symbol in text], bool)
            yield JointText(_holes(text, shown), label, -1, _none(len(text)), shown & False)


def _holes(text: str, shown: Flags) -> str:
    return "".join(
        symbol if seen else HOLE for symbol, seen in zip(text, shown.tolist(), strict=True)
    )


def _none(size: int) -> NDArray[np.int64]:
    return np.full(size, -1, np.int64)


def _figures(column: Column) -> dict[str, object]:
    """How many symbols which releases show."""
    mine = traces_of(column.done)
    told = {"both": 0, "only_here": 0, "only_earlier": 0, "neither": 0}
    for i, original in enumerate(column.originals):
        if not any(matches[i] >= 0 for matches in column.matches):
            continue
        here = kept(mine[i], len(original))
        before = _public_before(column, i, original)
        told["both"] += int((here & before).sum())
        told["only_here"] += int((here & ~before).sum())
        told["only_earlier"] += int((~here & before).sum())
        told["neither"] += int((~here & ~before).sum())
    matched = [sum(place >= 0 for place in matches) for matches in column.matches]
    return {
        "column": column.name,
        "releases": [one.name for one in column.earlier],
        "aligned": [one.name for one in column.earlier if one.aligned is not None],
        "documents_in_both": matched,
        "documents_only_earlier": [
            len(one.texts) - count for one, count in zip(column.earlier, matched, strict=True)
        ],
        "symbols": told,
    }
