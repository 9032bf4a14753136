"""Rules for English: names by title and field, numbers by context, addresses, dates, ages."""

from __future__ import annotations

from .. import checks
from ..scan import Rule
from .english_casual import RULES as CASUAL
from .english_casual import SPACED
from .english_parts import (
    AGO,
    ANY_POSTCODE,
    CA_POSTCODE,
    COLON,
    CONDITION,
    CONDITION_ENDS,
    DAY,
    FEAST,
    FULL,
    GAP,
    IDENTIFIER,
    IN_TOWN,
    LAND,
    MONTH,
    NAME,
    NAMES,
    NO_TOWNS,
    NUMBER_WORD,
    OCCUPATION,
    ORDINAL_WORD,
    PLACE,
    POSTCODES,
    PROVINCE,
    RELATIVE,
    STATE,
    STREET,
    SUFFERED,
    TAIL,
    TITLE,
    TITLES,
    TOWN,
    TRADE,
    UNIT,
    WEEKDAY,
    YEAR,
    ZIP,
)
from .everywhere import ISO_DATE, UPPER


def _named(text: str) -> bool:
    """Whether a name is more than a title, whose name another rule finds."""
    words = text.split()
    return words[0] not in TITLES and words[-1] not in TITLES


def _condition(text: str) -> bool:
    """Whether a history is of a condition, not a heading."""
    return text.split()[0].casefold() not in (
        "present",
        "the",
        "this",
        "his",
        "her",
        "a",
        "an",
        "to",
    )


def _town(text: str) -> bool:
    """Whether a place is no title, month, day or pronoun."""
    words = text.split()
    return words[0] not in NO_TOWNS and words[-1] not in TITLES


# What documents are full of is tried first.
FREQUENT = (
    Rule("PERSON", rf"\b{TITLE}\.? {NAMES}", None, 0.9, "name after a title"),
    Rule("DATE", r"\b[0-9]{1,2}/[0-9]{1,2}/[0-9]{2,4}\b", checks.numeric_date, 0.9),
    ISO_DATE,
    Rule("DATE", rf"\b{MONTH}\.? {DAY}(?:,? {YEAR})?\b", None, 0.9),
    Rule(
        "AGE",
        rf"\b(?:[0-9]{{1,3}}|{NUMBER_WORD})[ -](?:years?|yrs?|months?|weeks?|days?)[ -](?:old"
        rf"|of age|young)\b",
        checks.age,
        0.95,
    ),
    Rule(
        "PHONE",
        r"(?:(?:\+|00|\b)?1[ .-]?)?(?:\([2-9][0-9]{2}\)[ .-]{0,2}|\b[2-9][0-9]{2}[ .-]{1,2})"
        r"[2-9][0-9]{2}[ .-]{1,2}[0-9]{4}(?: ?(?i:x|ext)\.? ?[0-9]{1,6})?\b",
        None,
        0.9,
    ),
    Rule(
        "MRN",
        r"\b(?i:mrn|medical record|med rec|chart|hospital|patient (?:id|no|number)|"
        rf"record (?:no|number)|unit){COLON}({IDENTIFIER})\b",
        None,
        0.95,
    ),
    Rule("SSN", r"\b[0-9]{3}-[0-9]{2}-[0-9]{4}\b", checks.ssn, 0.95),
    Rule(
        "PERSON",
        rf"\b(?:Patient|Name|Physician|Provider|Attending|Surgeon|Author|Contact|Signed"
        rf"|Resident|Guarantor|Next of kin)(?: [Nn]ame)?(?: by)?:[ \t]{{0,3}}"
        rf"({NAMES}(?:, {NAME})?|[{UPPER}]{{2,20}}, ?[{UPPER}]{{2,20}})",
        _named,
        0.9,
        "name in a field",
    ),
    Rule(
        "LOCATION",
        rf"\b(?:from|lives in|living in|resident of|resides in|born in|moved to"
        rf"|native of) ({TOWN}(?:, {STATE}\b)?)",
        _town,
        0.6,
        "place after a preposition",
    ),
    Rule(
        "AGE",
        rf"\b(?:turn(?:s|ed|ing)?|(?:man|woman|boy|girl|lady|gentleman|child|patient|person) of) "
        rf"([0-9]{{1,3}}|{NUMBER_WORD})(?:{TAIL}|[!?])",
        checks.age,
        0.8,
    ),
    Rule("GENDER", r"\b(?i:male|female|man|woman|boy|girl|gentleman|lady)\b", None, 0.6),
    Rule("DATE", r"\b[0-9]{1,2}-[0-9]{1,2}-[0-9]{2,4}\b", checks.numeric_date, 0.9),
)

RULES = (
    *SPACED,
    Rule(
        "ADDRESS",
        rf"\b(?:{UNIT},? )?[0-9]{{1,6}}(?:-[0-9]{{1,5}})?[A-Za-z]?,? (?:(?:[NSEW]|North|South"
        rf"|East|West|Upper|Lower|Old|New|St)\.? )?"
        rf"(?:(?:{NAME}|[0-9]{{1,3}}(?:st|nd|rd|th)) ){{1,3}}{STREET}\b\.?(?: (?:[NSEW]|[NS][EW]"
        rf"|North|South|East|West)\b)?"
        rf"(?:{GAP}{UNIT})?{IN_TOWN}(?:{GAP}{LAND})?",
        None,
        0.9,
    ),
    Rule(
        "ADDRESS",
        rf"\b[0-9]{{1,6}} (?:(?:US|State|County|Interstate|I|SR|CR)[ -])?(?:(?:Highway|Hwy|Route"
        rf"|Rte|Road|Rd|Interstate)"
        rf" [0-9]{{1,4}}|Broadway)\b(?:{GAP}{UNIT})?{IN_TOWN}",
        None,
        0.8,
    ),
    Rule(
        "ADDRESS",
        rf"\b(?i:P\.? ?O\.? ?Box|Post Office Box|GPO Box|Private Bag"
        rf"|Locked Bag) #?[0-9]{{1,7}}\b{IN_TOWN}",
        None,
        0.9,
    ),
    Rule(
        "ADDRESS",
        rf"\b(?:(?:PSC|Unit|CMR) [0-9]{{1,5}},? Box [0-9]{{1,6}}|USN?[SV] {NAME}){GAP}(?:APO|FPO"
        rf"|DPO),? A[AEP],? {ZIP}\b",
        None,
        0.95,
        "address of the forces",
    ),
    # A street without a number, after a preposition or before a town.
    Rule(
        "ADDRESS",
        rf"\b(?:on|in|at|to|from|into|off|along|near|of|and) ((?:{NAME} ){{1,3}}(?:Street|St"
        rf"|Avenue|Ave|Road|Rd|Drive|Lane|Boulevard"
        rf"|Blvd|Terrace|Crescent|Parkway|Highway|Square)\b)",
        None,
        0.6,
        "street",
    ),
    Rule("DATE", r"\b[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{2,4}\b", checks.numeric_date, 0.7),
    Rule("DATE", rf"\b{DAY}(?: of)? {MONTH}\.?(?:,? {YEAR})?\b", None, 0.9),
    Rule("DATE", rf"\b{DAY}-{MONTH}-(?:{YEAR}|[0-9]{{2}})\b", None, 0.9),
    Rule("DATE", rf"\b{MONTH}\.?(?: of|,)? {YEAR}\b", None, 0.9),
    Rule("DATE", rf"\b(?:0?[1-9]|1[0-2])/{YEAR}\b", None, 0.7, "month and year"),
    Rule("DATE", rf"\bon ([0-9]{{1,2}}/[0-9]{{1,2}}){TAIL}", None, 0.6, "month and day"),
    Rule("DATE", rf"\b(?i:in|since|until|year|from|dated) ({YEAR}){TAIL}", None, 0.6, "year"),
    Rule(
        "SSN",
        rf"\b(?i:ssn|social security|social){COLON}([0-9]{{9}}"
        rf"|[0-9]{{3}}[ .-][0-9]{{2}}[ .-][0-9]{{4}})\b",
        None,
        1.0,
    ),
    Rule(
        "NATIONAL_ID",
        r"\b(?i:national (?:id|insurance|identity|identification)|identity card|id card|id"
        r"|tax(?:payer)?(?: id| file)?|tin|itin|ein"
        rf"|nino?|sin|tfn|aadhaar|pan|cpf|bsn|pps|vat|citizen(?:ship)?|resident permit){COLON}"
        r"((?:[A-Z]{1,5}[ -]?)?[0-9][0-9A-Z]{0,20}(?:[ .-][0-9A-Z]{1,6}){0,5})\b",
        checks.enough_digits,
        0.85,
    ),
    Rule(
        "CREDIT_CARD",
        r"\b(?i:(?:credit|debit|bank)? ?card|visa|mastercard|amex|american express|maestro|cc)"
        rf"(?: ending(?: in| with)?)?{COLON}([0-9][0-9 -]{{10,22}}[0-9])\b",
        None,
        0.85,
    ),
    Rule(
        "ACCOUNT",
        r"\b(?i:bank account|routing|sort code|swift|bic|aba)"
        rf"{COLON}([A-Z0-9][A-Z0-9 -]{{4,32}}[A-Z0-9])\b",
        checks.enough_digits,
        0.85,
    ),
    Rule(
        "NATIONAL_ID", rf"\b(?i:nhs){COLON}([0-9]{{3}} ?[0-9]{{3}} ?[0-9]{{4}})\b", checks.nhs, 1.0
    ),
    Rule("NATIONAL_ID", rf"\b(?i:passport){COLON}([A-Z0-9]{{6,9}})\b", None, 0.9),
    Rule(
        "LICENSE",
        r"\b(?i:licen[cs]e|dea|npi|certificate|registration|permit|driver'?s licen[cs]e"
        r"|driving licen[cs]e)"
        rf"{COLON}({IDENTIFIER})\b",
        None,
        0.9,
    ),
    Rule(
        "INSURANCE",
        r"\b(?i:insurance|policy|member|subscriber|beneficiary|health plan|group|"
        rf"medicare|medicaid){COLON}({IDENTIFIER})\b",
        None,
        0.9,
    ),
    Rule(
        "ACCOUNT",
        rf"\b(?i:account|acct|a/c|invoice|case|claim|order|ticket|booking|reservation|customer|student|employee|badge|tracking)"
        rf"{COLON}({IDENTIFIER})\b",
        None,
        0.85,
    ),
    Rule(
        "VEHICLE",
        r"\b(?i:vin|(?:licen[cs]e|number|registration|reg\.?)[ -]?(?:plate|number|no\.?)|plates?"
        r"|tag)"
        r"(?: (?:number|no\.?|of|the|my|his|her|our|[a-z]{2,12}|is|was|reads|with)){0,5}:? ?"
        r"([A-Z0-9]{1,4}(?:[ -][A-Z0-9]{1,4}){1,3}|[A-Z0-9]{5,17})\b",
        checks.plate,
        0.85,
        opening=r"\b(?i:vin|(?:licen[cs]e|number|registration|reg\.?)[ -]?(?:plate|number|no\.?)"
        r"|plates?|tag)\b",
    ),
    Rule("VEHICLE", r"\b[A-Z]{2}[0-9]{2} [A-Z]{3}\b", None, 0.7, "British number plate"),
    Rule(
        "VEHICLE", r"\b[A-ZÄÖÜ]{1,3}-[A-Z]{1,2} [0-9]{2,4}[EH]?\b", None, 0.6, "German number plate"
    ),
    Rule("DEVICE", rf"\b(?i:serial|device|imei|model){COLON}({IDENTIFIER})\b", None, 0.85),
    Rule(
        "USERNAME",
        r"\b(?i:user ?name|login|user id|handle|nickname|screen name|skype|telegram|instagram"
        r"|twitter)"
        r"(?: (?:is|was|name))?[:=]? ?"
        r"(@?[A-Za-z0-9][A-Za-z0-9._-]{1,30}[0-9_.-][A-Za-z0-9._-]{0,20}|@[A-Za-z0-9._-]{2,30})\b",
        None,
        0.8,
    ),
    Rule("AGE", r"\b[0-9]{1,3} ?(?:y/?o|yo|yrs? old|yrs)\b", checks.age, 0.9),
    Rule(
        "AGE",
        rf"\b(?i:aged?)(?: (?:of|is|was|about|around|over|under"
        rf"|between))?:? ([0-9]{{1,3}}(?:(?:-| to | and )[0-9]{{1,3}})?"
        rf"|{NUMBER_WORD})\b",
        checks.age,
        0.8,
    ),
    Rule(
        "AGE",
        r"\b(?:I'm|I’m|I am|i am|im|i'm|[Hh]e is|[Ss]he is|[Hh]e's|[Ss]he's|[Hh]e was"
        r"|[Ss]he was|who is|who was|they are) "
        r"(?:only |just |about |now |nearly |almost )?([0-9]{1,3})"
        r"(?:[.,;!?)]| (?:years?\b|and\b|now\b|but\b|when\b|yrs?\b|at the time\b)|\r?\n|$)",
        checks.age,
        0.7,
    ),
    Rule(
        "AGE",
        rf"\b{NAME}(?:(?: {NAME}){{1,3}}, ([1-9][0-9]?)(?:,|\.|;| of | from | and | was | is )"
        rf"| \(([1-9][0-9]?)\))",
        checks.age,
        0.7,
        "number behind a name",
    ),
    Rule(
        "AGE",
        r"\b(?:in|into) (?:his|her|their|my|your) ((?:early|mid|late)?[ -]?[a-z]{3,7}ies"
        r"|[0-9]0s)\b",
        None,
        0.7,
    ),
    Rule(
        "AGE",
        r"\b([0-9]{1,3})(?: and [0-9]{1,3})? years(?: and [0-9]{1,2} months)?[.,;!?)]",
        checks.age,
        0.5,
    ),
    Rule("DATE", rf"\b(?:the )?({ORDINAL_WORD}(?: day)? of {MONTH}(?:,? {YEAR})?)\b", None, 0.9),
    Rule(
        "DATE",
        rf"\b{MONTH} (?:the )?(?:{ORDINAL_WORD}|[0-3]?[0-9](?:st|nd|rd|th))(?:,? {YEAR})?\b",
        None,
        0.85,
    ),
    Rule("DATE", rf"\b{FEAST}(?:,? (?:of )?{YEAR})?\b", None, 0.6, "feast"),
    Rule("DATE", rf"\b{AGO}\b", None, 0.6, "a day told from another"),
    Rule(
        "DATE",
        rf"\b{WEEKDAY},? (?:the )?(?:[0-9]{{1,2}}/[0-9]{{1,2}}(?:/[0-9]{{2,4}})?"
        rf"|[0-9]{{1,2}}[.-][0-9]{{1,2}}[.-][0-9]{{2,4}}|[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}"
        rf"|(?:{DAY}|{MONTH}\.? {DAY})(?:(?: of)? {MONTH})?(?:,? {YEAR})?)\b",
        None,
        0.8,
    ),
    Rule(
        "DATE",
        rf"\b(?:[Ss]pring|[Ss]ummer|[Aa]utumn|[Ff]all|[Ww]inter|Q[1-4]|[Ee]arly|[Mm]id"
        rf"|[Ll]ate)(?: of|,|-)? ?{YEAR}\b",
        None,
        0.7,
    ),
    Rule(
        "DATE",
        r"\b(?i:exp(?:\.|iry|ires|iration)?(?: date)?|valid (?:until|till|thru|through|to)"
        r"|good thru|dob|d\.o\.b\.|born|birth ?date)"
        r"(?: (?:on|in|is))?:? ?([0-9]{4}[/.-][0-9]{1,2}[/.-][0-9]{1,2}"
        r"|[0-9]{1,2}[/.-][0-9]{1,2}[/.-][0-9]{2,4}"
        r"|(?:0?[1-9]|1[0-2])[/-][0-9]{2}|(?:19|20)[0-9]{2})\b",
        None,
        0.8,
    ),
    Rule("POSTCODE", rf"\b(?:{STATE}|{PROVINCE}),? ({ZIP}|{CA_POSTCODE}|[0-9]{{4}})\b", None, 0.85),
    Rule(
        "POSTCODE",
        rf"\b(?i:zip(?:[ -]?code)?|post ?code|postal code|area code)(?: (?:is|was|of"
        rf"|in))?:? ({ANY_POSTCODE})\b",
        None,
        0.95,
    ),
    Rule("POSTCODE", rf"\b{POSTCODES}\b", None, 0.8),
    Rule(
        "POSTCODE",
        rf"\b(?:in|to|from|near|around|at) ((?:[A-Z]{{1,2}}-)?[0-9]{{4,6}}) {NAME}",
        checks.no_year,
        0.6,
        "number before a town",
    ),
    Rule(
        "MONEY",
        r"\b[0-9]{1,3}(?:,?[0-9]{3}){0,4}(?:\.[0-9]{1,2})? "
        r"(?:dollars|USD|euros?|EUR|pounds|GBP|cents)\b",
        None,
        0.8,
    ),
    Rule("TIME", r"\b[0-9]{1,2} ?(?:a\.m\.|p\.m\.|am|pm|AM|PM)", checks.clock, 0.7),
    Rule(
        "PERSON",
        rf"\b{NAMES},? (?:M\.?D\.?|D\.?O\.?|Ph\.?D\.?|R\.?N\.?|N\.?P\.?|PA-C|FRCP)\b",
        None,
        0.9,
        "name before a degree",
    ),
    Rule("PERSON", rf"\b{RELATIVE},? ({NAMES})", _named, 0.7, "name after a relation"),
    Rule(
        "PERSON",
        rf"\b(?:[Nn]amed|[Cc]alled|[Ss]igned|[Dd]ictated by|[Ss]een by|[Rr]eferred by) "
        rf"({FULL})",
        _named,
        0.7,
    ),
    Rule("ORG", rf"\b(?:St\.? )?(?:{NAME} (?:of |and |& )?){{1,4}}{PLACE}\b", None, 0.8),
    Rule(
        "ORG",
        rf"\b(?:University|Hospital|College|Bank|Church) (?:of|for) (?:the )?{TOWN}",
        None,
        0.8,
    ),
    Rule(
        "OCCUPATION",
        rf"{TRADE}(?:an? )?((?:[a-z]{{3,15}} ){{0,2}}{OCCUPATION}|[a-z]{{3,20}})\b",
        None,
        0.7,
        opening=TRADE,
    ),
    # A person's apposition: ", a retired school teacher".
    Rule(
        "OCCUPATION",
        rf", an? ((?:[a-z]{{3,15}} ){{0,2}}{OCCUPATION})\b",
        None,
        0.7,
        opening=", an? ",
    ),
    Rule(
        "OCCUPATION",
        rf"\b[Rr]etired (?:[a-z]{{3,15}} )?{OCCUPATION}\b",
        None,
        0.7,
        opening=r"\b[Rr]etired ",
    ),
    Rule(
        "DIAGNOSIS",
        rf"{SUFFERED}({CONDITION}){CONDITION_ENDS}",
        _condition,
        0.6,
        "condition after its usual words",
        SUFFERED,
    ),
    *CASUAL,
)
