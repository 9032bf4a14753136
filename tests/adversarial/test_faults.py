"""A machine that fails while a command works: nothing half is left, and the message is plain."""

from __future__ import annotations

import errno
import json
import os
import time

import pytest

from sfumato.cli import publish
from sfumato.cli.app import run

SECRET = "Zyxommequvril"
COMMAND = [
    *("suppress", "notes.jsonl", "--text-column", "text", "--group-column", "who", "-k", "3"),
    *("--private-certificate", "private.json", "-o", "out.jsonl", "-q"),
]


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [{"who": f"p{i}", "text": f"Seen {SECRET} for asthma."} for i in range(6)]
    (tmp_path / "notes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def left(place):
    return sorted(path.name for path in place.iterdir())


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO])
def test_a_disk_that_is_full(number, place, monkeypatch, capsys):
    def full(handle):
        raise OSError(number, os.strerror(number), SECRET)

    monkeypatch.setattr(os, "fsync", full)
    assert run(COMMAND) == 1
    told = capsys.readouterr().err
    assert os.strerror(number).lower() in told
    assert "nothing was written" in told
    assert SECRET not in told
    assert left(place) == ["notes.jsonl"]


@pytest.mark.parametrize("call", [1, 2, 3, 4])
def test_a_name_that_cannot_be_given(call, place, monkeypatch, capsys):
    """Each rename of a commit fails once: the list of what is put in place, and the three files."""
    replace, calls = os.replace, []

    def failing(source, target):
        calls.append(target)
        if len(calls) == call:
            raise OSError(errno.EACCES, "planted", SECRET)
        replace(source, target)

    monkeypatch.setattr(os, "replace", failing)
    assert run(COMMAND) == 1
    assert SECRET not in capsys.readouterr().err
    assert left(place) == ["notes.jsonl"]


@pytest.mark.parametrize(
    ("raised", "code"), [(KeyboardInterrupt, 130), (MemoryError, 1), (RuntimeError, 1)]
)
def test_what_ends_a_command_before_its_verdict(raised, code, place, monkeypatch, capsys):
    def ended(*_, **__):
        raise raised(SECRET)

    monkeypatch.setattr(publish, "verify", ended)
    assert run(COMMAND) == code
    assert SECRET not in "".join(capsys.readouterr())
    assert left(place) == ["notes.jsonl"]


def test_a_clock_that_was_set_back(place, monkeypatch):
    assert run(COMMAND) == 0
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert run(COMMAND) == 2
    assert run([*COMMAND, "--overwrite"]) == 0
