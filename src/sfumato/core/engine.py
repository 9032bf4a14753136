"""Where a verb runs: here, or on an engine that it hands everything to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .load import load


def is_elsewhere(engine: object) -> bool:
    """Whether an engine is meant that is not this process.

    >>> is_elsewhere(None), is_elsewhere("local"), is_elsewhere("spark")
    (False, False, True)
    """
    return engine == "spark" or type(engine).__name__ == "SparkEngine"


def elsewhere(verb: str, given: Mapping[str, object]) -> Any:
    """The release of a verb with all that it was given, made by its engine."""
    others = {name: value for name, value in given.items() if name != "engine"}
    return load("engines:elsewhere")(verb, given["engine"], others)


def is_spark_frame(data: object) -> bool:
    """Whether this is a DataFrame of Spark.

    >>> is_spark_frame([])
    False
    """
    return type(data).__module__.partition(".")[0] == "pyspark" and hasattr(data, "mapInArrow")
