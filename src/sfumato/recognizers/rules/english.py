"""Rules for English: names by title and field, numbers by context, addresses, dates, ages."""

from __future__ import annotations

from .. import checks
from ..scan import Rule
from .everywhere import ISO_DATE, LOWER, UPPER

NAME = (
    rf"[{UPPER}](?:['’][{UPPER}])?[{LOWER}]{{1,20}}(?:[{UPPER}][{LOWER}]{{1,15}})?"
    rf"(?:-[{UPPER}][{LOWER}]{{1,20}})?"
)
INITIAL = rf"[{UPPER}]\."
PARTICLE = r"(?:van der|van|von|de la|de|del|di|da|la|le|el|bin|al)"
NEXT = rf" (?:[{UPPER}]\.? )?(?:{PARTICLE} )?{NAME}"
NAMES = rf"(?:{INITIAL} ?){{0,2}}{NAME}(?:{NEXT}){{0,3}}"
FULL = rf"(?:{NAME}(?:{NEXT}){{1,3}}|(?:{INITIAL} ?){{1,2}}{NAME})"
TITLE = (
    r"(?:Drs?|Mrs?|Ms|Miss|Prof|Professor|Doctor|Nurse|Rev|Fr|Sr|Sir|Dame|Lady|Lord|Judge|Capt"
    r"|Sgt|Lt|Col)"
)
MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
DAY = r"[0-3]?[0-9](?:st|nd|rd|th)?"
YEAR = r"(?:1[89]|20)[0-9]{2}"
STREET = (
    r"(?:Street|St|Avenue|Ave|Road|Rd|Drive|Dr|Lane|Ln|Boulevard|Blvd|Court|Ct|Place|Pl|Square|Sq"
    r"|Terrace|Ter|Way|Circle|Cir|Parkway|Pkwy|Highway|Hwy|Close|Crescent|Row|Trail|Trl)"
)
STATE = (
    r"(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]"
    r"|T[NX]|UT|V[AT]|W[AIVY])"
)
ZIP = r"[0-9]{5}(?:-[0-9]{4})?"
UK_POSTCODE = r"[A-Z]{1,2}[0-9][A-Z0-9]? [0-9][A-BD-HJLNP-UW-Z]{2}"
TOWN = rf"(?:St\. )?{NAME}(?: {NAME}){{0,2}}"
PLACE = (
    r"(?:Hospital|Clinic|Medical Cent(?:er|re)|Health Cent(?:er|re)|Infirmary|Hospice|University"
    r"|College|School|Institute|Laborator(?:y|ies)|Nursing Home|Pharmacy|Foundation|Church)"
)
# Number, then (optionally) colon or hash: the way forms introduce an identifier.
COLON = r"(?: ?(?:(?i:number|no|num|id|nr)\.?|#))?[ \t]?[:#=]{0,2}[ \t]{0,3}"
IDENTIFIER = r"[A-Z]{0,4}-?[0-9][0-9A-Z-]{3,14}"
RELATIVE = (
    r"(?:[Dd]aughter|[Ss]on|[Ww]ife|[Hh]usband|[Ss]pouse|[Pp]artner|[Mm]other|[Ff]ather|[Ss]ister"
    r"|[Bb]rother|[Nn]eighbou?r|[Cc]aregiver|[Cc]arer|[Gg]uardian|[Nn]iece|[Nn]ephew|[Ff]riend)"
)

# What people are by trade, by the last word of it.
OCCUPATION = (
    r"(?:accountant|actor|actress|architect|artist|attorney|baker|banker|barber|bartender|bricklayer"
    r"|builder|butcher|carpenter|cashier|chef|chemist|cleaner|clerk|consultant|contractor|cook|dancer"
    r"|dentist|designer|developer|doctor|driver|economist|editor|electrician|engineer|executive"
    r"|factory worker|farmer|firefighter|fisherman|florist|foreman|gardener|guard|hairdresser"
    r"|housewife|inspector|janitor|journalist|judge|labou?rer|lawyer|lecturer|librarian|machinist"
    r"|manager|mechanic|merchant|miner|musician|nurse|officer|operator|painter|paramedic|pharmacist"
    r"|photographer|physician|pilot|plumber|policeman|politician|porter|priest|professor|programmer"
    r"|psychologist|realtor|receptionist|representative|sailor|salesman|scientist|seamstress|secretary"
    r"|singer|soldier|solicitor|student|surgeon|surveyor|tailor|teacher|technician|therapist|trader"
    r"|translator|tutor|veterinarian|waiter|waitress|welder|worker|writer)"
)
TRADE = r"\b(?:[Ww]ork(?:s|ed|ing) as|[Ee]mployed as|[Oo]ccupation:|[Pp]rofession:) "
SUFFERED = (
    r"\b(?:(?i:history of|diagnosed with|suffers from|suffering from|h/o)|Diagnosis:|[Kk]nown) "
)
# A condition: a few words up to one that does not belong to it.
CONDITION = r"[A-Za-z][A-Za-z0-9'-]{1,20}(?: [A-Za-z0-9'-]{1,20}){0,5}?"
CONDITION_ENDS = (
    r"(?:[.,;:()\r\n]| (?:and|or|but|who|which|with|without|presenting|presents|presented|admitted"
    r"|seen|since|for|in|on|at|as|is|was|were|has|had|status|treated|diagnosed|requiring)\b|$)"
)

# What follows a short date or a year that is not part of a longer number.
TAIL = r"(?:[ ,;:)\r\n]|\.(?:[ \r\n]|$)|$)"

# Words with a capital that are no name by themselves: after a refusal other rules are tried.
TITLES = frozenset(
    ("Dr", "Drs", "Mr", "Mrs", "Ms", "Miss", "Prof", "Professor", "Doctor", "Nurse", "Rev", "Sir")
)
NO_TOWNS = TITLES.union(
    ("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    ("October", "November", "December", "Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep"),
    ("Sept", "Oct", "Nov", "Dec", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday"),
    ("Saturday", "Sunday", "The", "This", "That", "He", "She", "They", "It", "His", "Her"),
)


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
        r"\b[0-9]{1,3}[ -](?:years?|yrs?|months?|weeks?|days?)[ -](?:old|of age)\b",
        checks.age,
        0.95,
    ),
    Rule(
        "PHONE",
        r"(?:\+?1[ .-]?)?\(?[2-9][0-9]{2}\)?[ .-]{1,2}[2-9][0-9]{2}[ .-][0-9]{4}\b"
        r"(?: ?(?i:x|ext)\.? ?[0-9]{1,5})?",
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
    Rule("GENDER", r"\b(?i:male|female|man|woman|boy|girl|gentleman|lady)\b", None, 0.6),
    Rule("DATE", r"\b[0-9]{1,2}-[0-9]{1,2}-[0-9]{2,4}\b", checks.numeric_date, 0.9),
)

RULES = (
    Rule(
        "ADDRESS",
        rf"\b[0-9]{{1,6}}[A-Za-z]? (?:[NSEW]\.? )?(?:{NAME} ){{1,3}}{STREET}\b\.?"
        rf"(?:,? (?:Apt|Apartment|Suite|Ste|Unit|#)\.? ?[0-9A-Za-z-]{{1,6}})?"
        rf"(?:,? {TOWN}(?:,? {STATE})?,? (?:{ZIP}|{UK_POSTCODE})\b)?",
        None,
        0.9,
    ),
    Rule("ADDRESS", r"\bP\.? ?O\.? Box [0-9]{1,7}\b", None, 0.9),
    Rule("DATE", r"\b[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{2,4}\b", checks.numeric_date, 0.7),
    Rule("DATE", rf"\b{DAY}(?: of)? {MONTH}\.?(?:,? {YEAR})?\b", None, 0.9),
    Rule("DATE", rf"\b{DAY}-{MONTH}-(?:{YEAR}|[0-9]{{2}})\b", None, 0.9),
    Rule("DATE", rf"\b{MONTH}\.?(?: of|,)? {YEAR}\b", None, 0.9),
    Rule("DATE", rf"\b(?:0?[1-9]|1[0-2])/{YEAR}\b", None, 0.7, "month and year"),
    Rule("DATE", rf"\bon ([0-9]{{1,2}}/[0-9]{{1,2}}){TAIL}", None, 0.6, "month and day"),
    Rule("DATE", rf"\b(?i:in|since|until|year|from|dated) ({YEAR}){TAIL}", None, 0.6, "year"),
    Rule(
        "SSN",
        rf"\b(?i:ssn|social security){COLON}([0-9]{{9}}|[0-9]{{3}} [0-9]{{2}} [0-9]{{4}})\b",
        checks.ssn,
        1.0,
    ),
    Rule(
        "NATIONAL_ID", rf"\b(?i:nhs){COLON}([0-9]{{3}} ?[0-9]{{3}} ?[0-9]{{4}})\b", checks.nhs, 1.0
    ),
    Rule("NATIONAL_ID", rf"\b(?i:passport){COLON}([A-Z0-9]{{6,9}})\b", None, 0.9),
    Rule(
        "LICENSE",
        r"\b(?i:licen[cs]e|dea|npi|certificate|registration|driver'?s licen[cs]e)"
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
        rf"\b(?i:account|acct|a/c|invoice|case|claim|order){COLON}({IDENTIFIER})\b",
        None,
        0.85,
    ),
    Rule(
        "VEHICLE",
        rf"\b(?i:vin|licen[cs]e plate|plate){COLON}([A-Z0-9][A-Z0-9-]{{4,16}})\b",
        None,
        0.85,
    ),
    Rule("DEVICE", rf"\b(?i:serial|device|imei|model){COLON}({IDENTIFIER})\b", None, 0.85),
    Rule("PHONE", r"\+[0-9]{1,3}(?:[ .-]?\(?[0-9]{1,5}\)?){2,6}\b", checks.dialled, 0.9),
    Rule("PHONE", r"\b0[0-9]{2,4}[ -][0-9]{3,4}[ -]?[0-9]{3,4}\b", None, 0.7),
    Rule(
        "PHONE",
        r"\b(?i:phone|tel|telephone|fax|mobile|cell|pager|call)\.?:? ?"
        r"(\(?[0-9][0-9 ().-]{5,16}[0-9])\b",
        None,
        0.9,
    ),
    Rule("AGE", r"\b[0-9]{1,3} ?(?:y/?o|yo)\b", checks.age, 0.9),
    Rule("AGE", r"\b(?i:aged?)(?: of|:)? ([0-9]{1,3})\b", checks.age, 0.8),
    Rule("POSTCODE", rf"\b{STATE} ({ZIP})\b", None, 0.85),
    Rule(
        "POSTCODE",
        rf"\b(?i:zip(?: code)?|postcode|postal code):? ({ZIP}|{UK_POSTCODE})\b",
        None,
        0.95,
    ),
    Rule("POSTCODE", rf"\b{UK_POSTCODE}\b", None, 0.8),
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
)
