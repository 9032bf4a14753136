"""`sfumato verify` of an anonymised table, as files: good ones pass, spoilt ones exit with 4."""

from __future__ import annotations

import json

import pytest
import yaml

from papers.rx_anon_tables import SCHEMA, table_1, terms
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
    assert run([*made, *arguments, "-o", out]) == 0
    return tmp_path, arguments


def judge(folder, arguments):
    files = [str(folder / "people.csv"), str(folder / "out.csv")]
    certificate = ["--certificate", str(folder / "out.csv.certificate.json")]
    return run(["verify", *files, *certificate, *arguments, "--json"])


def without_hashes(folder):
    """The certificate as somebody would write it who changed the release afterwards."""
    path = folder / "out.csv.certificate.json"
    stated = json.loads(path.read_text())
    stated["hashes"].pop("files", None)
    path.write_text(json.dumps(stated))


def test_a_good_release_is_verified(released, capsys):
    assert judge(*released) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["claim"] for one in found] == ["k-anonymity", "nothing-else-changed"]
    assert all(one["holds"] for one in found)


@pytest.mark.parametrize(
    ("old", "new"), [("[24-36]", "36"), ("location", "Mexico"), ("big tech", "small tech")]
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
    assert judge(folder, arguments[:2]) == 2
    assert "--terms" in capsys.readouterr().out
