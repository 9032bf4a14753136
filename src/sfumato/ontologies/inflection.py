"""Inflected nouns to lemmas and back, by WordNet's own rules and list of irregular nouns.

And whether `a` or `an` stands before a word.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache, lru_cache

from ..core.letters import is_wordlike
from .wordnet import DATA

# WordNet's rules of detachment for nouns.
ENDINGS = (
    ("s", ""),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
)
# What stands between a head noun and what describes it: drugs OF abuse.
PREPOSITIONS = ("of", "in", "for", "to", "from", "with", "by", "on", "at", "against", "under")
NOT_MEN = ("human", "german", "roman", "shaman", "talisman", "ottoman", "norman", "caiman")
# The list has several plurals for these, and readers expect these.
USUAL = {
    "person": "people",
    "man": "men",
    "woman": "women",
    "child": "children",
    "foot": "feet",
    "tooth": "teeth",
    "formula": "formulas",
    "index": "indexes",
    "medium": "media",
    "brother": "brothers",
    "cow": "cows",
    "mouse": "mice",
    "die": "dice",
    "staff": "staffs",
    "octopus": "octopuses",
    "plateau": "plateaus",
    "gas": "gases",
    "bus": "buses",
    "virus": "viruses",
    "sinus": "sinuses",
    "bacterium": "bacteria",
    "alga": "algae",
    "genus": "genera",
    "sheep": "sheep",
    "fish": "fish",
    "deer": "deer",
}

# By sound, not by letter.
VOWEL_SOUND = re.compile(
    r"(?:[aeiou]|hour|heir|honest|hono[u]?r|8|1[18](?:\d\d)?(?!\d))", re.IGNORECASE
)
CONSONANT_SOUND = re.compile(
    r"(?:uni(?!n|m[^o])|us[aeu]|eu|one(?!i)|once|ure|uri|ut[ei]|ubiq|ufo|ukr|ewe)", re.IGNORECASE
)


@cache
def _irregular() -> tuple[dict[str, list[str]], dict[str, str]]:
    """Plural -> singulars, and singular -> plural, of the irregular nouns."""
    singulars: dict[str, list[str]] = {}
    plurals: dict[str, list[str]] = defaultdict(list)
    for line in (DATA / "irregular_nouns.txt").read_text("ascii").splitlines():
        plural, *some = line.split()
        singulars.setdefault(plural, []).extend(some)  # some plurals have two lines
        for singular in some:
            if plural.isalpha():
                plurals[singular].append(plural)
    for singular, plural in USUAL.items():
        known = singulars.setdefault(plural, [])
        if singular not in known:
            known.append(singular)
    return singulars, {word: min(some, key=lambda p: (len(p), p)) for word, some in plurals.items()}


@lru_cache(maxsize=1 << 16)
def singulars(word: str) -> tuple[str, ...]:
    """What a word, in lower case, may be the plural of; not the word itself.

    >>> singulars("children"), singulars("cities"), singulars("glass")
    (('child',), ('citie', 'city'), ())
    """
    found = [singular for singular in _irregular()[0].get(word, ()) if singular != word]
    if word.endswith("ful"):
        found += [one + "ful" for one in singulars(word[:-3])]
    elif not word.endswith("ss") and len(word) > 2:
        found += [word[: -len(old)] + new for old, new in ENDINGS if word.endswith(old)]
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=1 << 14)
def plural(phrase: str) -> str:
    """The plural of a general word or phrase: its head noun is the last before a preposition.

    >>> plural("soft drug"), plural("drug of abuse"), plural("disease"), plural("body part")
    ('soft drugs', 'drugs of abuse', 'diseases', 'body parts')
    >>> plural("person"), plural("city"), plural("analysis"), plural("series")
    ('people', 'cities', 'analyses', 'series')
    >>> plural("carcinoma"), plural("bacterium"), plural("sheep")
    ('carcinomas', 'bacteria', 'sheep')
    """
    words = phrase.split(" ")
    head = next((i for i, word in enumerate(words) if i and word in PREPOSITIONS), len(words)) - 1
    words[head] = _plural_of_word(words[head])
    return " ".join(words)


def _plural_of_word(word: str) -> str:
    lower = word.lower()
    if len(lower) <= 2 or not lower[-1].isalpha() or not is_wordlike(lower[-1]):
        return word  # an abbreviation, a number, or of a script without blanks
    if lower in USUAL:
        return word[:1] + USUAL[lower][1:]
    if lower in _irregular()[0] and lower not in _irregular()[1]:
        return word  # it is a plural already
    if lower.endswith("oma"):
        return word + "s"
    irregular = _irregular()[1].get(lower)
    if irregular:
        return word[:1] + irregular[1:] if irregular[0] == lower[0] else irregular
    if lower.endswith(("series", "species", "people", "cattle")):
        return word
    if lower.endswith("man") and not lower.endswith(NOT_MEN):
        return word[:-2] + "en"
    if lower.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if lower.endswith("y") and lower[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def takes_an(word: str) -> bool:
    """Whether the article before a word is `an`.

    >>> [takes_an(word) for word in ("ache", "pain", "hour", "unit", "uncle", "European")]
    [True, False, True, False, True, False]
    >>> [takes_an(number) for number in ("8", "18", "1843", "180", "36")]
    [True, True, True, False, False]
    """
    return bool(VOWEL_SOUND.match(word)) and not CONSONANT_SOUND.match(word)
