"""Draws docs/before-after.svg: a record of the shipped clinic, and its release by the demo."""

from __future__ import annotations

import csv
import tempfile
from html import escape
from importlib.resources import files
from pathlib import Path

from sfumato.cli.demo import POLICY, SHOWN, TABLE, TEXT, rows_of
from sfumato.pipeline import policy
from sfumato.pipeline.run import run
from sfumato.reports.sample import Range, changed

TARGET = Path(__file__).parent.parent / "docs" / "before-after.svg"
COLUMNS = ("name", "birth_date", "sex", "postcode", "admission", "diagnosis")
LETTERS = 62
WIDTH, LINE, MARGIN, LETTER = 1160, 22, 20, 8.43


def picture() -> str:
    """The picture as SVG: before on the left, the release on the right."""
    examples = Path(str(files("sfumato.examples")))
    with tempfile.TemporaryDirectory() as folder:
        done = run(policy.read(examples / POLICY), output=Path(folder, "release"))
        place = rows_of(done.private).index(SHOWN)  # rows are shuffled
        after = row(done.folder / "data" / TABLE, place)
    before = row(examples / TABLE, SHOWN)
    fields = [(name, before[name], after.get(name, "left out")) for name in (*COLUMNS, TEXT)]
    left = panel("before", [(name, old, marks(old, new, 0)) for name, old, new in fields], MARGIN)
    right = panel(
        "as released: k = 5 people, every stretch of text shared by 8",
        [(name, new, marks(old, new, 1)) for name, old, new in fields],
        WIDTH // 2 + MARGIN,
    )
    height = 2 * MARGIN + (1 + max(left[1], right[1])) * LINE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">\n'
        f'<rect width="{WIDTH}" height="{height}" fill="#fdfcf8"/>\n'
        f'<line x1="{WIDTH // 2}" y1="{MARGIN}" x2="{WIDTH // 2}" y2="{height - MARGIN}" '
        f'stroke="#d8d2c4"/>\n{left[0]}{right[0]}</svg>\n'
    )


def row(path: Path, place: int) -> dict[str, str]:
    """One record of a table."""
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))[place]


def marks(before: str, after: str, side: int) -> list[Range]:
    """The changed places of one side."""
    return [places[side] for places in changed(before, after)]


def line_breaks(text: str) -> list[Range]:
    """The lines of the text as half-open spans, cut at blanks."""
    spans: list[Range] = []
    start = 0
    while start < len(text):
        stop = min(len(text), start + LETTERS)
        if stop < len(text):
            stop = text.rfind(" ", start, stop)
        spans.append((start, stop))
        start = stop + 1
    return spans


def panel(title: str, fields: list[tuple[str, str, list[Range]]], x: int) -> tuple[str, int]:
    """One side: a title and the fields, what was changed on a red ground; and its lines."""
    drawn = [f'<text x="{x}" y="{MARGIN + LINE - 6}" fill="#6d6656">{escape(title)}</text>\n']
    number = 1
    for name, text, places in fields:
        indent = 0 if name == TEXT else 12
        if indent:
            y = MARGIN + (number + 1) * LINE
            drawn.append(f'<text x="{x}" y="{y}" fill="#6d6656">{escape(name)}</text>\n')
        else:
            number += 1
        for start, stop in line_breaks(text):
            y = MARGIN + (number + 1) * LINE
            drawn += [
                ground(x, y, max(first, start) - start + indent, min(last, stop) - start + indent)
                for first, last in places
                if first < stop and last > start
            ]
            drawn.append(written(x + indent * LETTER, y, text[start:stop].replace("★", "*")))
            number += 1
    return "".join(drawn), number


def ground(x: float, y: int, first: int, last: int) -> str:
    """The red ground under some letters of a line."""
    width = (last - first) * LETTER
    at = f'x="{x + first * LETTER:.1f}" y="{y - 15}" width="{width:.1f}" height="19"'
    return f'<rect {at} fill="#f6d5cd"/>\n'


def written(x: float, y: int, line: str) -> str:
    """A line of letters of one width."""
    return (
        f'<text x="{x:.1f}" y="{y}" fill="#2b2822" xml:space="preserve" '
        f'textLength="{len(line) * LETTER:.1f}">{escape(line)}</text>\n'
    )


if __name__ == "__main__":
    TARGET.write_text(picture(), encoding="utf-8")
