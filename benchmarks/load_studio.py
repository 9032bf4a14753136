"""2,000 requests from several clients to a studio: `python benchmarks/load_studio.py` (make load).

Every client begins projects, uploads notes, looks, moves k, asks for verdicts, readers and rows,
runs a release now and then, takes it, and wipes its project. Told: answers by their codes, seconds,
and the memory of the server and all its processes after each quarter of the requests.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from support.studios import PATIENCE, running

PAGE = os.sysconf("SC_PAGE_SIZE")
WORDS = (
    "asthma",
    "cough",
    "fever",
    "patient",
    "saw",
    "Ann",
    "Ho",
    "in",
    "Ulm",
    "on",
    "mild",
    "flu",
)


def memory(root: int) -> int:
    """MB that a process and all below it have."""
    parents, sizes = {}, {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(path.name)] = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            sizes[int(path.name)] = int((path / "statm").read_text().split()[1]) * PAGE
        except (OSError, IndexError):
            continue
    ours = {root}
    while more := {one for one, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return sum(sizes.get(one, 0) for one in ours) >> 20


class Client(threading.Thread):
    """Works through projects until all requests are spent."""

    def __init__(self, load: Load, number: int):
        super().__init__(daemon=True)
        self.load, self.chance = load, random.Random(number)

    def run(self) -> None:
        import httpx

        server = self.load.server
        headers = {"authorization": f"Bearer {server.token}"}
        with httpx.Client(base_url=server.base, headers=headers, timeout=PATIENCE) as client:
            while self.load.left():
                self.project(client)

    def project(self, client: Any) -> None:
        """One project from its beginning to its end."""
        ask = self.load.ask
        made = ask(client, "POST", "/api/projects", json={"name": "load"})
        at = f"/api/projects/{made['id']}"
        lines = (
            {"id": f"p{i // 2}", "note": " ".join(self.chance.choices(WORDS, k=40))}
            for i in range(120)
        )
        content = "".join(json.dumps(one) + "\n" for one in lines).encode()
        ask(client, "PUT", f"{at}/files?name=notes.jsonl", content=content)
        ask(client, "GET", f"{at}/look")
        stated = ask(client, "GET", f"{at}/policy")["stated"]
        for _ in range(8):
            stated["stages"][-1]["k"] = self.chance.randint(2, 9)
            ask(client, "POST", f"{at}/preview", json={"stated": stated})
            ask(client, "POST", f"{at}/guessed", json={"stated": stated})
            ask(client, "GET", f"{at}/rows?start={self.chance.randint(0, 119)}")
            ask(client, "GET", "/api/projects")
            ask(client, "GET", "/api/jobs")
        ask(client, "PUT", f"{at}/policy", json={"stated": stated})
        ask(client, "POST", f"{at}/verdicts", json={})
        if self.chance.random() < 0.15:
            job = ask(client, "POST", f"{at}/jobs", json={"kind": "run"})
            while ask(client, "GET", f"/api/jobs/{job['id']}")["state"] in ("queued", "running"):
                time.sleep(0.5)
            ask(client, "GET", f"/api/jobs/{job['id']}/release.zip")
        ask(client, "DELETE", at)


class Load:
    """So many requests, counted by their answers."""

    def __init__(self, server: Any, requests: int):
        self.server, self.requests = server, requests
        self.guard = threading.Lock()
        self.codes: Counter[int] = Counter()
        self.waits: list[float] = []
        self.memory: list[int] = []

    def left(self) -> bool:
        return self.codes.total() < self.requests

    def ask(self, client: Any, method: str, path: str, **more: Any) -> Any:
        begun = time.monotonic()
        answer = client.request(method, path, **more)
        with self.guard:
            self.codes[answer.status_code] += 1
            self.waits.append(time.monotonic() - begun)
            if self.codes.total() >= (len(self.memory) + 1) * self.requests / 4:
                self.memory.append(memory(self.server.process.pid))
        is_json = answer.headers.get("content-type", "").startswith("application/json")
        return answer.json() if is_json else answer.content


def main() -> None:
    """Prints one row."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--clients", type=int, default=6)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, running(Path(folder) / "files") as server:
        load, begun = Load(server, given.requests), time.monotonic()
        clients = [Client(load, number) for number in range(given.clients)]
        for one in clients:
            one.start()
        for one in clients:
            one.join()
        left = sum(1 for _ in (Path(folder) / "files" / "projects").glob("*"))
        row = {
            "clients": given.clients,
            "answers": dict(load.codes),
            "seconds": round(time.monotonic() - begun, 1),
            "median ms": round(statistics.median(load.waits) * 1000),
            "longest s": round(max(load.waits), 1),
            "MB after each quarter": load.memory[:4],
            "projects left": left,
        }
    print(row)
    if any(code >= 400 for code in load.codes):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
