"""Runs a command again and again in processes that are killed at one of their steps.

`python -m support.killed FOLDER PRISTINE MOST COMMAND...`: a first process counts the steps of the
command, in a folder made like PRISTINE. A step is what changes the disk below FOLDER: a file opened
to be written, a name given, changed or removed. Then, for MOST of them (the last ones all, since
names are given there), the folder is made anew, and a process begins the command and kills itself
before that step. Prints a line for each kill and waits for one.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys

STEPS = ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.truncate")
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT


def watched(step: int, folder: str) -> list[int]:
    """Kills this process before the step of this number; counts steps where it is 0."""
    count = [0]

    def hook(event: str, given: tuple[object, ...]) -> None:
        if event in STEPS or (event == "open" and isinstance(given[2], int) and given[2] & WRITES):
            if not os.path.abspath(str(given[0])).startswith(folder):
                return
            count[0] += 1
            if count[0] == step:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)
    return count


def begun(folder: str, pristine: str, step: int, command: list[str]) -> int:
    """How many steps the command has, or -1 if it was killed; all in a process of its own."""
    from sfumato.cli.app import run

    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(pristine, folder)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        count = watched(step, folder)
        code = run(command)
        os.write(writing, str(count[0]).encode() if code == 0 else b"-2")
        os._exit(code)
    os.close(writing)
    _, status = os.waitpid(child, 0)
    with os.fdopen(reading) as told:
        return -1 if os.WIFSIGNALED(status) else int(told.read() or -2)


def main() -> None:
    """Forks for every step: what is imported once is there for all."""
    folder, pristine, most, *command = sys.argv[1:]
    import sfumato.cli.publish
    import sfumato.cli.stream
    import sfumato.cli.verb
    import sfumato.pipeline.run
    import sfumato.reports.report
    import sfumato.verification.composed_claims  # noqa: F401

    steps = begun(folder, pristine, 0, command)
    assert steps > 0, steps
    last = max(1, steps - int(most) // 2)
    stride = max(1, -(-last * 2 // int(most)))
    for step in [*range(1, last, stride), *range(last, steps + 1)]:
        assert begun(folder, pristine, step, command) == -1
        print("killed", flush=True)
        if not sys.stdin.readline():
            return


if __name__ == "__main__":
    main()
