"""`sfumato verify`: whoever has the release alone, and whoever has the original too."""

import json

import pytest

from sfumato.cli.app import run
from sfumato.core.certificate import sealed

SHARED = "the patient was seen for chest pain"
NOTES = "".join(f'{{"who": "p{i}", "text": "{SHARED} {i * 7919}"}}\n' for i in range(8))
KEY = "0123456789abcdef0123456789abcdef"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.jsonl").write_text(NOTES)
    (tmp_path / "key").write_text(KEY)
    (tmp_path / "terms.txt").write_text("chest\npatient\nchess\npatents\n")
    (tmp_path / "patterns.txt").write_text("est\n")
    return tmp_path


TEXT = ("--text-column", "text")
VERBS = {
    "suppress": (["suppress", "-k", "3"], []),
    "by group": (["suppress", "-k", "3", "--group-column", "who"], ["--group-column", "who"]),
    "redact": (["redact", "-k", "2", "--terms", "terms.txt"], ["--terms", "terms.txt"]),
    "sanitize": (["sanitize", "--patterns", "patterns.txt"], ["--patterns", "patterns.txt"]),
    "generalize": (["generalize", "-t", "2"], []),
}


def release(verb="suppress", *options):
    command, side = VERBS[verb]
    given = ["notes.jsonl", *TEXT, "-o", "out.jsonl", "--key-file", "key", "-q", "--overwrite"]
    given += options
    assert run([command[0], *given, *command[1:]]) == 0
    return side


def verify(*arguments, certificate="out.jsonl.certificate.json"):
    return run(["verify", *arguments, "--certificate", certificate])


@pytest.mark.parametrize("verb", VERBS)
def test_original_and_key_agree_with_the_certificate(verb, capsys):
    side = release(verb)
    files = "notes.jsonl", "out.jsonl"
    assert verify(*files, *TEXT, *side, "--key-file", "key") == 0
    assert "verified" in capsys.readouterr().err


@pytest.mark.parametrize("verb", VERBS)
def test_the_public_certificate_alone_shows_hash_and_form(verb, capsys):
    release(verb)
    assert verify("out.jsonl") == 2  # no claim was judged
    assert "not judged" in capsys.readouterr().err
    assert verify("out.jsonl", "--json") == 2
    assert {row["holds"] for row in json.loads(capsys.readouterr().out)} == {None}


def test_what_the_release_alone_can_show_is_judged(folder, capsys):
    release("sanitize")
    assert verify("out.jsonl", *TEXT, "--patterns", "patterns.txt", "--json") == 0
    rows = {row["claim"]: row["holds"] for row in json.loads(capsys.readouterr().out)}
    assert rows["pattern-free"] is True
    assert rows["no-lost"] is None
    (folder / "patterns.txt").write_text("the\n")
    assert verify("out.jsonl", *TEXT, "--patterns", "patterns.txt") == 4
    release("suppress", "--strict", "--guess", "none")
    assert verify("out.jsonl", *TEXT, "--json") == 0
    assert json.loads(capsys.readouterr().out)[0]["holds"] is True


def damage_release(folder):
    path = folder / "out.jsonl"
    path.write_text(path.read_text().replace("chest", "chess", 1))


def damage_certificate(folder):
    path = folder / "out.jsonl.certificate.json"
    stated = json.loads(path.read_text())
    stated["hashes"]["files"]["out.jsonl"] = "0" * 64
    path.write_text(json.dumps(stated))


def another_original(folder):
    (folder / "notes.jsonl").write_text(NOTES.replace("seen for", "seen at"))


def subtly_another(folder):
    (folder / "notes.jsonl").write_text(
        NOTES.replace('"who": "p0", "text": "the', '"who": "p0", "text": "The')
    )


@pytest.mark.parametrize(
    ("damage", "arguments", "message"),
    [
        (damage_release, ["out.jsonl"], "the release's bytes are not the certified ones"),
        (damage_release, ["notes.jsonl", "out.jsonl", *TEXT], "the release's bytes are not"),
        (damage_certificate, ["out.jsonl"], "the certificate is not as it was written"),
        (damage_certificate, ["notes.jsonl", "out.jsonl", *TEXT], "the certificate is not as"),
        (another_original, ["notes.jsonl", "out.jsonl", *TEXT], "the original is not what the"),
        (
            subtly_another,
            ["notes.jsonl", "out.jsonl", *TEXT, "--key-file", "key"],
            "the original is not what the release was made of (or the key is another one)",
        ),
    ],
)
def test_each_fault_has_its_own_message(folder, capsys, damage, arguments, message):
    release()
    damage(folder)
    capsys.readouterr()
    assert verify(*arguments) == 4
    told = capsys.readouterr().err
    assert message in told
    assert SHARED not in told
    assert verify(*arguments, "--json") == 4
    assert message in json.loads(capsys.readouterr().out)["error"]


def change(folder, edit, key=KEY):
    path = folder / "out.jsonl.certificate.json"
    stated = json.loads(path.read_text())
    edit(stated)
    path.write_text(json.dumps(sealed(stated, key.encode())))


def test_wording_is_made_from_the_claim_not_taken_from_the_certificate(folder, capsys):
    release()

    def boast(stated):
        claim = stated["claims"][0]
        claim["statement"] = claim["statement"].replace("at least 3", "at least 3000")

    change(folder, boast)
    for arguments in (["out.jsonl"], ["notes.jsonl", "out.jsonl", *TEXT]):
        assert verify(*arguments) == 4
        assert "words this claim otherwise" in capsys.readouterr().err


@pytest.mark.parametrize("kept", ["abcdefghijklmnopqrstuvwxyz", 5])
def test_what_a_claim_exempts_cannot_be_hidden(folder, capsys, kept):
    release()
    change(folder, lambda stated: stated["claims"][0]["parameters"].update(keep=kept))
    for arguments in (["out.jsonl"], ["notes.jsonl", "out.jsonl", *TEXT]):
        assert verify(*arguments) == 4
        assert "words this claim otherwise" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (lambda stated: stated["verdicts"][0].update(holds=False), 4),
        (lambda stated: stated["claims"][0].update(parameters={}), 4),
        (lambda stated: stated["loss"].update(runs="many"), 4),
    ],
)
def test_a_certificate_that_cannot_be_is_no_certificate(folder, edit, code):
    release()
    change(folder, edit)
    assert verify("out.jsonl") == code
    assert verify("notes.jsonl", "out.jsonl", *TEXT) == code


@pytest.mark.parametrize("verb", VERBS)
def test_every_claim_can_be_worded_anew(verb, folder):
    from sfumato.claims import kind
    from sfumato.received.certificate import read

    release(verb)
    for claim in read(folder / "out.jsonl.certificate.json").claims:
        assert kind(claim.name).words(claim.parameters).text == claim.statement


def test_a_forged_certificate_needs_the_key(folder, capsys):
    release()
    change(folder, lambda stated: stated["counts"].update(starred=0), key="another key of 32 bytes")
    assert verify("notes.jsonl", "out.jsonl", *TEXT) == 0
    assert verify("out.jsonl", "--key-file", "key") == 4
    assert "or the key is another one" in capsys.readouterr().err


def test_a_private_certificate_knows_its_original(folder, capsys):
    release("suppress", "--private-certificate", "private.json")
    subtly_another(folder)
    files = "notes.jsonl", "out.jsonl"
    assert verify(*files, *TEXT, certificate="private.json") == 4
    assert "the original is not what" in capsys.readouterr().err


def test_other_terms_are_refused_with_the_key(folder, capsys):
    release("redact")
    (folder / "terms.txt").write_text("chest\npatient\nchess\npatents\nseen\n")
    files = "notes.jsonl", "out.jsonl", *TEXT, "--terms", "terms.txt"
    assert verify(*files, "--key-file", "key") == 4
    assert "the terms are not what the release was made of" in capsys.readouterr().err


def test_a_missing_release_is_bad_input(capsys):
    release()
    assert verify("absent.jsonl") == 2
    assert "no such file" in capsys.readouterr().err


def test_the_certificate_beside_the_release_is_found(folder, capsys):
    release()
    assert run(["verify", "notes.jsonl", "out.jsonl", *TEXT, "-q"]) == 0
    (folder / "out.jsonl.certificate.json").unlink()
    assert run(["verify", "notes.jsonl", "out.jsonl", *TEXT]) == 2
    assert "--certificate" in capsys.readouterr().err
