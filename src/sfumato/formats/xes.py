"""XES, the event logs of process mining: one sequence a trace, the names of its events.

Read by expat, written anew: a release has the traces, their names and the chosen attributes of
their events, and nothing else (times, other attributes, globals, classifiers, notes of programs).
Where events are deleted and none is made, each may keep its time (`timed`).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from sfumato.core.errors import BadInput
from sfumato.formats.events import AT, BETWEEN, JOINT, attributes_of
from sfumato.formats.source import Source, names_of, require_groups

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.formats.source import Columns, Piece, Texts

NAME = "concept:name"
TIME = "time:timestamp"
_VALUES = frozenset(("string", "date", "int", "float", "boolean", "id"))
_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<log xes.version="1.0" xes.features="">\n'
    '<extension name="Concept" prefix="concept" uri="http://www.xes-standard.org/concept.xesext"/>\n'
)


def read(
    raw: bytes,
    place: str,
    *,
    format: str = "xes",
    text_column: Columns = None,
    group_column: str | None = None,
    timed: bool = False,
) -> Source:
    """One document a trace: the events' names, or the attributes named as text columns.

    `group_column` is an attribute of the traces that says whose they are; traces of one person are
    one sequence, in the order of the file. Without it the trace's name says it. With `timed` every
    event is followed by AT and its time (none: nothing), and released with it.

    >>> event = '<event><string key="concept:name" value="{}"/></event>'
    >>> trace = '<trace><string key="concept:name" value="ann"/>{}{}</trace>'
    >>> log = "<log>" + trace.format(event.format("scan"), event.format("home")) + "</log>"
    >>> source = read(log.encode(), "log.xes")
    >>> source.texts, source.groups
    (['scan\\x1fhome'], ['ann'])
    """
    names = names_of(text_column) or (NAME,)
    traces = _Log(place).traces(raw)
    if all(set(about) == {NAME} and _are_only(events, names, timed) for about, events in traces):
        group_column = None  # a release: its traces have no other attribute
    people: dict[str, list[str]] = {}
    for number, (about, events) in enumerate(traces, 1):
        who = about.get(group_column or NAME)
        if not who:
            raise BadInput(
                "a trace does not say whose it is",
                where=f"{place}, trace {number}",
                remedy="name an attribute that all traces have",
            )
        symbols = people.setdefault(who, [])
        for event in events:
            found = [event.get(name) for name in names]
            time = event.get(TIME, "")
            odd = any(_is_odd(str(one), len(names)) for one in found)
            if None in found or odd or (timed and (AT in "".join(map(str, found)) or AT in time)):
                raise BadInput(
                    "an event lacks a chosen attribute, or has | in one of several",
                    where=f"{place}, trace {number}",
                    remedy="name attributes that all events have",
                )
            symbols.append(JOINT.join(map(str, found)) + (AT + time if timed else ""))
    where = partial(_trace, place)
    labels = require_groups(list(people), where)
    texts: list[str | None] = [BETWEEN.join(people[who]) for who in labels]

    def pieces(new: Texts) -> Iterator[Piece]:
        yield _HEAD.encode()
        for who, old, after in zip(labels, texts, new, strict=True):
            whole = old if after is None else after
            yield f"<trace>\n{_attribute(NAME, who)}".encode()
            for symbol in (whole or "").split(BETWEEN) if whole else ():
                symbol, _, time = symbol.partition(AT)
                values = zip(names, attributes_of(symbol, len(names)), strict=True)
                inside = "".join(_attribute(name, value) for name, value in values)
                if time:
                    inside += _attribute(TIME, time, "date")
                yield f"<event>\n{inside}</event>\n".encode()
            yield b"</trace>\n"
        yield b"</log>\n"

    columns = (group_column or NAME, *names)
    return Source(place, "xes", texts, labels, columns, partial(_no_column, place), where, pieces)


def _are_only(events: list[dict[str, str]], names: tuple[str, ...], timed: bool) -> bool:
    more = {TIME} if timed else set()
    return all(set(names) <= set(event) <= {*names, *more} for event in events)


def _is_odd(value: str, count: int) -> bool:
    return BETWEEN in value or (count > 1 and "|" in value)


def _attribute(key: str, value: str, kind: str = "string") -> str:
    escaped = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
    return f"<{kind} key={quoteattr(key)} value={quoteattr(value, escaped)}/>\n"


class _Log:
    """The traces of a log, as expat tells of them."""

    def __init__(self, place: str):
        self._place = place
        self._open: list[str] = []
        self._found: list[tuple[dict[str, str], list[dict[str, str]]]] = []

    def traces(self, raw: bytes) -> list[tuple[dict[str, str], list[dict[str, str]]]]:
        """The attributes of every trace, and those of its events."""
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartElementHandler = self._start
        parser.EndElementHandler = lambda name: self._open.pop()
        parser.StartDoctypeDeclHandler = self._declared
        try:
            parser.Parse(raw, True)
        except expat.ExpatError as problem:
            raise BadInput("is no XML", where=f"{self._place}, line {problem.lineno}") from None
        if not self._found:
            remedy = "give an event log with traces"
            raise BadInput("is no XES log with traces", where=self._place, remedy=remedy)
        return self._found

    def _declared(self, *_: object) -> None:
        remedy = "take the declaration out: it may stand for any text"
        raise BadInput("declares a document type", where=self._place, remedy=remedy)

    def _start(self, name: str, given: dict[str, str]) -> None:
        kind = name.rpartition(" ")[2]
        above = self._open
        if not above and kind != "log":
            raise BadInput("is no XES log", where=self._place, remedy="expected the element log")
        if kind == "trace" and above == ["log"]:
            self._found.append(({}, []))
        elif kind == "event" and above == ["log", "trace"]:
            self._found[-1][1].append({})
        elif kind in _VALUES and "key" in given and "value" in given:
            if above == ["log", "trace"]:
                self._found[-1][0][given["key"]] = given["value"]
            elif above == ["log", "trace", "event"]:
                self._found[-1][1][-1][given["key"]] = given["value"]
        self._open.append(kind)


def _trace(place: str, i: int) -> str:
    return f"{place}, person {i}"


def _no_column(place: str, name: str) -> list[str | None]:
    raise BadInput("events are read by person and symbol alone", where=place)
