"""National numbers of people by their check digits: python-stdnum knows those of many countries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..core.errors import BadInput, NotInstalled
from ..core.spans import Span
from .overlaps import resolve
from .scan import bordered

if TYPE_CHECKING:
    from ..core.progress import Progress

# By country; those behind a bar have too weak a check to be looked for without the region.
NUMBERS: dict[str, str] = {
    "AR": "| dni",
    "AT": "vnr",
    "AU": "| tfn",
    "BE": "nn",
    "BG": "egn",
    "BR": "cpf",
    "CA": "bc_phn | sin",
    "CH": "ssn",
    "CL": "| rut",
    "CN": "ric",
    "CZ": "rc",
    "DE": "idnr",
    "DK": "| cpr",
    "EE": "ik",
    "ES": "dni nie",
    "FI": "hetu",
    "FR": "nir",
    "GB": "nhs",
    "HR": "oib",
    "IE": "pps",
    "IL": "| idnr",
    "IN": "aadhaar pan",
    "IS": "kennitala",
    "IT": "codicefiscale",
    "KR": "rrn",
    "LT": "asmens",
    "MX": "curp",
    "MY": "| nric",
    "NL": "| bsn",
    "NO": "fodselsnummer",
    "NZ": "| ird",
    "PL": "pesel",
    "PT": "cc",
    "RO": "cnp",
    "SE": "personnummer",
    "SI": "emso",
    "SK": "rc",
    "TH": "pin",
    "TR": "tckimlik",
    "UA": "rntrc",
    "US": "| ssn itin",
    "ZA": "idnr",
}
MODULES = {"IN": "in_", "IS": "is_"}  # where the country is a word of Python
TOKEN = re.compile(r"[A-Za-z0-9][A-Za-z0-9./+-]{0,20}")
MOST_TOKENS, LEAST, MOST = 5, 8, 20  # of a number; letters and digits


@dataclass(frozen=True, slots=True)
class Identifiers:
    """A recogniser of national numbers by check digits, of one region or of 30 countries.

    Cost: O(n), and a few checks for every group of digits.

    >>> texts = ["CURP BOXW310820HNERXN09, PESEL 44051401359"]
    >>> [texts[0][span.start : span.stop] for span in Identifiers()(texts)]
    ['BOXW310820HNERXN09', '44051401359']
    """

    name: str = "ids"
    region: str | None = None
    score: float = 0.85

    def __call__(self, texts: Sequence[str], progress: Progress | None = None) -> list[Span]:
        """The spans of all documents."""
        checks, found = _checks(self.region), list[Span]()
        for document, text in enumerate(texts):
            here = [
                Span(document, start, stop, "NATIONAL_ID", self.score, f"{self.name}: {country}")
                for start, stop in _candidates(text)
                if (country := _country(text[start:stop], checks)) is not None
                and bordered(text, start, stop)
            ]
            found += resolve(here)
            if progress is not None and document % 100 == 99:
                progress(self.name, (document + 1) / len(texts))
        return found


def _candidates(text: str) -> Iterator[tuple[int, int]]:
    """Groups of one to five tokens, one blank apart, with enough digits to be a number."""
    tokens = [one.span() for one in TOKEN.finditer(text)]
    for first, (start, _) in enumerate(tokens):
        for stop in _stops(text, tokens, first):
            inner = text[start:stop].rstrip(".-/+")
            size = sum(map(str.isalnum, inner))
            if size > MOST:
                break
            if size >= LEAST and 2 * sum(map(str.isdigit, inner)) >= size - 4:
                yield start, start + len(inner)


def _stops(text: str, tokens: list[tuple[int, int]], first: int) -> Iterator[int]:
    last = tokens[first][1]
    for start, stop in tokens[first : first + MOST_TOKENS]:
        if start > last and text[last:start] != " ":
            return
        last = stop
        yield stop


def _country(text: str, checks: tuple[tuple[str, Any], ...]) -> str | None:
    for country, module in checks:
        try:
            if module.is_valid(text):
                return country
        except Exception:  # noqa: S112 - a check that fails is a check that does not hold
            continue
    return None


@cache
def _checks(region: str | None) -> tuple[tuple[str, object], ...]:
    """The modules that check numbers of the region, of all countries without one."""
    try:
        import_module("stdnum")
    except ImportError:
        raise NotInstalled(
            "python-stdnum is not installed",
            where="recognizer",
            remedy="pip install 'sfumato[ids]'",
        ) from None
    if region is not None and region not in NUMBERS:
        raise BadInput(
            "no numbers of this region are known",
            where="recognizer",
            remedy=f"one of {', '.join(NUMBERS)}",
        )
    found = []
    for country, written in NUMBERS.items():
        strong, _, weak = written.partition("|")
        names = strong.split() + (weak.split() if region == country else [])
        if region in (None, country):
            folder = MODULES.get(country, country.lower())
            found += [(country, import_module(f"stdnum.{folder}.{name}")) for name in names]
    return tuple(found)
