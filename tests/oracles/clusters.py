"""Greedy k-member clusters, from the definition: every loss is counted anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from .records import Class, OraclePeople, loss, mondrian, satisfied

BLOCKS = 6  # whose people may be clustered once more


def clusters(people: OraclePeople, k: int, weight: float, block: int) -> list[Class]:
    """People alike; the others block by block; the worst classes anew; merged until all is met."""
    classes, blocks = alike(people, k, weight, block)
    classes = block_by_block(people, classes, blocks, k, weight)
    if len(blocks) > 1:
        classes = formed_anew(people, classes, k, weight, BLOCKS * block)
    return merged(people, classes, k, weight)


def total(people: OraclePeople, classes: Sequence[Class], k: int, weight: float) -> float:
    """What all classes lose; terms of fewer than k people are lost from the start."""
    return sum(sum(loss(people, members, weight, k).values()) for members in classes)


def alike(
    people: OraclePeople, k: int, weight: float, block: int
) -> tuple[list[Class], list[Class]]:
    """The classes of k or more people without any difference, and Mondrian's blocks of the rest."""

    def profile(p: int) -> tuple[object, ...]:
        """What tells a person apart: of numbers only how far they reach."""
        return tuple(
            (min(column.values[p], default=None), max(column.values[p], default=None))
            if column.kind == "number"
            else column.values[p]
            for column in people.columns
        )

    groups: dict[tuple[object, ...], Class] = {}
    for p in range(people.count):
        groups.setdefault(profile(p), []).append(p)
    rest = [p for p in range(people.count) if len(groups[profile(p)]) < k]
    without_demands = OraclePeople(people.count, people.columns)
    blocks = mondrian(without_demands, k, weight, among=rest, largest=block) if rest else []
    return [members for members in groups.values() if len(members) >= k], blocks


def block_by_block(
    people: OraclePeople, classes: list[Class], blocks: Sequence[Class], k: int, weight: float
) -> list[Class]:
    """The nearest person to the class before and k - 1 times the cheapest; the last join."""
    classes = [list(members) for members in classes]
    for block in blocks:
        left, first = sorted(block), len(classes)
        while len(left) >= k:
            last = classes[-1] if len(classes) > first else None
            grown = partial(growth, people, k, weight)
            seed = left[0] if last is None else first_least(left, partial(grown, last))
            left.remove(seed)
            members = [seed]
            while len(members) < k:
                best = first_least(left, partial(grown, members))
                left.remove(best)
                members.append(best)
            classes.append(members)
        made = classes[first:] or classes
        for p in left:
            nearest(people, made, p, k, weight).append(p)
    return classes


def formed_anew(
    people: OraclePeople, classes: Sequence[Class], k: int, weight: float, most: int
) -> list[Class]:
    """The classes that lose most a person, up to so many people, formed once more among them.

    They stay as they are where that gains nothing.
    """

    def per_person(number: int) -> int:
        lost = total(people, [classes[number]], k, weight) / len(classes[number])
        return round(lost * 1e9)  # rounding does not decide

    dissolved: list[int] = []
    for number in sorted(range(len(classes)), key=lambda number: -per_person(number)):
        size = sum(len(classes[other]) for other in [*dissolved, number])
        if per_person(number) == 0 or size > most:
            break
        dissolved.append(number)
    kept = [members for number, members in enumerate(classes) if number not in dissolved]
    old = [classes[number] for number in sorted(dissolved)]
    new = block_by_block(people, [], [[p for members in old for p in members]], k, weight)
    gain = total(people, old, k, weight) - total(people, new, k, weight)
    return kept + (new if gain > 1e-9 else old)


def merged(people: OraclePeople, classes: Sequence[Class], k: int, weight: float) -> list[Class]:
    """The first class that misses the demands goes where its first member costs least."""
    left = [list(members) for members in classes]
    while len(left) > 1:
        missing = next((one for one in left if not satisfied(people, one, k)), None)
        if missing is None:
            break
        left.remove(missing)
        nearest(people, left, missing[0], k, weight).extend(missing)
    return left


def growth(people: OraclePeople, k: int, weight: float, members: Class, p: int) -> float:
    """What a class loses more with one more person."""
    return total(people, [[*members, p]], k, weight) - total(people, [members], k, weight)


def nearest(people: OraclePeople, classes: Sequence[Class], p: int, k: int, weight: float) -> Class:
    """The class that loses least by a person."""
    costs = [growth(people, k, weight, members, p) for members in classes]
    return classes[first_least(range(len(classes)), costs.__getitem__)]


def first_least(candidates: Sequence[int], cost: Callable[[int], float]) -> int:
    """The first of those who cost least; rounding does not decide."""
    best, least = candidates[0], cost(candidates[0])
    for one in candidates[1:]:
        if (price := cost(one)) < least - 1e-9:
            best, least = one, price
    return best
