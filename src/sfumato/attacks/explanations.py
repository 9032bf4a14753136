"""What each attack is, in a sentence; what a bad number is, and what to change then."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.printed_form import by_sizes
from .protocol import RECORDS


@dataclass(frozen=True, slots=True)
class Explanation:
    """An attack for people who decide: its title, what it does, what is bad, what helps."""

    title: str
    does: str
    bad: str
    remedy: str

    __repr__ = by_sizes


_CLASSES = "More than 1/k. k-anonymity allows 1/k and no more."
_LARGER = "Choose a larger k, or drop the column that splits the classes."
_ABOVE = "A share clearly above the control: then the release itself gives people away."
_INVERTED = "Any place with fewer than k (or t) candidates."
_REPORT = "The claim should exclude this. Do not publish, and report it."

EXPLAINED = {
    "prosecutor": Explanation(
        "Prosecutor, smallest class",
        "The attacker knows that a person is in the data and in which class, and picks a record.",
        _CLASSES,
        _LARGER,
    ),
    "journalist": Explanation(
        "Journalist, smallest class",
        "The attacker wants to re-identify any one person, and takes the smallest class.",
        _CLASSES,
        _LARGER,
    ),
    "marketer": Explanation(
        "Marketer, all classes",
        "The attacker guesses within every class; this is the share that is right on average.",
        _CLASSES,
        _LARGER,
    ),
    "linkage": Explanation(
        "Linkage by columns and terms",
        "The attacker knows all columns and terms of a person and looks for the record they fit.",
        _ABOVE + " About 1/k is what guessing within the right class gives.",
        "Choose a larger k, or drop or recode a column.",
    ),
    "linkage-rare": Explanation(
        "Linkage by rare phrases",
        "The attacker knows a part of a person's text and looks for its rare phrases.",
        _ABOVE,
        "Choose a larger k for `suppress`, count people (`--group-column`), or set `strict`.",
    ),
    "linkage-words": Explanation(
        "Linkage by all words",
        "The attacker knows a part of a person's text and takes the record most alike in words.",
        _ABOVE,
        "Sets of common words give people away: shorten the texts, drop them, or use `knows`.",
    ),
    "membership": Explanation(
        "Membership",
        "The attacker knows a part of a text and says whether its writer is in the data at all.",
        _ABOVE,
        "Choose a larger k for `suppress`, or publish a sample of the people only.",
    ),
    "singling-out-word": Explanation(
        "Singling out by one word",
        "The attacker takes a word that one record alone has.",
        _ABOVE,
        "Choose a larger k for `suppress` and set `strict`.",
    ),
    "singling-out-pair": Explanation(
        "Singling out by two words",
        "The attacker takes two words that only one record has together.",
        _ABOVE,
        "No claim about phrases excludes pairs: use `knows`, or shorten the texts.",
    ),
    "reconstruction": Explanation(
        "Reading through the stars",
        "The attacker writes back blanks, the words that others have there, and copied passages.",
        "A high share of restored runs: then the stars hide little.",
        "Keep `guess` at 0.5 or lower, and whole words (`align` word).",
    ),
    "reconstruction-symbols": Explanation(
        "Guessing starred symbols",
        "The attacker fills in single symbols by a model of those around them in the release.",
        "A share clearly above the control: then the person's own text tells its stars.",
        "Keep whole words (`align` word).",
    ),
    "redact-inversion": Explanation(
        "Running redact backwards",
        "The attacker redacts every term of the list and keeps those that give the same string.",
        _INVERTED,
        _REPORT + " With `guarantee` matching it is to be expected: choose published.",
    ),
    "generalize-inversion": Explanation(
        "Running generalize backwards",
        "The attacker generalizes every word of the ontology and keeps those that give this text.",
        _INVERTED,
        _REPORT + " With `guarantee` plausible it is to be expected: choose published.",
    ),
    "sanitize-inversion": Explanation(
        "Undoing separators",
        "The attacker undoes the rule by which separators were put in.",
        "A high share of patterns restored.",
        "Choose a method that replaces the separators, such as tpm.",
    ),
    "linkage-terms": Explanation(
        "Linking by columns and a few terms",
        "The attacker knows all columns and some terms of a person, and takes one of the people of "
        "the class who show most of them.",
        "More than 1/k by as many terms as `knows` says.",
        "Choose a larger k, or let `knows` be more.",
    ),
    "order": Explanation(
        "Reading the order of rows",
        "The attacker takes the rows as sorted and narrows each cell by its neighbours.",
        "Any share above guessing.",
        "Leave `shuffle` on.",
    ),
    "inference": Explanation(
        "Guessing a sensitive value",
        "The attacker learns from the release to predict a sensitive column.",
        _ABOVE,
        "Ask for l-diversity or t-closeness, or drop what predicts it.",
    ),
}

OF_TABLES = (*RECORDS, "linkage-terms", "order", "inference")
OF_TEXTS = tuple(name for name in EXPLAINED if name not in OF_TABLES)


def explained(name: str) -> Explanation | None:
    """The explanation of an attack by its name; None for one that is not ours.

    >>> explained("linkage").title, explained("reconstruction-public").title
    ('Linkage by columns and terms', 'Reading through the stars')
    >>> explained("of my own") is None
    True
    """
    return EXPLAINED.get(name) or EXPLAINED.get(name.removesuffix("-public"))


def title(name: str) -> str:
    """What an attack is called in tables and charts: its title, or its own name.

    >>> title("membership"), title("of my own")
    ('Membership', 'of my own')
    """
    known = explained(name)
    return known.title if known else name
