"""A studio in a process of its own, for tests: started, asked, killed, started again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE = float(os.environ.get("SFUMATO_PATIENCE", "120"))  # seconds: a busy machine is no failure


class Server:
    """A running `sfumato studio --no-browser`."""

    def __init__(self, folder: Path, *more: str):
        main = "import sys; from sfumato.cli import main; sys.exit(main())"
        command = [sys.executable, "-c", main, "studio", "--port", "0", "--no-browser"]
        self.folder = folder
        self.log = folder.with_name(folder.name + ".log").open("wb")
        self.process = subprocess.Popen(
            [*command, "--folder", str(folder), *more],
            stdout=subprocess.PIPE,
            stderr=self.log,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().decode().strip()
        assert self.url, "the studio did not start"
        if "--api-only" in more:
            self.base = self.url.removesuffix("api/")
            self.token = self.process.stdout.readline().decode().split()[1]
        else:
            self.base, _, self.token = self.url.partition("?token=")
        self.client = self._client()

    def _client(self) -> Any:
        import httpx

        headers = {"authorization": f"Bearer {self.token}"}
        client = httpx.Client(base_url=self.base, headers=headers, timeout=PATIENCE)
        until(lambda: _answers(client))
        return client

    def kill(self) -> None:
        """Ends it as nothing can prevent."""
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self._close()

    def stop(self) -> None:
        """Ends it as a user does."""
        self.process.terminate()
        self.process.wait(PATIENCE)
        self._close()

    def _close(self) -> None:
        self.client.close()
        self.log.close()
        self.process.stdout.close()

    def upload(self, name: str, content: bytes, role: str = "input", project: str | None = None):
        """A new project with one file, or one more file of a project; the answer."""
        if project is None:
            project = self.client.post("/api/projects", json={"name": name}).json()["id"]
        asked = {"name": name, "role": role}
        answer = self.client.put(f"/api/projects/{project}/files", params=asked, content=content)
        return project, answer

    def done(self, project: str, kind: str = "run", **arguments: Any) -> dict[str, Any]:
        """A job from its beginning to its end."""
        given = {"kind": kind, "arguments": arguments}
        job = self.client.post(f"/api/projects/{project}/jobs", json=given).json()
        return self.ended(job["id"])

    def ended(self, job: str) -> dict[str, Any]:
        """A job at its end."""
        return until(lambda: _ended(self.client.get(f"/api/jobs/{job}").json()))


def _answers(client: Any) -> bool:
    import httpx

    try:
        return client.get("/api/about").status_code == 200
    except httpx.TransportError:
        return False


def _ended(job: dict[str, Any]) -> dict[str, Any] | None:
    return None if job["state"] in ("queued", "running") else job


def until(look: Any) -> Any:
    """What `look` gives once it gives something."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError("nothing came in time")


@contextmanager
def running(folder: Path, *more: str):
    """A studio for as long as a test takes."""
    server = Server(folder, *more)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()
