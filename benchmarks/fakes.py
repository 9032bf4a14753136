"""Faker's values and texts with marked places, the same on every run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from random import Random
from typing import Any

Mark = tuple[int, int, str]
Document = tuple[str, list[Mark]]
MAY = "MAY"  # what may be masked or stay
MARKED = re.compile(r"\{([A-Z_]+) ([^{}]*)\}")


def fakes(locales: Iterable[str], seed: int) -> dict[str, Any]:
    """Faker by locale, seeded; only those who make sentences need it installed."""
    from faker import Faker
    from faker.providers.address.it_IT import Provider as ItalianAddresses

    # A list that is made of a set there: its order, and so every drawn value, hung on the process.
    ItalianAddresses.cities = sorted(ItalianAddresses.cities)
    Faker.seed(seed)
    return {one: Faker(one) for one in sorted(set(locales))}


@cache
def american() -> Any:
    """Faker of the USA."""
    from faker import Faker

    return Faker("en_US")


def filled(
    slots: re.Pattern[str],
    template: str,
    value_of: Callable[[str], str],
    kind_of: Callable[[str], str | None],
) -> Document:
    """A template with values in its slots, and where mentions stand; a name's parts are one."""
    text, at = "", 0
    marks: list[Mark] = []
    for slot in slots.finditer(template):
        text += template[at : slot.start()]
        at = slot.end()
        value, kind = value_of(slot[1]), kind_of(slot[1])
        if kind is not None:
            joined = marks and kind == "PERSON" == marks[-1][2] and text[marks[-1][1] :] == " "
            start = marks.pop()[0] if joined else len(text)
            marks.append((start, len(text) + len(value), kind))
        text += value
    return text + template[at:], marks


def marked(source: str) -> Document:
    """A text whose mentions are written {KIND value}.

    >>> marked("Ask {PERSON Ann}.")
    ('Ask Ann.', [(4, 7, 'PERSON')])
    """
    text, at = "", 0
    marks: list[Mark] = []
    for one in MARKED.finditer(source):
        text += source[at : one.start()]
        marks.append((len(text), len(text) + len(one[2]), one[1]))
        text += one[2]
        at = one.end()
    return text + source[at:], marks


def sections(lines: Iterable[str]) -> dict[str, list[str]]:
    """Lines by the heading (##) they stand below; lines of comment (# ) are left out."""
    found: dict[str, list[str]] = {}
    for line in lines:
        if line.startswith("## "):
            found[line[3:].strip()] = []
        elif found and not line.startswith("# "):
            found[list(found)[-1]].append(line.rstrip("\n"))
    return found


def documents(lines: Iterable[str]) -> dict[str, list[Document]]:
    """Marked documents by the kind of text; a line of -- ends one."""
    return {
        kind: [marked(one.strip("\n")) for one in "\n".join(some).split("\n--\n")]
        for kind, some in sections(lines).items()
    }


# ---- other languages

SLOT = re.compile(r"\{([a-z_]+)\}")
KINDS = {"first": "PERSON", "last": "PERSON", "person": "PERSON", "address": "ADDRESS"}
KINDS |= {"street_address": "ADDRESS", "city": "LOCATION", "company": "ORGANIZATION"}
KINDS |= {"date": "DATE", "words": "DATE", "year": "DATE", "ssn": "ID", "zip": "POSTCODE"}
MONTHS = {
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre"
    " dicembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro"
    " dezembro",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre"
    " diciembre",
}
IN_WORDS = {"de": "{d}. {m} {y}", "pt": "{d} de {m} de {y}", "es": "{d} de {m} de {y}"}


def in_words(language: str, day: Any, random: Random) -> str:
    """A date with the month's name; in Japan by era or by year."""
    if language == "ja":
        if day.year > 1990 and random.random() < 0.5:
            return f"平成{day.year - 1988}年{day.month}月{day.day}日"
        return f"{day.year}年{day.month}月{day.day}日"
    month = MONTHS[language].split()[day.month - 1]
    return IN_WORDS.get(language, "{d} {m} {y}").format(d=day.day, m=month, y=day.year)


def foreign(lines: Iterable[str], count: int, seed: int) -> dict[str, list[Document]]:
    """Sentences of every language in turn, `count` of each, filled by Faker's locales of it."""
    found: dict[str, list[Document]] = {}
    for head, templates in sections(lines).items():
        language, *locales = head.split()
        random, every = Random(seed), fakes(locales, seed)
        some = [one for one in templates if one]
        found[language] = [
            one_foreign(some[n % len(some)], language, every[random.choice(locales)], random)
            for n in range(count)
        ]
    return found


def one_foreign(template: str, language: str, fake: Any, random: Random) -> Document:
    """A template of a language, filled."""
    gap = "" if language == "ja" else " "
    before = language == "ja"  # the surname comes first

    def person() -> str:
        names = [fake.first_name(), fake.last_name()]
        return gap.join(reversed(names) if before else names)

    makers: dict[str, Callable[[], Any]] = {
        "first": fake.first_name,
        "last": fake.last_name,
        "person": person,
        "address": lambda: (
            fake.address() if random.random() < 0.6 else fake.address().replace("\n", ", ")
        ),
        "street_address": fake.street_address,
        "city": fake.city,
        "company": fake.company,
        "phone": fake.phone_number,
        "email": fake.email,
        "iban": fake.iban,
        "ssn": fake.ssn,
        "zip": fake.postcode,
        "year": lambda: random.randrange(1960, 2025),
        "age": lambda: random.randrange(18, 96),
        "date": lambda: fake.date_object().strftime(
            random.choice(("%d.%m.%Y", "%d/%m/%Y", "%Y-%m-%d", "%d-%m-%Y"))
        ),
        "words": lambda: in_words(language, fake.date_object(), random),
    }
    return filled(
        SLOT,
        template.replace("\\n", "\n"),
        lambda slot: str(makers[slot]()).strip(),
        lambda slot: KINDS.get(slot, slot.upper()),
    )


def texts_of(documents: Sequence[Document]) -> list[str]:
    """The texts of documents."""
    return [text for text, _ in documents]
