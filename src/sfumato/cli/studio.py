"""`sfumato studio`: a local page on which a release is made, judged and signed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from ..core.errors import BadInput


def command(
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: a free one.")] = 8321,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Whether the page is opened.")
    ] = True,
    host: Annotated[
        str, typer.Option(help="Where it listens; other than 127.0.0.1, others can reach it.")
    ] = "127.0.0.1",
    name: Annotated[
        list[str] | None,
        typer.Option(help="Another name under which it is reached; repeatable."),
    ] = None,
    api_only: Annotated[
        bool, typer.Option("--api-only", help="Only the service under /api/, without the page.")
    ] = False,
    folder: Annotated[
        Path | None,
        typer.Option(help="Where files are kept [default: SFUMATO_STUDIO, or ~/.local/share]."),
    ] = None,
    days: Annotated[
        int, typer.Option(min=1, help="After so many days without use a project is wiped.")
    ] = 14,
    workers: Annotated[int, typer.Option(min=1, help="How many jobs run at once.")] = 2,
    most: Annotated[
        int, typer.Option("--max-upload", min=1, help="MB that a project's files may have.")
    ] = 512,
) -> None:
    """Opens a page on this machine on which a release is made, judged and signed.

    The address holds a token that opens the page once; programs send it as a Bearer token.

    Example: sfumato studio --port 8321 --no-browser
    """
    from ..studio.serve import serve
    from ..studio.settings import MB, Limits, Settings, default_folder

    token = os.environ.get("SFUMATO_TOKEN")
    if token is not None and len(token) < 32:
        raise BadInput("expected at least 32 symbols", where="SFUMATO_TOKEN")
    settings = Settings(
        (folder or default_folder()).absolute(),
        host=host,
        port=port,
        names=tuple(name or ()),
        spent_by_start=browser and not api_only,
        api_only=api_only,
        days=days,
        workers=workers,
        limits=Limits(upload=most * MB),
        **({} if token is None else {"token": token}),
    )
    serve(settings, browser=browser and not api_only)
