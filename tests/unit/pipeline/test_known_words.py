"""`knows` of suppress in commands and policies: claimed, judged from the folder, demanded."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from sfumato.cli.app import app
from sfumato.core.claims import Claim
from sfumato.core.errors import BadInput
from sfumato.verification.composed_claims import recount

ILL, SPORT = ("asthma", "eczema", "angina"), ("golf", "polo", "judo")
PAIRS = [(a, b) for a in ILL for b in SPORT if (a, b) != ("asthma", "golf")]
NOTES = [f"{a}, {b}" for a, b in [("asthma", "golf"), *PAIRS, *PAIRS]]
POLICY = """version: 1
input: {path: notes.jsonl, columns: [text], person: id}
publish: all
stages:
  - {verb: suppress, k: 2, reach: 1, knows: 2, common: 0.5}
claims:
  - {claim: word-km-anonymity, k: 2, knows: 2, common: 0.5}
"""
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = (json.dumps({"id": i, "text": one}) for i, one in enumerate(NOTES))
    (tmp_path / "notes.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


def run(*given):
    return CliRunner().invoke(app, list(given))


def test_the_command_claims_and_verifies_it(folder):
    whose = ["--text-column", "text", "--group-column", "id"]
    options = [*whose, "-k", "2", "--reach", "1", "--knows", "2", "--common", "0.5"]
    done = run("suppress", "notes.jsonl", *options, "--publish", "all", "-o", "out.jsonl")
    assert done.exit_code == 0, done.output
    first = json.loads((folder / "out.jsonl").read_text("utf-8").splitlines()[0])["text"]
    assert first == "asthma, ★★★★"
    judged = run("verify", "notes.jsonl", "out.jsonl", *whose)
    assert judged.exit_code == 0, judged.output


def test_a_policy_gives_and_demands_it(folder):
    (folder / "release.yaml").write_text(POLICY, encoding="utf-8")
    done = run("run", "release.yaml", "-o", "out")
    assert done.exit_code == 0, done.output
    certificate = json.loads((folder / "out" / "certificate.json").read_text("utf-8"))
    assert "word-km-anonymity" in json.dumps(certificate)
    assert run("verify", "out").exit_code == 0


GIVEN, ASKED = POLICY.split("claims:")


@pytest.mark.parametrize(
    "policy",
    [
        POLICY.replace("knows: 2, common: 0.5}\nclaims", "knows: 1, common: 0.5}\nclaims"),
        POLICY.replace(", knows: 2, common: 0.5}\nclaims", "}\nclaims"),
        GIVEN + "claims:" + ASKED.replace("0.5", "0.2"),
    ],
)
def test_what_is_demanded_more_strongly_than_given_is_refused(folder, policy):
    (folder / "release.yaml").write_text(policy, encoding="utf-8")
    found = run("policy", "check", "release.yaml")
    assert isinstance(found.exception, BadInput), found.output


def test_a_later_stage_that_breaks_it_is_found(folder):
    """Stars of another stage make words rarer: the claim is counted in the final text."""
    claim = Claim(
        "word-km-anonymity",
        "",
        {
            "k": 2,
            "knows": 2,
            "common": 0.9,
            "count": "documents",
            "keep": "",
            "mask": "★",
            "collapse": False,
            "guess": 0.5,
        },
    )
    assert recount(claim, ["a b", "a b"], None).holds
    assert not recount(claim, ["a b", "a ★", "a ★", "★ b", "★ b"], None).holds
