"""Partitions of people, from the definitions: lists of sets, no codes, no shared code."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["number", "category", "terms"]
Class = list[int]


@dataclass
class OracleColumn:
    """One quasi-identifier: a set of values for every person (empty: missing, or no term)."""

    kind: Kind
    values: list[frozenset[int]]
    textual: bool = False
    weight: float = 0.0
    days: bool = False  # dates: months of two days, years of two months


@dataclass
class OracleDemand:
    """A sensitive column and what it must satisfy in every class."""

    codes: list[int]
    distinct: int
    ordered: bool = False
    diversity: str | None = None
    l: float = 1.0  # noqa: E741
    c: float = 1.0
    t: float | None = None
    missing: bool = False  # code 0: no value, which makes nobody diverse


@dataclass
class OraclePeople:
    """The table."""

    count: int
    columns: list[OracleColumn]
    demands: list[OracleDemand] = field(default_factory=list)


def satisfied(people: OraclePeople, members: Class, k: int) -> bool:
    """At least k people, every sensitive column diverse and close."""
    return len(members) >= k and all(
        _diverse(one, members) and _close(one, members) for one in people.demands
    )


def _diverse(demand: OracleDemand, members: Class) -> bool:
    values = [demand.codes[p] for p in members if demand.codes[p] or not demand.missing]
    counts = sorted(Counter(values).values(), reverse=True)
    if demand.diversity is not None and not values:
        return False
    if demand.diversity == "distinct":
        return len(counts) >= demand.l
    if demand.diversity == "entropy":
        shares = [count / len(values) for count in counts]
        return -sum(s * math.log(s) for s in shares) >= math.log(demand.l) - 1e-9
    if demand.diversity == "recursive":
        return counts[0] < demand.c * sum(counts[int(demand.l) - 1 :])
    return True


def distance(demand: OracleDemand, members: Class) -> float:
    """The earth mover's distance of a class's distribution to that of all."""
    everyone = range(len(demand.codes))

    def share(of: Sequence[int], code: int) -> float:
        return sum(demand.codes[p] == code for p in of) / len(of)

    differences = [share(members, v) - share(everyone, v) for v in range(demand.distinct)]
    if not demand.ordered:
        return sum(map(abs, differences)) / 2
    if demand.distinct < 2:
        return 0.0
    return sum(abs(sum(differences[: i + 1])) for i in range(demand.distinct)) / (
        demand.distinct - 1
    )


def _close(demand: OracleDemand, members: Class) -> bool:
    return demand.t is None or distance(demand, members) <= demand.t + 1e-9


def _most_frequent(column: OracleColumn, members: Class) -> dict[int, int]:
    """Each person's term that most people of the partition have; -1: none."""
    counts = Counter(v for p in members for v in column.values[p])
    return {
        p: min(column.values[p], key=lambda v: (-counts[v], v)) if column.values[p] else -1
        for p in members
    }


def span(column: OracleColumn, members: Class) -> float:
    """How far the values of a partition reach."""
    values = [v for p in members for v in column.values[p]]
    if column.kind == "number":
        return max(values) - min(values) if values else 0.0
    if column.kind == "category":
        return len(set(values))
    return len({v for v in _most_frequent(column, members).values() if v >= 0})


def _keys(column: OracleColumn, members: Class) -> dict[int, int]:
    if column.kind == "terms":
        return _most_frequent(column, members)
    return {p: min(column.values[p], default=-1) for p in members}


def mondrian(
    people: OraclePeople,
    k: int,
    weight: float,
    printed: bool = False,
    among: Class | None = None,
    largest: int = 0,
) -> list[Class]:
    """Algorithm 1: recursively, columns in the order of their weighted normalised spans.

    Among some people only, if so asked, and not on where a class is no larger than `largest`.
    """
    everyone = list(range(people.count)) if among is None else among

    def priority(column: OracleColumn, members: Class) -> float:
        whole = span(column, everyone)
        share = span(column, members) / whole if whole else 0.0
        return (share + (1 - weight if column.textual else weight)) / 2 + column.weight

    def halves(column: OracleColumn, members: Class) -> tuple[Class, Class] | None:
        keys = _keys(column, members)
        median = sorted(keys.values())[len(members) // 2]
        cuts: list[Callable[[int], bool]] = [lambda v: v < median]
        if not printed:
            cuts.append(lambda v: v <= median)
        for is_left in cuts:
            left = [p for p in members if is_left(keys[p])]
            right = [p for p in members if not is_left(keys[p])]
            if satisfied(people, left, k) and satisfied(people, right, k):
                return left, right
        return None

    def partition(members: Class) -> list[Class]:
        if len(members) < 2 * k or len(members) <= largest:
            return [members]
        tried = [c for c in people.columns if weight < 1 or not c.textual]
        tried = [c for c in tried if weight > 0 or c.textual]
        tried.sort(key=lambda column: -priority(column, members))
        for column in tried[: 1 if printed else None]:
            found = halves(column, members)
            if found:
                return partition(found[0]) + partition(found[1])
        return [members]

    return partition(everyone)


def gdf(people: OraclePeople, k: int) -> list[Class]:
    """Algorithm 2: terms in the order of frequency, removed for their branch only."""
    terms_of: list[set[tuple[int, int]]] = [
        {
            (number, v)
            for number, column in enumerate(people.columns)
            if column.kind == "terms"
            for v in column.values[p]
        }
        for p in range(people.count)
    ]

    def partition(members: Class, removed: frozenset[tuple[int, int]]) -> list[Class]:
        if len(members) < 2 * k:
            return [members]
        counts = Counter(term for p in members for term in terms_of[p] - removed)
        for term in sorted(counts, key=lambda term: (-counts[term], term)):
            left = [p for p in members if term in terms_of[p]]
            right = [p for p in members if term not in terms_of[p]]
            if satisfied(people, left, k) and satisfied(people, right, k):
                return partition(left, removed | {term}) + partition(right, removed | {term})
        return [members]

    return partition(list(range(people.count)), frozenset())


def loss(people: OraclePeople, members: Class, weight: float, least: int = 1) -> dict[int, float]:
    """The information loss of each member of a class, weighted by lambda.

    Terms that fewer than `least` people have are lost whatever the class.
    """
    relational = [column for column in people.columns if column.kind != "terms"]
    terms = [column for column in people.columns if column.kind == "terms"]
    lost = sum(_column_loss(column, members) for column in relational)
    mean = lost / len(relational) if relational else 0.0
    result = {}
    for p in members:
        own = sum(len(column.values[p]) for column in terms)
        shared = sum(
            sum(term in values for values in column.values) >= least
            for column in terms
            for term in frozenset.intersection(*(column.values[q] for q in members))
        )
        textual = 1 - shared / own if own else 0.0
        result[p] = weight * mean + (1 - weight) * textual
    return result


def _column_loss(column: OracleColumn, members: Class) -> float:
    everything = {v for values in column.values for v in values}
    held = {v for p in members for v in column.values[p]}
    if column.kind == "category":
        return len(held) / len(everything) if len(held) > 1 else 0.0
    if any(not column.values[p] for p in members):
        return 1.0 if held else 0.0
    if column.days:
        return len(_published_days(held) & everything) / len(everything) if len(held) > 1 else 0.0
    width = max(everything) - min(everything)
    return (max(held) - min(held)) / width if width else 0.0


def _published_days(held: set[int]) -> set[int]:
    """All days of the one month that these days are in, or else of all years between them."""
    if len({day // 2 for day in held}) == 1:
        return {day for day in range(16) if day // 2 == min(held) // 2}
    return {day for day in range(16) if min(held) // 4 <= day // 4 <= max(held) // 4}


def outliers(
    people: OraclePeople, classes: list[Class], k: int, weight: float, most: int
) -> list[Class]:
    """Removes, one by one, the person whose removal the rest of the class gains most by."""
    classes = [list(members) for members in classes]
    for _ in range(most):
        best, where = 0, None
        for number, members in enumerate(classes):
            before = loss(people, members, weight)
            for p in members:
                rest = [q for q in members if q != p]
                if not satisfied(people, rest, k):
                    continue
                gain = sum(before[q] for q in rest) - sum(loss(people, rest, weight).values())
                if round(gain * 1e9) > best:
                    best, where = round(gain * 1e9), (number, p)
        if where is None:
            break
        classes[where[0]].remove(where[1])
    return classes
