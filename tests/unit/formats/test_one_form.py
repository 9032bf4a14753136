"""The bytes of a changed column are those of its released values: nothing of the old ones stays.

Two originals that differ in the changed column alone (values, quotes, escapes, kinds, places of
keys, absent keys, shared texts, dictionaries) must give the same release.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import zipfile

import openpyxl
import pandas
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import formats
from sfumato.core.errors import BadInput
from sfumato.formats import csv as fields
from sfumato.formats import fasta, json_document, jsonl
from sfumato.formats.table import read_table
from sfumato.verification.written_bytes import require_written

VALUES = st.text('ab,;\t"\r\n é★/\\', max_size=4)


def quoted(value):
    return '"' + value.replace('"', '""') + '"'


def as_field(draw, value):
    needs = any(c in value for c in ',"\r\n')
    return quoted(value) if needs or draw(st.booleans()) else value


@st.composite
def csv_pairs(draw):
    """Two files that differ in the column b alone, and cells for it."""
    rows = draw(st.lists(VALUES, min_size=1, max_size=4))
    kept = [as_field(draw, value) for value in rows]
    files = []
    for _ in range(2):
        lines = [f"{one},{as_field(draw, draw(VALUES))},x" for one in kept]
        files.append(("a,b,c\r\n" + "\r\n".join(lines)).encode())
    return (*files, [draw(st.none() | VALUES) for _ in rows])


@settings(max_examples=150)
@given(csv_pairs())
def test_fields_of_a_table_and_of_texts(tmp_path_factory, pair):
    one, other, cells = pair
    path = tmp_path_factory.mktemp("t") / "t.csv"
    made = []
    for raw in (one, other):
        path.write_bytes(raw)
        table = read_table(str(path))
        released = table.frame.with_columns(pl.Series("b", cells, dtype=pl.String))
        content, columns = table.released(released, range(len(cells)), ["b"])
        require_written(content, "csv", released, columns)
        read = list(csv.reader(io.StringIO(content.decode(), newline=""), strict=True))
        assert [row[1] for row in read[1:]] == [cell or "" for cell in cells]
        source = fields.read(raw, "t.csv", text_column="b")
        made.append((content, b"".join(source.pieces([cell or "" for cell in cells]))))
    assert made[0] == made[1]


def as_json(draw, value):
    if draw(st.booleans()):
        return str(draw(st.integers(-9, 9)))
    return json.dumps(value, ensure_ascii=draw(st.booleans()))


@st.composite
def json_pairs(draw):
    """Two files that differ in the members b and d alone, absent ones among them."""
    count = draw(st.integers(1, 4))
    files = []
    for _ in range(2):
        lines = ['{"a": 0, "b": "", "c": null, "d": ""}']
        for i in range(count):
            members = [f'"a": {i}', '"c": "caf\\u00e9"']
            if draw(st.booleans()):
                members.insert(1, f'"b": {as_json(draw, draw(VALUES))}')
            if draw(st.booleans()):
                members.append(f'"\\u0064": {as_json(draw, draw(VALUES))}')
            lines.append("{" + ", ".join(members) + "}")
        files.append("\n".join(lines).encode())
    cells = [[draw(st.none() | VALUES) for _ in range(count + 1)] for _ in range(2)]
    return (*files, *cells)


@settings(max_examples=150)
@given(json_pairs())
def test_members_of_a_table(tmp_path_factory, pair):
    one, other, b, d = pair
    path = tmp_path_factory.mktemp("t") / "t.jsonl"
    made = []
    for raw in (one, other):
        path.write_bytes(raw)
        table = read_table(str(path))
        new = (pl.Series("b", b, dtype=pl.String), pl.Series("d", d, dtype=pl.String))
        released = table.frame.with_columns(new)
        content, columns = table.released(released, range(len(b)), ["b", "d"])
        require_written(content, "jsonl", released, columns)
        read = [json.loads(line) for line in content.decode().split("\n")]
        assert [one["b"] for one in read] == b
        assert [one["d"] for one in read] == d
        made.append(content)
    assert made[0] == made[1]


@settings(max_examples=150)
@given(
    st.lists(st.lists(st.tuples(st.sampled_from("abcd"), VALUES), max_size=4)).filter(any),
)
def test_members_in_any_order_tell_nothing(tmp_path_factory, records):
    """However keys were ordered or absent: the changed ones stand at one place in all records."""
    path = tmp_path_factory.mktemp("t") / "t.jsonl"
    path.write_text("".join(json.dumps(dict(one)) + "\n" for one in records), "utf-8")
    table = read_table(str(path))
    changed = [name for name in "bd" if name in table.frame.columns]
    released = table.frame.with_columns(pl.lit("x").alias(name) for name in changed)
    content, columns = table.released(released, range(len(records)), changed)
    require_written(content, "jsonl", released, columns)
    for line, before in zip(content.decode().splitlines(), records, strict=True):
        assert json.loads(line) == dict(before) | dict.fromkeys(changed, "x")


def test_numbers_stay_numbers_where_all_are(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('{"a": 1, "n": 36}\n{"a": 2}\n{"a": 3, "n": 24}\n')
    table = read_table(str(path))
    for cells, numbers in ((["36", None, "36"], True), (["30-36", None, "36"], False)):
        released = table.frame.with_columns(pl.Series("n", cells))
        content, columns = table.released(released, range(3))
        require_written(content, "jsonl", released, columns)
        found = [json.loads(line)["n"] for line in content.splitlines()]
        assert found == ([36, None, 36] if numbers else cells)


def test_rows_left_out_leave_no_gap(tmp_path):
    for name, raw, expected in (
        ("t.csv", b"a,b\n1,x\n2,y", b"a,b\n2,y\n1,x"),
        ("t.jsonl", b'{"a": 1}\n{"a": 2}', b'{"a": 2}\n{"a": 1}'),
    ):
        (tmp_path / name).write_bytes(raw)
        table = read_table(str(tmp_path / name))
        assert table.released(table.frame[[1, 0]], [1, 0])[0] == expected


def test_the_only_column_left_keeps_its_empty_fields(tmp_path):
    (tmp_path / "t.csv").write_bytes(b"a,b\n1,\n2,x\n")
    table = read_table(str(tmp_path / "t.csv"))
    assert table.released(table.frame.drop("a"), [0, 1])[0] == b'b\n""\nx\n'


def test_texts_of_json():
    one = b'{"t": [{"x": "caf\\u00e9"}, {"x": "\\u0061"}, {"x": null}]}'
    other = '{"t": [{"x": "é"}, {"x": "\\/b"}, {"x": null}]}'.encode()
    for read, path in ((jsonl.read, "t[].x"), (json_document.read, "t[].x")):
        made = {
            b"".join(read(raw, "n", text_column=path).pieces(["★", "a", None]))
            for raw in (one, other)
        }
        assert made == {'{"t": [{"x": "★"}, {"x": "a"}, {"x": null}]}'.encode()}


def test_a_text_that_stayed_looks_like_one_that_changed():
    """One surrogate among real names must not be told by its form."""
    raw = b'{"t": "Ann"}\n{"t": "\\u0042ob"}\n'
    source = jsonl.read(raw, "n.jsonl", text_column="t")
    assert b"".join(source.pieces(["Eve", None])) == b'{"t": "Eve"}\n{"t": "Bob"}\n'
    source = fields.read(b't,u\n"Ann",1\nBob,2\n', "n.csv", text_column="t")
    assert b"".join(source.pieces(["Eve", "Bob"])) == b"t,u\nEve,1\nBob,2\n"


def test_the_width_of_sequences():
    one = b">a\nACGT\nAC\n>b\nAC\n\n>c\nACGTACGT\n"
    other = b">a\nACGT\nAC\n>b\nACGTA\nCG\n\n>c\nAC\nGT\n"
    new = ["ACGTAC", "TTTTT", ""]
    assert {b"".join(fasta.read(raw, "g.fa").pieces(new)) for raw in (one, other)} == {
        b">a\nACGT\nAC\n>b\nTTTT\nT\n\n>c\n"
    }


def test_many_texts_of_one_document_take_linear_time():
    text = json.dumps([{"t": "é" * 40} for _ in range(20_000)], ensure_ascii=False)
    source = json_document.read(text.encode(), "n.json", text_column="[].t")
    assert b"".join(source.pieces(source.texts)).decode() == text


# ---- Parquet


def parquet(table, tmp_path, texts):
    path, target = tmp_path / "n.parquet", tmp_path / "out.parquet"
    pq.write_table(table, path, row_group_size=2)
    with formats.writer(target, formats.read(path, text_column="note"), overwrite=True) as out:
        out.write(texts)
        out.commit()
    return target.read_bytes()


@pytest.mark.parametrize("kind", [pa.string(), pa.dictionary(pa.int8(), pa.string())])
def test_parquet_has_no_trace_of_the_originals(tmp_path, kind):
    new = ["x", "y", None, "x"]
    made = []
    for old in (["SECRET-1", "SECRET-2", None, "x"], ["b", "b", None, "SECRET-1"]):
        table = pa.table({"id": [1, 2, 3, 4], "note": pa.array(old, kind)})
        made.append(parquet(table, tmp_path, new))
        assert b"SECRET" not in made[-1]
        assert pq.read_table(io.BytesIO(made[-1])).column("note").to_pylist() == new
    assert made[0] == made[1]


def test_parquet_notes_beside_columns_are_not_released(tmp_path):
    frame = pandas.DataFrame(
        {"id": [7, 8], "note": pandas.Categorical(["SECRET-1", "SECRET-2"])}, index=["p", "q"]
    )
    frame.attrs = {"seen": "SECRET-3"}
    table = pa.Table.from_pandas(frame)
    field = table.schema.field("note").with_metadata({"longest": "SECRET-1"})
    noted = {**table.schema.metadata, b"huggingface": b"SECRET-4"}
    table = pa.table(table.columns, schema=table.schema.set(1, field).with_metadata(noted))
    made = parquet(table, tmp_path, ["x", "x"])
    assert b"SECRET" not in made
    again = pq.read_table(io.BytesIO(made))
    assert b"num_categories" not in again.schema.metadata[b"pandas"]
    assert again.to_pandas().index.tolist() == ["p", "q"]
    assert again.to_pandas()["note"].tolist() == ["x", "x"]
    assert again.to_pandas()["note"].cat.categories.tolist() == ["x"]


def test_parquet_tables_list_released_values_alone(tmp_path):
    path = tmp_path / "t.parquet"
    frame = pl.DataFrame(
        {
            "job": pl.Series(["SECRET-1", "b", "b"], dtype=pl.Enum(["SECRET-1", "b", "SECRET-2"])),
            "kind": pl.Series(["SECRET-3", "c", "c"], dtype=pl.Categorical),
        }
    )
    frame.write_parquet(path)
    table = read_table(str(path))
    released = table.frame[[1, 2]].with_columns(pl.col("job").cast(pl.Enum(["b"])))
    content, columns = table.released(released, [1, 2])
    require_written(content, "parquet", released, columns)
    assert b"SECRET" not in content
    assert pl.read_parquet(io.BytesIO(content))["job"].to_list() == ["b", "b"]


# ---- workbooks

OVERRIDE = (
    b'<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.'
    b'openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/>'
)
SPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def book(path, notes, *, prefix="", extra="", rows=""):
    """A workbook whose column B has these texts; a number is that of a shared one."""
    plain = openpyxl.Workbook()
    plain.save(path)
    p, items = prefix and prefix + ":", list(dict.fromkeys(["id", "note", *notes, "flu", "cold"]))
    lines = [
        f'<{p}row r="{i + 2}"{rows}><{p}c r="A{i + 2}" t="s"><{p}v>{items.index("flu")}</{p}v>'
        f'</{p}c><{p}c r="B{i + 2}" t="s"><{p}v>{items.index(note)}</{p}v></{p}c></{p}row>'
        for i, note in enumerate(notes)
    ]
    declared = f' xmlns{prefix and ":" + prefix}="{SPACE}"'
    sheet = (
        f"<{p}worksheet{declared}><{p}sheetData>"
        f'<{p}row r="1"><{p}c r="A1" t="s"><{p}v>0</{p}v></{p}c>'
        f'<{p}c r="B1" t="s"><{p}v>1</{p}v></{p}c></{p}row>{"".join(lines)}</{p}sheetData>'
        f"{extra}</{p}worksheet>"
    )
    table = "".join(f"<{p}si><{p}t>{item}</{p}t></{p}si>" for item in items)
    whole = f'<{p}sst{declared} count="99" uniqueCount="{len(items)}">{table}</{p}sst>'
    out = io.BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            if name not in ("xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"):
                listed = old.read(name).replace(b"</Types>", OVERRIDE + b"</Types>")
                new.writestr(name, listed)
        new.writestr("xl/worksheets/sheet1.xml", sheet)
        new.writestr("xl/sharedStrings.xml", whole)
    path.write_bytes(out.getvalue())


def workbook(path, texts):
    target = path.with_name("out.xlsx")
    with formats.writer(target, formats.read(path, text_column="note"), overwrite=True) as out:
        out.write(texts)
        out.commit()
    with zipfile.ZipFile(target) as made:
        assert {info.date_time for info in made.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        parts = {name: made.read(name) for name in made.namelist()}
    assert [c.value for c in openpyxl.load_workbook(target).active["B"]][1:] == texts
    assert [c.value for c in openpyxl.load_workbook(target).active["A"]][1:] == ["flu"] * len(texts)
    return {name: part for name, part in parts.items() if name.startswith("xl/")}


@pytest.mark.parametrize("prefix", ["", "x"])
def test_workbooks_do_not_tell_which_cells_were_equal(tmp_path, prefix):
    made = []
    for notes in (["Ann", "Ann", "Bob"], ["Ann", "Eve", "Eve"], ["flu", "Ann", "cold"]):
        book(tmp_path / "n.xlsx", notes, prefix=prefix)
        assert formats.read(tmp_path / "n.xlsx", text_column="note").texts == notes
        made.append(workbook(tmp_path / "n.xlsx", ["★", "★", "★"]))
        assert not any(b"Ann" in part or b"Eve" in part for part in made[-1].values())
    assert made[0] == made[1] == made[2]


def test_a_workbook_has_no_sizes_that_were_fitted_to_texts(tmp_path):
    fitted = '<cols><col min="2" max="2" width="41.7" bestFit="1" customWidth="1"/></cols>'
    numbers = '<ignoredErrors><ignoredError sqref="B2" numberStoredAsText="1"/></ignoredErrors>'
    book(tmp_path / "n.xlsx", ["Ann", "Bob"], extra=fitted + numbers, rows=' ht="47.3"')
    parts = workbook(tmp_path / "n.xlsx", ["★", "★"])
    sheet = parts["xl/worksheets/sheet1.xml"]
    assert not re.search(rb"41\.7|47\.3|ignoredError", sheet)


@pytest.mark.parametrize(
    "extra",
    [
        '<hyperlinks><hyperlink ref="B3" location="x"/></hyperlinks>',
        '<hyperlinks><hyperlink ref="A1:C9" display="y"/></hyperlinks>',
    ],
)
def test_links_of_changed_cells_are_refused(tmp_path, extra):
    book(tmp_path / "n.xlsx", ["Ann Ho", "Bob"], extra=extra)
    with pytest.raises(BadInput):
        workbook(tmp_path / "n.xlsx", ["★", "★"])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"<v>3</v>", b"<v>300</v>"),
        (b"<v>3</v>", b"<v>3x</v>"),
        (b'r="B3"', b'r="B2"'),
        (b'r="B3"', b'r="A3"'),
        (b"</sheetData>", b""),
        (b"<worksheet", b"<!DOCTYPE a><worksheet"),
    ],
)
def test_sheets_that_are_not_understood_are_refused(tmp_path, old, new):
    path, out = tmp_path / "n.xlsx", io.BytesIO()
    book(path, ["Ann", "Bob"])
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(out, "w") as changed:
        for name in archive.namelist():
            raw = archive.read(name)
            is_sheet = name == "xl/worksheets/sheet1.xml"
            assert not is_sheet or old in raw
            changed.writestr(name, raw.replace(old, new) if is_sheet else raw)
    path.write_bytes(out.getvalue())
    if new == b'r="B2"':
        assert formats.read(path, text_column="note").texts == ["Ann", "Bob"]
        return
    with pytest.raises(BadInput) as caught:
        formats.read(path, text_column="note")
    assert "Ann" not in str(caught.value)


def test_a_sheet_of_unclosed_rows_takes_no_time(tmp_path):
    path, out = tmp_path / "n.xlsx", io.BytesIO()
    book(path, ["Ann"])
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(out, "w") as changed:
        for name in archive.namelist():
            raw = archive.read(name)
            if name == "xl/worksheets/sheet1.xml":
                raw = raw.replace(b"</sheetData>", b"<row>" * 300_000 + b"</sheetData>")
            changed.writestr(name, raw)
    path.write_bytes(out.getvalue())
    with pytest.raises(BadInput, match="nested too deeply"):
        formats.read(path, text_column="note")


# ---- i2b2

DOCUMENT = (
    '<d><TEXT><![CDATA[Ann Ho is ill.]]></TEXT><TAGS><NAME id="P0" start="0" end="6"/></TAGS></d>'
)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("</d>", "<TAGS><NAME text='Ann Ho'/></TAGS></d>"),
        ("</d>", "<NOTE>Ann Ho</NOTE></d>"),
        ("<TAGS>", "<TAGS>Ann Ho"),
        ("<TAGS>", "<TAGS><![CDATA[Ann Ho]]>"),
        ("<TAGS>", "<TAGS><!-- Ann Ho -->"),
        ("<TAGS>", "<TAGS><?note Ann Ho?>"),
        ("<d>", "<!-- Ann Ho --><d>"),
        ("<d>", "<?note Ann Ho?><d>"),
        ("<d>", '<d about="Ann Ho">'),
        ("<TEXT>", '<TEXT about="Ann Ho">'),
        ("</d>", "Ann Ho</d>"),
        ("<TEXT>", "<TEXT/><TEXT>"),
        ('end="6"', 'end="600"'),
        ('end="6"', 'end="Ho"'),
    ],
)
def test_i2b2_files_that_are_not_understood_are_refused(tmp_path, old, new):
    path = tmp_path / "a.xml"
    path.write_text(DOCUMENT.replace(old, new, 1))
    with pytest.raises(BadInput) as caught:
        b"".join(formats.read(path).pieces(["★★★ ★★ is ill."]))
    assert "Ann" not in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<TAGS>", '<TAGS version="1" by="Ann Ho">'),
        ('id="P0"', 'id="Ann"'),
        ('id="P0"', 'id="P0" who="Ann Ho" comment="Ho"'),
        ('id="P0"', 'id="P0" TYPE="ANN"'),
        ("<![CDATA[Ann Ho is ill.]]>", "&#65;nn Ho<![CDATA[ is ill.]]>"),
        ('<NAME id="P0" start="0" end="6"/>', '<A id="D0" time="Ho"><B id="D1" text="Ann"/></A>'),
    ],
)
def test_i2b2_tags_have_nothing_of_the_hidden_text(tmp_path, old, new):
    path = tmp_path / "a.xml"
    path.write_text(DOCUMENT.replace(old, new, 1))
    for text in ("★★★ ★★ is ill.", "Someone is ill."):
        made = b"".join(formats.read(path).pieces([text])).decode()
        assert not re.search("ann|&#65|ho\\b", made, re.IGNORECASE)
        path.write_text(made)
        assert formats.read(path).texts == [text]
        path.write_text(DOCUMENT.replace(old, new, 1))


# ---- around the file


def test_packed_files_have_no_name_and_no_time(tmp_path):
    for name in ("SECRET.csv", "other.csv"):
        path = tmp_path / f"{name}.gz"
        with open(path, "wb") as raw, gzip.GzipFile(name, "wb", fileobj=raw, mtime=12345) as file:
            file.write(b"t\na\n")
        with formats.writer(
            tmp_path / f"out-{name}.gz", formats.read(path, text_column="t")
        ) as out:
            out.write(["b"])
            out.commit()
    made = [(tmp_path / f"out-{name}.gz").read_bytes() for name in ("SECRET.csv", "other.csv")]
    assert made[0] == made[1]
    assert made[0][3:8] == bytes(5)  # no name, no note, no time
