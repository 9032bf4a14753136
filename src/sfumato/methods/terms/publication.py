"""The string of every term of W, assigned before any text is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args, overload

import numpy as np

from ...core.errors import BadInput, CannotBeMet
from ...core.options import check_k, choose
from .matching import fewest_stars
from .pool import can_overlap, closed_again, least_loss
from .published_strings import clustered, joined
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
    which tells the length, and exempts them. Where terms may begin and end inside words
    (`whole_words=False`), more of them can overlap. Releases of version 0.1 did not count
    candidates, and whole lengths joined the pool.
    """

    guarantee: Guarantee
    k: int
    rare_lengths: RareLengths
    whole_words: bool = True
    counted: bool = True

    def require_valid(self) -> None:
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

    def groups(self, terms: TermList) -> tuple[NDArray[np.uint32], int]:
        """A number for every term, the same for all that share a string; and that of the pool.

        The pool's is -1 where nothing is pooled.
        """
        numbers: dict[bytes, int] = {}
        result: list[NDArray[np.uint32]] = [np.zeros(0, np.uint32)]
        for codes, stars, pooled in zip(terms.classes, self.stars, self.pooled, strict=True):
            seen = np.ascontiguousarray(np.where(stars, 0, codes.T.astype(np.uint32) + 1))
            size = seen.shape[1] * seen.itemsize
            flat = seen.tobytes()
            here = [
                numbers.setdefault(flat[at : at + size], len(numbers))
                for at in range(0, len(flat), size)
            ]
            row = np.array(here, np.uint32)
            row[pooled] = numbers.setdefault(b"", len(numbers)) if pooled.any() else 0
            result.append(row)
        return np.concatenate(result), numbers.get(b"", -1)

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
    plan.require_valid()
    if len(terms) < plan.k:
        raise CannotBeMet(
            f"the list has {len(terms)} terms, k is {plan.k}",
            where="terms",
            remedy="give a longer list of terms or a smaller k",
        )
    stars, pooled = [], []
    for place, columns in enumerate(terms.classes):
        length, count = columns.shape
        rare = count < plan.k
        pooled.append(np.full(count, rare and plan.rare_lengths == "shared", np.bool_))
        if plan.k == 1:
            stars.append(np.zeros((count, length), np.uint8))
        elif rare:
            stars.append(np.ones((count, length), np.uint8))
        else:
            given = columns, len(terms.alphabet), plan.k
            if plan.guarantee == "published":  # version 0.1 had no exact groups
                stars.append(clustered(*given, exact=plan.counted))
            else:
                stars.append(fewest_stars(*given))
        if progress is not None:
            progress((place + 1) / len(terms.classes))
    if plan.counted:
        _fill_pool(terms, plan, stars, pooled)
    else:
        _join_lengths(terms, plan, stars, pooled)
    return Publication(plan, tuple(stars), tuple(pooled))


def _fill_pool(
    terms: TermList,
    plan: Plan,
    stars: list[NDArray[np.uint8]],
    pooled: list[NDArray[np.bool_]],
) -> None:
    """Pools as many terms more as the shared mark lacks, in place: those that lose least.

    It needs k terms once it has any, and where terms can overlap.
    """
    if plan.rare_lengths != "shared" or plan.k == 1:
        return
    has = sum(int(rows.sum()) for rows in pooled)
    counted = plan.guarantee == "published"
    if has >= plan.k or not (has or (counted and can_overlap(terms, plan.whole_words))):
        return
    open_ = ~np.concatenate([np.zeros(0, np.bool_), *pooled])
    if counted:
        groups, _ = Publication(plan, tuple(stars), tuple(pooled)).groups(terms)
        chosen = least_loss(stars, groups, open_, plan.k, plan.k - has)
    else:
        chosen = np.flatnonzero(open_)[: plan.k - has]  # the shortest
    first = 0
    for place, codes in enumerate(terms.classes):
        last = first + codes.shape[1]
        rows = chosen[(chosen >= first) & (chosen < last)] - first
        pooled[place][rows], stars[place][rows] = True, 1
        if counted:
            here = groups[first:last]
            for group in np.unique(here[rows]):
                left = np.flatnonzero((here == group) & ~pooled[place])
                if len(left):
                    stars[place][left] = closed_again(codes, left)
        first = last


def _join_lengths(
    terms: TermList,
    plan: Plan,
    stars: list[NDArray[np.uint8]],
    pooled: list[NDArray[np.bool_]],
) -> None:
    """As version 0.1 did: while the pool lacks terms, all of the rarest length join."""
    has = sum(int(rows.sum()) for rows in pooled)
    while 0 < has < plan.k:
        others = [place for place, rows in enumerate(pooled) if not rows.any()]
        place = min(others, key=lambda one: (len(pooled[one]), one))
        pooled[place][:], stars[place][:] = True, 1
        has += len(pooled[place])


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
