"""A sheet of a workbook as a table: every column recoded, kept or dropped.

The release is a workbook made anew: one sheet with the released rows, one style for a column, the
widths of columns that stay, a frozen header. Nothing else of the old file is in it, so nothing that
keeps copies of cells is: other sheets, shared texts, formulas, comments, names, filters, lists,
tables, links, pivot tables, charts, pictures, properties. Formulas leave as their results.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from sfumato.core.errors import BadInput
from sfumato.core.printed_form import by_sizes
from sfumato.formats.hidden_words import LONG, words
from sfumato.formats.markup import tokens
from sfumato.formats.package import local, parts_of, relations, relations_of
from sfumato.formats.sheet import Cell, Row, Sheet, column_number, sheet_of, whole_number
from sfumato.formats.sheet_made import NewColumn, inside, new_workbook, number
from sfumato.formats.sheet_styles import Styles, styles_of
from sfumato.formats.source import shown
from sfumato.formats.workbook import BOOK, shared_texts

if TYPE_CHECKING:
    import polars as pl

    from sfumato.formats.source import Rewrite

_PLAIN = re.compile(r"-?[0-9]{1,400}")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


@dataclass(frozen=True, slots=True)
class _Table:
    """A sheet with a header: its columns' letters by their names, and the rows below it."""

    __repr__ = by_sizes

    place: str
    title: str
    sheet: Sheet
    styles: Styles
    first: datetime
    """The day that dates are counted from."""
    header: Row
    letters: dict[str, str]
    rows: list[Row]

    def style(self, cell: Cell) -> str:
        return cell.tag.attributes.get("s", "0")

    def value(self, row: Row, name: str) -> str | None:
        """What a cell says: a text, a number, an ISO date or time; no text is none."""
        cell = row.cells.get(self.letters[name])
        return None if cell is None else self.said(cell, row.number)

    def said(self, cell: Cell, number: int) -> str | None:
        """What a cell says."""
        kind = cell.tag.attributes.get("t", "n")
        if cell.text is None:
            if cell.is_formula and kind != "str":
                remedy = (
                    "open the workbook in Excel or LibreOffice and save it, or put values there"
                )
                raise self.refused("a formula has no result", number, remedy)
            return None
        if kind == "e":
            remedy = "correct the cell, or empty it"
            raise self.refused("a cell holds an error in place of a value", number, remedy)
        if cell.is_text or kind == "d":
            return cell.text or None
        if kind == "b":
            return "TRUE" if cell.text.strip() in ("1", "true") else "FALSE"
        try:
            return _number(cell.text.strip(), self.styles.kind(self.style(cell)), self.first)
        except (ValueError, OverflowError):
            remedy = "correct the cell"
            raise self.refused("a cell is no number, date or time", number, remedy) from None

    def refused(self, problem: str, row: int, remedy: str) -> BadInput:
        return BadInput(problem, where=f"{self.place}, row {row}", remedy=remedy)


def _number(raw: str, kind: str, first: datetime) -> str:
    """A number as people write it; a date or a time in ISO's form.

    >>> begin = datetime(1899, 12, 30)
    >>> _number("0.10000000000000001", "number", begin), _number("44197.5", "date", begin)
    ('0.1', '2021-01-01T12:00:00')
    >>> _number("1.25", "time", begin), _number("36.0", "number", begin)
    ('30:00:00', '36')
    """
    if kind == "number":
        if _PLAIN.fullmatch(raw):
            return str(int(raw))
        value = float(raw)
        if value != value or value in (float("inf"), float("-inf")):
            raise ValueError
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    seconds = round(float(raw) * 86_400)
    if kind == "time":
        hours, rest = divmod(abs(seconds), 3600)
        return f"{'-' if seconds < 0 else ''}{hours:02}:{rest // 60:02}:{rest % 60:02}"
    if seconds < 60 * 86_400 and first.year == 1899:  # Excel counts a 29 February 1900
        raise ValueError
    at = first + timedelta(seconds=seconds)
    return at.date().isoformat() if seconds % 86_400 == 0 else at.isoformat()


def cells(raw: bytes, place: str, wanted: str | None) -> tuple[pl.DataFrame, Rewrite]:
    """The cells of a sheet as strings, and what gives a workbook with other ones."""
    import polars as pl

    table = _table(raw, place, wanted)
    columns = {name: [table.value(row, name) for row in table.rows] for name in table.letters}
    full = [i for i, row in enumerate(zip(*columns.values(), strict=True)) if any(row)]
    table.rows[:] = [table.rows[i] for i in full]
    columns = {name: [one[i] for i in full] for name, one in columns.items()}
    frame = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))

    def pieces(
        changed: Mapping[str, Iterable[Any]], rows: Sequence[int], dropped: set[str]
    ) -> Iterator[bytes]:
        new = {name: [_text(one) for one in some] for name, some in changed.items()}
        hidden = _hidden(columns, new, rows, dropped)
        yield _workbook(table, new, rows, dropped, hidden)

    return frame, pieces


def _text(value: Any) -> str | None:
    return None if value is None or value == "" else str(value)


def _table(raw: bytes, place: str, wanted: str | None) -> _Table:
    parts = parts_of(raw, place, "xlsx")
    if not {BOOK, relations_of(BOOK)} <= set(parts):
        raise BadInput("is no .xlsx workbook", where=place, remedy="save it as .xlsx again")
    links = relations(parts, BOOK, place)
    title, part, later = _chosen(parts, links, place, wanted)
    strings = next((one for kind, one in links.values() if kind == "sharedStrings"), "")
    texts = shared_texts(parts[strings], place) if strings in parts else []
    style = next((one for kind, one in links.values() if kind == "styles"), "")
    styles = styles_of(parts[style], place) if style in parts else Styles()
    sheet = sheet_of(parts[part], texts, place)
    if sheet.merged:
        remedy = "take merged cells apart, so that every cell stands in its row and column"
        raise BadInput("cells are merged", where=place, remedy=remedy)
    for kind, one in relations(parts, part, place).values():
        if kind == "table" and one in parts:
            _require_plain_table(parts[one], place)
    first = datetime(1904, 1, 1) if later else datetime(1899, 12, 30)
    rows = [row for row in sheet.rows if any(cell.text for cell in row.cells.values())]
    if not rows:
        raise BadInput("the sheet is empty", where=place, remedy="give it a header")
    table = _Table(place, title, sheet, styles, first, rows[0], {}, rows[1:])
    table.letters.update(_header(table, rows[0]))
    known = set(table.letters.values())
    for row in table.rows:
        for at, cell in row.cells.items():
            if cell.text and at not in known:
                remedy = "name every column in the first row; take out what stands beside the table"
                raise table.refused("a cell stands under no column's name", row.number, remedy)
    return table


def _header(table: _Table, row: Row) -> dict[str, str]:
    """The columns' names with their letters."""
    found: dict[str, str] = {}
    for at, cell in row.cells.items():
        name = table.said(cell, row.number)
        if name is None:
            continue
        if name in found:
            raise table.refused("two columns have one name", row.number, "rename one")
        found[name] = at
    return found


def _require_plain_table(raw: bytes, place: str) -> None:
    for token in tokens(raw, place, spaces=True):
        if token.kind == "open" and local(token) == "table":
            stated = token.attributes
            if stated.get("totalsRowCount", "0") != "0" or stated.get("headerRowCount", "1") != "1":
                remedy = "give its table a header and no row of totals"
                raise BadInput("a table has totals, or no header", where=place, remedy=remedy)


def _chosen(
    parts: Mapping[str, bytes],
    links: Mapping[str, tuple[str, str]],
    place: str,
    wanted: str | None,
) -> tuple[str, str, bool]:
    """The name and the part of the sheet, and whether dates are counted from 1904 on.

    Without a name it is the only sheet with cells.
    """
    sheets: dict[str, tuple[str, bool]] = {}
    later = False
    for token in tokens(parts[BOOK], place, spaces=True):
        if token.kind == "open" and local(token) == "workbookPr":
            later = token.attributes.get("date1904", "0") in ("1", "true")
        if token.kind == "open" and local(token) == "sheet":
            given = {name.rpartition(" ")[2]: value for name, value in token.attributes.items()}
            kind, part = links.get(given.get("id", ""), ("", ""))
            if kind == "worksheet" and part in parts:
                is_hidden = given.get("state", "visible") != "visible"
                sheets[given.get("name", "")] = (part, is_hidden)
    if wanted is None:
        filled = {name: one for name, one in sheets.items() if _has_cells(parts[one[0]], place)}
        if len(filled) > 1:
            hidden = sum(is_hidden for _, is_hidden in filled.values())
            raise BadInput(
                f"{len(filled)} sheets hold cells ({hidden} of them hidden)",
                where=place,
                remedy="name the one that is the table (--format xlsx:NAME); the others are left "
                "out of the release",
            )
        wanted = next(iter(filled or sheets), None)
    if wanted is None or wanted not in sheets:
        if wanted == "*":
            problem, remedy = "a table is one sheet", "name it (--format xlsx:NAME)"
            raise BadInput(problem, where=place, remedy=remedy)
        told = shown(list(sheets), wanted).replace("column", "sheet").partition(";")[0]
        raise BadInput(f"no such sheet ({told})", where=place, remedy="give the name of one")
    part, is_hidden = sheets[wanted]
    if is_hidden:
        remedy = "show it in Excel and look at it"
        raise BadInput("the sheet is hidden", where=place, remedy=remedy)
    return wanted, part, later


def _has_cells(raw: bytes, place: str) -> bool:
    found = (local(one) for one in tokens(raw, place, spaces=True) if one.kind == "open")
    return any(name in ("v", "is", "f") for name in found)


def _hidden(
    old: Mapping[str, Sequence[str | None]],
    new: Mapping[str, Sequence[str | None]],
    rows: Sequence[int],
    dropped: set[str],
) -> set[str]:
    """The words of the table that no released cell or column's name has any more."""
    kept = {word for name in old if name not in dropped for word in words(name)}
    all_words = {word for name in dropped for word in words(name)}
    for name, some in old.items():
        all_words |= {word for cell in set(some) for word in words(cell)}
        if name not in dropped:
            cells = new[name] if name in new else [some[i] for i in rows]
            kept |= {word for cell in set(cells) for word in words(cell)}
    return {word for word in all_words - kept if len(word) >= LONG}


def _refuse_words(table: _Table, styles: Iterable[str], hidden: set[str]) -> None:
    """Refuses a sheet's name and formats of numbers that hold a hidden word."""
    if not words(table.title).isdisjoint(hidden):
        problem = "the name of the sheet holds a word that the release hides"
        raise BadInput(problem, where=table.place, remedy="rename the sheet")
    for one in styles:
        literal = " ".join(table.styles.code(one).split('"')[1::2])
        if not words(literal).isdisjoint(hidden):
            problem = "a number's format holds a word that the release hides"
            raise BadInput(problem, where=table.place, remedy="choose another format of numbers")


def _workbook(
    table: _Table,
    new: Mapping[str, Sequence[str | None]],
    rows: Sequence[int],
    dropped: set[str],
    hidden: set[str],
) -> bytes:
    """The bytes of the new workbook."""
    used: dict[str, str] = {}
    columns = []
    for name in (one for one in table.letters if one not in dropped):
        header = _cell(table.header, table.letters[name])
        assert header is not None
        title = inside(name, used_style(used, table.style(header)))
        some = [_cell(row, table.letters[name]) for row in table.rows]
        below = _changed(table, some, new[name], used) if name in new else None
        if below is None:
            below = _kept(table, [some[i] for i in rows], used)
        width = None if name in new else _width(table.sheet, table.letters[name])
        columns.append(NewColumn(width, [title, *below]))
    _refuse_words(table, used, hidden)
    return new_workbook(
        table.title,
        columns,
        table.styles.written(list(used)),
        since_1904=table.first.year == 1904,
        is_frozen=table.sheet.is_frozen,
    )


def _cell(row: Row, letters: str) -> Cell | None:
    cell = row.cells.get(letters)
    return None if cell is None or cell.text is None else cell


def used_style(used: dict[str, str], style: str) -> str:
    """The new number of a style."""
    return used.setdefault(style, str(len(used) + 1))


def _changed(
    table: _Table, old: Sequence[Cell | None], new: Sequence[str | None], used: dict[str, str]
) -> list[str]:
    """The cells of a changed column: texts, unless it held numbers alone and still does."""
    kinds = {_kind(table, cell) for cell in old if cell is not None}
    numbers = kinds == {"number"} and all(one is None or _NUMBER.fullmatch(one) for one in new)
    styles = Counter(table.style(cell) for cell in old if cell is not None)
    style = used_style(used, styles.most_common(1)[0][0] if styles else "0")
    return [(number if numbers else inside)(one, style) if one else "" for one in new]


def _kept(table: _Table, old: Sequence[Cell | None], used: dict[str, str]) -> list[str]:
    """The cells of a column that stays, each kind of value in its usual style."""
    kinds = [None if cell is None else _kind(table, cell) for cell in old]
    styles: dict[str | None, Counter[str]] = {kind: Counter() for kind in kinds}
    for cell, kind in zip(old, kinds, strict=True):
        if cell is not None:
            styles[kind][table.style(cell)] += 1
    usual = {
        kind: used_style(used, some.most_common(1)[0][0]) for kind, some in styles.items() if some
    }
    return [
        "" if cell is None else _as_it_was(table, cell, kind, usual[kind])
        for cell, kind in zip(old, kinds, strict=True)
    ]


def _as_it_was(table: _Table, cell: Cell, kind: str | None, style: str) -> str:
    said = table.said(cell, 0)
    if said is None:
        return ""
    if kind == "text":
        return inside(said, style)
    if kind == "logical":
        return number("1" if said == "TRUE" else "0", style, "b")
    if kind == "number":
        return number(said, style)
    return number(_number((cell.text or "").strip(), "number", table.first), style)


def _kind(table: _Table, cell: Cell) -> str:
    stated = cell.tag.attributes.get("t", "n")
    if cell.is_text or stated == "d":
        return "text"
    return "logical" if stated == "b" else table.styles.kind(table.style(cell))


def _width(sheet: Sheet, letters: str) -> str | None:
    """The width of a column, as a number is written."""
    at = column_number(letters)
    for one in sheet.widths:
        stated = one.attributes
        first, last = (whole_number(stated.get(name), 0, "cols") for name in ("min", "max"))
        fitted = stated.get("bestFit") in ("1", "true")  # to cells that may be gone
        if first <= at <= last and not fitted and _NUMBER.fullmatch(stated.get("width", "")):
            return stated["width"]
    return None
