"""What arrives in one file and is several things: a workbook's sheet as a table, an archive as a
folder. Both are made in the process that reads what was uploaded, within its limits.
"""

from __future__ import annotations

import csv
import io
import zipfile
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import BadInput
from ..formats.kinds import SUFFIXES
from ..formats.markup import tokens
from ..formats.packing import split_name
from ..formats.workbook import book_of
from .places import about, own_name, private, write_about, write_private
from .reading import require_unpacked
from .uploads import FOLDER

if TYPE_CHECKING:
    from ..formats.sheet import Cell
    from .reading import InputLimits

FILES = 5_000  # of an archive
FIRST = datetime(1899, 12, 30)  # day 0 of a workbook
DATES = {*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)}  # formats of its own


def unfolded(project: Path, allowed: InputLimits) -> None:
    """Makes a table of a workbook, and a folder of an archive of several files."""
    told = about(project)
    name = str(told.get("input") or "")
    suffix, packing = split_name(name)
    if suffix == "xlsx" and packing is None:
        table = _table_of(project / name, allowed)
        kept = f"{name.removesuffix('.xlsx')}.csv"
        write_private(project / kept, table)
        told["files"][kept] = {"name": kept, "role": "input", "size": len(table)}
        write_about(project, {**told, "input": kept})
    elif suffix in ("xls", "ods"):
        raise BadInput(
            "a workbook of this kind is not read here", remedy="save it as .xlsx or .csv"
        )
    elif packing == "zip" and suffix not in SUFFIXES:
        files = _folder_of(project, project / name, allowed)
        write_about(project, {**told, "files": {**told["files"], **files}, "input": FOLDER})


def _table_of(path: Path, allowed: InputLimits) -> bytes:
    """The cells of the first sheet as CSV: values alone, no formulas, no other sheet."""
    require_unpacked(path, allowed.unpacked)
    book = book_of(path.read_bytes(), "workbook", None)
    if not book.sheet.rows:
        raise BadInput("the first sheet is empty", where="workbook", remedy="give it a header")
    header = {at: cell.text for at, cell in book.sheet.rows[0].cells.items() if cell.text}
    dates = _date_styles(book.parts.get("xl/styles.xml", b""))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header.values())
    for row in book.sheet.rows[1:]:
        cells = [row.cells.get(at) for at in header]
        if any(cell is not None and cell.text for cell in cells):
            writer.writerow([_value(cell, dates) for cell in cells])
    return out.getvalue().encode("utf-8", "surrogatepass")


def _date_styles(styles: bytes) -> set[str]:
    """The numbers of the cell styles that show a number as a date."""
    own, found, inside, number = set[int](), set[str](), False, 0
    for token in tokens(styles, "workbook") if styles else ():
        kind = token.name.rpartition(" ")[2]
        if kind == "cellXfs":
            inside = token.kind == "open"
        elif token.kind != "open":
            continue
        elif kind == "numFmt":
            code = token.attributes.get("formatCode", "").lower()
            if any(sign in code for sign in ("yy", "dd", "mmm", "d/m", "m/d")):
                own.add(_whole(token.attributes.get("numFmtId")))
        elif kind == "xf" and inside:
            if _whole(token.attributes.get("numFmtId")) in DATES | own:
                found.add(str(number))
            number += 1
    return found


def _whole(text: str | None) -> int:
    return int(text) if text is not None and text.isdecimal() else -1


def _value(cell: Cell | None, dates: set[str]) -> str:
    if cell is None or cell.text is None:
        return ""
    if cell.is_text or cell.tag.attributes.get("s") not in dates:
        return cell.text
    try:
        moment = FIRST + timedelta(days=float(cell.text))
    except (ValueError, OverflowError):
        return cell.text
    moment = (moment + timedelta(microseconds=500_000)).replace(microsecond=0)
    whole = float(cell.text).is_integer()
    return moment.date().isoformat() if whole else moment.isoformat(" ")


def _folder_of(project: Path, path: Path, allowed: InputLimits) -> dict[str, dict[str, object]]:
    """The files of an archive, under numbers; what is hidden, and folders, are left out."""
    require_unpacked(path, allowed.unpacked)
    files: dict[str, dict[str, object]] = {}
    try:
        with zipfile.ZipFile(path) as archive:
            members = [one for one in archive.infolist() if _is_plain(one)]
            if len(members) > FILES:
                raise BadInput(f"has more than {FILES:,} files", where="archive")
            if not members:
                raise BadInput("has no file", where="archive", remedy="give one with files")
            folder = private(project / FOLDER)
            for number, one in enumerate(members, 1):
                suffix = own_name(one.filename, "text").split(".", 1)[1]
                kept = f"{number:06d}.{suffix}"
                write_private(folder / kept, archive.read(one))
                told = {"name": one.filename[:200], "role": "folder", "size": one.file_size}
                files[f"{FOLDER}/{kept}"] = told
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, OSError):
        raise BadInput(
            "the archive is damaged or protected", where="archive", remedy="give the folder"
        ) from None
    return files


def _is_plain(one: zipfile.ZipInfo) -> bool:
    parts = one.filename.split("/")
    return not one.is_dir() and not any(part.startswith((".", "__MACOSX")) for part in parts)
