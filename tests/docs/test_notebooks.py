"""The notebooks of examples/ run from the first cell to the last."""

from __future__ import annotations

import json

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
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
            assert cell["outputs"] == []  # a run's output may hold text of the user's own data
