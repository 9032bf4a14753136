"""What a release costs: named numbers, the expensive ones computed when first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping


class Loss(Mapping[str, float]):
    """Name -> number; a value given as a function is computed on first access and kept.

    >>> loss = Loss({"suppressed": 3, "guess_rate": lambda: 0.25})
    >>> loss["guess_rate"], dict(loss)
    (0.25, {'suppressed': 3, 'guess_rate': 0.25})
    """

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, float | Callable[[], float]]):
        self._values = dict(values)

    def __getitem__(self, name: str) -> float:
        value = self._values[name]
        if callable(value):
            value = self._values[name] = value()
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Loss({dict(self)})"
