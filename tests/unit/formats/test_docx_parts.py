"""Word documents with few parts: what the standard allows is read, what it demands is asked for."""

from __future__ import annotations

import zipfile

import pytest

from sfumato.cli.app import run

WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
OFFICE = "http://schemas.openxmlformats.org"
PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{OFFICE}/package/2006/content-types">'
    '<Default Extension="xml" ContentType="application/xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{OFFICE}/package/2006/relationships">'
    f'<Relationship Id="a" Type="{OFFICE}/officeDocument/2006/relationships/officeDocument" '
    'Target="word/document.xml"/></Relationships>',
    "word/document.xml": f"<w:document {WORD}><w:body>"
    + "<w:p><w:r><w:t>All are well.</w:t></w:r></w:p>" * 2
    + "</w:body></w:document>",
}


def written(folder, without=None):
    with zipfile.ZipFile(folder / "note.docx", "w") as archive:
        for name, content in PARTS.items():
            if name != without:
                archive.writestr(name, content)


def test_a_document_that_leads_nowhere_is_released(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written(tmp_path)
    assert run(["suppress", "note.docx", "-k", "2", "-o", "out.docx"]) == 0


@pytest.mark.parametrize("missing", list(PARTS))
def test_a_document_without_a_part_that_it_must_have_is_bad_input(
    tmp_path, monkeypatch, capsys, missing
):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, without=missing)
    assert run(["suppress", "note.docx", "-k", "2", "-o", "out.docx"]) == 2
    assert "is no Word document, or damaged" in capsys.readouterr().err
    assert not (tmp_path / "out.docx").exists()
