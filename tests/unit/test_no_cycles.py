"""No module imports, over whatever others, itself: neither at its top nor within a function."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"


def modules(source: Path, package: str) -> dict[str, Path]:
    """The files of a package by the names of their modules, a package's own among them."""
    found = {}
    for path in (source / package).rglob("*.py"):
        parts = path.relative_to(source).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(tree: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """Every import of a module, at any depth, but for those that only type checkers read."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            for other in node.orelse:
                yield from imports(other)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        else:
            yield from imports(node)


def imported(name: str, path: Path, known: dict[str, Path]) -> set[str]:
    """The modules of the package that one of them imports."""
    found = set()
    for node in imports(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
            continue
        here = name.split(".")[: None if path.name == "__init__.py" else -1]
        above = here[: len(here) - node.level + 1] if node.level else []
        base = ".".join([*above, *([node.module] if node.module else [])])
        for alias in node.names:
            inside = f"{base}.{alias.name}"
            found.add(inside if inside in known else base)
    return (found & known.keys()) - {name}


def cycles(graph: dict[str, set[str]]) -> list[set[str]]:
    """The groups of modules each of which reaches every other of its group."""
    reached = {}
    for name in graph:
        seen, waiting = set[str](), list(graph[name])
        while waiting:
            one = waiting.pop()
            if one not in seen:
                seen.add(one)
                waiting += graph[one]
        reached[name] = seen
    groups = {
        frozenset(other for other in reached[name] if name in reached[other])
        for name in graph
        if name in reached[name]
    }
    return [set(group) for group in groups]


def found_in(source: Path, package: str) -> list[set[str]]:
    known = modules(source, package)
    graph = {name: imported(name, path, known) for name, path in known.items()}
    assert sum(map(len, graph.values())) > 1  # it does see imports
    return [{name.removeprefix(f"{package}.") for name in group} for group in cycles(graph)]


def test_no_module_imports_itself_over_others():
    assert [sorted(one) for one in found_in(SOURCE, "sfumato")] == []


@pytest.mark.parametrize(
    ("line", "is_cycle"),
    [
        ("from . import b", True),
        ("from .b import thing", True),
        ("import small.b", True),
        ("def f():\n    from .inner.c import thing", True),
        ("class A:\n    def f(self):\n        if True:\n            from small import b", True),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from . import b", False),
        ("import json", False),
    ],
)
def test_planted_cycles_are_found(tmp_path, line, is_cycle):
    inner = tmp_path / "small" / "inner"
    inner.mkdir(parents=True)
    for folder in (inner.parent, inner):
        (folder / "__init__.py").write_text("")
    (inner.parent / "a.py").write_text(line)
    (inner.parent / "b.py").write_text("from .inner import c\n")
    (inner / "c.py").write_text("def thing():\n    from .. import a\n")
    assert bool(found_in(tmp_path, "small")) == is_cycle
