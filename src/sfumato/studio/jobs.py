"""The list of jobs: in SQLite, so that it survives whatever happens to the server."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .places import new_id

if TYPE_CHECKING:
    from ..core.values import JsonObject

ATTEMPTS = 3  # a job that ends the server each time must not do so for ever
ATTEMPTS_ALONE = 2  # of a job whose worker dies alone: mostly it took all memory, and will again
OPEN = ("queued", "running")
_TABLE = """
create table if not exists jobs (
  id text primary key, project text not null, kind text not null, arguments text not null,
  state text not null, part text not null default '', share real not null default 0,
  reason text, result text, attempts integer not null default 0, downloaded integer not null
  default 0, created real not null, started real, finished real, worker integer
)
"""
_SHOWN = (
    "id project kind state part share reason result attempts downloaded created started finished"
)


@dataclass(frozen=True, slots=True)
class JobList:
    """The jobs of a studio.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     jobs = JobList(Path(folder, "jobs.sqlite"))
    ...     one = jobs.add("0" * 16, "run", {})
    ...     jobs.take(), jobs.get(one)["state"]
    (('...', '0000000000000000', 'run'), 'running')
    """

    path: Path

    def add(self, project: str, kind: str, arguments: JsonObject) -> str:
        """A new job at the end of the queue."""
        identity = new_id()
        with self._open() as base:
            base.execute(
                "insert into jobs (id, project, kind, arguments, state, created) "
                "values (?, ?, ?, ?, 'queued', ?)",
                (identity, project, kind, json.dumps(arguments), time.time()),
            )
        return identity

    def take(self, worker: int = 0) -> tuple[str, str, str] | None:
        """The next queued job, which this process runs from now on: identity, project, kind."""
        with self._open() as base:
            base.execute("begin immediate")
            found = base.execute(
                "select id, project, kind from jobs where state = 'queued' "
                "order by kind = 'try', created limit 1"  # a look keeps no release waiting
            ).fetchone()
            if found is None:
                base.execute("commit")
                return None
            base.execute(
                "update jobs set state = 'running', started = ?, attempts = attempts + 1, "
                "share = 0, part = '', worker = ? where id = ?",
                (time.time(), worker, found[0]),
            )
            base.execute("commit")
        return found[0], found[1], found[2]

    def get(self, identity: str) -> JsonObject:
        """What is known of a job."""
        found = self._rows("where id = ?", identity)
        if not found:
            raise KeyError("job")
        return found[0]

    def arguments(self, identity: str) -> JsonObject:
        """What a job was asked to do."""
        with self._open() as base:
            row = base.execute("select arguments from jobs where id = ?", (identity,)).fetchone()
        found: JsonObject = json.loads(row[0])
        return found

    def all(self, project: str | None = None) -> list[JsonObject]:
        """All jobs, or those of a project, the newest first."""
        where = "" if project is None else "where project = ?"
        return self._rows(f"{where} order by created desc", *([] if project is None else [project]))

    def report(self, identity: str, part: str, share: float) -> None:
        """Keeps how far a running job is."""
        self._set(identity, "part = ?, share = ?", part, share)

    def finish(self, identity: str, result: Mapping[str, object]) -> None:
        """A job that did what it was asked to do."""
        done = "state = 'done', share = 1, finished = ?, result = ?, reason = null"
        self._set(identity, done, time.time(), json.dumps(result))

    def fail(self, identity: str, reason: Mapping[str, object], state: str = "failed") -> None:
        """A job that ended otherwise: what was wrong, where, and what to do."""
        told = "state = ?, finished = ?, reason = ?"
        self._set(identity, told, state, time.time(), json.dumps(reason))

    def cancel(self, identity: str) -> bool:
        """Takes a job back; whether it was still to be done."""
        with self._open() as base:
            done = base.execute(
                "update jobs set state = 'cancelled', finished = ? "
                "where id = ? and state in ('queued', 'running')",
                (time.time(), identity),
            )
            return done.rowcount > 0

    def requeue(
        self,
        identity: str | None = None,
        attempts: int = ATTEMPTS,
        problem: str = "the server ended each time this job ran",
    ) -> None:
        """Puts running jobs, whose worker is gone, back; after several attempts they fail."""
        reason = json.dumps({"problem": problem, "remedy": "try less at a time"})
        among = "state = 'running' and (? is null or id = ?)"
        with self._open() as base:
            base.execute(
                f"update jobs set state = 'failed', finished = ?, reason = ? "  # noqa: S608
                f"where {among} and attempts >= ?",
                (time.time(), reason, identity, identity, attempts),
            )
            base.execute(
                f"update jobs set state = 'queued' where {among}",  # noqa: S608 - constant
                (identity, identity),
            )

    def downloaded(self, identity: str) -> None:
        """Keeps that somebody has the results."""
        self._set(identity, "downloaded = 1")

    def forget(self, projects: list[str] | None = None) -> None:
        """Removes the jobs of some projects, or all."""
        with self._open() as base:
            if projects is None:
                base.execute("delete from jobs")
            else:
                base.executemany("delete from jobs where project = ?", [(one,) for one in projects])

    def remove(self, identity: str) -> None:
        """Removes one job."""
        with self._open() as base:
            base.execute("delete from jobs where id = ?", (identity,))

    def waiting(self) -> bool:
        """Whether a job is queued."""
        with self._open() as base:
            found = base.execute("select 1 from jobs where state = 'queued' limit 1").fetchone()
        return found is not None

    def running_of(self, worker: int) -> str | None:
        """The job that a process runs now."""
        with self._open() as base:
            found = base.execute(
                "select id from jobs where state = 'running' and worker = ?", (worker,)
            ).fetchone()
        return None if found is None else str(found[0])

    def busy(self) -> set[str]:
        """The projects with jobs that are not done, or whose results nobody has yet."""
        with self._open() as base:
            rows = base.execute(
                "select distinct project from jobs where state in ('queued', 'running')"
                " or (state = 'done' and kind = 'run' and not downloaded)"
            ).fetchall()
        return {row[0] for row in rows}

    def _set(self, identity: str, what: str, *values: object) -> None:
        with self._open() as base:
            base.execute(
                f"update jobs set {what} where id = ? and state in ('running', 'done')",  # noqa: S608
                (*values, identity),
            )

    def _rows(self, tail: str, *values: object) -> list[JsonObject]:
        names = _SHOWN.split()
        with self._open() as base:
            rows = base.execute(
                f"select {', '.join(names)} from jobs {tail}",  # noqa: S608 - constants
                values,
            ).fetchall()
        found = [dict(zip(names, row, strict=True)) for row in rows]
        for one in found:
            for name in ("reason", "result"):
                one[name] = None if one[name] is None else json.loads(one[name])
            one["downloaded"] = bool(one["downloaded"])
        return found

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        base = sqlite3.connect(self.path, timeout=30, isolation_level=None)
        try:
            base.execute("pragma journal_mode = wal")
            base.execute("pragma synchronous = full")
            base.execute(_TABLE)
            yield base
        finally:
            base.close()
