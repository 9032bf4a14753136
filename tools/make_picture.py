"""Draws docs/before-after.svg: a note of the shipped example and its release, line by line."""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files
from pathlib import Path

import sfumato as sf

TARGET = Path(__file__).parent.parent / "docs" / "before-after.svg"
NOTE = 2
COLUMNS, LINES = 64, 11
WIDTH, LINE, MARGIN, LETTER = 1160, 22, 20, 8.43


def picture() -> str:
    """The picture as SVG: before on the left, the release on the right."""
    raw = (files("sfumato.examples") / "clinic_notes.jsonl").read_text(encoding="utf-8")
    notes = [json.loads(line) for line in raw.splitlines()]
    texts = [note["text"] for note in notes]
    release = sf.suppress(texts, k=5, groups=[note["patient_id"] for note in notes])
    breaks = line_breaks(texts[NOTE])
    height = 2 * MARGIN + (len(breaks) + 2) * LINE
    left = panel("before", texts[NOTE], breaks, texts[NOTE], MARGIN)
    right = panel("released, k = 5", release.data[NOTE], breaks, texts[NOTE], WIDTH // 2 + MARGIN)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">\n'
        f'<rect width="{WIDTH}" height="{height}" fill="#fdfcf8"/>\n'
        f'<line x1="{WIDTH // 2}" y1="{MARGIN}" x2="{WIDTH // 2}" y2="{height - MARGIN}" '
        f'stroke="#d8d2c4"/>\n{left}{right}</svg>\n'
    )


def line_breaks(text: str) -> list[tuple[int, int]]:
    """The first lines of the text as half-open spans, cut at blanks."""
    spans: list[tuple[int, int]] = []
    start = 0
    while start < len(text) and len(spans) < LINES:
        stop = text.find("\n", start)
        stop = len(text) if stop < 0 else stop
        if stop - start > COLUMNS:
            stop = text.rfind(" ", start, start + COLUMNS)
        spans.append((start, stop))
        start = stop + 1
    return spans


def panel(title: str, text: str, spans: list[tuple[int, int]], original: str, x: int) -> str:
    """One column: a title and the lines, what was changed on a red ground."""
    rows = [f'<text x="{x}" y="{MARGIN + LINE - 6}" fill="#8a8270">{escape(title)}</text>\n']
    for row, (start, stop) in enumerate(spans):
        y = MARGIN + (row + 2) * LINE
        for p in range(start, stop):
            if text[p] != original[p]:
                rows.append(
                    f'<rect x="{x + (p - start) * LETTER:.1f}" y="{y - 15}" '
                    f'width="{LETTER}" height="19" fill="#f6d5cd"/>\n'
                )
        line = escape(text[start:stop].replace("★", "*"))
        width = (stop - start) * LETTER
        rows.append(
            f'<text x="{x}" y="{y}" fill="#2b2822" xml:space="preserve" '
            f'textLength="{width:.1f}">{line}</text>\n'
        )
    return "".join(rows)


if __name__ == "__main__":
    TARGET.write_text(picture(), encoding="utf-8")
