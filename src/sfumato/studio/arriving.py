"""What arrives in one file and is several things: a workbook's sheet or a list of JSON as a table,
an archive as a folder, resources of FHIR. All of it is looked at in the process that reads what was
uploaded, within its limits.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import BadInput
from ..formats.kinds import SUFFIXES
from ..formats.markup import tokens
from ..formats.office_conversion import as_office
from ..formats.package import local, parts_of
from ..formats.packing import split_name
from ..formats.paths import elements
from ..formats.sheet_table import cells
from ..formats.workbook import BOOK
from .places import KEY, about, own_name, private, write_about, write_private
from .reading import require_unpacked
from .uploads import FOLDER

if TYPE_CHECKING:
    from .reading import InputLimits

FILES = 5_000  # of an archive
BOOKS, JSONS = ("xlsx", "ods", "xls"), ("json", "jsonl", "ndjson")
RULES = "rules.yaml"


def unfolded(project: Path, allowed: InputLimits) -> None:
    """Makes a table of a workbook or a list of JSON, a folder of an archive of several files.

    Resources of FHIR get the package's rules, under the project's key.
    """
    told = about(project)
    name = str(told.get("input") or "")
    suffix, packing = split_name(name)
    if suffix in BOOKS and packing is None:
        table = _table_of(project / name, suffix, allowed)
        _keep(project, f"{name.removesuffix(f'.{suffix}')}.csv", table)
    elif suffix in JSONS and packing is None and "format" not in told:
        _open_json(project, name, suffix, allowed)
    elif packing == "zip" and suffix not in SUFFIXES:
        files = _folder_of(project, project / name, allowed)
        write_about(project, {**told, "files": {**told["files"], **files}, "input": FOLDER})


def _keep(project: Path, kept: str, table: bytes) -> None:
    """Makes a table the input of the project."""
    told = about(project)
    write_private(project / kept, table)
    told["files"][kept] = {"name": kept, "role": "input", "size": len(table)}
    write_about(project, {**told, "input": kept})


def _open_json(project: Path, name: str, suffix: str, allowed: InputLimits) -> None:
    """Resources of FHIR are read as such; a list of records becomes a table of JSON lines."""
    require_unpacked(project / name, allowed.unpacked)
    try:
        text = (project / name).read_text("utf-8-sig").strip()
        first = json.loads(text if suffix == "json" else text.split("\n", 1)[0])
    except (ValueError, RecursionError):
        return  # told by what reads it
    if isinstance(first, dict) and isinstance(first.get("resourceType"), str):
        write_private(project / RULES, f"key_file: {KEY}\n".encode())
        told = about(project)
        told["files"][RULES] = {"name": RULES, "role": "rules", "size": 0}
        write_about(project, {**told, "format": f"fhir:{RULES}"})
    elif suffix == "json":
        if not isinstance(first, list) or not all(isinstance(one, dict) for one in first):
            raise BadInput(
                "this JSON is no list of records",
                where="input",
                remedy="give a list, or JSON lines; the command line takes texts by their paths",
            )
        start = text.index("[")
        records = (text[one.start : one.stop] for one in elements(text, start))
        lines = (one.replace("\r", " ").replace("\n", " ") for one in records)  # in no string
        _keep(project, f"{name.removesuffix('.json')}.jsonl", "\n".join([*lines, ""]).encode())


def _table_of(path: Path, suffix: str, allowed: InputLimits) -> bytes:
    """The cells of the first sheet as CSV: values alone, no formulas, no other sheet."""
    require_unpacked(path, allowed.unpacked)
    raw = path.read_bytes()
    raw = raw if suffix == "xlsx" else as_office(raw, suffix, "workbook")
    frame, _ = cells(raw, "workbook", _first_sheet(raw))
    return frame.write_csv().encode("utf-8", "surrogatepass")


def _first_sheet(raw: bytes) -> str | None:
    """The name of the first sheet that is seen; None leaves it to who reads it to say why."""
    book = parts_of(raw, "workbook", "xlsx").get(BOOK, b"")
    for token in tokens(book, "workbook", spaces=True) if book else ():
        is_seen = token.attributes.get("state", "visible") == "visible"
        if token.kind == "open" and local(token) == "sheet" and is_seen:
            return token.attributes.get("name")
    return None


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
