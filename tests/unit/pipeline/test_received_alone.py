"""What is published suffices to count classes, without private folder, original or schema."""

from __future__ import annotations

import csv
import json
import shutil

import pytest

from sfumato.cli.app import run
from sfumato.pipeline import folder as folders

NAMES = ["Holm", "Lind", "Berg", "Dahl", "Ek", "Falk", "Gran", "Hall"]


@pytest.fixture
def release(tmp_path, monkeypatch):
    """A table through anonymize and suppress, with its private folder gone."""
    monkeypatch.chdir(tmp_path)
    with open("people.csv", "w", newline="") as stream:
        out = csv.writer(stream)
        out.writerow(["who", "age", "name", "note"])
        for i, name in enumerate(NAMES):
            where = "Leeds" if i < 4 else "York"
            out.writerow([f"p{i}", 30 + i, name, f"Seen by Dr. {name} in {where} with a cold."])
    schema = {
        "person": "who",
        "columns": {
            "age": {"kind": "number", "hierarchy": {"intervals": [5, 10]}},
            "name": {"role": "drop"},
            "note": {"kind": "text"},
        },
        "synonyms": {"Zyxomme": "Quvril"},
    }
    (tmp_path / "schema.yaml").write_text(json.dumps(schema))
    policy = {
        "version": 1,
        "input": {"path": "people.csv", "columns": ["note"], "person": "who"},
        "schema": "schema.yaml",
        "stages": [{"verb": "anonymize", "k": 4}, {"verb": "suppress", "k": 4}],
    }
    (tmp_path / "release.yaml").write_text(json.dumps(policy))
    assert run(["run", "release.yaml", "-q"]) == 0
    shutil.rmtree("release.private")
    return tmp_path / "release"


def judged(capsys):
    code = run(["verify", "release", "--json"])
    found = json.loads(capsys.readouterr().out)
    return code, {one["claim"]: one["holds"] for one in found["verdicts"]}


def test_the_folder_alone_shows_the_classes(release, capsys):
    code, found = judged(capsys)
    assert code == 0
    assert found["k-anonymity"] is True
    assert found["substring-k-anonymity"] is True


def test_the_published_schema_and_policy_hold_no_secret_and_every_value(release):
    schema = (release / "schema.yaml").read_text()
    assert "Zyxomme" not in schema
    assert "intervals" not in schema
    policy = (release / "policy.yaml").read_text()
    assert policy.count("k: 4") == 2
    assert "relational_weight: 0.5" in policy
    assert "schema: schema.yaml" in policy


def test_a_forged_class_is_found_without_the_private_folder(release, capsys):
    data = release / "data" / "people.csv"
    rows = list(csv.reader(data.read_text().splitlines()))
    at = rows[0].index("age")
    rows[1][at] = "[1-2]"
    with data.open("w", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows(rows)
    stated = json.loads((release / "certificate.json").read_text())
    from sfumato.core.certificate import rows_of, sealed, text_digest
    from sfumato.formats.table import read_table

    frame = read_table(str(data)).frame
    stated["hashes"]["release"]["sha256"] = text_digest([rows_of(frame)])
    stated["hashes"]["files"] = folders.data_digests(data)
    stated.pop("seal")
    (release / "certificate.json").write_text(json.dumps(sealed(stated, b"forged")))
    (release / folders.SUMS).write_bytes(folders.sums(release))
    code, found = judged(capsys)
    assert code == 4
    assert found["k-anonymity"] is False


def test_a_demand_beyond_its_stage_is_refused_by_policy_check(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("abracadabra " * 9)
    policy = {
        "version": 1,
        "input": {"path": "a.txt"},
        "stages": [{"verb": "suppress", "k": 5}],
        "claims": [{"claim": "substring-k-anonymity", "k": 12}],
    }
    (tmp_path / "release.yaml").write_text(json.dumps(policy))
    assert run(["policy", "check", "release.yaml"]) == 2
    assert "claims[0].k" in capsys.readouterr().err


def test_a_release_without_its_person_column_is_judged_with_the_original(tmp_path, monkeypatch):
    """Whoever receives it cannot count people, and is told so; the steward can."""
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"p{i},{i},all is well\n" for i in range(6))
    (tmp_path / "log.csv").write_text("who,time,text\n" + rows)
    schema = {
        "person": "who",
        "person_number": False,
        "columns": {
            "time": {"kind": "category", "role": "drop"},
            "text": {"kind": "text", "role": "insensitive"},
        },
    }
    (tmp_path / "schema.yaml").write_text(json.dumps(schema))
    policy = {
        "version": 1,
        "input": {"path": "log.csv", "columns": ["text"], "person": "who"},
        "schema": "schema.yaml",
        "stages": [{"verb": "suppress", "k": 3}, {"verb": "anonymize", "k": 3}],
    }
    (tmp_path / "release.yaml").write_text(json.dumps(policy))
    assert run(["run", "release.yaml", "-q"]) == 0
    assert (tmp_path / "release" / "data" / "log.csv").read_text().splitlines()[0] == "text"
    assert run(["verify", "release"]) == 2
    assert run(["verify", "log.csv", "release"]) == 0
