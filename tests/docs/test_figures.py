"""No table of figures that no script wrote: it is generated, or a command stands beside it."""

from __future__ import annotations

import re

import pytest

from docs.blocks import PAGES, ROOT, name_of

GENERATED = re.compile(r"<!-- table: .*?<!-- end of table -->", re.DOTALL)
TABLE = re.compile(r"(?:^\|[^\n]*\|[ ]*\n)+", re.MULTILINE)
# A measured value: a share, a time, a size, a decimal fraction. Plain counts (k, versions) are not.
MEASURED = re.compile(
    r"\d(?:[.,]\d+)* ?(?:%|CPU s|s|ms|min|MB|GB|KB|times)(?![\w])|(?<![\d.])\d+\.\d+(?![\d.])"
)
COMMAND = re.compile(r"`[^`]*(?:python [\w/.-]+\.py|make [\w-]+|sfumato [a-z]+|pytest)[^`]*`")
FEWEST = 3  # cells with a measured value make a table of figures
# Tables that look like figures and are none: how many a page may have. These numbers only shrink.
KNOWN = {"docs/studio.md": 1}  # limits of the service, which nobody measured
WHOLE = {"docs/results.md", "docs/python.md", "docs/cli.md"}  # generated from first line to last


def figures_without_a_script(text: str) -> list[str]:
    """The first rows of all tables of figures that are not generated and name no command."""
    text = GENERATED.sub("", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    return [
        table[0].splitlines()[0]
        for table in TABLE.finditer(text)
        if _measured(table[0]) >= FEWEST and not _has_command(text, table)
    ]


def _measured(table: str) -> int:
    _, _, *rows = table.splitlines()
    cells = [cell for row in rows for cell in row.split("|") if "CC BY" not in cell]
    return sum(bool(MEASURED.search(cell)) for cell in cells)


def _has_command(text: str, table: re.Match[str]) -> bool:
    """In its cells, or in the paragraphs before and after it, up to its heading."""
    before = text[: table.start()].rsplit("\n## ", 1)[-1].strip().split("\n\n")[-2:]
    after = text[table.end() :].strip().split("\n\n")[0]
    return any(COMMAND.search(part) for part in (table[0], *before, after))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_table_of_figures_has_its_script(page):
    if name_of(page) in WHOLE:
        return
    found = figures_without_a_script(page.read_text(encoding="utf-8"))
    assert len(found) == KNOWN.get(name_of(page), 0), found


def test_known_pages_exist():
    assert all((ROOT / name).is_file() for name in {*KNOWN, *WHOLE})


ROWS = "| k | share |\n|---|---|\n| 2 | 10% |\n| 3 | 20% |\n| 5 | 4.5 s |\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"Measured:\n\n{ROWS}\nMore.\n", 1),
        (f"Measured by `python benchmarks/one.py`:\n\n{ROWS}\nMore.\n", 0),
        (f"Measured:\n\n{ROWS}\nBy `make demo`.\n", 0),
        (f"<!-- table: one\n-->\n\n{ROWS}\n<!-- end of table -->\n", 0),
        (f"By `make demo`.\n\n## Another\n\n{ROWS}\n", 1),
        ("| k | who |\n|---|---|\n| 3 | offices |\n| 5 | health |\n| 11 | public |\n", 0),
    ],
)
def test_what_counts_as_a_table_without_a_script(text, found):
    assert len(figures_without_a_script(text)) == found
