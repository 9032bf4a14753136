"""What two suppressed releases of the same texts show together, by the definition."""

from __future__ import annotations

from collections.abc import Sequence


def union(first: Sequence[str], second: Sequence[str], mask: str) -> list[str]:
    """Every symbol that either release shows; one mark a symbol."""
    return [
        "".join(a if a != mask else b for a, b in zip(x, y, strict=True))
        for x, y in zip(first, second, strict=True)
    ]


def least_crowd(shown: Sequence[str], people: Sequence[str], mask: str) -> int | None:
    """The fewest people in whose texts a legible stretch occurs; None if nothing is legible."""
    found = []
    for text in shown:
        for stretch in filter(None, text.split(mask)):
            having = {
                person
                for person, other in zip(people, shown, strict=True)
                if any(stretch in part for part in other.split(mask))
            }
            found.append(len(having))
    return min(found, default=None)
