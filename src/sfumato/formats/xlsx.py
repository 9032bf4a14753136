"""Excel workbooks: the cells of the text columns of one sheet; the other cells stay.

The first row is the header. All texts of a text column are written in one form, inside their cells
and with one style; the table of texts that cells share is made anew of those that other cells use.
A release keeps cells, styles and plain layout. What may quote cells, or was written about them, is
taken out: comments, filters, lists, links, footers, pivot tables, charts, properties and the like.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput
from sfumato.formats.hidden_words import hidden_words, words
from sfumato.formats.sheet import linked
from sfumato.formats.source import (
    Source,
    names_of,
    require_column,
    require_groups,
    require_text_column,
)
from sfumato.formats.workbook import book_of

from ..core.printed_form import by_sizes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sfumato.formats.sheet import Cell, Sheet
    from sfumato.formats.source import Columns, Piece, Texts
    from sfumato.formats.workbook import Book


def read(
    raw: bytes,
    place: str,
    *,
    format: str = "xlsx",
    text_column: Columns = None,
    group_column: str | None = None,
    sheet: str | None = None,
) -> Source:
    """The documents of a workbook's sheet (the first): one per row, the text column's cells.

    `sheet` is the name of another one; `*` takes all sheets that have the columns.
    """
    book = book_of(raw, place, None if sheet == ALL else sheet)
    if not book.sheet.rows:
        raise BadInput("the sheet is empty", where=place, remedy="give it a header")
    names = names_of(text_column)
    if not names:
        require_text_column(place, list(_header(book.sheet).values()), None)
    wanted = {*names, *([] if group_column is None else [group_column])}
    parts = [book.chosen]
    if sheet == ALL:
        parts = [one for one, it in book.sheets.items() if wanted <= set(_header(it).values())]
    used = [_ReleasedSheet.of(book, one, names, place) for one in parts or [book.chosen]]
    for one in used:
        for name in wanted:
            require_column(place, one.titles, name)
    owners = [(one, row) for one in used for row in one.sheet.rows[1:] for _ in one.letters]

    def where(i: int) -> str:
        return f"{place}, row {owners[i][1].number}"

    cells = [row.cells.get(at) for one in used for row in one.sheet.rows[1:] for at in one.letters]
    _require_texts(cells, where)

    def column(name: str) -> list[str | None]:
        found = [one.column(name, place) for one in used]
        return [value for some in found for value in some]

    texts = [None if cell is None else cell.text for cell in cells]
    groups: list[str] | None = None
    if group_column is not None:
        groups = require_groups(column(group_column), where)
    elif len(names) > 1:
        groups = [f"{used.index(one)}.{row.number}" for one, row in owners]
        groups = [name.partition(".")[2] for name in groups] if len(used) == 1 else groups

    def pieces(new: Texts) -> Iterator[Piece]:
        hidden = hidden_words(texts, new)
        _refuse_quotes(book, hidden)
        kept = [old if one is None else one for old, one in zip(texts, new, strict=True)]
        gone = hidden.difference(*map(words, kept))
        _refuse_names(book, gone)
        if sheet in (None, ALL):  # who names one sheet knows that there are others
            _refuse_copies(book, parts, gone)
        given, written = iter(kept), dict[str, dict[tuple[int, str], str]]()
        for one in used:
            places = [(row, at) for row in range(1, len(one.sheet.rows)) for at in one.letters]
            found = {place: next(given) for place in places}
            written[one.part] = {at: text for at, text in found.items() if text is not None}
        yield book.written(written, hidden)

    titles = tuple(dict.fromkeys(title for one in used for title in one.titles))
    return Source(place, format, texts, groups, titles, column, where, pieces)


ALL = "*"


@dataclass(frozen=True, slots=True)
class _ReleasedSheet:
    """A sheet of which texts are released: its part, its cells, and where its texts stand."""

    __repr__ = by_sizes

    part: str
    sheet: Sheet
    titles: list[str]
    letters: list[str]

    @classmethod
    def of(cls, book: Book, part: str, names: Sequence[str], place: str) -> _ReleasedSheet:
        sheet = book.sheets[part]
        header = _header(sheet)
        letters = [at for at, title in header.items() if title in names]
        if linked(sheet, letters):
            problem = "a text is a link, whose target tells of it"
            raise BadInput(problem, where=place, remedy="remove the links of the text column")
        return cls(part, sheet, list(header.values()), letters)

    def column(self, name: str, place: str) -> list[str | None]:
        """The cells of a column, one for each text of the row."""
        require_column(place, self.titles, name)
        at = next(at for at, title in _header(self.sheet).items() if title == name)
        rows = self.sheet.rows[1:]
        values = [row.cells[at].text if at in row.cells else None for row in rows]
        return [value for value in values for _ in self.letters]


def _header(sheet: Sheet) -> dict[str, str]:
    if not sheet.rows:
        return {}
    return {at: cell.text for at, cell in sheet.rows[0].cells.items() if cell.text}


def _refuse_copies(book: Book, parts: Sequence[str], gone: set[str]) -> None:
    """Refuses a sheet that stays as it is and holds words that no released text has any more."""
    for number, (part, sheet) in enumerate(book.sheets.items(), 1):
        if part in parts:
            continue
        for row in sheet.rows:
            for cell in row.cells.values():
                if cell.is_text and not words(cell.text).isdisjoint(gone):
                    raise BadInput(
                        f"sheet {number} stays as it is and holds a word that the release hides",
                        where=f"{book.place}, sheet {number}, row {row.number}",
                        remedy="take the sheet out, or release all sheets with the column "
                        "(--format 'xlsx:*'); to leave it as it is, name the sheet (xlsx:NAME)",
                    )


def _refuse_names(book: Book, gone: set[str]) -> None:
    """Refuses a workbook one of whose names holds a word that no released text has any more."""
    for kind, name in book.names:
        if not words(name).isdisjoint(gone):
            problem = f"the name of a {kind} holds a word that the release hides"
            raise BadInput(problem, where=book.place, remedy="change the name")


def _require_texts(cells: list[Cell | None], where: Callable[[int], str]) -> None:
    for i, cell in enumerate(cells):
        if cell is not None and cell.is_formula:
            remedy = "put its value there"
            raise BadInput("the text is a formula", where=where(i), remedy=remedy)
        if cell is not None and cell.text is not None and not cell.is_text:
            raise BadInput("the text is a number or a date", where=where(i), remedy="make it text")


def _refuse_quotes(book: Book, hidden: set[str]) -> None:
    """Refuses a formula that quotes what the release hides."""
    for formula in book.formulas:
        quoted = formula.split('"')[1::2]
        if any(not words(one).isdisjoint(hidden) for one in quoted):
            problem = "a formula quotes a word that the release hides"
            raise BadInput(problem, where=book.place, remedy="put its values in its place")
