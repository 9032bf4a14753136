"""Excel workbooks: the rows of a sheet, and the file with other texts in some columns.

A workbook is a zip archive of XML. Cells share texts by their numbers in a table: equal numbers
tell equal texts, and the order of the table when each was first used. So the texts of changed
columns stand in their cells, all in one form, and the table is made anew of what other cells use.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from xml.sax.saxutils import escape

from sfumato.core.errors import BadInput
from sfumato.core.printed_form import by_sizes
from sfumato.formats.hidden_words import words
from sfumato.formats.markup import Token, tokens, without_attributes
from sfumato.formats.package import (
    local,
    packed,
    parts_of,
    plain_theme,
    relations,
    relations_of,
    without,
)
from sfumato.formats.sheet import (
    CODE,
    Cell,
    Sheet,
    column_number,
    decoded,
    is_text,
    sheet_of,
    whole_number,
)
from sfumato.formats.source import shown

_STRINGS = "xl/sharedStrings.xml"
BOOK = "xl/workbook.xml"
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]")
# What a release keeps of a workbook: cells, styles and plain layout. All else may quote them.
_PARTS = re.compile(
    r"_rels/\.rels|xl/_rels/workbook\.xml\.rels|xl/(workbook|styles|calcChain)\.xml"
    r"|xl/theme/theme[0-9]*\.xml|xl/tables/[Tt]able[0-9]*\.xml"
)
_INBOOK = {"fileVersion", "workbookPr", "bookViews", "sheets", "definedNames", "calcPr"}
_IN_SHEET = {
    *("dimension", "sheetViews", "sheetFormatPr", "cols", "sheetData", "mergeCells"),
    *("phoneticPr", "printOptions", "pageMargins", "rowBreaks", "colBreaks", "tableParts"),
}
# Excel sets these to fit what the cells held.
_HEIGHT = (b"ht", b"customHeight")
_WIDTH = (b"width", b"bestFit", b"customWidth")
_RICH = (b"cm", b"vm")


class _Strings(NamedTuple):
    """The table of shared texts: its bytes, the root's tags, and of each text its place."""

    name: str
    raw: bytes
    root: tuple[Token, Token]
    items: list[tuple[str, int, int]]


@dataclass(frozen=True, slots=True)
class Book:
    """A workbook: its parts, its sheets, the one that was asked for, and the shared texts."""

    __repr__ = by_sizes

    raw: bytes
    place: str
    chosen: str
    sheets: dict[str, Sheet]
    strings: _Strings | None
    parts: dict[str, bytes]
    """The parts that a release keeps and that are no cells."""

    @property
    def formulas(self) -> list[str]:
        """The formulas of all sheets and tables, which may quote texts."""
        return [one for sheet in self.sheets.values() for one in sheet.formulas]

    @property
    def names(self) -> Iterator[tuple[str, str]]:
        """What people may have named: sheets, ranges, tables, styles, and texts in formats."""
        for part, raw in self.parts.items():
            for token in tokens(raw, self.place, spaces=True) if part.endswith(".xml") else ():
                kind, given = local(token), token.attributes
                if token.kind == "open" and kind in ("sheet", "definedName", "table"):
                    shown = "range" if kind == "definedName" else kind
                    yield shown, f"{given.get('name', '')} {given.get('displayName', '')}"
                elif token.kind == "open" and kind == "cellStyle" and "builtinId" not in given:
                    yield "style", given.get("name", "")
                elif token.kind == "open" and kind == "numFmt":
                    yield "format", " ".join(given.get("formatCode", "").split('"')[1::2])

    @property
    def sheet(self) -> Sheet:
        """The sheet that was asked for."""
        return self.sheets[self.chosen]

    def written(
        self, texts: Mapping[str, Mapping[tuple[int, str], str]], hidden: Collection[str]
    ) -> bytes:
        """The workbook with these texts, by sheet, row and column: all of the changed columns.

        Results of formulas that hold a hidden word are taken out: they are computed anew.
        """
        numbers: dict[int, int] = {}
        parts: dict[str, bytes] = {}
        for name, sheet in self.sheets.items():
            edits = _texts(sheet, texts.get(name, {}), numbers, hidden)
            parts[name] = without(sheet.raw, self.place, _beside_cells, edits)
        if self.strings is not None:
            parts[self.strings.name] = _table(self.strings, list(numbers))
        stay = {*parts, *map(relations_of, self.sheets)}
        parts[BOOK] = without(self.parts[BOOK], self.place, _beside_sheets, _names(self))
        for name, raw in self.parts.items():
            if name.startswith("xl/tables/"):
                parts[name] = without(raw, self.place, _filters, list(_remarks(raw, self.place)))
            elif name.startswith("xl/theme/"):
                parts[name] = plain_theme(raw, self.place)
            elif name == "xl/styles.xml":
                parts[name] = without(raw, self.place, lambda _, tag: local(tag) == "extLst")
        return packed(
            self.raw, parts, lambda one: one in stay or bool(_PARTS.fullmatch(one)), self.place
        )


def _texts(
    sheet: Sheet,
    texts: Mapping[tuple[int, str], str],
    numbers: dict[int, int],
    hidden: Collection[str],
) -> list[tuple[int, int, bytes]]:
    """What changes in a sheet: the texts inside their cells, with one style for a column."""
    columns = {letters for _, letters in texts}
    cells = [(sheet.rows[row].cells[letters], text) for (row, letters), text in texts.items()]
    styles = {
        one: _usual_style(cell for cell, _ in cells if cell.letters == one) for one in columns
    }
    edits = list(_other_cells(sheet, {id(cell) for cell, _ in cells}, numbers, hidden))
    edits += [
        (cell.tag.start, cell.stop, _inline(sheet.raw, cell, text, styles[cell.letters]))
        for cell, text in cells
    ]
    return [*edits, *(_sizes(sheet, columns) if texts else ())]


def _other_cells(
    sheet: Sheet, gone: set[int], numbers: dict[int, int], hidden: Collection[str]
) -> Iterator[tuple[int, int, bytes]]:
    """Other cells than the released ones: new numbers of shared texts, results that go."""
    for row in sheet.rows:
        for cell in row.cells.values():
            if id(cell) in gone:
                continue
            if cell.shared is not None:
                new = numbers.setdefault(cell.shared, len(numbers))
                yield (*cell.value, b"%d" % new)
            elif cell.is_formula and cell.is_text and not words(cell.text).isdisjoint(hidden):
                yield (*cell.value, b"")
            if {"cm", "vm"} & set(cell.tag.attributes):
                start, stop = cell.tag.start, cell.tag.stop
                yield start, stop, without_attributes(sheet.raw[start:stop], _RICH)


def _beside_cells(path: list[str], tag: Token) -> bool:
    return len(path) == 1 and local(tag) not in _IN_SHEET


def _beside_sheets(path: list[str], tag: Token) -> bool:
    return len(path) == 1 and local(tag) not in _INBOOK


def _filters(path: list[str], tag: Token) -> bool:
    return local(tag) in ("filterColumn", "sortState", "extLst")


def _remarks(raw: bytes, place: str) -> Iterator[tuple[int, int, bytes]]:
    """Takes the remarks out of a table."""
    for token in tokens(raw, place, spaces=True):
        if token.kind == "open" and "comment" in token.attributes:
            tag = without_attributes(raw[token.start : token.stop], (b"comment",))
            yield token.start, token.stop, tag


def _names(book: Book) -> list[tuple[int, int, bytes]]:
    """Takes out names of ranges that quote a text or carry a remark, and those of filters."""
    edits, path, quotes, start = [], list[str](), False, 0
    for token in tokens(book.parts[BOOK], book.place, spaces=True):
        if token.kind == "open":
            path.append(local(token))
            if path[-1] == "definedName":
                start, quotes = (
                    token.start,
                    bool({"comment", "description"} & set(token.attributes)),
                )
                quotes |= "_FilterDatabase" in token.attributes.get("name", "")
        elif token.kind == "text" and path[-1:] == ["definedName"]:
            quotes |= '"' in token.name
        elif token.kind == "close" and path.pop() == "definedName" and quotes:
            edits.append((start, token.stop, b""))
    return edits


def book_of(raw: bytes, place: str, wanted: str | None) -> Book:
    """Reads a workbook; the sheet is that of the wanted name, or the first."""
    parts = parts_of(raw, place, "xlsx")
    if not {BOOK, relations_of(BOOK)} <= set(parts):
        raise BadInput("is no .xlsx workbook", where=place, remedy="save it as .xlsx again")
    chosen, listed, table = _parts_of(parts, place, wanted)
    strings = None if table is None else _strings(table, parts[table], place)
    texts = [] if strings is None else [text for text, _, _ in strings.items]
    stray = {one for one in parts if one.startswith("xl/worksheets/") and one.endswith(".xml")}
    if stray - set(listed):
        raise BadInput("a sheet is not in its list", where=place, remedy="save it again")
    sheets = {one: sheet_of(parts[one], texts, place) for one in dict.fromkeys(listed)}
    rest = {one: content for one, content in parts.items() if _PARTS.fullmatch(one)}
    return Book(raw, place, chosen, sheets, strings, rest)


def _parts_of(
    parts: Mapping[str, bytes], place: str, wanted: str | None
) -> tuple[str, list[str], str | None]:
    """The part of the sheet that is wanted, those of all sheets, and the table of texts."""
    links = relations(parts, BOOK, place)
    named: dict[str, str] = {}
    for token in tokens(parts[BOOK], place, spaces=True):
        if token.kind == "open" and local(token) == "sheet":
            given = {name.rpartition(" ")[2]: value for name, value in token.attributes.items()}
            if given.get("state", "visible") != "visible":
                remedy = "show it in Excel and look at it, or delete it"
                raise BadInput("a sheet is hidden", where=place, remedy=remedy)
            kind, part = links.get(given.get("id", ""), ("", ""))
            if kind != "worksheet":
                problem = "a sheet is a chart, a macro or a dialogue"
                raise BadInput(problem, where=place, remedy="remove it")
            named[given.get("name", "")] = part
    if any(kind == "externalLink" for kind, _ in links.values()):
        problem = "the workbook keeps copies of cells of other workbooks"
        raise BadInput(problem, where=place, remedy="break the links")
    if wanted is not None and wanted not in named:
        told = shown(list(named), wanted).replace("column", "sheet").partition(";")[0]
        problem = f"no sheet is named {wanted!r} ({told})"
        raise BadInput(problem, where=place, remedy="give the name of one")
    chosen = named[wanted] if wanted is not None else next(iter(named.values()), "")
    if not named or not set(named.values()) <= set(parts):
        raise BadInput("a sheet is not in the workbook", where=place, remedy="save it again")
    table = next((part for kind, part in links.values() if kind == "sharedStrings"), _STRINGS)
    return chosen, list(named.values()), table if table in parts else None


def _strings(name: str, raw: bytes, place: str) -> _Strings:
    """The texts of the table that cells share."""
    items: list[tuple[str, int, int]] = []
    path: list[Token] = []
    text: list[str] = []
    root = end = Token("other", "", {}, 0, 0)
    for token in tokens(raw, place, spaces=True):
        if token.kind == "open":
            path.append(token)
            if len(path) == 1:
                root = token
            elif len(path) == 2 and local(token) == "si":
                text = []
        elif token.kind == "close":
            opened = path.pop()
            if len(path) == 1 and local(token) == "si":
                items.append((decoded(text), opened.start, token.stop))
            end = token
        elif token.kind == "text" and is_text(path):
            text.append(token.name)
    return _Strings(name, raw, (root, end), items)


def _usual_style(cells: Iterator[Cell]) -> str | None:
    """The style that most cells have: one for a whole column, so that no cell has its own."""
    return Counter(cell.tag.attributes.get("s") for cell in cells).most_common(1)[0][0]


def _inline(raw: bytes, cell: Cell, text: str, style: str | None) -> bytes:
    """A cell with its own text."""
    prefix = raw[cell.tag.start + 1 : cell.tag.stop].partition(b"c")[0].decode()
    stated = cell.tag.attributes.get("r")
    place = "" if stated is None else f' r="{stated}"'
    place += "" if style is None else f' s="{style}"'
    return (
        f'<{prefix}c{place} t="inlineStr"><{prefix}is><{prefix}t xml:space="preserve">'
        f"{as_xml(text)}</{prefix}t></{prefix}is></{prefix}c>"
    ).encode()


def as_xml(text: str) -> str:
    """A text as cells hold it; characters that XML lacks by their numbers.

    >>> as_xml("a & b"), as_xml("_x0041_")
    ('a &amp; b', '_x005F_x0041_')
    """
    return escape(_CONTROL.sub(lambda one: f"_x{ord(one[0]):04X}_", CODE.sub(r"_x005F_x\1_", text)))


def shared_texts(raw: bytes, place: str) -> list[str]:
    """The texts that cells share."""
    return [text for text, _, _ in _strings("", raw, place).items]


def _sizes(sheet: Sheet, columns: set[str]) -> Iterator[tuple[int, int, bytes]]:
    """Heights and widths that were fitted to texts, and what Excel says of them, taken out."""
    for row in sheet.rows[1:]:
        start, stop = row.tag.start, row.tag.stop
        yield start, stop, without_attributes(sheet.raw[start:stop], _HEIGHT)
    numbers = {column_number(one) for one in columns}
    for one in sheet.widths:
        stated = one.attributes
        first, last = (whole_number(stated.get(name), 0, "cols") for name in ("min", "max"))
        if stated.get("bestFit") in ("1", "true") and any(first <= n <= last for n in numbers):
            yield one.start, one.stop, without_attributes(sheet.raw[one.start : one.stop], _WIDTH)


def _table(strings: _Strings, kept: Sequence[int]) -> bytes:
    """The table with the texts that cells use, in the order of their first use."""
    root, end = strings.root
    raw = strings.raw
    if not strings.items:
        return raw
    items = b"".join(raw[slice(*strings.items[i][1:])] for i in kept)
    tag = without_attributes(raw[root.start : root.stop], (b"count", b"uniqueCount"))
    return raw[: root.start] + tag + items + raw[end.start : end.stop]
