"""The CSV scanner: what csv.reader sees, and every byte outside the changed field kept."""

from __future__ import annotations

import csv as standard
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import formats
from sfumato.core.errors import BadInput
from sfumato.formats import csv

WORDS = st.text('ab,;\t"\r\n é★𝒳\0', max_size=6)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])


def quoted(value: str) -> str:
    return '"' + value.replace('"', '""') + '"'


def needs_quotes(value: str, width: int) -> bool:
    return any(c in value for c in ',"\r\n') or (width == 1 and not value)


@st.composite
def files(draw):
    """A file quoted as it pleases: its rows, the text column, its fields, the bytes between."""
    width = draw(st.integers(1, 4))
    i = draw(st.integers(0, width - 1))
    end = draw(ENDS)
    blank = st.sampled_from(["", end, end + end])
    rows, fields = [], []
    gap = draw(st.sampled_from(["", "\ufeff"])) + draw(blank)
    gap += ",".join(f"c{c}" for c in range(width))
    gaps = []
    for _ in range(draw(st.integers(0, 4))):
        row = draw(st.lists(WORDS, min_size=width, max_size=width))
        raw = [
            quoted(value) if needs_quotes(value, width) or draw(st.booleans()) else value
            for value in row
        ]
        gaps.append(gap + end + draw(blank) + "".join(field + "," for field in raw[:i]))
        gap = "".join("," + field for field in raw[i + 1 :])
        rows.append(row)
        fields.append(raw[i])
    return rows, i, fields, [*gaps, gap + draw(st.sampled_from(["", end, end * 2]))]


def joined(gaps: list[str], fields: list[str]) -> bytes:
    return "".join(a + b for a, b in zip(gaps, [*fields, ""], strict=True)).encode()


def read(raw: bytes, column: str = "text", **options):
    return csv.read(raw, "f.csv", text_column=column, **options)


def written(source, texts) -> bytes:
    return b"".join(source.pieces(texts))


def records(raw: bytes, delimiter: str = ",") -> list[list[str]]:
    text = io.StringIO(raw.decode("utf-8-sig"), newline="")
    return [row for row in standard.reader(text, delimiter=delimiter, strict=True) if row]


@settings(max_examples=200)
@given(files())
def test_reads_what_the_standard_reader_reads(file):
    rows, i, fields, gaps = file
    raw = joined(gaps, fields)
    source = read(raw, f"c{i}")
    assert source.texts == [row[i] for row in rows]
    assert records(raw)[1:] == rows
    for c, name in enumerate(source.columns):
        assert source.column(name) == [row[c] for row in rows]
    one_form = [quoted(row[i]) if needs_quotes(row[i], len(row)) else row[i] for row in rows]
    assert written(source, source.texts) == joined(gaps, one_form)
    assert written(source, [None] * len(rows)) == joined(gaps, one_form)


@settings(max_examples=200)
@given(files(), st.data())
def test_a_changed_field_changes_nothing_else(file, data):
    rows, i, fields, gaps = file
    new = [data.draw(st.none() | WORDS) for _ in rows]
    source = read(joined(gaps, fields), f"c{i}")
    out = written(source, new)
    wanted = []
    for row, text in zip(rows, new, strict=True):
        value = row[i] if text is None else text
        wanted.append(quoted(value) if needs_quotes(value, len(row)) else value)
    assert out == joined(gaps, wanted)
    assert records(out)[1:] == [
        [*row[:i], row[i] if text is None else text, *row[i + 1 :]]
        for row, text in zip(rows, new, strict=True)
    ]


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("a", "b", "b"),
        ("a", "", ""),
        ("a", "b,c", '"b,c"'),
        ("a", 'b"c', '"b""c"'),
        ("a", "b\nc", '"b\nc"'),
        ("a", "b\rc", '"b\rc"'),
        ('"a"', "b", "b"),
        ('"a"', "a", "a"),
        ('"a"', None, "a"),
        ('"a"', 'b"c', '"b""c"'),
        ('"a"', "", ""),
        ('a"x', "b", "b"),
        ("a", "b;c", "b;c"),
    ],
)
def test_quotes_depend_on_the_new_value_alone(old, new, field):
    source = read(f"id,text\r\n1,{old}\r\n".encode())
    assert written(source, [new]) == f"id,text\r\n1,{field}\r\n".encode()


def test_the_only_field_of_a_record_never_becomes_a_blank_line():
    source = read(b"text\na\n\nb")
    assert source.texts == ["a", "b"]
    assert written(source, ["", None]) == b'text\n""\n\nb'


def test_quotes_inside_an_unquoted_field_are_literal():
    assert read(b'id,text\n1,5" pipe and "more"\n').texts == ['5" pipe and "more"']


@pytest.mark.parametrize(
    ("header", "name"), [(b"id;text", "text"), (b'"a,b";text', "text"), (b"id,a;b", "a;b")]
)
def test_semicolons_separate_when_the_header_has_no_comma(header, name):
    value = b"1;x" if name == "text" else b"1,x"
    assert read(header + b"\n" + value + b"\n", name).texts == ["x"]


def test_tab_separates_in_tsv():
    source = csv.read(b"id\ttext\n1\ta, b\n", "f.tsv", format="tsv", text_column="text")
    assert source.texts == ["a, b"]
    assert written(source, ["c\td"]) == b'id\ttext\n1\t"c\td"\n'


def test_the_byte_order_mark_is_kept_and_no_part_of_the_first_name():
    raw = b"\xef\xbb\xbftext,id\na,1\n"
    source = read(raw)
    assert source.columns == ("text", "id")
    assert written(source, ["b"]) == b"\xef\xbb\xbftext,id\nb,1\n"


def test_other_columns_may_hold_broken_bytes():
    raw = b"name,text\ncaf\xe9,a\n"
    assert written(read(raw), ["b"]) == b"name,text\ncaf\xe9,b\n"


def test_a_header_without_records_is_an_empty_corpus():
    assert read(b"id,text\r\n").texts == []


def test_groups_are_the_values_of_their_column():
    source = read(b'p,text\n007,a\n"7",b\n', group_column="p")
    assert source.groups == ["007", "7"]


def test_places_count_lines_inside_quoted_fields():
    source = read(b'id,text\r\n1,"a\nb"\r\n\r\n2,c\r\n')
    assert [source.where(i) for i in range(2)] == [
        "f.csv, record 1 (line 2)",
        "f.csv, record 2 (line 5)",
    ]


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"id,text\n1,a\n2\n", "record 2 (line 3): expected 2 fields as in the header, found 1"),
        (b"id,text\n1,a,b\n", "record 1 (line 2): expected 2 fields as in the header, found 3"),
        (b'id,text\n1,a\n2,"SECRET\n', "record 2 (line 3, field 2): a quoted field begins here"),
        (b'id,text\n1,"a"SECRET\n', "record 1 (line 2, field 2): a quoted field is followed by"),
        (b'"id,text\n1,SECRET\n', "header (line 1): a quoted field begins here"),
        (b"id,text\n1,a\n2,SECRET\xff\n", "record 2 (line 3): a byte here is not valid UTF-8"),
        (b"id,te\xff\n1,SECRET\n", "header (line 1): a byte here is not valid UTF-8"),
        (b"text,text\n1,SECRET\n", "2 columns are named 'text'"),
        (b"id,note\n1,SECRET\n", "no column is named 'text' (2 columns, among them id, note)"),
        (
            b"17,SECRET and more than that\n1,a\n",
            "no column is named 'text' (2 columns; if the file has no header",
        ),
    ],
)
def test_what_cannot_be_read_is_named_by_its_place_and_never_quoted(raw, message):
    with pytest.raises(BadInput) as caught:
        read(raw)
    assert message in str(caught.value)
    assert "; " in str(caught.value)
    assert "SECRET" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_text_column_is_never_guessed():
    with pytest.raises(BadInput, match=r"not named \(2 columns, among them id, text\); say which"):
        csv.read(b"id,text\n1,a\n", "f.csv")


def test_a_record_without_group_is_refused():
    with pytest.raises(BadInput, match=r"record 2 \(line 3\): the group is empty"):
        read(b"p,text\n1,a\n,b\n3,c\n", group_column="p")


def test_half_a_surrogate_pair_cannot_be_written():
    source = read(b"id,text\n1,a\n2,b\n")
    with pytest.raises(BadInput, match=r"record 2 \(line 3\)"):
        written(source, [None, "\ud800"])


def test_a_thousand_columns():
    names = ",".join(f"c{i}" for i in range(1000))
    values = ",".join(str(i) for i in range(1000))
    source = read(f"{names}\n{values}\n".encode(), "c700")
    assert source.texts == ["700"]
    assert source.column("c999") == ["999"]
    assert written(source, ["x"]) == f"{names}\n{values.replace(',700,', ',x,')}\n".encode()


@pytest.mark.data
def test_the_blogs_come_back_byte_for_byte(data_folder, tmp_path):
    from sfumato import formats

    source = formats.read(data_folder / "blogs.csv.zst", text_column="text", group_column="id")
    assert len(source.texts) == 82_562
    assert len(set(source.groups)) == 19_320
    target = tmp_path / "blogs.csv.zst"
    with formats.writer(target, source) as out:
        out.write([text + "★" if i % 1000 == 0 else None for i, text in enumerate(source.texts)])
        out.commit()
    changed = formats.read(target, text_column="text", group_column="id")
    assert changed.groups == source.groups
    assert [i for i in range(82_562) if changed.texts[i] != source.texts[i]] == list(
        range(0, 82_562, 1000)
    )
    assert b"".join(changed.pieces(source.texts)) == b"".join(source.pieces(source.texts))


def test_a_sentence_in_place_of_the_header_is_not_shown(tmp_path):
    (tmp_path / "notes.csv").write_text("Ann has flu.\nBob has flu.\n")
    with pytest.raises(BadInput) as caught:
        formats.read(tmp_path / "notes.csv", text_column="text")
    assert "Ann" not in str(caught.value)


@pytest.mark.parametrize("wanted", [None, "text", "Anna", "age", "city"])
def test_the_first_record_of_a_file_without_header_is_never_shown(wanted):
    with pytest.raises(BadInput) as caught:
        csv.read(b"Ann,Abe,Boston,flu\nBob,Eve,Ohio,cold\n", "f.csv", text_column=wanted)
    told = str(caught.value).replace(repr(wanted), "")
    assert not any(word in told for word in ("Ann", "Abe", "Boston", "flu"))
    assert "4 columns" in told


def test_a_name_that_is_nearly_the_wanted_one_is_shown():
    with pytest.raises(BadInput, match=r"2 columns, among them Findings"):
        csv.read(b"Ann,Findings\n", "f.csv", text_column="findings")
    with pytest.raises(BadInput, match=r"2 columns, among them finding"):
        csv.read(b"Ann,finding\n", "f.csv", text_column="findings")
