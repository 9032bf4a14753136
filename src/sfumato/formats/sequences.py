"""The documents of a file as sequences of symbols, and back."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..core.errors import BadInput
from ..core.options import read_text

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from ..core.spans import Span
    from .source import Source

EVENTS = "\x1f"  # what stands between events read by person
AT = "\x1e"  # what stands before the time of an event, where times are kept


class Event(str):
    """A symbol with the time it happened at; it equals the symbol alone.

    >>> one = Event("scan\\x1e2021-03-01")
    >>> one, one.time, one == "scan", one.written
    ('scan', '2021-03-01', True, 'scan\\x1e2021-03-01')
    """

    __slots__ = ("time",)
    time: str

    def __new__(cls, read: str) -> Event:
        """An event as it was read: its symbol, AT and its time."""
        symbol, _, time = read.partition(AT)
        made = super().__new__(cls, symbol)
        made.time = time
        return made

    @property
    def written(self) -> str:
        """As it was read."""
        return f"{self}{AT}{self.time}"


@dataclass(frozen=True, slots=True)
class Shape:
    """How a file's documents become sequences: what a symbol is, and whether lines are sequences.

    `unit`: "character", "token" (what stands between blanks) or "event" (rows by person).
    """

    unit: str = "character"
    per_line: bool = False

    @property
    def blank(self) -> str:
        """What is written between two tokens."""
        return EVENTS if self.unit == "event" else " "

    def sequences(self, source: Source) -> Any:
        """What the verb takes: one sequence, or a list of them."""
        texts = source.filled
        if source.format == "fasta":
            require_one_case(texts, source.place)
        if source.is_single:
            body = texts[0][: len(texts[0]) - len(_line_end(texts[0]))]
            if not self.per_line:
                return self._symbols(body)
            texts = body.split(_between_lines(body))
        elif self.per_line:
            raise BadInput("only a single text has lines to take apart", where="--per-line")
        return [self._symbols(text) for text in texts]

    def _symbols(self, text: str) -> Any:
        if self.unit == "character":
            return text
        if self.unit == "event":
            read = text.split(EVENTS) if text else []
            return [Event(one) for one in read] if AT in text else read
        return text.split()

    def texts(self, source: Source, data: Any) -> list[str]:
        """Sequences as the texts of a file like the source."""
        single = source.is_single and not self.per_line
        written = [self._text(one) for one in ([data] if single else data)]
        if not source.is_single:
            return written
        (whole,) = source.filled
        return [_between_lines(whole).join(written) + _line_end(whole)]

    def _text(self, symbols: Any) -> str:
        if isinstance(symbols, str):
            return symbols
        written = (one.written if isinstance(one, Event) else one for one in symbols)
        return self.blank.join(written)

    def patterns(self, path: Path, source: Source | None = None) -> list[Any]:
        """The patterns of a file as sequences of the same symbols.

        One a line; of events see `symbol_patterns`, with those of the source known.
        """
        if self.unit == "event":
            texts = [] if source is None else source.texts
            known = {
                event.partition(AT)[0] for text in texts if text for event in text.split(EVENTS)
            }
            return symbol_patterns(path, str(path), known)
        text = read_text(path, str(path), "give a UTF-8 file with one pattern a line")
        lines = text.split("\n")
        for number, line in enumerate(lines, 1):
            if line and not line.strip():
                raise BadInput(
                    "a line of blanks alone",
                    where=f"{path}, line {number}",
                    remedy="delete it, or give a pattern of blanks by --positions",
                )
        if not any(lines):
            raise BadInput("holds no pattern", where=str(path), remedy="list what is sensitive")
        return [line if self.unit == "character" else line.split() for line in lines if line]

    def patterns_of_spans(self, source: Source, spans: Sequence[Span]) -> list[Any]:
        """The texts of spans as patterns: of tokens those that a span touches, of lines the parts.

        Each is listed once, in order.
        """
        if self.unit == "event":
            raise BadInput("events have no spans", where="--spans", remedy="list patterns")
        found, texts = set[str](), source.filled
        for span in spans:
            text = texts[span.document]
            start, stop = span.start, span.stop
            if self.unit == "token":
                while start and not text[start - 1].isspace():
                    start -= 1
                while stop < len(text) and not text[stop].isspace():
                    stop += 1
            parts = text[start:stop]
            found.update(parts.splitlines() if self.per_line else [parts.rstrip("\r\n")])
        kept = sorted(part for part in found if part.strip())
        return kept if self.unit == "character" else [part.split() for part in kept]


def symbol_patterns(path: Path, where: str, known: Collection[str] = ()) -> list[list[str]]:
    """The patterns of a file as lists of symbols, which may hold blanks.

    One a line: symbols stand between tabs, if the line has any, or between blanks, and in double
    quotes if they hold blanks themselves. Of a .csv file one a row. A line whose blanks stand in
    the name of a `known` symbol is refused: it would hide other symbols than it names.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "secret.txt")
    ...     _ = path.write_text('"blood test"\\nward ICU\\nblood test\\tICU\\n', "utf-8")
    ...     symbol_patterns(path, "secret.txt")
    [['blood test'], ['ward', 'ICU'], ['blood test', 'ICU']]
    """
    text = read_text(path, where, "give a UTF-8 file with one pattern a line")
    if path.suffix.lower() == ".csv":
        return _some([_filled(row) for row in _rows(text, ",", where) if any(row)], where)
    several = [name.split() for name in known if len(name.split()) > 1]
    result = []
    for number, line in enumerate(text.split("\n"), 1):
        place = f"{where}, line {number}"
        if "\t" in line.strip():
            result += _rows(line.rstrip("\r"), "\t", place)
        elif '"' in line:
            result += _rows(line.strip(), " ", place)
        elif line.strip():
            result.append(line.split())
            if any(_holds(result[-1], name) for name in several):
                raise BadInput(
                    "the blanks may stand between symbols or inside one",
                    where=place,
                    remedy='write symbols that hold blanks in quotes: "blood test"',
                )
    return _some(result, where)


def _rows(text: str, between: str, where: str) -> list[list[str]]:
    lines = io.StringIO(text, newline="")
    rows = csv.reader(lines, delimiter=between, skipinitialspace=between == " ", strict=True)
    try:
        return list(rows)
    except csv.Error:
        raise BadInput(
            "the quotes do not match", where=where, remedy="write a quote inside quotes twice"
        ) from None


def _filled(row: list[str]) -> list[str]:
    """A row without the empty fields at its end, which make all rows of a table equally long."""
    while row and not row[-1]:
        row = row[:-1]
    return row


def _some(patterns: list[list[str]], where: str) -> list[list[str]]:
    if not patterns:
        raise BadInput("holds no pattern", where=where, remedy="list what is sensitive")
    return patterns


def _holds(parts: Sequence[str], name: Sequence[str]) -> bool:
    """Whether some parts in a row are these.

    >>> _holds(["a", "blood", "test"], ["blood", "test"])
    True
    """
    return any(list(parts[i : i + len(name)]) == list(name) for i in range(len(parts)))


def require_one_case(texts: Sequence[str], place: str) -> None:
    """Refuses FASTA in both cases: lower case marks masked letters, a and A are the same base.

    A pattern would be concealed in one case and stay legible in the other.

    >>> require_one_case(["ACGT", "TTGA"], "genome.fa")
    """
    if any(text != text.upper() for text in texts) and any(text != text.lower() for text in texts):
        raise BadInput(
            "sequences and patterns have letters of both cases, which mean the same in FASTA",
            where=place,
            remedy="write all of them in one case",
        )


def _between_lines(text: str) -> str:
    """What ends every line but the last: a carriage return is no symbol of a sequence then."""
    return "\r\n" if 0 < text.count("\n") == text.count("\r\n") else "\n"


def _line_end(text: str) -> str:
    return "\r\n" if text.endswith("\r\n") else "\n" if text.endswith("\n") else ""


def check_shape(unit: str, person_column: str | None) -> str:
    """The unit that goes with the options."""
    if unit not in ("character", "token"):
        raise BadInput("expected character or token", where="--unit")
    return "event" if person_column is not None else unit


def read_positions(given: str, collection: bool) -> list[Any]:
    """Places as they are written: 3,17, or 0:3,1:17 of a collection.

    >>> read_positions("0:3,1:17", True)
    [(0, 3), (1, 17)]
    """
    try:
        if collection:
            pairs = (one.split(":") for one in given.split(","))
            return [(int(sequence), int(place)) for sequence, place in pairs]
        return [int(one) for one in given.split(",")]
    except ValueError:
        raise BadInput(
            "expected places with commas",
            where="--positions",
            remedy="for instance 3,17, or 0:3,1:17 (sequence:place) of a collection",
        ) from None
