"""What the names of columns tell: identifiers, things others know, things to keep secret."""

from __future__ import annotations

import re
from collections.abc import Sequence

PERSON = (
    r"person(al)?[ _-]?(id|no|nr|number)?|patient([ _-]?(id|no|nr|number))?|subject[ _-]?(id)?",
    r"(user|member|customer|client|employee|student|respondent|participant|author)"
    r"[ _-]?(id|no|nr|number)?",
    r"pid|uid|id|nr|no|number|key|case[ _-]?(id)?|mrn",
    r".*[ _-]id|id[ _-].*|.*(Id|ID)",
)
DIRECT = (
    r"(first|last|given|family|sur|full|middle|maiden|user|nick)[ _-]?name|name|names|surname",
    r"vorname|nachname|nom|prenom|nombre|apellidos?|e?[ _-]?mail([ _-]?address)?",
    r"(tele|mobile[ _-]?|cell[ _-]?|home[ _-]?)?phone([ _-]?(no|nr|number))?|mobile|fax|tel",
    r"ssn|social[ _-]?security.*|passport.*|licen[cs]e.*|iban|account.*|credit[ _-]?card.*",
    r"(home|street|postal|ip|mac)?[ _-]?address|street|ip|url|website|mrn|nhs.*|insurance.*",
)
KNOWN = (
    r"age|alter|edad|sex|gender|geschlecht|race|ethnic.*|nationality|(native[ _-]?)?country",
    r"zip([ _-]?code)?|post(al)?[ _-]?code|plz|city|town|state|region|county|district|ort",
    r"birth.*|.*birth(day|date)?|born|dob|date.*|.*date|.*[ _-]at|year|job|occupation|profession",
    r"(.*[ _-])?(age|sex|gender|nationality|country|city|town|region|zip|post[ _-]?code|birth)",
    r"lat(itude)?|lo?ng(itude)?|geo.*|coordinates?",
    r"education|marital.*|married|sign|zodiac|topic|height|weight|work[ _-]?class|hours.*",
)
SENSITIVE = (
    r"diagnos.*|disease.*|illness|condition|icd.*|hiv.*|blood.*|medication|drugs?|treatment",
    r"salar(y|ies)([ _-]?class)?|income|wage.*|debt.*|religion|politic.*|party|orientation",
    r"test[ _-]?result|result|outcome|score|conviction.*|crime.*",
)
ENTITIES = {
    r"age|alter|edad": ["AGE"],
    r"birth.*|.*birth(day|date)?|born|dob|date.*|.*date": ["DATE"],
    r"city|town|region|county|district|ort|state": ["LOCATION", "GPE"],
    r"(native[ _-]?)?country|nationality": ["COUNTRY", "GPE", "NORP"],
    r"zip([ _-]?code)?|post(al)?[ _-]?code|plz": ["POSTCODE"],
    r"job|occupation|profession": ["OCCUPATION"],
    r"sex|gender|geschlecht": ["GENDER"],
    r"diagnos.*|disease.*|illness|condition": ["DIAGNOSIS"],
}
CODES = r"zip([ _-]?code)?|post(al)?[ _-]?code|plz|icd.*|.*[ _-]?code"
SCALES = (
    ("very low", "low", "medium", "high", "very high"),
    ("low", "middle", "high"),
    ("low", "moderate", "high"),
    ("never", "rarely", "sometimes", "often", "always"),
    ("none", "mild", "moderate", "severe"),
    ("small", "medium", "large"),
    ("xs", "s", "m", "l", "xl", "xxl"),
    ("bad", "fair", "good", "very good", "excellent"),
    ("poor", "fair", "good", "very good", "excellent"),
    ("strongly disagree", "disagree", "neutral", "agree", "strongly agree"),
    ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
)


def matches(name: str, patterns: Sequence[str]) -> int | None:
    """The place of the first pattern that is the whole name, whatever its case.

    >>> matches("Patient_ID", PERSON), matches("note", PERSON)
    (0, None)
    """
    for place, pattern in enumerate(patterns):
        if re.fullmatch(pattern, name.strip(), re.IGNORECASE):
            return place
    return None


def entities_of(name: str) -> list[str]:
    """The entity types under which texts are likely to repeat a column of this name.

    >>> entities_of("dob")
    ['DATE']
    """
    for pattern, types in ENTITIES.items():
        if re.fullmatch(pattern, name.strip(), re.IGNORECASE):
            return types
    return []


def scale_of(values: Sequence[str]) -> list[str] | None:
    """The values in the order of a well-known scale they all belong to.

    >>> scale_of(["high", "Low"])
    ['Low', 'high']
    """
    folded = {value.strip().casefold(): value for value in values}
    for scale in SCALES:
        if len(folded) == len(values) >= 2 and set(folded) <= set(scale):
            return [folded[one] for one in scale if one in folded]
    return None
