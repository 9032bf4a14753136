"""`sfumato doctor` and `sfumato demo`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from sfumato.cli.app import run
from support.commands import outcome


def test_doctor_reports_every_part(capsys):
    assert run(["doctor", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["sfumato"]["kernels"] is True
    assert set(found["extras"]) == {
        "ner",
        "ner-en",
        "spark",
        "studio",
        "report",
        "skos",
        "ids",
        "onnx",
    }
    assert found["machine"]["cores"] == os.cpu_count()
    assert all(found["dependencies"].values())


def test_doctor_for_people(capsys):
    assert run(["doctor"]) == 0
    assert "extras" in capsys.readouterr().out


def test_doctor_warns_of_a_package_that_only_holds_the_name_of_a_model(tmp_path, monkeypatch):
    about = tmp_path / "de_core_news_sm-999.9.9.dist-info"
    about.mkdir()
    about.joinpath("METADATA").write_text(
        "Metadata-Version: 2.1\nName: de_core_news_sm\nVersion: 999.9.9\n", "utf-8"
    )
    assert "de_core_news_sm" not in outcome("doctor").told
    monkeypatch.syspath_prepend(tmp_path)
    told = outcome("doctor").told
    assert "de_core_news_sm" in told
    assert "only holds the name" in told


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The folder in which the demo ran, and what it said; a run takes seconds."""
    place = tmp_path_factory.mktemp("demo")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        said = outcome("demo")
        assert said.code == 0
        assert run(["demo", "--raw", "raw", "-q"]) == 0
    return place, said.err


@pytest.fixture
def place(demo, monkeypatch):
    monkeypatch.chdir(demo[0])
    return demo[0]


def test_demo_leaves_a_verified_release(demo, place, capsys):
    folder = place / "demo-release"
    assert {path.name for path in folder.iterdir()} == {
        *("data", "certificate.json", "policy.yaml", "schema.yaml", "report.html", "SHA256SUMS")
    }
    certificate = json.loads((folder / "certificate.json").read_text())
    assert certificate["claims"]
    assert all(verdict["holds"] for verdict in certificate["verdicts"])
    for part in (
        "the note before",
        "as it is released",
        "verified",
        "linkage-rare",
        "characters changed",
    ):
        assert part in demo[1]
    assert run(["verify", str(folder), "-q"]) == 0


def test_demo_shows_one_person_before_and_after(demo, place):
    """The rows are shuffled: the released record is found by the order that stays private."""
    days, diagnosis = (line.split()[1:] for line in demo[1].splitlines() if _is_kept(line))
    assert days[0] == days[1]
    assert diagnosis[0] == diagnosis[1]


def _is_kept(line):
    return line.split()[:1] in (["days"], ["diagnosis"]) and len(line.split()) == 3


def test_the_demo_s_raw_files_run_alike(place):
    names = [f"demo-release/{one}" for one in ("data/clinic.csv", "policy.yaml", "report.html")]
    names.append("demo-release.private/figures.json")
    of_demo = [Path(name).read_bytes() for name in names]
    options = "-q", "--overwrite"  # as the demo does, over an earlier one
    assert run(["run", "raw/clinic_release.yaml", "-o", "demo-release", *options]) == 0
    assert [Path(name).read_bytes() for name in names] == of_demo


def test_a_release_folder_with_shuffled_rows_is_attacked_by_who_has_their_order(place, capsys):
    attack = ["attack", "raw/clinic.csv", "demo-release/data/clinic.csv", "--json"]
    texts = ["--text-column", "note", "--attacks", "linkage-rare"]
    assert run([*attack, *texts]) == 2
    assert "--private-certificate" in capsys.readouterr().out
    order = ["--private-certificate", "demo-release.private/certificate.json"]
    assert run([*attack, *texts, *order]) == 0


def test_attacks_succeed_on_the_raw_clinic_and_not_on_its_release(place):
    figures = json.loads((place / "demo-release.private/figures.json").read_text())
    assert figures["evaluation"]["entities"]["direct_recall"] > 0.99
    assert figures["curves"]
    linkage = next(one for one in figures["attacks"] if one["name"] == "linkage-rare")
    assert linkage["low"] <= linkage["control_high"]
    assert linkage["success"] < 0.1
    from sfumato import formats
    from sfumato.attacks.run import attack

    source = formats.read("raw/clinic.csv", text_column="note", group_column="patient_id")
    raw = attack(source.texts, source.texts, ["linkage-rare"], groups=source.groups)[0]
    assert raw.is_above_control
    assert raw.success > 0.8
