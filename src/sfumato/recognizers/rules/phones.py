"""Telephone numbers: after the words that introduce them, and by how they are written."""

from __future__ import annotations

from functools import partial

from .. import checks
from ..scan import Rule
from ..telephone_checks import telephone

EXTENSION = r"(?: ?(?i:x|ext\.?|extension|app\.?|poste|durchwahl) ?[0-9]{1,6})?"
DIGITS = r"\+?[ ]?\(?\+?[0-9][0-9 ()./-]{5,20}[0-9]"
INTRODUCED = (
    r"(?i:telephone|téléphone|telefono|teléfono|telefon|telefone|telefoon|phones?|tel|tél|fono|fax|mobile|"
    r"mobil|móvil|movil|celular|cellulare|portable|gsm|cell|handy|whatsapp|pager|beeper|call|dial|ring|text|"
    r"sms|reach|rufnummer|hotline)"
)
BETWEEN = (
    r"(?:\.?:|\.|(?: (?i:me|us|him|her|them|number|nr|no|num|on|at|under|via|is|was|now|back"
    r"|line|my|the|by|to|"
    r"or|and|home|work|office|phone|cell|mobile|today|tomorrow|directly|again|please|also)\b\.?:?){1,5}|:?)"
)


def _enough(text: str) -> bool:
    return 6 <= len(checks.digits_of(text)) <= 20


def rules(region: str | None) -> tuple[Rule, ...]:
    """The rules for telephone numbers; those of the region are known without other signs."""
    check = partial(telephone, region=region)
    found = (
        Rule("PHONE", r"\+[0-9]{1,3}(?:[ .-]?\(?[0-9]{1,5}\)?){2,6}\b", checks.dialled, 0.9),
        Rule(
            "PHONE",
            rf"\b{INTRODUCED}{BETWEEN} ?({DIGITS}{EXTENSION})\b",
            _enough,
            0.9,
            opening=rf"\b{INTRODUCED}{BETWEEN} ?[+(0-9]",
        ),
        Rule(
            "PHONE",
            r"(?:\+|\(\+?|\b)[0-9](?:[ ./()-]{0,2}[0-9]){6,15}" + EXTENSION + r"\b",
            check,
            0.75,
            "written like a telephone number",
        ),
    )
    if region is None:
        return found
    bare = Rule("PHONE", r"\b[0-9]{7,12}\b", check, 0.7, "a number of the region")
    return (*found, bare)
