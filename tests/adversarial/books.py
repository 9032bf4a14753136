"""Workbooks that hold a secret in one of their parts, made by openpyxl and changed as XML."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from typing import Any

from adversarial.search import SECRET

SHEET, STRINGS, BOOK = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/workbook.xml"
SECOND = "xl/worksheets/sheet2.xml"
Rows = list[dict[str, str]]
Parts = dict[str, bytes]


def made(rows: Rows) -> bytes:
    """A workbook of rows as Excel writes it, with a second sheet that says nothing of them."""
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(list(rows[0]))
    for row in rows:
        sheet.append(list(row.values()))
    book.create_sheet("other").append(["kind"])
    return changed(saved(book), share)


def saved(book: Any) -> bytes:
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def share(parts: Parts) -> None:
    """Moves the texts of all cells into the table of shared strings, where Excel has them."""
    strings: dict[str, int] = {}

    def cell(found: re.Match[str]) -> str:
        number = strings.setdefault(found[2], len(strings))
        return f'<c{found[1]} t="s"><v>{number}</v></c>'

    for name in [one for one in parts if one.startswith("xl/worksheets/sheet")]:
        text = parts[name].decode()
        inline = r'<c([^>]*?) t="inlineStr"><is><t[^>]*>(.*?)</t></is></c>'
        parts[name] = re.sub(inline, cell, text, flags=re.DOTALL).encode()
    items = "".join(f"<si><t>{text}</t></si>" for text in strings)
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    parts[STRINGS] = f'<sst xmlns="{space}">{items}</sst>'.encode()
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    part = f'<Override PartName="/{STRINGS}" ContentType="{kind}"/></Types>'
    swap("[Content_Types].xml", "</Types>", part)(parts)
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings"
    relation = f'<Relationship Id="rId99" Type="{kind}" Target="sharedStrings.xml"/>'
    swap("xl/_rels/workbook.xml.rels", "</Relationships>", f"{relation}</Relationships>")(parts)


def changed(raw: bytes, change: Callable[[Parts], None], comment: bytes = b"") -> bytes:
    with zipfile.ZipFile(io.BytesIO(raw)) as book:
        parts = {one: book.read(one) for one in book.namelist()}
    change(parts)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as book:
        for name, content in parts.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.comment = comment
            book.writestr(info, content)
    return out.getvalue()


def swap(part: str, old: str, new: str) -> Callable[[Parts], None]:
    """Another text in a part, where it must stand once at least."""

    def change(parts: Parts) -> None:
        text = parts[part].decode()
        assert old in text, (part, old)
        parts[part] = text.replace(old, new, 1).encode()

    return change


def add(part: str, content: str) -> Callable[[Parts], None]:
    def change(parts: Parts) -> None:
        parts[part] = content.encode()

    return change


def _inline(parts: Parts) -> None:
    """The third text stands in its own cell, and no more in the table."""
    sheet, strings = parts[SHEET].decode(), parts[STRINGS].decode()
    items = re.findall(r"<si>.*?</si>", strings)
    number = next(i for i, one in enumerate(items) if SECRET in one)
    text = re.search(r"<t[^>]*>(.*?)</t>", items[number])
    assert text is not None
    cell = rf'<c r="(\w+)" t="s"><v>{number}</v></c>'
    new = rf'<c r="\1" t="inlineStr"><is><t>{text[1]}</t></is></c>'
    parts[SHEET] = re.sub(cell, new, sheet).encode()
    parts[STRINGS] = strings.replace(items[number], "<si><t>none</t></si>").encode()


def _with_comment(rows: Rows) -> bytes:
    import openpyxl
    from openpyxl.comments import Comment

    book = openpyxl.load_workbook(io.BytesIO(made(rows)))
    book.active["A1"].comment = Comment(SECRET, "somebody")
    return saved(book)


def _properties(rows: Rows) -> bytes:
    import openpyxl

    book = openpyxl.load_workbook(io.BytesIO(made(rows)))
    book.properties.creator = book.properties.title = SECRET
    return saved(book)


def BOOKS(rows: Rows) -> dict[str, tuple[bytes, str]]:
    """Workbooks by the place of the secret, each with what is promised of it."""
    base = made(rows)
    whole, end = rows[2]["text"], "</sheetData>"
    half = whole.index(SECRET) + 5
    rich = f"<si><r><t>{whole[:half]}</t></r><r><t>{whole[half:]}</t></r></si>"
    reading = f'<si><t>{whole}</t><rPh sb="0" eb="3"><t>{SECRET}</t></rPh></si>'
    names = f'<definedNames><definedName name="who">"{SECRET}"</definedName></definedNames>'
    listed = (
        '<dataValidations count="1"><dataValidation type="list" sqref="B2:B9">'
        f'<formula1>"{SECRET},Ulm"</formula1></dataValidation></dataValidations>'
    )
    filtered = (
        '<autoFilter ref="A1:C7"><filterColumn colId="2"><filters>'
        f'<filter val="{SECRET}"/></filters></filterColumn></autoFilter>'
    )
    link = f'<hyperlinks><hyperlink ref="C4" location="A1" display="{SECRET}"/></hyperlinks>'
    footer = f"<headerFooter><oddFooter>{SECRET}</oddFooter></headerFooter>"
    formula = f'<row r="5"><c r="A5" t="str"><f>LEFT(Sheet!C4,9)</f><v>{SECRET}</v></c></row>'
    item = f"<si><t>{whole}</t></si>"
    here = {
        "xlsx shared string": (base, "hidden"),
        "xlsx inline string": (changed(base, _inline), "hidden"),
        "xlsx rich text": (changed(base, swap(STRINGS, item, rich)), "hidden"),
        "xlsx reading": (changed(base, swap(STRINGS, item, reading)), "hidden"),
        "xlsx entities": (
            changed(base, swap(STRINGS, SECRET, "".join(f"&#{ord(one)};" for one in SECRET))),
            "hidden",
        ),
        "xlsx left over string": (
            changed(base, swap(STRINGS, "</sst>", f"<si><t>{SECRET}</t></si></sst>")),
            "hidden",
        ),
        "xlsx entry's comment": (changed(base, lambda parts: None, SECRET.encode()), "hidden"),
    }
    copies = {
        "xlsx comment": _with_comment(rows),
        "xlsx defined name": changed(base, swap(BOOK, "</sheets>", f"</sheets>{names}")),
        "xlsx name of a sheet": changed(base, swap(BOOK, 'name="other"', f'name="{SECRET}"')),
        "xlsx list of values": changed(base, swap(SHEET, end, end + listed)),
        "xlsx filter": changed(base, swap(SHEET, end, end + filtered)),
        "xlsx link": changed(base, swap(SHEET, end, end + link)),
        "xlsx footer": changed(base, swap(SHEET, end, end + footer)),
        "xlsx result of a formula": changed(base, swap(SECOND, end, formula + end)),
        "xlsx thumbnail": changed(base, add("docProps/thumbnail.jpeg", SECRET)),
        "xlsx embedded file": changed(base, add("xl/embeddings/note.bin", SECRET)),
        "xlsx custom part": changed(base, add("customXml/item1.xml", f"<a>{SECRET}</a>")),
    }
    staying = {
        "xlsx other column": made([{**row, "town": SECRET} for row in rows]),
        "xlsx other sheet": changed(
            base, swap(SECOND, "<sheetData>", f"<!-- {SECRET} --><sheetData>")
        ),
        "xlsx properties": _properties(rows),
    }
    return {
        **here,
        **{name: (raw, "hidden or refused") for name, raw in copies.items()},
        **{name: (raw, "stays") for name, raw in staying.items()},
    }
