"""Excel workbooks: the cells of the text columns of one sheet; all other parts stay.

The first row is the header. Workbooks keep texts in a table that cells share: a text that only
changed cells used is replaced there, one that other cells use too stays, and the changed cell gets
its text inline. A text that nobody uses any more is emptied, so that it does not stay in the file.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from sfumato.core.errors import BadInput
from sfumato.formats.source import (
    Source,
    names_of,
    require_column,
    require_groups,
    require_text_column,
    shown,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sfumato.formats.source import Columns, Piece, Texts

STRINGS = "xl/sharedStrings.xml"
_ROW = re.compile(r"<row\b[^>]*?(?:/>|>(.*?)</row>)", re.DOTALL)
_CELL = re.compile(r"<c\b([^>]*?)(?:/>|>(.*?)</c>)", re.DOTALL)
_ATTRIBUTE = re.compile(r'([\w:]+)\s*=\s*"([^"]*)"')
_ITEM = re.compile(r"<si\b[^>]*?(?:/>|>(.*?)</si>)", re.DOTALL)
_PHONETIC = re.compile(r"<rPh\b.*?</rPh>", re.DOTALL)
_T = re.compile(r"<t\b[^>]*?(?:/>|>(.*?)</t>)", re.DOTALL)
_V = re.compile(r"<v\b[^>]*>(.*?)</v>", re.DOTALL)
_CODE = re.compile("_x([0-9A-Fa-f]{4})_")
_CELLS = re.compile(r"<sheetData\b.*</sheetData>", re.DOTALL)
# Parts that keep what cells held, or what people wrote about them.
_COPIES = {
    "xl/pivotCache/": "a pivot table, which keeps copies of cells",
    "xl/slicerCaches/": "a slicer, which keeps copies of cells",
    "xl/revisions/": "a history of changes, which keeps old cells",
    "xl/comments": "comments",
    "xl/threadedComments/": "comments",
}
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]")

_DAMAGED = (
    zipfile.BadZipFile,
    KeyError,
    IndexError,
    UnicodeDecodeError,
    NotImplementedError,
    OSError,
)


@dataclass(frozen=True, slots=True)
class _Cell:
    """A cell of the sheet: its place in the XML, its style, its text and shared string if any."""

    start: int
    stop: int
    attributes: dict[str, str]
    text: str | None
    shared: int | None
    is_text: bool
    is_formula: bool


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
    book = _Book.of(raw, place, sheet)
    header = book.header()
    names = names_of(text_column) or (require_text_column(place, list(header), None),)
    for name in (*names, *([] if group_column is None else [group_column])):
        require_column(place, list(header.values()), name)
    letters = sorted(
        (next(a for a, b in header.items() if b == name) for name in names), key=_order
    )
    cells = [row.get(letter) for row in book.rows for letter in letters]

    def where(i: int) -> str:
        return f"{place}, row {book.numbers[i // len(letters)]}"

    for i, cell in enumerate(cells):
        if cell is not None and cell.is_formula:
            remedy = "put its value there"
            raise BadInput("the text is a formula", where=where(i), remedy=remedy)
        if cell is not None and cell.text is not None and not cell.is_text:
            raise BadInput("the text is a number or a date", where=where(i), remedy="make it text")
    texts = [None if cell is None else cell.text for cell in cells]

    def column(name: str) -> list[str | None]:
        require_column(place, list(header.values()), name)
        letter = next(a for a, b in header.items() if b == name)
        values = [row[letter].text if letter in row else None for row in book.rows]
        return [value for value in values for _ in letters]

    groups: list[str] | None = None
    if group_column is not None:
        groups = require_groups(column(group_column), where)
    elif len(letters) > 1:
        groups = [str(book.numbers[i // len(letters)]) for i in range(len(cells))]

    def pieces(new: Texts) -> Iterator[Piece]:
        changed = [
            (cell, after)
            for cell, after in zip(cells, new, strict=True)
            if cell is not None and after is not None and after != cell.text
        ]
        copied = next((i for i, cell in enumerate(cells) if book.copies(cell, new[i])), None)
        if copied is not None:
            problem = "the text stands in the workbook again: a filter, list, name or formula"
            raise BadInput(problem, where=where(copied), remedy="remove the copy")
        yield book.written(changed) if changed or book.orphans() else raw

    return Source(place, format, texts, groups, tuple(header.values()), column, where, pieces)


@dataclass(frozen=True, slots=True)
class _Book:
    """A workbook: its parts, and the rows of one sheet below the header."""

    raw: bytes
    sheet: str
    name: str
    strings: list[str]
    first: dict[str, _Cell]
    rows: list[dict[str, _Cell]]
    numbers: list[int]
    uses: Counter[int]
    rest: str
    """Everything but plain cells: filters, lists, names, links, properties, results of formulas."""

    @classmethod
    def of(cls, raw: bytes, place: str, wanted: str | None) -> _Book:
        """Reads the parts of a workbook that hold a sheet; without a name, the first."""
        try:
            with zipfile.ZipFile(io.BytesIO(raw)) as book:
                parts = {one: book.read(one) for one in book.namelist() if one.endswith(".xml")}
                name = _part_of_sheet(parts, book, place, wanted)
                sheet = parts[name].decode()
                table = parts.get(STRINGS, b"").decode()
                found = {name, *(one for one in parts if one.startswith("xl/worksheets/"))}
                sheets = {one: parts[one].decode() for one in found}
                copies = [
                    what
                    for start, what in _COPIES.items()
                    if any(one.startswith(start) for one in book.namelist())
                ]
        except _DAMAGED:
            remedy = "save it as .xlsx again (xls and protected workbooks are not read)"
            raise BadInput("is no .xlsx workbook, or damaged", where=place, remedy=remedy) from None
        if copies:
            raise BadInput(f"the workbook has {copies[0]}", where=place, remedy="remove them first")
        strings = [_item_text(found[1] or "") for found in _ITEM.finditer(table)]
        uses: Counter[int] = Counter()
        others = [_CELLS.sub("", xml) for xml in sheets.values()]
        others += [parts[one].decode() for one in parts if one not in sheets and one != STRINGS]
        for one in sheets.values():
            for cell in _cells(one, 0, strings):
                if cell.shared is not None:
                    uses[cell.shared] += 1
                elif cell.is_formula and cell.is_text:
                    others.append(cell.text or "")
        numbered = list(_rows(sheet, strings))
        if not numbered:
            raise BadInput("the sheet is empty", where=place, remedy="give it a header")
        rows = [row for _, row in numbered[1:]]
        numbers = [number for number, _ in numbered[1:]]
        rest = "\0".join(map(unescape, others))
        return cls(raw, sheet, name, strings, numbered[0][1], rows, numbers, uses, rest)

    def header(self) -> dict[str, str]:
        """The names of the columns by their letters."""
        return {letter: cell.text for letter, cell in self.first.items() if cell.text}

    def orphans(self) -> set[int]:
        """Texts of the table that no cell has: left over from what was deleted."""
        return {i for i, text in enumerate(self.strings) if text and not self.uses[i]}

    def copies(self, cell: _Cell | None, after: str | None) -> bool:
        """Whether the text of a changed cell stands elsewhere than in plain cells."""
        if cell is None or not cell.text or after is None or after == cell.text:
            return False
        return len(cell.text.strip()) > 2 and cell.text.strip() in self.rest

    def written(self, changed: list[tuple[_Cell, str]]) -> bytes:
        """The workbook with other texts in these cells."""
        wanted: dict[int, set[str]] = {}
        here: Counter[int] = Counter()
        for cell, text in changed:
            if cell.shared is not None:
                wanted.setdefault(cell.shared, set()).add(text)
                here[cell.shared] += 1
        alone = {i for i in wanted if here[i] == self.uses[i]}
        in_table = {i: next(iter(wanted[i])) for i in alone if len(wanted[i]) == 1}
        emptied = dict.fromkeys((alone - in_table.keys()) | self.orphans(), "")
        sheet, at = [], 0
        for cell, text in sorted(changed, key=lambda one: one[0].start):
            if cell.shared in in_table:
                continue
            sheet += [self.sheet[at : cell.start], _inline(cell, text)]
            at = cell.stop
        parts = {self.name: "".join([*sheet, self.sheet[at:]]).encode()}
        return _packed(self.raw, parts, {**in_table, **emptied})


def _part_of_sheet(
    parts: Mapping[str, bytes], book: zipfile.ZipFile, place: str, wanted: str | None
) -> str:
    """The name of the part that holds a sheet, or the first."""
    listed = re.findall(r"<sheet\b[^>]*>", parts["xl/workbook.xml"].decode())
    sheets = [dict(_ATTRIBUTE.findall(found)) for found in listed]
    names = [unescape(sheet["name"]) for sheet in sheets]
    if wanted is not None and wanted not in names:
        told = shown(names).replace("columns", "sheets")
        problem = f"no sheet is named {wanted!r} ({told})"
        raise BadInput(problem, where=place, remedy="give one of them")
    chosen = sheets[0 if wanted is None else names.index(wanted)]
    relations = book.read("xl/_rels/workbook.xml.rels").decode()
    for found in re.finditer(r"<Relationship\b[^>]*>", relations):
        stated = dict(_ATTRIBUTE.findall(found[0]))
        if stated.get("Id") == chosen["r:id"]:
            target = stated["Target"]
            return target.lstrip("/") if target.startswith("/") else f"xl/{target}"
    raise KeyError("no sheet")


def _rows(sheet: str, strings: list[str]) -> Iterator[tuple[int, dict[str, _Cell]]]:
    """The numbers of the rows and their cells by column letters."""
    number = 0
    for row in _ROW.finditer(sheet):
        stated = dict(_ATTRIBUTE.findall(row[0].partition(">")[0]))
        number = int(stated.get("r", number + 1))
        cells: dict[str, _Cell] = {}
        for i, cell in enumerate(_cells(row[1] or "", row.start(1), strings)):
            letters = cell.attributes.get("r", _letters(i)).rstrip("0123456789")
            cells[letters] = cell
        if cells:
            yield number, cells


def _cells(xml: str, begin: int, strings: list[str]) -> Iterator[_Cell]:
    for found in _CELL.finditer(xml):
        stated, body = dict(_ATTRIBUTE.findall(found[1])), found[2] or ""
        value, kind = _V.search(body), stated.get("t", "n")
        shared = int(value[1]) if kind == "s" and value else None
        text: str | None = None if value is None else unescape(value[1])
        if shared is not None and shared < len(strings):
            text = strings[shared]
        elif kind == "inlineStr":
            text = _item_text(body)
        is_text = kind in ("s", "inlineStr", "str")
        at = begin + found.start(), begin + found.end()
        yield _Cell(*at, stated, text, shared, is_text, "<f" in body)


def _item_text(xml: str) -> str:
    """The characters of a shared or inline string, without readings of Japanese."""
    runs = (found[1] or "" for found in _T.finditer(_PHONETIC.sub("", xml)))
    return _CODE.sub(lambda code: chr(int(code[1], 16)), unescape("".join(runs)))


def _inline(cell: _Cell, text: str) -> str:
    kept = "".join(f' {name}="{value}"' for name, value in cell.attributes.items() if name != "t")
    return f'<c{kept} t="inlineStr"><is>{_t(text)}</is></c>'


def _t(text: str) -> str:
    escaped = _CODE.sub(r"_x005F_x\1_", text)
    escaped = _CONTROL.sub(lambda one: f"_x{ord(one[0]):04X}_", escaped)
    return f'<t xml:space="preserve">{escape(escaped)}</t>'


def _packed(raw: bytes, parts: Mapping[str, bytes], items: Mapping[int, str]) -> bytes:
    """The archive with some parts replaced, and some items of the table of strings."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as old, zipfile.ZipFile(out, "w") as new:
        for info in old.infolist():
            content = parts.get(info.filename, old.read(info))
            if info.filename == STRINGS and items:
                content = _with_items(content.decode(), items).encode()
            new.writestr(info, content, info.compress_type)
    return out.getvalue()


def _with_items(table: str, items: Mapping[int, str]) -> str:
    numbers = iter(range(1 << 62))

    def item(found: re.Match[str]) -> str:
        number = next(numbers)
        return f"<si>{_t(items[number])}</si>" if number in items else found[0]

    return _ITEM.sub(item, table)


def _letters(number: int) -> str:
    """A column's letters: A to Z, AA, AB.

    >>> _letters(0), _letters(27)
    ('A', 'AB')
    """
    result = ""
    while number >= 0:
        number, letter = divmod(number, 26)
        result, number = chr(65 + letter) + result, number - 1
    return result


def _order(letters: str) -> Any:
    return len(letters), letters
