"""k, l, t, NCP and linkage as their definitions have them: people one by one, no arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from math import exp, log


def class_members(signatures: Mapping[Hashable, Hashable]) -> list[set[Hashable]]:
    """The people whose signatures are equal, as sets."""
    classes: dict[Hashable, set[Hashable]] = {}
    for person, signature in signatures.items():
        classes.setdefault(signature, set()).add(person)
    return list(classes.values())


def distinct_diversity(values: Sequence[Hashable]) -> int:
    """How many distinct values a class has."""
    return len(set(values))


def entropy_diversity(values: Sequence[Hashable]) -> float:
    """exp of the entropy of a class: it has entropy l-diversity for all l up to this."""
    shares = [count / len(values) for count in Counter(values).values()]
    return exp(-sum(p * log(p) for p in shares))


def recursive_diversity(values: Sequence[Hashable], diversity: int) -> float:
    """r_1 / (r_l + .. + r_m): recursive (c, l)-diversity holds for every c above it."""
    counts = sorted(Counter(values).values(), reverse=True)
    tail = sum(counts[diversity - 1 :])
    return counts[0] / tail if tail else float("inf")


def equal_distance(values: Sequence[Hashable], everybody: Sequence[Hashable]) -> float:
    """Half the sum of the differences of the shares of all values."""
    p, q = Counter(values), Counter(everybody)
    return sum(abs(p[v] / len(values) - q[v] / len(everybody)) for v in q) / 2


def ordered_distance(values: Sequence[int], everybody: Sequence[int]) -> float:
    """The work of moving shares along the values in order, by steps of 1 / (m - 1)."""
    order = sorted(set(everybody))
    p, q = Counter(values), Counter(everybody)
    carried = total = 0.0
    for value in order[:-1]:
        carried += p[value] / len(values) - q[value] / len(everybody)
        total += abs(carried)
    return total / (len(order) - 1) if len(order) > 1 else 0.0


def number_loss(low: float, high: float, everybody: Sequence[float]) -> float:
    """The width of an interval in relation to that of all values."""
    width = max(everybody) - min(everybody)
    return (high - low) / width if width else 0.0


def set_loss(cell: set[Hashable], everybody: Sequence[Hashable]) -> float:
    """0 for one value, otherwise the share of all distinct values that the cell names."""
    return 0.0 if len(cell) == 1 else len(cell) / len(set(everybody))


def term_loss(kept: set[Hashable], own: set[Hashable]) -> float:
    """The share of a person's terms that is suppressed; nothing for somebody without terms."""
    return len(own - kept) / len(own) if own else 0.0


def linkage_success(
    knowledge: Mapping[Hashable, Sequence[Hashable]],
    shown: Mapping[Hashable, Sequence[set[Hashable]]],
) -> float:
    """The chance of picking the right record among all that fit what is known of a person."""
    total = 0.0
    for person, values in knowledge.items():
        fitting = [
            other
            for other, cells in shown.items()
            if all(value in cell for value, cell in zip(values, cells, strict=True))
        ]
        total += (person in fitting) / len(fitting) if fitting else 0.0
    return total / len(knowledge) if knowledge else 0.0
