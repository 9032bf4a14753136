"""Every kind of claim: its words, its check, what the check reads, how strong it is."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import get_args

import polars as pl
import pytest

import sfumato as sf
from contract.verbs import KEY, LETTERS, MARKER, NAMES, NOTES, PEOPLE, SCHEMA, VERBS
from sfumato import claims
from sfumato.claims import Side, find, is_recounted, is_reworded, kind, kinds
from sfumato.claims.claim_kind import Survival
from sfumato.core.claims import Claim, by_this_stage
from sfumato.core.load import load
from sfumato.core.release import Sides
from sfumato.methods import METHODS, method, methods

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

SPANS = [sf.Span(0, 0, 6, "NAME"), sf.Span(1, 0, 6, "NAME")]
SENSITIVE = PEOPLE.with_columns(ill=pl.Series(list("abcabc")))
GUARDED = {**SCHEMA, "columns": {**SCHEMA["columns"], "ill": {"role": "sensitive"}}}
# Options beside the contract's own calls, so that every claim and every assumption is given once.
MORE = {
    "suppress": [
        {"k": 3, "cover": "word", "strict": True},
        {"k": 3, "unit": "word", "groups": list("aabbcc"), "spans": SPANS},
        {"k": 2, "keep": " .", "count": "occurrences", "collapse": True},
        {"k": 2, "cover": "word-and-repeats"},
        {"k": 2, "knows": 1},
        {"k": 2, "knows": 2, "groups": list("aabbcc"), "spans": SPANS, "common": 0.25},
    ],
    "redact": [
        {"terms": [*NAMES, "May"], "k": 2, "rare_lengths": "star", "direct": SPANS},
        {"terms": NAMES, "k": 2, "guarantee": "matching", "direct": ["chest pain"]},
    ],
    "sanitize": [
        *({"patterns": ["chest"], "method": one} for one in ("tfs", "pfs", "etfs", "tm", "ba")),
        {"patterns": ["chest"], "rho": -5.0, "tau": 2, "reference": NOTES},
        {"patterns": ["chest"], "method": "tmi", "implausible": ["aaaaa"]},
        {"patterns": ["chest"], "method": "delete"},
    ],
    "generalize": [
        {"t": 2, "words": ["chest pain", MARKER], "unknown": "keep", "segment": "sentence"},
        {"t": 2, "words": ["visit"], "frequencies": {"visit": 3.0, "call": 2.0}, "volume": "level"},
        {"t": 2, "words": ["visit", "pain"], "t_words": {"visit": 3}},
        {"t": [2] * 6, "words": [sf.Span(i, 20, 30, "X") for i in range(6)]},
        {"t": 2, "words": [sf.Span(i, 11, 30, "X") for i in range(6)], "give_back": 3},
    ],
    "pseudonymize": [
        {"key": KEY, "dates": "label"},
        {"key": KEY, "groups": list("aabb")},
        {"key": KEY, "groups": list("aabb"), "give_back": 2, "operators": {"PERSON": "mask"}},
    ],
    "anonymize": [
        {"schema": GUARDED, "k": 2, "l": 2, "t": 0.9},
        {"schema": {**GUARDED, "person": None}, "k": 3, "l": 2, "diversity": "entropy"},
        {"schema": {"columns": {"age": {"kind": "number"}}}, "k": 2},
        {"schema": {"columns": {"age": {"kind": "set"}}}, "k": 2, "knows": 1},
        {
            "schema": {"columns": {"age": {"kind": "number"}}},
            "k": 2,
            "population": SENSITIVE,
            "k_map": 2,
            "delta": 1.0,
        },
    ],
}
SAMPLES = {"pseudonymize": LETTERS, "anonymize": SENSITIVE}


def _given():
    for verb in VERBS:
        yield pytest.param(verb.sample, lambda verb=verb: verb.run(verb.sample), None, id=verb.name)
    for name, several in MORE.items():
        for number, options in enumerate(several):
            sample = SAMPLES.get(name, NOTES)
            run = lambda name=name, sample=sample, options=options: getattr(sf, name)(  # noqa: E731
                sample, **options
            )
            yield pytest.param(sample, run, options, id=f"{name} {number}")


GIVEN = list(_given())


@pytest.fixture(scope="module")
def made():
    """The releases that were made so far, by their calls."""
    return {}


def release_of(made, run):
    if run not in made:
        made[run] = run()
    return made[run]


@pytest.mark.parametrize(("sample", "run", "options"), GIVEN)
def test_every_claim_a_verb_gives_is_worded_by_its_kind(made, sample, run, options):
    for claim in release_of(made, run).claims:
        known = kind(claim.name)
        said = known.words(claim.parameters)
        assert said.text == claim.statement
        if not known.beside:
            assert said.assumptions == claim.assumptions
        assert set(said.assumptions) <= set(claim.assumptions)
        read_back = Claim.of(json.loads(json.dumps(claim.as_dict())))
        assert not is_reworded(claim)
        assert not is_reworded(read_back)


@pytest.mark.parametrize(("sample", "run", "options"), GIVEN)
def test_other_words_and_left_out_assumptions_are_told(made, sample, run, options):
    for claim in release_of(made, run).claims:
        known = kind(claim.name)
        assert is_reworded(replace(claim, statement=claim.statement + " For ever."))
        for one in known.words(claim.parameters).assumptions:
            left = tuple(said for said in claim.assumptions if said != one)
            assert is_reworded(replace(claim, assumptions=left))
        assert not is_reworded(replace(claim, statement=by_this_stage(claim.statement)))
        assert not is_reworded(known.after_others(claim))


@pytest.mark.parametrize(("sample", "run", "options"), GIVEN)
def test_a_verb_gives_the_claims_that_its_options_name(made, sample, run, options):
    release = release_of(made, run)
    asked = {**release.parameters, **(options or {})}
    given = tuple(dict.fromkeys(claim.name for claim in release.claims))
    assert given == method(release.verb).claims(asked)
    module = import_module(f"sfumato.methods.{METHODS[release.verb]}.claims")
    assert set(given) <= set(module.NAMES)


# What a check may take from the private part of a release for a side that it needs.
TAKEN = {
    Side.ORIGINAL: {"input", "rows"},  # the rows say which record of the original each one is
    Side.FOUND: {"terms", "found"},
}


@pytest.mark.parametrize(("sample", "run", "options"), GIVEN)
def test_a_check_reads_no_more_than_its_kind_says(made, sample, run, options):
    release = release_of(made, run)
    for claim in release.claims:
        sides = kind(claim.name).sides(claim.parameters)
        names = set().union(*(TAKEN.get(side, {side.value}) for side in sides))
        given = {name: value for name, value in release.sides.given().items() if name in names}
        known = replace(release, claims=(claim,), sides=Sides(**given))
        assert sf.verify(sample, known)[0].holds


@pytest.mark.parametrize(("sample", "run", "options"), GIVEN)
def test_a_check_needs_all_that_its_kind_says(made, sample, run, options):
    """Without a side there is no good verdict; WordNet is there anyway, and changes are no list."""
    release = release_of(made, run)
    for claim in release.claims:
        sides = kind(claim.name).sides(claim.parameters)
        for side in sides - {Side.ORIGINAL, Side.ONTOLOGY, Side.CHANGES}:
            if side is Side.STRINGS and claim.parameters["guarantee"] == "matching":
                continue  # patterns are counted in the list
            if side is Side.FOUND and not release.sides.schema.texts:
                continue
            gone = TAKEN.get(side, {side.value})
            left = replace(release.sides, **dict.fromkeys(gone))
            try:
                verdict = sf.verify(sample, replace(release, claims=(claim,), sides=left))[0]
            except (sf.SfumatoError, KeyError):
                continue
            assert not verdict.holds, side


def test_all_claims_are_tried_here():
    found = {claim.name for one in GIVEN for claim in one.values[1]().claims}
    assert found == {name for one in methods() for name in one.can_claim}
    others = {"substring-k-anonymity-together", "undone-gives-original"}
    assert {one.name for one in kinds()} == found | others


@pytest.mark.parametrize("known", kinds(), ids=lambda known: known.name)
def test_checks_and_what_they_carry_are_there(known):
    if known.check is not None:
        assert callable(load(known.check))
        assert known.check.startswith("verification.")
    if known.carries is not None:
        assert known.by_part
        assert load(known.carries)() is not None
    assert known.survives in get_args(Survival)
    assert Side.ORIGINAL in known.needs or known.check is None
    assert find(known.name) is known


def test_a_kind_is_found_by_its_file_alone():
    folder = Path(claims.__file__).parent
    declared = {one.stem for one in folder.glob("*.py")} - {"__init__", "claim_kind"}
    found = {one for name in declared for one in import_module(f"sfumato.claims.{name}").KINDS}
    assert found == set(kinds())


FORMER = json.loads((Path(__file__).parent / "former_words.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("said", FORMER, ids=lambda said: said["name"])
def test_the_words_of_earlier_versions_are_accepted_whole(said):
    """The file is what 0.1 and the versions after it wrote; it only ever grows."""
    claim = Claim.of({name: said[name] for name in said if name != "after_others"})
    later = said.get("after_others", claim.statement)
    now = kind(claim.name).claim(claim.parameters)
    assert (claim.statement, claim.assumptions) != (now.statement, now.assumptions)
    assert not is_reworded(claim)
    assert not is_reworded(replace(claim, statement=later))
    assert not is_reworded(replace(claim, statement=by_this_stage(claim.statement)))
    assert is_reworded(replace(claim, statement=claim.statement.removesuffix(".") + ", always."))
    for one in claim.assumptions:
        left = tuple(other for other in claim.assumptions if other != one)
        assert is_reworded(replace(claim, assumptions=left))


def test_unknown_names_are_told():
    assert find("world-peace") is None
    assert not is_recounted("world-peace")
    assert not is_reworded(Claim("world-peace", "No more war."))
    with pytest.raises(sf.BadInput, match="no such claim"):
        kind("world-peace")


@pytest.mark.parametrize(
    ("name", "given", "asked", "holds"),
    [
        ("substring-k-anonymity", {"k": 5, "count": "groups"}, {"k": 3}, True),
        ("substring-k-anonymity", {"k": 5, "count": "groups"}, {"k": 6}, False),
        ("substring-k-anonymity", {"k": 5, "count": "groups"}, {"count": "documents"}, False),
        ("substring-k-anonymity", {"k": 5, "count": "groups"}, {"count": "groups"}, True),
        ("t-closeness", {"t": 0.2}, {"t": 0.3}, True),
        ("t-closeness", {"t": 0.2}, {"t": 0.1}, False),
        ("t-plausibility", {"t": 32}, {"t": 8}, True),
        ("t-plausibility", {"t": [8, 8]}, {"t": 8}, False),
        ("l-diversity", {"l": 2.0}, {"l": 2}, True),
        ("l-diversity", {"l": 2.0}, {"k": 2}, False),
        ("nothing-else-changed", {}, {}, True),
    ],
)
def test_how_strong_a_claim_is(name, given, asked, holds):
    assert kind(name).implies(given, asked) is holds


def test_what_a_release_alone_shows_must_be_said_plainly():
    strict = kind("substring-k-anonymity")
    assert strict.is_from_release({"strict": True})
    assert not strict.is_from_release({"strict": False})
    with pytest.raises(TypeError):
        strict.is_from_release({"strict": "false"})
    assert kind("k-anonymity").is_from_release({})
    assert not kind("order-kept").is_from_release({})


def test_words_of_claims_that_no_verb_gives():
    together = kind("substring-k-anonymity-together").claim({"k": 3, "count": "groups"})
    assert "at least 3 people (groups)" in together.statement
    undone = kind("undone-gives-original")
    assert undone.claim({}).parameters == {}
    assert "bytes" not in undone.claim({}).statement
    assert "bytes" in undone.claim({}, bytes=True).statement
