"""Patterns of terms, publishing and redaction by their definitions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, product

STAR = "*"


def star_sets(length: int) -> Iterator[tuple[int, ...]]:
    """Every set of positions but the full one, from few to many."""
    for size in range(length):
        yield from combinations(range(length), size)


def starred(term: str, stars: Sequence[int]) -> str:
    """The term with the characters at these positions starred."""
    return "".join(STAR if i in stars else letter for i, letter in enumerate(term))


def matches(pattern: str, terms: Sequence[str]) -> int:
    """How many terms have the pattern's length and agree with every kept character."""
    return sum(
        len(term) == len(pattern)
        and all(a in (STAR, b) for a, b in zip(pattern, term, strict=True))
        for term in terms
    )


def dictionary(term: str, terms: Sequence[str], least: int) -> dict[str, tuple[int, int]]:
    """The anonymization dictionary of a term: pattern -> (matches, redacted)."""
    patterns = {starred(term, stars): len(stars) for stars in star_sets(len(term))}
    counted = {pattern: (matches(pattern, terms), r) for pattern, r in patterns.items()}
    return {pattern: both for pattern, both in counted.items() if both[0] >= least}


def minimal_star_sets(term: str, terms: Sequence[str], least: int) -> set[frozenset[int]]:
    """The star sets that qualify and contain no smaller one that does."""
    qualifying = [
        frozenset(stars)
        for stars in star_sets(len(term))
        if matches(starred(term, stars), terms) >= least
    ]
    return {one for one in qualifying if not any(other < one for other in qualifying)}


def publish_matching(term: str, terms: Sequence[str], k: int) -> str:
    """Fewest stars of those k terms match; most matches, leftmost kept; else all stars."""
    options = []
    for stars in star_sets(len(term)):
        pattern = starred(term, stars)
        count = matches(pattern, terms)
        if count >= k:
            kept = tuple(i for i in range(len(term)) if i not in stars)
            options.append((len(stars), -count, kept, pattern))
    return min(options)[3] if options else STAR * len(term)


def group_stars(group: Sequence[str]) -> int:
    """The stars of a group that is published as the one pattern covering it."""
    return len(group) * sum(len(set(letters)) > 1 for letters in zip(*group, strict=True))


def fewest_stars(terms: Sequence[str], k: int) -> int:
    """The fewest stars of any partition of terms of one length into groups of at least k."""
    everything = (1 << len(terms)) - 1

    def members(mask: int) -> list[str]:
        return [term for i, term in enumerate(terms) if mask >> i & 1]

    @cache
    def best(mask: int) -> float:
        if not mask:
            return 0
        first = mask & -mask
        rest = others = mask ^ first
        result = float("inf")
        while True:  # every group that holds the first term
            group = first | others
            if group.bit_count() >= k:
                result = min(result, group_stars(members(group)) + best(mask ^ group))
            if not others:
                return result
            others = (others - 1) & rest

    return int(best(everything))


def occurrences(
    text: Sequence[str], terms: Sequence[str], wordlike: Callable[[str], bool] | None
) -> list[tuple[int, int, str]]:
    """Every occurrence of every term between borders, by start, longer first."""

    def is_border(at: int) -> bool:
        if wordlike is None or at in (0, len(text)):
            return True
        return not (wordlike(text[at - 1]) and wordlike(text[at]))

    found = [
        (start, start + len(term), term)
        for term in terms
        for start in range(len(text) - len(term) + 1)
        if "".join(text[start : start + len(term)]) == term
        and is_border(start)
        and is_border(start + len(term))
    ]
    return sorted(found, key=lambda one: (one[0], -one[1]))


def redact(
    text: str,
    published: dict[str, str],
    direct: Sequence[str] = (),
    wordlike: Callable[[str], bool] | None = None,
) -> str:
    """Replaces terms, stars what overlaps, and searches again until no term is in clear."""
    letters = list(text)
    owner: list[tuple[int, int] | None] = [None] * len(text)
    touched = [False] * len(text)

    def star(at: int) -> None:
        letters[at], touched[at] = STAR, True

    def star_whole(span: tuple[int, int]) -> None:
        for i in range(*span):
            star(i)
            owner[i] = None

    while True:
        before = list(letters), list(touched)
        found = occurrences(letters, list(published), wordlike)
        for start, stop, _ in occurrences(letters, direct, wordlike):
            for i in range(start, stop):
                whole = owner[i]
                if whole:
                    star_whole(whole)
                star(i)
        for start, stop, term in found:
            if not any(touched[start:stop]):
                for i in range(start, stop):
                    letters[i], touched[i] = published[term][i - start], True
                    owner[i] = (start, stop)
        for start, stop, term in found:
            owners = {owner[i] for i in range(start, stop)}
            for i in range(start, stop):
                if owner[i] is None:
                    star(i)
            last = owner[stop - 1]
            if len(owners) > 1 and last and "".join(letters[start:stop]) == term:
                star_whole(last)
        if (letters, touched) == before:
            return "".join(letters)


def all_texts(alphabet: str, longest: int) -> list[str]:
    """Every text of an alphabet, up to a length."""
    return [
        "".join(letters)
        for size in range(1, longest + 1)
        for letters in product(alphabet, repeat=size)
    ]


def fills(texts: Sequence[str], released: Sequence[str]) -> dict[tuple[str, str, str], set[str]]:
    """Of every text around a place, and every release: what may stand in the place."""
    found: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for text, new in zip(texts, released, strict=True):
        if new == text:
            continue
        for start, stop in combinations(range(len(text) + 1), 2):
            found[text[:start], text[stop:], new].add(text[start:stop])
    return found
