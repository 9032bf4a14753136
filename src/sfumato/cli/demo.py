"""`sfumato demo`: the main job on a shipped example, from raw notes to a verified release."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

import typer

from . import options

FOLDER = Path("demo-release")
EXAMPLE = "clinic_notes.jsonl"
SHOWN = 3


def command(quiet: options.Quiet = False) -> None:
    """Suppresses an invented clinic's notes, verifies, shows, and writes ./demo-release/."""
    from rich.panel import Panel

    from .. import formats
    from ..methods.substrings import suppress
    from . import show
    from .publish import Paths, publish

    with as_file(files("sfumato.examples") / EXAMPLE) as path:
        source = formats.read(path, text_column="text", group_column="patient_id")
    release = suppress(source.texts, k=5, groups=source.groups)
    FOLDER.mkdir(exist_ok=True)
    if not quiet:
        terminal = show.console()
        for document in range(SHOWN):
            before = Panel(str(source.texts[document]), title=f"note {document}, before")
            after = show.coloured(release.data[document], release.changes.of_document(document))
            terminal.print(before, Panel(after, title=f"note {document}, released"))
    publish(source, {"": release}, Paths(str(FOLDER / EXAMPLE)), json=False, quiet=quiet)
    typer.echo(f"The release and its public certificate are in {FOLDER}/.")
