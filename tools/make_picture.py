"""Draws docs/before-after.svg: a record of the shipped clinic, and its release by the demo.

    python tools/make_picture.py

before-after-narrow.svg is the same for a telephone, one side below the other.
"""

from __future__ import annotations

import csv
import tempfile
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path

from sfumato.cli.demo import POLICY, SHOWN, TABLE, TEXT, rows_of
from sfumato.pipeline import policy
from sfumato.pipeline.run import run
from sfumato.reports.sample import changed

DOCS = Path(__file__).parent.parent / "docs"
COLUMNS = ("name", "birth_date", "sex", "postcode", "admission", "diagnosis")
LABELS = {"birth_date": "birth date"}
TITLES = ("Before", "As released")
LEGEND = (
    ("recoded", "left out, recoded or replaced: 5 patients or more look alike"),
    ("starred", "starred: fewer than 8 patients share it"),
)
LINE, LETTER, INDENT, GAP, EDGE = 23, 8.43, 12, 36, 24
STYLE = """
.paper{fill:#fdfcf8}.rule{stroke:#ddd6c8}.text{fill:#2b2822}.label{fill:#7a7160}
.title{fill:#5b4636;font:600 16px system-ui,"Segoe UI",sans-serif}
.note{fill:#5f5747;font:13px system-ui,"Segoe UI",sans-serif}
.recoded{fill:#f5e3b3}.starred{fill:#f4c9bf}
@media (prefers-color-scheme:dark){.paper{fill:#211d19}.rule{stroke:#453c33}.text{fill:#ebe5d9}
.label,.note{fill:#b3a895}.title{fill:#e2cfb9}.recoded{fill:#5c4a17}.starred{fill:#713329}}
"""


@dataclass(frozen=True, slots=True)
class Mark:
    """A changed place of a text: where, and whether it was starred or recoded."""

    start: int
    stop: int
    kind: str


Field = tuple[str, str, list[Mark]]


def records() -> tuple[list[Field], list[Field]]:
    """The fields of one record before and after, with what changed."""
    examples = Path(str(files("sfumato.examples")))
    with tempfile.TemporaryDirectory() as folder:
        done = run(policy.read(examples / POLICY), output=Path(folder, "release"))
        place = rows_of(done.private).index(SHOWN)  # rows are shuffled
        after = row(done.folder / "data" / TABLE, place)
    before = row(examples / TABLE, SHOWN)
    left, right = [], []
    for name in (*COLUMNS, TEXT):
        old, new = before[name], after.get(name, "left out")
        whole = [((0, len(old)), (0, len(new)))] if name != TEXT and old != new else None
        places = whole or changed(old, new)
        kinds = ["starred" if "★" in new[slice(*to)] else "recoded" for _, to in places]
        from_old = [Mark(a, b, kind) for ((a, b), _), kind in zip(places, kinds, strict=True)]
        to_new = [Mark(a, b, kind) for (_, (a, b)), kind in zip(places, kinds, strict=True)]
        left.append((name, old, joined(old, from_old)))
        right.append((name, new, joined(new, to_new)))
    return left, right


def row(path: Path, place: int) -> dict[str, str]:
    """One record of a table."""
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))[place]


def joined(text: str, marks: list[Mark]) -> list[Mark]:
    """Marks of one kind with nothing but a blank between them are one; none ends in a full stop."""
    found: list[Mark] = []
    for mark in marks:
        last = found[-1] if found else None
        if last and last.kind == mark.kind and not text[last.stop : mark.start].strip(" "):
            mark = Mark(found.pop().start, mark.stop, mark.kind)
        found.append(mark)
    return [
        Mark(one.start, one.start + len(text[one.start : one.stop].rstrip(" .,")), one.kind)
        for one in found
    ]


def picture(left: list[Field], right: list[Field], letters: int, beside: bool) -> str:
    """The picture as SVG: before and after, side by side or one below the other."""
    side = round(letters * LETTER)
    width = EDGE * 2 + side * (2 if beside else 1) + (GAP if beside else 0)
    first, bottom = panel(TITLES[0], left, EDGE, EDGE, letters)
    if beside:
        second, end = panel(TITLES[1], right, EDGE + side + GAP, EDGE, letters)
        rule = upright(EDGE + side + GAP // 2, EDGE, max(bottom, end))
    else:
        second, end = panel(TITLES[1], right, EDGE, bottom + GAP, letters)
        rule = level(bottom + GAP // 2, width)
    legend, height = explained(max(bottom, end) + GAP, beside)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">\n'
        f"<style>{STYLE}</style>\n"
        f'<rect class="paper" width="{width}" height="{height}"/>\n'
        f"{rule}{first}{second}{legend}</svg>\n"
    )


def upright(x: int, top: int, bottom: int) -> str:
    """The line between two sides."""
    return f'<line class="rule" x1="{x}" y1="{top}" x2="{x}" y2="{bottom}"/>\n'


def level(y: int, width: int) -> str:
    """The line between two halves."""
    return f'<line class="rule" x1="{EDGE}" y1="{y}" x2="{width - EDGE}" y2="{y}"/>\n'


def explained(top: int, beside: bool) -> tuple[str, int]:
    """What the two grounds mean; and where the picture ends."""
    drawn = []
    x, y = EDGE, top
    for kind, words in LEGEND:
        drawn.append(f'<rect class="{kind}" x="{x}" y="{y - 12}" width="16" height="16" rx="3"/>\n')
        drawn.append(f'<text class="note" x="{x + 24}" y="{y + 1}">{escape(words)}</text>\n')
        x, y = (x + 470, y) if beside else (x, y + LINE)
    return "".join(drawn), (y if beside else y - LINE) + EDGE


def panel(title: str, fields: list[Field], x: int, top: int, letters: int) -> tuple[str, int]:
    """One side: a title and the fields, what was changed on a ground; and its lowest line."""
    y = top + 12
    drawn = [f'<text class="title" x="{x}" y="{y}">{escape(title)}</text>\n']
    y += LINE // 3
    for name, text, marks in fields:
        indent = 0 if name == TEXT else INDENT
        y += 0 if indent else LINE // 2
        for number, (start, stop) in enumerate(line_breaks(text, letters - indent)):
            y += LINE
            if indent and number == 0:
                label = escape(LABELS.get(name, name))
                drawn.append(f'<text class="label" x="{x}" y="{y}">{label}</text>\n')
            drawn += [
                ground(
                    x,
                    y,
                    max(one.start, start) - start + indent,
                    min(one.stop, stop) - start + indent,
                    one.kind,
                )
                for one in marks
                if one.start < stop and one.stop > start
            ]
            drawn.append(written(x + indent * LETTER, y, text[start:stop]))
    return "".join(drawn), y


def line_breaks(text: str, letters: int) -> list[tuple[int, int]]:
    """The lines of the text as half-open spans, cut at blanks."""
    spans = []
    start = 0
    while start < len(text):
        stop = min(len(text), start + letters)
        if stop < len(text):
            stop = text.rfind(" ", start, stop)
        spans.append((start, stop))
        start = stop + 1
    return spans


def ground(x: float, y: int, first: int, last: int, kind: str) -> str:
    """The coloured ground under some letters of a line."""
    at = f'x="{x + first * LETTER - 2:.1f}" y="{y - 15}"'
    width = (last - first) * LETTER + 4
    return f'<rect class="{kind}" {at} width="{width:.1f}" height="20" rx="3"/>\n'


def written(x: float, y: int, line: str) -> str:
    """A line of letters of one width; a star that the font lacks would have another."""
    return (
        f'<text class="text" x="{x:.1f}" y="{y}" xml:space="preserve" '
        f'textLength="{len(line) * LETTER:.1f}">{escape(line.replace("★", "*"))}</text>\n'
    )


def pictures() -> dict[str, str]:
    """Both pictures by the names of their files."""
    left, right = records()
    return {
        "before-after.svg": picture(left, right, 60, True),
        "before-after-narrow.svg": picture(left, right, 48, False),
    }


if __name__ == "__main__":
    for name, drawn in pictures().items():
        (DOCS / name).write_text(drawn, encoding="utf-8")
