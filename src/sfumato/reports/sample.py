"""Before and after of records that the steward chose: the only part of a report with text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from html import escape
from itertools import accumulate

from ..core.printed_form import by_sizes

SYMBOLS = 4000
_TOKEN = re.compile(r"\w+|\s+|[^\w\s]+")

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Record:
    """One record before and after: its number (from 1), and of each field both texts."""

    number: int
    fields: tuple[tuple[str, str, str], ...]

    __repr__ = by_sizes


def changed(before: str, after: str) -> list[tuple[Range, Range]]:
    """The differing places in the one text and in the other.

    Texts of one length are compared place by place, since a star stands where its symbol stood;
    others token by token.
    Cost: O(n) for one length, else quadratic at worst, on at most 4,000 symbols.
    >>> changed("Ann has flu", "★★★ has flu"), changed("Ann has flu", "[name] has flu")
    ([((0, 3), (0, 3))], [((0, 3), (0, 6))])
    """
    if len(before) == len(after):
        differs = "".join("x" if a != b else "." for a, b in zip(before, after, strict=True))
        return [(run.span(), run.span()) for run in re.finditer("x+", differs)]
    first, second = _TOKEN.findall(before), _TOKEN.findall(after)
    at, to = _offsets(first), _offsets(second)
    steps = SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
    return [((at[i], at[j]), (to[p], to[q])) for tag, i, j, p, q in steps if tag != "equal"]


def records_html(records: Iterable[Record]) -> str:
    """The records, each field before and after, what differs marked."""
    return "\n".join(_record(record) for record in records)


def _record(record: Record) -> str:
    fields = "\n".join(_field(*field) for field in record.fields)
    return f'<div class="record">\n<h3>Record {record.number}</h3>\n{fields}\n</div>'


def _field(name: str, before: str, after: str) -> str:
    first, second = before[:SYMBOLS], after[:SYMBOLS]
    places = changed(first, second)
    title = f'<div class="field">{escape(name)}</div>' if name else ""
    sides = "".join(
        f'<div class="{kind}"><div class="head">{head}</div><p>{_marked(text, ranges)}{more}</p>'
        "</div>"
        for kind, head, text, ranges, more in (
            ("before", "before", first, [a for a, _ in places], _more(before)),
            ("after", "as released", second, [b for _, b in places], _more(after)),
        )
    )
    return f'{title}<div class="sides">{sides}</div>'


def _marked(text: str, ranges: Sequence[Range]) -> str:
    pieces, at = [], 0
    for start, stop in ranges:
        pieces.append(escape(text[at:start]))
        if stop > start:
            pieces.append(f"<mark>{escape(text[start:stop])}</mark>")
        at = stop
    return "".join(pieces) + escape(text[at:])


def _more(text: str) -> str:
    return f" … ({len(text) - SYMBOLS:,} more symbols)" if len(text) > SYMBOLS else ""


def _offsets(tokens: list[str]) -> list[int]:
    return [0, *accumulate(len(token) for token in tokens)]
