"""Rules for English as it is spoken, typed in a hurry, filled into forms, or read by a machine.

Transcripts and chats have no capitals: a title, a number or a preposition tells what follows.
"""

from __future__ import annotations

from .. import checks
from ..scan import Rule
from .english_parts import NAME, NUMBER_WORD, ORDINAL_WORD, TITLE, YEAR


def words(text: str) -> frozenset[str]:
    """The words of a text.

    >>> sorted(words("b a"))
    ['a', 'b']
    """
    return frozenset(text.split())


MONTH_WORD = (
    r"(?i:january|february|march|april|may|june|july|august|september|october|november|december)"
)
# A year as it is said: nineteen eighty two, two thousand and five, twenty twenty one.
SAID_YEAR = (
    rf"(?i:(?:nineteen|twenty) (?:oh )?{NUMBER_WORD}|two thousand(?: and)?(?: {NUMBER_WORD})?"
    rf"|nineteen hundred)"
)
LOWER_STREET = (
    r"(?:street|avenue|ave|road|rd|lane|drive|close|court|crescent|terrace|boulevard|blvd|place"
    r"|gardens|square)"
)
# "twelve", "four twenty two", "one oh five".
SAID_NUMBER = rf"{NUMBER_WORD}(?: (?:oh )?{NUMBER_WORD})?"
NO_STREET = words(
    """a about across after all along an and any at big bus by car cars county crown different
    district dirt down each every first flash for four from hard high hour hours in inside into just
    last lane long main meter meters metre metres mile miles minute minutes more my narrow near next
    no of off on one open or other our out over own people per public quiet same second short side
    single small straight supreme test than that the their then there these this three to two up way
    with yard yards your nice easy tennis basketball usb day days week weeks month months year
    years"""
)
NO_SURNAME = words(
    """and or the a an is was has had who what he she they it in on at to of for with but so
    were will would have can could did does said say are not president speaker chairman
    chairperson right wrong perfect universe world nice"""
)


def _street(text: str) -> bool:
    """Whether the words between the number and the street's kind may be a street's name."""
    words = text.lower().split()
    numbers = {"oh", *NUMBERS}
    while len(words) > 1 and (words[0] in numbers or words[0][:1].isdigit()):
        del words[0]
    return len(words) > 1 and NO_STREET.isdisjoint(words[:-1])


def _surname(text: str) -> bool:
    """Whether a word behind a title may be a name."""
    return text.split()[-1] not in NO_SURNAME


def _mostly_digits(text: str) -> bool:
    """Whether a number that a machine misread has digits enough to be one.

    >>> _mostly_digits("(6l9) 555-O143"), _mostly_digits("Oslo Oil")
    (True, False)
    """
    digits, letters = checks.digits_of(text), sum(map(str.isalpha, text))
    return 6 <= len(digits) <= 15 and 0 < letters <= 3


NUMBERS = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
    *("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred"),
)

# A number in several parts, tried before the rules that take its first part alone.
SPACED = (
    Rule(
        "INSURANCE",
        r"\b(?i:member(?:ship)?|policy|insured|subscriber)(?: (?i:id|no|number))?\.?[:#]? "
        r"([A-Z]{0,3}[0-9][0-9A-Z]{1,9}(?:[ -][0-9A-Z]{2,8}){1,4})\b",
        checks.enough_digits,
        0.8,
    ),
)

RULES = (
    Rule(
        "PERSON",
        r"\b(?:mr|mrs|ms|mister|missus)\.? [a-z]{3,20}(?:-[a-z]{2,20})?\b",
        _surname,
        0.8,
        "name after a title",
    ),
    # Names with a word for whose child somebody is: Siti binti Razak, Ravi a/l Kumar.
    Rule(
        "PERSON",
        rf"\b(?:{TITLE}\.? )?(?:{NAME} ){{1,3}}(?:bin|binti|binte|bint|ibn|a/l|a/p|s/o|d/o)"
        rf" {NAME}(?: {NAME}){{0,2}}",
        None,
        0.95,
        "name with a parent's",
    ),
    Rule(
        "PERSON",
        r"\b(?i:known(?: only)? as|identified(?: only)? as|nicknamed|alias|a\.?k\.?a\.?|goes by)"
        r' ["“](\w[^"”\r\n]{1,25})["”]',
        None,
        0.8,
        "name in quotes",
    ),
    Rule(
        "DATE",
        rf"\b(?:the )?({ORDINAL_WORD}(?: day)? of {MONTH_WORD}(?:,? (?:{YEAR}|{SAID_YEAR}))?)\b",
        None,
        0.9,
        "date as it is said",
    ),
    Rule(
        "DATE",
        rf"\b[0-3]?[0-9](?:st|nd|rd|th)? (?:of )?{MONTH_WORD}(?:,? (?:{YEAR}|{SAID_YEAR}))?\b",
        None,
        0.85,
    ),
    Rule(
        "DATE",
        r"\b(?:in|since|until|till|by|from|last|next|this|early|late|mid)[ -]"
        r"(january|february|march|april|may|june|july|august|september|october|november"
        rf"|december)(?: (?:{YEAR}|{SAID_YEAR}))?\b",
        None,
        0.6,
        "month",
    ),
    Rule(
        "AGE",
        rf"\b(?i:i'm|i’m|i am|he's|she's|he’s|she’s|he is|she is|he was|she was|who is|who was) "
        rf"({NUMBER_WORD})(?:[.,;!?)]| (?:and|now|but|when|we|at)\b|\r?\n|$)",
        checks.age,
        0.7,
    ),
    Rule(
        "AGE",
        r"[A-Za-z]{2,20},? \(([1-9][0-9])(?: ?[MFmf])?[,)]",
        checks.age,
        0.6,
        "number in brackets",
    ),
    Rule(
        "AGE",
        r"\b[a-z]{3,20}, ([1-9][0-9]), [a-z]{3,20}\b",
        checks.age,
        0.6,
        "number between commas",
    ),
    Rule("AGE", r"\b[MF]/[A-Z]{1,2}/([1-9][0-9]?)\b", checks.age, 0.8, "sex, race and age"),
    Rule(
        "ADDRESS",
        rf"\b(?:[0-9]{{1,5}}[a-z]?|{SAID_NUMBER}) (?:(?:north|south|east|west) )?"
        rf"[a-z]{{3,15}}(?: [a-z]{{3,15}})? {LOWER_STREET}\b",
        _street,
        0.7,
        "street in small letters",
    ),
    Rule(
        "PHONE",
        r"\b(?i:tel(?:ephone)?|phone|ph|fax|mobile|cell|call)\.?:? ?"
        r"(\(?[0-9OolI]{2,4}\)?(?:[ .-]?[0-9OolI]{2,4}){1,4})\b",
        _mostly_digits,
        0.7,
        "number that a machine misread",
    ),
    Rule(
        "IDENTIFIER",
        r"\b(?i:number|no\.|pin|ref(?:erence)?|file|serial|permit)(?: (?:is|was))?[:#]? "
        r"([A-Z]{0,3}[ -]?[0-9][0-9A-Z]{0,9}(?:[ ./-][0-9A-Z]{1,8}){0,4})\b",
        checks.enough_digits,
        0.7,
        "number after its name",
    ),
)
