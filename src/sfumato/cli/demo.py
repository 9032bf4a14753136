"""`sfumato demo`: the main job on a shipped example, from raw notes to a verified release."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from . import options

if TYPE_CHECKING:
    from rich.text import Text

FOLDER = Path("demo-release")
EXAMPLE = "clinic_notes.jsonl"
SHOWN, LINES = 2, 8


def command(json: options.Json = False, quiet: options.Quiet = False) -> None:
    """Suppresses an invented clinic's notes, verifies, shows, and writes ./demo-release/."""
    from importlib.resources import as_file, files

    from rich.panel import Panel
    from rich.text import Text

    from .. import formats
    from ..methods.substrings import suppress
    from . import show
    from .publish import Paths, publish

    with as_file(files("sfumato.examples") / EXAMPLE) as path:
        source = formats.read(path, text_column="text", group_column="patient_id")
    release = suppress(source.texts, k=5, groups=source.groups)
    FOLDER.mkdir(exist_ok=True)
    if not quiet and not json:
        before = Text(str(source.texts[SHOWN]))
        after = show.coloured(release.data[SHOWN], release.changes.of_document(SHOWN))
        show.console().print(
            Panel(_first_lines(before), title="one note before"),
            Panel(_first_lines(after), title="and as it is released"),
        )
    publish(source, {"": release}, Paths(str(FOLDER / EXAMPLE)), json=json, quiet=quiet)
    if not quiet and not json:
        typer.echo(f"The release and its public certificate are in {FOLDER}/.")


def _first_lines(text: Text) -> Text:
    from rich.text import Text

    return Text("\n").join(text.split("\n")[:LINES])
