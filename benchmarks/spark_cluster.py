"""A cluster on this machine, and what a run on it takes: CPU, memory, bytes shuffled."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
import threading
import time
from pathlib import Path

from tables import ROOT

sys.path.insert(0, str(ROOT / "tests" / "spark"))
TICK = os.sysconf("SC_CLK_TCK")


class Watched:
    """CPU seconds and the most memory of all processes of some sessions."""

    def __init__(self, sessions: list[int]):
        self.sessions, self.stopped = set(sessions), False
        self.most = {"java": 0.0, "python": 0.0, "all": 0.0}
        self.thread = threading.Thread(target=self._watch, daemon=True)
        self.begun = self.cpu()
        self.thread.start()

    def _all(self):
        for folder in Path("/proc").iterdir():
            if not folder.name.isdigit():
                continue
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
                if int(fields[3]) in self.sessions:
                    yield folder, fields
            except (OSError, ValueError):
                continue

    def cpu(self) -> float:
        return sum(sum(map(int, fields[11:15])) for _, fields in self._all()) / TICK

    def _memory(self) -> dict[str, float]:
        """In MB: of Java (without the daemons of a cluster), of Python, and of all."""
        now = {"java": 0.0, "python": 0.0, "all": 0.0}
        for folder, _ in self._all():
            try:
                command = (folder / "cmdline").read_bytes()
                rolled = (folder / "smaps_rollup").read_text()
            except OSError:  # it has ended
                continue
            found = re.search(r"^Pss: +(\d+) kB", rolled, re.MULTILINE)
            size = int(found[1]) / 1000 if found else 0.0
            is_java = b"java" in command.partition(b"\0")[0]
            if not is_java or b"deploy.worker" not in command:
                now["java" if is_java else "python"] += size
            now["all"] += size
        return now

    def _watch(self) -> None:
        while not self.stopped:
            for name, size in self._memory().items():
                self.most[name] = max(self.most[name], size)
            time.sleep(1)

    def stop(self) -> tuple[float, dict[str, float]]:
        self.stopped = True
        return self.cpu() - self.begun, self.most


def shuffled(log: Path, since: float) -> float:
    """Megabytes written to shuffles by tasks that were launched since then."""
    total = 0
    for file in log.rglob("*"):
        if not file.is_file():
            continue
        for line in file.read_text(errors="replace").splitlines():
            if '"SparkListenerTaskEnd"' not in line:
                continue
            event = json.loads(line)
            if event["Task Info"]["Launch Time"] >= since * 1000:
                metrics = event.get("Task Metrics") or {}
                total += metrics.get("Shuffle Write Metrics", {}).get("Shuffle Bytes Written", 0)
    return total / 1e6


class Measured:
    """What a run on the cluster takes."""

    def __init__(self, workers: list[int], folder: str):
        self.since, self.log = time.time(), Path(folder, "log")
        self.workers, self.driver = Watched(workers), Watched([os.getsid(0)])

    def row(self, size: float, wall: float, cpu: float, same: bool) -> dict[str, object]:
        took = time.time() - self.since
        used, most = self.workers.stop()
        _, driver = self.driver.stop()
        time.sleep(1)
        return {
            "size": size,
            "here s": wall,
            "here CPU s": cpu,
            "Spark s": took,
            "Spark CPU s": used,
            "CPU s a unit": used / size,
            "s a unit": took / size,
            "shuffled MB": shuffled(self.log, self.since),
            "shuffled a byte": shuffled(self.log, self.since) / size,
            "executors' Java": round(most["java"]),
            "executors' Python": round(most["python"]),
            "driver": round(driver["all"]),
            "same": "yes" if same else "NO",
        }


@contextlib.contextmanager
def on_cluster(folder: Path):
    """A session on a cluster of two workers that has run something, and the workers."""
    import pyspark
    from clusters import Cluster, said

    import sfumato as sf
    from sfumato.engines.spark import start

    with contextlib.suppress(PermissionError):  # it leads one already
        os.setsid()  # what is counted as the driver's is what this process starts
    log = folder / "log"
    log.mkdir()
    cluster = Cluster(folder, Path(pyspark.__file__).parent)
    session, begun = None, time.time()
    try:
        out = cluster.run(
            "master",
            "org.apache.spark.deploy.master.Master",
            *("--host", "127.0.0.1", "--port", "0", "--webui-port", "0"),
        )
        cluster.address = said(out, r"spark://127\.0\.0\.1:\d+")
        workers = [cluster.worker().pid for _ in range(2)]
        settings = {
            "spark_eventLog_enabled": "true",
            "spark_eventLog_dir": log.as_uri(),
            "spark_eventLog_compress": "false",
            "spark_eventLog_rolling_enabled": "false",
        }
        session = start(cluster.address, spark_executor_memory="512m", **settings)
        session.sparkContext.setLogLevel("OFF")
        small = session.createDataFrame(
            [(str(i), "a b c") for i in range(9)], "who string, text string"
        )
        engine = sf.SparkEngine(session, text_column="text", blocks=2)
        sf.suppress(small, k=2, reach=1, groups="who", engine=engine).data.count()
        print(f"start-up and a first run: {time.time() - begun:.0f} s", flush=True)
        yield session, workers
    finally:
        if session is not None:
            session.stop()
        for process in cluster.processes:
            cluster.kill(process)
