"""The string of every term of W, assigned before any text is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args, overload

import numpy as np

from ...core.errors import BadInput, CannotBeMet
from ...core.options import check_k, choose
from .matching import fewest_stars
from .published import clustered, joined
from .term_list import TermList, class_strings

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

Guarantee = Literal["published", "matching"]
RareLengths = Literal["shared", "star"]
SHARED_MARKS = 3  # how many marks the string of all rare lengths has


@dataclass(frozen=True, slots=True)
class Plan:
    """What is asked for: the guarantee, k, and what becomes of lengths with fewer than k terms.

    `"shared"` pools them and publishes all as one fixed string; `"star"` stars their characters,
    which tells the length, and exempts them.
    """

    guarantee: Guarantee
    k: int
    rare_lengths: RareLengths

    def check(self) -> None:
        """Refuses what is no guarantee, no single k and no way with rare lengths."""
        if check_k(self.k) != [self.k]:
            raise BadInput(
                "expected one k: strings of several could be intersected",
                where="k",
                remedy="publish one release of a text",
            )
        choose("guarantee", self.guarantee, get_args(Guarantee))
        choose("rare_lengths", self.rare_lengths, get_args(RareLengths))


@dataclass(frozen=True, slots=True, eq=False)
class Publication:
    """Stars of every term, by the classes of its list, and which terms are pooled."""

    plan: Plan
    stars: tuple[NDArray[np.uint8], ...]
    pooled: tuple[NDArray[np.bool_], ...]

    def string(self, terms: TermList, number: int, mask: str) -> str:
        """The published string of one term."""
        place, row = terms.place(number)
        if self.pooled[place][row]:
            return mask * SHARED_MARKS
        term = terms[number]
        stars = self.stars[place][row]
        return "".join(mask if star else a for a, star in zip(term, stars, strict=True))

    def strings(self, terms: TermList, mask: str) -> list[str]:
        """The published strings of all terms, in their order."""
        result: list[str] = []
        for codes, stars, pooled in zip(terms.classes, self.stars, self.pooled, strict=True):
            points = np.where(stars, np.uint32(ord(mask)), terms.alphabet[codes.T])
            strings = class_strings(points)
            for row in np.flatnonzero(pooled):
                strings[row] = mask * SHARED_MARKS
            result += strings
        return result

    def exempt(self) -> int:
        """How many terms are starred whole because too few share their length."""
        if self.plan.rare_lengths == "shared":
            return 0
        return sum(len(stars) for stars in self.stars if len(stars) < self.plan.k)


@dataclass(frozen=True, slots=True, eq=False)
class Strings(Sequence[str]):
    """The published strings of a list, made on access."""

    publication: Publication
    terms: TermList
    mask: str

    def __len__(self) -> int:
        return len(self.terms)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if isinstance(index, slice):
            return [self[i] for i in range(len(self))[index]]
        return self.publication.string(self.terms, range(len(self))[index], self.mask)

    def __iter__(self) -> Iterator[str]:
        return iter(self.publication.strings(self.terms, self.mask))


def publication_of(
    terms: TermList, plan: Plan, progress: Callable[[float], None] | None = None
) -> Publication:
    """Assigns every term its string.

    Cost: a few passes over each length for every closed pattern that k terms share.
    """
    plan.check()
    if len(terms) < plan.k:
        raise CannotBeMet(
            f"the list has {len(terms)} terms, k is {plan.k}",
            where="terms",
            remedy="give a longer list of terms or a smaller k",
        )
    rare = pool(terms, plan)
    stars, pooled = [], []
    for place, columns in enumerate(terms.classes):
        length, count = columns.shape
        pooled.append(np.full(count, place in rare, np.bool_))
        if plan.k == 1:
            stars.append(np.zeros((count, length), np.uint8))
        elif place in rare or count < plan.k:
            stars.append(np.ones((count, length), np.uint8))
        else:
            method = clustered if plan.guarantee == "published" else fewest_stars
            stars.append(method(columns, len(terms.alphabet), plan.k))
        if progress is not None:
            progress((place + 1) / len(terms.classes))
    return Publication(plan, tuple(stars), tuple(pooled))


def pool(terms: TermList, plan: Plan) -> set[int]:
    """The classes that share one string: those under k, and the smallest others while they are.

    >>> list = TermList.of(["a", "bb", "cc", "ddd", "eee", "fff"])
    >>> sorted(pool(list, Plan("published", 2, "shared")))  # one term of length 1: 2 joins
    [0, 1]
    """
    if plan.rare_lengths != "shared":
        return set()
    sizes = [columns.shape[1] for columns in terms.classes]
    result = {place for place, size in enumerate(sizes) if size < plan.k}
    while result and sum(sizes[place] for place in result) < plan.k:
        others = [place for place in range(len(sizes)) if place not in result]
        result.add(min(others, key=lambda place: (sizes[place], place)))
    return result


def extended(publication: Publication, before: TermList, after: TermList) -> Publication:
    """The same strings for the old terms, and strings for those that were added.

    Added terms take old strings that cover them, form groups of their own, or join the pool.
    """
    plan = publication.plan
    strings: list[NDArray[np.uint8]] = []
    pools: list[NDArray[np.bool_]] = []
    left = 0
    for columns in after.classes:
        stars, pooled, old = _carried(publication, before, after, columns)
        waiting = ~old
        if plan.k == 1:
            stars[waiting], waiting = 0, np.zeros_like(old)
        elif plan.guarantee == "matching" and columns.shape[1] >= plan.k:
            fresh = fewest_stars(columns, len(after.alphabet), plan.k)
            stars[waiting] = fresh[waiting]
            waiting = np.zeros_like(old)
        elif plan.guarantee == "published":
            waiting = joined(columns, len(after.alphabet), plan.k, stars, old & ~pooled, old)
        if plan.rare_lengths == "star" and columns.shape[1] < plan.k:
            waiting = np.zeros_like(old)
        pooled |= waiting
        left += int(waiting.sum())
        strings.append(stars)
        pools.append(pooled)
    shared = sum(int(pooled.sum()) for pooled in pools)
    if left and (plan.rare_lengths == "star" or shared < plan.k):
        raise CannotBeMet(
            f"{left} added terms find fewer than k={plan.k} to share a string with",
            where="terms",
            remedy="add more terms at once, or make a new dictionary of them all",
        )
    return Publication(plan, tuple(strings), tuple(pools))


def _carried(
    publication: Publication,
    before: TermList,
    after: TermList,
    columns: NDArray[np.unsignedinteger],
) -> tuple[NDArray[np.uint8], NDArray[np.bool_], NDArray[np.bool_]]:
    """Stars and pool of one length after an addition, and which of its terms are old."""
    length, count = columns.shape
    stars = np.ones((count, length), np.uint8)
    pooled, old = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    place = before.class_of(length)
    if place is not None:
        rows = {term: row for row, term in enumerate(class_strings(after.alphabet[columns.T]))}
        earlier = class_strings(before.alphabet[before.classes[place].T])
        at = np.array([rows[term] for term in earlier], np.int64)
        stars[at], pooled[at] = publication.stars[place], publication.pooled[place]
        old[at] = True
    return stars, pooled, old
