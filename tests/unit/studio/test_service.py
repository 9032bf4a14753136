"""The studio as a service: the same release as the command line, jobs that survive, limits."""

from __future__ import annotations

import gzip
import io
import json
import shutil
import stat
import zipfile
from datetime import date
from importlib.resources import files

import pytest

from sfumato.cli.app import run
from support.studios import PATIENCE, running, until

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")

MARKER = "Zanzibarqux"


def note(i):
    who = MARKER if i == 3 else "The"
    return {"id": f"p{i // 2}", "note": f"{who} patient has mild flu {i % 3} on visit {i}."}


NOTES = b"".join(json.dumps(note(i)).encode() + b"\n" for i in range(40))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(tmp_path_factory.mktemp("studio") / "files") as found:
        yield found


def tree(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_release_is_the_command_line_s_byte_for_byte(server, tmp_path):
    project = server.client.post("/api/projects", json={"example": "clinic"}).json()["id"]
    server.client.get(f"/api/projects/{project}/look")
    stated = server.client.get(f"/api/projects/{project}/policy").json()["stated"]
    stated["recognizer"] = "rules-en"
    stated["stages"][-1]["k"] = 6
    kept = server.client.put(f"/api/projects/{project}/policy", json={"stated": stated}).json()
    assert kept["problem"] is None
    assert "k: 6" in kept["text"]
    job = server.done(project)
    assert job["state"] == "done", job["reason"]
    for name in ("release.yaml", "files/schema.yaml", "files/key"):
        content = server.client.get(f"/api/projects/{project}/{name}").content
        (tmp_path / name.split("/")[-1]).write_bytes(content)
    shutil.copyfile(files("sfumato.examples") / "clinic.csv", tmp_path / "clinic.csv")
    assert run(["run", str(tmp_path / "release.yaml"), "-q"]) == 0
    archive = server.client.get(f"/api/jobs/{job['id']}/release.zip").content
    zipfile.ZipFile(io.BytesIO(archive)).extractall(tmp_path / "taken")
    assert tree(tmp_path / "taken" / "release") == tree(tmp_path / "release")
    assert run(["verify", str(tmp_path / "taken" / "release"), "-q"]) == 0
    assert server.client.get(f"/api/jobs/{job['id']}").json()["downloaded"] is True
    data = server.client.get(f"/api/jobs/{job['id']}/files/data/clinic.csv")
    assert data.content == (tmp_path / "release/data/clinic.csv").read_bytes()


def test_column_choices_are_lines_of_schema_and_policy(server):
    project, _ = server.upload("notes.jsonl", NOTES)
    look = server.client.get(f"/api/projects/{project}/look").json()
    assert {one["name"]: one["choice"] for one in look["columns"]} == {
        "id": "person",
        "note": "text",
    }
    columns = look["columns"]
    columns[1]["choice"] = "drop"
    told = server.client.put(f"/api/projects/{project}/columns", json={"columns": columns}).json()
    assert "role: drop" in told["schema"]
    assert "others: refuse" in told["schema"]
    assert [stage["verb"] for stage in told["stated"]["stages"]] == ["anonymize"]
    less = server.client.put(f"/api/projects/{project}/columns", json={"columns": columns[:1]})
    assert less.status_code == 400
    assert "no choice" in less.json()["error"]["problem"]


def test_dropped_columns_need_a_stage_that_drops_them(server):
    project, _ = server.upload("notes.jsonl", NOTES)
    columns = server.client.get(f"/api/projects/{project}/look").json()["columns"]
    text = (
        "version: 1\ninput: {path: notes.jsonl, columns: [note], person: id}\nschema: schema.yaml\n"
    )
    stages = "stages: [{verb: suppress, k: 2}]\n"
    columns[0]["choice"] = "drop"
    server.client.put(f"/api/projects/{project}/columns", json={"columns": columns})
    told = server.client.put(f"/api/projects/{project}/policy", json={"text": text + stages}).json()
    assert "no stage does that" in told["problem"]["problem"]
    assert server.done(project)["state"] == "failed"


def test_preview_follows_and_explains(server):
    project, _ = server.upload("notes.jsonl", NOTES)
    server.client.get(f"/api/projects/{project}/look")
    first = server.client.post(f"/api/projects/{project}/preview", json={}).json()
    changes = first["columns"]["note"]
    assert any(first["before"]["note"][d][a:b] == MARKER for d, a, b, _, _ in changes)
    known = {"known": first["sample"]}
    assert "before" not in server.client.post(f"/api/projects/{project}/preview", json=known).json()
    document, start, stop, *_ = next(c for c in changes if c[2] - c[1] == len(MARKER))
    place = {"column": "note", "document": document, "start": start, "stop": stop}
    told = server.client.post(f"/api/projects/{project}/reason", json=place).json()
    assert "of 1 people" in told["reasons"][0]["words"][0]
    verdicts = server.client.post(f"/api/projects/{project}/verdicts", json={}).json()
    assert verdicts
    assert all(one["holds"] for one in verdicts)


def test_policies_name_no_file_of_the_machine(server):
    project, _ = server.upload("notes.jsonl", NOTES)
    server.client.get(f"/api/projects/{project}/look")
    start = "version: 1\ninput: {path: notes.jsonl, columns: [note]}\n"
    for more in (
        "stages: [{verb: redact, terms: /etc/passwd}]",
        "stages: [{verb: redact, terms: ../key}]",
        "key_file: /etc/hostname\nstages: [{verb: suppress}]",
        "recognizer: ../../x.yaml\nstages: [{verb: suppress}]",
        "spans: /etc/passwd\nstages: [{verb: suppress}]",
    ):
        answer = server.client.put(f"/api/projects/{project}/policy", json={"text": start + more})
        assert answer.status_code == 400, more
        assert "plain name" in answer.json()["error"]["problem"]


HOSTILE = {
    "empty": ("notes.csv", b""),
    "no such kind": ("run.exe", b"MZ"),
    "binary": ("notes.csv", bytes(range(256)) * 40),
    "wrong encoding": ("notes.csv", "id,note\n1,caf\xe9 \xff".encode("latin-1")),
    "zip that is none": ("notes.csv.zip", b"PK\x03\x04 not a zip"),
    "gzip that is none": ("notes.csv.gz", b"\x1f\x8b rest"),
    "two gigabytes of one line": ("notes.txt.gz", gzip.compress(b"a" * (64 << 20), 9) * 33),
    "bomb of a workbook": ("notes.xlsx", None),
    "archive that says less than it gives": ("notes.zip", None),
    "two files": ("notes.csv.zip", None),
    "parquet that is none": ("notes.parquet", b"PAR1" + bytes(100) + b"PAR1"),
    "deep json": ("notes.jsonl", b'{"a":' * 20000),
    "archive of programs": ("notes.zip", None),
    "archive that is none": ("notes.zip", b"PK\x03\x04 not a zip"),
    "workbook that is none": ("notes.xlsx", b"PK\x03\x04 not a zip"),
    "old workbook": ("notes.xls", b"\xd0\xcf\x11\xe0"),
}


def zipped(members):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


def lying(name, size):
    """An archive of one file of a megabyte, of which it says that it has another size."""
    packed = zipped({name: b"a" * (1 << 20)})
    return packed.replace((1 << 20).to_bytes(4, "little"), size.to_bytes(4, "little"))


MADE = {
    "bomb of a workbook": lying("xl/worksheets/sheet1.xml", 3 << 30),
    "archive that says less than it gives": lying("a.txt", 10),
}
SAID = {
    "two gigabytes of one line": "more than 200 times as large as the file",
    "bomb of a workbook": "unpacks to more than 1,024 MB",
    "archive that says less than it gives": "damaged",
    "wrong encoding": "UTF-8",
    "no such kind": "of this kind",
    "empty": "empty",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_uploads_get_a_message_and_the_server_lives(server, name):
    file, content = HOSTILE[name]
    if content is None:
        content = MADE.get(name) or zipped({"a.exe": b"a\n1\n", "b.csv": b"a\n1\n"})
    project, answer = server.upload(file, content)
    if answer.status_code == 201:
        answer = server.client.get(f"/api/projects/{project}/look")
    assert answer.status_code == 400, answer.text
    assert SAID.get(name, "") in answer.json()["error"]["problem"]
    assert answer.json()["error"]["problem"]
    assert "unexpected" not in answer.text
    assert server.client.get("/api/about").status_code == 200


def test_names_and_cells_are_data(server):
    formula = b"id,note\n1,\"=cmd|' /C calc'!A0\"\n2,<script>alert(1)</script>\n3,plain words\n"
    for name in ("../../../etc/cron.d/x.csv", "<img src=x onerror=alert(1)>.csv", "a\x00b.csv"):
        project, answer = server.upload(name, formula)
        assert answer.status_code == 201
        assert answer.json()["file"] == "input.csv"
        rows = server.client.get(f"/api/projects/{project}/rows").json()["rows"]
        assert rows[1][1] == "<script>alert(1)</script>"
        assert rows[0][1].startswith("=cmd")
    inside = {path.name for path in (server.folder / "projects" / project).iterdir()}
    assert inside <= {"input.csv", "project.json", "key", "release.yaml", "schema.yaml"}


def test_workbooks_are_tables_and_archives_folders(server):
    openpyxl = pytest.importorskip("openpyxl")
    book, stream = openpyxl.Workbook(), io.BytesIO()
    book.active.append(["id", "seen", "note"])
    for i in range(6):
        book.active.append([f"p{i}", date(2024, 1, 1 + i), note(i)["note"]])
    book.create_sheet("others").append([MARKER])
    book.save(stream)
    project, _ = server.upload("visits.xlsx", stream.getvalue())
    look = server.client.get(f"/api/projects/{project}/look").json()
    assert {one["name"]: one["choice"] for one in look["columns"]} == {
        "id": "person",
        "seen": "recode",
        "note": "text",
    }
    rows = server.client.get(f"/api/projects/{project}/rows").json()["rows"]
    assert rows[1][:2] == ["p1", "2024-01-02"]
    stored = server.client.get(f"/api/projects/{project}/files/visits.csv").text
    assert stored.count("\n") == 7
    members = {f"a/{i}.txt": note(i)["note"] for i in range(5)} | {"../evil.txt": "x", ".x": "x"}
    project, _ = server.upload("visits.zip", zipped(members))
    look = server.client.get(f"/api/projects/{project}/look").json()
    assert (look["kind"], look["rows"]) == ("texts", 5)
    assert not (server.folder / "projects" / "evil.txt").exists()


def test_a_newer_look_at_everything_replaces_an_older_one(server):
    project, _ = server.upload("notes.jsonl", NOTES)
    server.client.get(f"/api/projects/{project}/look")
    first = server.done(project, "try")
    assert server.client.get(f"/api/jobs/{first['id']}/parts/0").json()[0]["document"] == 0
    second = server.done(project, "try")
    assert server.client.get(f"/api/jobs/{first['id']}").status_code == 404
    assert not (server.folder / "jobs" / first["id"]).exists()
    kept = server.client.get("/api/jobs", params={"project": project}).json()
    assert [one["id"] for one in kept] == [second["id"]]


def test_too_much_is_refused_while_it_comes(tmp_path):
    with running(tmp_path / "files", "--max-upload", "1") as server:
        project, answer = server.upload("notes.txt", b"x" * (2 << 20))
        assert answer.status_code == 413
        assert "MB together" in answer.json()["error"]["problem"]

        def undeclared():  # one line, and no length is told beforehand
            for _ in range(40):
                yield b"x" * 65536

        asked = {"name": "notes.txt"}
        answer = server.client.put(
            f"/api/projects/{project}/files", params=asked, content=undeclared()
        )
        assert answer.status_code == 413
        left = [p.name for p in (server.folder / "projects" / project).iterdir()]
        assert sorted(left) == ["key", "project.json"]


def test_twenty_jobs_at_once_and_a_killed_server_loses_nothing(tmp_path):
    folder = tmp_path / "files"
    with running(folder, "--workers", "3") as server:
        project, _ = server.upload("notes.jsonl", NOTES)
        server.client.get(f"/api/projects/{project}/look")
        path = f"/api/projects/{project}/jobs"
        jobs = [server.client.post(path, json={"kind": "run"}).json()["id"] for _ in range(20)]
        until(
            lambda: any(job["state"] == "running" for job in server.client.get("/api/jobs").json())
        )
        server.kill()
    with running(folder) as server:
        ended = [server.ended(job) for job in jobs]
        assert {job["state"] for job in ended} == {"done"}, [one["reason"] for one in ended]
        first, *others = (folder / "jobs" / job / "release" for job in jobs)
        assert all(tree(first) == tree(other) for other in others)
        modes = {
            stat.S_IMODE(one.stat().st_mode) for one in (folder, folder / "projects" / project)
        }
        assert modes == {0o700}
        assert server.client.delete("/api/everything").json() == {"wiped": True}
        assert server.client.get("/api/jobs").json() == []
        assert not (folder / "projects").exists()


def test_cancelled_jobs_leave_nothing(server):
    project = server.client.post("/api/projects", json={"example": "clinic"}).json()["id"]
    server.client.get(f"/api/projects/{project}/look")
    job = server.client.post(f"/api/projects/{project}/jobs", json={"kind": "run"}).json()["id"]
    assert server.client.post(f"/api/jobs/{job}/cancel").json()["state"] == "cancelled"
    assert not (server.folder / "jobs" / job / "release").exists()


def test_review_learn_and_judge(server):
    project = server.client.post("/api/projects", json={"example": "clinic"}).json()["id"]
    server.client.get(f"/api/projects/{project}/look")
    told = server.client.get(f"/api/projects/{project}/places").json()
    document, start, stop, label = told["places"][0][:4]
    where = {"document": document, "start": start, "stop": stop, "label": label}
    given = {"decisions": [{**where, "decision": "reject", "scope": "here"}]}
    kept = server.client.put(f"/api/projects/{project}/review", json=given).json()
    assert kept["decided"] == 1
    lines = server.client.get(f"/api/projects/{project}/files/review.jsonl").text.splitlines()
    assert sum(json.loads(line)["decision"] == "reject" for line in lines) == 1
    again = server.client.get(f"/api/projects/{project}/places").json()["decisions"]
    assert again == given["decisions"]
    learnt = server.done(project, "learn", folds=0)
    assert learnt["state"] == "done", learnt["reason"]
    assert learnt["result"]["model"] == "learnt.model"
    judged = server.done(project, "judge")
    assert judged["state"] == "done", judged["reason"]
    found = server.client.get(f"/api/jobs/{judged['id']}/judged").json()
    assert found["curve"]["parameter"] == "k"
    assert all(one["holds"] for one in found["verdicts"])
    assert {"linkage", "singling-out-word"} <= {one["name"] for one in found["attacks"]}
    assert all("sentence" in one for one in found["attacks"])
    assert found["riskiest"][0]["together"] <= found["riskiest"][-1]["together"]


def test_received_releases_are_judged(server, tmp_path):
    (tmp_path / "notes.jsonl").write_bytes(NOTES)
    given = "{path: notes.jsonl, columns: [note], person: id}"
    policy = f"{{version: 1, input: {given}, stages: [{{verb: suppress, k: 4}}]}}"
    (tmp_path / "release.yaml").write_text(policy)
    assert run(["run", str(tmp_path / "release.yaml"), "-q"]) == 0
    given = tree(tmp_path / "release")

    def judged(files):
        project = server.client.post("/api/projects", json={"kind": "received"}).json()["id"]
        for name, content in files.items():
            _, answer = server.upload(f"release/{name}", content, "release", project)
            assert answer.status_code == 201, answer.text
        return server.done(project, "receive")["result"]

    good = judged(given)
    assert good["holds"] is True
    assert good["verdicts"][0]["claim"] == "substring-k-anonymity"
    changed = given | {"data/notes.jsonl": given["data/notes.jsonl"] + b"\n"}
    assert judged(changed)["holds"] is False
    packed = judged({"release.zip": zipped({f"release/{k}": v for k, v in given.items()})})
    assert packed["holds"] is True
    project = server.client.post("/api/projects", json={"kind": "received"}).json()["id"]
    _, answer = server.upload("release/../../../x", b"x", "release", project)
    assert answer.status_code == 400


def test_logs_hold_no_text(server):
    server.log.flush()
    log = server.folder.with_name(server.folder.name + ".log").read_bytes()
    assert MARKER.encode() not in log
    assert PATIENCE
