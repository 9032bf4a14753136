"""A mention grows to what belongs to it: a title, a legal form, the next line of an address.

Recognisers that work on their own cut mentions in pieces: the street by a rule and the town by the
tagger, a firm's names without "& Co."
" KG". What stands between or beside them tells that they are one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING

from .rules.everywhere import UPPER

if TYPE_CHECKING:
    from ..core.spans import Span

PEOPLE = frozenset(("PERSON", "PER"))
FIRMS = frozenset(("ORG", "ORGANIZATION"))
PLACES = frozenset(("LOCATION", "ADDRESS", "POSTCODE", "COUNTRY"))
FAR = 24  # symbols that are looked at before and behind a mention

TITLE = re.compile(
    r"(?:^|(?<=[\s(\"'“:,;-]))(?:Mr|Mrs|Ms|Miss|Mx|Dr|Drs|Prof|Professor|Doctor|Nurse|Rev|Reverend|Fr|Father|Sir|Dame|"
    r"Lady|Lord|Judge|Justice|Capt|Captain|Sgt|Sergeant|Lt|Lieutenant|Col|Colonel|Maj|Major|Gen|General|Sister|"
    r"Brother|Herr|Frau|Mme|Mlle|M|Monsieur|Madame|Signor|Signora|Sig|Sra?|Señora?|Don|Doña|Dna|Pan|Pani|Mevrouw|"
    r"Meneer|Dhr|Mevr|Hr|Fru|Dott|Dottore|Dottoressa|Ing|Mag|Dipl\.-Ing|President|Senator)\.? $"
)
DEGREE = re.compile(
    r",? (?:Jr|Sr|I{2,3}|IV|Esq|MD|M\.D|PhD|Ph\.D|RN|DDS|DVM|MBA|MSc|BSc|OBE|CBE|MBE|QC|KC|JD"
    r"|CPA)\b\.?"
)
FORM = (
    r"(?:Inc|Incorporated|Corp|Corporation|Co|Company|Ltd|Limited|LLC|LLP|LP|PLC|plc|Pty|Pvt"
    r"|GmbH|mbH|AG|KG|KGaA|OHG|UG|e\.? ?V|"
    r"e\.K|GbR|GesbR|OG|SE|S\.?A|S\.?A\.?S|S\.?A\.?R\.?L|SARL|Sàrl|SNC|SCOP|EURL|S\.?p\.?A|SpA|SPA|S\.?r\.?l|s\.?r\.?l|s\.n\.c|S\.n\.c|"
    r"S\.?L|S\.?L\.?[LN]?\.?[EU]?|S\.Com|S\.Coop|S\.C\.P|C\.B|S\. de R\.L|S\.A\. de C\.V|Lda"
    r"|Ltda|S/A|EIRELI|N\.?V|B\.?V|V\.?O\.?F|CommV|"
    r"C\.?V|BVBA|bvba|AB|HB|KB|A/S|ApS|I/S|AS|ASA|Oy|Oyj|ry|Tmi|Sp\. ?z ?o\.o|Sp\. ?j|Sp\. ?k"
    r"|Kht|OC3"
    r"|s\.c|S\.C|a\.s|s\.r\.o|v\.o\.s|"
    r"k\.s|d\.o\.o|d\.d|s\.p|j\.d\.o\.o|Kft|Bt|Kkt|Zrt|Nyrt|SRL|S\.R\.L|OC1|OC2|A\.Ş"
    r"|(?:Ltd\. )?Şti|o\.s|i syn s\.c|i syn|és társa|San|Tic|Ve Tic|Tbk|Persero|"
    r"Group|Gruppe|Gruppo|Groupe|Grupo|Holdings?|Partners?|Associates|Associés|Sons?|Söhne|Bros"
    r"|Brothers|Brüder|Fils|et Fils|"
    r"e figli|Hermanos|Hijos|Stiftung|Foundation)"
)
LEGAL = re.compile(
    rf"(?:,? (?:& |and |und |et |y |e )?\(?{FORM}\)?(?![{UPPER}a-zß-ÿ0-9])\.?){{1,3}}"
)
ABBREVIATED = re.compile(rf"[ ,.]{FORM}$")
IN_BRACKETS = re.compile(r" \((?:[^()\n]{2,40}|[A-Z]{2})\)(?: Islands?| Republic)?")
STREET = re.compile(
    r"(?:^|(?<=[\s(\"'“:;,]))(?:[0-9]{1,4},? )?(?:rue|avenue|av\.|boulevard|place|chemin|allée"
    r"|impasse|quai|via|viale|piazza|"
    r"corso|calle|avenida|rua|travessa|praça|carrer|ulica|ul\.|al\.|aleja|strada|str\.|jalan"
    r"|jl\.)(?: (?:de|du|des|della|de la))? $",
    re.IGNORECASE,
)
# Of these words none is English: before a name they tell a street.
WAY = re.compile(
    r"(?:^|(?<=[\s(\"'“:;,]))(?:[0-9]{1,4},? )?(?:rue|boulevard|chemin|allée|impasse|viale|piazza"
    r"|calle|avenida|rua|travessa|praça|carrer|ulica|ul\.|strada|jalan|jl\.|gg\.)"
    r"(?: (?:de|du|des|della|de la))? $",
    re.IGNORECASE,
)
# What may stand between the parts of an address.
BETWEEN_PLACES = re.compile(
    r"(?:[,;]? ?\r?\n ?|, ?|,? - | / | )(?:(?:[Nn]r|[Nn]o|[Nn]um|[Nn]°|n°|Apt|Ap|Bl|Sc|Et|Int|Lt"
    r"|Blok|Kat)\.?:? ?)?|-"
)
BETWEEN_FIRMS = re.compile(r", | (?:&|and|und|et|y|e|i|og|och|és|en|ja|ve) |-")


def grown(texts: Sequence[str], spans: Sequence[Span]) -> list[Span]:
    """The spans with what belongs to them; those that are parts of one mention become one.

    Spans must not overlap. Cost: O(spans).

    >>> from ..core.spans import Span
    >>> texts = ["Ask Mr. Kodrič of Mlinar d.o.o."]
    >>> found = grown(texts, [Span(0, 8, 14, "PERSON"), Span(0, 18, 24, "PERSON")])
    >>> [(span.label, texts[0][span.start : span.stop]) for span in found]
    [('PERSON', 'Mr. Kodrič'), ('ORGANIZATION', 'Mlinar d.o.o.')]
    """
    result: list[Span] = []
    for span in sorted(spans, key=attrgetter("document", "start")):
        text = texts[span.document]
        before = result[-1] if result and result[-1].document == span.document else None
        if before is not None and span.start < before.stop:
            if span.stop <= before.stop:
                continue
            span = replace(span, start=before.stop)
        span = _wider(text, span, before.stop if before is not None else 0)
        if before is not None and _one(text, before, span):
            leading = max(before, span, key=lambda x: (x.label == "ADDRESS", x.stop - x.start))
            whole = replace(leading, start=before.start, stop=span.stop)
            result[-1] = _wider(text, whole, before.start)
            _with_earlier(text, result)
        else:
            result.append(span)
    return result


def _with_earlier(text: str, result: list[Span]) -> None:
    """Of "Sims, Wade and Peterson" the last two were joined: the earlier ones belong to them."""
    while len(result) > 1 and result[-1].label in FIRMS and result[-2].label in FIRMS:
        one, other = result[-2:]
        if one.document != other.document or text[one.stop : other.start] != ", ":
            return
        result[-2:] = [replace(other, start=one.start)]


def _wider(text: str, span: Span, least: int) -> Span:
    """The span with its title, legal form, degree, brackets or the word for a street."""
    if span.label in PEOPLE | FIRMS | PLACES:
        legal = LEGAL.match(text, span.stop) if span.label != "ADDRESS" else None
        if legal is not None and (span.label in FIRMS or not legal[0].startswith(" San")):
            return replace(span, stop=legal.end(), label="ORGANIZATION")
        if text[span.stop : span.stop + 1] == "." and ABBREVIATED.search(
            text, span.start, span.stop
        ):
            return replace(span, stop=span.stop + 1)
    if span.label in PEOPLE:
        way = _left(text, span, WAY, least)
        if way != span:
            return replace(way, label="ADDRESS")
        span = _left(text, span, TITLE, least)
        degree = DEGREE.match(text, span.stop)
        return span if degree is None else replace(span, stop=degree.end())
    if span.label == "ADDRESS":
        span = _left(text, span, STREET, least)
    elif span.label == "LOCATION" and (wide := _left(text, span, WAY, least)) != span:
        return replace(wide, label="ADDRESS")
    if span.label in PLACES:
        brackets = IN_BRACKETS.match(text, span.stop)
        if brackets is not None and brackets[0][2:3].isupper():
            return replace(span, stop=brackets.end())
        if "(" in text[span.start : span.stop] and text[span.stop : span.stop + 1] == ")":
            return replace(span, stop=span.stop + 1)
    return span


def _left(text: str, span: Span, expression: re.Pattern[str], least: int) -> Span:
    low = max(least, span.start - FAR)
    found = expression.search(text[low : span.start])
    return span if found is None else replace(span, start=low + found.start())


def _one(text: str, one: Span, other: Span) -> bool:
    """Whether two neighbours are parts of one mention."""
    between = text[one.stop : other.start]
    if len(between) > 8:
        return False
    if one.label in PLACES and other.label in PLACES:
        address = "ADDRESS" in (one.label, other.label)
        return (address or between == " ") and BETWEEN_PLACES.fullmatch(between) is not None
    if one.label in PEOPLE and other.label in PEOPLE:
        return (
            between == ", "
            and text[one.start : one.stop].isupper()
            and text[other.stop - 1].islower()
        )
    if one.label in FIRMS and other.label in FIRMS:
        return BETWEEN_FIRMS.fullmatch(between) is not None and between != ", "
    return False
