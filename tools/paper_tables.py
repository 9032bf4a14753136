"""Every table and figure of the five papers, and where ours is: a section of docs/results.md.

papers.csv has them: the paper, the table or figure, what it shows, the names of our tables, and
what must be said besides.
"""

from __future__ import annotations

import csv
from itertools import groupby
from pathlib import Path


def items() -> list[dict[str, str]]:
    """All tables and figures, paper by paper."""
    with Path(__file__).with_name("papers.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def papers_section(titles: dict[str, str]) -> str:
    """The list as Markdown; `titles` are those of the recorded tables."""
    lines = ['<a id="papers"></a>', "", "## The papers, table by table", ""]
    for paper, some in groupby(items(), lambda item: item["paper"]):
        lines += [f"**{paper}**", ""]
        lines += ["| in the paper | shows | ours | to be said |", "|---|---|---|---|"]
        for item in some:
            names = item["ours"].split()
            if missing := [name for name in names if name not in titles]:
                raise SystemExit(f"tools/papers.csv: {missing} are not recorded")
            links = ", ".join(f"[{name}](#{name})" for name in names)
            lines.append(f"| {item['item']} | {item['shows']} | {links} | {item['note']} |")
        lines.append("")
    return "\n".join(lines)
