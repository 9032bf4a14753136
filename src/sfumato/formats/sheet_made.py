"""A workbook made anew: one sheet, its cells, their styles, and nothing beside them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

from sfumato.formats.sheet import letters_of
from sfumato.formats.sheet_styles import MAIN
from sfumato.formats.workbook import as_xml

_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_PARTS = {"workbook": "sheet.main", "worksheets/sheet1": "worksheet", "styles": "styles"}
_FROZEN = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'


class NewColumn(NamedTuple):
    """A column: its width if it has one of its own, and its cells, the header's first."""

    width: str | None
    cells: Sequence[str]
    """As `inside` and `number` write them; an empty string is no cell."""


def inside(text: str, style: str) -> str:
    """A cell that holds its text, but for its place.

    >>> inside("a < b", "2")
    ' s="2" t="inlineStr"><is><t xml:space="preserve">a &lt; b</t></is></c>'
    """
    return f' s="{style}" t="inlineStr"><is><t xml:space="preserve">{as_xml(text)}</t></is></c>'


def number(value: str, style: str, kind: str = "n") -> str:
    """A cell that holds a number, but for its place.

    >>> number("36", "2")
    ' s="2" t="n"><v>36</v></c>'
    """
    return f' s="{style}" t="{kind}"><v>{value}</v></c>'


def new_workbook(
    title: str, columns: Sequence[NewColumn], styles: str, *, since_1904: bool, is_frozen: bool
) -> bytes:
    """The bytes of a workbook with one sheet; the same cells give the same bytes."""
    later = ' date1904="1"' if since_1904 else ""
    book = (
        f'<workbook xmlns="{MAIN}" xmlns:r="{_OFFICE}"><workbookPr{later}/><bookViews>'
        f"<workbookView/></bookViews><sheets><sheet name={quoteattr(title)} "
        'sheetId="1" r:id="rId1"/></sheets></workbook>'
    )
    types = "".join(
        f'<Override PartName="/xl/{part}.xml" ContentType="{_TYPE}.{kind}+xml"/>'
        for part, kind in _PARTS.items()
    )
    default = "application/vnd.openxmlformats-package.relationships+xml"
    made = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default '
        f'Extension="rels" ContentType="{default}"/>{types}</Types>',
        "_rels/.rels": _links({"officeDocument": "xl/workbook.xml"}),
        "xl/workbook.xml": book,
        "xl/_rels/workbook.xml.rels": _links(
            {"worksheet": "worksheets/sheet1.xml", "styles": "styles.xml"}
        ),
        "xl/worksheets/sheet1.xml": _sheet(columns, is_frozen),
        "xl/styles.xml": styles,
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in made.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, _XML + content)
    return out.getvalue()


def _sheet(columns: Sequence[NewColumn], is_frozen: bool) -> str:
    letters = [letters_of(at) for at in range(len(columns))]
    rows = []
    for at, some in enumerate(zip(*(one.cells for one in columns), strict=True), 1):
        cells = (
            f'<c r="{here}{at}"{cell}' for here, cell in zip(letters, some, strict=True) if cell
        )
        rows.append(f'<row r="{at}">{"".join(cells)}</row>')
    widths = "".join(
        f'<col min="{at}" max="{at}" width="{one.width}" customWidth="1"/>'
        for at, one in enumerate(columns, 1)
        if one.width is not None
    )
    view = f'<sheetView workbookViewId="0">{_FROZEN if is_frozen else ""}</sheetView>'
    return (
        f'<worksheet xmlns="{MAIN}"><sheetViews>{view}</sheetViews>'
        f"{f'<cols>{widths}</cols>' if widths else ''}"
        f"<sheetData>{''.join(rows)}</sheetData></worksheet>"
    )


def _links(targets: Mapping[str, str]) -> str:
    links = "".join(
        f'<Relationship Id="rId{i}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for i, (kind, target) in enumerate(targets.items(), 1)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{links}</Relationships>'
