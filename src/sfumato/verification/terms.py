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
from .term_walk import Misfit, ShownTerm, Walk, positions

if TYPE_CHECKING:
    from ..core.claims import Claim
    from ..core.release import Release
    from ..core.values import Data


@dataclass(frozen=True, slots=True)
class _ViolationError(Exception):
    """What does not hold, and where."""

    reason: str
    where: str | None = None


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
        strings = _map(given, terms, said.published)
        direct = reading.listed(said.direct or ())
        pooled = given.rare_lengths == "shared"
        shared = _shared(given) if pooled and given.candidates else ""
        judge = None
        if given.candidates and given.k > 1:
            exempt = given.rare_lengths == "star"
            judge = PlaceJudge(given.k, _shared(given), reading, strings, direct, exempt=exempt)
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
            measured = _check_strings(given, about) | _check_shown(given, about, texts)
            if given.candidates:
                measured |= _check_candidates(given, about, texts)
            if given.articles or given.direct_articles:
                _check_beginnings(given, about, texts)
        else:
            measured = _check_clear(given, about, texts)
    except _ViolationError as violation:
        return Verdict(claim, False, violation.reason, violation.where)
    return Verdict(claim, True, measured=measured)


def _map(
    given: TermParameters, terms: Sequence[str], published: Sequence[str] | None
) -> dict[str, str]:
    """The string of every term; of `matching` without a map, those of rare lengths alone."""
    if published is not None:
        return dict(zip(terms, published, strict=True))
    if given.guarantee == "published":
        raise BadInput(
            "the strings of the terms are not given",
            where="terms",
            remedy="give the saved dictionary of the release, not the plain list",
        )
    if given.rare_lengths != "shared":
        return {}
    lengths = Counter(map(len, terms))
    if given.candidates is not None:
        k = given.k
        rare = [term for term in terms if lengths[len(term)] < k]
        others = sorted(
            (term for term in terms if lengths[len(term)] >= k), key=lambda t: (len(t), t)
        )
        joining = others[: max(0, k - len(rare))] if rare else []
        return {term: _shared(given) for term in [*rare, *joining]}
    pool: set[int] = set()
    for length in sorted(lengths, key=lambda one: (lengths[one], one)):
        under_k = sum(lengths[one] for one in pool) < given.k
        if lengths[length] < given.k or (pool and under_k):
            pool.add(length)
    return {term: _shared(given) for term in terms if len(term) in pool}


def _check_strings(given: TermParameters, about: _ClaimTerms) -> dict[str, int | float | str]:
    """Of `published`: the map covers every term, and k terms share each string."""
    if given.guarantee != "published":
        return {}
    terms, strings = about.terms, about.strings
    if len(strings) != len(terms):
        raise _ViolationError("the map of published strings does not have every term once")
    mask, k = given.mask, given.k
    sharers = Counter(strings.values())
    lengths = Counter(map(len, terms))
    fewest = len(terms)
    for number, (term, string) in enumerate(strings.items()):
        where = f"term {number}"
        if not (_covers(string, term, mask) or string == _shared(given)):
            raise _ViolationError("the string of a term does not cover it", where)
        if sharers[string] < k and not _is_exempt(given, term, string, lengths):
            raise _ViolationError(
                f"a string is published for {sharers[string]} terms, fewer than k={k}", where
            )
        fewest = min(fewest, sharers[string])
    return {"strings": len(sharers), "fewest_sharers": fewest}


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
                    raise _ViolationError(problem, _released(document, one))
            elif given.guarantee == "published":
                if one.string == about.strings[one.term]:
                    continue
                # Stars tell the length: enough terms must share it, as they would share a string.
                if not _is_starred(given, one) or lengths[len(one.term)] < given.k:
                    problem = "a term does not stand as its published string"
                    raise _ViolationError(problem, _released(document, one))
            elif one.string != _shared(given) and not _covers(
                one.string, one.term, about.reading.mask
            ):
                problem = "a term does not stand as a pattern of its own"
                raise _ViolationError(problem, _released(document, one))
            else:
                patterns.setdefault(one.string, (one.term, _released(document, one)))
    if given.guarantee == "matching":
        _recount(given, about, patterns)
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
                raise _ViolationError(problem, _released(document, one))
        over = judge.legible_over(new, shown, read)
        if over is not None:
            raise _ViolationError(OVER, _released(document, over))
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
            raise _ViolationError(problem, _released(document, one))


def _recount(
    given: TermParameters, about: _ClaimTerms, patterns: Mapping[str, tuple[str, str]]
) -> None:
    """Of `matching`: counts, from the list alone, the terms that match each pattern shown."""
    k, mask = given.k, given.mask
    lengths = Counter(map(len, about.terms))
    shared = sum(string == _shared(given) for string in about.strings.values())
    shapes: dict[tuple[int, tuple[int, ...]], list[str]] = {}
    for string in patterns:
        kept = tuple(i for i, letter in enumerate(string) if letter != mask)
        shapes.setdefault((len(string), kept), []).append(string)
    for (length, kept), alike in shapes.items():
        counts = Counter(
            tuple(term[i] for i in kept) for term in about.terms if len(term) == length
        )
        for string in alike:
            term, where = patterns[string]
            matching = counts[tuple(string[i] for i in kept)]
            if string == _shared(given):
                matching = max(matching, shared)
            if matching < k and not _is_exempt(given, term, string, lengths):
                raise _ViolationError(
                    f"a pattern is matched by {matching} terms, fewer than k={k}", where
                )


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
            raise _ViolationError("a term is in clear", _place(found))
        inside += 1
    for found in search.occurrences(released, about.direct, about.reading, kept):
        raise _ViolationError("a direct identifier is in clear", _place(found))
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
        raise _ViolationError(f"expected {len(before)} documents, found {len(after)}")
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
            raise _ViolationError(misfit.reason, f"document {document}{misfit.where}") from None
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


def _covers(string: str, term: str, mask: str) -> bool:
    return len(string) == len(term) and all(
        a in (mask, b) for a, b in zip(string, term, strict=True)
    )


def _is_starred(given: TermParameters, one: ShownTerm) -> bool:
    return one.string == given.mask * len(one.string)


def _is_pattern(given: TermParameters, about: _ClaimTerms, one: ShownTerm) -> bool:
    """Whether a term stands as what is published for it."""
    if given.guarantee == "published":
        return one.term is not None and one.string == about.strings[one.term]
    return given.k == 1 or given.mask in one.string  # no pattern that others match is a term


def _is_exempt(given: TermParameters, term: str, string: str, lengths: Mapping[int, int]) -> bool:
    """Rare lengths that are starred, not shared: all stars, and fewer than k terms so long."""
    return (
        given.rare_lengths == "star"
        and string == given.mask * len(term)
        and lengths[len(term)] < given.k
    )


def _shared(given: TermParameters) -> str:
    return given.mask * given.shared


def _released(document: int, one: ShownTerm) -> str:
    return f"document {document}, released characters {one.start} to {one.stop}"


def _place(found: FoundTerm) -> str:
    return f"document {found.document}, released characters {found.start} to {found.stop}"
