"""docs/results.md is what its tables say, and every table names a command that is there."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TABLES = sorted((ROOT / "docs" / "results").glob("*.csv"))


@pytest.fixture(scope="module")
def made():
    place = ROOT / "tools" / "make_results.py"
    spec = importlib.util.spec_from_file_location("make_results", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_made_from_its_tables(made):
    assert (ROOT / "docs" / "results.md").read_text("utf-8") == made.page(), "run make docs"


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_a_table_names_its_command(path, made):
    about, (names, *rows) = made.read(path)
    script = about["command"].split()[1]
    assert (ROOT / script).is_file()
    assert rows
    assert all(len(row) == len(names) for row in rows)
