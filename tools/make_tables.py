"""Writes the measured tables of the pages from docs/results: no figure is copied by hand.

python tools/make_tables.py

A page asks for a table by a comment; what stands before the end of the table is written here:

    <!-- table: stars_notes, stars_blogs
    columns: texts | setting | words starred = starred
    rows: setting = reach none | guess none
    -->
    <!-- end of table -->

`columns` chooses and orders columns, and may rename them; `rows` keeps those with one of the values
in a column (several such lines keep what all of them keep). Without either all are shown. Several
tables are joined, one below the other; a first cell like the one above it is left empty.
"""

from __future__ import annotations

import re
from pathlib import Path

from make_results import read

ROOT = Path(__file__).parents[1]
ASKED = re.compile(
    r"(<!-- table: (?P<names>[^\n]+?)(?P<lines>(?:\n\w+: [^\n]+)*)\s*-->\n)"
    r".*?(<!-- end of table -->)",
    re.DOTALL,
)


def pages() -> list[Path]:
    """All pages that may show a table."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def filled(text: str, folder: Path = ROOT / "docs" / "results") -> str:
    """The page with every table that it asks for."""
    return ASKED.sub(lambda found: found[1] + table(found, folder) + found[4], text)


def table(asked: re.Match[str], folder: Path) -> str:
    """The rows that are asked for, as Markdown."""
    rows: list[dict[str, str]] = []
    for name in asked["names"].split(","):
        _, (titles, *cells) = read(folder / f"{name.strip()}.csv")
        rows += [dict(zip(titles, one, strict=True)) for one in cells]
    columns = {title: title for title in rows[0]}
    for line in asked["lines"].strip().splitlines():
        word, _, wanted = line.partition(": ")
        if word == "columns":
            parts = [one.strip() for one in wanted.split(" | ")]
            named = [(one, "", "") if one in rows[0] else one.partition(" = ") for one in parts]
            columns = {title: said or title for title, _, said in named}
        elif word == "rows":
            title, _, values = wanted.partition(" = ")
            kept = [one.strip() for one in values.split(" | ")]
            missing = set(kept) - {row[title] for row in rows}
            if missing:
                raise SystemExit(f"no row of {asked['names']} has {sorted(missing)}")
            rows = [row for row in rows if row[title] in kept]
        else:
            raise SystemExit(f"columns or rows expected, found: {word}")
    return _markdown(list(columns.values()), [[row[one] for one in columns] for row in rows])


def _markdown(titles: list[str], rows: list[list[str]]) -> str:
    above = ""
    lines = ["", "| " + " | ".join(titles) + " |", "|" + "---|" * len(titles)]
    for first, *others in rows:
        lines.append("| " + " | ".join(["" if first == above else first, *others]) + " |")
        above = first
    return "\n".join([*lines, "", ""])


def main() -> None:
    """Writes the pages that change."""
    for page in pages():
        text = page.read_text(encoding="utf-8")
        if (made := filled(text)) != text:
            page.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
