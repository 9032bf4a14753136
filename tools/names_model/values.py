"""What fills the slots of templates: names, places, organisations, addresses, dates, numbers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import TypeVar

from . import lists
from .addresses import address_of, street_of
from .lists import City, People, plain, share

T = TypeVar("T")

MONTHS = tuple(lists.lines("times")[:12])
DAYS = tuple(lists.lines("times")[24:31])
LETTERS = "ABCDEFGHIKLMNOPRSTUVW"
ENGLISH = ("en", "en_US", "en_GB", "en_IE", "en_NZ")
SURNAME_FIRST = ("chinese", "korean", "vi_VN", "hu_HU")
COUNTRIES = ("USA", "UK", "the UK", "United States", "the United States", "England", "Scotland")
TOWNS = ("ville", "ton", "burg", "field", "stad", "port")
FIELDS = (
    *("Health", "Education", "Science", "Art", "Trade", "Transport", "Labor", "Energy"),
    *("Agriculture", "Cancer Research"),
)
OFFICES = (
    *("Department of {}", "Ministry of {}", "Institute of {}", "National {} Agency"),
    *("World {} Forum", "Society for {}", "National Center for {}"),
)
PHONES = (
    *("(###) ###-####", "###-###-####", "+## ### ######", "0#### ######", "+1 ### ### ####"),
    *("### ####", "+44 20 #### ####"),
)
AMOUNTS = ("$###", "$#,###", "€##", "## euros", "£#.##", "### dollars", "#### USD", "Rs. ###")
NUMBERS = ("#######", "??-####", "?#######", "####-####", "#?##?#")
CARDS = ("4### #### #### ####", "5###############", "37## ###### #####")
IBANS = ("DE## #### #### #### #### ##", "GB##????##############", "FR################")


@cache
def _people(kept: bool | None) -> tuple[People, ...]:
    """The names of every people, those kept apart or the others; None: all."""
    sources = [*lists.people(), *lists.more_people()]
    if kept is None:
        return tuple(sources)
    result = []
    for one in sources:
        given = tuple(x for x in one.given if (share(x, "name") < 0.15) == kept)
        surnames = tuple(x for x in one.surnames if (share(x, "name") < 0.15) == kept)
        if given and surnames:
            result.append(People(one.locale, given, surnames))
    return tuple(result)


def _part(values: Sequence[T], kept: bool | None, name: str = "") -> tuple[T, ...]:
    if kept is None:
        return tuple(values)
    return tuple(x for x in values if (share(str(getattr(x, "name", x)), name) < 0.15) == kept)


@cache
def _cities(kept: bool | None) -> tuple[City, ...]:
    return _part(lists.cities(), kept, "name")


@cache
def _large(kept: bool | None) -> tuple[City, ...]:
    return tuple(one for one in _cities(kept) if one.population > 400_000)


@cache
def _organisations(kept: bool | None) -> tuple[str, ...]:
    return _part(lists.lines("organisations"), kept, "name")


@cache
def _usual() -> tuple[str, ...]:
    return tuple(x for x in lists.usual_words() if len(x) > 2)


@cache
def _trades() -> tuple[str, ...]:
    return tuple(sorted(lists.nouns("PERSON_NOUN")))


class Values:
    """Draws values by one source of chance; `kept`: those kept apart, the others, None: all."""

    def __init__(self, random: Random, kept: bool | None) -> None:
        self.random = random
        self.kept = kept
        self.plain_only = kept is True
        self.peoples = _people(kept)

    def below(self, count: int) -> int:
        """A number below the count."""
        return int(self.random.random() * count)

    def one(self, values: Sequence[T]) -> T:
        """One of the values."""
        return values[self.below(len(values))]

    def of(self, name: str) -> str:
        """A line of one of our own lists."""
        return self.one(lists.lines(name))

    def chance(self, share_: float) -> bool:
        """Whether something happens that does so in this share of cases."""
        return self.random.random() < share_

    def _spelt(self, name: str) -> str:
        return plain(name) if self.chance(0.4) else name

    def people(self) -> People:
        """A people; many of the names are those of English-speaking countries."""
        if self.chance(0.4):
            return self.one([one for one in self.peoples if one.locale in ENGLISH])
        return self.one(self.peoples)

    def given(self) -> str:
        """A given name."""
        return self._spelt(self.one(self.people().given))

    def surname(self) -> str:
        """A surname."""
        name = self._spelt(self.one(self.people().surnames))
        return f"{name}-{self.one(self.people().surnames)}" if self.chance(0.03) else name

    def person(self) -> str:
        """A whole name in one of the ways people write them."""
        people = self.people()
        given, surname = self._spelt(self.one(people.given)), self._spelt(self.one(people.surnames))
        if self.chance(0.1):
            surname = self._spelt(self.one(self.people().surnames))
        dice = self.random.random()
        if people.locale.startswith("es") and dice < 0.4:
            return f"{given} {surname} {self.one(people.surnames)}"
        if people.locale in SURNAME_FIRST and dice < 0.5:
            return f"{surname} {given}"
        if dice < 0.07:
            return f"{given} {self.one(LETTERS)}. {surname}"
        if dice < 0.10:
            return f"{given} {self.one(LETTERS)} {surname}"
        if dice < 0.15:
            return f"{given[0]}. {surname}"
        if dice < 0.17:
            return f"{given[0]}.{self.one(LETTERS)}. {surname}"
        if dice < 0.22:
            return f"{given} {self.one(people.given)} {surname}"
        if dice < 0.25:
            return f"{given} {surname}-{self.one(people.surnames)}"
        if dice < 0.26:
            return f"{given} {surname} {self.one(('Jr.', 'Sr.', 'II', 'III'))}"
        if dice < 0.30:
            return given
        return f"{given} {surname}"

    def a_city(self) -> City:
        """A city, more often a large one."""
        return self.one(_large(self.kept)) if self.chance(0.45) else self.one(_cities(self.kept))

    def city(self) -> str:
        """A city's name."""
        if self.chance(0.06):
            return self.of("places")
        if self.chance(0.05):  # a place nobody has listed
            return self.surname() + self.one(TOWNS)
        return self._spelt(self.a_city().name)

    def country(self) -> str:
        """A country's name."""
        return self.one(COUNTRIES if self.chance(0.2) else tuple(lists.countries().values()))

    def place(self) -> str:
        """A city, alone or with its state or country, or a country, state or region."""
        dice = self.random.random()
        if dice < 0.35:
            return self.city()
        if dice < 0.5:
            return self.country()
        if dice < 0.6:
            return self.one(tuple(lists.states().values()))
        if dice < 0.65:
            return self.of("places")
        city = self.a_city()
        if city.country != "US":
            return f"{self._spelt(city.name)}, {lists.countries()[city.country]}"
        state = city.region if self.chance(0.6) else lists.states().get(city.region, city.region)
        return f"{city.name}{', ' if self.chance(0.9) else ' '}{state}"

    def organisation(self) -> str:
        """An organisation: a known one, or one made of names, places, words or letters."""
        dice = self.random.random()
        if dice < 0.28:
            return self.one(_organisations(self.kept))
        if dice < 0.45:
            return self._family() if dice > 0.40 else f"{self.surname()} {self.of('firms')}"
        if dice < 0.56:
            return self.of("bodies").format(self.city())
        if dice < 0.60:
            return self.of("national").format(self.nationality())
        if dice < 0.67:
            return self.of("named").format(self.surname() if self.chance(0.6) else self.given())
        if dice < 0.89:
            name = self._worded() if dice < 0.76 else self._coined()
            return f"{name} {self.of('firms')}" if self.chance(0.4) else name
        if dice < 0.96:
            return "".join(self.one(LETTERS) for _ in range(2 + self.below(4)))
        return self.one(OFFICES).format(self.one(FIELDS))

    def _family(self) -> str:
        one, two, three = (self.surname() for _ in range(3))
        names = (f"{one}, {two} and {three}", f"{one}-{two}", f"{one} & {two}", f"{one} and Sons")
        return self.one(names)

    def _worded(self) -> str:
        if self.chance(0.3):
            return f"The {self.of('things')}"
        return f"{self.of('colours')} {self.of('things')}"

    def _coined(self) -> str:
        if self.chance(0.5):
            middle = self.of("syllables") if self.chance(0.6) else ""
            return f"{self.of('syllables')}{middle}{self.of('endings')}".capitalize()
        second = self.of("things") if self.chance(0.5) else self.of("activities")
        second = second.lower() if self.chance(0.3) else second
        return f"{self.of('activities')}{' ' if self.chance(0.3) else ''}{second}"

    def nationality(self) -> str:
        """An adjective of a nation or a people."""
        return self.one(lists.nationalities())[0]

    def national(self) -> str:
        """What one of them is called."""
        return self.one(lists.nationalities())[1]

    def nationals(self) -> str:
        """What several of them are called."""
        noun = self.national()
        if noun.endswith("man"):
            return noun[:-3] + "men"
        return noun if noun.endswith(("ese", "ish", "iss")) else noun + "s"

    def job(self) -> str:
        """An occupation."""
        return self.one(lists.jobs() if self.chance(0.6) else _trades())

    def year(self) -> str:
        """A year."""
        return str(1900 + self.below(126))

    def date(self) -> str:
        """A date in one of the ways of the world, or a day."""
        day, month, year = 1 + self.below(28), 1 + self.below(12), 1930 + self.below(96)
        name = self.one((MONTHS[month - 1], MONTHS[month - 1][:3], MONTHS[month - 1]))
        suffix = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd"}.get(day, "th")
        weekday = self.one(DAYS)
        written = (
            *(f"{name} {day}, {year}", f"{day} {name} {year}", f"{name} {day}", f"{name} {year}"),
            *(f"{day}{suffix} {name}", f"{name} {day}{suffix}, {year}", f"{weekday}, {name} {day}"),
            *(f"{day}{suffix} of {name} {year}", f"{month}/{day}/{year}", f"{month:02}/{year}"),
            *(f"{day:02}/{month:02}/{year % 100:02}", f"{day:02}.{month:02}.{year}"),
            *(f"{year}-{month:02}-{day:02}", f"{day}-{month}-{year}", f"{weekday} {day} {name}"),
            weekday,
        )
        return self.one(written)

    def address(self) -> str:
        """An address in one line."""
        return address_of(self, ", ")

    def address_lines(self) -> str:
        """An address in several lines."""
        return address_of(self, "\n")

    def street(self) -> str:
        """A street without a number."""
        return street_of(self)

    def digits(self, pattern: str) -> str:
        """The pattern with a digit for each # and a letter for each ?."""
        return "".join(
            str(self.below(10)) if x == "#" else self.one(LETTERS) if x == "?" else x
            for x in pattern
        )

    def digit(self) -> str:
        """A digit, not zero."""
        return str(1 + self.below(9))

    def age(self) -> str:
        """An age."""
        return str(18 + self.below(75))

    def phone(self) -> str:
        """A telephone number."""
        return self.digits(self.one(PHONES))

    def user(self) -> str:
        """A user name."""
        name = plain(self.given()).lower().replace(" ", "")
        return f"{name}{self.one(('.', '_', '', 'x'))}{self.below(1000)}"

    def email(self) -> str:
        """A mail address."""
        return f"{self.user()}@{self.one(('example', 'mail', 'post'))}.{self._domain()}"

    def _domain(self) -> str:
        return self.one(("com", "org", "net", "de", "co.uk", "info"))

    def url(self) -> str:
        """A web address."""
        start = self.one(("http://", "https://", "www.", ""))
        return f"{start}{self.word()}{self.word()}.{self._domain()}/"

    def money(self) -> str:
        """An amount."""
        return self.digits(self.one(AMOUNTS))

    def clock(self) -> str:
        """A time of day."""
        hour, minute = 1 + self.below(12), self.below(60)
        return self.one((f"{hour}:{minute:02}", f"{hour} pm", f"{hour + 11:02}:{minute:02}"))

    def identifier(self) -> str:
        """A number of something."""
        return self.digits(self.one(NUMBERS))

    def card(self) -> str:
        """The number of a card."""
        return self.digits(self.one(CARDS))

    def iban(self) -> str:
        """An account number."""
        return self.digits(self.one(IBANS))

    def ip(self) -> str:
        """A network address."""
        return ".".join(str(self.below(256)) for _ in range(4))

    def word(self) -> str:
        """A common noun."""
        return self.of("words")

    def usual(self) -> str:
        """A usual word of any kind."""
        return self.one(_usual())
