"""A command killed at any of its steps: what is seen is whole, and the next one mends it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sfumato.cli.app import run
from sfumato.formats import file_digests

NOTES = [f"Seen {name} for asthma today." for name in ("Ann", "Bob", "Cy", "Di", "Ed", "Flo")]
POLICY = (
    "{version: 1, input: {path: notes.jsonl, columns: [text], person: who}, key_file: key, "
    "recognizer: names.yaml, "
    "stages: [{verb: pseudonymize}, {verb: suppress, k: 3}], output: {path: out}}"
)
VERB = "--text-column text --group-column who --key-file key -q"
COMMANDS = {
    "suppress": f"suppress notes.jsonl {VERB} -k 3 --private-certificate private.json -o out.jsonl",
    "pseudonymize": f"pseudonymize notes.jsonl {VERB} --recognizer names.yaml -o out.jsonl",
    "in parts": f"pseudonymize notes.jsonl {VERB} --recognizer names.yaml --stream -o out.jsonl",
    "folder": f"suppress notes {VERB.removeprefix('--text-column text --group-column who ')} "
    "-k 3 -o out",
    "run": "run release.yaml -q",
}
MOST = 10  # steps of a command at which it is killed, half of them its last ones
HERE = Path(__file__).parent.parent


@pytest.fixture
def pristine(tmp_path):
    """A folder with all that the commands read."""
    place = tmp_path / "pristine"
    (place / "notes").mkdir(parents=True)
    lines = [json.dumps({"who": f"p{i}", "text": text}) + "\n" for i, text in enumerate(NOTES)]
    (place / "notes.jsonl").write_text("".join(lines))
    for number, text in enumerate(NOTES):
        (place / "notes" / f"{number}.txt").write_text(text)
    (place / "key").write_text("a key of more than sixteen bytes\n")
    (place / "names.yaml").write_text("name: names\ndeny: {PERSON: [Ann, Bob, Cy]}\n")
    (place / "release.yaml").write_text(POLICY)
    return place


def killed_at_each(work: Path, pristine: Path, command: str):
    """Yields after every kill."""
    path = os.pathsep.join([str(HERE), *sys.path])
    line = [sys.executable, "-m", "support.killed", str(work), str(pristine), str(MOST)]
    with subprocess.Popen(
        [*line, *command.split()],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": path, "POLARS_MAX_THREADS": "1"},
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for told in process.stdout:
            assert told == "killed\n"
            yield
            process.stdin.write("next\n")
            process.stdin.flush()
        process.stdin.close()
    assert process.returncode == 0


def releases(work: Path) -> list[Path]:
    """The data that stands there by the name of a release."""
    return [path for path in work.glob("out*") if not path.name.endswith((".json", ".private"))]


def state(work: Path) -> dict[str, bytes]:
    """Every released file and its certificate, by name."""
    whole = [path for one in work.glob("out*") for path in (one, *one.rglob("*"))]
    return {
        path.relative_to(work).as_posix(): path.read_bytes()
        for path in whole
        if path.is_file() and ".private/" not in path.as_posix()
    }


def certified(work: Path, name: str) -> bool:
    """Whether a release stands there with the certificate that belongs to it."""
    data, beside = work / name, work / f"{name}.certificate.json"
    if (data / "SHA256SUMS").is_file():
        return run(["verify", str(data), "-q"]) == 0
    if not beside.is_file():
        return False
    return json.loads(beside.read_text())["hashes"]["files"] == file_digests(data)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_killed_command_leaves_nothing_half(command, pristine, tmp_path, monkeypatch):
    work, kills = tmp_path / "work", 0
    for _ in killed_at_each(work, pristine, COMMANDS[command]):
        kills += 1
        seen = releases(work)
        assert all(certified(work, one.name) for one in seen)
        monkeypatch.chdir(work)
        assert run([*COMMANDS[command].split(), "--overwrite"]) == 0
        assert releases(work)
        assert all(certified(work, one.name) for one in releases(work))
        assert not [path for path in work.rglob(".sfumato-*") if path.name != ".lock"]
        monkeypatch.chdir(tmp_path)
    assert kills >= 5


@pytest.mark.parametrize("command", ["suppress", "folder", "run"])
def test_what_is_overwritten_is_the_old_one_or_the_new_one(
    command, pristine, tmp_path, monkeypatch
):
    """Or, between two names, one that `verify` refuses until the next command mends it."""
    monkeypatch.chdir(pristine)
    words = COMMANDS[command].split()
    assert run(words) == 0
    old = state(pristine)
    changed = (pristine / "notes.jsonl").read_text().replace("asthma", "angina")
    (pristine / "notes.jsonl").write_text(changed)
    for path in (pristine / "notes").iterdir():
        path.write_text(path.read_text().replace("asthma", "angina"))
    monkeypatch.chdir(tmp_path)
    shutil.copytree(pristine, tmp_path / "new")
    monkeypatch.chdir(tmp_path / "new")
    assert run([*words, "--overwrite"]) == 0
    new = state(tmp_path / "new")
    assert old != new
    work, kills = tmp_path / "work", 0
    monkeypatch.chdir(tmp_path)
    for _ in killed_at_each(work, pristine, f"{COMMANDS[command]} --overwrite"):
        kills += 1
        found = state(work)
        whole = found in (old, new)
        for one in releases(work):
            assert whole or not certified(work, one.name)
        monkeypatch.chdir(work)
        assert run(words) == 2  # it stands there: the old one, or the new one, mended
        assert state(work) in (old, new)
        assert all(certified(work, one.name) for one in releases(work))
        assert not list(work.rglob(".sfumato-*"))
        monkeypatch.chdir(tmp_path)
    assert kills >= 5
