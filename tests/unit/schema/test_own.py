"""What counts as an own value, and what a set column refuses."""

from __future__ import annotations

from datetime import date

import pytest

from sfumato.core.errors import BadInput
from sfumato.schema import Column, as_schema
from sfumato.schema.own import Searched, searched, words_of


def texts(column, value, level="words", day=None):
    return [word.text for word in words_of(Searched("c", column, level), value, day)]


@pytest.mark.parametrize(
    ("value", "level", "counts"),
    [
        ("Leeds", "words", True),
        ("ab", "words", False),
        ("ab", "all", True),
        ("89073", "words", True),
        ("8907", "words", False),
        ("Yes", "words", False),
        ("--", "all", False),
    ],
)
def test_which_categories_count(value, level, counts):
    assert texts(Column(), value, level) == [value] * counts


def test_numbers_count_when_asked():
    number = Column(kind="number")
    assert texts(number, "52000.0") == []
    assert texts(number, "52000.0", "all") == ["52000", "52,000"]
    assert texts(number, "1.50", "all") == ["1.50"]
    assert texts(number, "old", "all") == []
    assert texts(Column(kind="number", role="drop"), "1234567") == ["1234567"]


def test_words_of_dropped_names_count_alone():
    dropped = Column(role="drop")
    assert texts(dropped, "Schmidt, Anna") == ["Schmidt, Anna", "Schmidt", "Anna"]
    assert texts(dropped, "12 High Street") == ["12 High Street"]
    assert texts(dropped, "anna") == ["anna"]


def test_every_form_of_a_day_holds_its_year():
    found = texts(Column(kind="date"), "2004-05-14", "all", date(2004, 5, 14))
    assert {"14 May 2004", "5/14/04", "May 14th, 2004", "2004-05", "2004"} <= set(found)
    assert all("04" in text for text in found)
    assert len(found) == len(set(found))


def test_what_is_shown_or_sensitive_is_not_searched():
    columns = {
        "a": {},
        "b": {"role": "sensitive"},
        "c": {"role": "insensitive"},
        "d": {"role": "drop"},
    }
    for level, expected in (("words", "ad"), ("dropped", "d"), ("none", ""), (None, "d")):
        schema = as_schema({"columns": columns, "own_values": level})
        assert "".join(one.name for one in searched(schema, [*"abcde"])) == expected
    schema = as_schema({"columns": columns, "own_values": "words", "others": "drop"})
    assert "".join(one.name for one in searched(schema, [*"abcde"])) == "ade"


def test_a_set_has_no_hierarchy():
    with pytest.raises(BadInput, match="hierarchy belongs to columns of kind number"):
        as_schema({"columns": {"codes": {"kind": "set", "hierarchy": {"prefixes": [1]}}}})
