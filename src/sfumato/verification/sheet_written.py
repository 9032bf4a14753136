"""A released workbook as it was written, cell by cell, by other code than wrote it.

It must be one sheet and its styles, without a formula; openpyxl, where it is installed, must see
the same cells. No part may hold a cell's text that the release hides.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from ..core.errors import NotVerified

if TYPE_CHECKING:
    import polars as pl

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_SHEET = "xl/worksheets/sheet1.xml"
_PARTS = {
    *("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml", "xl/_rels/workbook.xml.rels"),
    *(_SHEET, "xl/styles.xml"),
}
_CODE = re.compile("_x([0-9A-Fa-f]{4})_")
_LONG = 12  # of shorter texts parts of XML may have the letters


def sheet_records(
    content: bytes, names: Sequence[str]
) -> Iterator[dict[str, tuple[str, str | None]]]:
    """The cells of every row as they are written, and what they say."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if set(archive.namelist()) != _PARTS:
            raise _wrong("the workbook has other parts than a table")
        root = ElementTree.fromstring(archive.read(_SHEET))  # noqa: S314  what we wrote ourselves
    rows = iter(root.iter(f"{_MAIN}row"))
    header = [said for _, said in _cells(next(rows, ElementTree.Element("row"))).values()]
    if header != list(names):
        raise _wrong("the file does not have the columns of the release")
    opened = _opened(content)
    if opened is not None and [_said(one) for one in next(opened, ())] != list(names):
        raise _wrong("openpyxl reads other columns")
    for number, row in enumerate(rows, 1):
        found = _cells(row)
        told = dict.fromkeys(names, ("", None)) | {names[at]: one for at, one in found.items()}
        if opened is not None:
            seen = zip(next(opened, ()), told.values(), strict=True)
            if not all(_agree(value, raw, said) for value, (raw, said) in seen):
                raise _wrong("openpyxl reads other cells", f"record {number}")
        yield told


def _cells(row: ElementTree.Element) -> dict[int, tuple[str, str | None]]:
    """The cells of a row by their columns' numbers: their XML without the place, and the text."""
    found: dict[int, tuple[str, str | None]] = {}
    for cell in row:
        if cell.find(f"{_MAIN}f") is not None:
            raise _wrong("the workbook has a formula")
        place = re.match("[A-Z]+", cell.attrib.pop("r"))
        assert place is not None
        at = 0
        for letter in place[0]:
            at = 26 * at + ord(letter) - 64
        said = _said("".join(cell.itertext()))
        found[at - 1] = (ElementTree.tostring(cell, "unicode"), said)
    return found


def _said(cell: object) -> str:
    """A text, with the characters that XML lacks."""
    return _CODE.sub(lambda code: chr(int(code[1], 16)), str(cell))


def _agree(value: object, raw: str, said: str | None) -> bool:
    """Whether openpyxl sees a cell as it was written: the same text, or one value at least."""
    if said is None or 't="inlineStr"' not in raw:
        return (value is None) == (said is None)
    return _said(value) == said


def _opened(content: bytes) -> Iterator[tuple[object, ...]] | None:
    """The rows as openpyxl reads them, where it is installed."""
    try:
        import openpyxl
    except ImportError:
        return None
    try:
        sheet = openpyxl.load_workbook(io.BytesIO(content), data_only=True).active
    except (ValueError, KeyError, IndexError, TypeError, ElementTree.ParseError):
        raise _wrong("openpyxl cannot read the workbook") from None
    found: Iterator[tuple[object, ...]] = sheet.iter_rows(values_only=True)
    return found


def require_hidden(
    content: bytes, data: pl.DataFrame, columns: Sequence[str], before: pl.DataFrame | None
) -> None:
    """Refuses a workbook a part of which holds a text that the release changed or dropped."""
    if before is None:
        return
    from ahocorasick_rs import AhoCorasick

    gone = [name for name in before.columns if name in columns or name not in data.columns]
    kept = "\n".join(str(one) for name in data.columns for one in (name, *data[name].unique()))
    texts = {str(one).strip() for name in gone for one in before[name].drop_nulls().unique()}
    wanted = [text for text in texts if len(text) >= _LONG and text not in kept]
    if not wanted:
        return
    search = AhoCorasick(wanted)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name in archive.namelist():
            root = ElementTree.fromstring(archive.read(name))  # noqa: S314  what we wrote ourselves
            stated = "\n".join(value for one in root.iter() for value in one.attrib.values())
            for text in ("".join(root.itertext()), stated):
                if search.find_matches_as_indexes(text):
                    raise _wrong("a part of the file holds a text that the release hides", name)


def _wrong(problem: str, where: str | None = None) -> NotVerified:
    return NotVerified(
        problem, where=where, remedy="nothing was written; this is a defect: report it"
    )
