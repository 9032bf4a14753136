"""`verify` and `--undo` in parts say and write what they do in one piece."""

import json
import os

import pytest

from sfumato.cli.app import run
from sfumato.formats import chunks as parts
from support.notes import write_notes

TEXT, KEY = ("--text-column", "t"), ("--key-file", "key")
TERMS = ("--terms", "terms.txt")
MAPPED = ("--mapping", "map", "--group-column", "p")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    from sfumato import formats

    monkeypatch.chdir(tmp_path)
    write_notes(tmp_path)
    monkeypatch.setitem(formats.read_chunks.__kwdefaults__, "size", 300)
    assert parts.SIZE > 300
    redact = ["redact", "notes.jsonl", *TEXT, *TERMS, "-k", "2", *KEY, "-o", "redacted.jsonl", "-q"]
    assert run(redact) == 0
    given = [*TEXT, *KEY, *MAPPED, "-o", "named.jsonl", "--stream", "-q"]
    assert run(["pseudonymize", "notes.jsonl", *given]) == 0
    return tmp_path


def judged(capsys, *arguments):
    """Exit code, verdicts and message, in one piece and in parts."""
    found = []
    for mode in ("--no-stream", "--stream"):
        capsys.readouterr()
        code = run(["verify", *arguments, *TEXT, "--json", mode])
        told = capsys.readouterr()
        found.append((code, told.out, told.err))
    return found


CASES = {
    "redacted.jsonl": ("notes.jsonl", "redacted.jsonl", *TERMS),
    "redacted.jsonl with the key": ("notes.jsonl", "redacted.jsonl", *TERMS, *KEY),
    "named.jsonl": ("notes.jsonl", "named.jsonl", *MAPPED, *KEY),
    "redacted.jsonl alone": ("redacted.jsonl",),
    "named.jsonl alone": ("named.jsonl",),
}


@pytest.mark.parametrize("name", CASES)
def test_the_same_verdicts(folder, name, capsys):
    whole, streamed = judged(capsys, *CASES[name])
    assert whole == streamed
    assert whole[0] == (2 if "alone" in name else 0)  # alone no claim of theirs can be judged
    if "alone" not in name:
        assert all(one["holds"] for one in json.loads(whole[1]))


def edited(path, old, new):
    content = path.read_bytes()
    assert old in content
    path.write_bytes(content.replace(old, new, 1))


@pytest.mark.parametrize("name", CASES)
def test_a_changed_release_a_changed_certificate_and_a_wrong_original(folder, name, capsys):
    release = folder / name.split()[0]
    certificate = folder / f"{release.name}.certificate.json"
    kept = {path: path.read_bytes() for path in (release, certificate, folder / "notes.jsonl")}
    messages = []
    faults = [(release, b"Seen", b"Sean"), (certificate, b'"documents": 40', b'"documents": 39')]
    if "alone" not in name:
        faults.append((folder / "notes.jsonl", b"Seen", b"Sean"))
    for path, old, new in faults:
        edited(path, old, new)
        whole, streamed = judged(capsys, *CASES[name])
        assert whole == streamed
        messages.append((whole[0], whole[1] + whole[2]))
        path.write_bytes(kept[path])
    assert {code for code, _ in messages} == {4}
    assert len({told for _, told in messages}) == len(messages)


def test_a_release_whose_claim_fails_is_told_the_same(folder, capsys):
    """Certificate and seal made to fit: only the claim itself is wrong."""
    from sfumato.core.certificate import digest, sealed
    from sfumato.formats import file_digests, read

    edited(folder / "redacted.jsonl", b"cr*w dr*w 30", b"crew dr*w 30")
    path = folder / "redacted.jsonl.certificate.json"
    stated = json.loads(path.read_text())
    stated["hashes"]["files"] = file_digests(folder / "redacted.jsonl")
    texts = read(folder / "redacted.jsonl", text_column="t").texts
    stated["hashes"]["release"] = {"sha256": digest(texts).hexdigest()}
    del stated["seal"]
    path.write_text(json.dumps(sealed(stated, (folder / "key").read_bytes())))
    whole, streamed = judged(capsys, *CASES["redacted.jsonl"])
    assert whole[0] == streamed[0] == 4
    for one, other in zip(json.loads(whole[1]), json.loads(streamed[1]), strict=True):
        assert (one["claim"], one["holds"]) == (other["claim"], other["holds"])
        assert one.get("where") == other.get("where")


def test_undone_in_parts(folder, capsys):
    undo = ["pseudonymize", "named.jsonl", *TEXT, *KEY, "--mapping", "map", "--undo", "--json"]
    for mode in ("--stream", "--no-stream"):
        capsys.readouterr()
        assert run([*undo, mode, "-o", "back.jsonl", "--overwrite"]) == 0
        assert json.loads(capsys.readouterr().out)["same_bytes"] is True
        assert (folder / "back.jsonl").read_bytes() == (folder / "notes.jsonl").read_bytes()
    lines = (folder / "named.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "named.jsonl").write_bytes(b"".join(lines[::-1]))
    before = sorted(os.listdir())
    assert run([*undo, "--stream", "-o", "other.jsonl"]) == 2
    assert "document 0" in capsys.readouterr().out
    assert sorted(os.listdir()) == before
    (folder / "named.jsonl").write_bytes(b"".join(lines[:30]))
    assert run([*undo, "--stream", "-o", "other.jsonl"]) == 2
    assert sorted(os.listdir()) == before
    assert run([*undo, "--no-stream", "-o", "other.jsonl"]) == 0
