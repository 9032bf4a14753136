"""Parquet, workbooks, JSON files, i2b2 and brat: the texts change, all else stays."""

import base64
import hashlib
import io
import json
import re
import zipfile
from datetime import UTC, datetime
from decimal import Decimal

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation

from sfumato import formats
from sfumato.core.errors import BadInput
from sfumato.formats import brat

BOM = b"\xef\xbb\xbf"


def released(path, target, texts, **options):
    source = formats.read(path, **options)
    with formats.writer(target, source, overwrite=True) as out:
        out.write(texts)
        out.commit()
    return source


# ---- Parquet


def table():
    return pa.table(
        {
            "id": pa.array([2**63 - 1, None, 3], pa.int64()),
            "note": pa.array(["calm", None, "wé\n\0ll"]),
            "when": pa.array([datetime(2021, 6, 17, tzinfo=UTC)] * 3, pa.timestamp("us", "UTC")),
            "sum": pa.array([Decimal("1.10"), None, Decimal("2.00")], pa.decimal128(9, 2)),
            "tags": pa.array([["a"], [], None], pa.list_(pa.large_string())),
            "kind": pa.array(["x", "y", "x"]).dictionary_encode(),
            "raw": pa.array([b"\0\xff", None, b""], pa.binary()),
            "map": pa.array([[("k", 1)], None, []], pa.map_(pa.string(), pa.int32())),
        }
    ).replace_schema_metadata({"who": "us", "pandas": "{}"})


def test_parquet_keeps_types_and_row_groups(tmp_path):
    path, target = tmp_path / "n.parquet", tmp_path / "out.parquet"
    pq.write_table(table(), path, row_group_size=2, compression={"id": "zstd", "note": "gzip"})
    source = released(path, target, ["c*lm", None, "★"], text_column="note", group_column="kind")
    assert source.texts == ["calm", None, "wé\n\0ll"]
    assert source.groups == ["x", "y", "x"]
    old, new = pq.ParquetFile(path), pq.ParquetFile(target)
    assert new.schema_arrow.equals(old.schema_arrow)
    assert set(new.metadata.metadata) == {b"ARROW:schema"}
    assert [new.metadata.row_group(i).num_rows for i in range(2)] == [2, 1]
    assert new.metadata.row_group(0).column(0).compression == "ZSTD"
    assert new.read().column("note").to_pylist() == ["c*lm", None, "★"]
    rest = [file.read().drop_columns("note") for file in (new, old)]
    assert rest[0].to_pylist() == rest[1].to_pylist()
    assert rest[0].drop_columns("kind").equals(rest[1].drop_columns("kind"))


def test_parquet_in_parts_is_parquet_whole(tmp_path):
    path = tmp_path / "n.parquet"
    pq.write_table(table(), path, row_group_size=1)
    whole, parts = tmp_path / "whole.parquet", tmp_path / "parts.parquet"
    released(path, whole, ["a", None, "b"], text_column="note")
    chunks = formats.read_chunks(path, text_column="note")
    with formats.atomic_files() as files:
        with formats.chunk_writer(parts, chunks, files) as out:
            for chunk, text in zip(chunks, ["a", None, "b"], strict=True):
                out.write(chunk, [text])
        files.commit()
    assert [chunk.where(0) for chunk in chunks][2].endswith("record 3")
    assert pq.read_table(parts).equals(pq.read_table(whole))
    assert pq.ParquetFile(parts).num_row_groups == 3


@pytest.mark.parametrize(
    "kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.string())]
)
def test_parquet_texts_of_every_type_and_several_columns(tmp_path, kind):
    path, target = tmp_path / "n.parquet", tmp_path / "out.parquet"
    pq.write_table(
        pa.table({"a": pa.array(["x", "y"], kind), "b": pa.array(["1", "2"], kind)}), path
    )
    source = released(path, target, ["X", "1", None, "3"], text_column=["b", "a"])
    assert source.texts == ["x", "1", "y", "2"]
    assert source.groups == ["1", "1", "2", "2"]
    assert pq.read_table(target).schema == pq.read_table(path).schema
    assert pq.read_table(target).to_pydict() == {"a": ["X", "y"], "b": ["1", "3"]}


def test_parquet_faults_are_told(tmp_path):
    path = tmp_path / "n.parquet"
    pq.write_table(table(), path)
    for options, message in (
        ({"text_column": "id"}, "'id' is of the type int64, not text"),
        ({"text_column": "no"}, "no column is named 'no'"),
        ({}, "text column is not named"),
        ({"text_column": "note", "group_column": "id"}, "record 2: the group is empty"),
    ):
        with pytest.raises(BadInput, match=message):
            formats.read(path, **options)
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(BadInput, match="no Parquet file, or damaged"):
        formats.read(path, text_column="note")


# ---- workbooks


def workbook(path):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["id", "note", "also"])
    for row in (
        ["007", "calm & <well>", "same"],
        ["008", "same", "=1+1"],
        [None, None, 1.5],
        ["010", "calm & <well>", None],
        ["011", " spaced\nlines _x0041_", "é"],
    ):
        sheet.append(row)
    sheet["B2"].font = openpyxl.styles.Font(bold=True)
    book.create_sheet("other").append(["same", "private elsewhere"])
    book.save(path)
    share(path)


def share(path):
    """Texts in the table that cells share, as Excel writes them; one with runs and a reading."""
    table, out = [], io.BytesIO()

    def shared(found):
        if found[2] not in table:
            table.append(found[2])
        return f'<c{found[1]} t="s"><v>{table.index(found[2])}</v></c>'

    inline = re.compile(r'<c([^>]*) t="inlineStr"><is><t[^>]*>(.*?)</t></is></c>', re.DOTALL)
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(out, "w") as new:
        parts = {name: old.read(name).decode() for name in old.namelist()}
        for name in parts:
            if name.startswith("xl/worksheets/"):
                parts[name] = parts[name].replace("&#233;", "é")  # as lxml writes it
                parts[name] = inline.sub(shared, parts[name])
        items = "".join(
            f'<si><r><t xml:space="preserve">{one[:2]}</t></r><r><t xml:space="preserve">{one[2:]}'
            '</t></r><rPh sb="0" eb="1"><t>reading</t></rPh></si>'
            for one in table
        )
        space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
        parts["xl/sharedStrings.xml"] = f'<sst xmlns="{space}">{items}</sst>'
        types = parts["[Content_Types].xml"]
        if "sharedStrings" not in types:
            kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
            part = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kind}"/></Types>'
            parts["[Content_Types].xml"] = types.replace("</Types>", part)
        for name, content in parts.items():
            new.writestr(name, content)
    path.write_bytes(out.getvalue())


def test_a_workbook_changes_in_its_text_cells_alone(tmp_path):
    path, target = tmp_path / "n.xlsx", tmp_path / "out.xlsx"
    workbook(path)
    source = formats.read(path, text_column="note")
    assert source.texts == [
        "calm & <well>", "same", None, "calm & <well>", " spaced\nlines A"
    ]  # fmt: skip
    new = ["c*lm", "s*me", None, "ca*m", " ★ \x0b_x0041_&"]
    released(path, target, new, text_column="note", format="xlsx:Sheet")
    assert formats.read(target, text_column="note").texts == new
    old, made = openpyxl.load_workbook(path), openpyxl.load_workbook(target)
    column = [cell.value for cell in made.active["B"]][1:]
    assert column[:4] == ["c*lm", "s*me", None, "ca*m"]
    for name in "AC":
        assert [c.value for c in made.active[name]] == [c.value for c in old.active[name]]
    assert [c.value for c in made["other"][1]] == ["same", "private elsewhere"]
    with zipfile.ZipFile(path) as one, zipfile.ZipFile(target) as other:
        names = [name for name in one.namelist() if not name.startswith("docProps/")]
        assert names == other.namelist()
        changed = {name for name in names if one.read(name) != other.read(name)}
        sheets = {"xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml"}
        lists = {"_rels/.rels", "[Content_Types].xml"}  # without the properties
        assert changed == {*sheets, *lists, "xl/sharedStrings.xml", "xl/workbook.xml"}
        whole = b"".join(other.read(name) for name in other.namelist())
    assert b"calm" not in whole
    assert b"spaced" not in whole


def test_another_sheet_by_its_name(tmp_path):
    """The named sheet changes; all cells of the others stay."""
    path, target = tmp_path / "n.xlsx", tmp_path / "out.xlsx"
    workbook(path)
    options = {"text_column": "private elsewhere", "format": "xlsx:other"}
    assert formats.read(path, **options).texts == []
    book = openpyxl.load_workbook(path)
    book["other"].append(["same", "calm & <well>"])
    book.create_sheet("a.b & c").append(["x"])
    book.save(path)
    share(path)
    assert formats.read(path, **options).texts == ["calm & <well>"]
    released(path, target, ["c*lm"], **options)
    old, made = openpyxl.load_workbook(path), openpyxl.load_workbook(target)
    assert [c.value for c in made["other"][2]] == ["same", "c*lm"]
    for sheet in (old.active.title, "a.b & c"):
        assert [[c.value for c in row] for row in made[sheet]] == [
            [c.value for c in row] for row in old[sheet]
        ]
    assert formats.read(path, text_column="x", format="xlsx:a.b & c").texts == []
    with pytest.raises(BadInput, match="no sheet is named 'absent'"):
        formats.read(path, text_column="x", format="xlsx:absent")


def test_workbook_faults_are_told(tmp_path):
    path = tmp_path / "n.xlsx"
    workbook(path)
    for options, message in (
        ({"text_column": "also"}, "row 3: the text is a formula"),
        ({"text_column": "note", "group_column": "id"}, "row 4: the group is empty"),
        ({"text_column": "no"}, r"named 'no' \(3 columns, among them id, note, also\)"),
    ):
        with pytest.raises(BadInput, match=message):
            formats.read(path, **options)
    out = io.BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
        new.writestr("xl/pivotCache/pivotCacheRecords1.xml", "<x/>")
    path.write_bytes(out.getvalue())
    assert formats.read(path, text_column="note").texts[1] == "same"
    named = {"text_column": "note", "format": "xlsx:Sheet"}
    released(path, tmp_path / "out.xlsx", ["*"] * 2 + [None] + ["*"] * 2, **named)
    with zipfile.ZipFile(tmp_path / "out.xlsx") as made:
        assert not any("pivot" in name for name in made.namelist())
    path.write_bytes(b"PK\3\4 no")
    with pytest.raises(BadInput, match=r"no \.xlsx file, or damaged"):
        formats.read(path, text_column="note")


def plain_workbook(path, change):
    book = openpyxl.Workbook()
    for row in (["id", "note"], ["p1", "Ann has flu"], ["p2", "Bob"]):
        book.active.append(row)
    change(book)
    book.save(path)


def filtered(book):
    book.active.auto_filter.ref = "A1:B3"
    book.active.auto_filter.add_filter_column(1, ["Ann has flu"])


def listed(book):
    rule = DataValidation(type="list", formula1='"Bob,Ann has flu"')
    rule.add("B2")
    book.active.add_data_validation(rule)


def titled(book):
    book.properties.title = "Ann has flu"


def noted(book):
    book.active["B2"].comment = Comment("It was Ann", "Dr. Li")


def footed(book):
    book.active.oddFooter.center.text = "Ann has flu"


def named(book):
    book.defined_names["who"] = DefinedName("who", attr_text='"Ann has flu"')


def charted(book):
    chart = BarChart()
    chart.add_data(Reference(book.active, min_col=2, min_row=1, max_row=3), titles_from_data=True)
    chart.title = "Ann has flu"
    book.active.add_chart(chart, "D2")


CHANGES = [filtered, listed, titled, noted, footed, named, charted]


@pytest.mark.parametrize("change", CHANGES)
def test_copies_of_a_changed_text_are_taken_out(tmp_path, change):
    path, target = tmp_path / "n.xlsx", tmp_path / "out.xlsx"
    plain_workbook(path, change)
    released(path, target, ["★★★ has flu", None], text_column="note")
    made = openpyxl.load_workbook(target)
    assert [cell.value for cell in made.active["B"]] == ["note", "★★★ has flu", "Bob"]
    with zipfile.ZipFile(target) as archive:
        assert not any(b"Ann" in archive.read(name) for name in archive.namelist())
        types = archive.read("[Content_Types].xml").decode()
        assert set(re.findall('PartName="/(.*?)"', types)) <= set(archive.namelist())


@pytest.mark.parametrize("state", ["hidden", "veryHidden"])
def test_hidden_sheets_are_refused(tmp_path, state):
    def hide(book):
        book.create_sheet("old").sheet_state = state

    plain_workbook(tmp_path / "n.xlsx", hide)
    with pytest.raises(BadInput, match="a sheet is hidden"):
        formats.read(tmp_path / "n.xlsx", text_column="note")


def test_formulas_that_quote_a_hidden_word_are_refused(tmp_path):
    def quote(book):
        book.active["C2"] = '=IF(B2="Marlow has flu",1,0)'
        book.active["B2"] = "Marlow has flu"

    plain_workbook(tmp_path / "n.xlsx", quote)
    with pytest.raises(BadInput, match="a formula quotes"):
        released(tmp_path / "n.xlsx", tmp_path / "o.xlsx", ["★ has flu", None], text_column="note")


def test_texts_that_no_cell_has_any_more_are_gone(tmp_path):
    path, target = tmp_path / "n.xlsx", tmp_path / "out.xlsx"
    workbook(path)
    texts = formats.read(path, text_column="note").texts
    out = io.BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            more = b"<si><t>Eve was deleted</t></si></sst>"
            new.writestr(name, old.read(name).replace(b"</sst>", more))
    path.write_bytes(out.getvalue())
    released(path, target, texts, text_column="note")
    with zipfile.ZipFile(target) as made:
        assert b"Eve" not in made.read("xl/sharedStrings.xml")
    assert formats.read(target, text_column="note").texts == texts


# ---- JSON and FHIR


def test_a_json_file_by_path(tmp_path):
    raw = BOM + (
        b'{"entry": [\r\n {"who": {"id": 7}, "note": [{"text": "caf\\u00e9"}, {"text": null}]},'
        b' {"who": {"id": "b"}, "note": [], "x": 12345678901234567890, "x": 1e5},\r\n'
        b' {"who": {"id": "c"}, "note": [{"t": 1, "text": "\xe2\x98\x85 \\ud800"}]}]}  \n'
    )
    path, target = tmp_path / "b.json", tmp_path / "out.json"
    path.write_bytes(raw)
    options = {"text_column": "entry[].note[].text", "group_column": "entry[].who.id"}
    source = released(path, target, ["a", None, "b"], **options)
    assert source.texts == ["café", None, "★ \ud800"]
    assert source.groups == ["7", "7", "c"]
    expected = raw.replace(b"caf\\u00e9", b"a").replace(b"\xe2\x98\x85 \\ud800", b"b")
    assert target.read_bytes() == expected
    assert formats.read(path, text_column="entry[].note[].text").groups == ["1", "1", "3"]


@pytest.mark.parametrize(
    ("raw", "path", "message"),
    [
        (b"{", "a", "line 1, column 2: not valid JSON"),
        (b'{"a": 1}', "a", "text 1: the text is neither a string"),
        (b'{"a": "x"}', "b", "no text stands at this path"),
        (b'{"a": "x"}', "a[]", "expects an array"),
        (b'{"a": [{"b": "x", "b": "y"}]}', "a[].b", "the key 'b' occurs twice"),
        (b"\xff", "a", "not valid UTF-8"),
        (b"[" * 100000, "[].a", "nested too deeply"),
    ],
)
def test_json_faults_are_told(tmp_path, raw, path, message):
    (tmp_path / "n.json").write_bytes(raw)
    with pytest.raises(BadInput, match=message):
        formats.read(tmp_path / "n.json", text_column=path)


def attachment(text, **more):
    data = text.encode()
    return {
        "hash": base64.b64encode(hashlib.sha1(data).digest()).decode(),
        "contentType": "text/plain; charset=utf-8",
        "data": base64.b64encode(data).decode(),
        "title": "note",
        "size": len(data),
        **more,
    }


def test_fhir_attachments_are_decoded_and_their_hash_is_made_anew(tmp_path):
    record = {"id": 1, "content": [{"attachment": attachment("Ann é")}, {"attachment": {}}]}
    path, target = tmp_path / "d.jsonl", tmp_path / "out.jsonl"
    path.write_text(json.dumps(record) + "\n")
    options = {"text_column": "content[].attachment.data"}
    assert formats.read(path, **options).texts == ["Ann é"]
    released(path, target, ["*** ★"], **options)
    made = json.loads(target.read_text())
    assert made["content"][0]["attachment"] == attachment("*** ★")
    both = {"text_column": ["content[].attachment.data", "content[].attachment.title"]}
    released(path, target, ["x", "y"], **both)
    assert json.loads(target.read_text())["content"][0]["attachment"] == attachment("x", title="y")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"contentType": "application/pdf"}, "another type than text"),
        ({"data": "é!"}, "not base64"),
    ],
)
def test_other_attachments_are_refused(tmp_path, more, message):
    (tmp_path / "d.json").write_text(json.dumps({"a": attachment("x", **more)}))
    with pytest.raises(BadInput, match=message):
        formats.read(tmp_path / "d.json", text_column="a.data")


# ---- i2b2 and brat


XML = (
    '<?xml version="1.0" encoding="UTF-8" ?>\r\n<deIdi2b2>\r\n<TEXT><![CDATA[Ann &\r\nBo ]]]]>'
    '<![CDATA[> é]]></TEXT>\r\n<TAGS>\r\n<NAME id="P0" start="0" end="3" text="Ann" TYPE="PATIENT"'
    ' comment="Ho" />\r\n<NAME id="P1" start="4" end="8" text="&amp; Bo" TYPE="DOCTOR" />'
    "\r\n</TAGS>\r\n</deIdi2b2>\r\n"
)


def test_i2b2_tags_follow_the_text(tmp_path):
    path, target = tmp_path / "a.xml", tmp_path / "out.xml"
    path.write_bytes(XML.encode())
    source = released(path, target, ["*** &\n** ]]> é"])
    assert source.texts == ["Ann &\nBo ]]> é"]
    expected = XML.replace("Ann", "***").replace('comment="Ho"', 'comment=""').replace("Bo ", "** ")
    assert target.read_bytes().decode() == expected.replace("&amp; Bo", "&amp; **")
    released(path, target, ["longer & longer"])
    content = target.read_text("utf-8")
    assert "Ann" not in content
    assert "<NAME" not in content
    assert formats.read(target).texts == ["longer & longer"]
    released(path, target, [None])
    assert target.read_bytes() == XML.replace('comment="Ho"', 'comment=""').encode()


@pytest.mark.parametrize(
    "raw", [b"<a>", b"<a><TEXT>x<b/>y</TEXT></a>", b"<a/>", b'<!DOCTYPE a [<!ENTITY b "c">]><a/>']
)
def test_other_xml_is_refused(tmp_path, raw):
    (tmp_path / "a.xml").write_bytes(raw)
    with pytest.raises(BadInput):
        formats.read(tmp_path / "a.xml")


def brat_folder(folder):
    folder.mkdir()
    (folder / "ann_ho.txt").write_text("Ann saw\nBo.")
    (folder / "ann_ho.ann").write_bytes(
        b"T1\tPERSON 0 3\tAnn\r\nT2\tPERSON 0 3;8 10\tAnn Bo\nR1\tSees Arg1:T1 Arg2:T2\t\n"
        b"#1\tAnnotatorNotes T1\tAnn Ho of Leeds\nN1\tReference T1 Wiki:12\tAnn Ho\n"
    )
    (folder / "b.txt").write_text("calm")
    (folder / "b.ann").write_text("T1\tMOOD 0 4\tcalm\n#1\tAnnotatorNotes T1\tnote\n")
    (folder / "annotation.conf").write_text("[entities]\nPERSON\n")


def test_brat_annotations_follow_and_never_quote_what_is_hidden(tmp_path):
    folder, target = tmp_path / "in", tmp_path / "out"
    brat_folder(folder)
    source = released(folder, target, ["*** saw\n**.", "calm"])
    assert source.texts == ["Ann saw\nBo.", "calm"]
    assert (target / "ann_ho.ann").read_bytes() == (
        b"T1\tPERSON 0 3\t***\r\nT2\tPERSON 0 3;8 10\t*** **\nR1\tSees Arg1:T1 Arg2:T2\t\n"
    )
    for name in ("annotation.conf", "b.txt"):
        assert (target / name).read_bytes() == (folder / name).read_bytes()
    released(folder, tmp_path / "longer", ["Someone saw\nBo.", None])
    for name in ("ann_ho.ann", "b.ann"):  # those of b.txt would show that it did not change
        assert (tmp_path / "longer" / name).read_bytes() == b""


def test_files_get_numbers(tmp_path):
    brat_folder(tmp_path / "in")
    source = formats.read(tmp_path / "in")
    with formats.writer(tmp_path / "out", source, number_files=True) as out:
        out.write(source.texts)
        out.commit()
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["1.ann", "1.txt", "2.ann", "2.txt", "annotation.conf"]


def test_values_and_stray_lines_beside_a_changed_text_are_dropped():
    kept = (
        "A2\tNegation T1\nR1\tKin Arg1:T1 Arg2:T2\t\nE1\tBirth:T1 Who:T2\nE2\tDie:T1 \n"
        "*\tSame T1 T2\nM1\tSure E1\r\n"
    )
    dropped = "A1\tName T1 Ann\nAnn wrote this\nR2\tKin Arg1:T1 Arg2:Ann\nEve\nM2\tIs T1 Ann\n"
    raw = (dropped + kept).encode()
    assert brat.released_annotations(raw, "*** is") == kept.encode()


def test_annotations_without_their_text_are_refused(tmp_path):
    brat_folder(tmp_path / "in")
    (tmp_path / "in/b.txt").unlink()
    with pytest.raises(BadInput, match=r"b\.ann: no text belongs to this"):
        formats.read(tmp_path / "in")


def test_a_folder_of_i2b2_files(tmp_path):
    (tmp_path / "in").mkdir()
    for name in "ab":
        (tmp_path / f"in/{name}.xml").write_bytes(XML.encode())
    source = released(tmp_path / "in", tmp_path / "out", ["*** &\n** ]]> é", None])
    assert source.texts == ["Ann &\nBo ]]> é"] * 2
    assert "Ann" not in (tmp_path / "out/a.xml").read_text("utf-8")
    assert all("<NAME" in (tmp_path / f"out/{name}.xml").read_text("utf-8") for name in "ab")
    released(tmp_path / "in", tmp_path / "longer", ["Eve Li &\n** ]]> é", None])
    assert not any("<NAME" in (tmp_path / f"longer/{one}.xml").read_text("utf-8") for one in "ab")


# ---- several columns


def test_several_text_columns_of_a_record_are_documents_of_one_group(tmp_path):
    path, target = tmp_path / "n.csv", tmp_path / "out.csv"
    path.write_bytes(b'a,b,c\r\nx,"1",p\r\ny,2,q\r\n')
    source = released(path, target, ["X", "I", None, "II"], text_column=["b", "a"])
    assert source.texts == ["x", "1", "y", "2"]
    assert source.groups == ["1", "1", "2", "2"]
    assert source.column("c") == ["p", "p", "q", "q"]
    assert target.read_bytes() == b"a,b,c\r\nX,I,p\r\ny,II,q\r\n"
    with pytest.raises(BadInput, match="named twice"):
        formats.read(path, text_column=["a", "a"])
    grouped = formats.read(path, text_column=["a", "b"], group_column="c")
    assert grouped.groups == ["p", "p", "q", "q"]
