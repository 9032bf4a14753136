"""The seal tells who made a certificate; a pass-phrase cannot be found from what is published."""

from __future__ import annotations

import hashlib
import hmac
import json
import shutil
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.cli.app import run
from sfumato.core import certificate as made
from sfumato.core.certificate import digest, key_under, keyed, seal_holds, sealed
from sfumato.core.errors import NotVerified

PHRASES = [
    f"{word} is a pass-phrase"
    for word in ("red", "blue", "green", "old", "new", "hot", "cold", "wet", "dry", "long")
]
KEY = PHRASES[6].encode()
COLUMNS = ["--text-column", "text", "--group-column", "who"]
CERTIFICATE = "out.jsonl.certificate.json"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [json.dumps({"who": f"p{i}", "text": "pain in the chest"}) + "\n" for i in range(4)]
    (tmp_path / "notes.jsonl").write_text("".join(lines))
    (tmp_path / "key").write_bytes(KEY + b"\n")
    made = ["-o", "out.jsonl", "--key-file", "key", "-q"]
    assert run(["suppress", "notes.jsonl", "-k", "2", *COLUMNS, *made]) == 0
    return tmp_path


def changed(path: Path, edit) -> None:
    stated = json.loads(path.read_text())
    edit(stated)
    path.write_text(json.dumps(stated))


def boast(stated) -> None:
    """Twice the k, and a hash that anybody can make anew."""
    claim = stated["claims"][0]
    claim["parameters"]["k"] = 4
    claim["statement"] = claim["statement"].replace("2 ", "4 ")
    stated.pop("seal", None)


def test_a_certificate_without_its_seal_is_refused_with_the_key(folder, capsys):
    changed(folder / CERTIFICATE, lambda stated: stated.pop("seal"))
    given = ["verify", "notes.jsonl", "out.jsonl", *COLUMNS]
    assert run([*given, "-q"]) == 0
    assert run([*given, "--key-file", "key"]) == 4
    assert "has no seal" in capsys.readouterr().err


@pytest.mark.parametrize("original", [["notes.jsonl"], []])
def test_a_raised_k_is_refused_with_the_key(folder, original):
    """Four people share the text, so the claim itself would hold: only the seal tells."""
    changed(folder / CERTIFICATE, boast)
    assert run(["verify", *original, "out.jsonl", *COLUMNS, "--key-file", "key"]) == 4
    changed(folder / CERTIFICATE, lambda stated: stated.update(sealed(stated, b"x" * 16)))
    assert run(["verify", *original, "out.jsonl", *COLUMNS, "--key-file", "key"]) == 4


def test_nothing_judged_is_no_success(folder, capsys):
    assert run(["verify", "out.jsonl"]) == 2
    assert "nothing was judged" in capsys.readouterr().err
    assert run(["verify", "out.jsonl", "--key-file", "key", "-q"]) == 2
    assert run(["verify", "out.jsonl", "--json"]) == 2
    assert [row["holds"] for row in json.loads(capsys.readouterr().out)] == [None]


def guessed(stated: dict, values: dict[str, bytes]) -> list[str]:
    """The pass-phrases of a list under which a published hash is plain HMAC of what it hashes."""
    body = made._body(stated)
    hashes = [(stated["seal"]["hmac-sha256"], body)]
    hashes += [(stated["hashes"][name]["hmac-sha256"], one) for name, one in values.items()]
    return [
        phrase
        for phrase in PHRASES
        if any(
            hmac.new(phrase.encode(), plain, hashlib.sha256).hexdigest() == found
            for found, plain in hashes
        )
    ]


def test_no_published_hash_is_under_the_pass_phrase_itself(folder):
    stated = json.loads((folder / CERTIFICATE).read_text())
    texts = [json.loads(line)["text"] for line in (folder / "notes.jsonl").read_text().splitlines()]
    assert guessed(stated, {"input": digest(texts).digest()}) == []
    how = stated["key_stretching"]
    cost = {name: how[name] for name in ("n", "r", "p")}
    assert cost["n"] >= 1 << 15
    salt = bytes.fromhex(how["salt"])
    under = hashlib.scrypt(KEY, salt=salt, maxmem=64 << 20, dklen=32, **cost)
    assert stated["hashes"]["input"]["hmac-sha256"] == keyed(under, digest(texts).digest())
    assert seal_holds(stated, KEY)


def test_surrogates_are_not_drawn_by_the_pass_phrase_itself():
    from sfumato.methods.pseudonyms.secret import Secret, secret_of

    plain = Secret(hmac.new(KEY, b"sfumato pseudonyms 0", hashlib.sha256).digest())
    assert secret_of(KEY, 0, stretched=False) == plain
    assert secret_of(KEY, 0) != plain
    assert secret_of(KEY, 0) == secret_of(KEY.decode(), 0) != secret_of(KEY, 1)


def test_the_salt_is_of_the_release_and_the_certificate_repeatable():
    one, other = (sf.suppress([text] * 3, k=2) for text in ("calm", "warm"))
    first, again, second = (
        release.certificate(key=KEY)["key_stretching"] for release in (one, one, other)
    )
    assert first == again
    assert first["salt"] != second["salt"]


@pytest.mark.parametrize(
    "how", [None, {}, {"n": 1 << 40}, {"n": 3}, {"salt": "no hex"}, {"function": "none"}]
)
def test_a_stretching_that_cannot_be_is_refused(how):
    stated = sf.suppress(["calm"] * 3, k=2).certificate(key=KEY)
    stated["key_stretching"] = how and {**stated["key_stretching"], **how}
    with pytest.raises(NotVerified, match="does not say how its key is stretched"):
        key_under(KEY, stated)


@pytest.fixture
def earlier(tmp_path, monkeypatch):
    """Releases that were made when certificates had format 1."""
    shutil.copytree(Path(__file__).parent / "format1", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    private = tmp_path / "release.private" / "certificate.json"
    changed(private, lambda held: held.update(policy_folder=str(tmp_path)))
    return tmp_path


def test_certificates_of_format_1_still_verify(earlier):
    given = ["verify", "notes.jsonl", "out.jsonl", *COLUMNS, "--key-file", "key", "-q"]
    assert run(given) == 0
    changed(earlier / CERTIFICATE, boast)
    assert run(given) == 4
    assert run(["verify", "notes.jsonl", "release", "--key-file", "key", "-q"]) == 0


def test_a_folder_is_checked_with_the_key_alone(earlier, tmp_path):
    """Whoever changes the certificate of a folder can make its plain hashes anew."""
    shutil.rmtree(earlier / "release.private")
    path = earlier / "release" / "certificate.json"
    stated = json.loads(path.read_text())
    stated["counts"]["documents"] = 5
    stated["warnings"] = ["none"]
    path.write_text(json.dumps(sealed(stated, b"x" * 16)))
    sums = earlier / "release" / "SHA256SUMS"
    lines = [line for line in sums.read_text().splitlines() if "certificate.json" not in line]
    lines.append(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  certificate.json")
    sums.write_text("\n".join(lines) + "\n")
    assert run(["verify", "release", "-q"]) == 2  # nothing judged, nothing noticed
    assert run(["verify", "release", "--key-file", "key", "-q"]) == 4
