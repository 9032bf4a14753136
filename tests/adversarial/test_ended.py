"""Commands ended from outside: by the keyboard, a closed terminal, a closed pipe, a second command.

Each runs in a process of its own, the ones at a keyboard in a terminal of their own. Whatever ends
them, the release is complete and verified, or there is none, and the next command goes through.
"""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time

import pytest

SECRET = "Zyxommequvril"
PROGRAM = "from sfumato.cli import main; main()"
COLUMNS = ["--text-column", "text", "--group-column", "who"]
TERMS = ["--text-column", "text", "--terms", "terms.txt"]
VERB = ["suppress", "notes.jsonl", *COLUMNS, "-k", "3", "-o", "out.jsonl"]
POLICY = (
    "{version: 1, input: {path: notes.jsonl, columns: [text], person: who}, "
    "stages: [{verb: redact, terms: terms.txt, k: 2}, {verb: suppress, k: 3}], output: {path: out}}"
)
COMMANDS = {
    "verb": VERB,
    "parts": ["redact", "notes.jsonl", *TERMS, "-k", "2", "--stream", "-o", "out.jsonl"],
    "run": ["run", "release.yaml"],
}
JUDGED = {
    "verb": ["verify", "notes.jsonl", "out.jsonl", *COLUMNS, "-q"],
    "parts": ["verify", "notes.jsonl", "out.jsonl", *TERMS, "-q"],
    "run": ["verify", "out", "-q"],
}
GIVEN = ["notes.jsonl", "release.yaml", "terms.txt"]


@pytest.fixture
def place(tmp_path):
    rows = [{"who": f"p{i}", "text": f"Seen {SECRET} {i % 7} for asthma."} for i in range(9000)]
    (tmp_path / "notes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "terms.txt").write_text("asthma\ncough\n")
    (tmp_path / "release.yaml").write_text(POLICY)
    return tmp_path


def line(arguments):
    return [sys.executable, "-c", PROGRAM, *arguments]


def call(place, arguments):
    done = subprocess.run(line(arguments), cwd=place, capture_output=True, text=True)
    assert SECRET not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.returncode


def must_be_whole_or_absent(place, name, is_there):
    """Of a release its data and its certificate, or nothing; private folders can be resumed."""
    left = {one.name for one in place.iterdir()} - {*GIVEN, "out.private"}
    whole = {"out"} if name == "run" else {"out.jsonl", "out.jsonl.certificate.json"}
    assert left == (whole if is_there else set())
    assert not [one for one in place.rglob(".sfumato-*") if "out.private" not in one.parts]
    if is_there:
        assert call(place, JUDGED[name]) == 0


class Terminal:
    """A command at a terminal of its own."""

    def __init__(self, place, arguments):
        self.ours, theirs = pty.openpty()

        def own():
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            line(arguments),
            cwd=place,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=own,
            env={**os.environ, "TERM": "xterm"},
        )
        os.close(theirs)
        self.told = b""

    def read(self, seconds):
        until = time.monotonic() + seconds
        while time.monotonic() < until and select.select([self.ours], [], [], 0.05)[0]:
            try:
                self.told += os.read(self.ours, 4096)
            except OSError:  # all ends are closed
                return

    def until_it_shows(self, seconds=60):
        until = time.monotonic() + seconds
        while not self.told and self.process.poll() is None and time.monotonic() < until:
            self.read(0.05)

    def end(self):
        while self.process.poll() is None:
            self.read(0.1)
        self.read(0.1)
        os.close(self.ours)
        assert SECRET.encode() not in self.told
        assert b"Traceback" not in self.told
        return self.process.returncode


@pytest.mark.parametrize("later", [0, 0.3])
@pytest.mark.parametrize("name", COMMANDS)
def test_the_keyboard_interrupts(place, name, later):
    terminal = Terminal(place, COMMANDS[name])
    terminal.until_it_shows()
    terminal.read(later)
    os.write(terminal.ours, b"\x03")
    code = terminal.end()
    if code:
        assert code == 130
        assert b"interrupted; nothing was written" in terminal.told
    must_be_whole_or_absent(place, name, code == 0)
    if code:
        assert call(place, COMMANDS[name]) == 0
        must_be_whole_or_absent(place, name, True)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("name", COMMANDS)
def test_a_closed_terminal_and_an_end_that_is_asked_for(place, name, number):
    terminal = Terminal(place, COMMANDS[name])
    terminal.until_it_shows()
    terminal.process.send_signal(number)
    code = terminal.end()
    if code:
        assert code == 128 + number
    must_be_whole_or_absent(place, name, code == 0)


def test_who_is_told_to_stay_stays(place):
    """As by nohup: a closed terminal is no reason to end."""
    process = subprocess.Popen(
        line([*VERB, "-q"]),
        cwd=place,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )
    time.sleep(0.5)
    process.send_signal(signal.SIGHUP)
    assert process.wait() == 0
    must_be_whole_or_absent(place, "verb", True)


@pytest.mark.parametrize("lines", [0, 1])
@pytest.mark.parametrize("name", ["verb", "parts"])
def test_a_pipe_that_is_closed(place, name, lines):
    """`sfumato .. -o - | head`: the reader goes away before or after the first line."""
    command = [*COMMANDS[name][:-1], "-", "-q"]
    with subprocess.Popen(
        line(command), cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        for _ in range(lines):
            assert process.stdout.readline()
        process.stdout.close()
        told = process.stderr.read().decode()
    assert process.returncode == 1
    assert SECRET not in told
    assert "Traceback" not in told
    must_be_whole_or_absent(place, name, False)


def test_a_run_whose_reader_went_away(place):
    """What it says finds nobody; the release was made before, or is not there."""
    with subprocess.Popen(
        line(COMMANDS["run"]), cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        told = process.stderr.read().decode()
    assert process.returncode in (0, 1)
    assert SECRET not in told
    assert "Traceback" not in told
    must_be_whole_or_absent(place, "run", (place / "out").exists())
    assert call(place, [*COMMANDS["run"], "--overwrite"]) == 0
    must_be_whole_or_absent(place, "run", True)


@pytest.mark.parametrize("more", [[], ["--overwrite"]])
@pytest.mark.parametrize("name", COMMANDS)
def test_two_at_once_into_the_same_output(place, name, more):
    """One release stands there, whole: that of one of them, whichever was first."""
    both = [
        subprocess.Popen(
            line([*COMMANDS[name], *more, "-q"]),
            cwd=place,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for _ in range(2)
    ]
    told = [one.communicate()[0] for one in both]
    codes = sorted(one.returncode for one in both)
    assert codes[0] == 0, told
    assert codes[1] in (0, 2) if more else codes[1] == 2, told
    assert not any(SECRET in one or "Traceback" in one for one in told)
    must_be_whole_or_absent(place, name, True)


@pytest.mark.parametrize("name", COMMANDS)
def test_an_input_that_vanishes(place, name):
    """Read before, or not: the release is whole, or there is none and the message says so."""
    process = subprocess.Popen(
        line([*COMMANDS[name], "-q"]),
        cwd=place,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    time.sleep(1)
    held = (place / "notes.jsonl").read_bytes()
    (place / "notes.jsonl").unlink()
    told = process.communicate()[0]
    assert process.returncode in (0, 2), told
    assert SECRET not in told
    assert "Traceback" not in told
    (place / "notes.jsonl").write_bytes(held)
    must_be_whole_or_absent(place, name, process.returncode == 0)
