"""Answers that need the data, from processes that keep it at hand: one question at a time each.

A question is a line of JSON, and so is the answer. A process that takes too long, or too much
memory, is ended, and the next question starts another.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.errors import BadInput, CannotBeMet, NotInstalled, NotVerified, SfumatoError

if TYPE_CHECKING:
    from ..core.values import JsonObject
    from .settings import Limits

KINDS: dict[int, type[SfumatoError]] = {
    one.exit_code: one for one in (BadInput, CannotBeMet, NotVerified, NotInstalled)
}


class Desk:
    """One process that answers questions about projects."""

    def __init__(self, limits: Limits):
        self.limits = limits
        self._guard = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.Queue[bytes] = queue.Queue()

    def ask(self, task: str, project: Path, **arguments: object) -> Any:
        """The answer; raises what the task raised."""
        line = json.dumps({"task": task, "project": str(project), "arguments": arguments})
        with self._guard:
            answer = self._answer(line.encode() + b"\n")
        if "value" in answer:
            return answer["value"]
        told = answer["error"]
        raise KINDS.get(told.get("exit_code", 1), SfumatoError)(
            told["problem"], where=told.get("where"), remedy=told.get("remedy")
        )

    @property
    def is_open(self) -> bool:
        """Whether a process is at hand."""
        return self._process is not None and self._process.poll() is None

    def open(self) -> None:
        """Starts the process, unless it is there."""
        with self._guard:
            if not self.is_open:
                self._start()

    def close(self) -> None:
        """Ends the process."""
        with self._guard:
            self._end()

    def _answer(self, line: bytes) -> JsonObject:
        if not self.is_open:
            self._start()
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
            raw = self._lines.get(timeout=self.limits.seconds)
        except (OSError, queue.Empty):
            raw = b""
            taken = f"more than {self.limits.seconds} seconds"
        else:
            taken = f"more memory than the {self.limits.memory >> 20:,} MB that are allowed"
        if not raw:
            self._end()
            raise BadInput(
                f"reading this takes {taken}, or broke the reader",
                where="data",
                remedy="give less at a time, or use the command line",
            )
        answer: dict[str, object] = json.loads(raw)
        return answer

    def _start(self) -> None:
        limits = self.limits
        command = [sys.executable, "-m", "sfumato.studio.desk_process", str(limits.memory)]
        self._process = subprocess.Popen(  # noqa: S603 - our own module
            [*command, str(limits.rows), str(limits.unpacked)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if os.environ.get("SFUMATO_DEBUG") else subprocess.DEVNULL,
        )
        lines: queue.Queue[bytes] = queue.Queue()
        self._lines = lines
        stdout = self._process.stdout
        assert stdout is not None

        def read() -> None:
            for one in stdout:
                lines.put(one)
            lines.put(b"")

        threading.Thread(target=read, daemon=True).start()

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    stream.close()
        self._process = None


class Desks:
    """Some desks; a project goes to the same one, which has its data at hand."""

    def __init__(self, limits: Limits, count: int = 2):
        self._desks = [Desk(limits) for _ in range(count)]

    def ask(self, task: str, project: Path, **arguments: object) -> Any:
        """The answer of the project's desk."""
        return self._of(project).ask(task, project, **arguments)

    def open(self) -> None:
        """Starts all of them, so that the first question waits for none."""
        for one in self._desks:
            one.open()

    def forget(self, project: Path) -> None:
        """Has the project's desk let go of its texts."""
        desk = self._of(project)
        if desk.is_open:
            desk.ask("forget", project)

    def _of(self, project: Path) -> Desk:
        return self._desks[sum(project.name.encode()) % len(self._desks)]

    def close(self) -> None:
        """Ends all of them."""
        for one in self._desks:
            one.close()
