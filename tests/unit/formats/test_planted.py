# ruff: noqa: E501  markup is read better on one line
"""A secret in places of files that nobody sees at once: none of it is in the release."""

from __future__ import annotations

import base64
import email
import io
import zipfile
from email.header import decode_header, make_header
from email.message import EmailMessage

import polars as pl
import pytest

from sfumato import formats
from sfumato.core.errors import BadInput
from sfumato.formats import arrow, docx, mail, packing, parquet, xlsx
from sfumato.formats.table import read_table

word = pytest.importorskip("docx", reason="python-docx makes the documents")
openpyxl = pytest.importorskip("openpyxl", reason="openpyxl makes the workbooks")
pa = pytest.importorskip("pyarrow", reason="pyarrow makes the tables")
import pyarrow.parquet as pq  # noqa: E402

Z = "Zyxomme"


def released(source):
    new = [None if text is None else text.replace(Z, "*" * len(Z)) for text in source.texts]
    return b"".join(source.pieces(new))


def members(raw):
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


# ---- Word

OPEN = "http://schemas.openxmlformats.org/"
SPACES = " ".join(
    f'xmlns:{prefix}="{uri}"'
    for prefix, uri in {
        "w": OPEN + "wordprocessingml/2006/main",
        "r": OPEN + "officeDocument/2006/relationships",
        "v": "urn:schemas-microsoft-com:vml",
        "o": "urn:schemas-microsoft-com:office:office",
        "wp": OPEN + "drawingml/2006/wordprocessingDrawing",
        "a": OPEN + "drawingml/2006/main",
        "mc": OPEN + "markup-compatibility/2006",
        "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
        "x": f"urn:{Z}",
    }.items()
)
P = "<w:p><w:r><w:t>calm and well</w:t></w:r></w:p>"
BOX = f"<w:txbxContent>{P}</w:txbxContent>"


def run(inner, text="calm"):
    return f"<w:p>{inner}<w:r><w:t>{text}</w:t></w:r></w:p>"


def document(inner, parts=None, types="", links=""):
    made, out = io.BytesIO(), io.BytesIO()
    word.Document().save(made)
    old = members(made.getvalue())
    old["word/document.xml"] = (
        f'<w:document {SPACES} mc:Ignorable="w14 x {Z}"><w:body>{inner}</w:body></w:document>'
    ).encode()
    for name, end, more in (
        ("[Content_Types].xml", b"</Types>", types),
        ("word/_rels/document.xml.rels", b"</Relationships>", links),
    ):
        old[name] = old[name].replace(end, more.encode() + end)
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in {**old, **(parts or {})}.items():
            archive.writestr(name, content)
    return out.getvalue()


INSIDE = {
    "list of a control": run(
        f'<w:sdt><w:sdtPr><w:dropDownList><w:listItem w:displayText="{Z}"/></w:dropDownList>'
        f'<w:dataBinding w:xpath="{Z}"/></w:sdtPr><w:sdtContent>{P}</w:sdtContent></w:sdt>'
    ),
    "smart tag": run(
        f'<w:smartTag w:uri="{Z}" w:element="{Z}"><w:smartTagPr><w:attr w:name="{Z}" w:val="{Z}"/>'
        "</w:smartTagPr><w:r><w:t>x</w:t></w:r></w:smartTag>"
    ),
    "field data": run(
        f'<w:r><w:fldChar w:fldCharType="begin"><w:fldData>{Z}</w:fldData><w:ffData>'
        f'<w:helpText w:val="{Z}"/></w:ffData></w:fldChar></w:r>'
    ),
    "style": run(f'<w:pPr><w:pStyle w:val="{Z}"/></w:pPr>'),
    "table": f'<w:tbl><w:tblPr><w:tblStyle w:val="{Z}"/><w:tblCaption w:val="{Z}"/></w:tblPr>'
    f"<w:tr><w:tc>{P}</w:tc></w:tr></w:tbl>",
    "language": run(f'<w:r><w:rPr><w:lang w:val="{Z}"/></w:rPr><w:t>x</w:t></w:r>'),
    "attribute of others": f'<w:p x:note="{Z}"><w:r x:a="{Z}"><w:t>calm</w:t></w:r></w:p>',
    "element of others": f'<x:note who="{Z}">{Z}</x:note>' + P,
    "shape": run(
        f'<w:r><w:pict><v:shape id="{Z}" alt="{Z}" o:spid="{Z}" class="{Z}">'
        f'<v:textpath string="{Z}"/><v:textbox>{BOX}</v:textbox></v:shape></w:pict></w:r>'
    ),
    "drawing": run(
        f'<w:r><w:drawing><wp:inline><wp:docPr id="1" name="{Z}" descr="{Z}" title="{Z}"/><a:graphic>'
        f'<a:graphicData uri="{Z}"><wps:wsp><wps:cNvPr id="2" name="{Z}"/><wps:txbx>{BOX}</wps:txbx>'
        "</wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"
    ),
    "fallback": run(
        "<mc:AlternateContent><mc:Choice Requires='wps'><w:r><w:t>x</w:t></w:r></mc:Choice>"
        f"<mc:Fallback><w:r><w:t>{Z}</w:t></w:r></mc:Fallback></mc:AlternateContent>"
    ),
    "ink": run(f'<w:r><w:contentPart r:id="{Z}"/></w:r>'),
    "list changed": run(f'<w:pPr><w:numPr><w:ins w:id="1" w:author="{Z}"/></w:numPr></w:pPr>'),
    "over two runs": "<w:p><w:r><w:t>Zyx</w:t></w:r><w:r><w:t>omme is ill</w:t></w:r></w:p>",
}


@pytest.mark.parametrize("name", INSIDE)
def test_inside_a_word_document(name):
    for part, raw in members(released(docx.read(document(INSIDE[name]), "a.docx"))).items():
        assert Z.encode() not in raw, part


def part(root, inner):
    return f"<w:{root} {SPACES}><!-- {Z} -->{inner}</w:{root}>".encode()


STYLE = f'<w:style w:customStyle="1" w:styleId="{Z}"><w:name w:val="{Z}"/><w:aliases w:val="{Z}"/>'
BESIDE = {
    "glossary": {"word/glossary/document.xml": Z},
    "custom parts": {"customXml/item1.xml": Z, "docProps/custom.xml": Z, "word/people.xml": Z},
    "other parts": {
        "word/webSettings.xml": Z,
        "word/vbaProject.bin": Z,
        "word/embeddings/a.xlsx": Z,
    },
    "styles": {"word/styles.xml": part("styles", STYLE + f'<w:rsid w:val="{Z}"/></w:style>')},
    "fonts": {
        "word/fontTable.xml": part(
            "fonts", f'<w:font w:name="Arial"><w:altName w:val="{Z}"/></w:font>'
        )
    },
    "lists": {
        "word/numbering.xml": part(
            "numbering", f'<w:abstractNum><w:name w:val="{Z}"/></w:abstractNum>'
        )
    },
    "theme": {"word/theme/theme1.xml": f'<a:theme {SPACES} name="{Z}"><!-- {Z} --></a:theme>'},
    "settings": {
        "word/settings.xml": part(
            "settings",
            f'<w:docVars><w:docVar w:name="{Z}" w:val="{Z}"/></w:docVars><w:compat>'
            f'<w:compatSetting w:name="{Z}"/></w:compat><w:themeFontLang w:val="{Z}"/>',
        )
    },
    "relations": {f"word/_rels/{Z}.xml.rels": "<Relationships/>"},
}


@pytest.mark.parametrize("name", BESIDE)
def test_beside_the_text_of_a_word_document(name):
    types = f'<Override PartName="/{Z}.xml" ContentType="{Z}"/><Default Extension="{Z}" ContentType="a"/>'
    links = f'<Relationship Id="rId99" Type="http://{Z}/a" Target="styles.xml"/>'
    links += f'<Relationship Id="rId98" Type="{OPEN}a" Target="http://{Z}/" TargetMode="External"/>'
    made = members(released(docx.read(document(P, BESIDE[name], types, links), "a.docx")))
    assert not [part for part, raw in made.items() if Z.encode() in raw or Z in part]
    assert word.Document(io.BytesIO(released(docx.read(document(P), "a.docx")))).paragraphs


def test_styles_of_ones_own_are_numbered_and_still_used():
    made = word.Document()
    style = made.styles.add_style(f"{Z} letters", 1)
    style.font.bold = True
    made.add_paragraph("calm", style=style)
    out = io.BytesIO()
    made.save(out)
    again = word.Document(io.BytesIO(released(docx.read(out.getvalue(), "a.docx"))))
    assert again.paragraphs[0].style.name.startswith("Style ")
    assert again.paragraphs[0].style.font.bold


@pytest.mark.parametrize(
    ("inner", "parts", "links"),
    [
        ('<w:altChunk r:id="rId9"/>', {}, ""),
        (P, {"word/numbering.xml": part("numbering", f'<w:lvl><w:lvlText w:val="{Z} %1"/></w:lvl>')}, ""),
        (
            P,
            {f"word/{Z}.xml": part("hdr", P)},
            f'<Relationship Id="rId99" Type="{OPEN}a/header" Target="{Z}.xml"/>',
        ),
    ],
)  # fmt: skip
def test_word_documents_that_are_refused(inner, parts, links):
    with pytest.raises(BadInput) as refused:
        docx.read(document(inner, parts, links=links), "a.docx").pieces(["calm"]).__next__()
    assert Z not in str(refused.value)


# ---- Workbooks


def workbook(change=None):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Visits"
    sheet.append(["id", "note", "other"])
    for i in range(3):
        sheet.append([i, f"note {Z} {i}", "x"])
    if change is not None:
        change(book, sheet)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def with_table(book, sheet):
    table = openpyxl.worksheet.table.Table(displayName="T", ref="A1:C4", comment=Z)
    sheet.add_table(table)


def with_properties(book, sheet):
    book.properties.creator = book.properties.title = Z
    sheet["A2"].comment = openpyxl.comments.Comment(Z, Z)
    sheet["A2"].hyperlink = f"http://{Z}"
    sheet.oddHeader.center.text = Z
    sheet.auto_filter.ref = "A1:C4"
    sheet.auto_filter.add_filter_column(1, [Z])


def with_rules(book, sheet):
    rule = openpyxl.formatting.rule.FormulaRule(formula=[f'$A$1="{Z}"'])
    sheet.conditional_formatting.add("A1:A9", rule)
    listed = openpyxl.worksheet.datavalidation.DataValidation(
        type="list", formula1=f'"{Z},b"', promptTitle=Z, prompt=Z, error=Z
    )
    listed.add("A1:A9")
    sheet.add_data_validation(listed)


@pytest.mark.parametrize("change", [None, with_table, with_properties, with_rules])
def test_beside_the_cells_of_a_workbook(change):
    raw = workbook(change)
    extra = {
        f"xl/theme/{Z}.xml": "<a/>",
        f"xl/worksheets/_rels/{Z}.xml.rels": "<Relationships/>",
        **dict.fromkeys(("xl/threadedComments/a.xml", "xl/persons/person.xml"), Z),
        **dict.fromkeys(("xl/pivotCache/a.xml", "xl/connections.xml", "xl/vbaProject.bin"), Z),
    }
    parts = {**members(raw), **extra}
    parts["xl/theme/theme1.xml"] = f'<theme name="{Z}"><!-- {Z} --></theme>'.encode()
    ends = f"<extLst><ext uri='{Z}'/></extLst><!-- {Z} --></styleSheet>".encode()
    parts["xl/styles.xml"] = parts["xl/styles.xml"].replace(b"</styleSheet>", ends)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    made = members(released(xlsx.read(out.getvalue(), "a.xlsx", text_column="note")))
    assert not [part for part, content in made.items() if Z.encode() in content or Z in part]


def named_sheet(book, sheet):
    sheet.title = f"{Z} 2021"


def named_range(book, sheet):
    name = openpyxl.workbook.defined_name.DefinedName(Z, attr_text="Visits!$A$1")
    book.defined_names[Z] = name


def named_format(book, sheet):
    sheet["A2"].number_format = f'"{Z}" 0'


def named_style(book, sheet):
    sheet["A1"].style = openpyxl.styles.NamedStyle(name=Z)


@pytest.mark.parametrize("change", [named_sheet, named_range, named_format, named_style])
def test_names_with_a_hidden_word_are_refused(change):
    source = xlsx.read(workbook(change), "a.xlsx", text_column="note")
    with pytest.raises(BadInput, match="the name of a") as refused:
        released(source)
    assert Z not in str(refused.value)
    b"".join(source.pieces(source.texts))  # where nothing is hidden, names tell nothing


# ---- Web pages and mail

PAGES = {
    "template": f"<template><p>{Z}</p></template>",
    "noscript": f"<noscript><p>{Z}</p></noscript>",
    "frame": f'<iframe srcdoc="<p>{Z}</p>"></iframe>',
    "data": f'<img src="data:text/plain,{Z}" srcset="{Z}" longdesc="{Z}">',
    "meta": f'<meta name="author" content="{Z}"><link href="{Z}" title="{Z}"><base href="{Z}">',
    "title": f"<title>{Z} <b>{Z}</b></title>",
    "svg": f"<svg><text>{Z}</text><title>{Z}</title><desc>{Z}</desc></svg>",
    "entities": "<p>&#90;yx&#x6f;mme <i title='&#90;yxomme'>Zyx<b>om</b>me</i></p>",
    "comments": f"<!--{Z}--><!--[if IE]>{Z}<![endif]--><![CDATA[{Z}]]><?php {Z} ?><!- {Z} ->",
    "attributes": f'<p data-x="{Z}" id="{Z}" class="{Z}" style="a:{Z}" onclick="{Z}" lang="{Z}">x</p>',
    "form": f'<input name="{Z}" value="{Z}" type="hidden"><textarea><b>{Z}</b></textarea>',
    "choice": f'<select><optgroup label="{Z}"><option value="{Z}" label="{Z}">{Z}</select>',
    "others": f'<{Z}-x a="{Z}">{Z}</{Z}-x><xmp>{Z}</xmp><ruby>{Z}<rt>{Z}</rt></ruby>',
    "media": f'<video title="{Z}"><track label="{Z}"></video><map><area alt="{Z}"></map>',
    "table": f'<table summary="{Z}"><caption>{Z}</caption><th abbr="{Z}">{Z}</th></table>',
    "dates": f'<time datetime="{Z}">x</time><data value="{Z}">x</data><a href="mailto:{Z}">x</a>',
    "plaintext": f"<plaintext>{Z}",
}


@pytest.mark.parametrize("name", PAGES)
def test_in_a_web_page(name, tmp_path):
    (tmp_path / "a.html").write_text(f'<!DOCTYPE html "{Z}"><p>calm</p>{PAGES[name]}')
    source = formats.read(tmp_path / "a.html")
    with formats.writer(tmp_path / "b.html", source) as out:  # lxml reads it again
        out.write([text.replace(Z, "*" * len(Z)) for text in source.texts])
        out.commit()
    assert Z not in (tmp_path / "b.html").read_text()


def message(body="calm\n", **headers):
    made = EmailMessage()
    made["From"], made["Subject"] = "a@b.c", "x"
    made.set_content(body)
    for name, value in headers.items():
        made[name.replace("_", "-")] = value
    return made


def attached():
    inner, outer = message(f"inner {Z}\n", X_Secret=Z), message()
    outer.add_alternative(f"<p>{Z}</p><!--{Z}-->", subtype="html")
    outer.add_attachment(inner)
    outer.add_attachment(f"text {Z}", filename=f"{Z}.txt")
    return outer.as_bytes()


MAILS = {
    "headers": message(X_Note=Z, Message_ID=f"<{Z}@x>", Received=Z, Comments=Z, Return_Path=Z).as_bytes(),
    "encoded": b"From: =?utf-8?b?%b?= <a@b.c>\nSubject: =?utf-8?q?Zyx?= =?utf-8?q?omme?=\n\ncalm\n"
    % base64.b64encode(Z.encode()),
    "quoted": b"From: a@b.c\nContent-Transfer-Encoding: quoted-printable\n\nZyx=\nomme =5Ayxomme\n",
    "attached": attached(),
    "preamble": f'From: a@b.c\nContent-Type: multipart/mixed; boundary="b{Z}"\n\n{Z}\n--b{Z}\n'
    f'Content-Type: text/plain; name="{Z}"\nContent-ID: <{Z}>\n\ncalm\n--b{Z}--\n{Z}\n'.encode(),
    "report": "From: a@b.c\nContent-Type: multipart/report; boundary=b\n\n--b\n"
    f"Content-Type: message/delivery-status\n\nReporting-MTA: dns; {Z}\n\nFinal: {Z}\n\n--b--\n".encode(),
    "folded": f"From: a@b.c\nTo: a,\n {Z} <x@y>,\n\tä{Z}\n\ncalm\n".encode(),
    "calendar": f"From: a@b.c\nContent-Type: text/calendar; method={Z}\n\nSUMMARY:{Z}\n".encode(),
}  # fmt: skip


def all_of(raw):
    """A message, its headers and bodies decoded."""
    yield raw
    for one in email.message_from_bytes(raw).walk():
        yield from (str(make_header(decode_header(str(v)))).encode() for v in one.values())
        yield one.get_payload(decode=True) or b""


@pytest.mark.parametrize("name", MAILS)
def test_in_a_message(name):
    made = released(mail.read(MAILS[name], "a.eml"))
    assert not [one for one in all_of(made) if Z.encode() in one]


def test_attachments_that_are_no_text_are_refused():
    made = message()
    made.add_attachment(b"x", maintype="application", subtype="ms-tnef", filename="winmail.dat")
    with pytest.raises(BadInput, match="attachment"):
        mail.read(made.as_bytes(), "a.eml")


# ---- Columns


def listed(*values):
    return pa.DictionaryArray.from_arrays([0, 0], [*values])


def under_null():
    """A missing text whose characters are still in the buffer."""
    texts = pa.py_buffer(b"a" + Z.encode())
    places = pa.py_buffer(b"".join(n.to_bytes(4, "little") for n in (0, 1, 1 + len(Z))))
    return pa.StringArray.from_buffers(2, places, texts, pa.py_buffer(b"\x01"), 1)


NOTED = pa.field("k", pa.string(), metadata={"note": Z})
COLUMNS = {
    "value that no row has": listed("a", Z),
    "under null": under_null(),
    "cut off": pa.array([Z, "a", "b"]).slice(1),
    "number under null": pa.array([5, 5]),
    "note inside": pa.array([{"k": "a"}, {"k": "b"}], pa.struct([NOTED])),
}


def frame(column):
    field = pa.field("other", column.type, metadata={"note": Z})
    schema = pa.schema([pa.field("note", pa.string()), field], {"seen": Z})
    return pa.table([pa.array([f"a {Z}", "b"]), column], schema)


def without_packing(raw):
    out = io.BytesIO()
    pq.write_table(pq.read_table(io.BytesIO(raw)), out, compression="none")
    said = (pq.ParquetFile(io.BytesIO(raw)).metadata.metadata or {}).values()
    return raw + out.getvalue() + b"".join(base64.b64decode(one + b"==") for one in said)


@pytest.mark.parametrize("name", COLUMNS)
def test_in_other_columns_of_parquet(name):
    out = io.BytesIO()
    pq.write_table(frame(COLUMNS[name]), out, compression="none", write_page_index=True)
    made = released(parquet.read(out.getvalue(), "a.parquet", text_column="note"))
    assert Z.encode() not in without_packing(made)
    assert pq.read_table(io.BytesIO(made))["other"].to_pylist() == COLUMNS[name].to_pylist()


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("kind", [pa.ipc.new_file, pa.ipc.new_stream])
def test_in_other_columns_of_arrow(name, kind):
    out = io.BytesIO()
    table = frame(COLUMNS[name])
    with kind(out, table.schema) as writer:
        writer.write_table(table)
    made = released(arrow.read(out.getvalue(), "a.arrow", text_column="note"))
    assert Z.encode() not in made
    again = pa.ipc.open_file(io.BytesIO(made)).read_all()
    assert again["other"].to_pylist() == COLUMNS[name].to_pylist()


def test_a_released_table_lists_no_value_that_no_row_has(tmp_path):
    rows = pl.Series("other", ["a", "a"], dtype=pl.Enum(["a", Z]))
    pl.DataFrame({"age": ["1", "2"], "other": rows}).write_parquet(tmp_path / "a.parquet")
    table = read_table(str(tmp_path / "a.parquet"))
    made = b"".join(table.cells({"age": ["[1-2]"] * 2}, [0, 1], set()))
    assert Z.encode() not in without_packing(made)


# ---- Size bombs


@pytest.mark.parametrize("kind", ["gz", "zst", "zip"])
def test_what_unpacks_to_much_more_than_it_is_is_refused(kind, tmp_path, monkeypatch):
    monkeypatch.setattr(packing, "LARGE", 1 << 20)
    path = tmp_path / f"a.txt.{kind}"
    with packing.packer(path.open("wb"), kind) as out:
        for _ in range(32):
            out.write(b"a" * (1 << 20))
    with pytest.raises(BadInput, match="200 times"):
        formats.read(path)


@pytest.mark.parametrize(("read", "name"), [(docx.read, "word/a.xml"), (xlsx.read, "xl/a.xml")])
def test_an_archive_that_unpacks_to_much_more_is_refused(read, name, monkeypatch):
    monkeypatch.setattr(packing, "LARGE", 1 << 20)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, b"a" * (32 << 20))
    with pytest.raises(BadInput, match="200 times"):
        read(out.getvalue(), "a")


def test_a_policy_begins_from_an_arrow_file_and_runs(tmp_path, monkeypatch):
    from sfumato.cli.app import run as command

    monkeypatch.chdir(tmp_path)
    rows = {"patient": [f"{Z}{i}" for i in range(30)], "age": [20 + i % 9 for i in range(30)]}
    rows["note"] = [f"seen again and well {Z}{i}" for i in range(30)]
    pl.DataFrame(rows).write_ipc("visits.arrow")
    assert command(["new", "visits.arrow"]) == 0
    assert command(["run", "release.yaml", "-q"]) == 0
    made = pl.read_ipc("release/data/visits.arrow")
    assert made.columns == ["patient", "age", "note"]
    assert made.height == 30
    assert made["age"].value_counts()["count"].min() >= 5
    assert Z.encode() not in (tmp_path / "release/data/visits.arrow").read_bytes()


def test_a_workbook_is_begun_by_classifying_its_columns(tmp_path, monkeypatch, capsys):
    from sfumato.cli.app import run as command

    monkeypatch.chdir(tmp_path)
    (tmp_path / "visits.xlsx").write_bytes(workbook())
    assert command(["new", "visits.xlsx"]) == 2
    assert "columns without a role: note" in capsys.readouterr().err
    assert command(["new", "visits.xlsx", "--columns", "note"]) == 2
    assert "columns without a role: id" in capsys.readouterr().err
    assert not (tmp_path / "release.yaml").exists()


# ---- PDF


def portable(objects, root):
    """A PDF file of these objects, numbered from 1."""
    out, places = b"%PDF-1.7\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    at, size = len(out), len(objects) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table)
    return out + b"trailer\n<< /Size %d %s >>\nstartxref\n%d\n%%%%EOF\n" % (size, root, at)


def stream(content, more=b""):
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(content), more, content)


def test_a_pdf_file_keeps_nothing_beside_its_text():
    pdfium = pytest.importorskip("pypdfium2", reason="pypdfium2 reads PDF")
    from sfumato.formats import pdf

    secret = Z.encode()
    shown = b"BT /F1 12 Tf 50 700 Td (%s is here) Tj 3 Tr 0 -20 Td (%s unseen) Tj ET" % (
        secret,
        secret,
    )
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /Metadata 6 0 R /Outlines 7 0 R /AcroForm << /Fields [10 0 R] >> "
        b"/Names << /EmbeddedFiles << /Names [(%s.txt) 11 0 R] >> >> /OpenAction << /S /JavaScript /JS (%s) >> "
        b"/OCProperties << /OCGs [13 0 R] /D << /Order [13 0 R] >> >> /Lang (%s) >>" % (secret, secret, secret),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Annots [9 0 R 10 0 R] "
        b"/PieceInfo << /X << /Private (%s) >> >> /Resources << /Font << /F1 5 0 R >> >> >>" % secret,
        stream(shown),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        stream(b"<x:xmpmeta>%s</x:xmpmeta>" % secret, b"/Type /Metadata /Subtype /XML"),
        b"<< /Type /Outlines /First 8 0 R /Last 8 0 R /Count 1 >>",
        b"<< /Title (%s) /Parent 7 0 R /Dest [3 0 R /Fit] >>" % secret,
        b"<< /Type /Annot /Subtype /Text /Rect [10 10 30 30] /Contents (%s) /T (%s) >>" % (secret, secret),
        b"<< /Type /Annot /Subtype /Widget /FT /Tx /T (%s) /V (%s) /Rect [50 50 200 70] >>" % (secret, secret),
        b"<< /Type /Filespec /F (%s.txt) /EF << /F 12 0 R >> >>" % secret,
        stream(b"all about %s" % secret, b"/Type /EmbeddedFile"),
        b"<< /Type /OCG /Name (%s) >>" % secret,
        b"<< /Title (%s) /Author (%s) /Keywords (%s) >>" % (secret, secret, secret),
    ]  # fmt: skip
    raw = portable(objects, b"/Root 1 0 R /Info 14 0 R")
    before = pdfium.PdfDocument(raw)
    assert before.get_metadata_dict()["Author"] == Z
    assert before.count_attachments() == 1
    source = pdf.read(raw, "a.pdf")
    assert source.texts[0].count(Z) == 2
    new = released(source)
    assert secret not in new
    after = pdfium.PdfDocument(new)
    assert not any(after.get_metadata_dict().values())
    assert after.count_attachments() == 0
    assert after.get_formtype() == 0
    assert list(after.get_toc()) == []
    assert after[0].get_textpage().get_text_bounded().split() == [
        "*" * len(Z),
        "is",
        "here",
        "*" * len(Z),
        "unseen",
    ]
