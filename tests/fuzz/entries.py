"""Every entry of the compiled extensions, as their stubs declare it, called with wrong arguments.

Run as a program (`python entries.py _core SEED CASES`) it tells each call before it makes it, so
that whoever started it knows which one ended the process.
"""

from __future__ import annotations

import ast
import random
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ALLOWED = (ValueError, TypeError, IndexError, MemoryError, OverflowError, RuntimeError)
HOME = Path(__file__).resolve().parents[2] / "src" / "sfumato" / "kernels"


@dataclass(frozen=True)
class Argument:
    """One argument: what kind of value it takes, and of an array the type and the dimensions."""

    name: str
    kind: str
    dtype: str = ""
    dimensions: int = 1
    written: bool = False
    """Whether the array is where a result goes."""


@dataclass(frozen=True)
class Entry:
    """One overload of a function, or of a class's beginning."""

    name: str
    arguments: tuple[Argument, ...]
    methods: tuple[Entry, ...] = ()


def entries(extension: str) -> Iterator[Entry]:
    """All that an extension's stub declares; a class has its methods."""
    tree = ast.parse((HOME / f"{extension}.pyi").read_text())
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield Entry(node.name, tuple(map(_argument, node.args.args)))
        elif isinstance(node, ast.ClassDef):
            every = [one for one in node.body if isinstance(one, ast.FunctionDef)]
            methods = tuple(
                Entry(one.name, tuple(map(_argument, one.args.args[1:])))
                for one in every
                if not one.name.startswith("_") and not _is_property(one)
            )
            for one in every:
                if one.name == "__init__":
                    yield Entry(node.name, tuple(map(_argument, one.args.args[1:])), methods)


def _is_property(node: ast.FunctionDef) -> bool:
    return any(isinstance(one, ast.Name) and one.id == "property" for one in node.decorator_list)


def _argument(node: ast.arg) -> Argument:
    told = ast.unparse(node.annotation) if node.annotation else "object"
    array = re.search(r"NDArray\[numpy\.(\w+)\].*?shape=\(([^)]*)\)", told)
    if array:
        written = "writable=False" not in told
        return Argument(node.arg, "array", array[1], array[2].count("None"), written)
    return Argument(node.arg, told.split(" | ")[0])


def array(drawn: random.Random, one: Argument, most: int = 6) -> Any:
    """An array of the right type and of any length and values that a small input may have."""
    shape = tuple(drawn.randrange(most) for _ in range(one.dimensions))
    size = int(np.prod(shape))
    values = [drawn.choice([0, 0, 0, 1, 1, 2, 3, 255]) for _ in range(size)]
    if one.dtype.startswith("int") and drawn.random() < 0.1:
        values = [value - 2 for value in values]
    return np.array(values, dtype=one.dtype).reshape(shape)


def value(drawn: random.Random, one: Argument) -> Any:
    if one.kind == "array":
        return array(drawn, one)
    if one.name in ("progress", "make"):
        return None
    return {
        "int": lambda: drawn.choice([0, 1, 1, 2, 3, 7, -1, 1000]),
        "float": lambda: drawn.choice([0.0, 0.5, 1.0, 3.0, -1.0, float("inf"), float("nan")]),
        "bool": lambda: drawn.random() < 0.5,
        "str": lambda: drawn.choice(["", "a", "★", "\0", "distinct", "\ud800"]),
        "list": lambda: [
            drawn.choice(["", "a", "ab a", "é★", "\0"]) for _ in range(drawn.randrange(4))
        ],
        "object": lambda: None,
    }.get(one.kind, lambda: None)()


def wrong(one: Argument) -> Iterator[tuple[str, Any]]:
    """Arrays that must be refused: of another type, with gaps, of other dimensions, or none."""
    good = np.zeros((4,) * one.dimensions, one.dtype)
    yield "type", good.astype("float32" if one.dtype != "float32" else "int8")
    yield "wider", good.astype("complex128")
    yield (
        "gaps",
        np.zeros((8,) * one.dimensions, one.dtype)[(slice(None, None, 2),) * one.dimensions],
    )
    yield "backwards", good[(slice(None, None, -1),) * one.dimensions]
    yield "one place", np.broadcast_to(np.zeros((), one.dtype), (4,) * one.dimensions)
    yield "dimensions", np.zeros((2,) * (one.dimensions + 1), one.dtype)
    yield "list", [0, 0]
    yield "swapped", good.astype(good.dtype.newbyteorder()) if good.itemsize > 1 else [0]


def main(extension: str, seed: int, cases: int) -> None:
    module = __import__("importlib").import_module(f"sfumato.kernels.{extension}")
    drawn = random.Random(seed)
    refused, objects = 0, dict[str, list[Any]]()

    def drawn_for(one: Argument) -> Any:
        """A value, or one of the objects that an entry made before."""
        return drawn.choice(objects[one.kind]) if objects.get(one.kind) else value(drawn, one)

    every = sorted(entries(extension), key=lambda entry: not entry.name[:1].isupper())
    for entry in every:  # classes first
        for case in range(cases):
            given = [drawn_for(one) for one in entry.arguments]
            print(entry.name, case, [_shown(one) for one in given], flush=True)
            try:
                made = getattr(module, entry.name)(*given)
            except ALLOWED:
                refused += 1
                continue
            if entry.name[:1].isupper():
                objects.setdefault(entry.name, []).append(made)
            for method in entry.methods:
                given = [drawn_for(one) for one in method.arguments]
                print(entry.name, method.name, [_shown(one) for one in given], flush=True)
                try:
                    getattr(made, method.name)(*given)
                except ALLOWED:
                    refused += 1
    print("done", refused, flush=True)


def _shown(one: Any) -> Any:
    return f"{one.dtype}{one.tolist()}" if isinstance(one, np.ndarray) else one


if __name__ == "__main__":
    if len(sys.argv) > 4:
        from support import extensions  # noqa: F401 - those with sanitizers
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
