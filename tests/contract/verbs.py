"""The verbs under contract. A verb joins by one entry in VERBS."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import polars as pl

import sfumato as sf

# Stands for what is private: it may appear in no message, certificate or printed form.
MARKER = "Zyxomme Quvril"

NOTES = [
    f"{name} was seen for chest pain. {MARKER if i == 2 else 'No change.'} Next visit in May."
    for i, name in enumerate(["Ann Ho", "Bob Li", "Cy Day", "Di Roe", "Ed Poe", "Flo Kay"])
]

# Listed for redact: names, so many of each length that none needs the shared string.
NAMES = ["Ann Ho", "Bob Li", "Cy Day", "Di Roe", "Ed Poe", MARKER, "Zyxomme Quvral"]


@dataclass(frozen=True)
class Verb:
    """One verb on a small sample, and what must be rejected or refused.

    `run(data)` calls it; `empty` is the smallest valid input, None where it cannot be met for
    nobody; `spoil(release)` gives data that break the claim; `refused` are calls that must raise
    a SfumatoError.
    """

    name: str
    run: Callable[[Any], sf.Release]
    sample: Any
    empty: Any
    spoil: Callable[[sf.Release], Iterable[Any]]
    refused: tuple[Callable[[], object], ...]


def undone(originals: list[str]) -> Callable[[sf.Release], Iterable[list[str]]]:
    """Each changed place brought back to what it was, one release at a time."""

    def spoil(release: sf.Release) -> Iterable[list[str]]:
        for number, original in enumerate(originals):
            shift = 0
            for change in release.changes.of_document(number):
                texts, start = list(release.data), change.start + shift
                stop = start + len(change.replacement)
                shift = stop - change.stop
                brought_back = original[change.start : change.stop]
                texts[number] = texts[number][:start] + brought_back + texts[number][stop:]
                yield texts

    return spoil


SCHEMA = {
    "person": "id",
    "columns": {
        "age": {"kind": "number"},
        "town": {"kind": "category"},
        "note": {"kind": "text"},
    },
}
PEOPLE = pl.DataFrame(
    {
        "id": [MARKER if i == 2 else f"p{i}" for i in range(6)],
        "age": ["31", "31", "36", "40", "47", "52"],
        "town": ["Ulm", "Ulm", "Bonn", "Bonn", "Ulm", "Bonn"],
        "note": [
            f"Seen by Dr. {name} on 0{i + 1}/17/2021."
            for i, name in enumerate(["Ho", "Li", "Zyxomme Quvril", "Day", "Poe", "Kay"])
        ],
    }
)


def brought_back(release: sf.Release) -> Iterable[pl.DataFrame]:
    """Each column as it was before, one at a time; and a person lost."""
    for name in ("age", "town", "note"):
        yield release.data.with_columns(PEOPLE[name])
    yield release.data.head(5)


def unhide(release: sf.Release) -> Iterable[list[str]]:
    """The hidden pattern put back, a symbol lost, a sequence lost."""
    yield [*release.data[:2], NOTES[2], *release.data[3:]]
    yield [release.data[0][1:], *release.data[1:]]
    yield release.data[:-1]


KEY = "a key of more than sixteen bytes"
LETTERS = [
    f"Dr. {MARKER if i == 2 else 'Ann Ho'} saw Mr. Li at Riverside Clinic on 0{i + 1}/17/2021. "
    "MRN: 2589145. Mail ann.ho@clinic.org or call 713-524-9968."
    for i in range(4)
]


VERBS = [
    Verb(
        "sanitize",
        lambda texts: sf.sanitize(texts, [MARKER, "chest pain. N"]),
        NOTES,
        [],
        unhide,
        (
            lambda: sf.sanitize(MARKER, MARKER),
            lambda: sf.sanitize(MARKER, [MARKER], separator="Z"),
            lambda: sf.sanitize([MARKER], [7]),
            lambda: sf.sanitize([MARKER], [""]),
            lambda: sf.sanitize(MARKER, [MARKER], length=99),
            lambda: sf.sanitize(MARKER, ["#" + MARKER]),
            lambda: sf.sanitize(MARKER, [MARKER], method=MARKER),
            lambda: sf.sanitize(MARKER, positions=[99], length=2),
            lambda: sf.sanitize(MARKER, draw=9999, length=2),
            lambda: sf.sanitize([MARKER, [MARKER]], [[MARKER]]),
            lambda: sf.sanitize(MARKER * 2, [MARKER], tau=0),
        ),
    ),
    Verb(
        "pseudonymize",
        lambda texts: sf.pseudonymize(texts, key=KEY),
        LETTERS,
        [],
        undone(LETTERS),
        (
            lambda: sf.pseudonymize([MARKER, 7], key=KEY),
            lambda: sf.pseudonymize([MARKER], key=MARKER),
            lambda: sf.pseudonymize([MARKER], key=7),
            lambda: sf.pseudonymize([MARKER], dates=MARKER),
            lambda: sf.pseudonymize([MARKER], groups=[MARKER, MARKER]),
            lambda: sf.pseudonymize([MARKER], recognizer=MARKER),
            lambda: sf.pseudonymize([MARKER], recognizer=[sf.Span(0, 3, 99, MARKER)]),
            lambda: sf.pseudonymize([MARKER], recognizer=[[{MARKER: 1}]]),
            lambda: sf.pseudonymize(iter([MARKER]), key=KEY),
        ),
    ),
    Verb(
        "anonymize",
        lambda frame: sf.anonymize(frame, SCHEMA, k=2, key=bytes(range(16))),
        PEOPLE,
        None,
        brought_back,
        (
            lambda: sf.anonymize(PEOPLE, SCHEMA, k=0),
            lambda: sf.anonymize(PEOPLE, SCHEMA, k=7),
            lambda: sf.anonymize(PEOPLE, SCHEMA, k=2, partitioner=MARKER),
            lambda: sf.anonymize([MARKER], SCHEMA, k=2),
            lambda: sf.anonymize(
                PEOPLE, {"person": "age", "columns": {"note": {"kind": "number"}}}, k=2
            ),
            lambda: sf.anonymize(PEOPLE, {"columns": {"note": {"kind": "date"}}}, k=2),
        ),
    ),
    Verb(
        "suppress",
        lambda texts: sf.suppress(texts, k=5),
        NOTES,
        [],
        undone(NOTES),
        (
            lambda: sf.suppress([MARKER], k=0),
            lambda: sf.suppress([MARKER, 7], k=2),
            lambda: sf.suppress([MARKER], k=2, mask=""),
            lambda: sf.suppress([MARKER], k=2, mask=MARKER),
            lambda: sf.suppress([MARKER], k=2, groups=[MARKER, MARKER]),
            lambda: sf.suppress(iter([MARKER]), k=2),
            lambda: sf.suppress([MARKER], k=2, unit=MARKER),
        ),
    ),
    Verb(
        "redact",
        lambda texts: sf.redact(texts, NAMES, k=2),
        NOTES,
        [],
        undone(NOTES),
        (
            lambda: sf.redact([MARKER], [MARKER], k=2),
            lambda: sf.redact([MARKER], [MARKER, "other"], k=0),
            lambda: sf.redact([MARKER], [MARKER, "other"], k=[2, 3]),
            lambda: sf.redact([MARKER], [], k=2),
            lambda: sf.redact([MARKER, 7], [MARKER, "other"], k=2),
            lambda: sf.redact([MARKER], [MARKER, 7], k=2),
            lambda: sf.redact([MARKER], [MARKER, "other"], k=2, mask=MARKER),
            lambda: sf.redact([MARKER], [MARKER, "other"], k=2, mask=MARKER[0]),
            lambda: sf.redact([MARKER], [MARKER, "other"], k=2, guarantee=MARKER),
            lambda: sf.TermDictionary(["one", "two"]).patterns(MARKER),
        ),
    ),
    Verb(
        "generalize",
        lambda texts: sf.generalize(texts, t=8, words=["chest pain", "visit", MARKER]),
        NOTES,
        [],
        undone(NOTES),
        (
            lambda: sf.generalize([MARKER], t=0),
            lambda: sf.generalize([MARKER, 7]),
            lambda: sf.generalize([MARKER], words=MARKER),
            lambda: sf.generalize([MARKER], words=[MARKER], unknown="fail"),
            lambda: sf.generalize([f"{MARKER} pain"], words=["pain"], t=1 << 30),
            lambda: sf.generalize([MARKER], objective=MARKER),
            lambda: sf.generalize([MARKER], mask=MARKER),
            lambda: sf.generalize([f"★ {MARKER}"]),
            lambda: sf.generalize([MARKER], ontology=f"{MARKER}.txt".replace(MARKER, "x")),
        ),
    ),
]
