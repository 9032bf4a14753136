"""What public certificates tell: nothing that the release does not.

The attack: whoever has a release and this code runs the verb on every candidate original, keeps
those that give the same released data, and compares public certificates. If they differ, the
certificate tells candidates apart that the release does not. Small worlds hold all candidates.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import re
import warnings

import pytest

import sfumato as sf
from sfumato.claims import kinds
from sfumato.core import figures
from sfumato.core.errors import SfumatoError
from sfumato.methods import methods
from sfumato.ontologies import wordnet

KEY = b"thirty-two bytes of a secret key"


def public(release, original):
    """The public certificate; of keyed hashes, which need the key, the names alone."""
    stated = release.certificate(sf.verify(original, release))
    stated["hashes"] = [sorted(stated["hashes"]), stated["hashes"]["release"]]
    return json.dumps(stated, sort_keys=True)


def as_data(data):
    return json.dumps(data.to_dicts() if hasattr(data, "to_dicts") else data, default=str)


def told_apart(candidates, verb):
    """Groups of candidates with one release and several public certificates; how many share one."""
    groups = {}
    for candidate in candidates:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                release = verb(candidate)
        except SfumatoError:
            continue
        groups.setdefault(as_data(release.data), []).append((candidate, release))
    apart, shared = [], 0
    for group in groups.values():
        if len(group) < 2:  # the release itself tells it apart
            continue
        shared += 1
        stated = {}
        for candidate, release in group:
            with contextlib.suppress(SfumatoError):
                stated.setdefault(public(release, candidate), []).append(candidate)
        if len(stated) > 1:
            apart.append(list(stated.values()))
    return apart, shared


def strings(alphabet, longest, least=1):
    for size in range(least, longest + 1):
        yield from map("".join, itertools.product(alphabet, repeat=size))


def one_word_notes():
    """Words of a few branches of WordNet: diseases, drugs, drinks, relatives, towns."""
    ontology = wordnet()
    found = []
    for top in ("headache", "pain", "soft drug", "liquor", "wine", "relative", "state capital"):
        waiting = [ontology.senses(top)[0]]
        while waiting and len(found) < 400:
            node = waiting.pop(0)
            found += ontology.words(node)
            waiting += ontology.children(node)[:12]
    return sorted({word for word in found if word.isascii()})


@pytest.mark.parametrize(
    "options",
    [
        {"t": 4},
        {"t": 8, "objective": "smallest"},
        {"t": 4, "min_volume": 1},
        {"t": 2, "unknown": "keep"},
        {"t": 4, "sense": "first", "volume": "level"},
    ],
)
def test_one_word_notes_are_told_apart_by_their_release_alone(options):
    wrong, shared = told_apart(one_word_notes(), lambda note: sf.generalize([note], **options))
    assert not wrong, wrong[:3]
    assert shared > 10


def test_marked_words_and_words_that_are_no_words_are_not_counted():
    first = ("migraine", "sick headache", "cluster headache", "xyzzy", "plugh")
    notes = [f"{a}, {b}" for a in first for b in ("rum", "gin", "plugh")]

    def find(texts):
        return [sf.Span(0, m.start(), m.end()) for m in re.finditer(r"[^,]+\b", texts[0])]

    for words in (None, find, [*first, "rum", "gin"]):
        wrong, shared = told_apart(
            [[note] for note in notes], lambda one, words=words: sf.generalize(one, 2, words)
        )
        assert not wrong
        assert shared


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("collapse", [False, True])
def test_suppressed_texts(strict, collapse):
    options = {"collapse": collapse, "strict": strict, "align": "character"}
    single = strings("ab★", 5)
    wrong, shared = told_apart(single, lambda text: sf.suppress(text, 2, **options))
    assert not wrong, wrong[:3]
    assert shared > 5
    pairs = itertools.product(strings("ab★", 2), repeat=2)
    wrong, _ = told_apart(map(list, pairs), lambda texts: sf.suppress(texts, 2, **options))
    assert not wrong, wrong[:3]


@pytest.mark.filterwarnings("ignore")
def test_suppressed_spans_and_groups():
    texts = ["abab", "ab", "cdab"]
    places = [(0, 0, 2), (0, 2, 4), (0, 0, 4), (2, 0, 2)]
    subsets = [c for n in range(1, 4) for c in itertools.combinations(places, n)]
    # The candidates are lists of spans and groups beside one text: both are private.
    for grouped in (None, [1, 2, 3], [1, 2, 2], [1, 1, 2]):
        seen = {}
        for chosen in subsets:
            spans = [sf.Span(*place) for place in chosen]
            release = sf.suppress(texts, 2, groups=grouped, align="character", spans=spans)
            stated = public(release, texts)
            assert seen.setdefault(as_data(release.data), stated) == stated
    by_groups = {}
    several = [one for one in itertools.product([1, 2, 3], repeat=3) if len(set(one)) > 1]
    for grouped in several:
        release = sf.suppress(["aa", "aa", "aa"], 2, groups=list(grouped), strict=True)
        stated = public(release, ["aa", "aa", "aa"])
        assert by_groups.setdefault(as_data(release.data), stated) == stated


@pytest.mark.parametrize("options", [{}, {"guarantee": "matching"}, {"rare_lengths": "star"}])
def test_redacted_texts(options):
    terms = ["crew", "craw", "draw", "drew", "dr", "cr", "ox"]
    texts = [f"{a} {b}" for a in [*terms, "a"] for b in [*terms, "b", "crew drew"]]
    wrong, shared = told_apart(
        [[text] for text in texts], lambda one: sf.redact(one, terms, 2, **options)
    )
    assert not wrong, wrong[:3]
    assert shared > 5


@pytest.mark.parametrize("method", ["tfs", "pfs", "tpm", "tm", "etfs"])
def test_sanitized_strings(method):
    wrong, shared = told_apart(
        strings("abc", 5, 3), lambda one: sf.sanitize(one, ["ab", "ca"], method=method)
    )
    assert not wrong, wrong[:3]
    assert shared > 5 or method == "etfs"  # the nearest string of its kind: few have the same


def test_pseudonymized_texts():
    odd = ("yesterday", "last week", "one day", "06/17/2021", "2021")
    texts = [[f"{a} and {b}"] for a in odd for b in odd]

    def verb(one):
        spans, at = [], 0
        for part in one[0].split(" and "):
            spans.append(sf.Span(0, at, at + len(part), "DATE"))
            at += len(part) + 5
        return sf.pseudonymize(one, spans, KEY)

    wrong, shared = told_apart(texts, verb)
    assert not wrong
    assert shared


@pytest.mark.parametrize("recode", ["range", "mean"])
@pytest.mark.parametrize("share", [0.0, 0.4])
def test_anonymized_tables(recode, share):
    import polars as pl

    schema = {
        "columns": {"age": {"kind": "number", "recode": recode}, "town": {"kind": "category"}}
    }
    ages, towns = ([1, 2, 3], ["Rome", "Oslo"])
    rows = [
        pl.DataFrame({"age": list(a), "town": list(b)})
        for size in (2, 3)
        for a in itertools.product(ages, repeat=size)
        for b in itertools.combinations_with_replacement(towns, size)
    ]
    wrong, shared = told_apart(rows, lambda one: sf.anonymize(one, schema, 2, suppress_share=share))
    assert not wrong, wrong[:2]
    assert shared > 3


def test_anonymized_texts():
    import polars as pl

    schema = {
        "person": "who",
        "columns": {"age": {"kind": "number"}, "note": {"kind": "text"}},
    }
    notes = ["Dr. Ho came.", "Dr. Li came.", "Dr. Ho came. Dr. Li came."]
    tables = [
        pl.DataFrame({"who": ["p", "q"], "age": list(a), "note": list(n)})
        for a in itertools.product([30, 40], repeat=2)
        for n in itertools.product(notes, repeat=2)
    ]
    wrong, shared = told_apart(tables, lambda one: sf.anonymize(one, schema, 2))
    assert not wrong, wrong[:2]
    assert shared > 3


def test_a_new_figure_is_private_until_it_is_declared():
    release = sf.suppress(["a b", "a c"], 2)
    from dataclasses import replace

    more = replace(
        release,
        counts={**release.counts, "new": 7},
        loss={**release.loss, "new": 7},
        parameters={**release.parameters, "new": 7},
        warnings=("7 things are new",),
    )
    assert more.certificate(key=KEY) == release.certificate(key=KEY)
    private = more.certificate(key=KEY, private=True)
    assert private["counts"]["new"] == private["loss"]["new"] == 7
    assert private["warnings"] == ["7 things are new"]


def test_every_declared_figure_says_why():
    verbs = [figures.RUN, *(one.public for one in methods())]
    tables = [table for one in verbs for table in (one.parameters, one.counts, one.loss)]
    tables += [table for one in kinds() for table in (one.public, one.measured)]
    listed = [one for table in tables for one in table.values()]
    for one in [*listed, *figures.WARNINGS.values()]:
        assert one.kind in ("chosen", "shown")
        assert len(one.reason) > 8


FOLDER = {
    "generalize": {"stages": [{"verb": "generalize", "t": 2}]},
    "both": {
        "stages": [{"verb": "generalize", "t": 2}, {"verb": "suppress", "k": 2, "collapse": True}],
        "claims": [{"claim": "substring-k-anonymity", "k": 2}],
    },
    "attacked": {
        "stages": [{"verb": "suppress", "k": 3}],
        "attacks": "all",
        "sweep": [2, 4],
        "evaluation": {"gold": "gold.jsonl"},
    },
}


@pytest.mark.parametrize("name", FOLDER)
def test_every_file_of_a_public_folder(name, tmp_path):
    """Candidates with the same data get the same folder, but for what needs the key."""
    import yaml

    from sfumato.pipeline import policy, run

    known = {}
    drinks, pains = ("rum", "gin"), ("migraine", "sick headache")
    for number, (a, b, c) in enumerate(itertools.product(drinks, pains, drinks)):
        place = tmp_path / str(number)
        place.mkdir()
        texts = [f"{a} and {b}", f"{c} and {b}", f"{a} and {b}", f"{c} and {b}"]
        (place / "in.jsonl").write_text("".join(json.dumps({"text": t}) + "\n" for t in texts))
        spans = [{"document": 0, "start": 0, "stop": len(a), "label": "DRUG"}]
        (place / "gold.jsonl").write_text("".join(json.dumps(one) + "\n" for one in spans))
        (place / "key").write_text(KEY.hex())
        given = {
            "version": 1,
            "input": {"path": "in.jsonl", "columns": ["text"]},
            "key_file": "key",
        }
        (place / "release.yaml").write_text(yaml.safe_dump({**given, **FOLDER[name]}))
        try:
            run.run(policy.read(place / "release.yaml"), output=place / "out")
        except SfumatoError:
            continue
        files = {
            path.relative_to(place / "out").as_posix(): path.read_text()
            for path in sorted((place / "out").rglob("*"))
            if path.is_file()
        }
        data = files.pop("data/in.jsonl")
        files.pop("SHA256SUMS")
        keyed = {name: re.sub(r"\b[0-9a-f]{64}\b", "#", text) for name, text in files.items()}
        assert known.setdefault(data, keyed) == keyed
        assert (place / "out.private/figures.json").is_file()
    assert 0 < len(known) < 8
