"""The process behind a desk: `python -m sfumato.studio.desk_process MEMORY ROWS UNPACKED`."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.errors import SfumatoError
from ..core.memo import remembering
from .limits import end_with, limit

if TYPE_CHECKING:
    from ..core.values import JsonObject


def main() -> None:
    """Answers questions from standard input until it ends."""
    memory, rows, unpacked = map(int, sys.argv[1:4])
    end_with(os.getppid())
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever is printed is no answer
    from . import tasks
    from .reading import InputLimits

    limit(memory)
    allowed = InputLimits(rows, unpacked)
    with remembering():
        for line in sys.stdin.buffer:
            asked = json.loads(line)
            answers.write(json.dumps(answered(tasks, asked, allowed)).encode() + b"\n")
            answers.flush()


def answered(tasks: Any, asked: JsonObject, allowed: object) -> dict[str, object]:
    """The answer to one question, or what was wrong; never an exception's own words."""
    try:
        task = tasks.TASKS[asked["task"]]
        return {"value": task(Path(asked["project"]), allowed, **asked["arguments"])}
    except SfumatoError as problem:
        return {"error": told(problem)}
    except MemoryError:
        return {
            "error": {
                "problem": "needs more memory than is allowed",
                "where": "data",
                "remedy": "give less at a time, or use the command line",
                "exit_code": 2,
            }
        }
    except Exception as problem:
        return {"error": {"problem": unexpected(problem), "exit_code": 1}}


def told(problem: SfumatoError) -> JsonObject:
    """A failure as the page shows it; places on this machine are no business of the page."""
    where = problem.where
    if where is not None and os.sep in where:
        where = os.path.basename(where)
    return {
        "problem": problem.problem,
        "where": where,
        "remedy": problem.remedy,
        "exit_code": problem.exit_code,
    }


def unexpected(problem: Exception) -> str:
    """The kind of an exception and its place in the code: its message may hold text."""
    import traceback

    if os.environ.get("SFUMATO_DEBUG"):
        traceback.print_exception(problem)
    place = traceback.extract_tb(problem.__traceback__)[-1]
    file = os.path.basename(place.filename)
    return f"unexpected {type(problem).__name__} in {file}, line {place.lineno}"


if __name__ == "__main__":
    main()
