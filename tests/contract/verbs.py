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


def restore(release: sf.Release) -> Iterable[list[str]]:
    """Each changed place brought back, one release at a time."""
    for change in release.changes:
        texts, shift = list(release.data), 0
        for earlier in release.changes.of_document(change.document):
            if earlier.start < change.start:
                shift += len(earlier.replacement) - (earlier.stop - earlier.start)
        text, start = texts[change.document], change.start + shift
        texts[change.document] = (
            text[:start]
            + NOTES[change.document][change.start : change.stop]
            + text[start + len(change.replacement) :]
        )
        yield texts


def unhide(release: sf.Release) -> Iterable[list[str]]:
    """The hidden pattern put back, a symbol lost, a sequence lost."""
    yield [*release.data[:2], NOTES[2], *release.data[3:]]
    yield [release.data[0][1:], *release.data[1:]]
    yield release.data[:-1]


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
    Verb(
        "generalize",
        lambda texts: sf.generalize(texts, t=8, words=["chest pain", "visit", MARKER]),
        NOTES,
        [],
        restore,
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
