"""Who may ask: tokens, Host, Origin; what every answer says; limits of names and time."""

from __future__ import annotations

import os
import re
import time

import pytest

httpx = pytest.importorskip("httpx")
pytest.importorskip("fastapi")

from sfumato.studio.dispatch import Dispatcher  # noqa: E402
from sfumato.studio.gate import COOKIE  # noqa: E402
from sfumato.studio.jobs import JobList  # noqa: E402
from sfumato.studio.places import Place  # noqa: E402
from sfumato.studio.settings import Settings  # noqa: E402
from sfumato.studio.studio import application  # noqa: E402

HOST = "127.0.0.1:8321"


def ask(app, path="/api/about", method="GET", host=HOST, **headers):
    async def send():
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{host}") as client:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            return await client.request(method, path, headers=named)

    import asyncio

    return asyncio.run(send())


@pytest.fixture
def settings(tmp_path):
    return Settings(tmp_path / "files", port=8321)


@pytest.fixture
def app(settings):
    return application(settings)


def bearer(settings):
    return {"authorization": f"Bearer {settings.token}"}


def test_nothing_answers_without_a_token(app):
    for path in ("/", "/api/about", "/api/openapi.json", "/static/app.js", "/nowhere", "/api/jobs"):
        assert ask(app, path).status_code == 401, path
    assert ask(app, authorization="Bearer wrong").status_code == 401
    assert ask(app, cookie=f"{COOKIE}=wrong").status_code == 401
    assert ask(app, "/?token=wrong").status_code == 401


def test_a_token_is_for_the_api_alone(app, settings):
    assert ask(app, **bearer(settings)).status_code == 200
    assert ask(app, "/", **bearer(settings)).status_code == 401
    assert ask(app, "/static/app.js", **bearer(settings)).status_code == 401


def test_the_start_is_exchanged_once(app, settings):
    first = ask(app, f"/?token={settings.token}")
    cookie = first.headers["set-cookie"]
    assert first.status_code == 200
    assert all(part in cookie for part in ("HttpOnly", "SameSite=Strict", "Path=/"))
    assert settings.token not in cookie
    assert ask(app, f"/?token={settings.token}").status_code == 401
    value = cookie.split(";")[0]
    assert ask(app, "/", cookie=value).status_code == 200
    key = re.search(r"#key=([\w-]+)", first.text)[1]
    assert ask(app, cookie=value, x_sfumato_key=key).status_code == 200
    assert ask(app, cookie=value, x_sfumato_key=key, sec_fetch_site="cross-site").status_code == 403
    assert ask(app, **bearer(settings)).status_code == 401, "spent"


def test_a_cookie_that_another_port_saw_opens_nothing(app, settings):
    first = ask(app, f"/?token={settings.token}")
    value = first.headers["set-cookie"].split(";")[0]
    project = app.state.studio.place.new_project("notes")
    for path in ("/api/about", "/api/projects", f"/api/projects/{project}", "/api/jobs"):
        assert ask(app, path, cookie=value).status_code == 401, path
        assert ask(app, path, cookie=value, x_sfumato_key="wrong").status_code == 401, path
    removed = ask(app, f"/api/projects/{project}", "DELETE", cookie=value)
    assert removed.status_code == 401
    assert ask(app, f"/api/projects/{project}/files/key", cookie=value).status_code == 200, "a link"


def test_host_and_origin_are_looked_at_first(app, settings):
    right = bearer(settings)
    for host in ("evil.example:8321", "127.0.0.1:1", "127.0.0.1", "localhost.evil.example:8321"):
        assert ask(app, host=host, **right).status_code == 403, host
    assert ask(app, host="localhost:8321", **right).status_code == 200
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1", "file://"):
        assert ask(app, origin=origin, **right).status_code == 403, origin
    assert ask(app, origin=f"http://{HOST}", **right).status_code == 200


def test_every_answer_is_guarded(app, settings):
    for path in ("/api/about", "/", "/nowhere"):
        headers = ask(app, path, **bearer(settings)).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'")
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "no-referrer"


def test_api_alone_has_no_page(tmp_path):
    settings = Settings(tmp_path / "files", port=8321, api_only=True)
    app = application(settings)
    assert ask(app, f"/?token={settings.token}").status_code == 401
    schema = ask(app, "/api/openapi.json", **bearer(settings)).json()
    wanted = {"/api/projects", "/api/projects/{project}/files", "/api/projects/{project}/jobs"}
    assert wanted | {"/api/jobs/{job}", "/api/jobs/{job}/release.zip"} <= set(schema["paths"])


def test_unexpected_failures_tell_no_text(app, settings, monkeypatch, capsys):
    secret = "the user's own words"

    def fails(*given):
        raise RuntimeError(secret)

    monkeypatch.setattr("sfumato.studio.places.Place.projects", fails)
    answer = ask(app, "/api/projects", **bearer(settings))
    assert answer.status_code == 500
    assert secret not in answer.text
    assert secret not in capsys.readouterr().err


def test_identities_are_no_paths(app, settings):
    for name in ("..", "%2e%2e", "0" * 15, "../../etc", "0000000000000000"):
        for path in (f"/api/projects/{name}", f"/api/jobs/{name}/release.zip"):
            status = ask(app, path, **bearer(settings)).status_code
            assert status in (401, 404), path  # the client itself takes .. out of a path


def test_unused_projects_are_wiped_after_their_days(tmp_path):
    place, jobs = Place(tmp_path), JobList(tmp_path / "jobs.sqlite")
    old, new, busy = (place.new_project(name) for name in ("old", "new", "busy"))
    jobs.add(busy, "run", {})
    for project in (old, busy):
        for path in place.project(project).iterdir():
            os.utime(path, (1, 1))
    assert place.expire(14, jobs.busy()) == [old]
    assert {one["id"] for one in place.projects()} == {new, busy}
    assert place.expire(14, set(), now=time.time() + 15 * 86400)


def test_results_of_wiped_projects_are_wiped_with_them(settings):
    dispatcher = Dispatcher(settings, Place(settings.folder))
    project = dispatcher.place.new_project("old")
    done = dispatcher.jobs.add(project, "run", {})
    dispatcher.jobs.take()
    dispatcher.jobs.finish(done, {})
    results = dispatcher.place.job(done)
    results.mkdir(parents=True)
    (results / "release.zip").write_bytes(b"words of people")
    for path in dispatcher.place.project(project).iterdir():
        os.utime(path, (1, 1))
    dispatcher.expire()
    assert results.exists(), "nobody has the release yet"
    dispatcher.jobs.downloaded(done)
    dispatcher.expire()
    assert not results.exists()
    assert dispatcher.jobs.all() == []


def test_a_job_that_ends_the_server_each_time_is_given_up(tmp_path):
    jobs = JobList(tmp_path / "jobs.sqlite")
    one = jobs.add("0" * 16, "run", {})
    for _ in range(3):
        assert jobs.take()[0] == one
        jobs.requeue()
    assert jobs.get(one)["state"] == "failed"
    assert jobs.take() is None
