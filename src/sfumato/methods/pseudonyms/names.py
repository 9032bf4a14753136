"""Names of people, places and institutions, word by word: a word has one surrogate everywhere.

So the variants of a name stay variants of one name: "Dr. Smith", "John Smith", "SMITH, John".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from ...core.printed_form import by_sizes
from .lists import GIVEN, KINDS, LINKS, PARTICLES, TITLES
from .surrogates import SurrogateTable, bracketed, given_name, shaped, surname

WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*\.?")
PIECE = re.compile(r"[^\W\d_]+|\d+")
WORD_OR_NUMBER = re.compile(rf"{WORD.pattern}|\d+")
FEMALE = frozenset(["mrs", "ms", "miss", "sra", "srta", "dame", "lady", "dña", "doña", "dª", "dra"])
MALE = frozenset(["mr", "sir", "sr", "don", "lord", "d"])

GENDERS: dict[str, tuple[str, str]] = {
    name.casefold(): (gender, language)
    for language in ("es", "en")
    for gender, names in GIVEN[language].items()
    for name in names
}


@dataclass(frozen=True, slots=True)
class People:
    """What all the names of people together tell: which words are given names, of which gender."""

    given: dict[str, str] = field(default_factory=dict)
    spanish: set[str] = field(default_factory=set)
    pairs: dict[tuple[str, str], set[str]] = field(default_factory=dict)

    __repr__ = by_sizes

    @classmethod
    def of(cls, names: Iterable[tuple[str, bool]]) -> People:
        """Reads every name (and whether its document is Spanish), in sorted order.

        >>> people = People.of([("Mr. Robyn Scott", False)])
        >>> people.given["robyn"], "scott" in people.given
        ('male', False)
        """
        people, firsts, families = cls(), Counter[str](), Counter[str]()
        told: dict[str, str] = {}
        for name, spanish in sorted(set(names)):
            words = [word[0].rstrip(".").casefold() for word in WORD.finditer(name)]
            proper = [word for word in words if word not in TITLES | PARTICLES and len(word) > 1]
            if spanish:
                people.spanish.update(proper)
            if len(proper) < 2:
                continue
            last_first = "," in name
            first, family = (proper[1], proper[0]) if last_first else (proper[0], proper[-1])
            firsts[first] += 1
            families[family] += 1
            people.pairs.setdefault((first[0], family), set()).add(first)
            if set(words) & (FEMALE | MALE):
                told.setdefault(first, "female" if set(words) & FEMALE else "male")
        for word in sorted(firsts.keys() | GENDERS.keys()):
            if firsts[word] >= max(1, families[word]) or not families[word]:
                people.given[word] = GENDERS.get(word, (told.get(word, "unknown"), ""))[0]
        return people


def person(name: str, people: People, drawn: SurrogateTable) -> str:
    """A name word by word, and the numbers in it; titles, particles and punctuation stay."""
    words = [word[0].rstrip(".").casefold() for word in WORD.finditer(name)]
    families = [word for word in words if word not in TITLES | PARTICLES and len(word) > 1]

    def replaced(match: re.Match[str]) -> str:
        if match[0].isdecimal():
            return _number(match[0], drawn)
        word = match[0].rstrip(".")
        plain = word.casefold()
        if len(plain) == 1:
            family = families[-1] if families else ""
            return _initial(word, family, people, drawn) + match[0][len(word) :]
        if plain in TITLES or (plain in PARTICLES and not word.istitle()):
            return match[0]
        return cased(name_word(plain, people, drawn), word) + match[0][len(word) :]

    return WORD_OR_NUMBER.sub(replaced, name)


def name_word(plain: str, people: People, drawn: SurrogateTable) -> str:
    """The surrogate of one word of a name."""
    language = "es" if plain in people.spanish else "en"
    if plain in people.given:
        make = given_name(people.given[plain], language)
        return drawn.surrogate("name", plain, make)
    return drawn.surrogate("name", plain, surname(language))


def _initial(letter: str, family: str, people: People, drawn: SurrogateTable) -> str:
    """The initial of the one full name it can stand for, else a letter of its own."""
    fulls = people.pairs.get((letter.casefold(), family), set())
    if len(fulls) == 1:
        return name_word(next(iter(fulls)), people, drawn)[0].upper()
    initials = {
        name_word(first, people, drawn)[0].upper()
        for (_, other), firsts in people.pairs.items()
        if other == family
        for first in firsts
    }

    def make(thing: str, number: int) -> str:
        letters = [one for one in "ABCDEFGHIJKLMNOPQRSTUVW" if one not in initials] or ["X", "Y"]
        return letters[number % len(letters)]

    return drawn.surrogate(f"initial of {family}", letter, make)


def place(name: str, spanish: bool, drawn: SurrogateTable) -> str:
    """A place or institution: its proper words and its numbers, not what kind of place it is."""
    several = len(PIECE.findall(name)) > 1

    def replaced(match: re.Match[str]) -> str:
        word = match[0]
        if word.isdecimal():
            return _number(word, drawn)
        if several and (word.casefold() in KINDS | PARTICLES or len(word) == 1):
            return word
        if match.start() and len(word) == 2 and word.isupper():  # a state, behind its town
            return word
        if several and word in LINKS:
            return word
        return cased(drawn.surrogate("name", word, surname("es" if spanish else "en")), word)

    return PIECE.sub(replaced, name)


def _number(word: str, drawn: SurrogateTable) -> str:
    return drawn.surrogate(f"number {len(word)}", word, _house_number)


def _house_number(thing: str, number: int) -> str:
    made = shaped(thing, number)
    return str(1 + number % 9) + made[1:] if thing[0] != "0" else made


def email(address: str, people: People, drawn: SurrogateTable) -> str:
    """A mailbox at a host kept for examples; names in it are the surrogates of these names."""
    local, _, host = address.rpartition("@")

    def replaced(match: re.Match[str]) -> str:
        word = match[0].casefold()
        if word in people.given or ("name", word) in drawn.given:
            return cased(name_word(word, people, drawn), match[0]).replace("-", "")
        return ""

    def make(thing: str, number: int) -> str | None:
        if not local or not host:
            return None
        box = "".join(
            replaced(piece) or shaped(piece[0], number)
            if (piece := PIECE.match(part)) and piece.end() == len(part)
            else part
            for part in re.split(r"(\d+|[^\W\d_]+)", local)
        )
        return f"{box}@example.org"

    return drawn.surrogate("EMAIL", address, make, bracketed("EMAIL"))


def cased(surrogate: str, word: str) -> str:
    """The surrogate in the case of the word it stands for.

    >>> cased("Ashford", "SMITH"), cased("Ashford", "smith")
    ('ASHFORD', 'ashford')
    """
    if word.isupper() and len(word) > 1:
        return surrogate.upper()
    return surrogate.lower() if word.islower() else surrogate
