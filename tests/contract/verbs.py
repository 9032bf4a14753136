"""The verbs under contract. A verb joins by one entry in VERBS."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import sfumato as sf

# Stands for what is private: it may appear in no message, certificate or printed form.
MARKER = "Zyxomme Quvril"

NOTES = [
    f"{name} was seen for chest pain. {MARKER if i == 2 else 'No change.'} Next visit in May."
    for i, name in enumerate(["Ann Ho", "Bob Li", "Cy Day", "Di Roe", "Ed Poe", "Flo Kay"])
]


@dataclass(frozen=True)
class Verb:
    """One verb on a small sample, and what must be rejected or refused.

    `run(data)` calls it; `empty` is the smallest valid input; `spoil(release)` gives data that
    break the claim; `refused` are calls that must raise a SfumatoError.
    """

    name: str
    run: Callable[[Any], sf.Release]
    sample: Any
    empty: Any
    spoil: Callable[[sf.Release], Iterable[Any]]
    refused: tuple[Callable[[], object], ...]


def unstar(release: sf.Release) -> Iterable[list[str]]:
    """Each run of stars replaced by its original text, one release at a time."""
    for change in release.changes:
        texts = list(release.data)
        original = NOTES[change.document]
        texts[change.document] = (
            texts[change.document][: change.start]
            + original[change.start : change.stop]
            + texts[change.document][change.stop :]
        )
        yield texts


KEY = "a key of more than sixteen bytes"
LETTERS = [
    f"Dr. {MARKER if i == 2 else 'Ann Ho'} saw Mr. Li at Riverside Clinic on 0{i + 1}/17/2021. "
    "MRN: 2589145. Mail ann.ho@clinic.org or call 713-524-9968."
    for i in range(4)
]


def unmapped(release: sf.Release) -> Iterable[list[str]]:
    """Each surrogate replaced by what it stands for, one release at a time."""
    for number in range(len(LETTERS)):
        shift = 0
        for change in release.changes.of_document(number):
            texts = list(release.data)
            start = change.start + shift
            shift += len(change.replacement) - (change.stop - change.start)
            original = LETTERS[number][change.start : change.stop]
            stop = start + len(change.replacement)
            texts[number] = texts[number][:start] + original + texts[number][stop:]
            yield texts


VERBS = [
    Verb(
        "pseudonymize",
        lambda texts: sf.pseudonymize(texts, key=KEY),
        LETTERS,
        [],
        unmapped,
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
        "suppress",
        lambda texts: sf.suppress(texts, k=5),
        NOTES,
        [],
        unstar,
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
]
