"""Mutation testing of verification: `python tools/mutate.py [MODULE ...] [--most 6] [--seed 0]`.

One place of a module at a time is changed (a comparison turned, a number moved by one, and for or,
a branch taken always or never), and its tests (`mutants.py`) are run against it. A mutant that no
test notices is printed: it says the same in another way, or a test is missing. The module itself is
not touched: the mutant is loaded in its place, in a process of its own with a limit of CPU seconds
(a mutant that never ends is noticed). Without names every module of verification is tried.
`--examples` says how many random cases a property gets.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import importlib.util
import os
import random
import resource
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mutants import TESTS

ROOT = Path(__file__).parent.parent
TURNED: dict[type, type] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
}
LIMIT = 90  # CPU seconds
# What many tests import, loaded once before the processes part; nothing of the package itself,
# because its modules would keep what they imported from the one that is changed.
HEAVY = ("numpy", "hypothesis", "pydantic", "yaml", "typer", "rich", "re2", "ahocorasick_rs")


def places(tree: ast.Module) -> list[tuple[int, int]]:
    """What can be changed: the number of a node in the tree, and which of its ways."""
    found: list[tuple[int, int]] = []
    outside = {
        id(inner)
        for node in ast.walk(tree)
        for part in getattr(node, "decorator_list", [])
        for inner in ast.walk(part)
    }
    for number, node in enumerate(ast.walk(tree)):
        if id(node) in outside:  # how a class is made, not what it does
            continue
        if isinstance(node, ast.Compare):
            found += [(number, i) for i, one in enumerate(node.ops) if type(one) in TURNED]
        elif (isinstance(node, ast.BoolOp | ast.BinOp) and type(node.op) in TURNED) or (
            isinstance(node, ast.Constant) and type(node.value) in (int, bool)
        ):
            found.append((number, 0))
        elif isinstance(node, ast.If | ast.IfExp | ast.While):
            found += [(number, 0), (number, 1)]
    return found


def mutated(source: str, number: int, way: int) -> tuple[str, int]:
    """The source with one place changed, and its line."""
    tree = ast.parse(source)
    node = list(ast.walk(tree))[number]
    if isinstance(node, ast.Compare):
        node.ops[way] = TURNED[type(node.ops[way])]()
    elif isinstance(node, ast.BoolOp | ast.BinOp):
        node.op = TURNED[type(node.op)]()
    elif isinstance(node, ast.Constant):
        old: Any = node.value
        node.value = not old if isinstance(old, bool) else old + 1
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        node.test = ast.Constant(way == 1 and not isinstance(node, ast.While))
    return ast.unparse(ast.fix_missing_locations(tree)), getattr(node, "lineno", 0)


def survives(name: str, text: str, tests: Sequence[str]) -> bool:
    """Whether the tests pass with the mutant in the module's place."""
    child = os.fork()
    if not child:
        _try(name, text, tests)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == 0


def _try(name: str, text: str, tests: Sequence[str]) -> None:
    """Loads the mutant, runs the tests, and ends the process with their exit code."""
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    code = 1
    try:
        parent, _, child = name.rpartition(".")
        importlib.import_module(parent)
        spec = importlib.util.spec_from_loader(name, loader=None, origin=str(_path(name)))
        assert spec is not None
        module = importlib.util.module_from_spec(spec)
        module.__file__, module.__package__ = str(_path(name)), parent
        sys.modules[name] = module
        exec(compile(text, str(_path(name)), "exec"), module.__dict__)
        setattr(sys.modules[parent], child, module)
        import pytest

        quiet = ["-W", "ignore::pytest.PytestAssertRewriteWarning", "-p", "no:cacheprovider"]
        code = int(pytest.main(["-x", "-q", *quiet, *tests]))
    finally:
        os._exit(code)


def _path(name: str) -> Path:
    return ROOT / "src" / (name.replace(".", "/") + ".py")


def tried(name: str, most: int, seed: int) -> tuple[int, int, int]:
    """How many mutants were killed and made, and how many places there are."""
    source = _path(name).read_text("utf-8")
    every = places(ast.parse(source))
    chosen = random.Random(f"{seed} {name}").sample(every, min(most, len(every)))
    tests, killed = TESTS[name.rpartition(".")[2]], 0
    if not survives(name, source, tests):
        raise SystemExit(f"{name}: its tests fail as it is")
    for number, way in sorted(chosen):
        text, line = mutated(source, number, way)
        if survives(name, text, tests):
            node = list(ast.walk(ast.parse(source)))[number]
            print(f"  survives: {name}, line {line}, {type(node).__name__} {way}", flush=True)
        else:
            killed += 1
    return killed, len(chosen), len(every)


def main() -> None:
    """Tries some mutants of every module, and prints those that survive."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", help="names inside sfumato.verification")
    parser.add_argument("--most", type=int, default=6, help="mutants of a module")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--examples", type=int, default=100, help="random cases of a property")
    given = parser.parse_args()
    os.chdir(ROOT)
    os.environ["CI"] = "true"  # the same examples each time
    os.environ["SFUMATO_EXAMPLES"] = str(given.examples)
    for one in HEAVY:
        importlib.import_module(one)
    every = [0, 0, 0]
    for module in given.modules or TESTS:
        found = tried(f"sfumato.verification.{module}", given.most, given.seed)
        every = [one + two for one, two in zip(every, found, strict=True)]
        print(f"{module}: {found[0]} of {found[1]} killed, of {found[2]} places", flush=True)
    print(f"all: {every[0]} of {every[1]} killed, of {every[2]} places")


if __name__ == "__main__":
    main()
