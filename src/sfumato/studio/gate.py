"""Who may ask: Host, Origin and token are looked at before any route is."""

from __future__ import annotations

import hmac
import json
import os
import re
import secrets
import sys
import traceback
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from .bodies import Body

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from .bodies import Message, Receive
    from .settings import Settings

    Send = Callable[[Message], Awaitable[None]]

COOKIE, KEY = "sfumato_studio", "x-sfumato-key"
SAFE = ("GET", "HEAD")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
# The page after the exchange asks for the studio itself: a strict cookie is not sent along where
# another program opened the address, but it is when this page does.
# It hands the page a key, after the # of the address, which no server is sent. A browser sends a
# cookie to all ports of a host, so that whoever listens on another one may see it: the key, which
# only pages of this very port can read, is asked for too.
ENTER = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Sfumato studio</title>'
    '<meta http-equiv="refresh" content="0;url=/#key={key}">'
    '<p><a href="/#key={key}">Open the studio</a></p></html>'
)
# Files that a link opens, under names that nobody guesses: the cookie alone is enough.
DOWNLOADS = re.compile(
    r"/api/(projects/[a-z0-9]{16}/(release\.yaml|files/[^/]+)"
    r"|jobs/[a-z0-9]{16}/(release\.zip|private\.zip|SHA256SUMS\.sig|files/.+|private/[^/]+))"
)
UPLOADS = re.compile(r"/api/projects/[^/]+/files")
CLOSED = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Sfumato studio</title>'
    "<h1>This studio is closed to you</h1><p>Open the address that <code>sfumato studio</code> "
    "printed. It works once: start the studio again for a new one.</p></html>"
)


class Gate:
    """The application behind its checks; no exception and no text of the user leaves it."""

    def __init__(self, app: Any, settings: Settings):
        self.app, self.settings = app, settings
        self.state = app.state
        self._session, self._key = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        self._exchanged = False

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        started = False

        async def answer(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message["headers"] = _with_headers(message.get("headers", []))
            await send(message)

        headers = {k.decode("latin-1").lower(): v.decode("latin-1") for k, v in scope["headers"]}
        body = Body(receive, is_file=UPLOADS.fullmatch(scope["path"]) is not None)

        async def answer_of_the_application(message: Message) -> None:
            if body.refused is None or started:
                await answer(message)

        try:
            refused = self._refused(scope, headers)
            if refused is not None:
                await refused(answer)
                return
            body.declared(headers.get("content-length"))
            if body.refused is None:
                await self.app(scope, body.receive, answer_of_the_application)
        except Exception as problem:
            told = _place_of(problem)
            if not started and body.refused is None:
                await _told(500, told)(answer)
            if body.refused is None:
                print(f"sfumato studio: {told}", file=sys.stderr)
        if body.refused is not None and not started:
            await _told(*body.refused)(answer)

    def _refused(
        self, scope: Message, headers: dict[str, str]
    ) -> Callable[[Send], Awaitable[None]] | None:
        """What is answered in place of the application; None lets the request through."""
        if headers.get("host") not in self.settings.hosts:
            return _told(403, "this Host is not answered; use the address that was printed")
        origin = headers.get("origin")
        if origin is not None and origin not in self.settings.origins:
            return _told(403, "another page may not ask this studio")
        path, method = scope["path"], scope["method"]
        asked = parse_qs(scope["query_string"].decode("latin-1")).get("token")
        if path == "/" and method == "GET" and asked and not self.settings.api_only:
            return self._exchange(asked[0])
        if path.startswith("/api/") and self._has_token(headers):
            return None
        if self._has_cookie(headers):
            if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
                return _told(403, "another page may not ask this studio")
            if not path.startswith("/api/") or _same(headers.get(KEY, ""), self._key):
                return None
            if method == "GET" and DOWNLOADS.fullmatch(path):
                return None
            return _told(401, "this page has no key; open the address that was printed")
        if path == "/" and method == "GET":
            return _page(401, CLOSED)
        return _told(401, "no or wrong token; open the address that was printed")

    def _exchange(self, token: str) -> Callable[[Send], Awaitable[None]]:
        if self._exchanged or not _same(token, self.settings.token):
            return _page(401, CLOSED)
        self._exchanged = True
        cookie = f"{COOKIE}={self._session}; Path=/; HttpOnly; SameSite=Strict"
        return _page(200, ENTER.format(key=self._key), {"set-cookie": cookie})

    def _has_token(self, headers: dict[str, str]) -> bool:
        kind, _, token = headers.get("authorization", "").partition(" ")
        spent = self._exchanged and self.settings.spent_by_start
        return kind.lower() == "bearer" and not spent and _same(token, self.settings.token)

    def _has_cookie(self, headers: dict[str, str]) -> bool:
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            return False
        return found is not None and _same(found.value, self._session)


def _with_headers(given: Any) -> list[tuple[bytes, bytes]]:
    """The headers of an answer, with those that it does not set itself."""
    names = {name.lower() for name, _ in given}
    ours = ((name.encode(), value.encode()) for name, value in HEADERS.items())
    return [*given, *(one for one in ours if one[0] not in names)]


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode())


def _place_of(problem: Exception) -> str:
    """The kind of an unexpected exception and its place; its message may hold the user's text."""
    place = traceback.extract_tb(problem.__traceback__)[-1]
    kind, file = type(problem).__name__, os.path.basename(place.filename)
    return f"unexpected {kind} in {file}, line {place.lineno}"


def _told(status: int, problem: str) -> Callable[[Send], Awaitable[None]]:
    body = json.dumps({"error": {"problem": problem}}).encode()
    return _sent(status, body, {"content-type": "application/json"})


def _page(
    status: int, page: str, more: dict[str, str] | None = None
) -> Callable[[Send], Awaitable[None]]:
    headers = {"content-type": "text/html; charset=utf-8", **(more or {})}
    return _sent(status, page.encode(), headers)


def _sent(status: int, body: bytes, headers: dict[str, str]) -> Callable[[Send], Awaitable[None]]:
    async def send_it(send: Send) -> None:
        listed = [(k.encode(), v.encode()) for k, v in headers.items()]
        listed.append((b"content-length", str(len(body)).encode()))
        await send({"type": "http.response.start", "status": status, "headers": listed})
        await send({"type": "http.response.body", "body": body})

    return send_it
