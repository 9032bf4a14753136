"""Writes docs/results.md from the tables that the benchmarks recorded in docs/results.

python tools/make_results.py
"""

from __future__ import annotations

import csv
import io
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
PARTS = [
    "suppress",
    "redact",
    "sanitize",
    "anonymize",
    "generalize",
    "Recognisers",
    "Attacks",
    "Policies",
    "Large files",
    "Peers",
]
HEAD = """# Results

Every table on this page was written by the command above it, and this page by `make docs`. Figures
of a paper stand beside ours where its data can be had. `make bench` runs all benchmarks,
`make bench-check` compares the ratios that matter with the recorded ones. Times are CPU seconds on
a machine of two cores that others used at the same time: compare within a table, not between two.
"""


def read(path: Path) -> tuple[dict[str, str], list[list[str]]]:
    """What is said about a table, and its rows; the first has the names of the columns."""
    lines = path.read_text("utf-8").splitlines(keepends=True)
    said = [line for line in lines if line.startswith("# ")]
    about = dict(line[2:].rstrip("\n").split(": ", 1) for line in said)
    return about, list(csv.reader(io.StringIO("".join(lines[len(said) :]))))


def section(path: Path) -> str:
    """One table with its command, its note and its pictures."""
    about, (names, *rows) = read(path)
    table = [names, ["---"] * len(names), *rows]
    lines = [
        f"### {about['title']}",
        "",
        f"`{about['command']}` ([{path.name}](results/{path.name}))",
        "",
    ]
    if about.get("listed") != "no":
        lines += [*("| " + " | ".join(cells) + " |" for cells in table), ""]
    if "note" in about:
        lines += [about["note"], ""]
    for one in _pictures(path):
        lines += [f"![{about['title']}](results/{one.name})", f"made by `{about['command']}`", ""]
    return "\n".join(lines)


def _pictures(path: Path) -> list[Path]:
    """Those named after this table, and after no longer name of another one."""
    stems = [other.stem for other in path.parent.glob("*.csv") if len(other.stem) > len(path.stem)]
    found = sorted(path.parent.glob(f"{path.stem}*.svg"))
    return [one for one in found if not any(one.stem.startswith(stem) for stem in stems)]


def page(folder: Path = DOCS / "results") -> str:
    """The whole page: tables by part, parts in the order of the papers, others behind."""
    found: dict[str, list[str]] = {part: [] for part in PARTS}
    for path in sorted(folder.glob("*.csv")):
        found.setdefault(read(path)[0]["part"], []).append(section(path))
    parts = [f"## {part}\n\n" + "\n".join(some) for part, some in found.items() if some]
    return "\n".join([HEAD, *parts])


def main() -> None:
    """Writes the page."""
    (DOCS / "results.md").write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
