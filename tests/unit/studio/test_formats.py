"""Files of every kind that `formats` reads, through the studio: the command line's bytes."""

from __future__ import annotations

import gzip
import io
import json
import shutil
from datetime import date

import pytest

from sfumato.cli.app import run
from support.studios import running

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")

NAMES = (("Anna", "Monday"), ("Boris", "Tuesday"), ("Clara", "Friday")) * 8
NOTES = [
    f"Patient {name} has mild flu and was sent home on {day}, case {i}."
    for i, (name, day) in enumerate(NAMES)
]
DRUGS = [["aspirin", "statin", "insulin"][i % 3 : i % 3 + 1 + i % 2] for i in range(12)]
RECORDS = [{"id": f"p{i // 2}", "drugs": DRUGS[i // 2], "note": one} for i, one in enumerate(NOTES)]


def workbook():
    openpyxl = pytest.importorskip("openpyxl")
    book, stream = openpyxl.Workbook(), io.BytesIO()
    book.active.append(["id", "seen", "ill", "note"])
    for i, one in enumerate(NOTES):
        book.active.append([f"p{i // 2}", date(2024, 1, 1 + i), bool(i % 2), one])
    book.create_sheet("others").append(["Zanzibarqux"])
    book.save(stream)
    return stream.getvalue()


def parquet():
    import polars as pl

    stream = io.BytesIO()
    pl.DataFrame(RECORDS).write_parquet(stream)
    return stream.getvalue()


def resources():
    """Notes of FHIR, one resource a line, and as a bundle."""
    for i, one in enumerate(NOTES):
        whose = {"reference": f"Patient/{i // 2}"}
        note = [{"text": one}]
        yield {"resourceType": "Condition", "id": f"c{i}", "subject": whose, "note": note}


def bundle():
    entries = [{"resource": one} for one in resources()]
    return {"resourceType": "Bundle", "type": "collection", "entry": entries}


def lines(records):
    return b"".join(json.dumps(one).encode() + b"\n" for one in records)


def pdf():
    pytest.importorskip("pypdfium2")
    from sfumato.formats import pdf as writer

    return writer.made(NOTES, "notes.pdf")


def page():
    return f"<html><body>{''.join(f'<p>{one}</p>' for one in NOTES)}</body></html>".encode()


FILES = {
    "visits.xlsx": workbook,
    "lists.jsonl": lambda: lines(RECORDS),
    "pretty.json": lambda: json.dumps(RECORDS, indent=2).encode(),
    "lists.parquet": parquet,
    "resources.ndjson": lambda: lines(resources()),
    "bundle.json": lambda: json.dumps(bundle()).encode(),
    "notes.pdf": pdf,
    "notes.html": page,
    "notes.lines.gz": lambda: gzip.compress("\n".join(NOTES).encode()),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(tmp_path_factory.mktemp("studio") / "files") as found:
        yield found


def tree(folder):
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


@pytest.mark.parametrize("name", FILES)
def test_a_release_of_the_page_is_the_command_line_s(server, tmp_path, name):
    project, _ = server.upload(name, FILES[name]())
    look = server.client.get(f"/api/projects/{project}/look")
    assert look.status_code == 200, look.text
    preview = server.client.post(f"/api/projects/{project}/preview", json={})
    assert preview.status_code == 200, preview.text
    job = server.done(project)
    assert job["state"] == "done", job["reason"]
    given = server.client.get(f"/api/projects/{project}").json()["input"]
    for one in ("release.yaml", "files/schema.yaml", "files/key", "files/rules.yaml"):
        answer = server.client.get(f"/api/projects/{project}/{one}")
        if answer.status_code == 200:
            (tmp_path / one.split("/")[-1]).write_bytes(answer.content)
    shutil.copyfile(server.folder / "projects" / project / given, tmp_path / given)
    assert run(["run", str(tmp_path / "release.yaml"), "-q"]) == 0
    assert tree(server.folder / "jobs" / job["id"] / "release") == tree(tmp_path / "release")
    assert run(["verify", str(tmp_path / "release"), "-q"]) == 0
    assert all(b"case 17" not in one for one in tree(tmp_path / "release").values())


def test_what_is_no_list_of_records_is_refused(server):
    for content in (b'{"a": "words"}', b'["words"]', b"{", b'[{"a": 1}, 2]'):
        project, _ = server.upload("notes.json", content)
        look = server.client.get(f"/api/projects/{project}/look")
        assert look.status_code == 400, content
        assert "unexpected" not in look.text


def test_policies_reach_nothing_but_the_project(server):
    project, _ = server.upload("query.jsonl", lines(resources()))
    server.client.get(f"/api/projects/{project}/look")
    rules = b"key_file: /etc/hostname\n"
    _, kept = server.upload("mine.yaml", rules, "rules", project)
    assert kept.json()["file"] == "mine.yaml"
    for given in (
        "{path: query.jsonl, format: 'fhir:/etc/passwd'}",
        "{path: query.jsonl, format: 'fhir:../rules.yaml'}",
        "{path: query.jsonl, format: 'fhir:mine.yaml'}",
        "{url: 'sqlite:////etc/passwd', query: 'select 1'}",
        "{path: query.jsonl, url: 'sqlite:////etc/passwd', query: 'select 1'}",
    ):
        text = f"version: 1\ninput: {given}\nstages: [{{verb: suppress}}]\n"
        answer = server.client.put(f"/api/projects/{project}/policy", json={"text": text})
        assert answer.status_code == 400, given
