"""Every claim attacked with random data, parameters and spoilt releases: a case for each seed.

`SFUMATO_CASES` says how many cases are tried (a thousand; `make nightly` tries a hundred thousand),
`SFUMATO_SEED` the first seed. A failure prints its seed: `SFUMATO_SEED=n SFUMATO_CASES=1` tries it
again.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from dataclasses import replace

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


VERBS = [sanitize, sanitize, suppress, redact, pseudonymize]


def test_claims_hold_and_spoilt_ones_are_judged_by_their_definitions():
    for seed in range(FIRST, FIRST + CASES):
        verb = VERBS[seed % len(VERBS)]
        try:
            verb(random.Random(seed))
        except Exception as error:
            error.add_note(f"{verb.__name__}: SFUMATO_SEED={seed} SFUMATO_CASES=1")
            raise
