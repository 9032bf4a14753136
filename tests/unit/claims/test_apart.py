"""Claims are light, verification loads no method, and a new claim is a new file and its check."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

import sfumato as sf
from contract.verbs import NAMES, NOTES

HEAVY = {"numpy", "polars", "pandas", "pydantic", "typer"}
METHODS = ["meanings", "patterns", "pseudonyms", "records", "substrings", "terms"]


def run(code: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def modules_after(code: str, *arguments: str) -> set[str]:
    loaded = f"{code}\nimport sys; print(); print(*sys.modules)"
    return set(run(loaded, *arguments).splitlines()[-1].split())


def test_kinds_are_light_and_know_core_alone():
    loaded = modules_after("from sfumato.claims import kinds; assert kinds()")
    assert not loaded & HEAVY
    below = {name.split(".")[1] for name in loaded if name.startswith("sfumato.")}
    assert below == {"claims", "core"}


@pytest.mark.parametrize("folder", METHODS)
def test_which_claims_a_method_gives_is_light(folder):
    """Whatever the package of the method imports, this module of it imports nothing heavy."""
    code = f"""
import sys, types
from pathlib import Path
import sfumato.methods
package = types.ModuleType("sfumato.methods.{folder}")
package.__path__ = [str(Path(sfumato.methods.__file__).parent / "{folder}")]
sys.modules[package.__name__] = package
from sfumato.methods.{folder}.claims import NAMES, names
assert set(names({{"cover": "fewest", "method": "tpm"}})) <= set(NAMES)
"""
    assert not modules_after(code) & HEAVY


JUDGE = """
import json, sys
from sfumato.core.claims import Claim
from sfumato.core.release import Release, Sides
from sfumato.core.spans import Changes
from sfumato.verification import verify, verify_part
from sfumato.verification import composed_claims
given = json.loads(sys.argv[1])
claims = tuple(map(Claim.of, given["claims"]))
for data, good in ((given["data"], True), (given["original"], False)):
    release = Release(
        verb=given["verb"],
        data=data,
        claims=claims,
        changes=Changes.of(),
        loss={},
        parameters={},
        sides=Sides(**given["sides"]),
    )
    assert all(one.holds for one in verify(given["original"], release)) is good
"""
CALLS = {
    "suppress": (lambda: sf.suppress(NOTES, k=5, spans=[sf.Span(0, 0, 6, "NAME")]), ["spans"]),
    "redact": (lambda: sf.redact(NOTES, NAMES, k=2), ["terms", "published"]),
    "sanitize": (lambda: sf.sanitize(NOTES, ["chest pain. N"]), ["patterns"]),
    "generalize": (lambda: sf.generalize(NOTES, t=8, words=["chest pain", "visit"]), ["words"]),
}


@pytest.mark.parametrize("verb", CALLS)
def test_verifying_a_release_loads_no_method(verb):
    call, sides = CALLS[verb]
    release = call()
    given = {
        "verb": verb,
        "original": NOTES,
        "data": release.data,
        "claims": [claim.as_dict() for claim in release.claims],
        "sides": {name: list(getattr(release.sides, name)) for name in sides},
    }
    loaded = modules_after(JUDGE, json.dumps(given))
    assert "sfumato.verification" in loaded
    declared = re.compile(r"sfumato\.methods(\.\w+(\.(method(_options)?|claims))?)?")
    mine = [name for name in loaded if name.startswith("sfumato.methods")]
    assert not [name for name in mine if not declared.fullmatch(name)]


TABLES = """
import sfumato.verification, sfumato.verification.composed_claims
import sfumato.verification.composed_records
import sfumato.verification.records, sfumato.verification.records_own_values
import sfumato.verification.pseudonyms, sfumato.verification.records_alone
"""


def test_no_module_of_verification_loads_a_method():
    loaded = modules_after(TABLES)
    declared = re.compile(r"sfumato\.methods(\.\w+(\.(method(_options)?|claims))?)?")
    mine = [name for name in loaded if name.startswith("sfumato.methods")]
    assert not [name for name in mine if not declared.fullmatch(name)]


KIND = """
from sfumato.claims.claim_kind import ClaimKind, Statement

KINDS = (
    ClaimKind(
        name="lengths-kept",
        words=lambda given: Statement(f"{given['documents']} texts are as long as they were."),
        check="verification.lengths:check",
        by_part=True,
    ),
)
"""
CHECK = """
from sfumato.core.claims import Verdict
from sfumato.core.corpus import Corpus

def check(claim, original, release):
    before, after = Corpus.of(original).texts, Corpus.of(release.data).texts
    return Verdict(claim, list(map(len, before)) == list(map(len, after)))
"""
USE = """
import sys
from dataclasses import replace
import sfumato as sf, sfumato.claims, sfumato.verification
sfumato.claims.__path__.append(sys.argv[1])
sfumato.verification.__path__.append(sys.argv[2])
from sfumato.claims import kind
from sfumato.received.verdicts import reworded
from sfumato.verification import composed_claims, verify, verify_part
texts = ["Ann has flu.", "Bob has flu.", "Eve has flu."]
release = sf.suppress(texts, k=3)
claim = kind("lengths-kept").claim({"documents": 3})
assert claim.statement == "3 texts are as long as they were."
release = replace(release, claims=(*release.claims, claim))
assert [one.holds for one in verify(texts, release)] == [True, True]
assert verify_part(texts, replace(release, claims=(claim,)), {})[0].holds
shorter = replace(release, data=[text[1:] for text in release.data])
assert not verify(texts, shorter)[1].holds
assert reworded([replace(claim, statement="All is well.")]) and not reworded([claim])
again = sf.suppress(release.data, k=3)
Step = composed_claims.Step
steps = [Step("one", texts, release), Step("two", release.data, again)]
assert all(judged.verdict.holds for judged in composed_claims.judge_stages(steps))
"""


def test_a_new_claim_is_a_new_file_and_its_check(tmp_path):
    for name, text in (("claims", KIND), ("verification", CHECK)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "lengths.py").write_text(text)
    run(USE, str(tmp_path / "claims"), str(tmp_path / "verification"))


COMMAND = """
import sys
from sfumato.cli.app import run
assert run(sys.argv[1:]) == 0
"""


@pytest.mark.parametrize(
    ("verb", "options", "sides"),
    [
        ("suppress", ["-k", "3"], []),
        ("sanitize", ["--patterns", "patterns.txt"], ["--patterns", "patterns.txt"]),
        ("generalize", ["-t", "2"], []),
    ],
)
def test_the_command_loads_no_method_for_what_it_judges(
    tmp_path, monkeypatch, verb, options, sides
):
    from sfumato.cli.app import run as command

    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("\n".join(NOTES))
    (tmp_path / "patterns.txt").write_text("chest\n")
    assert command([verb, "notes.txt", "-o", "out.txt", "-q", *options]) == 0
    loaded = modules_after(COMMAND, "verify", "notes.txt", "out.txt", "-q", *sides)
    declared = re.compile(r"sfumato\.methods(\.\w+(\.(method(_options)?|claims))?)?")
    mine = [name for name in loaded if name.startswith("sfumato.methods")]
    assert not [name for name in mine if not declared.fullmatch(name)]
