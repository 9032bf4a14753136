"""What a label means for privacy: direct identifiers, quasi-identifiers, and what may stay."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from ..core.errors import BadInput
from ..core.options import choose

if TYPE_CHECKING:
    from ..core.spans import Span

Role = Literal["direct", "quasi", "keep"]

DIRECT = (
    *(
        "PERSON",
        "PER",
        "EMAIL",
        "URL",
        "PHONE",
        "FAX",
        "IP",
        "IBAN",
        "CREDIT_CARD",
        "SSN",
        "NATIONAL_ID",
    ),
    *("MRN", "ACCOUNT", "LICENSE", "INSURANCE", "ADDRESS", "VEHICLE", "DEVICE"),
    *("IDENTIFIER", "USERNAME", "WALLET", "COORDINATES"),
)
QUASI = (
    *("DATE", "AGE", "GENDER", "ORG", "LOCATION", "COUNTRY", "POSTCODE", "OCCUPATION"),
    *("DIAGNOSIS", "RELATIVE", "ORGANIZATION", "NATIONALITY"),
    # spaCy's own names
    *("GPE", "LOC", "FAC", "NORP", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW", "LANGUAGE"),
)
KEEP = ("TIME", "MONEY", "DURATION", "CARDINAL", "ORDINAL", "QUANTITY", "PERCENT")

ROLES: Mapping[str, Role] = MappingProxyType(
    {
        **dict.fromkeys(DIRECT, "direct"),
        **dict.fromkeys(QUASI, "quasi"),
        **dict.fromkeys(KEEP, "keep"),
    }
)

_YEAR = re.compile("(?:1[89]|20)[0-9]{2}")


@dataclass(frozen=True, slots=True)
class Preset:
    """A rule book: the role of each label, and which values it lets stand.

    >>> from sfumato import Span
    >>> PRESETS["hipaa"].role(Span(0, 0, 2, "AGE"), "47"), PRESETS["hipaa"].role(
    ...     Span(0, 0, 2, "AGE"), "93")
    ('keep', 'direct')
    """

    name: str
    statement: str
    roles: Mapping[str, Role]
    ages_over: int | None = None
    years_stay: bool = False

    def role(self, span: Span, text: str) -> Role:
        """The role of one found place."""
        if span.label == "AGE" and self.ages_over is not None:
            numbers = re.findall("[0-9]+", text)
            years = not re.search("month|week|day|mes|seman|día", text)
            over = years and (not numbers or int(numbers[0][:6]) > self.ages_over)
            return "direct" if over else "keep"
        if span.label == "DATE" and self.years_stay and _YEAR.fullmatch(text):
            return "keep"
        return self.roles.get(span.label, "quasi")


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "default": Preset("default", "Direct identifiers, quasi-identifiers, the rest.", ROLES),
        "hipaa": Preset(
            "hipaa",
            "The identifiers of HIPAA Safe Harbor, 45 CFR 164.514(b)(2): years, states, ages to 89 "
            "and countries stay; expert judgement of what remains is the steward's.",
            MappingProxyType(
                {
                    **ROLES,
                    **dict.fromkeys(
                        ("DATE", "POSTCODE", "LOCATION", "GPE", "LOC", "FAC"), "direct"
                    ),
                    **dict.fromkeys(
                        (
                            "COUNTRY",
                            "GENDER",
                            "OCCUPATION",
                            "DIAGNOSIS",
                            "RELATIVE",
                            "NORP",
                            "NATIONALITY",
                        ),
                        "keep",
                    ),
                }
            ),
            ages_over=89,
            years_stay=True,
        ),
        "gdpr": Preset(
            "gdpr",
            "Anything relating to a person counts (GDPR Art. 4(1)); origin, belief and health "
            "(Art. 9) and money and times as well.",
            MappingProxyType(
                {
                    **ROLES,
                    "NORP": "direct",
                    "NATIONALITY": "direct",
                    "TIME": "quasi",
                    "MONEY": "quasi",
                }
            ),
        ),
    }
)


def preset(name: str) -> Preset:
    """A preset by name: default, hipaa or gdpr.

    >>> preset("gdpr").roles["NORP"]
    'direct'
    """
    choose("preset", name, PRESETS)
    return PRESETS[name]


def with_role(
    spans: Sequence[Span], texts: Sequence[str], roles: Sequence[Role], name: str = "default"
) -> list[Span]:
    """The spans that have one of these roles.

    >>> from sfumato import Span
    >>> with_role([Span(0, 0, 3, "PERSON"), Span(0, 4, 9, "TIME")], ["Ann 12:30"], ["direct"])
    [Span(document=0, start=0, stop=3, label='PERSON', score=1.0, why='')]
    """
    chosen = preset(name)
    for role in roles:
        if role not in ("direct", "quasi", "keep"):
            raise BadInput("expected direct, quasi or keep", where="roles")
    return [
        span
        for span in spans
        if chosen.role(span, texts[span.document][span.start : span.stop]) in roles
    ]
