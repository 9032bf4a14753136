"""JSON values with something else at one of their places."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

STRANGE = [None, True, 7, -0.5, "x", [], {}, [None], {"x": 1}, [[]], "é" * 3]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a JSON value."""
    yield path
    for key, inside in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(inside, (dict, list)):
            yield from places(inside, (*path, key))
        else:
            yield (*path, key)


def changed(stated: Any, path: tuple[Any, ...], new: tuple[Any] | None) -> Any:
    """The value with `new[0]` at a place; None: with nothing there."""
    result = copy.deepcopy(stated)
    inside = result
    for key in path[:-1]:
        inside = inside[key]
    if new is None:
        del inside[path[-1]]
    else:
        inside[path[-1]] = new[0]
    return result
