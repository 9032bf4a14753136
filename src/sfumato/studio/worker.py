"""One job in a process of its own: `python -m sfumato.studio.worker FOLDER JOB MEMORY ROWS BYTES`.

It keeps its progress and its outcome in the list of jobs by itself, so that neither is lost with
the server.
"""

from __future__ import annotations

import fcntl
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.errors import SfumatoError
from .desk_process import told, unexpected
from .jobs import JobList
from .limits import end_with, limit
from .places import Place, private
from .reading import Allowed

if TYPE_CHECKING:
    from ..core.progress import Progress

EVERY = 0.2  # seconds between notes of progress


def main() -> None:
    """Does one job."""
    folder, identity = Path(sys.argv[1]), sys.argv[2]
    memory, rows, unpacked = map(int, sys.argv[3:6])
    end_with(os.getppid())
    limit(memory)
    place = Place(folder)
    jobs = JobList(place.database)
    private(folder / "jobs")
    results = private(place.job(identity))
    with (results / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # a worker of a killed server may be about to end
        do(jobs, place, identity, results, Allowed(rows, unpacked))


def do(jobs: JobList, place: Place, identity: str, results: Path, allowed: Allowed) -> None:
    """Does a job, and keeps what came of it."""
    from .work import WORK

    try:
        told_of = jobs.get(identity)
        project = place.project(told_of["project"])
        work = WORK[told_of["kind"]]
        arguments = jobs.arguments(identity)
        result = work(project, results, allowed, reporter(jobs, identity), **arguments)
    except SfumatoError as problem:
        jobs.fail(identity, told(problem))
    except MemoryError:
        remedy = "give less at a time, or use the command line"
        jobs.fail(identity, {"problem": "needs more memory than is allowed", "remedy": remedy})
    except Exception as problem:
        jobs.fail(identity, {"problem": unexpected(problem)})
    else:
        jobs.finish(identity, result)


def reporter(jobs: JobList, identity: str) -> Progress:
    """Notes progress in the list, not more often than somebody looks."""
    last: dict[str, Any] = {"at": 0.0, "part": ""}

    def report(part: str, share: float) -> None:
        now = time.monotonic()
        if part == last["part"] and now - last["at"] < EVERY:
            return
        last.update(at=now, part=part)
        jobs.report(identity, part, min(1.0, max(0.0, share)))

    return report


if __name__ == "__main__":
    main()
