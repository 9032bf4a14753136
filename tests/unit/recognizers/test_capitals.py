"""Names in other languages than English by capitals and lists."""

from __future__ import annotations

import pytest

from sfumato.recognizers import recognizer
from sfumato.recognizers.capitals import LANGUAGES, Capitals, _beginnings

FOUND = [
    ("es", "Mi hermana Lucía Ferrándiz llegó ayer de Villagarzón.", ["Lucía Ferrándiz"]),
    ("es", "El contrato de Finanzas Integrales se firmó en Torrelavega.", ["Torrelavega"]),
    ("fr", "Selon Noëlle Allain, le colis est resté à Quimperlé.", ["Noëlle Allain", "Quimperlé"]),
    ("it", "Ieri ho visto Gilberto Vercelloni alla stazione di Bobbio.", ["Gilberto Vercelloni"]),
    ("nl", "Volgens Sterre van der Sloot woont hij in Stevensbeek.", ["Stevensbeek"]),
    ("pt", "A minha irmã Lunna mora em Reguengos de Monsaraz.", ["Lunna", "Reguengos de Monsaraz"]),
    ("de", "Gestern kam Annelise Lorch mit ihrem Hund aus Bischofswerda.", ["Annelise Lorch"]),
    ("de", "Die Wohnung in Ried im Innkreis ist frei.", ["Ried im Innkreis"]),
]


@pytest.mark.parametrize(("language", "text", "names"), FOUND)
def test_names_without_a_title_are_found(language, text, names):
    found = [text[span.start : span.stop] for span in recognizer(language)([text])]
    assert set(names) <= set(found)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("es", "El paciente presenta fiebre. Se pautó tratamiento. Dada la evolución, fue alta."),
        ("fr", "La malade va mieux. Elle a pris son traitement. Aucune fièvre."),
        ("it", "Il referto è pronto. Nessuna febbre. La terapia continua."),
        ("nl", "De koorts is weg. Zij neemt haar medicijnen. Geen klachten."),
        ("pt", "O doente melhorou. Nenhuma febre. Ela tomou o medicamento."),
        (
            "de",
            "Der Befund lag am Morgen vor. Die Therapie geht weiter, guter Appetit.",
        ),
    ],
)
def test_words_that_begin_sentences_and_german_nouns_are_no_names(language, text):
    assert Capitals(language)([text]) == []


def test_every_language_has_its_words():
    for language in LANGUAGES:
        assert len(_beginnings(language)) > 100
        assert all(word == word.lower() for word in _beginnings(language))


def test_a_house_number_makes_an_address_and_a_year_does_not():
    text = "Vive en Vial Esmeralda Salgado 12, nació en Torrelavega 1999."
    found = {text[x.start : x.stop]: x.label for x in Capitals("es")([text])}
    assert found["Vial Esmeralda Salgado 12"] == "ADDRESS"
    assert "Torrelavega" in found


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "佐藤拓真は横浜市瀬谷区の出身で、1976年に阿部印刷株式会社に入社した。",
            ["佐藤拓真", "横浜市瀬谷区"],
        ),
        ("契約者 小林春香、連絡先 070-2429-8488", ["小林春香", "070-2429-8488"]),
        ("担当の西村が伺います。", ["西村"]),
    ],
)
def test_japanese_names_need_no_honorific(text, names):
    found = [text[span.start : span.stop] for span in recognizer("ja")([text])]
    assert set(names) <= set(found)


def test_towns_and_firms_are_no_japanese_people():
    text = "都市の市場と農村の話。山田水産は休みです。"
    assert "PERSON" not in [span.label for span in recognizer("ja")([text])]
