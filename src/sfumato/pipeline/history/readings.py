"""What one release replaced, and the other shows or replaced by something else.

A word that the other release shows is undone. Of two strings of `redact`, or two general words,
only the readings that fit both remain, and they must still be enough.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ...claims import Side, kind
from ...claims.meanings import MeaningParameters
from ...core.corpus import Corpus
from ...core.errors import CannotBeMet
from ...methods import method
from ...verification.base_values import Domains
from ...verification.composed_claims import hides
from ...verification.published_meanings import PublishedJudge
from ...verification.trace import Trace
from ..chains import traces as traces_of
from .earlier import Earlier, kept, reads, star_masks

if TYPE_CHECKING:
    from ...core.release import Release
    from ..steps import StageResult


def check_readings(done: Sequence[StageResult], earlier: Earlier, matches: Sequence[int]) -> None:
    """Refuses a release that undoes, or narrows too far, what an earlier one replaced."""
    if earlier.aligned is not None:
        _written_alike(done, earlier, matches)
    _not_undone(done, earlier, matches)
    _not_by_another_verb(done, earlier, matches)
    if earlier.aligned is not None:
        return
    _redacted_alike(done, earlier, matches)
    _generalized_alike(done, earlier, matches)


def originals_of(done: Sequence[StageResult]) -> list[str]:
    """The texts before any stage."""
    return done[0].source.filled


def _places_written(stages: Sequence[Release]) -> Iterator[tuple[int, int, int, str, str]]:
    """Document, start, stop (in the original), verb and text of what stages wrote for privacy."""
    traces: dict[int, Trace] = {}
    for release in stages:
        verb = release.verb
        if method(verb).claims_replaced:
            for change in release.changes:
                trace = traces.get(change.document, Trace())
                start, stop = trace.origin(change.start, change.stop)
                yield change.document, start, stop, verb, change.replacement
        for document in set(release.changes.documents.tolist()):
            changes = release.changes.of_document(document)
            traces[document] = traces.get(document, Trace()).then(changes)


def _releases(done: Sequence[StageResult]) -> list[Release]:
    return [one.release for one in done]


def _not_undone(done: Sequence[StageResult], earlier: Earlier, matches: Sequence[int]) -> None:
    """What one release replaced, the other must not show."""
    back = {place: i for i, place in enumerate(matches) if place >= 0}
    originals, mine = originals_of(done), traces_of(done)
    for place, start, stop, verb, new in _places_written(earlier.stages):
        i = back.get(place, -1)
        if i >= 0 and _is_shown(mine[i], originals[i], start, stop, new):
            raise _undone(verb, f"the earlier release {earlier.name}", "this one", i, start)
    for i, start, stop, verb, new in _places_written(_releases(done)):
        place = matches[i]
        if place < 0 or _text_there(earlier, place, start, stop) == new:
            continue
        if _is_shown(earlier.traces[place], originals[i], start, stop, new):
            raise _undone(verb, "this release", f"the earlier one, {earlier.name},", i, start)


def _text_there(earlier: Earlier, place: int, start: int, stop: int) -> str:
    """What an earlier release has where a stretch of the original stood."""
    low, high = earlier.traces[place].image(start, stop)
    return earlier.texts[place][low:high]


def _written_alike(done: Sequence[StageResult], earlier: Earlier, matches: Sequence[int]) -> None:
    """Without the earlier lists, two strings or words for one term cannot be counted: only equal.

    Either may have more of it hidden. Made under other settings, equal ones too may stand for other
    terms.
    """
    settings = {one.verb: [claim.parameters for claim in one.claims] for one in earlier.stages}
    masks = star_masks(earlier.stages) + star_masks([one.release for one in done])
    written = {one.verb for one in earlier.stages if method(one.verb).claims_replaced}
    same = {
        one.release.verb
        for one in done
        if [claim.parameters for claim in one.release.claims] == settings.get(one.release.verb)
    }
    originals, mine = originals_of(done), traces_of(done)
    released = Corpus.of(done[-1].release.data).texts
    for i, start, stop, verb, _ in _places_written(_releases(done)):
        place = matches[i]
        if place < 0 or verb not in written:
            continue
        low, high = mine[i].image(start, stop)
        new = released[i][low:high]
        old = _text_there(earlier, place, start, stop)
        is_alike = hides(new, old, masks) or hides(old, new, masks)
        if old == originals[i][start:stop] or (is_alike and verb in same):
            continue
        raise CannotBeMet(
            f"{verb} wrote another string for a term here than in {earlier.name}, or under other "
            "settings, and without its private folder it cannot be counted how many terms fit "
            "both; nothing was written",
            where=f"document {i}, offset {start}",
            remedy="put its private folder beside it, or use the list and the parameters it had",
        )


def _not_by_another_verb(
    done: Sequence[StageResult], earlier: Earlier, matches: Sequence[int]
) -> None:
    """A string of `redact` and a general word for one place: what fits both is not counted."""
    narrows = (Side.STRINGS, Side.ONTOLOGY)
    verbs = {
        one.verb
        for one in (*(stage.release for stage in done), *earlier.stages)
        if any(reads(one, side) for side in narrows)
    }
    before: dict[tuple[int, str], list[tuple[int, int]]] = {}
    for place, start, stop, verb, _ in _places_written(earlier.stages):
        if verb in verbs:
            before.setdefault((place, verb), []).append((start, stop))
    for i, start, stop, verb, _ in _places_written(_releases(done)) if len(verbs) > 1 else ():
        for other in verbs - {verb} if verb in verbs else ():
            there = before.get((matches[i], other), [])
            at = bisect_left(there, (stop,)) - 1  # places of one stage do not overlap
            if at >= 0 and there[at][1] > start:
                raise CannotBeMet(
                    f"{verb} replaced here what {other} replaced in {earlier.name}, and how many "
                    "words fit both is not counted; nothing was written",
                    where=f"document {i}, offset {start}",
                    remedy="give both releases the same stage, with the same lists",
                )


def _is_shown(trace: Trace, original: str, start: int, stop: int, new: str) -> bool:
    """Whether a release shows a symbol of a place where the other wrote something else."""
    old = original[start:stop]
    if old == new or {old.casefold(), new.casefold()} <= {"a", "an"}:
        return False
    return bool(kept(trace, len(original))[start:stop].any())


def _undone(verb: str, hider: str, shower: str, document: int, start: int) -> CannotBeMet:
    return CannotBeMet(
        f"what {verb} replaced in {hider} stands in clear in {shower}: together they undo it; "
        "nothing was written",
        where=f"document {document}, offset {start}",
        remedy="give both releases the same stage, with the same lists",
    )


def _redacted_alike(done: Sequence[StageResult], earlier: Earlier, matches: Sequence[int]) -> None:
    """Two strings of one term: enough terms must be published as both."""
    ours = [one.release for one in done if reads(one.release, Side.STRINGS)]
    theirs = [one for one in earlier.stages if reads(one, Side.STRINGS)]
    if not ours or not theirs:
        return
    if _strings(ours[0]) == _strings(theirs[0]):
        return  # one dictionary tells the same twice
    both = Counter(_both_strings(ours[0], theirs[0]))
    k = min(int(str(one.parameters["k"])) for one in (ours[0], theirs[0]))
    before = _written_by(earlier.stages, theirs[0].verb)
    for (i, start, stop), new in _written_by(_releases(done), ours[0].verb).items():
        old = before.get((matches[i], start, stop)) if matches[i] >= 0 else None
        if old is not None and both[new, old] < k:
            raise CannotBeMet(
                f"only {both[new, old]} terms fit both strings of one term, k is {k}; "
                "nothing was written",
                where=f"document {i}, offset {start}",
                remedy=f"redact with the dictionary and the k of {earlier.name}",
            )


def _both_strings(ours: Release, theirs: Release) -> Iterator[tuple[str, str]]:
    here = _strings(ours)
    for term, old in _strings(theirs).items():
        if term in here:
            yield here[term], old


def _strings(release: Release) -> dict[str, str]:
    terms = Corpus.of(release.sides.terms, "terms").texts
    return dict(zip(terms, release.sides.published or (), strict=True))


def _written_by(stages: Sequence[Release], verb: str) -> dict[tuple[int, int, int], str]:
    return {
        (document, start, stop): new
        for document, start, stop, one, new in _places_written(stages)
        if one == verb
    }


def _generalized_alike(
    done: Sequence[StageResult], earlier: Earlier, matches: Sequence[int]
) -> None:
    """Two general words for one word: the base values below both must still make t."""
    ours = [one.release for one in done if reads(one.release, Side.ONTOLOGY)]
    theirs = [one for one in earlier.stages if reads(one, Side.ONTOLOGY)]
    if not ours or not theirs:
        return
    t = min(int(str(one.parameters["t"])) for one in (ours[0], theirs[0]))
    mine = _BaseValues(_releases(done), ours[0])
    old = _BaseValues(earlier.stages, theirs[0])
    same = mine.settings() == old.settings()
    for i, original in enumerate(originals_of(done)):
        if matches[i] < 0 or (same and mine.read(original, i) == old.read(original, matches[i])):
            continue
        here, there = mine.of(original, i), old.of(original, matches[i])
        if here != there and (texts := _texts_of_both(here, there)) < t:
            raise CannotBeMet(
                f"only {texts} base texts fit the general words of both releases, t is {t}; "
                "nothing was written",
                where=f"document {i}",
                remedy=f"generalise with the words and the t of {earlier.name}",
            )


class _BaseValues:
    """The base values that a document's marked meanings may have been, by one release."""

    def __init__(self, stages: Sequence[Release], release: Release) -> None:
        from ...ontologies import wordnet

        self.release = release
        self.ontology = release.sides.ontology or wordnet()
        (self.claim,) = (one for one in release.claims if Side.ONTOLOGY in kind(one.name).needs)
        self.before = list(itertools.takewhile(lambda stage: stage is not release, stages))
        self.marks: dict[int, list[Sequence[int]]] = {}
        for document, *rest in release.sides.marks or ():
            self.marks.setdefault(document, []).append(rest)

    def settings(self) -> tuple[object, ...]:
        """What the base values depend on beside a document and its marked places."""
        own = tuple(self.release.sides.t_words or ())
        return dict(self.claim.parameters), self.ontology.digest, own

    def read(self, original: str, number: int) -> tuple[str, Sequence[Sequence[int]]]:
        """A document as the stage took it, and its marked places."""
        trace = Trace()
        for stage in self.before:
            trace = trace.then(stage.changes.of_document(number))
        return trace.applied(original), self.marks.get(number, [])

    def of(self, original: str, number: int) -> dict[int, frozenset[int]]:
        """The base values of every marked meaning."""
        if MeaningParameters.of(self.claim).guarantee == "published":
            return self._published.alike(self.read(original, number)[0], number)
        top = len(self.ontology)  # a mask alone fits whatever the other release shows
        found = [(node, general) for _, _, node, general in self.marks.get(number, [])]
        return {
            node: self._domains.others(node, general) | {node}
            for node, general in found
            if node >= 0 and general < top
        }

    @cached_property
    def _published(self) -> PublishedJudge:
        single = isinstance(self.release.data, str)
        return PublishedJudge(self.claim, self.release, self.ontology, single)

    @cached_property
    def _domains(self) -> Domains:
        return Domains(self.ontology, "leaves", None)


def _texts_of_both(mine: Mapping[int, frozenset[int]], old: Mapping[int, frozenset[int]]) -> int:
    """At least how many base texts both releases have: distinct words have distinct values."""
    product = 1
    taken: list[frozenset[int]] = []
    for node in dict.fromkeys([*mine, *old]):
        found = [some[node] for some in (mine, old) if node in some]
        values = frozenset.intersection(*found)
        product *= max(1, len(values) - sum(not values.isdisjoint(other) for other in taken))
        taken.append(values)
    return product
