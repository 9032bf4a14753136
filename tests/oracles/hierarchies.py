"""Hierarchies as the definition has them: sets of values under every label."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def values_below(paths: Iterable[Sequence[str]]) -> dict[str, set[str]]:
    """The values that each label of the paths (value first, root last) stands for."""
    below: dict[str, set[str]] = {}
    for path in paths:
        for label in path:
            below.setdefault(label, set()).add(path[0])
    return below


def lowest_common(paths: Sequence[Sequence[str]], values: set[str]) -> str:
    """The label with the fewest values below it among those that cover all the values."""
    below = values_below(paths)
    shared = [label for label, covered in below.items() if values <= covered]
    order = {label: place for path in paths for place, label in enumerate(path)}
    return min(shared, key=lambda label: (len(below[label]), order[label]))
