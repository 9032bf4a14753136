"""Excel workbooks: the cells of the text columns of one sheet; the other cells stay.

The first row is the header. All texts of a text column are written in one form, inside their cells
and with one style; the table of texts that cells share is made anew of those that other cells use.
A release keeps cells, styles and plain layout. What may quote cells, or was written about them, is
taken out: comments, filters, lists, links, footers, pivot tables, charts, properties and the like.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput
from sfumato.formats.hidden import hidden_words, words
from sfumato.formats.sheet import linked
from sfumato.formats.source import (
    Source,
    names_of,
    require_column,
    require_groups,
    require_text_column,
)
from sfumato.formats.workbook import book_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sfumato.formats.sheet import Cell
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
    """The documents of a workbook's sheet (the first): one per row, the text column's cells."""
    book = book_of(raw, place, sheet)
    if not book.sheet.rows:
        raise BadInput("the sheet is empty", where=place, remedy="give it a header")
    header = {at: cell.text for at, cell in book.sheet.rows[0].cells.items() if cell.text}
    titles, body = list(header.values()), book.sheet.rows[1:]
    names = names_of(text_column) or (require_text_column(place, titles, None),)
    for name in (*names, *([] if group_column is None else [group_column])):
        require_column(place, titles, name)
    letters = [at for at, title in header.items() if title in names]

    def where(i: int) -> str:
        return f"{place}, row {body[i // len(letters)].number}"

    cells = [row.cells.get(at) for row in body for at in letters]
    _require_texts(cells, where)
    if linked(book.sheet, letters):
        problem = "a text is a link, whose target tells of it"
        raise BadInput(problem, where=place, remedy="remove the links of the text column")

    def column(name: str) -> list[str | None]:
        require_column(place, titles, name)
        at = next(at for at, title in header.items() if title == name)
        values = [row.cells[at].text if at in row.cells else None for row in body]
        return [value for value in values for _ in letters]

    texts = [None if cell is None else cell.text for cell in cells]
    groups: list[str] | None = None
    if group_column is not None:
        groups = require_groups(column(group_column), where)
    elif len(letters) > 1:
        groups = [str(body[i // len(letters)].number) for i in range(len(cells))]

    def pieces(new: Texts) -> Iterator[Piece]:
        hidden = hidden_words(texts, new)
        _refuse_quotes(book, hidden)
        written = {}
        for i, (before, after) in enumerate(zip(texts, new, strict=True)):
            text = before if after is None else after
            if text is not None:
                row, at = divmod(i, len(letters))
                written[row + 1, letters[at]] = text
        yield book.written(written, hidden)

    return Source(place, format, texts, groups, tuple(titles), column, where, pieces)


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
