"""Checks of `redact`: term k-anonymity, and no term in clear.

Nothing is taken on trust but the list of terms (and the map of their strings, whose validity is
checked itself): which terms stood where is read from the original, how they stand from the release.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from ..claims.terms import TermParameters
from ..core.claims import Verdict
from ..core.corpus import Corpus
from ..core.errors import BadInput
from ..core.letters import is_invisible
from ..core.printed_form import by_sizes
from . import marks
from . import term_places as search
from .spans import listed
from .term_candidates import ReadText
from .term_judging import OVER, PlaceJudge
from .term_places import FoundTerm, Reading
from .term_sounds import FirstSounds, direct_places, starts_of
from .term_strings import (
    TermViolationError,
    check_matching,
    check_strings,
    covers,
    shared_mark,
    strings_of,
)
from .term_walk import Misfit, ShownTerm, Walk, positions

if TYPE_CHECKING:
    from ..core.claims import Claim
    from ..core.release import Release
    from ..core.values import Data


MARKED = "too few terms could stand there as its string"
_Document = tuple[int, str, list[ShownTerm], ReadText, list[ShownTerm]]  # the last: direct ones


@dataclass(frozen=True, slots=True)
class _ClaimTerms:
    """What a claim is about: the terms as read, their strings, and what is starred whole."""

    reading: Reading
    terms: Sequence[str]
    strings: Mapping[str, str]
    direct: Sequence[str]
    spans: Sequence[tuple[int, int, int]]
    shared: str  # the mark for more than a term; empty where there is none
    retold: bool  # whether words before places were written as all terms of a string need them
    direct_retold: bool  # whether words before direct identifiers tell nothing of them
    judge: PlaceJudge | None  # counts the candidates of places; None where they are not counted

    __repr__ = by_sizes

    @classmethod
    def of(cls, claim: Claim, release: Release) -> _ClaimTerms:
        """What the release's private part lists, read as the claim says."""
        said, reading = release.sides, Reading.of(claim.parameters)
        given = TermParameters.of(claim)
        terms = reading.listed(said.terms)
        strings = strings_of(given, terms, said.published)
        direct = reading.listed(said.direct or ())
        pooled = given.rare_lengths == "shared"
        shared = shared_mark(given) if pooled and given.candidates else ""
        judge = None
        if given.candidates and given.k > 1:
            exempt = given.rare_lengths == "star"
            judge = PlaceJudge(given.k, shared_mark(given), reading, strings, direct, exempt=exempt)
        spans = said.stretches or ()
        retold = given.articles, given.direct_articles
        return cls(reading, terms, strings, direct, spans, shared, *retold, judge)


@dataclass(frozen=True, slots=True)
class _Texts:
    """Originals and released texts, and what walks through them found, by how they were read."""

    before: Sequence[str]
    after: Sequence[str]
    marks: Mapping[int, Mapping[int, int]] | None  # where the release says that marks stand
    walked: list[tuple[_ClaimTerms, list[_Document]]] = field(default_factory=list)

    __repr__ = by_sizes


def check_terms(claims: Sequence[Claim], original: Data, release: Release) -> list[Verdict]:
    """Judges claims of a redacted release, which read the texts once if they read them alike.

    Cost: O(n), and for `matching` O(M l) for every set of starred positions that occurs.
    """
    texts = _Texts(Corpus.of(original).texts, Corpus.of(release.data).texts, _said_marks(release))
    return [_check_claim(claim, texts, release) for claim in claims]


def _said_marks(release: Release) -> dict[int, dict[int, int]] | None:
    """Of every document where its release says that one mark stands for more than a term.

    None for a release that was read from a file, which tells nothing.
    """
    if not len(release.changes):
        return None
    found: dict[int, dict[int, int]] = {}
    for number, reason in enumerate(release.changes.reasons):
        if reason == MARKED:
            change = release.changes[number]
            found.setdefault(change.document, {})[change.start] = change.stop
    return found


def _check_claim(claim: Claim, texts: _Texts, release: Release) -> Verdict:
    if release.sides.terms is None:
        raise BadInput(
            "this claim is about a list of terms", where="terms", remedy="give the list (--terms)"
        )
    given = TermParameters.of(claim)
    if given.direct and release.sides.direct is None:
        raise BadInput(
            "this claim is about direct identifiers too", where="direct", remedy="give them too"
        )
    if given.spans:
        listed(claim, release, texts.before)
    problem = marks.taken_for_text(given.mask) or marks.stands_for_itself(given.mask, texts.before)
    if problem is not None:
        return Verdict(claim, False, problem)
    about = _ClaimTerms.of(claim, release)
    try:
        if claim.name == "term-k-anonymity":
            measured = check_strings(given, about.terms, about.strings) | _check_shown(
                given, about, texts
            )
            if given.candidates:
                measured |= _check_candidates(given, about, texts)
            if given.articles or given.direct_articles:
                _check_beginnings(given, about, texts)
        else:
            measured = _check_clear(given, about, texts)
    except TermViolationError as violation:
        return Verdict(claim, False, violation.reason, violation.where)
    return Verdict(claim, True, measured=measured)


def _check_shown(
    given: TermParameters, about: _ClaimTerms, texts: _Texts
) -> dict[str, int | float | str]:
    """Every term of the original stands as its string (or starred whole) in the release."""
    replaced = 0
    lengths = Counter(map(len, about.terms))
    patterns: dict[str, tuple[str, str]] = {}
    for document, _, shown, _, _ in _documents(about, texts):
        for one in shown:
            replaced += one.term is not None
            if one.term is None:
                if not given.candidates:
                    problem = "a mark stands for more than a term"
                    raise TermViolationError(problem, _released(document, one))
            elif given.guarantee == "published":
                if one.string == about.strings[one.term]:
                    continue
                # Stars tell the length: enough terms must share it, as they would share a string.
                if not _is_starred(given, one) or lengths[len(one.term)] < given.k:
                    problem = "a term does not stand as its published string"
                    raise TermViolationError(problem, _released(document, one))
            elif one.string != shared_mark(given) and not covers(
                one.string, one.term, about.reading.mask
            ):
                problem = "a term does not stand as a pattern of its own"
                raise TermViolationError(problem, _released(document, one))
            else:
                patterns.setdefault(one.string, (one.term, _released(document, one)))
    if given.guarantee == "matching":
        check_matching(given, about.terms, about.strings, patterns)
    return {"replaced": replaced}


def _check_candidates(
    given: TermParameters, about: _ClaimTerms, texts: _Texts
) -> dict[str, int | float | str]:
    """At every place k terms could stand, with the text around them, and be published alike."""
    judge = about.judge
    if judge is None:
        return {}
    marks = 0
    for document, new, shown, read, _ in _documents(about, texts):
        for one in shown:
            marks += one.term is None
            problem = judge.problem(read, one)
            if problem is not None:
                raise TermViolationError(problem, _released(document, one))
        over = judge.legible_over(new, shown, read)
        if over is not None:
            raise TermViolationError(OVER, _released(document, over))
    return {"marks": marks}


def _check_beginnings(given: TermParameters, about: _ClaimTerms, texts: _Texts) -> None:
    """No word before a place tells how the term or the direct identifier there begins."""
    terms = given.articles and given.k > 1
    if not terms and not given.direct_articles:
        return
    told = FirstSounds(about.strings, about.reading.mask, terms)
    for document, new, shown, read, direct in _documents(about, texts):
        one = told.first_told(new, shown, direct, read.text)
        if one is not None:
            problem = "the word before a replaced place tells how what stood there begins"
            raise TermViolationError(problem, _released(document, one))


def _check_clear(
    given: TermParameters, about: _ClaimTerms, texts: _Texts
) -> dict[str, int | float | str]:
    """No term stands in the release other than inside one replaced term, and no direct one."""
    inside = 0
    released: list[str] = []
    spans: list[Sequence[ShownTerm]] = []
    for _, text, shown, _, _ in _documents(about, texts):
        released.append(text)
        spans.append([one for one in shown if _is_pattern(given, about, one)])
    kept: list[search.Folded | None] | None = [None] * len(released) if about.direct else None
    for found in search.occurrences(released, about.terms, about.reading, kept):
        here = spans[found.document]
        at = bisect_right(here, found.start, key=lambda one: one.start) - 1
        if at < 0 or here[at].stop < found.stop:
            raise TermViolationError("a term is in clear", _place(found))
        inside += 1
    for found in search.occurrences(released, about.direct, about.reading, kept):
        raise TermViolationError("a direct identifier is in clear", _place(found))
    return {"terms_inside_patterns": inside}


def _documents(about: _ClaimTerms, texts: _Texts) -> Iterator[_Document]:
    """Each released text and its replaced terms, after a comparison with the original."""
    for known, documents in texts.walked:
        if replace(known, judge=about.judge) == about:
            yield from documents
            return
    walked: list[_Document] = []
    for one in _walked(about, texts):
        walked.append(one)
        yield one
    texts.walked.append((about, walked))


def _shows_nothing(letter: str) -> bool:
    return letter.isspace() or is_invisible(letter)


def _walked(about: _ClaimTerms, texts: _Texts) -> Iterator[_Document]:
    before, after = texts.before, texts.after
    if len(before) != len(after):
        raise TermViolationError(f"expected {len(before)} documents, found {len(after)}")
    starred: dict[int, list[FoundTerm]] = {}
    for document, start, stop in about.spans:
        # Blanks, and what shows nothing, at the ends of a span tell nothing of it.
        seen = [i for i in range(start, stop) if not _shows_nothing(before[document][i])]
        if seen:
            starred.setdefault(document, []).append(FoundTerm(document, seen[0], seen[-1] + 1, ""))
    kept: list[search.Folded | None] = [None] * len(before)
    for found in search.occurrences(before, about.direct, about.reading, kept):
        starred.setdefault(found.document, []).append(found)
    every: dict[int, list[FoundTerm]] = {}
    for found in search.occurrences(before, about.terms, about.reading, kept):
        every.setdefault(found.document, []).append(found)
    for document, (text, new) in enumerate(zip(before, after, strict=True)):
        folded, begins, _ = kept[document] or about.reading.folded(text)
        here, direct = every.get(document, []), starred.get(document, [])
        said = None if texts.marks is None else texts.marks.get(document, {})
        if not (here or direct or said) and text == new:  # nothing stands there to be hidden
            yield document, new, [], ReadText(folded, [], [], frozenset(), ()), []
            continue
        taken = search.leftmost_longest(here, direct)
        hidden = positions(direct)
        at = set(hidden)
        read = ReadText(
            folded,
            [one.at for one in taken],
            [one.to for one in taken],
            frozenset(i for i, begin in enumerate(begins[:-1]) if begin in at)
            if at
            else frozenset(),
            _over(here, taken),
        )
        fits = None
        if about.judge is not None and said is None:  # of several readings one that holds
            fits = partial(about.judge.holds, read)
        mask = about.reading.mask
        starts = starts_of(text, hidden) if about.direct_retold else []
        walk = Walk(text, new, mask, about.shared, hidden, said, about.retold, starts, fits)
        try:
            walked = walk.shown(taken, about.strings, begins)
        except Misfit as misfit:
            raise TermViolationError(misfit.reason, f"document {document}{misfit.where}") from None
        yield document, new, walked.shown, read, direct_places(starts, walked, begins, new, mask)


def _over(
    every: Sequence[FoundTerm], taken: Sequence[FoundTerm]
) -> tuple[tuple[int, int, int], ...]:
    """Terms that begin inside a taken one and end after it; how far after it, as it is given."""
    if len(every) == len(taken):
        return ()
    starts = [one.at for one in taken]
    result = []
    for one in every:
        place = bisect_left(starts, one.at) - 1
        if place >= 0 and taken[place].to > one.at and taken[place].to < one.to:
            result.append((one.at, one.to, one.stop - taken[place].stop))
    return tuple(result)


def _is_starred(given: TermParameters, one: ShownTerm) -> bool:
    return one.string == given.mask * len(one.string)


def _is_pattern(given: TermParameters, about: _ClaimTerms, one: ShownTerm) -> bool:
    """Whether a term stands as what is published for it."""
    if given.guarantee == "published":
        return one.term is not None and one.string == about.strings[one.term]
    return given.k == 1 or given.mask in one.string  # no pattern that others match is a term


def _released(document: int, one: ShownTerm) -> str:
    return f"document {document}, released characters {one.start} to {one.stop}"


def _place(found: FoundTerm) -> str:
    return f"document {found.document}, released characters {found.start} to {found.stop}"
