"""Addresses as they are written in many countries."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from . import lists

if TYPE_CHECKING:
    from .values import Values

NUMBERS = ("#", "##", "###", "####", "#####", "##?", "#-#")
SIDES = ("N", "S", "E", "W", "North", "South", "East", "West", "N.", "Old", "Upper", "New")
ROADS = ("Broadway", "The Strand", "Route 66", "Highway 1", "County Road 9", "State Route 12")
UNITS = ("Apt {}", "Apt. {}", "Suite {}", "Unit {}", "#{}", "Flat {}", "Floor {}", "Room {}")
HOUSES = ("{} House", "{} Cottage", "{} Building", "{} Tower")
BOXES = ("P.O. Box", "PO Box", "Box")
REGIONS = {
    "CA": ("ON", "QC", "BC", "AB", "MB", "NS"),
    "AU": ("NSW", "VIC", "QLD", "WA", "SA", "TAS"),
}


@dataclass(frozen=True)
class Form:
    """How a country writes streets, the line of the street, the line of the town, postcodes."""

    streets: tuple[str, ...]
    line: str
    towns: tuple[str, ...]
    postcodes: tuple[str, ...]


@cache
def forms() -> dict[str, Form]:
    """The forms by country."""
    found = {}
    for row in lists.lines("addresses"):
        country, streets, line, towns, postcodes = (part.strip() for part in row.split("|"))
        several = (tuple(x for x in part.split("; ") if x) for part in (streets, towns, postcodes))
        first, second, third = several
        found[country] = Form(first, line, second, third)
    return found


@cache
def english() -> tuple[str, ...]:
    """The countries with English streets; those with most addresses several times."""
    return ("US", "US", "US", "GB", *(x for x, form in forms().items() if not form.streets))


def _name(values: Values) -> str:
    dice = values.random.random()
    if dice < 0.45:
        return values.surname()
    if dice < 0.6:
        return values.given()
    return values.a_city().name if dice < 0.7 else values.one(lists.lines("street_words"))


def english_street(values: Values) -> str:
    """A street as English has them."""
    if values.chance(0.03):
        return values.one(ROADS)
    name = _name(values)
    if values.chance(0.12):
        name = f"{values.one(SIDES)} {name}"
    if values.chance(0.08):
        name = f"{name} {values.one(lists.lines('street_words'))}"
    return f"{name} {values.one(lists.lines('street_ends'))}"


def _english_line(values: Values) -> str:
    if values.chance(0.03):
        return f"{values.one(BOXES)} {1 + values.below(9000)}"
    number = values.digits(values.one(NUMBERS))
    line = f"{int(number) + 1 if number.isdigit() else number} {english_street(values)}"
    if values.chance(0.25):
        unit = values.one(UNITS).format(1 + values.below(400))
        between = values.one((", ", " ", ", "))
        line = f"{unit}, {line}" if values.chance(0.2) else f"{line}{between}{unit}"
    if values.chance(0.05):
        line = f"{values.one(HOUSES).format(_name(values))}, {line}"
    return line


def _other_line(values: Values, form: Form) -> str:
    line = form.line.replace("<street>", values.one(form.streets).format(_name(values)))
    while "<number>" in line:
        line = line.replace("<number>", str(1 + values.below(250)), 1)
    return line


def _country(values: Values) -> str:
    if values.chance(0.6):
        return values.one(english())
    return values.one(tuple(x for x, form in forms().items() if form.streets))


def street_of(values: Values) -> str:
    """A street without a number."""
    form = forms()[_country(values)]
    if form.streets:
        return values.one(form.streets).format(_name(values))
    return english_street(values)


JOINTS = (", ", "\n", " ", "\n, ", " , ", "; ", ",", " - ")


def _mixed(values: Values, line: str) -> str:
    """An address as forms and other software leave it: parts of several countries in any order."""
    if values.chance(0.3) and not line[0].isdigit():
        line = f"{1 + values.below(9000)} {line}"
    if values.chance(0.3):
        line = f"{line} {values.one(UNITS).format(1 + values.below(900))}"
    post = values.digits(values.one(forms()[_country(values)].postcodes))
    region = values.one(tuple(lists.states()))
    country = values.country()
    ends = (
        *((region, post), (region, country), (country, post), (post, country), (country,)),
        *((f"{region} {post}",), (f"{country} {post}",), (post,), (region, f"{country} {post}")),
    )
    parts = [line, values.city(), *values.one(ends)]
    text = parts[0]
    for part in parts[1:]:
        text += values.one(JOINTS) + part
    return text


def address_of(values: Values, between: str) -> str:
    """An address; most are of countries that write English, all others have their turn."""
    country = _country(values)
    form = forms()[country]
    line = _other_line(values, form) if form.streets else _english_line(values)
    if values.chance(0.12):
        return _mixed(values, line)
    if between == ", " and values.chance(0.3):
        return line
    region = values.one(REGIONS.get(country, tuple(lists.states())))
    if country == "US" and values.chance(0.25):
        region = lists.states()[region]
    town = values.one(form.towns).replace("<region>", region).replace("<city>", values.city())
    town = town.replace("<post>", values.digits(values.one(form.postcodes)))
    if values.chance(0.15):
        line = f"{line}{between}{values.city()}"
    end = f"{between}{lists.countries()[country]}" if values.chance(0.3) else ""
    joint = between if between == "\n" or values.chance(0.85) else " "
    return f"{line}{joint}{town}{end}"
