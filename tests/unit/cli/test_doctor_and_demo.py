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
        *("data", "certificate.json", "policy.yaml", "figures.json", "report.html", "SHA256SUMS")
    }
    certificate = json.loads((folder / "certificate.json").read_text())
    assert certificate["claims"]
    assert all(verdict["holds"] for verdict in certificate["verdicts"])
    shown = capsys.readouterr().err
    for part in ("the note before", "as it is released", "verified", "share of symbols changed"):
        assert part in shown
    assert run(["verify", str(folder), "-q"]) == 0
    assert run(["demo", "--quiet"]) == 0  # again, over the first
    assert capsys.readouterr().err == ""


def test_demo_gives_its_raw_files_which_run_alike(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["demo", "--raw", "raw", "-q"]) == 0
    assert run(["demo", "-q"]) == 0
    assert run(["run", "raw/clinic_release.yaml", "-o", "mine", "-q"]) == 0
    for name in ("data/clinic.csv", "policy.yaml"):
        if (
            name != "data/clinic.csv"
            or "pseudonymize" not in (tmp_path / "mine/policy.yaml").read_text()
        ):
            assert (tmp_path / "mine" / name).read_bytes() == (
                tmp_path / "demo-release" / name
            ).read_bytes()
