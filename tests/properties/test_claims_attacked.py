"""Every claim attacked with random data, parameters and spoilt releases: a case for each seed.

`SFUMATO_CASES` says how many cases are tried (a thousand; `make nightly` tries a hundred thousand),
`SFUMATO_SEED` the first seed. A failure prints its seed: `SFUMATO_SEED=n SFUMATO_CASES=1` tries it
again.
"""

from __future__ import annotations

import functools
import os
import random
import re
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import sfumato as sf
from oracles import patterns as oracle

pytestmark = pytest.mark.filterwarnings("ignore")
CASES = int(os.environ.get("SFUMATO_CASES", "1000"))
FIRST = int(os.environ.get("SFUMATO_SEED", "0"))
WORDS = ["ann", "bob", "flu", "cold", "rum", "gin", "sees", "has", "é", "日本", "O'Hara", "a-b"]
METHODS = ["tfs", "pfs", "etfs", "tm", "tpm", "delete"]


def texts(chance: random.Random) -> list[str]:
    return [
        " ".join(chance.choices(WORDS, k=chance.randint(0, 6))) for _ in range(chance.randint(1, 8))
    ]


def spoilt(chance: random.Random, data: list[str], alphabet: str) -> list[str]:
    """A release with one to three symbols changed, or documents swapped."""
    made = list(data)
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(made))
        place = chance.randint(0, len(made[at]))
        kind = chance.randrange(4)
        if kind == 0:
            made[at] = made[at][:place] + chance.choice(alphabet) + made[at][place:]
        elif kind == 1:
            made[at] = made[at][:place] + made[at][place + 1 :]
        elif kind == 2:
            made[at] = made[at][:place] + chance.choice(alphabet) + made[at][place + 1 :]
        else:
            other = chance.randrange(len(made))
            made[at], made[other] = made[other], made[at]
    return made


def sanitize(chance: random.Random) -> None:
    """Every verdict on a spoilt release is that of the definition."""
    text = "".join(chance.choices("abc", k=chance.randint(0, 14)))
    k = chance.randint(1, 3)
    patterns = ["".join(chance.choices("abc", k=k)) for _ in range(chance.randint(1, 3))]
    try:
        release = sf.sanitize(text, patterns, chance.choice(METHODS), tau=chance.randint(1, 3))
    except sf.CannotBeMet:
        return
    assert all(verdict.holds for verdict in sf.verify(text, release))
    wrong = spoilt(chance, [release.data], "abc#")[0]
    before, after = Counter(oracle.kept(text, patterns, k)), Counter(oracle.windows(wrong, k))
    for verdict in sf.verify(text, replace(release, data=wrong)):
        name = verdict.claim.name
        if name == "pattern-free":
            assert verdict.holds == (not any(one in wrong for one in patterns))
        elif name == "frequency-kept":
            assert verdict.holds == (before == after)
        elif name == "no-lost":
            assert verdict.holds == (not before - after)
        elif name == "nothing-invented":
            assert verdict.holds == oracle.is_subsequence(wrong, text)


def suppress(chance: random.Random) -> None:
    """No stretch of a release that holds occurs less than k times: by the definition."""
    given, k = texts(chance), chance.randint(1, 5)
    try:
        release = sf.suppress(given, k, "occurrences", guess=None)
    except sf.CannotBeMet:
        return
    assert all(verdict.holds for verdict in sf.verify(given, release))
    wrong = spoilt(chance, list(release.data), "ab★")
    held = all(verdict.holds for verdict in sf.verify(given, replace(release, data=wrong)))
    if held:
        whole = "\0".join(given)
        for text, shown in zip(given, wrong, strict=True):
            assert len(text) == len(shown)
            for part in filter(None, shown.split("★")):
                assert len(_places(whole, part)) >= k


def _places(whole: str, part: str) -> list[int]:
    return [i for i in range(len(whole)) if whole.startswith(part, i)]


def redact(chance: random.Random) -> None:
    """A listed term put back in clear is always noticed."""
    given = texts(chance)
    terms = chance.sample(["ann", "bob", "flu", "cold", "rum", "gin"], chance.randint(2, 6))
    try:
        release = sf.redact(given, terms, chance.randint(1, 2))
    except sf.SfumatoError:
        return
    assert all(verdict.holds for verdict in sf.verify(given, release))
    sf.verify(given, replace(release, data=spoilt(chance, list(release.data), "ab★")))
    if list(release.data) != given:
        assert not all(verdict.holds for verdict in sf.verify(given, replace(release, data=given)))


def pseudonymize(chance: random.Random) -> None:
    """What was found, put back, is always noticed."""
    given = texts(chance)
    spans = [
        sf.Span(i, text.index(name), text.index(name) + 3, "PERSON")
        for i, text in enumerate(given)
        for name in ("ann", "bob")
        if name in text.split()
    ]
    release = sf.pseudonymize(given, spans, key="a key of sixteen bytes")
    assert all(verdict.holds for verdict in sf.verify(given, release))
    sf.verify(given, replace(release, data=spoilt(chance, list(release.data), "ab★")))
    if spans:
        back = sf.verify(given, replace(release, data=given))
        assert not all(verdict.holds for verdict in back)


def reader(chance: random.Random) -> None:
    """Of a release against a reader that holds, every legible word stands in k of its texts."""
    given, k = texts(chance), chance.randint(2, 4)
    setting = chance.choice([{}, {"reach": 1}, {"reach": 2}, {"knows": 1}, {"guess": 0.9}])
    try:
        release = sf.suppress(given, k, **setting)
    except sf.CannotBeMet:
        return
    assert all(verdict.holds for verdict in sf.verify(given, release))
    for data in (list(release.data), spoilt(chance, list(release.data), "ab★ ")):
        if all(verdict.holds for verdict in sf.verify(given, replace(release, data=data))):
            # In scripts without blanks every letter is a word of its own.
            shown = [set(re.findall(r"[日本]|[^\W日本]+", text)) for text in data]
            for word in set().union(*shown):
                assert sum(word in one for one in shown) >= k


def generalize(chance: random.Random) -> None:
    """As many words are published alike as claimed; a release that was touched does not hold."""
    words = ["rum", "gin", "tea", "flu", "cold", "drink", "infection"]
    given = [f"has {chance.choice(words)} again" for _ in range(chance.randint(1, 4))]
    t = chance.randint(2, 4)
    release = sf.generalize(given, t, ontology=ontology())
    assert all(verdict.holds for verdict in sf.verify(given, release))
    for text, shown in zip(given, release.data, strict=True):
        assert general(t).count(shown) >= t, text
    wrong = spoilt(chance, list(release.data), "ab★")
    if wrong != list(release.data):
        verdicts = sf.verify(given, replace(release, data=wrong))
        assert not all(verdict.holds for verdict in verdicts)


BASE = ["rum", "gin", "tea", "drink", "flu", "cold", "infection", "thing"]


@functools.cache
def general(t: int) -> list[str]:
    """What every word of the world is published as."""
    return list(sf.generalize([f"has {word} again" for word in BASE], t, ontology=ontology()).data)


@functools.cache
def ontology():
    from sfumato.ontologies import read_ontology

    links = "rum,drink\ngin,drink\ntea,drink\nflu,infection\ncold,infection\n"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "links.csv")
        path.write_text(links + "drink,thing\ninfection,thing\n")
        return read_ontology(path)


SCHEMA = {"columns": {"age": {"kind": "number"}, "sex": {"kind": "category"}}}


def anonymize(chance: random.Random) -> None:
    """Of a table that holds, every row is that of k people, also with a cell changed."""
    count, k = chance.randint(2, 9), chance.randint(2, 3)
    table = pl.DataFrame(
        {
            "age": [chance.randint(20, 26) for _ in range(count)],
            "sex": chance.choices("mfx", k=count),
        }
    )
    try:
        release = sf.anonymize(table, SCHEMA, k, chance.choice(["clusters", "mondrian"]))
    except sf.CannotBeMet:
        return
    assert all(verdict.holds for verdict in sf.verify(table, release))
    rows = [list(row) for row in release.data.rows()]
    at, column = chance.randrange(count), chance.randrange(2)
    rows[at][column] = chance.choice([row[column] for row in rows])
    for cells in (release.data.rows(), rows):
        data = pl.DataFrame(cells, schema=release.data.schema, orient="row")
        verdicts = sf.verify(table, replace(release, data=data))
        if all(verdict.holds for verdict in verdicts):
            assert min(Counter(map(tuple, cells)).values()) >= k


VERBS = [sanitize, sanitize, suppress, redact, pseudonymize, reader, generalize, anonymize]


def test_claims_hold_and_spoilt_ones_are_judged_by_their_definitions():
    for seed in range(FIRST, FIRST + CASES):
        verb = VERBS[seed % len(VERBS)]
        try:
            verb(random.Random(seed))
        except Exception as error:
            error.add_note(f"{verb.__name__}: SFUMATO_SEED={seed} SFUMATO_CASES=1")
            raise
