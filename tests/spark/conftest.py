"""A cluster for all tests, and a session on it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from sfumato.engines import session_ended
from spark.clusters import Cluster, said


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
        with session_ended():
            yield made
    finally:
        for process in made.processes:
            if process.poll() is None:
                made.kill(process)


@pytest.fixture(scope="module")
def session(cluster):
    """That of the file before, unless a command has ended it: Java and its workers are warm."""
    from sfumato.engines.spark import start

    return start(
        cluster.address,
        spark_executor_memory="512m",
        spark_cores_max="2",
        spark_sql_shuffle_partitions="4",
        spark_task_maxFailures="8",
        spark_ui_retainedJobs="100000",  # a test counts them
    )
