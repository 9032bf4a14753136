"""The studio, started: finds a port, prints the address, opens a browser, serves until it ends."""

from __future__ import annotations

import html
import os
import socket
import sys
import webbrowser
from dataclasses import replace
from typing import TYPE_CHECKING

from ..core.errors import BadInput, NotInstalled
from .places import Place, write_private

if TYPE_CHECKING:
    from .settings import Settings


def serve(settings: Settings, *, browser: bool) -> None:
    """Serves until it is interrupted."""
    try:
        import uvicorn

        from .connections import Connection
        from .studio import application
    except ImportError:
        raise NotInstalled(
            "the studio is not installed", where="studio", remedy="pip install 'sfumato[studio]'"
        ) from None
    place = Place(settings.folder)
    handle = place.lock()
    place.tidy()
    listener = _listener(settings)
    settings = replace(settings, port=listener.getsockname()[1])
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    shown = "127.0.0.1" if settings.host == "0.0.0.0" else host  # noqa: S104 - compared
    address = f"http://{shown}:{settings.port}/"
    start = f"{address}?token={settings.token}"
    if settings.api_only:
        print(f"{address}api/", flush=True)
        if "SFUMATO_TOKEN" not in os.environ:
            print(f"token: {settings.token}", flush=True)
    else:
        print(start, flush=True)
    print(f"files: {settings.folder} (wiped after {settings.days} days without use)", flush=True)
    if browser:
        _open(place, start)
    config = uvicorn.Config(
        application(settings), http=Connection, log_config=None, access_log=False, lifespan="on",
        timeout_graceful_shutdown=3, server_header=False,
        timeout_keep_alive=75,  # a client that asks again a little later finds its connection
    )  # fmt: skip
    try:
        uvicorn.Server(config).run(sockets=[listener])
    finally:
        listener.close()
        os.close(handle)


def _listener(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as problem:
        listener.close()
        raise BadInput(
            f"cannot listen there ({problem.strerror})", where="--port", remedy="name another port"
        ) from None
    listener.listen(128)
    listener.set_inheritable(False)
    return listener


def _open(place: Place, start: str) -> None:
    """Opens the address by a private file: on a command line every user of the machine sees it."""
    path = place.folder / "start.html"
    page = f'<!doctype html><meta http-equiv="refresh" content="0;url={html.escape(start)}">'
    write_private(path, page.encode())
    if not webbrowser.open(path.as_uri()):
        print("no browser was found: open the address above", file=sys.stderr)
