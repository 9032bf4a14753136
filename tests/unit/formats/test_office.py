"""Word documents, web pages, mails and PDF files, made by other software and read by it again."""

from __future__ import annotations

import base64
import email.policy
import io
import os
import stat
import zipfile
from email.message import EmailMessage
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato import formats
from sfumato.core.errors import BadInput, NotInstalled
from sfumato.formats import docx, html, mail, office_conversion, pdf
from sfumato.formats.shares import shares

word = pytest.importorskip("docx", reason="python-docx makes the documents")
SPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def released(path, target, change):
    source = formats.read(path)
    new = [change(text) for text in source.texts]
    with formats.writer(target, source) as out:
        out.write(new)
        out.commit()
    return new


def hide(text):
    return text.replace("Marlow", "★" * 6).replace("Ann", "Somebody")


# ---- shares


@given(st.text("ab ", max_size=12), st.text("abc ", max_size=12), st.data())
def test_shares_are_the_new_text_together(old, new, data):
    cuts = sorted(data.draw(st.lists(st.integers(0, len(old)), max_size=3)))
    edges = [0, *cuts, len(old)]
    lengths = [b - a for a, b in pairwise(edges)]
    assert "".join(shares(old, new, lengths)) == new
    pieces = [old[a:b] for a, b in pairwise(edges)]
    assert shares(old, old, lengths) == pieces


# ---- Word


def letter(path):
    made = word.Document()
    made.core_properties.author = made.core_properties.title = "Ann Marlow"
    made.add_heading("About Ann Marlow", 1)
    paragraph = made.add_paragraph("Dear Ann ")
    paragraph.add_run("Mar").bold = True
    paragraph.add_run("low,\tyou\nare well.").font.hidden = True
    table = made.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "Ann", "well & <calm>"
    made.sections[0].header.paragraphs[0].text = "Clinic: Ann Marlow"
    made.sections[0].footer.paragraphs[0].text = "Page of Ann Marlow"
    made.add_comment(paragraph.runs, text="Ann Marlow again", author="Dr. Marlow", initials="M")
    made.save(path)


def test_a_letter_changes_in_its_texts(tmp_path):
    letter(tmp_path / "a.docx")
    source = formats.read(tmp_path / "a.docx")
    assert source.texts == [
        "About Ann Marlow",
        "Dear Ann Marlow,\tyou\nare well.",
        "Ann",
        "well & <calm>",
        "Clinic: Ann Marlow",
        "Page of Ann Marlow",
        "Ann Marlow again",
    ]
    new = released(tmp_path / "a.docx", tmp_path / "b.docx", hide)
    made = word.Document(tmp_path / "b.docx")
    assert [one.text for one in made.paragraphs] == new[:2]
    assert made.tables[0].cell(0, 1).text == "well & <calm>"
    assert made.sections[0].header.paragraphs[0].text == "Clinic: Somebody ★★★★★★"
    runs = made.paragraphs[1].runs
    assert [(one.text, bool(one.bold)) for one in runs[:3]] == [
        ("Dear Somebody ", False),
        ("★★★★★★", True),
        (",\tyou\nare well.", False),
    ]
    assert made.paragraphs[0].style.name == "Heading 1"
    with zipfile.ZipFile(tmp_path / "a.docx") as old, zipfile.ZipFile(tmp_path / "b.docx") as new:
        whole = b"".join(new.read(name) for name in new.namelist())
        assert b"Marlow" not in whole
        assert b"rsid" not in whole
        assert not [name for name in new.namelist() if name.startswith("docProps")]
        for name in ("word/numbering.xml", "word/theme/theme1.xml", "word/fontTable.xml"):
            assert old.read(name) == new.read(name)


def body(path, inner, extra=None):
    """A document whose body is this XML, with further parts."""
    word.Document().save(path)
    out = io.BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            raw = old.read(name)
            if name == "word/document.xml":
                spaces = raw[raw.index(b"xmlns:") : raw.index(b">", raw.index(b"xmlns:"))].decode()
                raw = f"<w:document {spaces}><w:body>{inner}</w:body></w:document>".encode()
            new.writestr(name, raw)
        for name, content in (extra or {}).items():
            new.writestr(name, content)
    path.write_bytes(out.getvalue())


P = "<w:p><w:r><w:t>{}</w:t></w:r></w:p>"
RUN = "<w:r><w:t>in</w:t></w:r>"
BY = 'w:id="1" w:author="Zyx" w:date="2020-01-01T00:00:00Z"'
TRACKED = {
    "deletion": f"<w:del {BY}><w:r><w:delText>Zyx</w:delText></w:r></w:del>",
    "moved": f"<w:moveFrom {BY}><w:r><w:t>Zyx</w:t></w:r></w:moveFrom>",
    "format": f"<w:r><w:rPr><w:rPrChange {BY}><w:rPr/></w:rPrChange></w:rPr></w:r>",
    "author": f"<w:ins {BY}>{RUN}</w:ins>",
    "ids": '<w:r w:rsidR="00Zyx"><w:t>in</w:t></w:r>',
    "field": "<w:r><w:instrText>HYPERLINK &quot;mailto:Zyx&quot;</w:instrText></w:r>",
    "simple field": f'<w:fldSimple w:instr="AUTHOR Zyx">{RUN}</w:fldSimple>',
    "link": f'<w:hyperlink w:anchor="Zyx" w:tooltip="Zyx">{RUN}</w:hyperlink>',
    "bookmark": '<w:bookmarkStart w:id="0" w:name="Zyx"/><w:bookmarkEnd w:id="0"/>',
    "control": f'<w:sdt><w:sdtPr><w:alias w:val="Zyx"/></w:sdtPr><w:sdtContent>{RUN}'
    "</w:sdtContent></w:sdt>",
    "comment of XML": "<!-- Zyx -->",
    "instruction": "<?note Zyx?>",
    "picture": '<w:r><w:drawing><wp:inline><wp:docPr id="1" name="Zyx" descr="Zyx"/></wp:inline>'
    "</w:drawing></w:r>",
    "permission": '<w:permStart w:id="1" w:ed="Zyx"/>',
}


@pytest.mark.parametrize("name", TRACKED)
def test_what_is_no_text_is_taken_out(tmp_path, name):
    path = tmp_path / "a.docx"
    body(path, f"<w:p>{TRACKED[name]}<w:r><w:t>calm</w:t></w:r></w:p>")
    released(path, tmp_path / "b.docx", str)
    assert not any("Zyx" in text for text in formats.read(path).texts)
    with zipfile.ZipFile(tmp_path / "b.docx") as made:
        assert not [one for one in made.namelist() if b"Zyx" in made.read(one)]
    inserted = "in" if "<w:t>in" in TRACKED[name] else ""
    assert formats.read(tmp_path / "b.docx").texts == [f"{inserted}calm"]
    assert word.Document(tmp_path / "b.docx").paragraphs[0].text.endswith("calm")


def test_text_boxes_are_read_once_and_written(tmp_path):
    box = (
        "<w:p><w:r><w:t>before</w:t></w:r><w:r><mc:AlternateContent><mc:Choice Requires='wps'>"
        "<w:drawing><wp:inline><wp:docPr id='1' name='Zyx' descr='Zyx'/><w:txbxContent>"
        f"{P.format('in a box')}</w:txbxContent></wp:inline></w:drawing></mc:Choice><mc:Fallback>"
        f"<w:pict><w:txbxContent>{P.format('in a box')}</w:txbxContent></w:pict></mc:Fallback>"
        "</mc:AlternateContent></w:r><w:r><w:t> after</w:t></w:r></w:p>"
    )
    space = "xmlns:mc='http://schemas.openxmlformats.org/markup-compatibility/2006'"
    body(
        tmp_path / "a.docx", box.replace("<mc:AlternateContent>", f"<mc:AlternateContent {space}>")
    )
    assert formats.read(tmp_path / "a.docx").texts == ["before after", "in a box"]
    released(tmp_path / "a.docx", tmp_path / "b.docx", str.upper)
    assert formats.read(tmp_path / "b.docx").texts == ["BEFORE AFTER", "IN A BOX"]
    with zipfile.ZipFile(tmp_path / "b.docx") as made:
        assert b"Zyx" not in made.read("word/document.xml")


@pytest.mark.parametrize("inner", ['<w:altChunk r:id="rId1"/>', "loose text", "<w:t>loose</w:t>"])
def test_documents_that_are_not_understood_are_refused(tmp_path, inner):
    body(tmp_path / "a.docx", inner)
    with pytest.raises(BadInput) as caught:
        formats.read(tmp_path / "a.docx")
    assert "loose" not in str(caught.value)


def test_other_parts_are_not_released(tmp_path):
    extra = {"customXml/item9.xml": "<a>Zyx</a>", "word/vbaProject.bin": "Zyx"}
    extra |= {"word/media/image1.png": "Zyx", "docProps/custom.xml": "<a>Zyx</a>"}
    body(tmp_path / "a.docx", P.format("calm"), extra)
    released(tmp_path / "a.docx", tmp_path / "b.docx", str)
    with zipfile.ZipFile(tmp_path / "b.docx") as made:
        assert not set(extra) & set(made.namelist())


def test_a_damaged_document_is_refused():
    for raw in (b"no", b"PK\3\4 no"):
        with pytest.raises(BadInput):
            docx.read(raw, "a.docx")


# ---- web pages

PAGE = """<!DOCTYPE html><html lang="en"><head><title>About Ann</title>
<meta name="author" content="Zyx"><link href="Zyx"><style>.Zyx {}</style>
<script>var a = "Zyx <p>"</script></head>
<body class="Zyx" data-x="Zyx"><!-- Zyx --><h1 id="Zyx">Ann <em>Mar</em>low</h1>
<p onclick="Zyx" style="Zyx">is <a href="mailto:Zyx" title="Ann here">ill</a> &amp; caf&eacute;</p>
<img src="Zyx.png" alt="Ann Marlow"><input value="Ann" placeholder="name" type="text">
<table><tr><td colspan="2">cell</td></tr></table><zyx-tag>own</zyx-tag><svg><text>Zyx?</text></svg>
<noscript>Zyx</noscript><template>Zyx</template></body></html>
"""


def test_a_page_changes_in_its_texts():
    lxml = pytest.importorskip("lxml.html", reason="lxml reads the page")
    source = html.read(PAGE.encode(), "a.html")
    assert source.texts[:2] == ["About Ann", "Ann Marlow"]
    assert {"Ann here", "is ill & café", "cell", "ownZyx?\n"} <= set(source.texts)
    new = [hide(text) for text in source.texts]
    made = b"".join(source.pieces(new))
    assert made.isascii()
    assert b"Zyx" not in made.replace(b"Zyx?", b"")
    assert b"Ann" not in made
    assert html.read(made, "b.html").texts == new
    page = lxml.document_fromstring(made)
    assert page.xpath("string(//h1)") == "Somebody ★★★★★★"
    assert page.xpath("string(//h1/em)") == "★★★★★★"
    assert page.xpath("string(//img/@alt)") == "Somebody ★★★★★★"
    assert page.xpath("//td/@colspan") == ["2"]
    assert not page.xpath("//@href | //@src | //@class | //@style | //comment() | //script")


@given(
    st.lists(
        st.sampled_from(
            [
                "<p>",
                "</p>",
                "<b>",
                "</b",
                "<!--",
                "-->",
                "<script>",
                "x",
                "é",
                "&lt;",
                "<",
                '"',
                "</script>",
                "<p title='y'>",
            ]
        ),
        max_size=12,
    )
)
def test_any_page_is_read_back_with_its_texts(tokens):
    page = html.page_of("".join(tokens))
    new = {i: text.upper() for i, text in enumerate(page.texts)}
    assert html.page_of(page.written(new).decode()).texts == list(new.values())


# ---- mail


def message():
    made = EmailMessage(policy=email.policy.default)
    made["From"], made["To"] = "Ann Marlow <ann@example.org>", "José <jose@example.org>"
    made["Subject"], made["Date"] = "Ann Marlow is ill — today", "Mon, 16 Nov 2026 10:00:00 +0000"
    made["X-Originating-IP"], made["Message-ID"] = "Zyx", "<Zyx@example.org>"
    made["Received"] = "from Zyx"
    made.set_content("Ann Marlow is ill.\nCafé = good\n", cte="quoted-printable")
    made.add_alternative("<p>Ann <b>Marlow</b> is ill.</p><!-- Zyx -->", subtype="html")
    made.add_attachment("Ann again", filename="Zyx.txt")
    inner = EmailMessage(policy=email.policy.default)
    inner["Subject"], inner["X-Id"] = "an older one of Ann", "Zyx"
    inner.set_content("latin: é", charset="latin-1", cte="base64")
    made.add_attachment(inner)
    return made


def test_a_message_changes_in_its_texts(tmp_path):
    (tmp_path / "a.eml").write_bytes(message().as_bytes())
    source = formats.read(tmp_path / "a.eml")
    assert source.texts[:4] == [
        "Mon, 16 Nov 2026 10:00:00 +0000",
        "Ann Marlow <ann@example.org>",
        "José <jose@example.org>",
        "Ann Marlow is ill — today",
    ]
    assert source.texts[4:6] == ["Ann Marlow is ill.\nCafé = good\n", "Ann Marlow is ill."]
    assert source.texts[-2:] == ["an older one of Ann", "latin: é\n"]
    released(tmp_path / "a.eml", tmp_path / "b.eml", hide)
    raw = (tmp_path / "b.eml").read_bytes()
    made = email.message_from_bytes(raw, policy=email.policy.default)
    assert made["subject"] == "Somebody ★★★★★★ is ill — today"
    assert made.get_body(("plain",)).get_content() == "Somebody ★★★★★★ is ill.\nCafé = good\n"
    assert "<b>&#9733;" in made.get_body(("html",)).get_content()
    assert set(made.keys()) == {
        *("Date", "From", "To", "Subject", "MIME-Version", "Content-Type"),
    }
    assert b"Zyx" not in raw
    decoded = [base64.b64decode(p.get_payload()) for p in made.walk() if not p.is_multipart()]
    assert not any(b"Zyx" in one or b"Ann" in one for one in decoded)


def test_a_mailbox_has_a_group_for_each_message(tmp_path):
    one = b"From: Ann\nSubject: a\n\nFirst.\n>From here.\n"
    two = b"From: Bob\n\nSecond.\n"
    box = b"From ann Mon Nov 16 10:00:00 2026\n" + one + b"\nFrom bob Mon Nov 16\n" + two
    (tmp_path / "a.mbox").write_bytes(box)
    source = formats.read(tmp_path / "a.mbox")
    assert source.texts == ["Ann", "a", "First.\nFrom here.\n\n", "Bob", "Second.\n"]
    assert source.groups == ["1", "1", "1", "2", "2"]
    new = released(tmp_path / "a.mbox", tmp_path / "b.mbox", str.upper)
    assert formats.read(tmp_path / "b.mbox").texts == new


def test_attachments_of_other_kinds_are_refused():
    made = message()
    made.add_attachment(b"\x89PNG", maintype="image", subtype="png", filename="x.png")
    with pytest.raises(BadInput, match="another kind than text"):
        mail.read(made.as_bytes(), "a.eml")
    with pytest.raises(BadInput, match="charset"):
        mail.read(b"Content-Type: text/plain; charset=utf-8\n\n\xff\n", "a.eml")


# ---- PDF

PAGES = ["Ann Marlow is ill.\nShe has (flu) \\ é €", "second page\nof text"]


def test_a_pdf_file_is_made_anew(tmp_path):
    pytest.importorskip("pypdfium2", reason="pypdfium2 reads PDF")
    raw = pdf.made(PAGES, "a.pdf")
    (tmp_path / "a.pdf").write_bytes(raw)
    assert formats.read(tmp_path / "a.pdf").texts == PAGES
    new = released(tmp_path / "a.pdf", tmp_path / "b.pdf", hide)
    assert formats.read(tmp_path / "b.pdf").texts == new
    assert b"Marlow" not in (tmp_path / "b.pdf").read_bytes()
    released(tmp_path / "a.pdf", tmp_path / "b.txt", hide)
    assert (tmp_path / "b.txt").read_text() == "\f".join(new)
    with pytest.raises(BadInput, match="no font"):
        released(tmp_path / "a.pdf", tmp_path / "c.pdf", lambda text: "漢")


def test_a_scanned_page_is_refused(tmp_path):
    pdfium = pytest.importorskip("pypdfium2", reason="pypdfium2 makes the page")
    file = pdfium.PdfDocument.new()
    page = file.new_page(200, 200)
    image = pdfium.PdfImage.new(file)
    image.set_bitmap(pdfium.PdfBitmap.new_native(20, 20, 4))
    image.set_matrix(pdfium.PdfMatrix().scale(100, 100))
    page.insert_obj(image)
    page.gen_content()
    file.save(tmp_path / "a.pdf")
    with pytest.raises(BadInput, match=r"page 1: the page is a picture"):
        formats.read(tmp_path / "a.pdf")
    with pytest.raises(BadInput, match="no PDF file"):
        pdf.read(b"%PDF-1.4 no", "a.pdf")


# ---- other office programs


def test_other_programs_are_read_by_libreoffice(tmp_path, monkeypatch):
    letter(tmp_path / "made.docx")
    (tmp_path / "a.odt").write_bytes(b"what LibreOffice reads")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NotInstalled, match="LibreOffice"):
        formats.read(tmp_path / "a.odt")
    program = tmp_path / "soffice"
    find = 'while [ "$1" != --outdir ]; do shift; done'
    program.write_text(f'#!/bin/sh\n{find}\n/bin/cp {tmp_path}/made.docx "$2"/in.docx\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    assert formats.read(tmp_path / "a.odt").texts[0] == "About Ann Marlow"
    released(tmp_path / "a.odt", tmp_path / "b.docx", hide)
    with pytest.raises(BadInput, match=r"no \.odt file is written"):
        released(tmp_path / "a.odt", tmp_path / "b.odt", hide)
    assert set(office_conversion.KINDS) == {"odt", "rtf", "doc", "ods", "xls"}


# ---- folders


def test_a_folder_of_letters(tmp_path):
    (tmp_path / "in" / "ward").mkdir(parents=True)
    letter(tmp_path / "in" / "a.docx")
    (tmp_path / "in" / "b.html").write_text("<p>Ann Marlow</p><p>calm</p>")
    (tmp_path / "in" / "ward" / "c.txt").write_text("Ann Marlow was here")
    source = formats.read(tmp_path / "in")
    assert source.groups == ["1"] * 7 + ["2"] * 2 + ["3"]
    new = [hide(text) for text in source.texts]
    with formats.writer(tmp_path / "out", source, number_files=True) as out:
        out.write(new)
        out.commit()
    assert sorted(os.listdir(tmp_path / "out")) == ["1.docx", "2.html", "3.txt"]
    assert formats.read(tmp_path / "out").texts == new
