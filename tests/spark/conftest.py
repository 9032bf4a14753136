"""A standalone cluster on loopback: a master and two workers, separate processes."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest


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


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    if shutil.which("java") is None:
        pytest.skip("no Java: apt install default-jre-headless")
    pyspark = pytest.importorskip("pyspark", reason="no pyspark: make spark")
    made = Cluster(tmp_path_factory.mktemp("spark"), Path(pyspark.__file__).parent)
    try:
        log = made.run(
            "master",
            "org.apache.spark.deploy.master.Master",
            *("--host", "127.0.0.1", "--port", "0", "--webui-port", "0"),
        )
        made.address = said(log, r"spark://127\.0\.0\.1:\d+")
        for _ in range(2):
            made.worker()
        yield made
    finally:
        for process in made.processes:
            if process.poll() is None:
                made.kill(process)


@pytest.fixture(scope="module")  # a command in another file ends the session that is there
def session(cluster):
    from sfumato.engines.spark import start

    made = start(
        cluster.address,
        spark_executor_memory="512m",
        spark_cores_max="2",
        spark_sql_shuffle_partitions="4",
        spark_task_maxFailures="8",
    )
    yield made
    made.stop()
