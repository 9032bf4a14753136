"""The strings that terms are published as: read from a release, covered, and shared by enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..core.errors import BadInput

if TYPE_CHECKING:
    from ..claims.terms import TermParameters


@dataclass(frozen=True, slots=True)
class TermViolationError(Exception):
    """What does not hold, and where."""

    reason: str
    where: str | None = None


def strings_of(
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
        return {term: shared_mark(given) for term in [*rare, *joining]}
    pool: set[int] = set()
    for length in sorted(lengths, key=lambda one: (lengths[one], one)):
        under_k = sum(lengths[one] for one in pool) < given.k
        if lengths[length] < given.k or (pool and under_k):
            pool.add(length)
    return {term: shared_mark(given) for term in terms if len(term) in pool}


def check_strings(
    given: TermParameters, terms: Sequence[str], strings: Mapping[str, str]
) -> dict[str, int | float | str]:
    """Of `published`: the map covers every term, and k terms share each string."""
    if given.guarantee != "published":
        return {}
    if len(strings) != len(terms):
        raise TermViolationError("the map of published strings does not have every term once")
    mask, k = given.mask, given.k
    sharers = Counter(strings.values())
    lengths = Counter(map(len, terms))
    fewest = len(terms)
    for number, (term, string) in enumerate(strings.items()):
        where = f"term {number}"
        if not (covers(string, term, mask) or string == shared_mark(given)):
            raise TermViolationError("the string of a term does not cover it", where)
        if sharers[string] < k and not _is_exempt(given, term, string, lengths):
            raise TermViolationError(
                f"a string is published for {sharers[string]} terms, fewer than k={k}", where
            )
        fewest = min(fewest, sharers[string])
    return {"strings": len(sharers), "fewest_sharers": fewest}


def check_matching(
    given: TermParameters,
    terms: Sequence[str],
    strings: Mapping[str, str],
    patterns: Mapping[str, tuple[str, str]],
) -> None:
    """Of `matching`: counts, from the list alone, the terms that match each pattern shown."""
    k, mask = given.k, given.mask
    lengths = Counter(map(len, terms))
    shared = sum(string == shared_mark(given) for string in strings.values())
    shapes: dict[tuple[int, tuple[int, ...]], list[str]] = {}
    for string in patterns:
        kept = tuple(i for i, letter in enumerate(string) if letter != mask)
        shapes.setdefault((len(string), kept), []).append(string)
    for (length, kept), alike in shapes.items():
        counts = Counter(tuple(term[i] for i in kept) for term in terms if len(term) == length)
        for string in alike:
            term, where = patterns[string]
            matching = counts[tuple(string[i] for i in kept)]
            if string == shared_mark(given):
                matching = max(matching, shared)
            if matching < k and not _is_exempt(given, term, string, lengths):
                raise TermViolationError(
                    f"a pattern is matched by {matching} terms, fewer than k={k}", where
                )


def covers(string: str, term: str, mask: str) -> bool:
    """Whether a string is the term with some letters starred."""
    return len(string) == len(term) and all(
        a in (mask, b) for a, b in zip(string, term, strict=True)
    )


def _is_exempt(given: TermParameters, term: str, string: str, lengths: Mapping[int, int]) -> bool:
    """Rare lengths that are starred, not shared: all stars, and fewer than k terms so long."""
    return (
        given.rare_lengths == "star"
        and string == given.mask * len(term)
        and lengths[len(term)] < given.k
    )


def shared_mark(given: TermParameters) -> str:
    """The mark of terms of rare lengths, as long for all of them."""
    return given.mask * given.shared
