"""What goes wrong on Spark: all of a release or none of it, the exit code, nobody's text."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from functools import partial

import pytest

import sfumato as sf
from spark.commands import several

pytestmark = pytest.mark.filterwarnings("ignore")
SECRET = "Zuckmayer"
STOPPED = f"""
import sys
from sfumato.recognizers import by_name

def recognizer(texts):
    for text in texts:
        if "{SECRET}" in text:
            raise ValueError("cannot read " + text)
    return []
"""


@pytest.fixture
def folder(tmp_path):
    if shutil.which("java") is None:
        pytest.skip("no Java: apt install default-jre-headless")
    pytest.importorskip("pyspark", reason="no pyspark: make spark")
    names = ["Ann", "Bob", "Eve", "Dan", SECRET, "Ida"]
    rows = [
        {"n": str(i), "who": f"p{i % 6}", "note": f"{names[i % 6]} has flu and a cough, number {i}"}
        for i in range(60)
    ]
    (tmp_path / "notes.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))
    (tmp_path / "key").write_text("thirty-two bytes of a secret key")
    (tmp_path / "terms.txt").write_text("cough\ncouch\n")
    (tmp_path / "policy.yaml").write_text(
        "version: 1\nkey_file: key\npublish: all\n"
        "input: {path: notes.jsonl, columns: [note], person: who}\n"
        "stages:\n- {verb: redact, terms: terms.txt, k: 2}\n- {verb: suppress, k: 3, reach: 1}\n"
    )
    return tmp_path


ASKED = ("notes.jsonl", "--text-column", "note", "--publish", "all", "--engine", "spark")
SUPPRESS = ("suppress", *ASKED, "--group-column", "who", "-k", "3", "--reach", "1")


def left_in(folder):
    """What is there beside the input, temporary files too."""
    known = {"notes.jsonl", "key", "terms.txt", "policy.yaml", "small", "plugin"}
    return {one.name for one in folder.iterdir()} - known


def test_what_fails_on_a_worker_names_no_text_and_leaves_nothing(folder):
    """A recogniser that raises, quoting the text; then one place that cannot be written."""
    plugin = folder / "plugin"
    info = plugin / "stopped-1.0.dist-info"
    info.mkdir(parents=True)
    (plugin / "stopped.py").write_text(STOPPED)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stopped\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[sfumato.recognizers]\nstopped = stopped:recognizer\n")
    (folder / "small").write_text("a file, no folder")
    codes, told = several(
        folder,
        ("pseudonymize", *ASKED, "--recognizer", "stopped", "--key-file", "key", "-o", "out"),
        ("recognize", *ASKED[:3], *ASKED[5:], "--recognizer", "stopped", "-o", "spans"),
        (*SUPPRESS, "-o", "small/out"),
        PYTHONPATH=str(plugin),
    )
    assert codes[:2] == [1, 1], told
    assert codes[2] == 2, told
    assert told.count("unexpected ValueError in stopped.py, line 8, on a worker") == 2
    assert SECRET not in told
    assert "has flu" not in told
    assert left_in(folder) == set()


def test_a_full_disk_ends_the_command_and_leaves_nothing(folder):
    """Of the folder where Spark keeps its own files, and of the one that is written."""
    small = folder / "small"
    small.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "none", small], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip("a small disk cannot be mounted here")
    try:
        # Random words: what is written is not much smaller than what is read.
        rows = [
            {"n": str(i), "who": f"p{i % 6}", "note": os.urandom(900).hex()} for i in range(300)
        ]
        (folder / "notes.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))
        codes, told = several(folder, (*SUPPRESS, "-o", "out"), SPARK_LOCAL_DIRS=str(small))
        assert codes == [1], told
        assert "no space left on device; nothing was written" in told
        assert left_in(folder) == set()
        shutil.rmtree(small, ignore_errors=True)
        codes, told = several(folder, (*SUPPRESS, "-o", "small/out"))
        assert codes == [1], told
        assert "no space left on device; nothing was written" in told
        assert rows[0]["note"][:20] not in told
        assert {one.name for one in small.iterdir()} == set()
    finally:
        subprocess.run(["umount", small], check=False)


def killed(folder, command, when, **environment):
    """A command whose driver, Java too, is killed by signal 9 when this is so."""
    asked = [sys.executable, "-W", "ignore", "-c", "from sfumato.cli import main; main()"]
    process = subprocess.Popen(
        [*asked, *command],
        cwd=folder,
        env={**os.environ, **environment},
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    until = time.monotonic() + 300
    while time.monotonic() < until and process.poll() is None and not when():
        time.sleep(0.02)
    assert process.poll() is None, process.communicate()[1].decode()
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def test_a_driver_that_was_killed_leaves_no_release_and_the_policy_goes_on(folder):
    stages = folder / "there.private" / "stages"
    there = ("run", "policy.yaml", "--engine", "spark", "-o", "there")
    killed(folder, there, lambda: any(one.name[:1] != "." for one in stages.glob("*")))
    assert not (folder / "there").exists()
    kept = {one.name for one in stages.iterdir() if one.name[:1] != "."}
    codes, told = several(folder, there, ("run", "policy.yaml", "-o", "here"))
    assert codes == [0, 0], told
    assert kept <= {one.name for one in stages.iterdir()}  # they were used, not made again
    assert _notes(folder / "there") == _notes(folder / "here")
    assert left_in(folder) == {"there", "there.private", "here", "here.private"}


def test_a_driver_killed_within_a_verb_leaves_nothing_and_the_next_command_succeeds(folder):
    """While it counts and while it writes; what was released before stays until then."""
    (folder / "people.csv").write_text(
        "age,kind\n" + "".join(f"{20 + i % 7},{'ab'[i % 2]}\n" for i in range(24))
    )
    (folder / "people.yaml").write_text("columns: {age: {kind: number}, kind: {kind: category}}\n")
    table = ("anonymize", "people.csv", "--schema", "people.yaml", "-k", "4", "--key-file", "key")
    verbs = {
        "out": (*SUPPRESS, "-o", "out", "--overwrite"),
        "table": (*table, "--engine", "spark", "-o", "table", "--overwrite"),
    }
    inside = folder / "small"  # Spark's own files
    for name, verb in verbs.items():
        (folder / name).mkdir()
        (folder / name / "part-0").write_text("an earlier release")
        before = left_in(folder)
        for place, what in ((inside, "**/shuffle_*.data"), (folder, ".sfumato-*")):
            inside.mkdir()
            started = partial(_is_there, place, what)
            killed(folder, verb, started, SPARK_LOCAL_DIRS=str(inside))
            assert [one.name for one in (folder / name).iterdir()] == ["part-0"]
            shutil.rmtree(inside)
            if place == inside:
                assert left_in(folder) == before
    codes, told = several(folder, *verbs.values())
    assert codes == [0, 0], told
    certificates = {f"{name}.certificate.json" for name in verbs}
    assert left_in(folder) == {"people.csv", "people.yaml", *verbs, *certificates}
    for name in verbs:
        assert not (folder / name / "part-0").exists()
        assert list((folder / name).glob("part-*"))


def _is_there(folder, what):
    return any(True for _ in folder.glob(what))


def _notes(release):
    data = release / "data" / "notes.jsonl"
    parts = sorted(data.iterdir()) if data.is_dir() else [data]
    return [json.loads(line)["note"] for one in parts for line in one.read_text().splitlines()]


def test_errors_of_workers_are_those_of_one_machine():
    """What is said of a failure survives the way through Spark, and nothing else does."""
    from sfumato.engines.spark_faults import _told, _without_text

    refused = sf.BadInput("a key occurs twice", where="line 7", remedy="keep one")
    again = _told(f"Py4JJavaError: at x\n{_without_text(refused)}\n at y", "notes")
    assert (type(again), str(again)) == (sf.BadInput, str(refused))
    try:
        raise KeyError(SECRET)
    except KeyError as problem:
        said = str(_without_text(problem))
    assert SECRET not in said
    assert "KeyError in test_faults.py" in str(_told(said, "notes"))
    assert _told("java.io.IOException: No space left on device", "notes").errno == 28
    assert _told("something else", "notes") is None
