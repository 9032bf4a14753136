"""A folder that `anonymize` wrote on Spark, judged there by whoever has it.

With the schema classes are counted from the release alone. With the original, and the key where
rows were shuffled, every row is compared with the one that it was.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from ..core.errors import BadInput
from ..core.release import Sides
from ..engines.record_alone_checks import by_classes_alone
from ..engines.record_checks import by_classes
from ..engines.spark_files import kind_of
from ..engines.spark_json import read_table
from ..received.file import SHUFFLED
from ..received.tables import found_in, schema_for
from ..received.verdicts import ReceivedVerdicts

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..core.values import Data
    from ..engines.spark import SparkEngine
    from ..received.certificate import Certificate
    from ..received.inputs import Inputs

UNKNOWN = "on Spark people who were left out are known to nobody"


def received_table(
    certificate: Certificate, given: Inputs, engine: Callable[[], SparkEngine]
) -> ReceivedVerdicts:
    """The verdicts on a table that Spark wrote; what is not judged is named with the reason."""
    schema = schema_for(certificate, given)
    for name in ("terms", "spans", "population"):
        if getattr(given, name) is not None:
            raise BadInput("does not go with Spark", where=f"--{name}", remedy="drop it")
    made = replace(engine(), kept=[])
    named = given.recognizer or certificate.parameters.get("recognizer")
    if schema.texts and named == "given":
        raise BadInput(
            "the release was made with several recognisers", where="--recognizer", remedy="name it"
        )
    find = partial(found_in, named=named)
    after = _read(made, given, given.release)
    try:
        sides = Sides(schema=schema, engine=made)
        release = certificate.released(after, sides)
        if given.original is None:
            verdicts = by_classes_alone(release, find)
            return ReceivedVerdicts.of(certificate, verdicts, certificate.claims)
        before = _read(made, given, given.original)
        rows, why = _rows(certificate, given, made, before, after)
        if rows is None:
            verdicts = by_classes_alone(release, find)
            told = {"nothing-else-changed": why}
            return ReceivedVerdicts.of(certificate, verdicts, certificate.claims, told)
        release = certificate.released(after, replace(sides, rows=rows))
        verdicts = by_classes(before, release, None, find)
        return ReceivedVerdicts.of(certificate, verdicts, certificate.claims)
    finally:
        made.forget()


def _rows(
    certificate: Certificate, given: Inputs, engine: SparkEngine, before: Data, after: Data
) -> tuple[Data | None, str]:
    """Which row of the original each released one was; or why that is not known."""
    from ..engines.spark_anonymize import drawn_again, in_their_order

    if before.count() != after.count():
        return None, UNKNOWN
    if not certificate.parameters.get("shuffle", False):
        return in_their_order(engine, before), ""
    if given.key is None:
        return None, SHUFFLED
    return drawn_again(engine, before, certificate.parameters, given.key), ""


def _read(engine: SparkEngine, given: Inputs, path: str) -> Data:
    return read_table(engine, path, kind_of(path, given.format))
