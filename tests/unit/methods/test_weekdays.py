"""A weekday beside a moved date moves with it, in every language that has rules."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.spans import Change
from sfumato.core.weekday_names import WEEKDAY_NAMES
from sfumato.methods.pseudonyms.dates import shifted
from sfumato.recognizers import recognizer
from support.commands import call

KEY = b"thirty-two bytes of a secret key"
DAY = date(2021, 3, 2)  # a Tuesday
WRITTEN = [
    ("rules-en", "Seen Tuesday, 2 March 2021 at home."),
    ("rules-en", "Seen Tue 03/02/2021 at home, again 03/17/2021."),
    ("rules-en", "Seen on 2021-03-02 (Tuesday) at home."),
    ("rules-en", "Seen on 2 March 2021, a Tuesday, at home."),
    ("rules-en", "Seen Tues. 2 Mar 2021 at home."),
    ("en", "Seen Tuesday the 2nd of March, 2021 at home."),
    ("rules-de", "Am Dienstag, den 02.03.2021 kam er."),
    ("rules-de", "Besuch Di. 02.03.2021 zu Hause."),
    ("rules-de", "Besuch Dienstag, 2. März 2021 zu Hause."),
    ("rules-fr", "Vu le mardi 2 mars 2021 à la maison."),
    ("rules-fr", "Vu mar. 02/03/2021 à la maison."),
    ("rules-es", "Visto el martes, 2 de marzo de 2021 en casa."),
    ("rules-nl", "Gezien op dinsdag 02-03-2021 thuis."),
    ("rules-it", "Visto martedì 2 marzo 2021 a casa."),
    ("rules-pt", "Visto na terça-feira, 02/03/2021 em casa."),
    ("rules-ja", "2021年3月2日（火）に来院。"),
    ("rules-ja", "2021年3月2日火曜日に来院。"),
]


def day_named(text: str, language: str) -> int:
    """The weekday whose name stands in a text, by the longest name."""
    days = [
        (len(name), day)
        for form in WEEKDAY_NAMES[language]
        for day, name in enumerate(form)
        if re.search(
            rf"[（(]{name}|{name}曜"
            if language == "ja"
            else rf"(?i)(?<![^\W\d_]){name}(?![^\W\d_])",
            text,
        )
    ]
    return max(days)[1]


@pytest.mark.parametrize(("name", "text"), WRITTEN)
def test_the_weekday_is_that_of_the_moved_date(name, text):
    language = name[-2:]
    release = sf.pseudonymize([text] * 12, name, KEY)
    assert all(verdict.holds for verdict in sf.verify([text] * 12, release))
    assert not any("[DATE]" in one for one in release.data)
    seen = set()
    numeric = r"(?<![0-9])([0-9]{1,4})\D+([0-9]{1,2})\D+([0-9]{1,4})(?![0-9])"
    for one in release.data:
        seen.add(day_named(one, language))
        found = re.search(numeric, one)
        if found and language != "en":
            numbers = [int(number) for number in found.groups()]
            year, month, day = numbers if numbers[0] > 31 else numbers[::-1]
            assert date(year, month, day).weekday() == day_named(one, language)
    assert len(seen) > 1  # Tuesdays do not all become the same


@given(st.dates(date(1950, 1, 1), date(2060, 1, 1)), st.integers(-364, 364))
def test_every_day_gets_its_own_weekday(day, days):
    later = day + timedelta(days)
    for form in ("%A, %d %B %Y", "%a %d %b %Y", "%Y-%m-%d (%A)"):
        if "%b" in form and 5 in (day.month, later.month):
            continue  # "May" is short and long
        moved = shifted(day.strftime(form), days, True)
        assert re.sub(r"\b0", "", moved) == re.sub(r"\b0", "", later.strftime(form))


def test_without_a_year_the_weekday_moves_by_as_many_days():
    assert shifted("Tuesday, 2 March", 3, True) == "Friday, 5 March"


def test_a_weekday_alone_or_of_an_unknown_language_is_no_date_that_moves():
    assert shifted("Tuesday", 3, True) is None
    assert shifted("sábado 06/03/2021", 3, True) is None  # Spanish or Portuguese
    assert shifted("sábado 06/03/2021", 3, True, "pt") == "terça-feira 09/03/2021"
    assert shifted("5 martii 2021", 3, True) is None  # nobody here knows that month


def test_given_spans_take_the_weekday_beside_them():
    texts = ["Seen Tuesday, 2 March 2021, and Friday (5 March 2021)."]
    spans = [sf.Span(0, 14, 26, "DATE"), sf.Span(0, 40, 52, "DATE")]
    release = sf.pseudonymize(texts, spans, KEY)
    assert "Tuesday" not in release.data[0] or "Friday" not in release.data[0]
    assert all(verdict.holds for verdict in sf.verify(texts, release))


def test_a_release_of_given_spans_is_verified_with_their_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "Seen Tuesday, 2 March 2021, and Friday (5 March 2021)."
    Path("a.jsonl").write_text(json.dumps({"text": text}) + "\n", "utf-8")
    Path("key").write_bytes(KEY)
    places = [(text.index(day), day) for day in ("2 March 2021", "5 March 2021")]
    marked = [
        {"document": 0, "start": at, "stop": at + len(day), "label": "DATE", "text": day}
        for at, day in places
    ]
    Path("spans.jsonl").write_text("".join(json.dumps(one) + "\n" for one in marked), "utf-8")
    made_with = ("--spans", "spans.jsonl")
    options = ("--text-column", "text", "--key-file", "key", "-o", "b.jsonl")
    assert call("pseudonymize", "a.jsonl", *made_with, *options) == 0
    released = json.loads(Path("b.jsonl").read_text("utf-8"))["text"]
    assert not ("Tuesday, " in released and "Friday (" in released)
    assert call("verify", "a.jsonl", "b.jsonl", "--text-column", "text", *made_with) == 0


@pytest.mark.parametrize(
    ("old", "start", "new", "reason"),
    [
        ("Seen Tuesday, 2 March 2021.", 14, "17 July 2021", "beside"),
        ("Seen 2 March 2021 (Tuesday).", 5, "17 July 2021", "beside"),
        ("Seen Tuesday, 2 March 2021.", 5, "Tuesday, 17 July 2021", "fit"),
        ("Am Dienstag, den 02.03.2021.", 17, "17.07.2021", "beside"),
    ],
)
def test_a_planted_weekday_is_rejected(old, start, new, reason):
    release = sf.pseudonymize([old], [sf.Span(0, start, start + 3, "DATE")], KEY)
    stop = old.index("2021") + 4
    change = Change(0, start, stop, new, "DATE")
    planted = replace(
        release,
        data=[old[:start] + new + old[stop:]],
        changes=[change],
        sides=replace(release.sides, spans=[(0, start, stop, "DATE")]),
    )
    verdict = sf.verify([old], planted)[0]
    assert not verdict.holds
    assert reason in verdict.reason


def test_a_weekday_after_a_preposition_tells_a_day():
    for name, text, day in (
        ("rules-en", "He left on Friday and swims every Monday.", "Friday"),
        ("rules-de", "Er ging am Freitag, sonst montags.", "Freitag"),
        ("rules-fr", "Il part le vendredi.", "vendredi"),
    ):
        found = [text[one.start : one.stop] for one in recognizer(name)([text])]
        assert found == [day], name
