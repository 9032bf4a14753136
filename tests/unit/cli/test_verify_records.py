"""`sfumato verify` of an anonymised table, as files: good ones pass, spoilt ones exit with 4."""

from __future__ import annotations

import json

import pytest
import yaml

from papers.rx_anon_tables import SCHEMA, TERMS, table_1, terms
from sfumato.cli.app import run


@pytest.fixture
def released(tmp_path):
    table_1().write_csv(tmp_path / "people.csv")
    terms().select("row", "start", "stop", "label").write_csv(tmp_path / "terms.csv")
    schema = {**SCHEMA, "entities": {"person": "quasi"}}
    (tmp_path / "people.yaml").write_text(yaml.safe_dump(schema, sort_keys=False))
    arguments = ["--schema", str(tmp_path / "people.yaml"), "--terms", str(tmp_path / "terms.csv")]
    out = str(tmp_path / "out.csv")
    made = ["anonymize", str(tmp_path / "people.csv"), "-k", "2", "--partitioner", "gdf", "-q"]
    (tmp_path / "key").write_bytes(b"a key of sixteen bytes")
    key = ["--key-file", str(tmp_path / "key")]
    assert run([*made, *arguments, *key, "-o", out]) == 0
    return tmp_path, [*arguments, *key]


def judge(folder, arguments):
    files = [str(folder / "people.csv"), str(folder / "out.csv")]
    certificate = ["--certificate", str(folder / "out.csv.certificate.json")]
    return run(["verify", *files, *certificate, *arguments, "--json"])


def without_hashes(folder):
    """The certificate as somebody would write it who changed the release afterwards."""
    path = folder / "out.csv.certificate.json"
    stated = json.loads(path.read_text())
    stated["hashes"].pop("files", None)
    stated.pop("seal", None)
    path.write_text(json.dumps(stated))


def test_a_good_release_is_verified(released, capsys):
    assert judge(*released) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["claim"] for one in found] == ["k-anonymity", "nothing-else-changed"]
    assert all(one["holds"] for one in found)


def test_other_words_for_a_claim_are_rejected(released, capsys):
    folder, arguments = released
    path = folder / "out.csv.certificate.json"
    stated = json.loads(path.read_text())
    stated["claims"][0]["statement"] = "Nobody can be found."
    path.write_text(json.dumps(stated))
    assert judge(folder, arguments) == 4
    assert "words this claim otherwise" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new"), [("[24-36]", "36"), ("[LOCATION]", "Mexico"), ("big tech", "small tech")]
)
def test_spoilt_releases_exit_with_4(released, old, new):
    folder, arguments = released
    text = (folder / "out.csv").read_text()
    assert old in text
    (folder / "out.csv").write_text(text.replace(old, new, 1))
    assert judge(folder, arguments) == 4  # the bytes are not the certified ones
    without_hashes(folder)
    assert judge(folder, arguments) == 4


def test_what_is_missing_is_named(released, capsys):
    folder, arguments = released
    assert judge(folder, []) == 2
    assert "--schema" in capsys.readouterr().out
    assert judge(folder, [*arguments[:2], *arguments[4:]]) == 2
    assert "--terms" in capsys.readouterr().out


def judge_alone(folder, arguments, schema="people.yaml"):
    certificate = ["--certificate", str(folder / "out.csv.certificate.json")]
    named = ["--schema", str(folder / schema)]
    return run(["verify", str(folder / "out.csv"), *certificate, *named, *arguments, "--json"])


@pytest.fixture
def words(released):
    """The words of Table 4, asked for in the texts of every number of the release."""
    folder, _ = released
    pairs = {(label, words) for _, words, label, _ in TERMS} | {("location", "location")}
    numbers = range(1, 7)
    lines = [f"{number},{label},{word}" for number in numbers for label, word in sorted(pairs)]
    (folder / "words.csv").write_text("\n".join(["id,entity_type,term", *lines]))
    return folder, ["--terms", str(folder / "words.csv")]


def test_a_good_release_is_verified_alone(words, capsys):
    capsys.readouterr()
    assert judge_alone(*words) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(one["claim"], one["holds"]) for one in found] == [
        ("k-anonymity", True),
        ("nothing-else-changed", None),
    ]
    assert "original" in found[1]["reason"]


@pytest.mark.parametrize(
    ("old", "new"), [("[24-36]", "[24-37]"), ("[LOCATION]", "Mexico"), (",2004,", ",2004-01,")]
)
def test_spoilt_releases_are_rejected_alone(words, old, new):
    folder, arguments = words
    text = (folder / "out.csv").read_text()
    assert old in text
    (folder / "out.csv").write_text(text.replace(old, new, 1))
    assert judge_alone(folder, arguments) == 4
    without_hashes(folder)
    assert judge_alone(folder, arguments) == 4


def test_what_is_missing_alone_is_named(words, capsys):
    folder, arguments = words
    assert judge_alone(folder, []) == 2
    assert "--recognizer" in capsys.readouterr().out
    assert judge_alone(folder, ["--recognizer", "rules-en"]) == 0
    text = (folder / "out.csv").read_text().splitlines()
    nameless = "\n".join(line.partition(",")[2] for line in text)
    (folder / "out.csv").write_text(nameless)
    without_hashes(folder)
    capsys.readouterr()
    assert judge_alone(folder, arguments) == 2
    assert "numbers of people" in capsys.readouterr().out


def test_the_recognizer_of_the_certificate_reads_the_release(tmp_path, capsys):
    towns = ["Ulm", "Ulm", "Bonn", "Bonn"]
    lines = [f"{i},{30 + i},met on 5 May 200{i // 2} in {town}" for i, town in enumerate(towns)]
    (tmp_path / "people.csv").write_text("\n".join(["id,age,text", *lines]) + "\n")
    columns = {"age": {"kind": "number"}, "text": {"kind": "text"}}
    schema = {"person": "id", "columns": columns}
    (tmp_path / "people.yaml").write_text(yaml.safe_dump(schema))
    made = ["anonymize", str(tmp_path / "people.csv"), "-k", "2", "--recognizer", "rules-en"]
    given = ["--schema", str(tmp_path / "people.yaml"), "-o", str(tmp_path / "out.csv"), "-q"]
    assert run([*made, *given]) == 0
    assert judge_alone(tmp_path, []) == 0
    text = (tmp_path / "out.csv").read_text()
    assert "5 May 2000" in text
    (tmp_path / "out.csv").write_text(text.replace("5 May 2000", "6 May 2000", 1))
    without_hashes(tmp_path)
    assert judge_alone(tmp_path, []) == 4
