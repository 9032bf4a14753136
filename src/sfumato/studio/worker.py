"""Jobs in a process of their own: `python -m sfumato.studio.worker FOLDER MEMORY ROWS BYTES`.

It keeps its progress and its outcome in the list of jobs by itself, so that neither is lost with
the server.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import SfumatoError
from .desk_process import told, unexpected
from .jobs import JobList
from .limits import end_with, limit
from .places import Place, private
from .reading import InputLimits

if TYPE_CHECKING:
    from ..core.progress import Progress
    from ..core.values import JsonObject

EVERY = 0.2  # seconds between notes of progress
MOST = 50  # jobs of one process, which may keep what it took


def main() -> None:
    """Does queued jobs one after the other, until none is left."""
    folder = Path(sys.argv[1])
    memory, rows, unpacked = map(int, sys.argv[2:5])
    end_with(os.getppid())
    from . import work  # noqa: F401 - before a job is taken: it may take a while

    limit(memory)
    place = Place(folder)
    jobs = JobList(place.database)
    private(folder / "jobs")
    for _ in range(MOST):
        found = jobs.take(os.getpid())
        if found is None:
            return
        results = private(place.job(found[0]))
        with (results / ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # a worker of a killed server may be about to end
            do(jobs, place, found[0], results, InputLimits(rows, unpacked))


def do(jobs: JobList, place: Place, identity: str, results: Path, allowed: InputLimits) -> None:
    """Does a job, and keeps what came of it."""
    from .work import WORK

    try:
        told_of = jobs.get(identity)
        project = place.project(told_of["project"])
        work = WORK[told_of["kind"]]
        arguments = jobs.arguments(identity)
        result = work(project, results, allowed, reporter(jobs, identity), **arguments)
    except SfumatoError as problem:
        failed: JsonObject = told(problem)
    except MemoryError:
        remedy = "give less at a time, or use the command line"
        failed = {"problem": "needs more memory than is allowed", "remedy": remedy}
    except Exception as problem:
        failed = {"problem": unexpected(problem)}
    else:
        jobs.finish(identity, result)
        return
    shutil.rmtree(results, ignore_errors=True)  # stages, whose texts nobody asks for any more
    jobs.fail(identity, failed)


def reporter(jobs: JobList, identity: str) -> Progress:
    """Notes progress in the list, not more often than somebody looks."""
    last: JsonObject = {"at": 0.0, "part": ""}

    def report(part: str, share: float) -> None:
        now = time.monotonic()
        if part == last["part"] and now - last["at"] < EVERY:
            return
        last.update(at=now, part=part)
        jobs.report(identity, part, min(1.0, max(0.0, share)))

    return report


if __name__ == "__main__":
    main()
