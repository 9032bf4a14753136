"""Files that LibreOffice made, with a secret in every place that it writes; and read back by it.

The samples are flat files of OpenDocument, so that their secrets can be seen: title, author,
subject, keyword, own property, header, footer, heading, runs of two formats, tracked deletion,
footnote, comment, hidden text, bookmark, link, text box, alternative text, table, list.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from sfumato import formats

SECRET = "Zyxomme"
SAMPLES = Path(__file__).parent / "samples"
OFFICE = shutil.which("soffice") or shutil.which("libreoffice")
pytestmark = pytest.mark.skipif(OFFICE is None, reason="LibreOffice is not installed")
KINDS = {"letter.fodt": ("docx", "odt", "rtf", "doc", "html", "pdf"), "sheet.fods": ("xlsx", "ods")}
BECOMES = {"odt": "docx", "rtf": "docx", "doc": "docx", "ods": "xlsx"}


def convert(source: Path, to: str, folder: Path) -> Path:
    profile = (folder / "profile").as_uri()
    command = [OFFICE, f"-env:UserInstallation={profile}", "--headless", "--convert-to", to]
    command += ["--outdir", str(folder), str(source)]
    subprocess.run(command, capture_output=True, timeout=180, check=True)
    return folder / f"{source.stem}.{to.partition(':')[0]}"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("office")
    return {
        to: convert(SAMPLES / name, to, folder) for name, kinds in KINDS.items() for to in kinds
    }


def parts(raw: bytes) -> dict[str, bytes]:
    if not zipfile.is_zipfile(io.BytesIO(raw)):
        return {"": raw}
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def legible(path: Path, kind: str, folder: Path) -> str:
    """The text as another program reads it."""
    if kind == "docx":
        return convert(path, "txt:Text", folder).read_text("utf-8-sig")
    if kind == "xlsx":
        return convert(path, "csv", folder).read_text()
    if kind == "html":
        import lxml.html

        return lxml.html.parse(str(path)).getroot().text_content()
    pypdfium2 = pytest.importorskip("pypdfium2", reason="pypdfium2 is not installed")
    file = pypdfium2.PdfDocument(path.read_bytes())
    return "\n".join(page.get_textpage().get_text_bounded() for page in file)


@pytest.mark.parametrize("kind", [kind for kinds in KINDS.values() for kind in kinds])
def test_no_secret_is_left_and_the_text_is_there(made, kind, tmp_path):
    source = formats.read(made[kind], text_column="note" if kind in ("xlsx", "ods") else None)
    assert any(SECRET in text for text in source.filled)
    texts = [text.replace(SECRET, "*" * len(SECRET)) for text in source.filled]
    suffix = BECOMES.get(kind, kind)
    target = tmp_path / f"out.{suffix}"
    with formats.writer(target, source) as out:
        out.write(texts)
        out.commit()
    for name, raw in parts(target.read_bytes()).items():
        assert SECRET.lower().encode() not in raw.lower(), name
        assert SECRET.encode() not in re.sub(rb"<[^>]*>", b"", raw), name
    again = legible(target, suffix, tmp_path)
    assert SECRET not in again
    assert re.search(r"[Ss]een again", again)


def test_what_is_read_is_what_libreoffice_shows(made, tmp_path):
    shown = convert(made["docx"], "txt:Text", tmp_path).read_text("utf-8-sig")
    read = "\n".join(formats.read(made["docx"]).filled)
    for line in filter(None, (line.strip(" •\t") for line in shown.splitlines())):
        kept = line.removesuffix(f"deleted {SECRET}")  # LibreOffice shows what was deleted, too
        assert re.sub(r"\d", "", kept) in read, len(line)  # numbers of notes are no text
    for kind in ("odt", "doc", "rtf"):
        some = formats.read(made[kind]).filled
        assert sum(SECRET in text for text in some) >= 10, kind
