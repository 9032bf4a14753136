"""A standalone cluster on loopback: a master and two workers, separate processes."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Cluster:
    """The processes of a cluster; each leads a group of its own, with its executors."""

    folder: Path
    home: Path
    address: str = ""
    processes: list[subprocess.Popen] = field(default_factory=list)

    def run(self, name: str, *arguments: str) -> Path:
        log = self.folder / f"{name}.log"
        environment = {
            **os.environ,
            "SPARK_HOME": str(self.home),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
            "PYSPARK_PYTHON": sys.executable,
        }
        with log.open("wb") as out:
            self.processes.append(
                subprocess.Popen(
                    [self.home / "bin" / "spark-class", *arguments],
                    stdout=out,
                    stderr=subprocess.STDOUT,
                    env=environment,
                    start_new_session=True,
                )
            )
        return log

    def worker(self) -> subprocess.Popen:
        name = f"worker{len(self.processes)}"
        log = self.run(
            name,
            "org.apache.spark.deploy.worker.Worker",
            *("--cores", "1", "--memory", "1g", "--host", "127.0.0.1", "--webui-port", "0"),
            *("--work-dir", str(self.folder / name), self.address),
        )
        said(log, r"Successfully registered")
        return self.processes[-1]

    def kill(self, process: subprocess.Popen) -> None:
        """Signal 9, to a process and all that it started."""
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def said(log: Path, what: str, seconds: float = 120) -> str:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found = re.search(what, log.read_text(errors="replace"))
        if found:
            return found[0]
        time.sleep(0.2)
    raise TimeoutError(f"{log.name} did not say {what}")


@contextlib.contextmanager
def worker_lost(cluster, session, when):
    """A worker dies by signal 9 in a job that runs when this is so; another takes its place."""
    tracker, lost = session.sparkContext.statusTracker(), cluster.processes[-1]
    ended = threading.Event()

    def kill():
        while not (when() and tracker.getActiveJobsIds()):
            if ended.wait(0.02):
                return
        cluster.kill(lost)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    try:
        yield
    finally:
        ended.set()
        killer.join()
    assert lost.poll() is not None, "the worker was not killed in the middle"
    cluster.worker()


def after_jobs(session, count):
    """Whether so many jobs have begun since now."""
    tracker = session.sparkContext.statusTracker()
    before = len(tracker.getJobIdsForGroup(None))
    return lambda: len(tracker.getJobIdsForGroup(None)) >= before + count
