"""`sfumato doctor` and `sfumato demo`."""

from __future__ import annotations

import json
import os
from pathlib import Path

from sfumato.cli.app import run


def test_doctor_reports_every_part(capsys):
    assert run(["doctor", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["sfumato"]["kernels"] is True
    assert set(found["extras"]) == {"ner", "ner-en", "spark", "studio", "report", "skos"}
    assert found["machine"]["cores"] == os.cpu_count()
    assert all(found["dependencies"].values())


def test_doctor_for_people(capsys):
    assert run(["doctor"]) == 0
    assert "extras" in capsys.readouterr().out


def test_demo_leaves_a_verified_release(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(["demo"]) == 0
    folder = tmp_path / "demo-release"
    assert {path.name for path in folder.iterdir()} == {
        *("data", "certificate.json", "policy.yaml", "figures.json", "report.html", "SHA256SUMS")
    }
    certificate = json.loads((folder / "certificate.json").read_text())
    assert certificate["claims"]
    assert all(verdict["holds"] for verdict in certificate["verdicts"])
    shown = capsys.readouterr().err
    for part in (
        "the note before",
        "as it is released",
        "verified",
        "linkage-rare",
        "symbols changed",
    ):
        assert part in shown
    assert run(["verify", str(folder), "-q"]) == 0
    assert run(["demo", "--quiet"]) == 0  # again, over the first
    assert capsys.readouterr().err == ""


def test_demo_gives_its_raw_files_which_run_alike(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["demo", "--raw", "raw", "-q"]) == 0
    assert run(["demo", "-q"]) == 0
    assert run(["run", "raw/clinic_release.yaml", "-o", "mine", "-q"]) == 0
    for name in ("data/clinic.csv", "figures.json", "policy.yaml", "report.html"):
        assert Path("mine", name).read_bytes() == Path("demo-release", name).read_bytes()


def test_attacks_succeed_on_the_raw_clinic_and_not_on_its_release(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["demo", "--quiet"]) == 0
    figures = json.loads((tmp_path / "demo-release/figures.json").read_text())
    assert figures["evaluation"]["entities"]["direct_recall"] > 0.99
    assert figures["curves"]
    linkage = next(one for one in figures["attacks"] if one["name"] == "linkage-rare")
    assert linkage["low"] <= linkage["control_high"]
    assert linkage["success"] < 0.1
    assert run(["demo", "--raw", ".", "-q"]) == 0
    from sfumato import formats
    from sfumato.attacks.run import attack

    source = formats.read("clinic.csv", text_column="note", group_column="patient_id")
    raw = attack(source.texts, source.texts, ["linkage-rare"], groups=source.groups)[0]
    assert raw.is_above_control
    assert raw.success > 0.8
