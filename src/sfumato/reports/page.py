"""The pieces a report is written in: HTML with everything from outside escaped."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from ..core.plain_words import measured, plain

if TYPE_CHECKING:
    from ..judging.plot import Chart

_ROLES = re.compile(r' (?:role="graphics-[a-z]+"|aria-[a-z]+="[^"]*")')


def page(title: str, body: str) -> str:
    """One self-contained HTML file: its policy allows its own style sheet and nothing else.

    >>> "default-src 'none'" in page("a", "<p>b</p>")
    True
    """
    style = (files("sfumato.reports") / "report.css").read_text(encoding="utf-8")
    allowed = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{allowed}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def section(name: str, title: str, *parts: str) -> str:
    """A part of the page that can be linked to; nothing when it would be empty.

    >>> section("loss", "What it cost", "", "")
    ''
    """
    content = "\n".join(part for part in parts if part)
    return f'<section id="{name}">\n<h2>{title}</h2>\n{content}\n</section>' if content else ""


def experts(*parts: str) -> str:
    """Sections for those who check, folded until somebody asks; printed in full.

    >>> experts("", ""), experts("<p>a</p>").count("<details")
    ('', 1)
    """
    content = "\n".join(part for part in parts if part)
    title = "For experts: files, annotations, parameters, hashes"
    return unfolded(title, content, "experts") if content else ""


def unfolded(title: str, content: str, kind: str = "") -> str:
    """What stands behind a line that opens it."""
    of_kind = f' class="{kind}"' if kind else ""
    return f"<details{of_kind}><summary>{escape(title)}</summary>{content}</details>"


def paragraph(text: str, kind: str = "") -> str:
    """Escaped text as a paragraph."""
    of_kind = f' class="{kind}"' if kind else ""
    return f"<p{of_kind}>{escape(text)}</p>"


def pairs(values: Mapping[str, object], kind: str = "", *, own: bool = False) -> str:
    """A table of names and values; the user's `own` names (files, columns) stand as they are.

    >>> "<td>5</td>" in pairs({"k": 5}), pairs({})
    (True, '')
    >>> "stay_in_days" in pairs({"stay_in_days": 5}, own=True)
    True
    """
    rows = "".join(
        f"<tr><th scope=row>{escape(name if own else plain(name))}</th>"
        f"<td{' class=hash' if kind == 'hash' else ''}>{escape(measured(name, value))}</td></tr>\n"
        for name, value in values.items()
    )
    return f'<table class="pairs">\n{rows}</table>' if rows else ""


def table(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    kinds: Mapping[str, str] | None = None,
) -> str:
    """A table with a header, numbers to the right; on a telephone each row becomes a block.

    `kinds` gives cells that say one of its words their colour.

    >>> 'class="n bad"' in table(["attack", "verdict"], [("a", "above")], {"above": "bad"})
    True
    """
    coloured = kinds or {}
    head = "".join(
        f"<th scope=col{' class=n' if i else ''}>{escape(name)}</th>"
        for i, name in enumerate(columns)
    )
    body = "".join(
        "<tr>"
        + "".join(
            f'<td{_kind(i, coloured.get(cell, ""))} data-label="{escape(columns[i])}">'
            f"{escape(cell)}</td>"
            for i, cell in enumerate(row)
        )
        + "</tr>\n"
        for row in rows
    )
    head = f"<thead><tr>{head}</tr></thead>"
    return f'<table class="wide">\n{head}\n<tbody>\n{body}</tbody></table>' if body else ""


def _kind(column: int, colour: str) -> str:
    words = " ".join(word for word in ("n" if column else "", colour) if word)
    return f' class="{words}"' if words else ""


def figure(title: str, caption: str, chart: Chart, numbers: str = "") -> str:
    """A chart with its caption, and its numbers to unfold."""
    more = unfolded("The numbers", numbers) if numbers else ""
    drawn = _ROLES.sub("", chart.svg())  # it is one image, whose numbers stand below it
    drawn = drawn.replace("<svg ", f'<svg role="img" aria-label="{escape(title)}" ', 1)
    return (
        f"<figure>\n<figcaption><b>{escape(title)}</b>{escape(caption)}</figcaption>\n"
        f'<div class="chart">{drawn}</div>\n{more}</figure>'
    )


def charts(figures: Iterable[str]) -> str:
    """Charts side by side where there is room."""
    content = "\n".join(figures)
    return f'<div class="charts">\n{content}\n</div>' if content else ""


def items(texts: Iterable[str]) -> str:
    """A list of escaped texts."""
    listed = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return f"<ul>{listed}</ul>" if listed else ""
