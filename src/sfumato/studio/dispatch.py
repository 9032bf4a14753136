"""Jobs in worker processes, a few at a time; each ends with the server, and begins again with it.

A run that was stopped goes on after its last finished stage: the pipeline keeps stage results.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

from .jobs import JobList

if TYPE_CHECKING:
    from .places import Place
    from .settings import Settings

EVERY = 0.1  # seconds between looks at the queue
DAILY = 3600.0


class Dispatcher:
    """Starts workers for queued jobs, and sees how they end."""

    def __init__(self, settings: Settings, place: Place):
        self.settings, self.place = settings, place
        self.jobs = JobList(place.database)
        self._running: dict[str, tuple[subprocess.Popen[bytes], float]] = {}
        self._ending = threading.Event()
        self._guard = threading.Lock()
        self._thread = threading.Thread(target=self._work, daemon=True)

    def start(self) -> None:
        """Takes up the jobs that an earlier server left, and begins."""
        self.jobs.requeue()
        self._thread.start()

    def stop(self) -> None:
        """Ends all workers; their jobs go on when a studio is started again."""
        self._ending.set()
        self._thread.join()
        with self._guard:
            for identity, (process, _) in self._running.items():
                _end(process)
                self.jobs.requeue(identity)
            self._running.clear()

    def cancel(self, identity: str) -> bool:
        """Takes a job back, and ends its worker."""
        cancelled = self.jobs.cancel(identity)
        with self._guard:
            found = self._running.pop(identity, None)
        if found is not None:
            _end(found[0])
            shutil.rmtree(self.place.job(identity), ignore_errors=True)
        return cancelled

    def wipe(self) -> None:
        """Cancels everything, and removes all files and the list."""
        for one in self.jobs.all():
            self.cancel(one["id"])
        self.place.wipe()
        self.jobs.forget()

    def _work(self) -> None:
        looked = 0.0
        while not self._ending.wait(EVERY):
            if time.monotonic() - looked > DAILY:
                looked = time.monotonic()
                self.jobs.forget(self.place.expire(self.settings.days, self.jobs.busy()))
            with self._guard:
                for identity, (process, begun) in list(self._running.items()):
                    self._look(identity, process, begun)
                while len(self._running) < self.settings.workers and self._next():
                    pass

    def _look(self, identity: str, process: subprocess.Popen[bytes], begun: float) -> None:
        """Sees whether a worker ended, and whether it may go on."""
        code = process.poll()
        if code is None:
            if time.monotonic() - begun > self.settings.limits.job_seconds:
                _end(process)
            return
        del self._running[identity]
        if self.jobs.get(identity)["state"] == "running":  # it could not say what happened
            self.jobs.fail(identity, {"problem": _ended(code), "remedy": "try less at a time"})

    def _next(self) -> bool:
        found = self.jobs.take()
        if found is None:
            return False
        limits = self.settings.limits
        command = [sys.executable, "-m", "sfumato.studio.worker", str(self.place.folder), found[0]]
        process = subprocess.Popen(  # noqa: S603 - our own module, no text of the user
            [*command, str(limits.job_memory), str(limits.rows), str(limits.unpacked)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=None if os.environ.get("SFUMATO_DEBUG") else subprocess.DEVNULL,
        )
        self._running[found[0]] = process, time.monotonic()
        return True


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _ended(code: int) -> str:
    """What the exit code of a worker says.

    >>> _ended(-9)
    'the work was ended from outside (SIGKILL): too little memory, or too long'
    """
    if code >= 0:
        return "the work ended unexpectedly"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = str(-code)
    return f"the work was ended from outside ({name}): too little memory, or too long"
