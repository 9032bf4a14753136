"""Workbooks as tables: columns recoded, kept, dropped; a secret in every place, none released."""

from __future__ import annotations

import datetime
import io
import re
import shutil
import subprocess
import warnings
import zipfile
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adversarial.books import share
from sfumato.cli.app import run
from sfumato.core.errors import BadInput, NotVerified
from sfumato.formats.sheet_styles import kind_of
from sfumato.formats.table import read_table
from sfumato.verification.written_bytes import require_written

openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
SECRET = "Zyxomme"
OFFICE = shutil.which("soffice") or shutil.which("libreoffice")
SPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def people():
    """A book with people, made by openpyxl, the secret in every place that it can write."""
    from openpyxl.chart import BarChart, Reference
    from openpyxl.comments import Comment
    from openpyxl.formatting.rule import CellIsRule, FormulaRule
    from openpyxl.styles import Font, NamedStyle, PatternFill
    from openpyxl.workbook.defined_name import DefinedName
    from openpyxl.worksheet.datavalidation import DataValidation
    from openpyxl.worksheet.table import Table

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "People"
    sheet.append(["who", "name", "born", "town", "ill", "dose", "paid", "seen", "initial", "note"])
    for i in range(20):
        born = datetime.date(1950 + i % 4, 1 + i % 12, 1 + i)
        when = datetime.datetime(2021, 3, 1 + i, 10, 30)
        text = f"seen again and well, {SECRET}{i}"
        row = [f"p{i}", f"{SECRET}{i} Marlow", born, f"{SECRET} town", i % 3 == 0, 1.5 * i, i * 10]
        sheet.append([*row, when, f'=LEFT(B{i + 2},9)&"{SECRET}"', text])
    sheet["A1"].font = Font(bold=True)
    sheet["B2"].comment = Comment(SECRET, SECRET)
    sheet["F3"].comment = Comment(SECRET, SECRET)
    sheet["B3"].hyperlink = f"http://example.org/{SECRET}"
    sheet["G3"].hyperlink = f"mailto:{SECRET}@example.org"
    sheet["F4"].fill = PatternFill("solid", fgColor="FFFF00")
    sheet["G2"].number_format = f'0 "{SECRET}"'
    book.add_named_style(NamedStyle(name=SECRET, font=Font(italic=True)))
    sheet["B5"].style = SECRET
    sheet.freeze_panes = "B2"
    sheet.column_dimensions["B"].width = 44
    sheet.column_dimensions["F"].width = 22
    sheet.row_dimensions[7].hidden = True
    sheet.oddHeader.center.text = sheet.evenFooter.left.text = SECRET
    sheet.auto_filter.ref = "A1:J21"
    sheet.auto_filter.add_filter_column(1, [f"{SECRET}3 Marlow"])
    sheet.conditional_formatting.add("B2:B21", CellIsRule("equal", [f'"{SECRET}"']))
    sheet.conditional_formatting.add("F2:F21", FormulaRule([f'$B2="{SECRET}"']))
    chosen = DataValidation(type="list", formula1=f'"{SECRET},none"', prompt=SECRET, error=SECRET)
    chosen.add("B2:B21")
    sheet.add_data_validation(chosen)
    sheet.protection.password = "x"
    book.defined_names[SECRET] = DefinedName(SECRET, attr_text=f'"{SECRET}"', comment=SECRET)
    for name in ("creator", "title", "subject", "description", "keywords", "category"):
        setattr(book.properties, name, SECRET)
    hidden = book.create_sheet("Hidden")
    hidden.append(["name", "key"])
    hidden.append([f"{SECRET}3 Marlow", 3])
    hidden.sheet_state = "hidden"
    hidden.add_table(Table(displayName=f"T{SECRET}", ref="A1:B2"))
    chart = BarChart()
    chart.title = SECRET
    chart.add_data(Reference(hidden, min_col=2, min_row=1, max_row=2), titles_from_data=True)
    sheet.add_chart(chart, "L2")
    return book


def saved(book):
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def with_results(raw):
    """The results of formulas, caches of a pivot table and of other books, and leftovers."""
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    share(parts)
    name = "xl/worksheets/sheet1.xml"
    sheet = re.sub(
        r'<c r="(I\d+)"[^>]*><f>(.*?)</f><v ?/?>(</v>)?</c>',
        rf'<c r="\1" t="str"><f>\2</f><v>{SECRET}</v></c>',
        parts[name].decode(),
    )
    assert f"<v>{SECRET}</v>" in sheet
    extra = f'<extLst><ext uri="x"><a xmlns="urn:a">{SECRET}</a></ext></extLst></worksheet>'
    parts[name] = sheet.replace("</worksheet>", extra).encode()
    shared = parts["xl/sharedStrings.xml"].decode().replace("</sst>", "")
    unused = f'<si><r><t>{SECRET[:3]}</t></r><r><t>{SECRET[3:]}</t></r><rPh sb="0" eb="1"><t>'
    parts["xl/sharedStrings.xml"] = f"{shared}{unused}{SECRET}</t></rPh></si></sst>".encode()
    cache = f'<pivotCacheDefinition xmlns="{SPACE}"><s v="{SECRET}"/></pivotCacheDefinition>'
    parts["xl/pivotCache/pivotCacheDefinition1.xml"] = cache.encode()
    parts["xl/externalLinks/externalLink1.xml"] = f"<a><v>{SECRET}</v></a>".encode()
    parts["customXml/item1.xml"] = f"<a>{SECRET}</a>".encode()
    parts["xl/threadedComments/threadedComment1.xml"] = f"<a>{SECRET}</a>".encode()
    parts["docProps/thumbnail.jpeg"] = SECRET.encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.comment = SECRET.encode()
        for one, content in parts.items():
            archive.writestr(one, content)
    return out.getvalue()


def by_office(path: Path, to: str) -> Path:
    folder = path.parent / "made"
    folder.mkdir(exist_ok=True)
    profile = (folder / "profile").as_uri()
    command = [OFFICE, f"-env:UserInstallation={profile}", "--headless", "--convert-to", to]
    command += ["--outdir", str(folder), str(path)]
    subprocess.run(command, capture_output=True, timeout=180, check=True)
    return folder / f"{path.stem}.{to}"


ROLES = {
    "name": {"role": "drop"},
    "born": {"kind": "date"},
    "town": {"role": "drop"},
    "ill": {"role": "sensitive"},
    "dose": {"kind": "number", "role": "insensitive"},
    "paid": {"kind": "number"},
    "seen": {"role": "insensitive"},
    "initial": {"role": "drop"},
    "note": {"kind": "text"},
}


def release(folder, path):
    """A policy of every column, run by the command line: the released workbook."""
    (folder / "s.yaml").write_text(
        yaml.safe_dump({"person": "who", "others": "refuse", "columns": ROLES})
    )
    kind = path.suffix[1:]
    stated = {
        "version": 1,
        "input": {"path": str(path), "sheet": "People", "columns": ["note"], "person": "who"},
        "schema": "s.yaml",
        "recognizer": "rules-en",
        "stages": [{"verb": "anonymize", "k": 4}, {"verb": "suppress", "k": 4}],
        "publish": ["seen", "dose"],
        "output": {"path": f"release-{kind}"},
    }
    (folder / f"{kind}.yaml").write_text(yaml.safe_dump(stated))
    assert run(["run", str(folder / f"{kind}.yaml"), "-q"]) == 0
    assert run(["verify", str(folder / f"release-{kind}"), "-q"]) == 0
    return folder / f"release-{kind}" / "data" / f"{path.stem}.xlsx"


def no_secret(folder):
    """No file of a release holds the secret, nor any part of a packed one, by its words."""
    for path in (one for one in folder.rglob("*") if one.is_file()):
        raw = path.read_bytes()
        found = {"": raw}
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                found |= {name: archive.read(name) for name in archive.namelist()}
        for name, content in found.items():
            assert SECRET.lower().encode() not in content.lower(), (path.name, name)
            assert SECRET.encode() not in re.sub(rb"<[^>]*>", b"", content), (path.name, name)


def check(path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        book = openpyxl.load_workbook(path)
    assert book.sheetnames == ["People"]
    sheet = book.active
    rows = list(sheet.iter_rows(values_only=True))
    assert rows[0] == ("who", "born", "ill", "dose", "paid", "seen", "note")
    assert len(rows) == 21
    assert {type(row[2]) for row in rows[1:]} == {bool}
    assert sorted(row[3] for row in rows[1:]) == [1.5 * i for i in range(20)]
    assert {type(row[5]) for row in rows[1:]} == {datetime.datetime}
    assert all(row[1].startswith("[") or row[1][:2] == "19" for row in rows[1:])
    assert all("seen again and well" in row[6] for row in rows[1:])
    assert sheet["A1"].font.bold
    assert {cell.fill.fgColor.rgb for cell in sheet["D"][1:]} == {"00000000"}
    assert not any(one.hidden for one in sheet.row_dimensions.values())


def test_a_secret_in_every_place_that_openpyxl_writes(tmp_path, capsys):
    path = tmp_path / "people.xlsx"
    path.write_bytes(with_results(saved(people())))
    made = release(tmp_path, path)
    no_secret(tmp_path / "release-xlsx")
    check(made)
    sheet = openpyxl.load_workbook(made).active
    assert sheet.column_dimensions["D"].width == 22
    assert sheet.freeze_panes == "A2"
    assert SECRET not in capsys.readouterr().err


@pytest.mark.skipif(OFFICE is None, reason="LibreOffice is not installed")
@pytest.mark.parametrize("to", ["xlsx", "ods", "xls"])
def test_a_secret_in_every_place_that_libreoffice_writes(tmp_path, to):
    (tmp_path / "people.xlsx").write_bytes(saved(people()))
    made = release(tmp_path, by_office(tmp_path / "people.xlsx", to))
    no_secret(tmp_path / f"release-{to}")
    check(made)
    shown = by_office(made, "csv").read_text()  # LibreOffice opens the release
    assert "seen again and well" in shown


def test_new_asks_which_sheet_and_classifies_every_column(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    book = openpyxl.Workbook()
    book.active.title = "2021"
    book.active.append(["patient_id", "name", "age", "zork"])
    for i in range(12):
        book.active.append([i, f"{SECRET}{i}", 30 + i % 3, f"g{i % 5}"])
    book.create_sheet("empty")
    book.save("one.xlsx")
    assert run(["new", "one.xlsx", "-k", "2"]) == 2
    told = capsys.readouterr().err
    assert "columns without a role: zork" in told
    assert SECRET not in told
    assert run(["new", "one.xlsx", "-k", "2", "--role", "zork=drop"]) == 0
    assert run(["run", "release.yaml", "-q"]) == 0
    rows = list(openpyxl.load_workbook("release/data/one.xlsx").active.iter_rows(values_only=True))
    assert rows[0] == ("patient_id", "age")
    no_secret(tmp_path / "release")
    book.create_sheet("2022").append(["x"])
    book.save("two.xlsx")
    assert run(["new", "two.xlsx", "--role", "zork=drop", "--policy", "two.yaml"]) == 2
    assert "2 sheets hold cells (0 of them hidden)" in capsys.readouterr().err
    named = ["--format", "xlsx:2021", "--role", "zork=drop", "-k", "2", "-o", "two"]
    assert run(["new", "two.xlsx", *named, "--policy", "two.yaml"]) == 0
    assert run(["run", "two.yaml", "-q"]) == 0
    assert openpyxl.load_workbook("two/data/two.xlsx").sheetnames == ["2021"]


def book_of(change):
    book = openpyxl.Workbook()
    book.active.append(["who", "age", "name"])
    for i in range(4):
        book.active.append([f"p{i}", 30 + i, f"{SECRET}{i}"])
    change(book, book.active)
    return saved(book)


def put(place, value):
    return lambda book, sheet: sheet.__setitem__(place, value)


REFUSED = {
    "merged": lambda book, sheet: sheet.merge_cells("A2:B2"),
    "has no result": put("C3", '=LEFT("x",1)'),
    "two columns have one name": put("D1", "who"),
    "under no column's name": put("F3", "remark"),
    "no such sheet": lambda book, sheet: None,
    "an error in place of a value": put("B3", "#N/A"),
    "no number, date or time": lambda book, sheet: setattr(
        sheet["B3"], "number_format", "yyyy-mm-dd"
    ),
    "sheets hold cells (1 of them hidden)": lambda book, sheet: (
        book.create_sheet("h").append([1]),
        setattr(book["h"], "sheet_state", "hidden"),
    ),
}


@pytest.mark.parametrize("told", REFUSED)
def test_what_is_not_understood_is_refused(tmp_path, told):
    (tmp_path / "a.xlsx").write_bytes(book_of(REFUSED[told]))
    format = "xlsx:Nobody" if told == "no such sheet" else None
    with pytest.raises(BadInput, match=re.escape(told)) as problem:
        read_table(str(tmp_path / "a.xlsx"), format=format)
    assert SECRET not in str(problem.value)


def test_names_with_a_hidden_word_are_refused(tmp_path):
    def titled(book, sheet):
        sheet.title = f"of {SECRET}2"

    def formatted(book, sheet):
        for cell in sheet["B"][1:]:
            cell.number_format = f'0 "{SECRET}1"'

    for change, told in ((titled, "name of the sheet"), (formatted, "format")):
        (tmp_path / "a.xlsx").write_bytes(book_of(change))
        table = read_table(str(tmp_path / "a.xlsx"))
        with pytest.raises(BadInput, match=told) as problem:
            b"".join(table.cells({}, range(4), {"name"}))
        assert SECRET not in str(problem.value)


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=12)
CELLS = st.one_of(
    st.none(),
    TEXTS.filter(lambda text: not text.startswith("=") and text.strip()),
    st.integers(-(10**12), 10**12),
    st.floats(-1e6, 1e6).map(lambda one: round(one, 3)),
    st.booleans(),
    st.dates(datetime.date(1901, 1, 1)),
    st.datetimes(datetime.datetime(1901, 1, 1)).map(lambda one: one.replace(microsecond=0)),
)


def said(cell):
    """A cell as a table of strings has it."""
    if cell is None or cell == "":
        return None
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, datetime.datetime):
        return cell.isoformat() if cell.time() != datetime.time() else cell.date().isoformat()
    if isinstance(cell, datetime.date):
        return cell.isoformat()
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() else repr(cell)
    return str(cell)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_cells_of_all_kinds_are_read_and_written(tmp_path, data):
    width = data.draw(st.integers(1, 4))
    rows = data.draw(st.lists(st.lists(CELLS, min_size=width, max_size=width), max_size=8))
    names = [f"c{i}" for i in range(width)]
    book = openpyxl.Workbook()
    book.active.append(names)
    try:
        for row in rows:
            book.active.append(row)
    except openpyxl.utils.exceptions.IllegalCharacterError:
        return
    (tmp_path / "a.xlsx").write_bytes(saved(book))
    table = read_table(str(tmp_path / "a.xlsx"))
    full = [row for row in rows if any(said(cell) is not None for cell in row)]
    assert table.frame.rows() == [tuple(map(said, row)) for row in full]
    order = data.draw(st.permutations(range(len(full))))
    order = order[: data.draw(st.integers(0, len(full)))]
    dropped = data.draw(st.sets(st.sampled_from(names), max_size=width - 1))
    changed = data.draw(st.sets(st.sampled_from(names))) - dropped
    new = {name: [data.draw(TEXTS.map(str.strip)) or None for _ in order] for name in changed}
    raw = b"".join(table.cells(new, order, dropped))
    (tmp_path / "b.xlsx").write_bytes(raw)
    kept = [name for name in names if name not in dropped]
    again = read_table(str(tmp_path / "b.xlsx")).frame
    wanted = table.frame[list(order)].select(kept)
    for name, some in new.items():
        wanted = wanted.with_columns(pl_series(name, some))
    wanted = wanted.filter(~pl_all_null(wanted)) if wanted.height else wanted
    assert again.rows() == wanted.rows()
    seen = openpyxl.load_workbook(io.BytesIO(raw)).active
    assert [cell.value for cell in seen[1]] == kept


def pl_series(name, some):
    import polars as pl

    return pl.Series(name, some, dtype=pl.String)


def pl_all_null(frame):
    import polars as pl

    return frame.select(pl.all_horizontal(pl.all().is_null())).to_series()


def test_other_bytes_than_the_release_are_not_verified(tmp_path):
    import polars as pl

    (tmp_path / "a.xlsx").write_bytes(book_of(lambda book, sheet: None))
    table = read_table(str(tmp_path / "a.xlsx"))
    data = table.frame.drop("name").with_columns(pl.lit("[30-33]").alias("age"))
    raw, columns = table.released(data, range(4), ["age"])
    require_written(raw, "xlsx", data, columns, before=table.frame)
    sheet = "xl/worksheets/sheet1.xml"
    planted = {
        "another value": (sheet, b"[30-33]</t>", b"[31-33]</t>"),
        "written differently": (sheet, b'<c r="B3" s="1"', b'<c r="B3" s="0"'),
        "formula": (sheet, b"<is><t", b"<f>A1</f><is><t"),
        "columns": (sheet, b">age<", b">ages<"),
        "hides": ("xl/workbook.xml", b'name="Sheet"', f'name="{SECRET * 2}"'.encode()),
        "other parts": ("xl/extra.xml", b"", b"<a/>"),
    }
    old = table.frame.with_columns(pl.lit(SECRET * 2).alias("name"))
    for told, (part, before, after) in planted.items():
        out = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(raw)) as archive, zipfile.ZipFile(out, "w") as other:
            for name in archive.namelist():
                content = archive.read(name)
                if name == part:
                    assert before in content, told
                    content = content.replace(before, after, 1)
                other.writestr(name, content)
            if part not in archive.namelist():
                other.writestr(part, after)
        with pytest.raises(NotVerified, match=told):
            require_written(out.getvalue(), "xlsx", data, columns, before=old)


KINDS = {
    **dict.fromkeys(("General", "0.0E+0", "[Red]0", "@"), "number"),
    **dict.fromkeys(("d/m/yy", "mmm", '[$-409]d"st" mmmm'), "date"),
    **dict.fromkeys(("hh:mm:ss", "[h]:mm"), "time"),
}


@pytest.mark.parametrize("code", KINDS)
def test_formats_of_numbers(code):
    assert kind_of(code) == KINDS[code]
