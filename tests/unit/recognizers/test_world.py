"""Addresses, numbers, ages and dates of many countries; what grows together; languages."""

from __future__ import annotations

import pytest

import sfumato as sf
from sfumato.core.errors import BadInput
from sfumato.core.spans import Span
from sfumato.recognizers import checks, recognizer
from sfumato.recognizers.growth import grown
from sfumato.recognizers.told_language import language_of

FOUND = [
    ("rules-en", "ship it to 12 Oak Street, Apt 4\nSpringfield, IL 62701", "ADDRESS"),
    ("rules-en", "ship it to Hauptstraße 12\n50667 Köln", "ADDRESS"),
    ("rules-en", "ship it to 8, chemin Da Costa\n44553 Baudry", "ADDRESS"),
    ("rules-en", "ship it to Via Garibaldi, 12\n20121 Milano (MI)", "ADDRESS"),
    ("rules-en", "ship it to P.O. Box 4411", "ADDRESS"),
    ("rules-en", "ship it to USS Gomez\nFPO AP 95418", "ADDRESS"),
    ("rules-en", "reach me on (749)534-9309x365", "PHONE"),
    ("rules-en", "reach me on 05 64 58 21 82", "PHONE"),
    ("rules-en", "the number is +90(352)929-7820", "PHONE"),
    ("rules-en", "my phone is 5645637113", "PHONE"),
    ("rules-en-GB", "she said 02079460018", "PHONE"),
    ("rules-en", "card 1800 6090 4977 341", "CREDIT_CARD"),
    ("rules-en", "card 4111-1111-1111-1111", "CREDIT_CARD"),
    ("rules-en", "pay to DE89370400440532013000", "IBAN"),
    ("rules-en", "my zip code is 71-386", "POSTCODE"),
    ("rules-en", "my postcode is 5366 GF", "POSTCODE"),
    ("rules-en", "the plate was KX52 BDR", "VEHICLE"),
    ("rules-en", "driving licence number is FK993289", "LICENSE"),
    ("rules-en", "wallet 1BoatSLRHtKNngkdXEeobR76b53LETtpyT", "WALLET"),
    ("rules-en", "meet at 52.52000, 13.40500", "COORDINATES"),
    ("rules-en", "see hines.com", "URL"),
    ("rules-en", "the file C:\\Users\\jsmith", "USERNAME"),
    ("rules-en", "a boy turning 24", "AGE"),
    ("rules-en", "she is thirty-five years old", "AGE"),
    ("rules-en", "on the third of May 1990", "DATE"),
    ("rules-en", "it was two weeks ago", "DATE"),
    ("rules-en", "VIN 1HGCM82633A004352", "VEHICLE"),
    ("de", "Die Steuernummer ist 36 574 261 809", "NATIONAL_ID"),
    ("fr", "NIR 2 95 10 99 126 111 93", "NATIONAL_ID"),
    ("nl", "BSN 111222333", "NATIONAL_ID"),
    ("it", "codice RSSMRA85T10A562S", "NATIONAL_ID"),
    ("it", "Abita in via Giuseppe Verdi, 3", "ADDRESS"),
    ("pt", "CPF 111.444.777-35", "NATIONAL_ID"),
    ("ja", "個人番号 1234 5678 9018", "NATIONAL_ID"),
    ("ja", "昭和62年3月", "DATE"),
    ("es", "de nacionalidad ecuatoriana", "NATIONALITY"),
]


@pytest.mark.parametrize(("name", "text", "label"), FOUND)
def test_the_end_of_the_text_is_found(name, text, label):
    spans = recognizer(name)([text])
    assert any(one.label == label and one.stop == len(text) for one in spans), spans


@pytest.mark.parametrize(
    "text",
    [
        "The score was 120/80 over 12.5 and 13.2.",
        "Sales grew from 2500 to 4600 units, about 50000000 in all.",
        "It lasted from 1990-2001, see p. 12-14.",
        "The brigade 5 marched during 6 days.",
    ],
)
def test_what_is_no_number_of_anybody(text):
    labels = {one.label for one in recognizer("rules-en")([text])}
    assert not labels & {"PHONE", "IDENTIFIER", "CREDIT_CARD", "ADDRESS", "COORDINATES"}


@pytest.mark.parametrize(
    ("check", "right"),
    [
        (checks.mod11_10, "36574261809"),
        (checks.nir, "295109912611193"),
        (checks.bsn, "111222333"),
        (checks.codice_fiscale, "RSSMRA85T10A562S"),
        (checks.nif, "123456789"),
        (checks.cpf, "11144477735"),
        (checks.my_number, "123456789018"),
    ],
)
def test_check_digits_refuse_every_other_last_symbol(check, right):
    symbols = "0123456789" if right[-1].isdigit() else "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    assert [x for x in symbols if check(right[:-1] + x)] == [right[-1]]


def test_what_belongs_to_a_mention_joins_it():
    texts = ["Sims, Wade and Peterson", "Prof. Palić of Rotte GmbH & Co. KG", "Slovakia (Republic)"]
    spans = [Span(0, 0, 4, "ORG"), Span(0, 6, 10, "ORG"), Span(0, 15, 23, "ORG")]
    spans += [Span(1, 6, 11, "PERSON"), Span(1, 15, 20, "ORG"), Span(2, 0, 8, "LOCATION")]
    found = grown(texts, spans)
    assert [texts[one.document][one.start : one.stop] for one in found] == [
        texts[0],
        "Prof. Palić",
        "Rotte GmbH & Co. KG",
        texts[2],
    ]


def test_a_document_goes_to_its_language():
    texts = [
        "Frau Meier wohnt in Köln und kommt am 3. März 2021.",
        "Le docteur Jean Martin habite à Lyon depuis 2010.",
        "Please ask Maria Jensen of Oslo about the invoice.",
        "患者の山田太郎さんは東京都に住んでいます。",
        "12:30",
    ]
    assert [language_of(text) for text in texts] == ["de", "fr", "en", "ja", None]
    found = sf.recognizer("auto")(texts, None, list("abcde"))
    shown = {texts[one.document][one.start : one.stop] for one in found}
    assert {"Frau Meier", "Maria Jensen", "山田太郎", "3. März 2021"} <= shown
    assert [one.document for one in found] == sorted(one.document for one in found)


def test_a_region_that_nobody_has_is_refused():
    with pytest.raises(BadInput, match="no such region"):
        recognizer("en-XX")(["text"])


def test_national_numbers_of_a_region():
    pytest.importorskip("stdnum", reason="pip install 'sfumato[ids]'")
    texts = ["PESEL 44051401359, BSN 111222333"]
    every = [texts[0][one.start : one.stop] for one in recognizer("ids-NL")(texts)]
    assert every == ["111222333"]
    assert "44051401359" in {texts[0][x.start : x.stop] for x in recognizer("ids")(texts)}
    with pytest.raises(BadInput, match="region"):
        recognizer("ids-QQ")(texts)
