"""Workbooks with several sheets: one, all that have the column; copies in others are refused."""

from __future__ import annotations

import pytest

from sfumato import formats
from sfumato.cli.app import run

openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
SECRET = "Zyxomme"


@pytest.fixture
def book(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def make(second, third=("key", "value")):
        made = openpyxl.Workbook()
        made.active.title = "2020"
        made.active.append(["who", "note", "dose"])
        for i in range(5):
            made.active.append([f"p{i}", f"seen again and well {SECRET}{i}", i])
        other = made.create_sheet("2021")
        for row in second:
            other.append(row)
        made.create_sheet("key").append(third)
        made.save("book.xlsx")

    return make


VISITS = [["dose", "who", "note"], [3, "p1", f"seen again and well {SECRET}1"], [4, "p9", None]]


def cells(path):
    found = openpyxl.load_workbook(path)
    return {one.title: [list(row) for row in one.iter_rows(values_only=True)] for one in found}


def test_all_sheets_with_the_column(book):
    book(VISITS)
    source = formats.read("book.xlsx", format="xlsx:*", text_column="note", group_column="who")
    assert len(source.texts) == 7
    assert source.groups[5:] == ["p1", "p9"]
    options = ["--text-column", "note", "--group-column", "who", "--format", "xlsx:*", "-k", "2"]
    assert run(["suppress", "book.xlsx", *options, "-o", "out.xlsx", "-q"]) == 0
    made = cells("out.xlsx")
    assert SECRET not in str(made["2020"])
    assert made["2021"][0] == ["dose", "who", "note"]
    assert made["2021"][1][:2] == [3, "p1"]
    assert "seen again and well" in made["2021"][1][2]
    assert made["key"] == [["key", "value"]]


def test_a_copy_in_another_sheet_is_refused(book, capsys):
    book(VISITS)
    options = ["--text-column", "note", "-k", "3", "-o", "out.xlsx"]
    assert run(["suppress", "book.xlsx", *options]) == 2
    told = capsys.readouterr().err
    assert "sheet 2" in told
    assert SECRET not in told


def test_other_sheets_without_copies_stay(book):
    book([["ward"], ["north"]])
    options = ["--text-column", "note", "-k", "3", "-o", "out.xlsx", "-q"]
    assert run(["suppress", "book.xlsx", *options]) == 0
    assert cells("out.xlsx")["2021"] == [["ward"], ["north"]]
    assert SECRET not in str(cells("out.xlsx"))


def test_a_copy_in_a_sheet_without_the_column_is_refused(book, capsys):
    book(VISITS, ("list", f"of {SECRET}1"))
    options = ["--text-column", "note", "--format", "xlsx:*", "-k", "3", "-o", "out.xlsx"]
    assert run(["suppress", "book.xlsx", *options]) == 2
    assert "sheet 3" in capsys.readouterr().err
