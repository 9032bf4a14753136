"""Where a release goes: one run at a time, nothing lost, nothing left by a run that was refused."""

from __future__ import annotations

import json
import os
import threading

import pytest

from sfumato.cli.app import run
from sfumato.core.errors import BadInput, NotVerified
from sfumato.pipeline import policy
from sfumato.pipeline import run as runs

POLICY = """version: 1
input: {{path: notes.jsonl, columns: [text], person: who}}
stages: [{{verb: suppress, k: {k}}}]
output: {{path: release}}
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [{"who": f"p{i}", "text": f"seen today with pain number{i % 3}"} for i in range(12)]
    (tmp_path / "notes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for k in (2, 3):
        (tmp_path / f"k{k}.yaml").write_text(POLICY.format(k=k))
    return tmp_path


def judged_late(monkeypatch, before):
    """Lets something happen between the stages and the verdict."""
    judge = runs.judge_results

    def late(done):
        before()
        return judge(done)

    monkeypatch.setattr(runs, "judge_results", late)


@pytest.mark.parametrize("overwrite", [False, True])
def test_two_runs_into_one_output_are_one_release(place, monkeypatch, overwrite):
    """The second is refused, whichever it is; the private folder is the first one's."""
    refused = []

    def other():
        monkeypatch.undo()
        os.chdir(place)
        with pytest.raises(BadInput, match="another run writes this release now") as problem:
            runs.run(policy.read("k3.yaml"), overwrite=overwrite)
        refused.append(problem)

    def at_once():
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()

    judged_late(monkeypatch, at_once)
    done = runs.run(policy.read("k2.yaml"), overwrite=overwrite)
    assert len(refused) == 1
    assert done.certificate["claims"][0]["parameters"]["k"] == 2
    held = json.loads((place / "release.private/certificate.json").read_text())
    assert held["claims"] == done.certificate["claims"]
    assert run(["verify", "notes.jsonl", "release", "-q"]) == 0


def test_a_release_that_came_meanwhile_is_kept(place, monkeypatch):
    assert run(["run", "k3.yaml", "-o", "aside", "-q"]) == 0

    def came():
        os.rename(place / "aside", place / "release")

    judged_late(monkeypatch, came)
    kept = (place / "aside" / "certificate.json").read_bytes()
    assert run(["run", "k2.yaml", "-q"]) == 2
    assert (place / "release" / "certificate.json").read_bytes() == kept
    assert not (place / "release.private").exists()


def test_what_was_refused_leaves_nothing(place, monkeypatch):
    def refuse():
        raise NotVerified("planted; nothing was written")

    judged_late(monkeypatch, refuse)
    assert run(["run", "k2.yaml", "-q"]) == 4
    assert sorted(os.listdir(place)) == ["k2.yaml", "k3.yaml", "notes.jsonl"]


def test_what_was_refused_leaves_the_private_folder_as_it_was(place, monkeypatch):
    assert run(["run", "k2.yaml", "-q"]) == 0
    private = place / "release.private"

    def content():
        return {path: path.is_file() and path.read_bytes() for path in private.rglob("*")}

    before = content()

    def refuse():
        raise NotVerified("planted; nothing was written")

    judged_late(monkeypatch, refuse)
    assert run(["run", "k3.yaml", "--overwrite", "-q"]) == 4
    assert content() == before
    assert run(["verify", "notes.jsonl", "release", "-q"]) == 0


def test_one_rule_for_what_exists(place):
    assert run(["run", "k2.yaml", "-q"]) == 0
    assert run(["run", "k3.yaml", "-q"]) == 2
    assert run(["run", "k3.yaml", "--overwrite", "-q"]) == 0
    assert run(["report", "release", "-o", "page.html", "-q"]) == 0
    assert run(["report", "release", "-o", "page.html", "-q"]) == 2
    assert run(["report", "release", "-o", "page.html", "-q", "--overwrite"]) == 0
