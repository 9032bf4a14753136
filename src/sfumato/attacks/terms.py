"""Attacks on redacted terms: inverting the dictionary, running the method again, and guessing.

The attacker knows the list of terms and the method, and so the string of every term. The terms
published as one string are its pre-images. In a text some of them may be ruled out: with them the
method would have published another text.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from ..core.corpus import Corpus
from ..core.errors import BadInput
from ..core.letters import is_wordlike
from ..core.printed_form import by_sizes
from ..core.release import released_texts

T = TypeVar("T")

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..core.release import Release
    from ..core.values import JsonObject
    from ..methods.terms.dictionary import TermDictionary

REPLACED = "quasi-identifier"
MARKED = "too few terms could stand there as its string"
STARRED = "starred whole: too few terms could stand there as its string"
AROUND = 200  # characters on each side of a place that are run again
AS_LONG = 2000  # terms of its length that are tried at a place that is starred whole


@dataclass(frozen=True, slots=True)
class Inversion:
    """How many terms stand behind each published string; `exposed` strings have fewer than k."""

    strings: int
    exposed: int
    exposed_share: float
    fewest: int
    exposed_terms: int


@dataclass(frozen=True, slots=True)
class Rerun:
    """How many places were tried, at how many fewer than k terms are left, and the fewest."""

    places: int
    exposed: int
    fewest: int


@dataclass(frozen=True, slots=True)
class Guesses:
    """How often the words beside a replaced term pick the right one of its pre-images."""

    guessed: int
    right: int
    right_share: float
    chance: float


def invert(published: Iterable[str], k: int) -> Inversion:
    """Counts the pre-images of every string that a list of terms is published as.

    Cost: O(M).

    >>> invert(["cr*w", "cr*w", "dra*", "dr*w", "dr*w"], k=2)
    Inversion(strings=3, exposed=1, exposed_share=0.333..., fewest=1, exposed_terms=1)
    """
    sharers = Counter(published)
    few = [count for count in sharers.values() if count < k]
    return Inversion(
        len(sharers),
        len(few),
        len(few) / len(sharers) if sharers else 0.0,
        min(sharers.values(), default=0),
        sum(few),
    )


def invert_release(release: Release) -> Inversion:
    """The inversion of the dictionary that a redacted release was made with.

    >>> import sfumato as sf
    >>> release = sf.redact("crew", ["crew", "craw", "draw", "drew"], k=2)
    >>> invert_release(release).exposed
    0
    """
    return invert(_needed(release.sides.published, "published"), int(str(release.parameters["k"])))


def rerun(release: Release, sample: int) -> Rerun:
    """Puts every term that is published alike into each place and runs the method again.

    At most `sample` places are tried, spread over the release, each with the text around it. A term
    is left if the same text is released. At a place that is starred whole terms of its length are
    tried, of very many every so-many-th. Cost: a run of the method on each term's text.

    >>> import sfumato as sf
    >>> terms = ["東京", "東西", "西都", "京都", "京大", "西京"]
    >>> rerun(sf.redact("彼は東京都へ", terms, k=2), 10)
    Rerun(places=1, exposed=0, fewest=2)
    """
    from ..methods.terms.redact import redact

    given = release.parameters
    k, listed = int(str(given["k"])), _needed(release.sides.listed, "terms")
    sharers: dict[str, list[str]] = {}
    string_of = dict(zip(listed, _needed(release.sides.published, "published"), strict=True))
    for term, string in string_of.items():
        sharers.setdefault(string, []).append(term)
    dictionary = _dictionary(release)
    texts = Corpus.of(_needed(release.sides.input, "input")).texts
    lengths: dict[int, list[str]] = {}
    for term in listed:
        lengths.setdefault(len(term), []).append(term)
    begins = frozenset(term[: i + 1] for term in listed for i in range(1, len(term)))
    places = [one for one in release.changes if one.reason in (REPLACED, MARKED, STARRED)]
    names = ("k", "guarantee", "rare_lengths", "mask", "whole_words")
    options: JsonObject = {name: given[name] for name in names}
    direct = None if release.sides.direct is None else list(release.sides.direct)
    tried = []
    for place in places[:: max(1, len(places) // sample)][:sample]:
        own = texts[place.document][place.start : place.stop]
        others: Sequence[str] = sharers.get(place.replacement, ())
        if place.reason == STARRED:  # which tells the length alone
            after = texts[place.document][place.stop : place.stop + 1]
            others = _as_long(lengths[len(place.replacement)], after, begins, string_of, sharers)
        tried.append((place, [own, *others]))
    filled = [
        texts[place.document][max(0, place.start - AROUND) : place.start]
        + one
        + texts[place.document][place.stop : place.stop + AROUND]
        for place, some in tried
        for one in some
    ]
    released = iter(redact(filled, dictionary, direct=direct, **options).data)
    counts = []
    for place, some in tried:
        made = [next(released) for _ in some]
        left = {one for one, new in zip(some, made, strict=True) if new == made[0]}
        own_form = some[0] not in string_of and place.reason != MARKED  # written otherwise
        counts.append(len(left) - own_form)
    few = sum(count < k for count in counts)
    return Rerun(len(counts), few, min(counts, default=0))


def _as_long(
    terms: Sequence[str],
    after: str,
    begins: frozenset[str],
    string_of: Mapping[str, str],
    sharers: Mapping[str, Sequence[str]],
) -> list[str]:
    """Terms of one length that may be starred before this character, those likeliest first.

    They share strings with terms that would go on with it; then every so-many-th.
    """
    strings = dict.fromkeys(string_of[term] for term in terms if term + after in begins)
    near = [term for string in strings for term in sharers[string]]
    spread = terms[:: max(1, len(terms) // AS_LONG)]
    return list(dict.fromkeys([*near[:AS_LONG], *spread[:AS_LONG]]))


def _dictionary(release: Release) -> TermDictionary:
    """The dictionary that a release was made with."""
    from ..methods.terms.dictionary import TermDictionary
    from ..methods.terms.folding import Folding
    from ..methods.terms.publication import Strings

    terms, published = (
        _needed(release.sides.listed, "terms"),
        _needed(release.sides.published, "published"),
    )
    given = release.parameters
    folding = Folding(bool(given["fold_case"]), bool(given["fold_width"]))
    if isinstance(published, Strings):
        return TermDictionary.published(published.terms, folding, published.publication)
    return TermDictionary(terms, fold_case=folding.case, fold_width=folding.width)


def guess_by_context(release: Release) -> Guesses:
    """Guesses every replaced term from the words that stand beside its pre-images elsewhere.

    The attacker knows how often each word stood beside each term in all other documents, and
    takes the pre-image that the words beside the string speak for most; on ties the one that is
    most frequent elsewhere. `chance` is what guessing blindly among the pre-images would give.

    Cost: O(replaced terms x pre-images).

    >>> import sfumato as sf
    >>> texts = ["our crew left", "our crew left", "a craw bled"]
    >>> guess_by_context(sf.redact(texts, ["crew", "craw"], k=2)).right
    2
    """
    listed = list(_needed(release.sides.listed, "terms"))
    published = list(_needed(release.sides.published, "published"))
    string_of = dict(zip(listed, published, strict=True))
    preimages: dict[str, list[str]] = {}
    for term, string in string_of.items():
        preimages.setdefault(string, []).append(term)
    seen = _WordCounts(_places(release, {term.casefold(): term for term in listed}))
    right, chance = 0, 0.0
    for place in seen.places:
        candidates = preimages[string_of[place.term]]
        right += seen.likeliest(place, candidates) == place.term
        chance += 1 / len(candidates)
    count = max(1, len(seen.places))
    return Guesses(len(seen.places), right, right / count, chance / count)


def guess_without_string(release: Release) -> int:
    """How many replaced terms the words beside them give away when no string is published.

    As `guess_by_context`, but every listed term that was ever seen beside one of the words may be
    the one, and where none was, the most frequent term elsewhere is taken.

    >>> import sfumato as sf
    >>> texts = ["our crew left", "our crew left", "a craw bled"]
    >>> guess_without_string(sf.redact(texts, ["crew", "craw"], k=2))
    2
    """
    listed = {term.casefold(): term for term in _needed(release.sides.listed, "terms")}
    seen = _WordCounts(_places(release, listed))
    beside: dict[str, set[str]] = {}
    for place in seen.places:
        for word in place.beside:
            beside.setdefault(word, set()).add(place.term)
    frequent = [term for term, _ in Counter(one.term for one in seen.places).most_common(50)]
    own = Counter(document for document, _ in {(one.document, one.term) for one in seen.places})
    most = 1 + max(own.values(), default=0)  # a document cannot lower the score of more terms
    best: dict[tuple[str, ...], list[str]] = {}
    right = 0
    for place in seen.places:
        if place.beside not in best:
            candidates = set[str]().union(*(beside[word] for word in place.beside), frequent)
            best[place.beside] = seen.ranked(candidates, place.beside)[:most]
        right += seen.likeliest(place, best[place.beside]) == place.term
    return right


@dataclass(frozen=True, slots=True)
class _Place:
    """A replaced term, and the legible words that stand beside it in the release."""

    document: int
    term: str
    beside: tuple[str, ...]

    __repr__ = by_sizes


class _WordCounts:
    """How often each word stood beside each term, in all documents and in each one."""

    def __init__(self, places: Iterable[_Place]):
        self.places = list(places)
        self.everywhere = Counter[tuple[str, str]]()
        self.own = Counter[tuple[int, str, str]]()
        for place in self.places:
            for word in ("", *place.beside):  # "" counts the term itself
                self.everywhere[place.term, word] += 1
                self.own[place.document, place.term, word] += 1

    def ranked(self, candidates: Iterable[str], words: tuple[str, ...]) -> list[str]:
        """The candidates, those first that the words of all documents speak for most."""

        def score(term: str) -> tuple[int, int, str]:
            evidence = sum(self.everywhere[term, word] for word in words)
            return -evidence, -self.everywhere[term, ""], term

        return sorted(candidates, key=score)

    def likeliest(self, place: _Place, candidates: Iterable[str]) -> str:
        """The candidate that other documents' words speak for most, then the most frequent."""

        def evidence(candidate: str, words: tuple[str, ...]) -> int:
            return sum(
                self.everywhere[candidate, word] - self.own[place.document, candidate, word]
                for word in words
            )

        ordered = sorted(candidates)
        return max(ordered, key=lambda one: (evidence(one, place.beside), evidence(one, ("",))))


def _places(release: Release, listed: dict[str, str]) -> Iterator[_Place]:
    originals = Corpus.of(_needed(release.sides.input, "input")).texts
    document, shift = -1, 0
    released = released_texts(release)
    for change in release.changes:
        if change.document != document:
            document, shift = change.document, 0
        start = change.start + shift
        stop = start + len(change.replacement)
        shift += len(change.replacement) - (change.stop - change.start)
        term = listed.get(originals[document][change.start : change.stop].casefold())
        if change.reason == REPLACED and term is not None:
            text = released[document]
            before, after = _word(text[:start][::-1][:40])[::-1], _word(text[stop : stop + 40])
            yield _Place(document, term, (f"{before}<", f">{after}"))


def _word(text: str) -> str:
    """The first word of a text; of a script without words, its first letter."""
    word = ""
    for letter in text:
        if is_wordlike(letter):
            word += letter
        elif word:
            break
        elif letter.isalpha():
            return letter
    return word


def _needed(value: T | None, name: str) -> T:
    if value is None:
        raise BadInput("this attack needs what the release was made with", where=name)
    return value
