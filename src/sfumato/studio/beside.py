"""A page beside a notebook: serves the studio's review to a frame of the notebook, on this machine.

Nothing beyond Python is needed. The frame's address holds a token that opens one review once; the
page gets a key for it and keeps that for as long as its tab is open. A saved notebook holds a spent
token, and a key ends with the process.
"""

from __future__ import annotations

import hmac
import json
import secrets
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ..core.errors import SfumatoError

if TYPE_CHECKING:
    from collections.abc import Callable

    from .notebook import Review

STATIC = ("beside.js", "review.js", "dom.js", "marked.js", "style.css", "icon.svg")
TYPES = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "html": "text/html"}
MOST = 64 << 20  # bytes of a request
OPEN = 50  # addresses that nobody opened yet
FRAMES = (
    "http://localhost:* http://127.0.0.1:* https://localhost:* https://127.0.0.1:* vscode-webview:"
)
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        f"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors {FRAMES}"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}


class Beside:
    """The reviews of this process that pages may show: by unspent token, and by key."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._waiting: dict[str, Review] = {}
        self._open: dict[str, Review] = {}
        self._server: ThreadingHTTPServer | None = None

    def address(self, review: Review) -> str:
        """A new address of a review, good for one opening."""
        with self._guard:
            if self._server is None:
                self._server = _started(self)
            token = secrets.token_urlsafe(32)
            self._waiting[token] = review
            while len(self._waiting) > OPEN:
                self._waiting.pop(next(iter(self._waiting)))
            return f"http://127.0.0.1:{self.port}/review#{token}"

    @property
    def port(self) -> int:
        """Where it listens."""
        assert self._server is not None
        return int(self._server.server_address[1])

    def enter(self, token: object) -> str | None:
        """The key for a token, which is spent by it."""
        with self._guard:
            known = [one for one in self._waiting if hmac.compare_digest(one, str(token))]
            if not known:
                return None
            key = secrets.token_urlsafe(32)
            self._open[key] = self._waiting.pop(known[0])
            return key

    def of(self, key: str) -> Review | None:
        """The review that a key opens."""
        with self._guard:
            return next((r for one, r in self._open.items() if hmac.compare_digest(one, key)), None)


def _started(beside: Beside) -> ThreadingHTTPServer:
    class Handler(_Handler):
        reviews = beside

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True, name="sfumato review").start()
    return server


class _Handler(BaseHTTPRequestHandler):
    """One request: Host and Origin first, then the key, then what is asked for."""

    reviews: Beside
    protocol_version = "HTTP/1.1"
    timeout = 60
    server_version, sys_version = "sfumato", ""

    def do_GET(self) -> None:
        """A part of the page, or what a key opens."""
        name = self.path.partition("?")[0]
        if not self._is_ours():
            self._told(403, {"error": {"problem": "another page may not ask this"}})
        elif name == "/review":
            self._sent(200, _part("beside.html"), "html")
        elif name.removeprefix("/static/") in STATIC:
            part = name.removeprefix("/static/")
            self._sent(200, _part(part), part.rpartition(".")[2])
        else:
            self._of_review(lambda review: _got(review, name))

    def do_POST(self) -> None:
        """A token for a key."""
        given = self._given()
        if given is None:
            return
        key = self.reviews.enter(given.get("token")) if self.path == "/api/enter" else None
        if key is None:
            spent = "this address was opened before; run the cell again"
            self._told(401, {"error": {"problem": spent}})
        else:
            self._told(200, {"key": key})

    def do_PUT(self) -> None:
        """What a person decided."""
        given = self._given()
        if given is None:
            return
        decisions = given.get("decisions")
        if self.path != "/api/projects/here/review" or not isinstance(decisions, list):
            self._told(404, {"error": {"problem": "there is nothing here"}})
            return
        self._of_review(lambda review: review.decide(decisions))

    def _is_ours(self) -> bool:
        names = [f"{name}:{self.reviews.port}" for name in ("127.0.0.1", "localhost")]
        origin = self.headers.get("origin")
        known = origin is None or origin in [f"http://{name}" for name in names]
        return self.headers.get("host") in names and known

    def _given(self) -> dict[str, Any] | None:
        """The JSON that was sent; None after it was refused."""
        size = self.headers.get("content-length", "")
        status, given = 200, None
        if not self._is_ours() or self.headers.get("origin") is None:
            status = 403
        elif not size.isdecimal() or int(size) > MOST:
            status = 413
        else:
            try:
                given = json.loads(self.rfile.read(int(size)))
            except ValueError:
                status = 400
        if not isinstance(given, dict):
            self.close_connection = True
            problem = "another page may not ask this" if status == 403 else "not as it is expected"
            self._told(400 if status == 200 else status, {"error": {"problem": problem}})
            return None
        return given

    def _of_review(self, answer: Callable[[Review], object]) -> None:
        kind, _, key = self.headers.get("authorization", "").partition(" ")
        review = self.reviews.of(key) if kind.lower() == "bearer" else None
        if review is None:
            self._told(401, {"error": {"problem": "no or wrong key; run the cell again"}})
            return
        try:
            found = answer(review)
        except SfumatoError as problem:
            told = {"problem": problem.problem, "where": problem.where, "remedy": problem.remedy}
            self._told(400, {"error": told})
        except (KeyError, ValueError, IndexError):
            self._told(404, {"error": {"problem": "there is nothing here"}})
        else:
            self._told(200, found)

    def _told(self, status: int, told: object) -> None:
        self._sent(status, json.dumps(told).encode(), "json")

    def _sent(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        of = TYPES.get(kind, "application/json")
        for name, value in {**HEADERS, "content-type": f"{of}; charset=utf-8"}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: a log may outlive the texts."""


def _part(name: str) -> bytes:
    return (files("sfumato.studio") / "static" / name).read_bytes()


def _got(review: Review, name: str) -> object:
    asked = name.removeprefix("/api/projects/here/")
    if asked == "places":
        return review.as_places()
    if asked.startswith("texts/"):
        return {"text": review.texts[int(asked.removeprefix("texts/"))]}
    raise KeyError(name)


BESIDE = Beside()
