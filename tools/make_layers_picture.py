"""Writes docs/layers.svg from the import contract; `make docs` runs it, a test compares."""

from __future__ import annotations

from configparser import ConfigParser
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "docs" / "layers.svg"
CONTRACTS = ("layers", "pipeline")  # one stack for each, side by side
BOX, GAP, ROW, MARGIN, LETTER = 26, 6, 38, 16, 7.3
STYLE = (
    "text{font:13px ui-sans-serif,system-ui,sans-serif;fill:#1f2937}"
    ".head{font-weight:600}.note{fill:#6b7280;font-size:12px}"
    "rect{fill:#eef2f7;stroke:#94a3b8;rx:5px}"
)


def stacks() -> list[tuple[str, list[list[str]]]]:
    """The container and the lines of every contract, those that import most first."""
    read = ConfigParser()
    read.read(ROOT / ".importlinter", "utf-8")
    found = []
    for name in CONTRACTS:
        contract = read[f"importlinter:contract:{name}"]
        lines = [line.split("|") for line in contract["layers"].strip().splitlines()]
        folder = ROOT / "src" / contract["containers"].strip().replace(".", "/")
        rows = [[one.strip(" ()") for one in line] for line in lines]
        there = [[one for one in row if _exists(folder / one)] for row in rows]
        found.append((contract["containers"].strip(), [row for row in there if row]))
    return found


def _exists(path: Path) -> bool:
    """Whether a line of a contract that may be absent is there."""
    return path.is_dir() or path.with_suffix(".py").is_file()


def picture() -> str:
    """The stacks as one SVG: a box for every module, imports go downwards only."""
    parts, left, height = [], MARGIN, 0.0
    for container, rows in stacks():
        width = max(sum(map(_width, row)) + GAP * (len(row) - 1) for row in rows)
        parts.append(f'<text class="head" x="{left}" y="{MARGIN + 8}">{container}</text>')
        for number, row in enumerate(rows):
            parts += _row(row, left, MARGIN + 20 + number * ROW, width)
        height = max(height, MARGIN + 20 + len(rows) * ROW)
        left += round(width) + 3 * MARGIN
    note = "A box imports from boxes below it; boxes of one line never import each other."
    parts.append(f'<text class="note" x="{MARGIN}" y="{height + 10:.0f}">{note}</text>')
    size = f'width="{left}" height="{height + 22:.0f}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"><style>{STYLE}</style>'
    title = "<title>Which parts of sfumato import which</title>"
    return "\n".join([head, title, *parts, "</svg>", ""])


def _row(names: list[str], left: float, top: float, whole: float) -> list[str]:
    """The boxes of one line, as wide together as the widest line."""
    parts, spare = [], whole - sum(map(_width, names)) - GAP * (len(names) - 1)
    for name in names:
        width = _width(name) + spare / len(names)
        parts.append(f'<rect x="{left:.0f}" y="{top:.0f}" width="{width:.0f}" height="{BOX}"/>')
        middle = f'x="{left + width / 2:.0f}" y="{top + 17:.0f}" text-anchor="middle"'
        parts.append(f"<text {middle}>{escape(name)}</text>")
        left += width + GAP
    return parts


def _width(name: str) -> float:
    return len(name) * LETTER + 18


if __name__ == "__main__":
    TARGET.write_text(picture(), encoding="utf-8")
