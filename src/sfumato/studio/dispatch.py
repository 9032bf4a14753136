"""Jobs in worker processes, a few at a time; each ends with the server, and begins again with it.

A run that was stopped goes on after its last finished stage: the pipeline keeps stage results. A
worker that dies has its job tried once more.
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

from .jobs import ATTEMPTS_ALONE, JobList

if TYPE_CHECKING:
    from .places import Place
    from .settings import Settings

EVERY = 0.1  # seconds between looks at the queue
DAILY = 3600.0


class Dispatcher:
    """Starts workers while jobs are queued, and sees how they end."""

    def __init__(self, settings: Settings, place: Place):
        self.settings, self.place = settings, place
        self.jobs = JobList(place.database)
        self._workers: list[subprocess.Popen[bytes]] = []
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
            for process in self._workers:
                job = self.jobs.running_of(process.pid)
                _end(process)
                if job is not None:
                    self.jobs.requeue(job)
            self._workers.clear()

    def cancel(self, identity: str) -> bool:
        """Takes a job back, and ends its worker."""
        with self._guard:
            for process in self._workers:
                if self.jobs.running_of(process.pid) == identity:
                    cancelled = self.jobs.cancel(identity)
                    _end(process)
                    self._workers.remove(process)
                    shutil.rmtree(self.place.job(identity), ignore_errors=True)
                    return cancelled
            return self.jobs.cancel(identity)

    def drop(self, project: str, kind: str) -> None:
        """Takes back the jobs of a kind that a project has, and removes what they gave."""
        for one in self.jobs.all(project):
            if one["kind"] == kind:
                self.cancel(one["id"])
                shutil.rmtree(self.place.job(one["id"]), ignore_errors=True)
                self.jobs.remove(one["id"])

    def wipe(self) -> None:
        """Cancels everything, and removes all files and the list."""
        for one in self.jobs.all():
            self.cancel(one["id"])
        self.place.wipe()
        self.jobs.forget()

    def expire(self) -> None:
        """Wipes what nobody used for the stated days: projects, and what their jobs gave."""
        gone = self.place.expire(self.settings.days, self.jobs.busy())
        for project in gone:
            for one in self.jobs.all(project):
                shutil.rmtree(self.place.job(one["id"]), ignore_errors=True)
        self.jobs.forget(gone)

    def _work(self) -> None:
        looked = -DAILY
        while not self._ending.wait(EVERY):
            if time.monotonic() - looked > DAILY:
                looked = time.monotonic()
                self.expire()
            with self._guard:
                for process in list(self._workers):
                    self._look(process)
                while len(self._workers) < self.settings.workers and self.jobs.waiting():
                    self._workers.append(self._started())
                    if not self._ending.wait(EVERY):  # it takes its job within moments
                        break

    def _look(self, process: subprocess.Popen[bytes]) -> None:
        """Sees whether a worker ended, and whether its job may go on."""
        code, job = process.poll(), self.jobs.running_of(process.pid)
        if code is None:
            begun = None if job is None else self.jobs.get(job)["started"]
            most = self.settings.limits.job_seconds
            if job is not None and begun is not None and time.time() - begun > most:
                _end(process)
                self.jobs.fail(job, {"problem": f"took more than {most:,} seconds"})
                self._clear(job)
            return
        self._workers.remove(process)
        if job is not None:  # it could not say what happened
            self.jobs.requeue(job, ATTEMPTS_ALONE, _ended(code))
            if self.jobs.get(job)["state"] == "failed":
                self._clear(job)

    def _clear(self, job: str) -> None:
        """Removes what a job left that gave nothing."""
        shutil.rmtree(self.place.job(job), ignore_errors=True)

    def _started(self) -> subprocess.Popen[bytes]:
        limits = self.settings.limits
        command = [sys.executable, "-m", "sfumato.studio.worker", str(self.place.folder)]
        return subprocess.Popen(  # noqa: S603 - our own module, no text of the user
            [*command, str(limits.job_memory), str(limits.rows), str(limits.unpacked)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=None if os.environ.get("SFUMATO_DEBUG") else subprocess.DEVNULL,
        )


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
    'the work was ended from outside (SIGKILL), twice: mostly for want of memory'
    """
    if code >= 0:
        return "the work ended unexpectedly, twice"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = str(-code)
    return f"the work was ended from outside ({name}), twice: mostly for want of memory"
