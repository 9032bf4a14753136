"""A folder of texts: names of files may be names of people, and so may their order."""

from __future__ import annotations

import json

import pytest

from sfumato.cli.app import run

PEOPLE = ("Abegglen_Ida", "Marlow_Ann", "Marlow_Bo", "Quist_Yve", "Zyxomme_Uwe", "Ott_Kim")
POLICY = """
version: 1
input: {path: notes}
stages: [{verb: suppress, k: 3, collapse: true}]
claims: [{claim: substring-k-anonymity, k: 3}]
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes").mkdir()
    for number, name in enumerate(PEOPLE):
        what = ("a cough and a fever", "a broken arm")[number % 2]
        text = f"Seen for {what}, code {number * 7919}. Sent home well.\n"
        (tmp_path / "notes" / f"{name}.txt").write_text(text)
    (tmp_path / "key").write_text("a key of more than sixteen bytes\n")
    (tmp_path / "release.yaml").write_text(POLICY + "key_file: key\n")
    return tmp_path


def published(place):
    return {path.relative_to(place): path for path in place.rglob("*") if path.is_file()}


def test_no_name_of_a_file_is_published(place):
    assert run(["run", "release.yaml"]) == 0
    release = published(place / "release")
    assert sum(path.parent.name == "notes" for path in release) == len(PEOPLE)
    for name, path in release.items():
        for part in "_".join(PEOPLE).split("_"):
            assert part not in str(name)
            assert part.encode() not in path.read_bytes()
    assert run(["verify", "release"]) == 0
    assert run(["verify", "notes", "release"]) == 0


def test_the_order_is_drawn_and_the_steward_knows_it(place):
    assert run(["run", "release.yaml"]) == 0
    names = json.loads((place / "release.private" / "names.json").read_bytes())
    assert sorted(names.values()) == sorted(f"{one}.txt" for one in PEOPLE)
    assert list(names.values()) != sorted(names.values())
    data = place / "release" / "data" / "notes"
    assert sorted(names) == sorted(path.name for path in data.iterdir())


def test_same_key_same_bytes(place):
    for target in ("one", "two"):
        assert run(["run", "release.yaml", "-o", target]) == 0
    one, two = published(place / "one"), published(place / "two")
    data = [name for name in one if name.parts[0] == "data"]
    assert data
    assert all(one[name].read_bytes() == two[name].read_bytes() for name in data)


def test_names_stay_where_the_policy_says_so(place):
    text = (place / "release.yaml").read_text() + "output: {path: release, number_files: false}\n"
    (place / "release.yaml").write_text(text)
    assert run(["run", "release.yaml"]) == 0
    data = place / "release" / "data" / "notes"
    assert sorted(path.stem for path in data.iterdir()) == sorted(PEOPLE)
    assert run(["verify", "notes", "release"]) == 0


def test_files_that_changed_places_are_refused(place, capsys):
    """Numbers and contents belong together: the list of hashes, and the certificate, say so."""
    assert run(["run", "release.yaml"]) == 0
    data = place / "release" / "data" / "notes"
    texts = {path.name: path.read_bytes() for path in data.iterdir()}
    first, other = next(
        (a, b) for a in sorted(texts) for b in sorted(texts) if texts[a] != texts[b]
    )
    (data / first).write_bytes(texts[other])
    (data / other).write_bytes(texts[first])
    assert run(["verify", "notes", "release"]) == 4


def test_without_the_private_folder_nothing_is_paired(place, capsys):
    assert run(["run", "release.yaml"]) == 0
    (place / "release.private").rename(place / "elsewhere")
    assert run(["attack", "notes", "release"]) == 2
    assert "only the steward knows which is whose" in capsys.readouterr().err
    assert run(["attack", "notes", "release", "--private", "elsewhere"]) == 0


def test_a_report_shows_each_record_beside_what_became_of_it(place):
    assert run(["run", "release.yaml"]) == 0
    options = ["--original", "notes", "--sample-records", "1,2,3,4,5,6", "-o", "report.html"]
    assert run(["report", "release", *options]) == 0
    page = (place / "report.html").read_text("utf-8")
    assert page.count('class="record"') == len(PEOPLE)
    (place / "release.private").rename(place / "elsewhere")
    assert run(["report", "release", *options, "--overwrite"]) == 2
