"""`sfumato doctor` and `sfumato demo`."""

from __future__ import annotations

import json
import os

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
        "clinic_notes.jsonl",
        "clinic_notes.jsonl.certificate.json",
    }
    certificate = json.loads((folder / "clinic_notes.jsonl.certificate.json").read_text())
    assert all(verdict["holds"] for verdict in certificate["verdicts"])
    assert 0.5 < certificate["loss"]["unsuppressed_ratio"] < 1
    assert run(["demo", "--quiet"]) == 0  # again, over the first
