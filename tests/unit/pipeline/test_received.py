"""A release folder judged by its receiver: each kind of damage has its own message."""

from __future__ import annotations

import json
import shutil

import pytest

from sfumato.core.certificate import sealed
from sfumato.pipeline.folder import sums
from support.commands import call


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [{"who": f"p{i}", "note": f"Ann {'abcdef'[i]} was seen for pain."} for i in range(6)]
    (tmp_path / "notes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    policy = {
        "version": 1,
        "publish": "all",
        "input": {"path": "notes.jsonl", "columns": ["note"], "person": "who"},
        "stages": [
            {"verb": "generalize", "t": 4, "words": ["pain"]},
            {"verb": "suppress", "k": 5},
        ],
    }
    (tmp_path / "release.yaml").write_text(json.dumps(policy))
    assert call("run", "release.yaml", "-q") == 0
    return tmp_path


def resign(place):
    """What somebody does who changes a release and makes seal and list of hashes fit."""
    path = place / "release/certificate.json"
    path.write_text(json.dumps(sealed(json.loads(path.read_text()), b"another key")))
    shutil.rmtree(place / "release.private", ignore_errors=True)  # which has the right key
    (place / "release/SHA256SUMS").write_bytes(sums(place / "release"))


def edit(path, change):
    path.write_bytes(change(path.read_bytes()))


def test_a_whole_release_is_accepted(place, capsys):
    assert call("verify", "release", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert [verdict["claim"] for verdict in told["verdicts"]] == ["substring-k-anonymity"]
    assert [one["claim"] for one in told["not_judged"]] == ["t-plausibility"]
    assert call("verify", "notes.jsonl", "release", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["verdicts"]) == 2
    assert told["not_judged"] == []


def test_changed_data(place, capsys):
    edit(place / "release/data/notes.jsonl", lambda raw: raw.replace(b"seen", b"sent", 1))
    assert call("verify", "release") == 4
    assert "a file of the release was changed" in capsys.readouterr().err
    resign(place)
    assert call("verify", "release") == 4
    assert "not what the certificate speaks of" in capsys.readouterr().err


def test_changed_certificate(place, capsys):
    edit(place / "release/certificate.json", lambda raw: raw.replace(b'"k": 5', b'"k": 6', 1))
    assert call("verify", "release") == 4
    assert "the certificate was changed" in capsys.readouterr().err
    resign(place)
    stated = json.loads((place / "release/certificate.json").read_text())
    for claim in stated["claims"]:
        if claim["name"] == "substring-k-anonymity":
            claim["parameters"]["k"] = 7
    (place / "release/certificate.json").write_text(json.dumps(stated))
    resign(place)
    assert call("verify", "release") == 4
    assert "not those of its stages" in capsys.readouterr().err


def test_a_certificate_that_is_no_json(place, capsys):
    """Rejected by its hash; with fitting hashes by its form."""
    for content in (b"{", b"[]", b"\xff"):
        (place / "release/certificate.json").write_bytes(content)
        assert call("verify", "release") == 4
        assert "the certificate was changed" in capsys.readouterr().err
        from sfumato.pipeline.folder import sums

        (place / "release/SHA256SUMS").write_bytes(sums(place / "release"))
        assert call("verify", "release") == 4
        assert "the certificate is damaged" in capsys.readouterr().err


def test_a_certificate_sealed_by_somebody_else(place, capsys):
    path = place / "release/certificate.json"
    path.write_text(json.dumps(sealed(json.loads(path.read_text()), b"another key")))
    (place / "release/SHA256SUMS").write_bytes(sums(place / "release"))
    assert call("verify", "release") == 4
    assert "not as it was written, or the key is another one" in capsys.readouterr().err


def test_data_and_certificate_changed_together(place, capsys):
    import hashlib

    from sfumato.core.certificate import digest

    path = place / "release/data/notes.jsonl"
    edit(path, lambda raw: raw.replace("★".encode(), b"Q", 1))
    stated = json.loads((place / "release/certificate.json").read_text())
    stated["hashes"]["files"] = {"data/notes.jsonl": hashlib.sha256(path.read_bytes()).hexdigest()}
    texts = [json.loads(line)["note"] for line in path.read_text().splitlines()]
    stated["hashes"]["release"]["sha256"] = digest(texts).hexdigest()
    (place / "release/certificate.json").write_text(json.dumps(stated))
    resign(place)
    assert call("verify", "release") == 4
    assert "substring-k-anonymity" in capsys.readouterr().err  # the claim itself fails


def test_a_signature_may_lie_beside_the_list_it_signs(place, capsys):
    for name in ("SHA256SUMS.sig", "SHA256SUMS.asc", "SHA256SUMS.minisig"):
        (place / "release" / name).write_text("-----BEGIN SSH SIGNATURE-----\n")
    assert call("verify", "release") == 0
    (place / "release/SHA256SUMS.sig").write_bytes(bytes(1 << 20))
    assert call("verify", "release") == 4
    assert "does not belong to the release" in capsys.readouterr().err


def test_missing_and_foreign_files(place, capsys):
    (place / "release/data/more.jsonl").write_text("{}")
    assert call("verify", "release") == 4
    assert "does not belong to the release" in capsys.readouterr().err
    (place / "release/data/more.jsonl").unlink()
    (place / "release/policy.yaml").unlink()
    assert call("verify", "release") == 4
    assert "is missing" in capsys.readouterr().err
    (place / "release/SHA256SUMS").unlink()
    assert call("verify", "release") == 4
    assert "list of hashes" in capsys.readouterr().err


def test_wrong_original(place, capsys):
    edit(place / "notes.jsonl", lambda raw: raw.replace(b"seen", b"sent", 1))
    assert call("verify", "notes.jsonl", "release") == 4
    assert "this original is not the one" in capsys.readouterr().err


def test_original_without_the_private_folder(place, capsys):
    shutil.rmtree(place / "release.private")
    assert call("verify", "notes.jsonl", "release", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["claim"] for one in told["not_judged"]] == ["t-plausibility"]


def test_wrong_original_of_one_stage_without_the_private_folder(place, capsys):
    policy = json.loads((place / "release.yaml").read_text())
    del policy["stages"][0]
    (place / "release.yaml").write_text(json.dumps(policy))
    assert call("run", "release.yaml", "-q", "--overwrite") == 0
    shutil.rmtree(place / "release.private")
    assert call("verify", "notes.jsonl", "release", "-q") == 0
    edit(place / "notes.jsonl", lambda raw: raw.replace(b"seen", b"sent", 1))
    assert call("verify", "notes.jsonl", "release", "-q") == 4
    assert "differs from the original other than by" in capsys.readouterr().err


def claims_of(stated):
    """Every place where the certificate states the counted claim."""
    every = [*stated["claims"], *(one for stage in stated["stages"] for one in stage["claims"])]
    return [one for one in every if one["name"] == "substring-k-anonymity"]


def reword(stated):
    for claim in claims_of(stated):
        claim["statement"] = claim["statement"].replace("5", "100")


def weaken(stated):
    for claim in claims_of(stated):
        claim["parameters"]["k"] = 2
        claim["statement"] = claim["statement"].replace("5", "2")


def weaken_with_the_stage(stated):
    weaken(stated)
    stated["stages"][1]["parameters"]["k"] = 2


def keep_letters(stated):
    for claim in claims_of(stated):
        claim["parameters"]["keep"] = "abcdefghijklmnopqrstuvwxyz"


def drop_the_claim(stated):
    for place in (stated, stated["stages"][1]):
        for name in ("claims", "verdicts"):
            kind = "name" if name == "claims" else "claim"
            place[name] = [one for one in place[name] if one[kind] != "substring-k-anonymity"]


def drop_everything(stated):
    for place in (stated, *stated["stages"]):
        place["claims"], place["verdicts"] = [], []


def fail_a_verdict(stated):
    stated["verdicts"][0]["holds"] = stated["stages"][0]["verdicts"][0]["holds"] = False


def count_more_people(stated):
    stated["counts"]["persons"] = 600


def name_another_person(stated):
    stated["parameters"]["person"] = "ward"


def protect_everything(stated):
    stated["not_protected"] = []


def break_a_stage(stated):
    del stated["stages"][0]["parameters"]


CONTRADICTIONS = [
    reword, weaken, weaken_with_the_stage, keep_letters, drop_the_claim, drop_everything,
    fail_a_verdict, count_more_people, name_another_person, protect_everything, break_a_stage,
]  # fmt: skip


@pytest.mark.parametrize("forge", CONTRADICTIONS)
def test_a_certificate_that_contradicts_itself_or_the_policy(place, capsys, forge):
    path = place / "release/certificate.json"
    stated = json.loads(path.read_text())
    forge(stated)
    path.write_text(json.dumps(stated))
    resign(place)
    assert call("verify", "release") == 4
    assert "certificate" in capsys.readouterr().err


@pytest.mark.parametrize(
    "change",
    [
        lambda raw: raw.replace(b"k: 4", b"k: 9"),
        lambda raw: raw + b"claims: [{claim: substring-k-anonymity, k: 9}]\n",
        lambda raw: raw + b"claims: [{claim: k-anonymity, k: 2}]\n",
    ],
)
def test_a_policy_that_asks_for_more_than_is_claimed(place, capsys, change):
    path = place / "release.yaml"
    path.write_text(path.read_text().replace('"k": 5', '"k": 4'))
    assert call("run", "release.yaml", "--overwrite", "-q") == 0
    edit(place / "release/policy.yaml", change)
    resign(place)
    assert call("verify", "release") == 4
    assert "policy" in capsys.readouterr().err
