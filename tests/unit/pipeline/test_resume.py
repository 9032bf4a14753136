"""A run that is killed goes on where it was, and gives the bytes of one that was not."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from importlib.resources import files

import pytest

from sfumato.cli.app import run

# Runs a policy in a process that stops for ever when it comes to a certain function.
STOPPING = """
import sys, time
from pathlib import Path
from sfumato.methods.meanings import generalize
from sfumato.pipeline import folder, result_folder
from sfumato.cli.app import run

def stop(*arguments, **named):
    Path("reached").touch()
    time.sleep(600)

where = sys.argv[1]
if where == "verb":
    generalize.generalize = stop
elif where == "result":
    old = result_folder._save_texts
    def second(folder, release, *rest):
        return stop() if release.verb == "generalize" else old(folder, release, *rest)
    result_folder._save_texts = second
else:
    folder.sums = stop
sys.exit(run(["run", "release.yaml", "-q"]))
"""


def prepare(folder):
    """Notes, a key and a policy of three stages."""
    notes = (files("sfumato.examples") / "clinic_notes.jsonl").read_bytes()
    (folder / "notes.jsonl").write_bytes(notes)
    (folder / "key").write_text("a key of more than sixteen bytes\n")
    policy = {
        "version": 1,
        "publish": "all",
        "input": {"path": "notes.jsonl", "columns": ["text"], "person": "patient_id"},
        "key_file": "key",
        "stages": [
            {"verb": "pseudonymize"},
            {"verb": "generalize", "t": 8, "words": ["pain", "fever", "cough"]},
            {"verb": "suppress", "k": 5},
        ],
    }
    (folder / "release.yaml").write_text(json.dumps(policy))


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    prepare(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """Where a run was that nothing stopped."""
    folder = tmp_path_factory.mktemp("whole")
    prepare(folder)
    assert run(["run", str(folder / "release.yaml"), "-q"]) == 0
    return folder


@pytest.mark.parametrize("where", ["verb", "result", "folder"])
def test_killed_and_resumed_gives_the_same_bytes(place, undisturbed, where, capsys):
    process = subprocess.Popen([sys.executable, "-c", STOPPING, where])
    try:
        for _ in range(6000):
            if (place / "reached").exists():
                break
            assert process.poll() is None
            time.sleep(0.05)
        assert (place / "reached").exists()
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert not (place / "release").exists()
    assert run(["run", "release.yaml", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["stages_reused"] == (3 if where == "folder" else 1)
    for name in ("SHA256SUMS", "certificate.json", "data/notes.jsonl"):
        mine, whole = (one / "release" / name for one in (place, undisturbed))
        assert mine.read_bytes() == whole.read_bytes()
    kept = sorted(path.name for path in (place / "release.private/stages").iterdir())
    assert kept == sorted(path.name for path in (undisturbed / "release.private/stages").iterdir())


def test_a_changed_stage_is_run_again_and_its_predecessors_are_not(place, capsys):
    assert run(["run", "release.yaml", "-q"]) == 0
    policy = json.loads((place / "release.yaml").read_text())
    policy["stages"][2]["k"] = 4
    (place / "release.yaml").write_text(json.dumps(policy))
    assert run(["run", "release.yaml", "--json", "--overwrite"]) == 0
    assert json.loads(capsys.readouterr().out)["stages_reused"] == 2
    (place / "notes.jsonl").write_bytes((place / "notes.jsonl").read_bytes() + b"\n")
    assert run(["run", "release.yaml", "--json", "--overwrite"]) == 0
    assert json.loads(capsys.readouterr().out)["stages_reused"] == 0
