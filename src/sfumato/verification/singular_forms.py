"""What a noun may be the plural of, for checks: WordNet's rules of detachment, read once more.

The method has its own version (`ontologies.inflection`), and none is made of the other. What both
read is WordNet's list of irregular nouns.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from ..ontologies.wordnet import DATA

# WordNet's morphy(7WN), nouns: what is taken from the end, and what is put there.
DETACHED = tuple(
    (re.compile(end), instead)
    for end, instead in (
        ("s$", ""),
        ("(?<=s)es$", ""),
        ("(?<=x)es$", ""),
        ("(?<=z)es$", ""),
        ("(?<=ch)es$", ""),
        ("(?<=sh)es$", ""),
        ("men$", "man"),
        ("ies$", "y"),
    )
)


# Plurals that the list lacks and that texts have.
BESIDE = {"people": "person", "dice": "die", "bacteria": "bacterium", "algae": "alga"}


@cache
def _irregular() -> dict[str, set[str]]:
    found = {plural: {singular} for plural, singular in BESIDE.items()}
    for line in (DATA / "irregular_nouns.txt").read_text("ascii").splitlines():
        plural, *singulars = line.split()
        found.setdefault(plural, set()).update(singulars)
    return found


@lru_cache(maxsize=1 << 16)
def singular_forms(word: str) -> tuple[str, ...]:
    """The forms, in order, that a word in lower case may be the plural of; not the word itself.

    >>> singular_forms("children"), singular_forms("boxes"), singular_forms("glass")
    (('child',), ('box', 'boxe'), ())
    """
    forms = set(_irregular().get(word, ()))
    if word.endswith("ful"):  # handsful: a handful
        forms |= {f"{one}ful" for one in singular_forms(word.removesuffix("ful"))}
    elif len(word) >= 3 and not word.endswith("ss"):
        forms |= {end.sub(instead, word) for end, instead in DETACHED if end.search(word)}
    return tuple(sorted(forms - {word}))
