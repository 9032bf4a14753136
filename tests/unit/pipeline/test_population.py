"""k-map and delta-presence in policies: the population is a file that the stage names."""

from __future__ import annotations

import json

import polars as pl
import pytest
from typer.testing import CliRunner

import sfumato as sf
from sfumato.cli.app import app
from sfumato.core.errors import BadInput, CannotBeMet

POLICY = """version: 1
input: {path: people.csv, person: id}
schema: people.yaml
publish: all
stages:
  - {verb: anonymize, k: 2, population: registry.csv, k_map: 6, delta: 0.5}
claims:
  - {claim: k-map, k: 6}
  - {claim: delta-presence, delta: 0.5}
"""
SCHEMA = "person: id\ncolumns:\n  age: {kind: number}\n  town: {}\n"
TOWNS = ("Ulm", "Bonn")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    everybody = pl.DataFrame(
        {
            "id": [f"p{i}" for i in range(60)],
            "age": [30 + i % 10 for i in range(60)],
            "town": [TOWNS[i % 2] for i in range(60)],
        }
    )
    everybody.write_csv("registry.csv")
    everybody.head(12).write_csv("people.csv")
    (tmp_path / "people.yaml").write_text(SCHEMA, encoding="utf-8")
    (tmp_path / "release.yaml").write_text(POLICY, encoding="utf-8")
    return tmp_path


def run(*given):
    return CliRunner().invoke(app, list(given))


def test_a_policy_gives_verifies_and_demands_both(folder):
    done = run("run", "release.yaml", "-o", "out")
    assert done.exit_code == 0, done.output
    stated = json.loads((folder / "out" / "certificate.json").read_text("utf-8"))
    told = json.dumps(stated)
    assert '"k-map"' in told
    assert '"delta-presence"' in told
    assert str(folder) not in told
    again = run("run", "release.yaml", "-o", "out", "--overwrite")  # from the kept result
    assert again.exit_code == 0, again.output
    judged = run("verify", "people.csv", "out")
    assert judged.exit_code == 0, judged.output
    assert "6 people of the population fit" in judged.output


def test_who_has_the_folder_alone_judges_them_beside_the_population(folder):
    run("run", "release.yaml", "-o", "out")
    without = sf.verify("out", schema="people.yaml")
    assert "k-map" not in {one.claim.name for one in without}
    beside = sf.verify("out", schema="people.yaml", population="registry.csv")
    assert {"k-map", "delta-presence"} <= {one.claim.name for one in beside if one.holds}
    pl.read_csv("registry.csv").head(13).write_csv("few.csv")
    few = sf.verify("out", schema="people.yaml", population="few.csv")
    assert not all(one.holds for one in few if one.claim.name == "delta-presence")


def test_what_cannot_be_met_or_is_not_given_is_refused(folder):
    for old, new, kind in (
        ("k_map: 6", "k_map: 61", CannotBeMet),
        ("population: registry.csv, ", "", BadInput),
        ("registry.csv", "absent.csv", BadInput),
        ("delta: 0.5}\nclaims", "}\nclaims", BadInput),
    ):
        text = POLICY.replace(old, new, 1).replace("claim: k-map, k: 6", "claim: k-map, k: 2")
        (folder / "release.yaml").write_text(text, encoding="utf-8")
        found = run("run", "release.yaml", "-o", "other")
        assert isinstance(found.exception, kind), (new, found.output, found.exception)
        assert not (folder / "other").exists()


def test_figures_and_report_of_a_run_show_risk_before_and_after(folder):
    run("run", "release.yaml", "-o", "out")
    figures = json.loads((folder / "out.private" / "figures.json").read_text("utf-8"))
    before, after = figures["risk"], figures["risk"]["after"]
    assert before["unique"] == 8  # ages and towns of twelve people, two of whom repeat
    assert after["below_k"] == after["unique"] == 0
    assert all(one["unique"] == 0 for one in after["sets_of_columns"])
    assert "Who could be told apart" in (folder / "out.private" / "report.html").read_text("utf-8")
    assert "Who could be told apart" not in (folder / "out" / "report.html").read_text("utf-8")


def test_the_command_counts_a_release_beside_its_table(folder):
    done = run("anonymize", "people.csv", "--schema", "people.yaml", "-k", "2", "-o", "out.csv")
    assert done.exit_code == 0, done.output
    given = ("risk", "people.csv", "--schema", "people.yaml", "--release", "out.csv", "-k", "2")
    told = json.loads(run(*given, "--json").stdout)
    assert told["unique"] == 8
    assert told["after"]["unique"] == 0
    (folder / "risk.json").write_text(json.dumps(told), encoding="utf-8")
    assert run("report", "out.csv", "--figures", "risk.json", "-o", "r.html").exit_code == 0
    page = (folder / "r.html").read_text("utf-8")
    assert "Class sizes, after the release" in page
    assert page.count("<figure>") >= 4
    assert run(*given, "-o", "risk.html").exit_code == 0
    assert "Class sizes, after the release" in (folder / "risk.html").read_text("utf-8")


def test_symbols_that_sanitize_invents_are_counted_in_a_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "w.txt").write_text("aabaaacbcbbbaabbacaab" * 2, encoding="utf-8")
    (tmp_path / "p.txt").write_text("baaa\nbbaa\n", encoding="utf-8")
    stages = "stages: [{verb: sanitize, patterns: p.txt}]"
    (tmp_path / "r.yaml").write_text(
        f"version: 1\ninput: {{path: w.txt}}\n{stages}\n", encoding="utf-8"
    )
    done = run("run", "r.yaml", "-o", "out")
    assert done.exit_code == 0, done.output
    figures = json.loads((tmp_path / "out.private" / "figures.json").read_text("utf-8"))
    stage = json.loads((tmp_path / "out.private" / "certificate.json").read_text("utf-8"))
    assert figures["loss"]["invented_symbols"] == stage["stages"][0]["counts"]["invented"] > 0
    assert "symbols invented" in done.output
    assert "symbols invented" in (tmp_path / "out.private" / "report.html").read_text("utf-8")
