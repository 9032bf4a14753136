"""The notebooks of examples/ run from the first cell to the last."""

from __future__ import annotations

import ast
import json
from importlib.util import find_spec

import pytest

from docs.blocks import ROOT

NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


def test_there_is_one_for_each_kind_of_user():
    assert {path.stem for path in NOTEBOOKS} >= {"hospital", "search-log", "sequences"}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_notebook_runs(path):
    book = json.loads(path.read_text(encoding="utf-8"))
    assert book["nbformat"] == 4
    names: dict[str, object] = {}
    shown = []
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            shown.append(value_of("".join(cell["source"]), names))
            assert cell["outputs"] == []  # a run's output may hold text of the user's own data
    pictures = [one for one in shown if hasattr(one, "_repr_svg_")]
    assert pictures
    if find_spec("vl_convert"):
        assert all(one._repr_svg_().startswith("<svg") for one in pictures)


def value_of(source, names):
    """Runs a cell and gives the value of its last line, which a notebook shows."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None
