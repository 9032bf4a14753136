"""What a format says beside its name: `xlsx:NAME`, `csv:|`, `csv:| no-header`, `txt:---`.

After the colon stands of a workbook the name of the sheet, of CSV the delimiter and whether there
is a header, of a text file what separates its documents, of FHIR a file of rules, of events
the column of times.
"""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.core.errors import BadInput

from ..core.printed_form import by_sizes

NO_HEADER = "no-header"
_ESCAPES = {"\\n": "\n", "\\t": "\t", "\\f": "\f", "\\r": "\r"}
SHEETS = ("xlsx", "ods", "xls")
"""What has sheets."""
_TABLES, _TEXTS = ("csv", "tsv"), ("txt", "text")


@dataclass(frozen=True, slots=True)
class Form:
    """A format and what it says of the file."""

    __repr__ = by_sizes

    format: str | None
    sheet: str | None = None
    delimiter: str | None = None
    header: bool = True
    separator: str | None = None
    rules: str | None = None
    time: str | None = None
    timed: bool = False
    """Whether each event comes with its time, and is written with it."""


def form_of(format: str | None) -> Form:
    """What the name of a format says.

    >>> form_of("xlsx:Visits 2021").sheet, form_of("csv").delimiter, form_of("csv.gz:;").delimiter
    ('Visits 2021', None, ';')
    >>> headless = form_of("csv:| no-header")
    >>> headless.format, headless.delimiter, headless.header, form_of("txt:---").separator
    ('csv', '|', False, '---')
    """
    if format is None or ":" not in format:
        return Form(format)
    name, _, said = format.partition(":")
    base = name.lower().split(".")[0]
    if base in SHEETS:
        return Form(name, sheet=said)
    if base in _TABLES:
        header = not said.endswith(NO_HEADER)
        stated = said if header else said.removesuffix(NO_HEADER).removesuffix(" ")
        return Form(name, delimiter=_delimiter(stated), header=header)
    if base == "events" and said:
        return Form(name, time=said)
    if base == "timed" and said:  # the name of a way to read, not of a file
        return Form("events", time=said, timed=True)
    if base == "xes" and said == "timed":
        return Form(name, timed=True)
    if base == "fhir" and said:
        return Form(name, rules=said)
    if base in _TEXTS and said:
        return Form(name, separator=_plain(said))
    raise BadInput(
        "what stands behind the colon is not understood",
        where="format",
        remedy="write xlsx:SHEET, csv:DELIMITER, csv:no-header, txt:SEPARATOR, fhir:RULES or "
        "events:TIMES",
    )


def form(
    format: str | None, suffix: str, delimiter: str | None, header: bool, separator: str | None
) -> str | None:
    """The format that says these things; `suffix` is what the file's name tells.

    >>> form(None, "csv", "|", False, None), form(None, "txt", None, True, "---")
    ('csv:| no-header', 'txt:---')
    """
    if delimiter is None and header and separator is None:
        return format
    base = format or suffix
    if separator is not None:
        if delimiter is not None or not header:
            raise BadInput("a text file has neither header nor delimiter", where="--delimiter")
        return f"{base if base.split('.')[0] in _TEXTS else 'txt'}:{separator}"
    base = base if base.split(".")[0] in _TABLES else "csv"
    said = [delimiter or "", "" if header else NO_HEADER]
    return f"{base}:{' '.join(one for one in said if one)}"


def _plain(said: str) -> str:
    for written, meant in _ESCAPES.items():
        said = said.replace(written, meant)
    return said


def _delimiter(said: str) -> str | None:
    """One character of ASCII that no field begins or ends with by itself."""
    if not said:
        return None
    one = {"tab": "\t", "space": " "}.get(said, _plain(said))
    if len(one) != 1 or not one.isascii() or one.isalnum() or one in '"\r\n':
        remedy = "give one, such as , ; | or tab"
        raise BadInput("expected one character as delimiter", where="delimiter", remedy=remedy)
    return one
