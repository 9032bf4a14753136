"""Claims of several stages, judged on the data that is released in the end.

Every stage is judged on what it took and gave. Then its claims are judged again on the final text,
each as its kind declares (`ClaimKind.survives`): substrings are counted in it; of what `redact`,
`generalize` and `pseudonymize` wrote, later stages may hide symbols or put an entity type over all
of it, but write nothing else there, and no listed term may come to stand in clear; the claims of
`sanitize` are checked as they stand. A claim that does not survive is reported with the first stage
after which it does not hold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..claims import find
from ..claims.substrings import CountedParameters
from ..core.claims import Claim, Verdict
from ..core.corpus import Corpus
from ..core.printed_form import by_sizes
from . import reader, term_places, verify
from .known_words import recount_known_words
from .labels import group_labels
from .reader_texts import read_texts
from .substrings import labels_of
from .trace import Trace

if TYPE_CHECKING:
    from ..core.release import Release
    from ..core.values import Data


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One stage on one column: what it took and what it gave."""

    name: str
    before: Data
    release: Release
    taken: Callable[[Sequence[str]], object] | None = None
    """How texts become what the verb takes, where that is not the texts themselves."""
    types: bool = False
    """Whether it writes entity types over whole terms, as `anonymize` does."""
    dropped: bool = False
    """Whether it left documents out, so that what was counted before is counted again."""

    __repr__ = by_sizes

    @property
    def texts(self) -> list[str]:
        """The released texts."""
        return Corpus.of(self.release.data).texts

    def taken_and_given(self) -> tuple[object, Release]:
        """What the verb took, and its release of it."""
        return _taken(self, self.before), _as_taken(self)

    @property
    def masks(self) -> str:
        """The symbols this stage hides others by."""
        return str(self.release.parameters.get("mask", ""))


@dataclass(frozen=True, slots=True)
class StageVerdict:
    """A claim of a stage, the verdict on the final data, and the stage that broke it."""

    step: int
    verdict: Verdict
    broken_by: int | None = None


def judge_stages(
    steps: Sequence[Step], check: Callable[[int, object, Release], list[Verdict]] | None = None
) -> list[StageVerdict]:
    """Judges the claims of all stages of one column on what the last of them released.

    `check` judges a stage by itself where that is not `verify`: for parts of a text, it carries on
    what the parts before it showed. Cost: that of every claim's check, once for the stage and once
    for the final text.
    >>> import sfumato as sf
    >>> notes = [f"{name} has the flu" for name in ("Ann", "Bob", "Eve")]
    >>> release = sf.suppress(notes, k=3, strict=True)
    >>> [judged.verdict.holds for judged in judge_stages([Step("suppress", notes, release)])]
    [True]
    """
    result = []
    for number, step in enumerate(steps):
        taken = step.taken_and_given()
        for verdict in verify(*taken) if check is None else check(number, *taken):
            if not verdict.holds:
                result.append(StageVerdict(number, verdict, number))
                continue
            result.append(_final(steps, number, verdict))
    return result


def _taken(step: Step, texts: Data) -> object:
    return texts if step.taken is None else step.taken(Corpus.of(texts).texts)


def _as_taken(step: Step) -> Release:
    if step.taken is None:
        return step.release
    return replace(step.release, data=step.taken(step.texts))


def _final(steps: Sequence[Step], number: int, verdict: Verdict) -> StageVerdict:
    """The verdict on the final text; where it does not hold, the stage after which it does not."""
    last, claim = len(steps), verdict.claim
    known = find(claim.name)
    if known is not None and known.survives == "own-stage" and number + 1 < last:
        return StageVerdict(number, replace(verdict, claim=known.after_others(claim)))
    later = steps[number + 1 :]
    if not any(len(step.release.changes) or step.dropped for step in later):
        return StageVerdict(number, verdict)
    return judge_after(steps, number, verdict)


def judge_after(steps: Sequence[Step], number: int, verdict: Verdict) -> StageVerdict:
    """A claim that held after its own stage, judged after the later ones, which changed the text.

    Where it does not hold, the first stage after which it does not is told.
    """
    last = len(steps)
    judged = _after(steps, number, last, verdict)
    if judged.holds:
        return StageVerdict(number, judged)
    for end in range(number + 2, last):
        earlier = _after(steps, number, end, verdict)
        if not earlier.holds:
            return StageVerdict(number, earlier, end - 1)
    return StageVerdict(number, judged, last - 1)


def _after(steps: Sequence[Step], number: int, end: int, verdict: Verdict) -> Verdict:
    """A claim of a stage, judged after the stages up to `end`."""
    claim, step, texts = verdict.claim, steps[number], steps[end - 1].texts
    known = find(claim.name)
    survives = "check-again" if known is None else known.survives
    if survives == "recount":
        read = _as_read(steps[number:end], claim, texts)
        if isinstance(read, str):
            return Verdict(claim, False, read)
        return recount(claim, read, step.release.sides.groups)
    if survives in ("only-hidden", "none-appears"):
        traces = _traces(steps[number:end])
        if isinstance(traces, str):
            return Verdict(claim, False, traces)
        if survives == "none-appears":
            return _no_new_term(claim, step, texts, traces)
        return _only_hidden(verdict, steps[number:end])
    released = replace(step.release, data=_taken(step, texts), claims=(claim,))
    return verify(_taken(step, step.before), released)[0]


def recount(claim: Claim, texts: Sequence[str], groups: Data) -> Verdict:
    """Counts, in a release by itself, every stretch that is legible in it.

    >>> claim = Claim("substring-k-anonymity", "", {"k": 2, "count": "documents", "mask": "★",
    ...     "unit": "character", "keep": "", "collapse": False, "strict": True})
    >>> recount(claim, ["a★", "a"], None).holds, recount(claim, ["ab", "a"], None).holds
    (True, False)
    """
    from ..core.release import Release, Sides
    from ..core.spans import Changes

    given = CountedParameters.of(claim)
    texts, mask = reader.one_symbol(list(texts), given.mask)
    stated = {**claim.parameters, "mask": mask, "collapse": False, "strict": True}
    if given.guess is not None:
        by = {"groups": groups, "documents": range(len(texts))}.get(given.count)
        labels = None if by is None else group_labels(list(by), len(texts))
        again = recount_known_words if "knows" in stated else reader.recount
        found = again(replace(claim, parameters=stated), texts, labels)
        return replace(found, claim=claim)
    release = Release(
        verb="recount",
        data=list(texts),
        claims=(replace(claim, parameters=stated),),
        changes=Changes.of(),
        loss={},
        parameters={},
        sides=Sides(groups=groups),
    )
    return replace(verify(list(texts), release)[0], claim=claim)


def _as_read(steps: Sequence[Step], claim: Claim, texts: Sequence[str]) -> Sequence[str] | str:
    """The final texts with what a reader writes back of the first stage's stars."""
    given = CountedParameters.of(claim)
    if given.guess is None:
        return texts
    step = steps[0]
    before, after = Corpus.of(step.before).texts, step.texts
    labels = labels_of(given.count, len(before), step.release)
    written = read_texts(claim, before, after, step.release, labels)
    traces = _traces(steps)
    if written is None or isinstance(traces, str):
        return "the release differs from the original other than by words starred whole"
    result = []
    for text, trace, places in zip(texts, traces, written, strict=True):
        pieces, at = [], 0
        for start, stop, word in places:
            if trace.over(start, stop):
                continue  # another stage wrote there
            low, high = trace.image(start, stop)
            pieces += [text[at:low], word]
            at = high
        result.append("".join(pieces) + text[at:])
    return result


def _traces(steps: Sequence[Step]) -> list[Trace] | str:
    """What later stages wrote over the first one's text; each stage's changes are checked."""
    texts = steps[0].texts
    traces = [Trace() for _ in texts]
    for step in steps[1:]:
        for i in set(step.release.changes.documents.tolist()):
            traces[i] = traces[i].then(step.release.changes.of_document(i))
        for i, (text, new) in enumerate(zip(texts, step.texts, strict=True)):
            if traces[i].applied(text) != new:
                return f"{step.name} released a text that its stated changes do not give"
    return traces


def _only_hidden(verdict: Verdict, steps: Sequence[Step]) -> Verdict:
    """Of what the first stage wrote, later ones hid symbols or all, and changed no other."""
    masks = "".join(one.masks for one in steps)
    places: dict[int, list[tuple[int, int]]] = {}
    for document, start, stop in written_places(steps[0].release):
        places.setdefault(document, []).append((start, stop))
    hidden, texts = 0, steps[0].texts
    for step in steps[1:]:
        for document in sorted(places.keys() & set(step.release.changes.documents.tolist())):
            trace = Trace().then(step.release.changes.of_document(document))
            left: list[tuple[int, int]] = []
            for place in places[document]:
                pieces = trace.over(*place)
                hidden += len(pieces)
                if step.types and any(p.start <= place[0] and place[1] <= p.stop for p in pieces):
                    continue  # an entity type stands for the whole of it
                for piece in pieces:
                    if not hides(texts[document][piece.start : piece.stop], piece.text, masks):
                        where = f"document {document}, offset {piece.start}"
                        reason = "a later stage wrote over what this one wrote"
                        return Verdict(verdict.claim, False, reason, where)
                left.append(trace.image(*place))
            places[document] = left
        texts = step.texts
    return replace(verdict, measured={**verdict.measured, "hidden_later": hidden})


def written_places(release: Release) -> list[tuple[int, int, int]]:
    """Document, start and stop, in the release, of everything the stage wrote."""
    places, document, shift = [], -1, 0
    for change in release.changes:
        if change.document != document:
            document, shift = change.document, 0
        start = change.start + shift
        places.append((document, start, start + len(change.replacement)))
        shift += len(change.replacement) - (change.stop - change.start)
    return places


def hides(old: str, new: str, masks: str) -> bool:
    """Whether a text only lost symbols to masks: all masks, or each symbol as it was or masked.

    >>> hides("crew", "cr*w", "*★"), hides("crew", "★", "*★"), hides("crew", "team", "*★")
    (True, True, False)
    """
    if all(symbol in masks for symbol in new):
        return bool(new)
    pairs = zip(old, new, strict=False)
    return len(old) == len(new) and all(b == a or b in masks or _blanked(a, b) for a, b in pairs)


def _blanked(old: str, new: str) -> bool:
    """Whether a blank stands for a symbol between words."""
    return new == " " and not (old.isalnum() or old.isspace())


def _no_new_term(
    claim: Claim, step: Step, texts: Sequence[str], traces: Sequence[Trace]
) -> Verdict:
    """No listed term stands in the final text but inside what `redact` wrote for one."""
    reading = term_places.Reading.of(claim.parameters)
    terms = reading.listed(step.release.sides.terms)
    direct = reading.listed(step.release.sides.direct or ())
    inside: dict[int, list[tuple[int, int]]] = {}
    for document, start, stop in written_places(step.release):
        if any(s != reading.mask for s in step.texts[document][start:stop]):
            inside.setdefault(document, []).append(traces[document].image(start, stop))
    for found in term_places.occurrences(texts, terms, reading):
        spans = inside.get(found.document, ())
        if not any(start <= found.start and found.stop <= stop for start, stop in spans):
            return _in_clear(claim, "a term", found)
    for found in term_places.occurrences(texts, direct, reading):
        return _in_clear(claim, "a direct identifier", found)
    return Verdict(claim, True, "no term stands in clear in the final text")


def _in_clear(claim: Claim, what: str, found: term_places.FoundTerm) -> Verdict:
    place = f"document {found.document}, released characters {found.start} to {found.stop}"
    return Verdict(claim, False, f"{what} is in clear in the final text", place)
