"""Measured tables of the pages are those that were recorded, and each names its command."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from docs.blocks import PAGES, name_of

ROOT = Path(__file__).parents[2]
TABLES = sorted((ROOT / "docs" / "results").glob("*.csv"))


@pytest.fixture
def made(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "tools")
    import make_results

    return make_results


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


def test_links_within_the_page_lead_somewhere(made):
    text = made.page()
    ids = set(re.findall(r'<a id="([^"]+)">', text))
    linked = set(re.findall(r'href="#([^"]+)"', text)) | set(re.findall(r"\]\(#([^)]+)\)", text))
    assert linked <= ids
    assert {path.stem for path in TABLES} <= linked, "a table without a question"


def test_what_names_a_table_of_a_paper_is_in_the_list_of_papers(made):
    import paper_tables

    listed = {name for item in paper_tables.items() for name in item["ours"].split()}
    assert listed <= {path.stem for path in TABLES}
    named = re.compile(r"\b(?:the paper's|Figure|Table) (?:Figures?|Tables?|\d)")
    assert {path.stem for path in TABLES if named.search(made.read(path)[0]["title"])} <= listed


@pytest.mark.parametrize(
    ("kept", "shown"),
    [
        ("0.9348", "0.935"),
        ("948.6", "949"),
        ("1227.5", "1,228"),
        ("2516", "2,516"),
        ("1.036", "1.036"),
        ("0.99961", "0.99961"),
        ("0.0005497", "0.0005497"),
        ("-5.0", "-5.0"),
        ("nan", ""),
        ("k = 5", "k = 5"),
        ("|X|", "\\|X\\|"),
    ],
)
def test_numbers_have_three_digits_that_count(kept, shown, made):
    assert made.cell(kept) == shown


def test_long_tables_are_folded_and_wide_columns_left_to_the_file(tmp_path, made):
    rows = "".join(f"{i},{i}.25,{'x' * 100}\n" for i in range(20))
    (tmp_path / "long.csv").write_text(f"# title: T\n# command: make x\nn,`v`,by\n{rows}")
    text = made.section(tmp_path / "long.csv")
    assert text.count("| ") < 60
    assert "<summary>12 more rows</summary>" in text
    assert "<td>19.2</td>" in text
    assert "The file has `by` besides." in text
    assert "xxx" not in text


@pytest.fixture(scope="module")
def bench():
    spec = importlib.util.spec_from_file_location("bench_all", ROOT / "benchmarks" / "all.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_make_bench_makes_every_table(bench, made):
    run = set(bench.commands())
    for path in TABLES:
        command = made.read(path)[0]["command"].removeprefix("python ")
        # Mutants change the package's own code, so they are asked for by themselves.
        assert command in run or command.startswith("tools/mutate.py "), path.name


def test_commands_are_read_over_broken_lines_and_out_of_blocks(bench):
    text = (
        "So `python benchmarks/a.py --x 1\n  2`, `make x`.\n```sh\npython benchmarks/b.py # b\n```"
    )
    assert bench.commands_of(text) == ["benchmarks/a.py --x 1 2", "benchmarks/b.py"]


def test_small_sizes_are_of_benchmarks_that_exist(bench):
    for begins, small in bench.QUICK.items():
        assert (ROOT / begins.split()[0]).is_file()
        assert any(one.startswith(begins) for one in bench.commands()), begins
        assert bench.quick(begins) == small.format(begins)


@pytest.mark.parametrize(
    ("code", "how"),
    [("pass", "ok"), ("1/0", "failed"), ("import sys; sys.exit(5)", "absent")],
)
def test_how_a_benchmark_ended_is_told(code, how, bench, tmp_path):
    done = bench.run(f"-c '{code}'", 60, tmp_path, None)
    assert done.how == how
    assert ("ZeroDivisionError" in done.said) == (how == "failed")


def test_a_benchmark_that_takes_too_long_is_stopped(bench, tmp_path):
    done = bench.run("-c 'import time; time.sleep(60)'", 0.2, tmp_path, None)
    assert done.how == "stopped"
    told = bench.summary([done, bench.Done("b", "ok", 2), bench.Done("c", "failed", 1, "why")])
    assert [line.split()[0] for line in told.splitlines()] == ["failed", "stopped", "ok", "1"]
    assert told.splitlines()[-1] == "1 ok, 1 stopped, 1 failed"
