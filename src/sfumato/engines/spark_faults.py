"""What goes wrong on Spark, said as on one machine: no text of anybody, the right exit code.

A trace of Spark holds the message of what failed in Python, which may quote a text, and goes to
the logs of all machines. So a worker says only what failed and where; the driver says it again.
"""

from __future__ import annotations

import errno
import json
import os
from contextlib import contextmanager
from functools import wraps
from inspect import signature
from typing import TYPE_CHECKING, Any

from ..core import errors
from ..core.errors import BadInput, SfumatoError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..core.values import JsonObject
    from .values import Batch, Records

MARK, END = "sfumato says {", "} to the driver"
DAMAGED = ("FAILED_READ_FILE", "MALFORMED_RECORD")
"""What Spark calls files that it cannot read, also those whose sum (`.crc`) is another."""
REFUSED = {
    "No space left on device": errno.ENOSPC,
    "Disk quota exceeded": errno.EDQUOT,
    "Read-only file system": errno.EROFS,
    "Permission denied": errno.EACCES,
}
"""What Java says where the system refuses to write."""


def guarded(work: Callable[..., Records]) -> Callable[..., Records]:
    """A function of a partition that fails, if it does, without anybody's text."""

    @wraps(work)
    def through(*given: Any) -> Records:
        try:
            yield from work(*given)
        except Exception as problem:
            raise _without_text(problem) from None

    return through


def guarded_one(work: Callable[..., Any]) -> Callable[..., Any]:
    """The same of a function that gives one value; Spark looks at how many arguments it has."""

    def one(given: Batch) -> Any:
        try:
            return work(given)
        except Exception as problem:
            raise _without_text(problem) from None

    def two(first: Batch, second: Batch) -> Any:
        try:
            return work(first, second)
        except Exception as problem:
            raise _without_text(problem) from None

    return two if len(signature(work).parameters) == 2 else one


def _without_text(problem: Exception) -> RuntimeError:
    """What failed, and where: kinds and places, and what this package says of its own failures.

    >>> str(_without_text(BadInput("is missing", where="-k"))).partition(" to ")[0]
    'sfumato says {"kind": "BadInput", "told": ["is missing", "-k", null]}'
    """
    import traceback

    if isinstance(problem, RuntimeError) and MARK in str(problem):
        return problem  # of a function within
    if isinstance(problem, SfumatoError):
        said: JsonObject = {
            "kind": type(problem).__name__,
            "told": [problem.problem, problem.where, problem.remedy],
        }
    else:
        place = traceback.extract_tb(problem.__traceback__)[-1]
        where = f"{os.path.basename(place.filename)}, line {place.lineno}"
        said = {"kind": "", "told": [f"unexpected {type(problem).__name__} in {where}", None, None]}
        if isinstance(problem, OSError) and problem.errno in REFUSED.values():
            said["errno"] = problem.errno
    return RuntimeError(f"{MARK}{json.dumps(said)[1:-1]}{END}")


@contextmanager
def readable(path: str) -> Iterator[None]:
    """What Spark says of a failure becomes an error of this package, which names no text."""
    try:
        yield
    except Exception as problem:
        if type(problem).__module__.partition(".")[0] not in ("py4j", "pyspark"):
            raise
        found = _told(str(problem), path)
        if found is None:
            raise
        raise found from None


def not_readable(path: str) -> BadInput:
    """The error of a file that is damaged."""
    return BadInput(
        "a file is damaged, or is not what its name says",
        where=path,
        remedy="read it from a copy that is whole",
    )


def _told(said: str, path: str) -> Exception | None:
    """The error that a trace of Spark tells of; None where it tells of none that is known."""
    _, mark, rest = said.partition(MARK)
    if mark:
        told = json.loads("{" + rest.partition(END)[0] + "}")
        if "errno" in told:
            return OSError(told["errno"], os.strerror(told["errno"]))
        problem, where, remedy = told["told"]
        if told["kind"]:
            kind: type[SfumatoError] = getattr(errors, told["kind"])
            return kind(problem, where=where, remedy=remedy)
        return SfumatoError(
            f"{problem}, on a worker; nothing was written",
            remedy="SFUMATO_DEBUG=1 shows Spark's own trace",
        )
    if any(one in said for one in DAMAGED):
        return not_readable(path)
    for words, number in REFUSED.items():
        if words in said:
            return OSError(number, os.strerror(number))
    return None
