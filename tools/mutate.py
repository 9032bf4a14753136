"""Mutation testing of verification: `python tools/mutate.py MODULE TEST... [--most 40] [--seed 0]`.

One place of a module at a time is changed (a comparison turned, a number moved by one, and for or,
a branch taken always or never), and the tests are run against it. A mutant that no test notices is
printed: it says the same in another way, or a test is missing. The module itself is not touched:
the mutant is loaded in its place.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

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
PLUGIN = """
import importlib.util, os, sys
name, path = os.environ["MUTANT"], os.environ["MUTANT_FILE"]
importlib.import_module(name.rpartition(".")[0])
spec = importlib.util.spec_from_file_location(name, path)
module = importlib.util.module_from_spec(spec)
sys.modules[name] = module
spec.loader.exec_module(module)
parent, _, child = name.rpartition(".")
setattr(sys.modules[parent], child, module)
"""


def places(tree: ast.Module) -> list[tuple[int, int]]:
    """What can be changed: the number of a node in the tree, and which of its ways."""
    found = []
    for number, node in enumerate(ast.walk(tree)):
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


def survives(name: str, text: str, tests: list[str]) -> bool:
    """Whether the tests pass with the mutant in the module's place."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "mutant.py").write_text(text, "utf-8")
        Path(folder, "put_mutant.py").write_text(PLUGIN, "utf-8")
        told = {"MUTANT": name, "MUTANT_FILE": str(Path(folder, "mutant.py")), "CI": "true"}
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "put_mutant", *tests]
        try:
            done = subprocess.run(
                command,
                cwd=ROOT,
                capture_output=True,
                timeout=120,
                env={**os.environ, **told, "PYTHONPATH": folder},
            )
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0


def main() -> None:
    """Tries some mutants, and prints those that survive."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("module")
    parser.add_argument("tests", nargs="+")
    parser.add_argument("--most", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    path = ROOT / "src" / (given.module.replace(".", "/") + ".py")
    source = path.read_text("utf-8")
    every = places(ast.parse(source))
    chosen = random.Random(given.seed).sample(every, min(given.most, len(every)))
    alive = 0
    for number, way in sorted(chosen):
        text, line = mutated(source, number, way)
        if survives(given.module, text, given.tests):
            alive += 1
            node = list(ast.walk(ast.parse(source)))[number]
            print(f"survives: line {line}, {type(node).__name__} {way}", flush=True)
    killed = len(chosen) - alive
    print(f"{given.module}: {killed} of {len(chosen)} killed, of {len(every)} places")


if __name__ == "__main__":
    main()
