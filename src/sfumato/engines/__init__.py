"""Where verbs are run: here, or on many machines. The seam between verbs and engines.

A verb that is given an engine hands over all it was given (`elsewhere`, called by `core.engine`).
What an engine does not do is refused by name, and never done on the driver instead.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..core.engine import is_spark_frame
from ..core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..core.claims import Verdict
    from ..core.method import MethodInput
    from ..core.release import Release
    from ..core.values import JsonObject, JsonValues
    from .spark import SparkEngine
    from .values import Frame

VERBS = {
    "anonymize": "spark_anonymize",
    "generalize": "spark_generalize",
    "pseudonymize": "spark_pseudonymize",
    "redact": "spark_redact",
    "sanitize": "spark_sanitize",
    "suppress": "spark_suppress",
}
"""The verbs that run on Spark, and the module of each."""


def elsewhere(verb: str, engine: Any, given: JsonValues) -> Any:
    """The verb's release on an engine: `"spark"` or a `SparkEngine`."""
    from .spark import SparkEngine, pyspark_there, started

    if verb not in VERBS:
        raise BadInput(
            f"{verb} does not run on Spark", where="engine", remedy="drop it, or see docs/scale.md"
        )
    pyspark_there()
    frame = next(iter(given.values()))
    if not is_spark_frame(frame):
        raise BadInput(
            f"expected a DataFrame of Spark, found {type(frame).__name__}",
            where=next(iter(given)),
            remedy="read it by Spark (session.read), or drop engine",
        )
    return _run(verb)(engine if isinstance(engine, SparkEngine) else started(), given)


def engine_of(given: object) -> SparkEngine:
    """The engine that is meant: a `SparkEngine`, or that of the session that is there."""
    from .spark import SparkEngine, pyspark_there, started

    pyspark_there()
    return given if isinstance(given, SparkEngine) else started()


@contextmanager
def session_ended() -> Iterator[None]:
    """Ends the session that was started meanwhile, if one was."""
    try:
        yield
    finally:
        if "pyspark" in sys.modules:
            from .spark import pyspark_there

            session = pyspark_there().sql.SparkSession.getActiveSession()
            if session is not None:
                session.stop()


def tasks_running() -> tuple[int, int]:
    """Of the stages that Spark runs now: how many tasks are done, and how many there are."""
    if "pyspark" not in sys.modules:
        return 0, 0
    from .spark import tasks_of

    return tasks_of(sys.modules["pyspark"].SparkContext._active_spark_context)


def _run(verb: str) -> Callable[[SparkEngine, JsonValues], Any]:
    from importlib import import_module

    run: Callable[[SparkEngine, JsonValues], Any]
    run = import_module(f".{VERBS[verb]}", __name__).run
    return run


def arguments(verb: str, given: MethodInput[Any]) -> JsonObject:
    """The arguments of a verb whose data Spark reads, from what was given to its command."""
    from importlib import import_module

    found: JsonObject = import_module(f".{VERBS[verb]}", __name__).arguments(given)
    return found


def verify(original: Frame, release: Release) -> list[Verdict]:
    """Judges a release that Spark made, on Spark."""
    from .spark_verify import judge_on_spark

    return judge_on_spark(original, release)
