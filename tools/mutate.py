"""Mutation testing of verification: `python tools/mutate.py [MODULE ...] [--most 6] [--seed 0]`.

One place of a module at a time is changed (a comparison turned, a number moved by one, and for or,
a branch taken always or never), and its tests (`mutants.py`) are run against it. A mutant that no
test notices is printed: it says the same in another way (`EXPLAINED` in `mutants.py` says why), or
a test is missing. Without names every module of verification is tried. `--examples` says how many
random cases a property gets; `--record` keeps the counts in docs/results/mutants.csv, where rows of
modules that were not asked for stay.
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
from pathlib import Path
from typing import Any

from mutant_runs import Mutant, survivors
from mutants import EXPLAINED, TESTS

ROOT = Path(__file__).parent.parent
RECORDED = ROOT / "docs" / "results" / "mutants.csv"
TITLES = ["module", "places", "tried", "killed", "says the same", "survives"]
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


def mutated(source: str, number: int, way: int) -> Mutant:
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
        node.value = not old if isinstance(old, bool) else old + 1
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        before = ast.unparse(node.test)
        node.test = ast.Constant(way == 1 and not isinstance(node, ast.While))
        return Mutant(tree, node, before, ast.unparse(node.test))
    return Mutant(tree, node, before, ast.unparse(node))


def tried(module: str, most: int, seed: int) -> dict[str, object]:
    """Tries mutants of one module, in a process of its own, and prints those that survive."""
    name = f"sfumato.verification.{module}"
    source = (ROOT / "src" / f"{name.replace('.', '/')}.py").read_text("utf-8")
    every = places(ast.parse(source))
    chosen = random.Random(f"{seed} {name}").sample(every, min(most, len(every)))
    mutants = [mutated(source, *one) for one in sorted(chosen)]
    tests = [f"src/{name.replace('.', '/')}.py", *TESTS[module]]
    left = survivors(name, source, mutants, tests)
    known = [one for one in left if (module, one.before, one.after) in EXPLAINED]
    for one in left:
        said = "says the same" if one in known else "survives"
        print(f"  {said}: {module}, line {one.line}: {one.before} -> {one.after}", flush=True)
    counts = [len(every), len(chosen), len(chosen) - len(left), len(known), len(left) - len(known)]
    return dict(zip(TITLES, [module, *counts], strict=True))


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
        "note": "Places: what could be changed. Says the same: looked at, no test can notice it.",
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
    parser.add_argument("--record", action="store_true", help="keep the counts")
    given = parser.parse_args()
    os.chdir(ROOT)
    os.environ["CI"] = "true"  # the same examples each time
    os.environ["SFUMATO_EXAMPLES"] = str(given.examples)
    os.environ["SFUMATO_SHRINK"] = "no"
    for one in HEAVY:
        importlib.import_module(one)
    said = f"--most {given.most} --seed {given.seed} --examples {given.examples} --record"
    rows = []
    for module in given.modules or TESTS:
        rows.append(tried(module, given.most, given.seed))
        print(json.dumps(rows[-1]), flush=True)
        if given.record:
            record(rows, f"python tools/mutate.py {said}")
    if any(row["survives"] for row in rows):
        sys.exit(1)


if __name__ == "__main__":
    main()
