"""Text documents of other office programs, read by way of LibreOffice where it is installed.

`.odt`, `.rtf` and `.doc` are turned into a Word document by `soffice`, in a folder of the owner's
own that is removed; a release is a `.docx` file.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput, NotInstalled
from sfumato.formats import docx

if TYPE_CHECKING:
    from sfumato.formats.source import Columns, Source

_SECONDS = 180


def read(
    raw: bytes,
    place: str,
    *,
    format: str = "docx",
    text_column: Columns = None,
    group_column: str | None = None,
    suffix: str = "odt",
) -> Source:
    """The paragraphs of a document that LibreOffice can read."""
    program = shutil.which("soffice") or shutil.which("libreoffice")
    if program is None:
        problem = f"a .{suffix} file is read by LibreOffice, which is not installed"
        remedy = "install it (apt install libreoffice-writer), or save the file as .docx"
        raise NotInstalled(problem, where=place, remedy=remedy)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / f"in.{suffix}").write_bytes(raw)
        profile = (folder / "profile").as_uri()
        command = [program, f"-env:UserInstallation={profile}", "--headless", "--convert-to"]
        command += ["docx", "--outdir", name, str(folder / f"in.{suffix}")]
        try:
            subprocess.run(command, capture_output=True, timeout=_SECONDS, check=True)  # noqa: S603
            made = (folder / "in.docx").read_bytes()
        except (subprocess.SubprocessError, OSError):
            problem = f"LibreOffice could not read this as .{suffix}"
            raise BadInput(problem, where=place, remedy="save it as .docx") from None
    return docx.read(made, place, text_column=text_column, group_column=group_column)


READERS = {suffix: partial(read, suffix=suffix) for suffix in ("odt", "rtf", "doc")}
