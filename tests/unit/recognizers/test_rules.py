"""What the rules find, as tables of texts and spans."""

from __future__ import annotations

import pytest

from sfumato.recognizers import recognizer

ENGLISH = [
    ("write to ann.ho+x@mail.example.org.", "EMAIL", "ann.ho+x@mail.example.org"),
    ("see https://example.org/a?b=1.", "URL", "https://example.org/a?b=1"),
    ("see www.example.org/x, please", "URL", "www.example.org/x"),
    ("from 192.168.0.12 today", "IP", "192.168.0.12"),
    ("at 2001:db8::ff00:42:8329 now", "IP", "2001:db8::ff00:42:8329"),
    ("pay to GB82 WEST 1234 5698 7654 32 soon", "IBAN", "GB82 WEST 1234 5698 7654 32"),
    ("card 4111 1111 1111 1111 used", "CREDIT_CARD", "4111 1111 1111 1111"),
    ("card 378282246310005 used", "CREDIT_CARD", "378282246310005"),
    ("SSN: 482-43-1338", "SSN", "482-43-1338"),
    ("NHS number 943 476 5919", "NATIONAL_ID", "943 476 5919"),
    ("MRN: 2589145 ", "MRN", "2589145"),
    ("medical record number AB-12345", "MRN", "AB-12345"),
    ("account no. 12345678", "ACCOUNT", "12345678"),
    ("policy #XK-44821", "INSURANCE", "XK-44821"),
    ("phone (713) 524-9968.", "PHONE", "(713) 524-9968"),
    ("ring +1 713 524 9968 or", "PHONE", "+1 713 524 9968"),
    ("ring +44 20 7946 0958 or", "PHONE", "+44 20 7946 0958"),
    ("713.524.9968", "PHONE", "713.524.9968"),
    ("on 06/17/2021.", "DATE", "06/17/2021"),
    ("on 6/7/21 and", "DATE", "6/7/21"),
    ("on 6/7 and", "DATE", "6/7"),
    ("on 2021-10-19T10:00:00Z", "DATE", "2021-10-19"),
    ("on July 11, 2015 and", "DATE", "July 11, 2015"),
    ("on the 11th of July 2015", "DATE", "11th of July 2015"),
    ("on 3-Feb-2019", "DATE", "3-Feb-2019"),
    ("in May 2004", "DATE", "May 2004"),
    ("since 2004.", "DATE", "2004"),
    ("since 2021-10-19", "DATE", "2021-10-19"),
    ("a 49-year-old man", "AGE", "49-year-old"),
    ("aged 49 and", "AGE", "49"),
    ("a 3 months old", "AGE", "3 months old"),
    ("at 14:30 sharp", "TIME", "14:30"),
    ("at 4 pm sharp", "TIME", "4 pm"),
    ("paid $1,250.50 cash", "MONEY", "$1,250.50"),
    ("7360 Hillcrest Dr, Salem 17216", "ADDRESS", "7360 Hillcrest Dr, Salem 17216"),
    ("Boston, MA 02115", "POSTCODE", "02115"),
    ("in SW1A 1AA now", "POSTCODE", "SW1A 1AA"),
    ("by Dr. Lisa van der Berg today", "PERSON", "Dr. Lisa van der Berg"),
    ("Patient: James O'Neil\n", "PERSON", "James O'Neil"),
    ("Her daughter Ruth called", "PERSON", "Ruth"),
    ("by Dr. J. Smith today", "PERSON", "Dr. J. Smith"),
    ("by Dr. J. R. Smith today", "PERSON", "Dr. J. R. Smith"),
    ("by Mr. John Q. Public today", "PERSON", "Mr. John Q. Public"),
    ("Patient: Mr. John Smith\n", "PERSON", "Mr. John Smith"),
    ("Patient: SMITH, JOHN\n", "PERSON", "SMITH, JOHN"),
    ("Name: Smith, John\n", "PERSON", "Smith, John"),
    ("her daughter Mrs. Jones came", "PERSON", "Mrs. Jones"),
    ("a letter from Dr. Smith came", "PERSON", "Dr. Smith"),
    ("Patient: May Jones\n", "PERSON", "May Jones"),
    ("from January 2004 on", "DATE", "January 2004"),
    ("from St. Louis, MO", "LOCATION", "St. Louis, MO"),
    ("Ann Ho, MD wrote", "PERSON", "Ann Ho, MD"),
    ("at Riverside Clinic today", "ORG", "Riverside Clinic"),
    ("a nurse from Salem, with", "LOCATION", "Salem"),
]
SPANISH = [
    ("correo: ana@ejemplo.es", "EMAIL", "ana@ejemplo.es"),
    ("DNI 12345678Z, vive", "NATIONAL_ID", "12345678Z"),
    ("NIE X-1234567-L, vive", "NATIONAL_ID", "X-1234567-L"),
    ("NASS: 26 37482910 04.", "INSURANCE", "26 37482910 04"),
    ("NHC: 2748903.", "MRN", "2748903"),
    ("NºCol: 28 28 35489.", "LICENSE", "28 28 35489"),
    ("CP: 28016.", "POSTCODE", "28016"),
    ("Tel.: 91 345 67 89", "PHONE", "91 345 67 89"),
    ("llamar al 612 345 678 hoy", "PHONE", "612 345 678"),
    ("el 3 de marzo de 2010 ingresa", "DATE", "3 de marzo de 2010"),
    ("en enero de 2004 y", "DATE", "enero de 2004"),
    ("ingreso 12/03/2016.", "DATE", "12/03/2016"),
    ("varón de 37 años con", "AGE", "37 años"),
    ("Edad: 54 años Sexo: H", "AGE", "54 años"),
    ("Sexo: M.", "GENDER", "M"),
    ("remitido por: Dra. María José Peña Núñez.", "PERSON", "María José Peña Núñez"),
    ("Nombre: Ángela.", "PERSON", "Ángela"),
    ("visto por la Dra. J. M. Peña hoy", "PERSON", "J. M. Peña"),
    ("País: España.", "COUNTRY", "España"),
    ("Hospital Universitario La Paz", "ORG", "Hospital Universitario La Paz"),
    ("vive en C/ Mayor, 12", "ADDRESS", "C/ Mayor, 12"),
]
NOT_FOUND = [
    ("4111 1111 1111 1112", "CREDIT_CARD"),
    ("GB82 WEST 1234 5698 7654 33", "IBAN"),
    ("000-43-1338", "SSN"),
    ("300.1.1.1", "IP"),
    ("45/45/2021", "DATE"),
    ("strength 5/5", "DATE"),
    ("BP 120/80", "DATE"),
    ("149-year-old", "AGE"),
    ("27:75", "TIME"),
    ("éMRN: 2589145", "MRN"),
]


@pytest.mark.parametrize(("text", "label", "value"), ENGLISH)
def test_english(text, label, value):
    assert (label, value) in found("rules-en", text)


@pytest.mark.parametrize(("text", "label", "value"), SPANISH)
def test_spanish(text, label, value):
    assert (label, value) in found("rules-es", text)


@pytest.mark.parametrize(("text", "label"), NOT_FOUND)
def test_what_fails_its_check_is_not_found(text, label):
    assert label not in dict(found("rules-en", text))


def test_another_rule_may_take_what_one_refused():
    assert found("rules-en", "10.12.2021") == [("DATE", "10.12.2021")]
    assert found("rules-en", "10.12.20.21") == [("IP", "10.12.20.21")]


def test_places_are_code_points():
    text = "é😀 Dr. Ho, tel. 713-524-9968, 😀 ho@example.org"
    for span in recognizer("rules-en")([text]):
        assert text[span.start : span.stop] in ("Dr. Ho", "713-524-9968", "ho@example.org")


def found(name, text):
    return [(span.label, text[span.start : span.stop]) for span in recognizer(name)([text])]


@pytest.mark.parametrize(
    ("text", "label", "value"),
    [
        ("A 50-year-old man, a retired school teacher from Leeds", "OCCUPATION", None),
        ("She works as a bus driver.", "OCCUPATION", "bus driver"),
        ("Occupation: welder", "OCCUPATION", "welder"),
        ("History of atrial fibrillation and asthma.", "DIAGNOSIS", "atrial fibrillation"),
        ("was diagnosed with type 2 diabetes in 2010", "DIAGNOSIS", "type 2 diabetes"),
        ("h/o COPD", "DIAGNOSIS", "COPD"),
    ],
)
def test_trades_and_conditions_by_what_stands_before(text, label, value):
    found = [(one.label, text[one.start : one.stop]) for one in recognizer("rules-en")([text])]
    assert (label, value or "retired school teacher") in found


@pytest.mark.parametrize(
    "text", ["History of present illness: well.", "Well known to us", "a friend, a smoker, left"]
)
def test_what_is_no_trade_and_no_condition(text):
    labels = {one.label for one in recognizer("rules-en")([text])}
    assert not labels & {"OCCUPATION", "DIAGNOSIS"}
