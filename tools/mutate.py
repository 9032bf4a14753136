"""Mutation testing of verification: `python tools/mutate.py [MODULE ...] [--most 6] [--seed 0]`.

One place of a module at a time is changed (a comparison turned, a number moved by one, and for or,
a branch taken always or never), and its tests (`mutants.py`) are run against it. A mutant that no
test notices is printed: it says the same in another way (`EXPLAINED` in `mutants.py` says why), or
a test is missing. Without names every module of verification is tried. `--examples` says how many
random cases a property gets, `--files` how many files of tests (quick ones come first). `--record`
keeps the counts in docs/results/mutants.csv, where rows of modules that were not asked for stay.
"""

from __future__ import annotations

import argparse
import ast
import csv
import importlib
import json
import os
import platform
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mutant_runs import Mutant, survivors
from mutants import EXPLAINED, TESTS

ROOT = Path(__file__).parent.parent
RECORDED = ROOT / "docs" / "results" / "mutants.csv"
TITLES = ["module", "places", "test files", "tried", "killed", "says the same", "survives"]
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
# What many tests import, loaded once before the processes part.
HEAVY = ("numpy", "hypothesis", "pydantic", "yaml", "typer", "rich", "re2", "ahocorasick_rs")


def places(tree: ast.Module) -> list[tuple[int, int]]:
    """What can be changed: the number of a node in the tree, and which of its ways."""
    found: list[tuple[int, int]] = []
    outside = {
        id(inner)
        for node in ast.walk(tree)
        for part in [*getattr(node, "decorator_list", []), *_asserted(node)]
        for inner in ast.walk(part)
    }
    for number, node in enumerate(ast.walk(tree)):
        if id(node) in outside:  # how a class is made, or what is asserted, not what is done
            continue
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Compare):
            found += [(number, i) for i, one in enumerate(node.ops) if type(one) in TURNED]
        elif (isinstance(node, ast.BoolOp | ast.BinOp) and type(node.op) in TURNED) or (
            isinstance(node, ast.Constant) and type(node.value) in (int, bool)
        ):  # of -1 the 1, which becomes 0
            found.append((number, 0))
        elif isinstance(node, ast.If | ast.IfExp | ast.While):
            found += [(number, 0), (number, 1)]
    return found


def _asserted(node: ast.AST) -> list[ast.expr]:
    """That what is zipped is equally long."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "zip":
        return [one.value for one in node.keywords]
    return []


def mutated(module: str, source: str, number: int, way: int) -> Mutant:
    """The source with one place changed."""
    tree = ast.parse(source)
    node = list(ast.walk(tree))[number]
    before = ast.unparse(node)
    if isinstance(node, ast.Compare):
        node.ops[way] = TURNED[type(node.ops[way])]()
    elif isinstance(node, ast.BoolOp | ast.BinOp):
        node.op = TURNED[type(node.op)]()
    elif isinstance(node, ast.Constant):
        old: Any = node.value
        step = -1 if id(node) in {id(one.operand) for one in _negative(tree)} else 1
        node.value = not old if isinstance(old, bool) else old + step
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        before = ast.unparse(node.test)
        node.test = ast.Constant(way == 1 and not isinstance(node, ast.While))
        return Mutant(module, tree, node, before, ast.unparse(node.test))
    return Mutant(module, tree, node, before, ast.unparse(node))


def _negative(tree: ast.Module) -> list[ast.UnaryOp]:
    every = (one for one in ast.walk(tree) if isinstance(one, ast.UnaryOp))
    return [one for one in every if isinstance(one.op, ast.USub)]


def chosen(module: str, most: int, seed: int) -> tuple[list[Mutant], int]:
    """Some mutants of a module, and how many there are."""
    name = f"sfumato.verification.{module}"
    source = _path(name).read_text("utf-8")
    every = places(ast.parse(source))
    some = random.Random(f"{seed} {name}").sample(every, min(most, len(every)))
    return [mutated(name, source, *one) for one in sorted(some)], len(every)


def _path(name: str) -> Path:
    return ROOT / "src" / f"{name.replace('.', '/')}.py"


def tried(
    modules: list[str], tests: Sequence[str], most: int, seed: int
) -> list[dict[str, object]]:
    """Tries mutants of modules that have the same tests, and prints those that survive."""
    made = {module: chosen(module, most, seed) for module in modules}
    every = [one for mutants, _ in made.values() for one in mutants]
    files = [str(_path(name).relative_to(ROOT)) for name in sorted({one.module for one in every})]
    left = survivors(every, [*files, *tests])
    rows = []
    for module, (mutants, number) in made.items():
        own = [(one, reached) for one, reached in left if one in mutants]
        lines = _path(f"sfumato.verification.{module}").read_text("utf-8").splitlines()
        keys = {one: (module, lines[one.line - 1].strip(), one.before) for one, _ in own}
        same = [one for one, key in keys.items() if key in EXPLAINED]
        for one, reached in own:
            said = "says the same" if one in same else "survives" if reached else "not reached"
            print(f"  {said}: {module}, line {one.line}: {one.before} -> {one.after}", flush=True)
        killed = len(mutants) - len(own)
        found = [len(mutants), killed, len(same), len(own) - len(same)]
        counts = [number, len(tests), *found]
        rows.append(dict(zip(TITLES, [module, *counts], strict=True)))
        print(json.dumps(rows[-1]), flush=True)
    return rows


def record(rows: list[dict[str, object]], command: str) -> None:
    """Writes the counts, beside those of modules that were recorded before."""
    kept: dict[str, dict[str, object]] = {}
    if RECORDED.exists():
        lines = [one for one in RECORDED.read_text("utf-8").splitlines() if one[:2] != "# "]
        kept = {row["module"]: dict(row) for row in csv.DictReader(lines)}
    kept |= {str(row["module"]): row for row in rows}
    about = {
        "part": "Mutants",
        "title": "Mutants of the modules of verification that the tests notice",
        "command": command,
        "note": "Places: what could be changed. Test files: how many were asked (--files), "
        "quick ones first. Says the same: looked at, no test can notice it.",
        "made": f"Python {platform.python_version()}",
    }
    with RECORDED.open("w", newline="", encoding="utf-8") as file:
        file.writelines(f"# {key}: {value}\n" for key, value in about.items())
        writer = csv.DictWriter(file, TITLES, lineterminator="\n")
        writer.writeheader()
        writer.writerows(kept[one] for one in sorted(kept))


def main() -> None:
    """Tries some mutants of every module, and prints those that survive."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", help="names inside sfumato.verification")
    parser.add_argument("--most", type=int, default=6, help="mutants of a module")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--examples", type=int, default=100, help="random cases of a property")
    parser.add_argument("--files", type=int, help="only the first so many files of tests")
    parser.add_argument("--record", action="store_true", help="keep the counts")
    given = parser.parse_args()
    os.chdir(ROOT)
    os.environ["CI"] = "true"  # the same examples each time
    os.environ["SFUMATO_EXAMPLES"] = str(given.examples)
    os.environ["SFUMATO_SHRINK"] = "no"
    for one in HEAVY:
        importlib.import_module(one)
    said = f"--most {given.most} --seed {given.seed} --examples {given.examples} --record"
    groups: dict[tuple[str, ...], list[str]] = {}
    for module in given.modules or TESTS:
        groups.setdefault(TESTS[module][: given.files], []).append(module)
    rows = []
    for tests, modules in groups.items():
        rows += tried(modules, tests, given.most, given.seed)
        if given.record:
            record(rows, f"python tools/mutate.py MODULE --files N {said}")
    if any(row["survives"] for row in rows):
        sys.exit(1)


if __name__ == "__main__":
    main()
