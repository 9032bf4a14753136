"""t-plausibility as it is published, judged by the places that were marked."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ..claims.meanings import MeaningParameters
from ..core.claims import Claim, Verdict
from ..core.corpus import Corpus
from ..core.numbers import power_of_two
from ..core.printed_form import by_sizes
from .alignment import Place, align
from .base_values import Domains, MarkedPlace, Violation, keys_of
from .listed_words import listed as phrases_of
from .marked_spans import by_document, in_original, must_be_spans, to_mask, with_masks
from .marks import stands_for_itself, taken_for_text
from .own_groups import groups_of
from .published_blind import read_blind
from .published_texts import (
    Document,
    Judge,
    Resolve,
    by_node,
    counted,
    must_suit_articles,
)
from .stated_changes import must_be_applied, must_be_complete, must_be_marks, threshold

if TYPE_CHECKING:
    from ..core.release import Release
    from ..core.values import Data
    from ..ontologies import Ontology

MOST_KEPT = 1 << 16  # forms whose meanings are kept
UNCHANGED = "nothing was changed, and which words were marked is not known"
"""Of a part of a release it says nothing: another part may be changed."""
NOTHING_KNOWN = "no marked word is known to the ontology: no base texts are counted"


@dataclass(frozen=True, slots=True)
class Reading:
    """The marked places of a document, in order, what was written there, and where.

    `meanings` has, where the steward kept no record, the nodes that each place may have meant.
    """

    found: Sequence[MarkedPlace]
    written: Mapping[int, str]
    starts: Mapping[int, int]  # in the release
    meanings: Sequence[Sequence[int]] | None

    __repr__ = by_sizes


@dataclass(frozen=True, slots=True)
class EarlierParts:
    """What the parts of a release before one showed: how each group is written."""

    forms: dict[tuple[int, bool, int, bool], str] = field(default_factory=dict)

    __repr__ = by_sizes


def check_published(
    claim: Claim,
    original: Data,
    release: Release,
    ontology: Ontology,
    earlier: EarlierParts | None = None,
) -> Verdict:
    """The texts that the method publishes as every text, counted by the places that were marked."""
    before, after = Corpus.of(original).texts, Corpus.of(release.data).texts
    judged = PublishedJudge(claim, release, ontology, isinstance(original, str), earlier)
    least, factors = math.inf, 0
    try:
        judged.must_have_a_mask(before)
        for i, (old, new) in enumerate(zip(before, after, strict=True)):
            for bits, size in judged.document(old, new, i):
                least, factors = min(least, bits), factors + size
        judged.must_be_told_nowhere(before)
    except Violation as violation:
        return violation.verdict(claim)
    is_said = judged.given.counted
    if is_said != bool(factors) and (factors or earlier is None):  # a part may have none
        return Verdict(claim, False, "whether marked words are known is told wrongly")
    known = release.sides.marks is not None or release.sides.spans is not None
    if not known and list(before) == list(after) and any(map(str.strip, before)):
        return Verdict(claim, False, UNCHANGED)
    if not factors:
        return Verdict(claim, True, NOTHING_KNOWN, None, {"meanings": 0})
    reason = f"the least segment is published for {power_of_two(least)} base texts"
    return Verdict(claim, True, reason, None, {"log2_base_texts": least, "meanings": factors})


class PublishedJudge:
    """One claim, judged document by document."""

    def __init__(
        self,
        claim: Claim,
        release: Release,
        ontology: Ontology,
        single: bool,
        earlier: EarlierParts | None = None,
    ) -> None:
        self.ontology, self.single = ontology, single
        self.given = MeaningParameters.of(claim)
        self.release, self.mask = release, self.given.mask
        self.domains, self.groups = Domains(ontology, "leaves", None), groups_of(ontology)
        self.judge = Judge(self.groups, self.mask, (earlier or EarlierParts()).forms)
        self.spans = by_document(release.sides.stretches)
        self._meant: dict[str, frozenset[int]] = {}
        self._plain: dict[str, frozenset[int]] = {}
        self.changed = frozenset(release.changes.documents.tolist())
        self.phrases = phrases_of(release.sides.words)
        self.own = {key: t for word, t in release.sides.t_words or () for key in keys_of(word)}
        self.marked: dict[int, list[Sequence[int]]] | None = None
        if release.sides.marks is not None:
            self.marked = {}
            for mark in release.sides.marks:
                self.marked.setdefault(mark[0], []).append(mark)

    def must_have_a_mask(self, before: Sequence[str]) -> None:
        """The mask is no text."""
        problem = taken_for_text(self.mask) or stands_for_itself(self.mask, before)
        if problem is not None:
            raise Violation(problem)

    def document(self, old: str, new: str, i: int) -> list[tuple[float, int]]:
        """Bits and meanings of every segment, by the first reading of the document that holds."""
        if self._is_left_alone(old, new, i):
            return []
        problem: Violation | None = None
        for reading in self._readings(old, new, i):
            try:
                return self._judged(old, new, reading, i)
            except Violation as violation:
                problem = problem or violation
        raise problem or Violation("a change is no generalisation", f"document {i}")

    def _is_left_alone(self, old: str, new: str, i: int) -> bool:
        """Whether nothing is marked, found, listed or changed in a document: nothing is judged."""
        if self.marked is None or i in self.marked or self.phrases is not None or old != new:
            return False
        return i not in self.changed and not (self.spans or {}).get(i)

    def alike(self, original: str, i: int) -> dict[int, frozenset[int]]:
        """The base values that are published as each marked meaning of a document is."""
        marks = (self.marked or {}).get(i, [])
        places = [MarkedPlace(*mark[1:]) for mark in marks]
        found = sorted((one for one in places if one.node != -1), key=lambda one: one.start)
        document = self._document(original, Reading(found, {}, {}, None), i)
        return {
            node: self.groups.of_size(one.size, one.many).values[one.general] | {node}
            for node, one in counted(document, self.groups, by_node(self.groups)).items()
        }

    def must_be_told_nowhere(self, before: Sequence[str]) -> None:
        """A string that was given back is no base value of a place: it would be legible there."""
        back = {string for _, string in self.release.sides.given_back or ()}
        if not back or self.marked is None:
            return
        told = {node for one in back for key in keys_of(one) for node in self.ontology.senses(key)}
        for i, text in enumerate(before):
            if any(told & values for values in self.alike(text, i).values()):
                raise Violation("a base value was given back elsewhere", f"document {i}")

    def _readings(self, old: str, new: str, i: int) -> Iterator[Reading]:
        if self.marked is not None:
            yield self._stated(old, new, i)
            return
        spans = [] if self.spans is None else self.spans.get(i, [])
        tried: list[Place] | None = None
        for tops in (True, False):  # words with nothing above them may stay, marked or not
            places = self._aligned(old, new, spans, tops)
            if places is None or places == tried:
                continue
            tried = places
            yield Reading(
                [MarkedPlace(start, stop, None, None) for start, stop, *_ in places],
                {place[0]: place[3] for place in places},
                {place[0]: place[4] for place in places},
                [[node for node, _ in place[2]] for place in places],
            )

    def _aligned(
        self, old: str, new: str, spans: Sequence[tuple[int, int]], tops: bool
    ) -> list[Place] | None:
        """What was replaced and masked, where nobody kept a record."""
        hidden = to_mask(old, spans, self.given, self.domains)
        masked = with_masks(old, hidden, self.mask)
        places = align(masked, new, self.ontology, self.mask, tops)
        if places is None:
            return None
        found = [(*in_original(place[:2], hidden, self.mask), *place[2:]) for place in places]
        if tops and self.spans is not None:  # what stands as it was is marked in a span alone
            found = [
                place
                for place in found
                if old[place[0] : place[1]] != place[3]
                or any(start <= place[0] and place[1] <= stop for start, stop in spans)
            ]
        ends = {place[0]: place for place in found}
        for start, stop in hidden:  # where they stand in the release is not asked
            ends[start] = (start, stop, [], self.mask, -1)
        return [ends[start] for start in sorted(ends)]

    def _stated(self, old: str, new: str, i: int) -> Reading:
        changes = {(c.start, c.stop): c.replacement for c in self.release.changes.of_document(i)}
        must_be_applied(old, new, changes, i)
        marks = [] if self.marked is None else self.marked.get(i, [])
        found = [self._read(old, mark, changes, i) for mark in marks]
        must_be_marks(old, changes, found, i)
        starts, moved = {}, 0
        for (start, stop), word in sorted(changes.items()):
            starts[start] = start + moved
            moved += len(word) - (stop - start)
        written = {start: word for (start, _), word in changes.items()}
        return Reading(sorted(found, key=lambda place: place.start), written, starts, None)

    def _read(
        self, old: str, mark: Sequence[int], changes: Mapping[tuple[int, int], str], i: int
    ) -> MarkedPlace:
        """A marked place with its stated meaning; what is unknown is masked."""
        _, start, stop, node, general = mark
        senses = self._senses(old[start:stop])
        if node in senses:
            return MarkedPlace(start, stop, node, general)
        where = f"document {i}, offsets {start} to {stop}"
        if node < 0:
            if senses:
                raise Violation("a word the ontology knows was treated as unknown", where)
            masked = changes.get((start, stop)) == self.mask
            if self.given.unknown == "suppress" and not masked:
                raise Violation("an unknown word is legible", where)
            return MarkedPlace(start, stop, None, None)
        raise Violation("the stated meaning is none of the word's", where)

    def _senses(self, written: str) -> frozenset[int]:
        """The nodes that a form may mean, looked up once."""
        found = self._meant.get(written)
        if found is None:
            if len(self._meant) >= MOST_KEPT:
                self._meant.clear()
            senses = (self.ontology.senses(key) for key in keys_of(written))
            found = self._meant[written] = frozenset().union(*senses)
        return found

    def _judged(self, old: str, new: str, reading: Reading, i: int) -> list[tuple[float, int]]:
        if self.phrases is not None and self.given.unknown != "keep":
            must_be_complete(old, self.phrases, reading.found, i)
        document = self._document(old, reading, i)
        if reading.meanings is None:
            return self._held(document, None, new, reading, i)
        problem: Violation | None = None
        for one, resolve in read_blind(document, reading.meanings, reading.written, self.groups):
            try:
                return self._held(one, resolve, new, reading, i)
            except Violation as violation:
                problem = problem or violation
        raise problem or Violation("a word is not published as its group", f"document {i}")

    def _held(
        self, document: Document, resolve: Resolve | None, new: str, reading: Reading, i: int
    ) -> list[tuple[float, int]]:
        """Bits and meanings of every segment, if the document holds what is claimed."""
        if self.spans is not None:
            spans = self.spans.get(i, [])
            must_be_spans(document.text, spans, document.found, i, self.given, self.domains)
        result = list(self.judge.bits_of(document, reading.written, i, resolve))
        places = [
            (place.start, reading.written[place.start], reading.starts[place.start])
            for place in document.found
            if reading.starts.get(place.start, -1) >= 0
        ]
        must_suit_articles(new, places)
        return result

    def _document(self, text: str, reading: Reading, i: int) -> Document:
        """A document as it is judged: its places in order, and the thresholds of all of it."""
        own, places = self.own, reading.found
        thresholds = {
            place.start: max(own.get(key, 1) for key in keys_of(text[place.start : place.stop]))
            for place in places
            if own and keys_of(text[place.start : place.stop])
        }
        numbers = {
            place.start: self._singular(text[place.start : place.stop], reading, number)
            for number, place in enumerate(places)
        }
        many = frozenset(start for start, by_meaning in numbers.items() if True not in by_meaning)
        unsure = frozenset(start for start, by_meaning in numbers.items() if len(by_meaning) > 1)
        unit, least = self.given.segment, self.given.min_volume
        document = Document(text, places, (), unit, least, thresholds, many, unsure)
        given = self.given.t
        count = len(document.segments())
        return replace(
            document, t=[threshold(given, self.single, i, number) for number in range(count)]
        )

    def _singular(self, written: str, reading: Reading, number: int) -> set[bool]:
        """Whether a form is a word of what it means: one answer, or two by what it may mean."""
        if reading.meanings is not None:
            nodes = reading.meanings[number]
        else:
            node = reading.found[number].node
            nodes = [] if node is None else [node]
        plain = self._plain.get(written)
        if plain is None:
            if len(self._plain) >= MOST_KEPT:
                self._plain.clear()
            plain = self._plain[written] = frozenset(self.ontology.senses(keys_of(written)[0]))
        return {node in plain for node in nodes} or {True}
