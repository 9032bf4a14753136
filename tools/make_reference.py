"""Writes docs/cli.md from the commands themselves; `make docs` runs it, a test compares."""

from __future__ import annotations

from pathlib import Path

import click
import typer

from sfumato.cli.app import app

TARGET = Path(__file__).parent.parent / "docs" / "cli.md"
HEADER = """# Command line

Made by `make docs` from the commands themselves. Options spell the parameters of the Python
functions. A dash (`-`) stands for standard input or standard output. Progress is shown on a
terminal only; `--json` prints the outcome for machines.

Exit codes: 0 verified, 1 unexpected, 2 bad input or usage, 3 cannot be met, 4 a guarantee was not
verified (nothing was written), 5 an optional part is not installed.
"""


def reference() -> str:
    """The whole page."""
    root = typer.main.get_command(app)
    assert isinstance(root, click.Group)
    parts = [HEADER]
    for name, command in walk(root, "sfumato"):
        parts.append(f"\n## {name}\n\n{description(command)}\n\n{parameters(command)}")
    return "".join(parts)


def walk(group: click.Group, path: str) -> list[tuple[str, click.Command]]:
    """All commands with their full names, groups opened."""
    found: list[tuple[str, click.Command]] = []
    for name, command in group.commands.items():
        full = f"{path} {name}"
        found += walk(command, full) if isinstance(command, click.Group) else [(full, command)]
    return found


def description(command: click.Command) -> str:
    """The command's help, its example as code."""
    text = " ".join((command.help or "").split())
    before, _, example = text.partition("Example: ")
    return f"{before.strip()}\n\n```sh\n{example}\n```" if example else before


def parameters(command: click.Command) -> str:
    """A table of arguments and options."""
    context = click.Context(command)
    rows = ["| option | meaning | default |\n|---|---|---|\n"]
    for parameter in command.params:
        record = parameter.get_help_record(context)
        if parameter.name == "help" or (
            record is None and not isinstance(parameter, click.Argument)
        ):
            continue
        if isinstance(parameter, click.Argument):
            names, text = parameter.human_readable_name, getattr(parameter, "help", "") or ""
            default = "required" if parameter.required else ""
        else:
            names = ", ".join(f"`{name}`" for name in parameter.opts)
            text = getattr(parameter, "help", "") or ""
            default = "required" if parameter.required else shown(parameter.default)
        rows.append(f"| {names} | {text.replace('|', '/')} | {default} |\n")
    return "".join(rows)


def shown(default: object) -> str:
    """A default as the table shows it; absent ones and switches that are off stay empty."""
    return "" if default in (None, False) else f"`{default}`"


if __name__ == "__main__":
    TARGET.write_text(reference(), encoding="utf-8")
