"""What somebody learns who knows the columns, the release and the method, but not the key."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations

Classes = Sequence[int]
Shares = dict[str, Fraction]
Method = Callable[[tuple[str, ...], tuple[int, ...], tuple[int, ...]], Classes]


def beliefs(values: Sequence[str], method: Method, apart: int) -> Iterator[tuple[Shares, Shares]]:
    """For every release: each person's shares of values in her class, and how likely each is.

    Every way in which `values`, sorted as the method sorts them, belong to people is as likely,
    and so is everything that is drawn: the order, and who is among the `apart` people set aside.
    """
    count = len(values)
    seen: dict[object, list[tuple[str, ...]]] = defaultdict(list)
    members: dict[object, Classes] = {}
    for order in permutations(range(count)):
        world = tuple(values[order.index(person)] for person in range(count))
        for few in combinations(range(count), apart):
            rest = tuple(one for one in range(count) if one not in few)
            classes = tuple(method(world, order, few + rest))
            shown: dict[int, list[str]] = defaultdict(list)
            for person, number in enumerate(classes):
                shown[number].append(world[person])
            release = (classes, tuple(sorted((n, tuple(sorted(v))) for n, v in shown.items())))
            seen[release].append(world)
            members[release] = classes
    for one_release, worlds in seen.items():
        found, world = members[one_release], worlds[0]
        for person in range(count):
            own = [world[p] for p in range(count) if found[p] == found[person]]
            told = Counter(one[person] for one in worlds)
            yield (
                {value: Fraction(n, len(own)) for value, n in Counter(own).items()},
                {value: Fraction(n, len(worlds)) for value, n in told.items()},
            )


def fewest_values(people: Sequence[frozenset[int]]) -> int:
    """The least number of values of which everybody has one."""
    values = sorted(set().union(*people))
    for size in range(len(values) + 1):
        for some in combinations(values, size):
            if all(one & set(some) for one in people):
                return size
    raise AssertionError("somebody has no value")
