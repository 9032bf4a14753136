"""Attacks on the release of every method, beside the raw data, the control and guessing.

Part of `python benchmarks/judging.py methods`: the first table of docs/judging.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars
from gold import notes, patients
from judging_attacks import share
from patterns_common import SEPARATOR, SETTINGS, load
from records_speed import QUASI
from tables import DATA, Row, record

import sfumato as sf
from sfumato.recognizers import spans_of, with_role

ATTACKS = ("linkage-rare", "linkage-words", "singling-out-word")
RECOGNIZER = "rules-en"


def releases(texts: list[str], groups: list[str]) -> Iterator[tuple[str, list[str]]]:
    """The notes as each method releases them, made of what the rules find where it needs that."""
    found = spans_of(RECOGNIZER, texts)
    direct, quasi = (with_role(found, texts, [role]) for role in ("direct", "quasi"))
    listed = sorted({texts[one.document][one.start : one.stop] for one in quasi})
    frame = polars.DataFrame({"who": groups, "text": texts})
    schema = {"person": "who", "columns": {"text": {"kind": "text"}}}
    yield "suppress, k = 5", sf.suppress(texts, 5, groups=groups).data
    redacted = sf.redact(texts, listed, 5, direct=list(direct), mask=["*", "★"])
    yield "redact, k = 5", redacted.data
    yield "generalize, t = 32", sf.generalize(texts, 32, words=[*direct, *quasi]).data
    alike = sf.anonymize(frame, schema, k=5, recognizer=RECOGNIZER).data["text"].to_list()
    yield "anonymize, k = 5", alike
    for k in (8, 20):
        both = sf.suppress(alike, k, groups=groups).data
        yield f"anonymize, k = 5, then suppress, k = {k}", both


def every_method() -> None:
    """Records a row for each release and attack."""
    record(
        "attacks_methods",
        [*on_notes(notes()[0], patients()), on_sequences(), on_records()],
        part="Attacks",
        title="Every method's release beside the raw data",
        note="""Notes: 526 patients, the attacker knows another note of the patient; what
        identifies was found by the rules. OLD: 60 sensitive patterns, all legible in the raw
        string. Adult: 30,162 people by six columns, all of a person's values known. 95% intervals;
        the verdict compares release and control.""",
    )


def on_notes(texts: list[str], groups: list[str]) -> Iterator[Row]:
    """A row for each release and attack; the attacker knows another note of the patient."""
    raw = _attacked(texts, texts, groups)
    for title, released in releases(texts, groups):
        for one in _attacked(texts, released, groups):
            before = next(other for other in raw if other.name == one.name)
            yield _row(title, share(before.success, before.low, before.high), one)


def _attacked(texts: list[str], released: list[str], groups: list[str]) -> list[Any]:
    return sf.attack(texts, released, ATTACKS, groups, "another")


def _row(title: str, raw: str, one: Any) -> Row:
    return {
        "release": title,
        "attack": one.name,
        "raw": raw,
        "released": share(one.success, one.low, one.high),
        "control": share(one.control, one.control_low, one.control_high),
        "verdict": one.verdict,
        "guessing": f"{one.baseline:.3f}",
    }


def on_sequences(name: str = "OLD") -> Row:
    """Undoing what `sanitize` wrote; in the raw sequence every pattern is legible."""
    text, setting = load(name), SETTINGS[name]
    drawn = sf.sanitize(
        text,
        draw=setting["patterns"][0],
        length=setting["k"][0],
        tau=setting["tau"],
        method="tfs",
        separator=SEPARATOR,
    )
    release = sf.sanitize(
        text, drawn.sides.patterns, "tpm", tau=setting["tau"], separator=SEPARATOR
    )
    (one,) = sf.attack(text, release)
    return _row(f"sanitize of {name}, TPM", "1.000", one)


def on_records() -> Row:
    """Linking people of UCI Adult by six columns; the attacker knows all values of a person."""
    frame = polars.read_csv(DATA / "adult" / "adult.csv", separator=";", infer_schema=False)
    kinds = {name: {"kind": "number" if name == "age" else "category"} for name in QUASI}
    schema = {"columns": kinds, "others": "insensitive"}
    raw = sf.attack(frame, frame, ["linkage"], schema=schema)[0]
    release = sf.anonymize(frame, schema, k=5)
    (one,) = sf.attack(frame, release, ["linkage"], schema=schema)
    return _row("anonymize of Adult, k = 5", share(raw.success, raw.low, raw.high), one)
