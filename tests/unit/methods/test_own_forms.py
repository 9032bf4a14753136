"""Own values however they are written: the method hides them, the check knows them by itself."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from unicodedata import normalize

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.errors import BadInput
from sfumato.core.letters import words
from sfumato.core.spans import Changes
from sfumato.kernels.places import own_words
from sfumato.methods.records.own_broken import as_latin, broken_places, forms_of, pieces_of
from sfumato.methods.records.own_days import Hit
from sfumato.methods.records.own_values import value_places
from sfumato.methods.records.searched_columns import SearchedColumn, searched, value_of
from sfumato.schema import Column, as_schema
from sfumato.verification import records_words as check

COLUMNS = {
    "name": {"role": "drop"},
    "city": {},
    "born": {"kind": "date"},
    "text": {"kind": "text"},
}
SCHEMA = {"person": "id", "columns": COLUMNS}
WAYS = [
    "HARROWFIELD, ULRIC",
    "harrowfield ulric",
    "Mr. Harrowfield's",
    "ulric.harrowfield72",
    "UlricHarrowfield",
    "Har\u00adrow\u200bfield",
    "Ｈarrowfield",
    "New\nYork",
    "new\u00a0york",
    "NEW  YORK",
    "NewYork",
    normalize("NFD", "Néw York"),
    "22nd of July, 1972",
    "the 22nd July 1972",
    "July the 22nd, 1972",
    "22 July",
    "19720722",
    "22071972",
    "720722",
    "1972-7-22",
    "1972/07/22",
    "22.7.72",
    "7/22/1972",
    "22 . 07 . 1972",
    "22JUL1972",
    "22 de julio de 1972",
    "22. Juli 1972",
    "1972-07-22T10:30",
    "２２/07/1972",
    "P 00017",
    "harrow-field",
    "Harrow\u2010field",
    "har.row.field",
    "Harrow_Field",
    "Harrow Field",
    "HARROW\nFIELD",
    "u l r i c",
    "U-L-R-I-C",
    "U. L. R. I. C.",
    "H a r r o w f i e l d",
    "Нarrоwfield",
    "НАRRОWFIЕLD",
    "Uⅼriс",
    "υlrіc",
    "ᴜʟʀɪᴄ",
    "h\u200ba\u00adr\u2060rowfield",
    "Har\u00ad-\u200brow\ufefffield",
    "N e w Y o r k",
    "new-y-ork",
    "P-0-0-0-1-7",
    "p\u200b00017",
]


def people(text: str) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "id": ["P-00017", "P-00018"],
            "name": ["Ulric Harrowfield", "Bea Long"],
            "city": ["New York", "Hull"],
            "born": ["1972-07-22", "1980-01-02"],
            "text": [f"seen {text} here", "nothing"],
        }
    )


@pytest.mark.parametrize("way", WAYS)
def test_every_way_is_hidden_and_put_back_is_rejected(way):
    given_ = people(way)
    release = sf.anonymize(given_, SCHEMA, k=2, recognizer=[], own_values="words")
    assert all(verdict.holds for verdict in sf.verify(given_, release))
    shown = " ".join(release.data["text"].to_list()).replace("(Hull,New York)", "").casefold()
    for told in ("harrow", "ulric", "york", "22", "00017"):
        assert told not in shown
    back = given_["text"].gather(release.sides.rows).to_list()
    planted = replace(
        release, data=release.data.with_columns(text=pl.Series(back)), changes=Changes.of()
    )
    assert not sf.verify(given_, planted)[0].holds


@pytest.mark.parametrize(
    "way",
    [
        "long ago",
        "harrow field",
        "farrow-field",
        "u l r i",
        "pulric",
        "ul ric",
        "York alone",
        "22 patients of 1972",
        "1972",
        "22.07.1973",
    ],
)
def test_what_is_no_own_value_stays(way):
    text = f"seen {way} here"
    given_ = people("").with_columns(text=pl.Series([text, text]))
    release = sf.anonymize(given_, SCHEMA, k=2, recognizer=[], own_values="words")
    assert release.data["text"].to_list() == [text, text]
    assert all(verdict.holds for verdict in sf.verify(given_, release))


def test_everyday_words_of_names_need_a_capital():
    given_ = people("").with_columns(text=pl.Series(["", "Long, long ago, and bea"]))
    release = sf.anonymize(given_, SCHEMA, k=2, recognizer=[], shuffle=False)
    assert release.data["text"][1] == "[NAME], long ago, and [NAME]"


def test_which_columns_are_searched_by_both():
    columns = {
        "a": {},
        "b": {"role": "sensitive"},
        "c": {"role": "insensitive"},
        "d": {"role": "drop", "entities": ["WHO"]},
        "e f": {"own_values": "none"},
        "g": {"kind": "text"},
    }
    for own in ("words", "dropped", "none", "all", None):
        for others in ("insensitive", "drop"):
            given_ = {"person": "p", "columns": columns, "own_values": own, "others": others}
            schema = as_schema(given_)
            names = ["p", *columns, "z"]
            found = [(one.name, one.label, one.is_hidden) for one in searched(schema, names)]
            again = [(one.name, one.label, one.is_hidden) for one in check.searched(schema, names)]
            assert found == again
    assert [name for name, *_ in found] == ["p", "d", "z"]


def test_a_set_has_no_hierarchy():
    with pytest.raises(BadInput, match="hierarchy belongs to columns of kind number"):
        as_schema({"columns": {"codes": {"kind": "set", "hierarchy": {"prefixes": [1]}}}})


def found_by_method(text, one, value, day):
    from sfumato.methods.records.own_values import words_of_value as wanted

    text, found = as_latin(text), set()
    listed = [
        Hit(word.read, word.start, word.stop, number, _glued(words(text), number))
        for number, word in enumerate(words(text))
    ]
    for form in forms_of(value):
        meant = value_of(one, form, day)
        mine = wanted(meant)
        found |= set(value_places(text, [hit for hit in listed if hit.word in mine], meant))
        if meant.in_pieces:
            pieces = pieces_of(meant.rows, meant.parts)
            found |= {(*place, 3) for place in broken_places(text, pieces)}
    return found


def _glued(found, number):
    def joined(one, other):
        return one.stop == other.start and 3 not in (one.kind, other.kind)

    before = number > 0 and joined(found[number - 1], found[number])
    behind = number + 1 < len(found) and joined(found[number], found[number + 1])
    return before + 2 * behind


PARTS = ["Ann", "lee", "LONG", "of", "22", "07", "7", "72", "1972", "July", "jul", "nd", "19720722"]
PARTS += [
    "36",
    "36.5",
    "1,036",
    "thirty",
    "six",
    "A+",
    "京都",
    "é",
    "ü",
    "ue",
    "Мu",
    "ller",
    "l",
    "L",
    "e",
    "e\u0301",
    "\u00ad",
    "a",
    "the",
]
TEXTS = st.lists(st.sampled_from([*PARTS, " ", " ", "-", ", ", ".", "/", "\n"]), max_size=9)
VALUES = [
    "Ann Lee",
    "Lee Long",
    "Ann",
    "the Ann of",
    "京都",
    "é",
    "A+",
    "36",
    "36.5",
    "1036",
    "a 22",
    "Müller",
    "Mueller Lee",
    "lee-a",
]
COLUMN = st.sampled_from(
    [("category", "quasi"), ("category", "drop"), ("number", "quasi"), ("number", "drop")]
)


@settings(max_examples=300)
@given(TEXTS.map("".join), st.sampled_from(VALUES), COLUMN, st.sampled_from(["words", "all"]))
def test_method_and_check_find_the_same_values(text, value, kind, level):
    column = Column(kind=kind[0], role=kind[1])
    one = SearchedColumn("c", column, level)
    other = check.SearchedColumn("c", column, level == "all", kind[1] == "drop")
    again = set(check.find(check.Reading(text), other, value, None))
    assert found_by_method(text, one, value, None) == again


DAYS = st.sampled_from([date(1972, 7, 22), date(2007, 7, 7), date(1972, 2, 1)])


@settings(max_examples=300)
@given(TEXTS.map("".join), DAYS, st.sampled_from(["words", "all"]))
def test_method_and_check_find_the_same_days(text, day, level):
    one = SearchedColumn("c", Column(kind="date"), level)
    other = check.SearchedColumn("c", Column(kind="date"), level == "all", is_hidden=False)
    again = set(check.find(check.Reading(text), other, day.isoformat(), day))
    assert found_by_method(text, one, day.isoformat(), day) == again


@settings(max_examples=200)
@given(st.lists(TEXTS.map("".join), min_size=1, max_size=3), st.lists(st.sampled_from(PARTS)))
def test_the_words_of_a_text_are_found_in_one_pass(texts, sought):
    wanted = sorted({word.read for one in sought for word in words(one)})
    both = np.arange(len(wanted), dtype=np.int32)
    nobody = np.zeros(len(wanted), np.int32)
    found = own_words(texts, np.zeros(len(texts), np.int32), wanted, both, nobody, 1)
    expected = [
        (document, word.start, word.stop, wanted.index(word.read), number, _glued(all_, number))
        for document, text in enumerate(texts)
        for all_ in [words(text)]
        for number, word in enumerate(all_)
        if word.read in wanted
    ]
    assert list(zip(*(one.tolist() for one in found), strict=True)) == expected


@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("Jürgen Möller", "Juergen"),
        ("Jürgen Möller", "MOELLER"),
        ("Juergen Moeller", "Jürgen"),
        ("Юрий Орлов", "Орлов"),
        ("Łukasz Søby", "Lukasz"),
        ("Łukasz Søby", "Soby"),
        ("Łukasz Søby", "Soeby"),
    ],
)
def test_names_are_found_with_and_without_their_marks(name, way):
    given_ = people(way).with_columns(name=pl.Series([name, "Bea Long"]))
    release = sf.anonymize(given_, SCHEMA, k=2, recognizer=[])
    assert way not in " ".join(release.data["text"].to_list())
    assert all(verdict.holds for verdict in sf.verify(given_, release))


def test_whoever_takes_a_value_apart_in_a_release_is_caught():
    """The check finds a value in pieces that a release puts where the original has it whole."""
    given_ = people("Harrowfield")
    release = sf.anonymize(given_, SCHEMA, k=2, recognizer=[], shuffle=False)
    for way in ("harrow-field", "Hаrrowfield", "H a r r o w f i e l d"):
        texts = [one.replace("[NAME]", way) for one in release.data["text"].to_list()]
        assert way in texts[0]
        planted = replace(
            release, data=release.data.with_columns(text=pl.Series(texts)), changes=Changes.of()
        )
        assert not sf.verify(given_, planted)[0].holds
