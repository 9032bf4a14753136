"""The sheets of Excel workbooks: their rows and cells with their places in the bytes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sfumato.core.errors import BadInput
from sfumato.core.printed_form import by_sizes
from sfumato.formats.markup import Token, tokens
from sfumato.formats.package import local

CODE = re.compile("_x([0-9A-Fa-f]{4})_")
_LETTERS = re.compile(r"\$?([A-Z]+)\$?([0-9]*)")


@dataclass(slots=True)
class Cell:
    """A cell: its place in the sheet's bytes, its column, its text and shared text if any."""

    __repr__ = by_sizes

    tag: Token
    stop: int
    letters: str
    text: str | None = None
    shared: int | None = None
    value: tuple[int, int] = (0, 0)
    is_text: bool = False
    is_formula: bool = False


@dataclass(slots=True)
class Row:
    """A row: its start tag, its number and its cells by their columns."""

    __repr__ = by_sizes

    tag: Token
    number: int
    cells: dict[str, Cell] = field(default_factory=dict)


@dataclass(slots=True)
class Sheet:
    """A sheet: its rows, and what stands beside their plain cells."""

    __repr__ = by_sizes

    raw: bytes
    rows: list[Row] = field(default_factory=list)
    widths: list[Token] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    formulas: list[str] = field(default_factory=list)
    merged: list[str] = field(default_factory=list)
    is_frozen: bool = False
    """Whether the rows above stay when one scrolls."""


# What a row and a cell may be told of; anything else is refused, or a number.
_ATTRIBUTES = {
    *("r", "s", "t", "ph", "cm", "vm", "spans", "customFormat", "ht", "hidden", "customHeight"),
    *("outlineLevel", "collapsed", "thickTop", "thickBot"),
}
_INSIDE = {"sheetData": {"row"}, "row": {"c"}, "c": {"v", "f", "is"}, "v": set(), "f": set()}
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_VALUE = re.compile(r"[0-9:. -]*|[A-Z]{1,3}[0-9]+|true|false|s|n|b|e|d|str|inlineStr")


def sheet_of(raw: bytes, strings: Sequence[str], place: str) -> Sheet:
    """The rows of a sheet with their cells."""
    sheet, path = Sheet(raw), list[Token]()
    texts: dict[str, list[str]] = {}  # of a cell: what stands in its v, f and is
    row, cell = Row(Token("other", "", {}, 0, 0), 0), None
    for token in tokens(raw, place, spaces=True):
        home = [local(one) for one in path]
        if token.kind == "open":
            name = local(token)
            _require_known(home, name, token, place)
            path.append(token)
            if home[-1:] == ["sheetData"]:
                row = Row(token, whole_number(token.attributes.get("r"), row.number + 1, place))
            elif home[-2:] == ["sheetData", "row"]:
                cell = Cell(token, 0, _column(token, list(row.cells), place))
                texts = {"v": [], "f": [], "is": []}
            elif cell is not None and name in ("v", "f"):
                cell.is_formula |= name == "f"
                cell.value = (token.stop, token.stop)
            elif name == "col":
                sheet.widths.append(token)
            elif name == "hyperlink":
                sheet.links.append(token.attributes.get("ref", ""))
            elif name == "mergeCell":
                sheet.merged.append(token.attributes.get("ref", ""))
            elif name == "pane":
                sheet.is_frozen |= token.attributes.get("state", "").startswith("frozen")
        elif token.kind == "close":
            opened = path.pop()
            if cell is not None and local(token) == "v":
                cell.value = (opened.stop, token.start)
            elif cell is not None and local(token) == "c" and home[-2:] == ["row", "c"]:
                cell.stop = token.stop
                _filled(sheet, row, cell, texts, strings, place)
                cell = None
            elif home[-2:] == ["sheetData", "row"] and row.cells:
                sheet.rows.append(row)
        elif token.kind == "text" and cell is not None and home[-1] in ("v", "f"):
            texts[home[-1]].append(token.name)
        elif token.kind == "text" and cell is not None and "is" in home:
            if is_text(path):
                texts["is"].append(token.name)
        elif token.kind == "text" and "sheetData" in home and token.name.strip():
            raise _not_understood(place, "text between cells")
    return sheet


def _require_known(home: Sequence[str], name: str, token: Token, place: str) -> None:
    """Refuses what stands among rows and cells and is none of them."""
    if "sheetData" not in home or "is" in home:
        return
    if name not in _INSIDE.get(home[-1], ()):
        raise _not_understood(place, "an element among its cells")
    for stated, value in token.attributes.items() if name in ("row", "c") else ():
        if not (_VALUE if stated in _ATTRIBUTES else _NUMBER).fullmatch(value):
            raise _not_understood(place, "a note at a cell")


def _not_understood(place: str, what: str) -> BadInput:
    problem = f"a sheet has {what} that is not understood"
    return BadInput(problem, where=place, remedy="save the workbook again")


def _filled(
    sheet: Sheet,
    row: Row,
    cell: Cell,
    texts: Mapping[str, Sequence[str]],
    strings: Sequence[str],
    place: str,
) -> None:
    """Puts a cell with its text into its row."""
    kind, value = cell.tag.attributes.get("t", "n"), "".join(texts["v"])
    cell.is_text = kind in ("s", "inlineStr", "str")
    has_value = cell.value != (0, 0) and bool(texts["v"])
    if kind == "s" and has_value:
        cell.shared = whole_number(value.strip(), 0, place)
        if cell.shared >= len(strings):
            raise _strange(place, row, "names a text that the workbook does not have")
        cell.text = strings[cell.shared]
    elif kind == "inlineStr":
        cell.text = decoded(texts["is"])
    elif has_value:
        cell.text = decoded(texts["v"]) if kind == "str" else value
    if cell.letters in row.cells:
        raise _strange(place, row, "stands where another does")
    if cell.is_formula:
        sheet.formulas.append("".join(texts["f"]))
    row.cells[cell.letters] = cell


def _strange(place: str, row: Row, problem: str) -> BadInput:
    where = f"{place}, row {row.number}"
    return BadInput(f"a cell {problem}", where=where, remedy="save the workbook again")


def whole_number(stated: str | None, otherwise: int, place: str) -> int:
    """A number as it is stated, or another where none is."""
    if stated is None:
        return otherwise
    if not (stated.isascii() and stated.isdecimal()):
        remedy = "save the workbook again"
        raise BadInput("a row or a text has no number", where=place, remedy=remedy)
    return int(stated)


def _column(token: Token, before: Sequence[str], place: str) -> str:
    """The letters of a cell's column: as it says, else those after the cell before it."""
    stated = token.attributes.get("r")
    if stated is None:
        return letters_of(column_number(before[-1]) if before else 0)
    found = _LETTERS.fullmatch(stated)
    if found is None:
        raise BadInput("a cell has no place", where=place, remedy="save the workbook again")
    return found[1]


def letters_of(number: int) -> str:
    """A column's letters: A to Z, AA, AB.

    >>> letters_of(0), letters_of(27)
    ('A', 'AB')
    """
    result = ""
    while number >= 0:
        number, letter = divmod(number, 26)
        result, number = chr(65 + letter) + result, number - 1
    return result


def column_number(letters: str) -> int:
    """A column's number, from 1 on.

    >>> column_number("A"), column_number("AB")
    (1, 28)
    """
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - 64
    return number


def linked(sheet: Sheet, columns: Sequence[str]) -> bool:
    """Whether a cell of these columns below the header is a link: its target tells of its text."""
    numbers = {column_number(one) for one in columns}
    for reference in sheet.links:
        corners = [_LETTERS.fullmatch(one) for one in reference.split(":")]
        if not all(corners):
            return True
        across = [column_number(one[1]) for one in corners if one]
        down = [int(one[2] or 1 << 20) for one in corners if one]
        if any(min(across) <= one <= max(across) for one in numbers) and (
            max(down) > sheet.rows[0].number
        ):
            return True
    return False


def is_text(path: Sequence[Token]) -> bool:
    """Whether characters here are a text's, and no reading of Japanese."""
    return bool(path) and local(path[-1]) == "t" and all(local(one) != "rPh" for one in path)


def decoded(text: Sequence[str]) -> str:
    """The characters of a text, with those that XML cannot hold."""
    return CODE.sub(lambda code: chr(int(code[1], 16)), "".join(text))
