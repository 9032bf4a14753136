"""Limits that the system sets: full disks, little memory, folders that may not be written.

Commands run in a process of their own. Whatever stops them, the output is complete and verified, or
there is none.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sfumato.cli import publish
from sfumato.cli.app import run

SECRET = "Zyxommequvril"
COMMAND = [
    *("suppress", "notes.jsonl", "--text-column", "text", "--group-column", "who", "-k", "3"),
    *("-o", "out.jsonl", "-q"),
]
COMPLETE = ["notes.jsonl", "out.jsonl", "out.jsonl.certificate.json"]
ROWS = 2000
PROGRAM = "from sfumato.cli import main; main()"


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [{"who": f"p{i}", "text": f"Seen {SECRET} {i % 7} for asthma."} for i in range(ROWS)]
    (tmp_path / "notes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def left(place):
    return sorted(path.name for path in place.iterdir())


def command(place, limit, *arguments):
    """Runs a command under a limit: its exit code and what it said."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *(arguments or COMMAND)],
        cwd=place,
        preexec_fn=limit,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONSAFEPATH": "1"},
    )
    return done.returncode, done.stdout + done.stderr


def test_a_file_that_may_not_grow(place):
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    code, told = command(place, limit)
    assert code == 1
    assert "nothing was written" in told
    assert SECRET not in told
    assert left(place) == ["notes.jsonl"]


def test_a_disk_that_is_really_full(place):
    """A file system of 64 kB; only an administrator may mount one."""
    small = place / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(small)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        arguments = [*COMMAND[:-3], "-o", str(small / "out.jsonl"), "-q"]
        code, told = command(place, None, *arguments)
        assert code == 1
        assert SECRET not in told
        assert left(small) == []
    finally:
        subprocess.run(["umount", str(small)], check=True)


def test_standard_output_that_is_full(place):
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, *COMMAND[:-3], "-o", "-", "-q"],
            cwd=place,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 1
    assert SECRET not in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("megabytes", [500, 180, 100])
def test_little_memory(place, megabytes):
    """Enough or too little: the output is whole, or there is none."""

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    code, told = command(place, limit)
    assert SECRET not in told
    if code == 0:
        assert left(place) == COMPLETE
        judge = ["verify", "notes.jsonl", "out.jsonl", "--text-column", "text", "-q"]
        assert run([*judge, "--group-column", "who"]) == 0
    else:
        assert left(place) == ["notes.jsonl"]


# In a namespace of its own, so that nothing outside it changes. Python may lie where its owner
# alone may look: then an empty folder takes the place of the closed one, with Python in it.
OPENED = """\
set -e
if [ -n "$closed" ]; then
  mkdir "$aside"; mount --bind "$python" "$aside"
  mount -t tmpfs -o mode=755 none "$closed"
  mkdir -p "$python"; mount --bind "$aside" "$python"
fi
exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
"""
READ_ONLY = """\
set -e
mount --bind "$place" "$place"; mount -o remount,bind,ro "$place"
exec "$@"
"""


def inside(script, place, **told):
    """Runs the command in a mount namespace of its own, as a script prepares it."""
    if os.geteuid() != 0 or not all(map(shutil.which, ("unshare", "setpriv", "mount"))):
        pytest.skip("only an administrator may mount")
    if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode:
        pytest.skip("no namespace can be made here")
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", script, "sh", sys.executable, "-c", PROGRAM, *COMMAND],
        cwd=place,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONSAFEPATH": "1", "place": str(place), "HOME": "/", **told},
    )
    return done.returncode, done.stdout + done.stderr


def test_a_file_system_that_may_not_be_written(place):
    code, told = inside(READ_ONLY, place)
    assert code == 2, told
    assert "Read-only file system" in told
    assert SECRET not in told
    assert left(place) == ["notes.jsonl"]


@pytest.mark.parametrize("mode", [0o555, 0o777])
def test_a_folder_that_another_user_may_not_write(place, mode, tmp_path_factory):
    """Whom modes stop, unlike an administrator; where they do not, the release is complete."""
    closed = [one for one in Path(sys.base_prefix).parents if not one.stat().st_mode & 0o001]
    for above in place.parents:
        if above.stat().st_uid == os.geteuid() and not above.stat().st_mode & 0o005:
            above.chmod(above.stat().st_mode | 0o005)
    place.chmod(mode)
    aside = tmp_path_factory.mktemp("aside") / "python"
    aside.parent.chmod(0o755)
    code, told = inside(
        OPENED,
        place,
        closed=str(closed[-1]) if closed else "",
        python=sys.base_prefix,
        aside=str(aside),
    )
    place.chmod(0o755)
    assert SECRET not in told
    assert "Traceback" not in told
    if mode == 0o777:
        assert (code, left(place)) == (0, COMPLETE), told
    else:
        assert code in (1, 2), told
        assert "Permission denied" in told
        assert left(place) == ["notes.jsonl"]


def test_an_input_that_changes_during_the_run(place, monkeypatch):
    """The release is that of what was read, and is verified by it alone."""
    before, judge = (place / "notes.jsonl").read_bytes(), publish.verify

    def changed(*given, **more):
        (place / "notes.jsonl").write_text('{"who": "q", "text": "another"}\n')
        return judge(*given, **more)

    monkeypatch.setattr(publish, "verify", changed)
    assert run(COMMAND) == 0
    given = ["verify", "notes.jsonl", "out.jsonl", "--text-column", "text", "-q"]
    given += ["--group-column", "who"]
    assert run(given) == 4
    (place / "notes.jsonl").write_bytes(before)
    assert run(given) == 0


@pytest.mark.parametrize("raised", [RuntimeError, ValueError, KeyError, MemoryError])
def test_a_recogniser_that_raises(place, raised, monkeypatch, capsys):
    from sfumato import recognizers

    def broken(name, processes=1):
        def find(texts, *_, **__):
            raise raised(texts[0])

        return find

    monkeypatch.setattr(recognizers, "recognizer", broken)
    given = ["pseudonymize", "notes.jsonl", "--text-column", "text", "-o", "out.jsonl", "-q"]
    assert run(given) != 0
    assert SECRET not in "".join(capsys.readouterr())
    assert left(place) == ["notes.jsonl"]
