"""A studio that is attacked: processes killed, forms of any size and shape, clients that wait."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import threading
import time
from pathlib import Path

import pytest

from support.studios import running, until

pytest.importorskip("fastapi")
uvicorn = pytest.importorskip("uvicorn")

from sfumato.studio import bodies, connections  # noqa: E402

MARKER = "Zanzibarqux"
NOTES = b"".join(
    json.dumps({"id": f"p{i // 2}", "note": f"{MARKER} has mild flu {i % 3} on {i}."}).encode()
    + b"\n"
    for i in range(3000)
)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(tmp_path_factory.mktemp("studio") / "files", "--workers", "1") as found:
        yield found
        found.log.flush()
        log = found.folder.with_name(found.folder.name + ".log").read_text()
        assert MARKER not in log


def begun(server):
    """A project with notes, and a job that runs on them."""
    project, _ = server.upload("notes.jsonl", NOTES)
    server.client.get(f"/api/projects/{project}/look")
    job = server.client.post(f"/api/projects/{project}/jobs", json={"kind": "run"}).json()["id"]
    return project, job


def killed(server, module, again=()):
    """Kills the process of the server that runs a module, once there is one; its number."""

    def look():
        for path in Path("/proc").glob("[0-9]*"):
            try:
                parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
                command = (path / "cmdline").read_bytes()
            except OSError:
                continue
            if parent == server.process.pid and module in command and int(path.name) not in again:
                return int(path.name)
        return None

    found = until(look)
    os.kill(found, signal.SIGKILL)
    return found


def taken(server, job):
    return until(lambda: server.client.get(f"/api/jobs/{job}").json()["state"] == "running")


def test_a_worker_that_dies_has_its_job_tried_again(server):
    _, job = begun(server)
    taken(server, job)
    killed(server, b"sfumato.studio.worker")
    ended = server.ended(job)
    assert ended["state"] == "done", ended["reason"]
    assert ended["attempts"] == 2
    assert all(one["holds"] for one in ended["result"]["verdicts"])
    assert server.client.get(f"/api/jobs/{job}/release.zip").status_code == 200


def test_a_job_whose_worker_dies_twice_fails_and_leaves_nothing(server):
    project, job = begun(server)
    taken(server, job)
    first = killed(server, b"sfumato.studio.worker")
    until(lambda: server.client.get(f"/api/jobs/{job}").json()["attempts"] == 2)
    killed(server, b"sfumato.studio.worker", again=(first,))
    ended = server.ended(job)
    assert ended["state"] == "failed"
    assert "SIGKILL" in ended["reason"]["problem"]
    until(lambda: not (server.folder / "jobs" / job).exists())
    assert server.client.get(f"/api/jobs/{job}/release.zip").status_code == 404
    assert server.client.get(f"/api/projects/{project}/look").json()["rows"] == 3000
    assert server.done(project)["state"] == "done", "the next job is none the worse"


def test_a_desk_that_dies_is_replaced(server):
    project, _ = server.upload("notes.jsonl", NOTES)
    assert server.client.get(f"/api/projects/{project}/look").status_code == 200
    desks = [killed(server, b"desk_process")]
    desks.append(killed(server, b"desk_process", again=desks))
    answers = [server.client.get(f"/api/projects/{project}/look") for _ in range(2)]
    assert answers[-1].status_code == 200
    assert answers[-1].json()["rows"] == 3000


def test_forms_of_any_size_are_refused_or_taken(server):
    def forever():
        for _ in range((bodies.LARGEST >> 20) + 3):
            yield b" " * (1 << 20)

    for path in ("/api/projects", "/api/projects/0000000000000000/preview"):
        answer = server.client.post(
            path, content=forever(), headers={"content-type": "application/json"}
        )
        assert answer.status_code == 413, answer.text
        declared = {"content-type": "application/json", "content-length": str(1 << 40)}
        assert raw(server, "POST", path, declared) == 413
    assert server.client.get("/api/about").status_code == 200


def raw(server, method, path, headers):
    """The code that is answered to a request whose body never comes."""
    host, port = server.base.removeprefix("http://").strip("/").split(":")
    lines = {"host": f"{host}:{port}", "authorization": f"Bearer {server.token}", **headers}
    told = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    with socket.create_connection((host, int(port)), timeout=30) as client:
        client.sendall(f"{method} {path} HTTP/1.1\r\n{told}\r\n".encode())
        return int(client.recv(200).split()[1])


FORMS = (
    {},
    {"columns": [{}]},
    {"columns": [1]},
    {"columns": [{"name": 1, "choice": 2}]},
    {"columns": [{"name": "id", "choice": "x"}, {"name": "note", "choice": "x"}]},
    {"stated": {"stages": [1]}},
    {"stated": {"stages": {"a": 1}}},
    {"stated": {"stages": [{"verb": ["x"]}]}},
    {"stated": {"input": 3, "stages": [{"verb": "suppress"}]}},
    {"stated": {"input": {}, "stages": [{"verb": "suppress", "k": "many"}]}},
    {"text": "a: &a [x]\nb: [*a, *a]\n"},
    {"text": "\0"},
    {"decisions": [{}]},
    {"decisions": [{"document": 10**9, "start": 0, "stop": 1}]},
    {"kind": "run", "arguments": {"output": "/etc"}},
    {"document": 10**9, "start": 0, "stop": 1},
)


@pytest.mark.parametrize("looked", [False, True])
def test_forms_of_any_shape_are_answered_with_what_is_wrong(server, looked):
    project, _ = server.upload("notes.jsonl", NOTES[:2000])
    if looked:
        server.client.get(f"/api/projects/{project}/look")
    asked = ("columns", "policy", "preview", "verdicts", "guessed", "reason", "review", "jobs")
    for form in FORMS:
        for name in asked:
            if name == "jobs" and "kind" not in form:
                continue  # any other form is a run
            method = "PUT" if name in ("columns", "policy", "review") else "POST"
            answer = server.client.request(method, f"/api/projects/{project}/{name}", json=form)
            assert answer.status_code in (200, 201, 400, 404, 409, 422), (form, name, answer.text)
            assert "unexpected" not in answer.text, (form, name)


def test_uploads_at_once_lose_no_file(server):
    project = server.client.post("/api/projects", json={"name": "many"}).json()["id"]
    codes = []

    def send(number):
        _, answer = server.upload(f"{number}.txt", b"words of one" * 9000, "folder", project)
        codes.append(answer.status_code)

    clients = [threading.Thread(target=send, args=(number,)) for number in range(12)]
    for one in clients:
        one.start()
    for one in clients:
        one.join()
    assert codes == [201] * 12
    assert server.client.get(f"/api/projects/{project}/look").json()["rows"] == 12


def test_what_was_arriving_when_a_studio_was_killed_is_removed(tmp_path):
    folder = tmp_path / "files"
    with running(folder) as server:
        project, _ = server.upload("notes.jsonl", NOTES)
        host, port = server.base.removeprefix("http://").strip("/").split(":")
        client = socket.create_connection((host, int(port)))
        client.sendall(
            f"PUT /api/projects/{project}/files?name=b.txt HTTP/1.1\r\nhost: {host}:{port}\r\n"
            f"authorization: Bearer {server.token}\r\ncontent-length: 9999\r\n\r\n{MARKER}".encode()
        )
        place = folder / "projects" / project
        until(lambda: list(place.glob(".upload-*")))
        server.kill()
        client.close()
    with running(folder):
        assert not list(place.glob(".upload-*"))
        assert (place / "notes.jsonl").read_bytes() == NOTES


def test_clients_that_do_not_go_on_are_closed(monkeypatch):
    monkeypatch.setattr(connections, "SLOWEST", 0.2)

    async def app(scope, receive, send):
        body = await receive()
        assert not body.get("more_body")
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"whole"})

    config = uvicorn.Config(
        app, http=connections.Connection, log_config=None, lifespan="off", port=0
    )
    service = uvicorn.Server(config)
    listener = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=service.run, kwargs={"sockets": [listener]})
    thread.start()
    whole = b"GET / HTTP/1.1\r\nhost: a\r\n\r\n"
    try:
        until(lambda: service.started)
        for sent in (b"", b"GET / HTTP/1.1\r\nhost: a\r\n", whole + whole[:20]):
            with socket.create_connection(listener.getsockname()[:2], timeout=20) as client:
                client.sendall(sent)
                answer = b""
                while part := client.recv(1000):
                    answer += part
                assert (b"whole" in answer) == sent.startswith(whole)
        with socket.create_connection(listener.getsockname()[:2], timeout=20) as client:
            for _ in range(3):  # one that asks again a little later finds its connection
                client.sendall(whole)
                answer = b""
                while b"whole" not in answer:
                    part = client.recv(1000)
                    assert part, "closed"
                    answer += part
                time.sleep(0.5)
    finally:
        service.should_exit = True
        thread.join()


def test_a_body_that_stops_coming_is_given_up(monkeypatch):
    monkeypatch.setattr(bodies, "SLOWEST", 0.05)

    async def stalled():
        await asyncio.sleep(30)

    body = bodies.Body(stalled, is_file=True)
    assert asyncio.run(body.receive()) == bodies.GONE
    assert body.refused[0] == 408
