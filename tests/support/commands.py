"""The command line, called inside the test's own process."""

from __future__ import annotations

import functools
import io
import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import typer.main

from sfumato.cli.app import run

WIDE = "1000"  # so that no table is wrapped by the length of a temporary folder's name


@dataclass(frozen=True)
class Outcome:
    """What a command line did: its exit code, and what it wrote to the two streams."""

    code: int
    out: bytes
    err: str

    @property
    def told(self) -> str:
        """All that was written to a terminal."""
        return self.out.decode("utf-8", "replace") + self.err


_built = functools.cache(typer.main.get_command)  # a tenth of a second for every call otherwise


def call(*arguments: object) -> int:
    """Runs a command line; its streams are the test's."""
    with mock.patch("typer.main.get_command", _built):
        return run([str(argument) for argument in arguments])


def outcome(line: str, *, text: str = "") -> Outcome:
    """Runs a command line as a shell reads it, `< FILE` at its end included, and keeps all it says.

    `text` is standard input where no file is named.
    """
    arguments = shlex.split(line)
    given = text.encode()
    if len(arguments) > 1 and arguments[-2] == "<":
        given = Path(arguments[-1]).read_bytes()
        del arguments[-2:]
    if arguments[:1] == ["sfumato"]:
        del arguments[0]
    with _streams(given) as (out, err):
        code = call(*arguments)
    return Outcome(code, out.getvalue(), err.getvalue().decode("utf-8", "replace"))


@contextmanager
def _streams(given: bytes) -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    out, err = io.BytesIO(), io.BytesIO()
    streams = {
        "stdin": io.TextIOWrapper(io.BytesIO(given), "utf-8"),
        "stdout": io.TextIOWrapper(out, "utf-8", write_through=True),
        "stderr": io.TextIOWrapper(err, "utf-8", write_through=True),
    }
    plain = {"COLUMNS": WIDE, "NO_COLOR": "1", "TERM": "dumb"}
    with mock.patch.multiple(sys, argv=["sfumato"], **streams), mock.patch.dict(os.environ, plain):
        yield out, err
        for name in ("stdout", "stderr"):
            streams[name].flush()
            streams[name].detach()  # what it wrote is read after it is gone
