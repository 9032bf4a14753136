"""Writes docs/cli.md from the commands themselves; `make docs` runs it, a test compares."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from sfumato.cli.app import application

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
    parts = [HEADER]
    for name, command in walk(typer.main.get_command(application()), "sfumato"):
        parts.append(f"\n## {name}\n\n{description(command)}\n\n{parameters(command)}")
    return "".join(parts)


def walk(group: Any, path: str) -> list[tuple[str, Any]]:
    """All commands with their full names, groups opened."""
    found: list[tuple[str, Any]] = []
    for name, command in group.commands.items():
        full = f"{path} {name}"
        found += walk(command, full) if hasattr(command, "commands") else [(full, command)]
    return found


def description(command: Any) -> str:
    """The command's help, its example as code."""
    text = " ".join((command.help or "").split())
    before, _, example = text.partition("Example: ")
    return f"{before.strip()}\n\n```sh\n{example}\n```" if example else before


def parameters(command: Any) -> str:
    """A table of arguments and options."""
    rows = ["| option | meaning | default |\n|---|---|---|\n"]
    for parameter in command.params:
        if parameter.name == "help":
            continue
        argument = parameter.param_type_name == "argument"
        names = parameter.metavar if argument else ", ".join(f"`{o}`" for o in parameter.opts)
        text = parameter.help or ""
        default = "required" if parameter.required else shown(parameter.default)
        rows.append(f"| {names} | {text.replace('|', '/')} | {default} |\n")
    return "".join(rows)


def shown(default: object) -> str:
    """A default as the table shows it; absent ones and switches that are off stay empty."""
    return "" if default in (None, False) else f"`{default}`"


if __name__ == "__main__":
    TARGET.write_text(reference(), encoding="utf-8")
