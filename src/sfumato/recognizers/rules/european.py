"""The rules that languages of Europe have in common, from the words of each."""

from __future__ import annotations

from dataclasses import dataclass

from .. import checks
from ..scan import Rule
from .everywhere import ISO_DATE, LOWER, UPPER

YEAR = r"(?:1[89]|20)[0-9]{2}"
TAIL = r"(?:[ ,;:)\r\n]|\.(?:[ \r\n]|$)|$)"
COLON = (
    r"(?:[ \t]?(?:(?i:nr|no|n[°º]|núm|num|n[ur]mmer|numéro|numero|número)\.?"
    r"|#))?[ \t]?[:.]{0,2}[ \t]{0,3}"
)
NAME = (
    rf"[{UPPER}](?:['’][{UPPER}])?[{LOWER}]{{1,20}}(?:[{UPPER}][{LOWER}]{{1,15}})?"
    rf"(?:-[{UPPER}][{LOWER}]{{1,20}})?"
)
IDENTIFIER = r"[A-Z]{0,4}[ -]?[0-9][0-9A-Z./-]{3,18}"


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a language that introduce what identifies; expressions, all of them."""

    titles: str
    particles: str
    fields: str
    """What stands before a colon and a name."""
    relatives: str
    introduces: str
    """After these words a name follows without a colon: called, signed by."""
    months: str
    short_months: str
    day: str
    """How a day is written before its month."""
    of: str
    """What may stand between day, month and year."""
    year: str
    """What stands before a year."""
    age: str
    """What follows the number of an age."""
    aged: str
    """What stands before it."""
    lives: str
    """What stands before a town."""
    institutions: str
    """First words of institutions, with their next words."""
    institution_ends: str
    """Last words of institutions."""
    countries: str
    nationalities: str
    nationality: str
    """What stands before a nationality in a form."""
    trade: str
    """What stands before an occupation."""
    sex: str
    address: str
    """What stands before an address in a form."""
    town: str
    """What stands before a town in a form."""
    postcode: str
    """How a postcode is written before its town."""
    record: str
    account: str
    insurance: str
    licence: str
    plate: str
    passport: str
    birth: str
    ago: str
    """How a day is told from today."""


def names_of(words: Words) -> str:
    """A name of several words in a language."""
    return (
        rf"(?:[{UPPER}]\. ?){{0,2}}{NAME}(?: (?:[{UPPER}]\. )?(?:{words.particles} )?{NAME}){{0,3}}"
    )


def frequent(words: Words) -> tuple[Rule, ...]:
    """What documents are full of is tried first."""
    names = names_of(words)
    return (
        ISO_DATE,
        Rule("DATE", r"\b[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{2,4}\b", checks.numeric_date, 0.9),
        Rule("DATE", r"\b[0-9]{1,2}/[0-9]{1,2}/[0-9]{2,4}\b", checks.numeric_date, 0.9),
        Rule("DATE", r"\b[0-9]{1,2}-[0-9]{1,2}-[0-9]{2,4}\b", checks.numeric_date, 0.9),
        Rule(
            "PERSON",
            rf"\b(?i:{words.fields})[ \t]?:[ \t]{{0,3}}((?:{words.titles}\.? )?{names}(?:, {NAME})?"
            rf"|[{UPPER}]{{2,20}}, ?{NAME})",
            None,
            0.9,
            "name in a field",
        ),
        Rule(
            "PERSON",
            rf"\b{words.titles}\.? (?:{words.titles}\.? ){{0,2}}(?:{words.particles} )?{names}",
            None,
            0.9,
            "name after a title",
        ),
    )


def rules(words: Words) -> tuple[Rule, ...]:
    """The rules of a language."""
    names = names_of(words)
    word = rf"[{UPPER}][{LOWER}]{{1,20}}"
    town = rf"{word}(?:[ -](?:{words.particles} )?{word}){{0,3}}"
    return (
        *_dates(words),
        *_numbers(words),
        Rule("AGE", rf"\b[0-9]{{1,3}}[ -]?(?i:{words.age})", checks.age, 0.9),
        Rule("AGE", rf"\b{NAME} \(([0-9]{{1,2}})\)", checks.age, 0.6, "age behind a name"),
        Rule("AGE", rf"\b(?i:{words.aged}){COLON}([0-9]{{1,3}})\b", checks.age, 0.85),
        Rule(
            "ADDRESS",
            rf"\b(?i:{words.address}){COLON}([{UPPER}0-9][^\r\n]{{3,80}}?)\.?[ \t]{{0,3}}"
            rf"(?:\r?\n|$)",
            None,
            0.9,
            "address in a field",
        ),
        Rule(
            "LOCATION",
            rf"\b{words.postcode} {town}",
            checks.no_year_first,
            0.75,
            "postcode and town",
        ),
        Rule("LOCATION", rf"\b(?i:{words.town}){COLON}({town})", None, 0.85, "place in a field"),
        Rule("LOCATION", rf"\b(?:{words.lives}) ({town})", None, 0.6, "place after a preposition"),
        Rule("PERSON", rf"\b(?:{words.relatives}),? ({names})", None, 0.7, "name after a relation"),
        Rule(
            "PERSON",
            rf"\b(?:{words.introduces}) ((?:{words.titles}\.? ){{0,2}}{names})",
            None,
            0.7,
            "name that is introduced",
        ),
        Rule(
            "ORG",
            rf"\b(?:{words.institutions})(?: (?:{words.particles}|{NAME})){{1,6}}",
            _ends_in_name,
            0.8,
        ),
        Rule(
            "ORG",
            rf"\b(?:(?:{words.particles} )?{NAME}(?:[ -]|, )(?:(?:&|und|en|et|e|y) )?){{1,4}}"
            rf"(?:{words.institution_ends})(?:[^{UPPER}{LOWER}0-9]|$)",
            None,
            0.8,
        ),
        Rule("ORG", rf"\b{NAME} & {NAME}(?: {NAME})?", None, 0.7, "names of a firm"),
        Rule("COUNTRY", rf"\b(?:{words.countries})\b", None, 0.7),
        Rule(
            "NATIONALITY",
            rf"\b(?i:{words.nationality}){COLON}([{UPPER}{LOWER}]{{3,20}})\b",
            None,
            0.9,
        ),
        Rule("NATIONALITY", rf"\b(?:{words.nationalities})\b", None, 0.6),
        Rule(
            "OCCUPATION",
            rf"\b(?:{words.trade})[ :]{{1,2}}([{UPPER}{LOWER}-]{{4,25}}(?: [{LOWER}]{{4,20}})?)\b",
            None,
            0.6,
        ),
        Rule("GENDER", rf"\b(?i:{words.sex})\b", None, 0.6),
    )


def _ends_in_name(text: str) -> bool:
    """Whether the last word has a capital: particles alone name nothing."""
    return text.split()[-1][:1].isupper()


def _dates(words: Words) -> tuple[Rule, ...]:
    month = rf"(?i:{words.months}|(?:{words.short_months})\b\.?)"
    return (
        Rule("DATE", rf"\b{words.day} ?{words.of}{month}(?:,? {words.of}{YEAR})?\b", None, 0.9),
        Rule("DATE", rf"\b(?i:{words.months}) {words.of}{YEAR}\b", None, 0.9),
        Rule("DATE", rf"\b(?:0?[1-9]|1[0-2])[/.]{YEAR}\b", None, 0.7, "month and year"),
        Rule("DATE", rf"\b(?i:{words.year}) ({YEAR}){TAIL}", None, 0.6, "year"),
        Rule(
            "DATE",
            rf"\b(?i:{words.birth}){COLON}([0-9]{{4}}-[0-9]{{1,2}}-[0-9]{{1,2}}|{YEAR}|[0-9]{{1,2}}[./-][0-9]{{1,2}}[./-][0-9]{{2,4}})\b",
            None,
            0.9,
        ),
        Rule("DATE", rf"\b(?i:{words.ago})\b", None, 0.5, "a day told from another"),
    )


def _numbers(words: Words) -> tuple[Rule, ...]:
    return (
        Rule("MRN", rf"\b(?i:{words.record}){COLON}({IDENTIFIER})\b", None, 0.9),
        Rule(
            "INSURANCE",
            rf"\b(?i:{words.insurance}){COLON}({IDENTIFIER}(?: [0-9A-Z]{{2,6}}){{0,4}})\b",
            None,
            0.9,
        ),
        Rule("ACCOUNT", rf"\b(?i:{words.account}){COLON}({IDENTIFIER})\b", None, 0.85),
        Rule("LICENSE", rf"\b(?i:{words.licence}){COLON}({IDENTIFIER})\b", None, 0.85),
        Rule(
            "NATIONAL_ID",
            rf"\b(?i:{words.passport}){COLON}([A-Z0-9]{{6,12}})\b",
            checks.enough_digits,
            0.9,
        ),
        Rule(
            "VEHICLE",
            rf"\b(?i:{words.plate}){COLON}([A-ZÄÖÜ0-9]{{1,4}}(?:[ -][A-Z0-9]{{1,4}}){{1,3}}"
            rf"|[A-Z0-9]{{5,9}})\b",
            checks.plate,
            0.85,
        ),
        Rule(
            "MONEY",
            r"\b[0-9]{1,3}(?:[. ]?[0-9]{3}){0,4}(?:,[0-9]{1,2})? ?(?:€|EUR\b|[Ee]uros?\b|CHF\b"
            r"|R\$)",
            None,
            0.8,
        ),
    )
