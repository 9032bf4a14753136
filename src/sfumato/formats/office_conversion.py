"""Files of other office programs, read by way of LibreOffice where it is installed.

`.odt`, `.rtf` and `.doc` are turned into a Word document, `.ods` and `.xls` into a workbook by
`soffice`, in a folder of the owner's own that is removed; a release is a `.docx` or `.xlsx` file.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput, NotInstalled
from sfumato.formats.office_suffixes import KINDS

if TYPE_CHECKING:
    from sfumato.formats.source import Columns, Source

_SECONDS = 180
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # how .doc and .xls begin
_HEADER = 512  # bytes


def read(
    raw: bytes,
    place: str,
    *,
    format: str = "docx",
    text_column: Columns = None,
    group_column: str | None = None,
    suffix: str = "odt",
    sheet: str | None = None,
) -> Source:
    """The paragraphs of a document, or the cells of a table, that LibreOffice can read."""
    from sfumato.formats import docx, xlsx

    made, to = as_office(raw, suffix, place), KINDS[suffix]
    if to == "docx":
        return docx.read(made, place, text_column=text_column, group_column=group_column)
    return xlsx.read(made, place, text_column=text_column, group_column=group_column, sheet=sheet)


def as_office(raw: bytes, suffix: str, place: str) -> bytes:
    """The Word document or the workbook that LibreOffice makes of a file."""
    to = KINDS[suffix]
    if _is_made(raw, to):  # what an earlier stage released
        return raw
    if raw[:4] == _COMPOUND[:4] and (raw[:8] != _COMPOUND or len(raw) < _HEADER):
        # LibreOffice would read what is left of it as plain text.
        problem = f"the file is damaged: it begins as .{suffix} does and is cut off"
        raise BadInput(problem, where=place, remedy="save it again")
    program = shutil.which("soffice") or shutil.which("libreoffice")
    if program is None:
        problem = f"a .{suffix} file is read by LibreOffice, which is not installed"
        remedy = f"install it (apt install libreoffice-writer), or save the file as .{to}"
        raise NotInstalled(problem, where=place, remedy=remedy)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / f"in.{suffix}").write_bytes(raw)
        profile = (folder / "profile").as_uri()
        command = [program, f"-env:UserInstallation={profile}", "--headless", "--convert-to"]
        command += [to, "--outdir", name, str(folder / f"in.{suffix}")]
        try:
            subprocess.run(command, capture_output=True, timeout=_SECONDS, check=True)  # noqa: S603
            return (folder / f"in.{to}").read_bytes()
        except (subprocess.SubprocessError, OSError):
            problem = f"LibreOffice could not read this as .{suffix}"
            raise BadInput(problem, where=place, remedy=f"save it as .{to}") from None


def _is_made(raw: bytes, to: str) -> bool:
    part = "word/document.xml" if to == "docx" else "xl/workbook.xml"
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            return part in archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return False
