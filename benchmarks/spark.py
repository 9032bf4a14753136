"""`suppress` and its verification on one machine and on a standalone cluster, at several sizes.

    python benchmarks/spark.py [--sizes 1,5,20,50] [--k 5] [--reach M] [--strict] [--verify]

Posts of the Blog Authorship Corpus (SFUMATO_DATA), k bloggers. The cluster is a master and two
workers of one core each, on this machine, as in tests/spark. Start-up and a first small run are
apart. Releases are compared byte for byte. CPU is that of all processes of the workers, bytes
shuffled are from Spark's event log, memory is the largest sum that was seen twice a second.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import sys
import tempfile
import threading
import time
import warnings
from pathlib import Path

import zstandard

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "spark"))
DATA = Path(os.environ.get("SFUMATO_DATA", ROOT / ".." / "shared" / "data"))
TICK = os.sysconf("SC_CLK_TCK")


def posts(megabytes: float) -> list[tuple[str, str]]:
    """The first posts of every so many bloggers, until there are so many bytes."""
    rows, size = [], 0
    with (DATA / "blogs.csv.zst").open("rb") as packed:
        text = io.TextIOWrapper(
            zstandard.ZstdDecompressor().stream_reader(packed), "utf-8", newline=""
        )
        for row in csv.DictReader(text):
            rows.append((row["id"], row["text"]))
            size += len(row["text"].encode())
            if size >= megabytes * 1e6:
                break
    return rows


class Watched:
    """CPU seconds and the most memory of all processes of some sessions."""

    def __init__(self, sessions: list[int]):
        self.sessions, self.most, self.stopped = set(sessions), 0, False
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
                    yield fields
            except (OSError, ValueError):
                continue

    def cpu(self) -> float:
        return sum(sum(map(int, fields[11:15])) for fields in self._all()) / TICK

    def _watch(self) -> None:
        page = os.sysconf("SC_PAGE_SIZE")
        while not self.stopped:
            self.most = max(self.most, sum(int(one[21]) * page for one in self._all()))
            time.sleep(0.5)

    def stop(self) -> tuple[float, float]:
        self.stopped = True
        return self.cpu() - self.begun, self.most / 1e6


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


def main() -> None:
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="1,5,20,50", help="megabytes")
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--reach", type=int)
    parser.add_argument("--blocks", type=int)
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--verify", action="store_true")
    given = parser.parse_args()
    import pyarrow as pa
    import pyarrow.parquet as pq
    import pyspark

    import sfumato as sf
    from conftest import Cluster, said
    from sfumato.engines.spark import start

    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        log.mkdir()
        cluster = Cluster(Path(folder), Path(pyspark.__file__).parent)
        session = None
        try:
            begun = time.time()
            out = cluster.run(
                "master",
                "org.apache.spark.deploy.master.Master",
                *("--host", "127.0.0.1", "--port", "0", "--webui-port", "0"),
            )
            cluster.address = said(out, r"spark://127\.0\.0\.1:\d+")
            workers = [cluster.worker() for _ in range(2)]
            settings = {
                "spark_eventLog_enabled": "true",
                "spark_eventLog_dir": log.as_uri(),
                "spark_eventLog_compress": "false",
                "spark_eventLog_rolling_enabled": "false",
            }
            session = start(cluster.address, spark_executor_memory="800m", **settings)
            session.sparkContext.setLogLevel("OFF")
            small = session.createDataFrame(
                [(str(i), "a b c") for i in range(9)], "who string, text string"
            )
            engine = sf.SparkEngine(session, text_column="text", blocks=2)
            sf.suppress(small, k=2, reach=1, groups="who", engine=engine).data.count()
            print(f"start-up and a first run: {time.time() - begun:.0f} s")
            print(
                "MB  local s  local CPU s  spark s  spark CPU s  s/MB  "
                "shuffled MB  workers MB  same"
            )
            for size in map(float, given.sizes.split(",")):
                rows = posts(size)
                path = Path(folder, f"{size}.parquet")
                pq.write_table(
                    pa.table({"who": [a for a, _ in rows], "text": [b for _, b in rows]}), path
                )
                wall, cpu = time.time(), time.process_time()
                options = {"k": given.k, "reach": given.reach, "strict": given.strict}
                here = sf.suppress([b for _, b in rows], groups=[a for a, _ in rows], **options)
                wall, cpu = time.time() - wall, time.process_time() - cpu
                watched, since = Watched([one.pid for one in workers]), time.time()
                engine = sf.SparkEngine(session, text_column="text", blocks=given.blocks)
                frame = session.read.parquet(str(path))
                release = sf.suppress(frame, groups="who", engine=engine, **options)
                there = Path(folder, f"{size}.out")
                release.data.write.parquet(str(there))
                took = time.time() - since
                used, most = watched.stop()
                time.sleep(1)
                moved = shuffled(log, since)
                texts = [
                    one
                    for part in sorted(there.glob("*.parquet"))
                    for one in pq.read_table(part)["text"].to_pylist()
                ]
                same = texts == here.data
                print(
                    f"{size:g}  {wall:.1f}  {cpu:.1f}  {took:.1f}  {used:.1f}  {took / size:.1f}  "
                    f"{moved:.1f}  {most:.0f}  {same}",
                    flush=True,
                )
                if given.verify:
                    since = time.time()
                    (verdict,) = sf.verify(frame, release)
                    took, moved = time.time() - since, shuffled(log, since)
                    print(f"verified: {verdict.holds}, {took:.1f} s, shuffled {moved:.1f} MB")
        finally:
            if session is not None:
                session.stop()
            for process in cluster.processes:
                cluster.kill(process)


if __name__ == "__main__":
    main()
