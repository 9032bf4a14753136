"""Names that tell: a function says what it checks or judges, a class and a module are nouns."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import sfumato

ROOT = Path(sfumato.__file__).parent
TREES = {path.relative_to(ROOT): ast.parse(path.read_text("utf-8")) for path in ROOT.rglob("*.py")}

# One word that ends like a participle, and those that end otherwise.
PARTICIPLE = re.compile(
    r"_?([A-Z]?[a-z]+[^e]ed|[Rr]ead|[Ss]hown|[Ww]ritten|[Tt]aken|[Kk]ept|[Kk]nown|[Ss]een|[Dd]one"
    r"|[Ss]ought|[Hh]idden|[Dd]rawn|[Ll]aid|[Gg]iven|[Oo]wn|[Nn]ew|[Ss]wept|[Ff]ound|[Mm]ade|[Ll]earnt"
    r"|[Cc]hosen|[Uu]ndone|[Gg]rown|[Tt]old|[Ll]eft)"
)
# A transformer of scikit-learn, named as version 0.1 has it.
PUBLIC = {"sklearn.py: Released"}


def _classes() -> list[str]:
    return [
        f"{path}: {node.name}"
        for path, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and PARTICIPLE.fullmatch(node.name)
    ]


@pytest.mark.parametrize("name", ["Written", "_Shown", "Tried", "Asked", "Own", "kept", "new"])
def test_a_bare_participle_is_known(name):
    assert PARTICIPLE.fullmatch(name)


@pytest.mark.parametrize("name", ["ShownTerm", "Seed", "Need", "Reader", "Release", "words"])
def test_a_noun_is_none(name):
    assert not PARTICIPLE.fullmatch(name)


def test_no_class_is_named_by_a_bare_participle():
    assert set(_classes()) == PUBLIC


def test_no_module_is_named_by_a_bare_participle():
    names = [path for path in TREES if PARTICIPLE.fullmatch(path.stem) and path.stem != "read"]
    assert names == []


def test_no_function_of_a_module_or_class_only_checks_or_judges():
    bare = [
        f"{path}: {node.name}"
        for path, tree in TREES.items()
        for parent in ast.walk(tree)
        if isinstance(parent, ast.Module | ast.ClassDef)
        for node in parent.body
        if isinstance(node, ast.FunctionDef) and node.name.strip("_") in {"check", "judge"}
    ]
    assert bare == []
