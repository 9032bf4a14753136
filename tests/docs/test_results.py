"""Measured tables of the pages are those that were recorded, and each names its command."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from docs.blocks import PAGES, name_of

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


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_tables_of_a_page_are_what_was_recorded(page, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "tools")
    import make_tables

    text = page.read_text("utf-8")
    assert text.count("<!-- table: ") == len(make_tables.ASKED.findall(text)), "no end of table"
    assert make_tables.filled(text) == text, "run make docs"


def test_a_table_is_chosen_by_columns_and_rows(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "tools")
    import make_tables

    (tmp_path / "one.csv").write_text("# title: x\nk,who,share\n2,a,0.1\n2,b,0.2\n5,a,0.3\n")
    choice = "columns: who | share = found\nrows: k = 2\n"
    asked = f"<!-- table: one\n{choice}-->\nold\n<!-- end of table -->\n"
    made = make_tables.filled(asked, tmp_path)
    assert "| who | found |\n|---|---|\n| a | 0.1 |\n| b | 0.2 |\n" in made
    assert "old" not in made
    assert make_tables.filled(made, tmp_path) == made
