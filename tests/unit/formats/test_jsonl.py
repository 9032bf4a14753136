"""JSON lines: only the text value's bytes change."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.formats import jsonl

CHARACTERS = st.characters(codec="utf-8")
TEXTS = st.text(st.sampled_from('ab"\\/u0\n\t\x00é★𝒳') | CHARACTERS, max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)


def read(raw: bytes, **options):
    options.setdefault("text_column", "text")
    return jsonl.read(raw, "f.jsonl", **options)


def written(source, texts) -> bytes:
    return b"".join(source.pieces(texts))


@st.composite
def lines(draw):
    """A line: the bytes before the text, the text's value, the bytes after."""
    before = draw(st.dictionaries(TEXTS.filter(lambda k: k != "text"), VALUES, max_size=3))
    after = draw(st.dictionaries(TEXTS.filter(lambda k: k != "text"), VALUES, max_size=3))
    text = draw(TEXTS)
    space = draw(st.sampled_from(["", " ", " \t "]))
    ascii_only = draw(st.booleans())

    def pairs(values):
        return [
            json.dumps(k, ensure_ascii=ascii_only)
            + space
            + ":"
            + json.dumps(v, ensure_ascii=draw(st.booleans()))
            for k, v in values.items()
        ]

    key = draw(st.sampled_from(['"text"', '"te\\u0078t"']))
    head = "".join(p + space + "," for p in pairs(before)) + key + ":" + space
    tail = "".join("," + space + p for p in pairs(after)) + space + "}"
    return (
        ("{" + space + head).encode(),
        text,
        json.dumps(text, ensure_ascii=ascii_only).encode(),
        tail.encode(),
    )


@settings(max_examples=200)
@given(
    st.lists(lines(), min_size=1, max_size=4),
    st.sampled_from([b"\n", b"\r\n", b"\n\n", b"\n \n"]),
    st.data(),
)
def test_only_the_text_changes(records, end, data):
    raw = b"".join(head + old + tail + end for head, _, old, tail in records)
    source = read(raw)
    assert source.texts == [text for _, text, _, _ in records]
    new = [data.draw(st.none() | TEXTS) for _ in records]
    out = written(source, new)
    for (head, text, _, tail), value in zip(records, new, strict=True):
        assert out.startswith(head)
        rest = out[len(head) :].decode()
        found, length = json.JSONDecoder().raw_decode(rest)
        assert found == (text if value is None else value)
        plain = json.dumps(found, ensure_ascii=False)
        assert rest[:length] == re.sub("[\ud800-\udfff]", lambda c: f"\\u{ord(c[0]):04x}", plain)
        out = rest[length:].encode()
        assert out.startswith(tail + end)
        out = out[len(tail + end) :]
    assert out == b""


@pytest.mark.parametrize(
    ("old", "new", "value"),
    [
        (r'"caf\u00e9"', "★é", '"★é"'),
        (r'"caf\u00e9"', None, '"café"'),
        ('"café"', "★é", '"★é"'),
        ('"cafe"', "★", '"★"'),
        (r'"caf\u00e9 é"', "★", '"★"'),
        (r'"a\u0000\n"', "★\0", '"★\\u0000"'),
        (r'"a\\u00e9"', "★", '"★"'),
        (r'"a\u00e9"', "𝒳", '"𝒳"'),
        (r'"a\u00e9"', "a\u00e9", '"aé"'),
        (r'"\/"', "/", '"/"'),
        (r'"\ud800é"', "\ud800★", '"\\ud800★"'),
        (r'"\ud800"', "x\ud800", r'"x\ud800"'),
    ],
)
def test_escapes_depend_on_the_new_value_alone(old, new, value):
    source = read(f'{{"n":1e5,"text": {old} }}\n'.encode())
    assert written(source, [new]) == f'{{"n":1e5,"text": {value} }}\n'.encode()
    assert read(written(source, [new])).texts == [json.loads(value)]


def test_null_and_absent_texts_are_none_and_pass_through():
    raw = b'{"text": null}\n{"other": 1}\n{"text": "a"}\n{}\n'
    source = read(raw)
    assert source.texts == [None, None, "a", None]
    assert written(source, [None, None, "b", None]) == raw.replace(b'"a"', b'"b"')


def test_columns_are_strings_with_numbers_as_they_were_written():
    source = read(
        b'{"text":"a","n":1e5,"b":true}\n{"text":"b","n":007}\n'.replace(b"007", b'"007"')
    )
    assert source.columns == ("text", "n", "b")
    assert source.column("n") == ["1e5", "007"]
    assert source.column("b") == ["true", None]
    assert read(b'{"text":"a","n":[1, 2.50]}').column("n") == ["[1, 2.50]"]


def test_groups_are_strings_or_the_json_of_scalars():
    raw = b'{"text":"a","p":17}\n{"text":"b","p":"17"}\n{"text":"c","p":false}\n'
    assert read(raw, group_column="p").groups == ["17", "17", "false"]


@pytest.mark.parametrize("value", [b"null", b'""'])
def test_a_record_without_group_is_refused(value):
    with pytest.raises(BadInput, match="line 3: the group is empty here"):
        read(b'{"text":"a","p":1}\n\n{"text":"b","p":' + value + b"}\n", group_column="p")


def test_the_byte_order_mark_and_blank_lines_are_kept():
    raw = b'\xef\xbb\xbf\n{"text":"a"}\n   \n{"text":"b"}'
    source = read(raw)
    assert written(source, [None, None]) == raw
    assert source.where(1) == "f.jsonl, line 4"


def test_numbers_of_any_length_pass():
    raw = b'{"n":' + b"9" * 5000 + b',"text":"a","x":NaN}\n'
    assert written(read(raw), ["b"]) == raw.replace(b'"a"', b'"b"')


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            b'{"SECRET" 1}',
            "line 3, column 11: not valid JSON (expecting ':' delimiter); fix or remove",
        ),
        (b'{"a": SECRET}', "line 3, column 7: not valid JSON (expecting value)"),
        (b'{"a": "SECRET', "line 3, column 7: not valid JSON (unterminated string)"),
        (b'{"a": "SECRET\\q"}', "not valid JSON (invalid \\escape)"),
        (b'{"a": "SECRET\\u12"}', "not valid JSON (invalid \\uXXXX escape)"),
        (b'{"a": "SECRET\t"}', "not valid JSON (invalid control character)"),
        (b'{"a": 1} SECRET', "not valid JSON (extra data)"),
        (b'{"a": 1,}', "line 3, column"),
        (b'{"a": 1 "SECRET": 2}', "not valid JSON (expecting ',' delimiter)"),
        (b'["SECRET"]', "line 3: expected an object"),
        (b'"SECRET"', "line 3: expected an object"),
        (b'{"text": 12345}', "line 3: the text is neither a string nor null; make it a string"),
        (b'{"text": ["SECRET"]}', "line 3: the text is neither a string nor null"),
        (b'{"text": true}', "line 3: the text is neither a string nor null"),
        (b'{"text": "a", "text": "SECRET"}', "line 3: the key 'text' occurs twice; keep one"),
        (b'{"text": "SECRET", "te\\u0078t": null}', "line 3: the key 'text' occurs twice"),
        (b'{"text": "SECRET\xff"}', "line 3: byte 17 of the line is not valid UTF-8"),
        (b'{"a":' + b"[" * 200_000 + b"]" * 200_000 + b"}", "line 3: nested too deeply"),
    ],
)
def test_what_cannot_be_read_is_named_by_its_place_and_never_quoted(line, message):
    with pytest.raises(BadInput) as caught:
        read(b'{"text": "fine"}\n\n' + line + b"\n")
    assert message in str(caught.value)
    assert "SECRET" not in str(caught.value)
    assert "12345" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_other_keys_may_occur_twice():
    source = read(b'{"a": 1, "a": 2, "text": "x"}')
    assert source.column("a") == ["2"]


@pytest.mark.parametrize("options", [{"text_column": "note"}, {"group_column": "note"}])
def test_a_wrong_name_is_answered_with_the_right_ones(options):
    with pytest.raises(BadInput, match=r"'note' \(2 columns, among them id, text\)"):
        read(b'{"id": 1}\n{"text": "a"}\n', **options)


def test_names_that_look_like_data_are_counted_only():
    with pytest.raises(BadInput, match=r"no column is named 'text' \(2 columns; if the file"):
        read(b'{"Mrs. SECRET, 1950-02-03": 1, "b": 2}\n')


def test_the_text_column_is_never_guessed():
    with pytest.raises(BadInput, match=r"not named \(2 columns, among them id, text\); say which"):
        read(b'{"id": 1, "text": "a"}\n', text_column=None)


def test_blank_lines_alone_are_no_records():
    with pytest.raises(BadInput, match="every line is blank"):
        read(b"\n \n")


@pytest.mark.data
def test_the_notes_come_back_byte_for_byte(data_folder):
    from sfumato import formats

    source = formats.read(
        data_folder / "notes.jsonl.zst", text_column="text", group_column="patient_id"
    )
    raw = b"".join(source.pieces(source.texts))
    assert len(source.texts) == 1_000
    assert len(set(source.groups)) == 526
    changed = read(b"".join(source.pieces([text + "★" for text in source.texts])))
    assert changed.texts == [text + "★" for text in source.texts]
    assert changed.column("spans") == source.column("spans")
    assert b"".join(changed.pieces(source.texts)) == raw
