"""A table, its people and their terms, read once for any number of partitions."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...core.labels import as_one
from ...core.memo import remembered
from ...kernels.records import People, Sensitive
from ...schema.frames import as_polars, documents_of
from ...schema.table import check_table
from .order import RowKeys, by_values, row_keys, table_digest
from .own_values import find_own
from .places import find_places
from .prepared_table import PreparedTable
from .sensitive import sensitive_columns
from .terms import Terms, collect
from .view import (
    kernel_columns,
    people_of_rows,
    relational,
)

if TYPE_CHECKING:
    import polars as pl

    from ...core.progress import Progress
    from ...recognizers.give_back import Returned
    from ...schema import Schema
    from .options import (
        SensitiveDemand,
    )


def prepare(
    given: object,
    schema: Schema,
    recognizer: object,
    demanded: SensitiveDemand,
    progress: Progress | None,
    give_back: int | None = None,
    secret: bytes = b"",
) -> PreparedTable:
    """Reads the table, its people and their terms once, for any number of partitions.

    Without the steward's `secret` everybody can find the order of people who are alike.

    Cost: O(rows + text) beside the recogniser.
    """
    frame = as_polars(given)

    def key() -> Hashable:
        if recognizer is not None and not isinstance(recognizer, (str, list)):
            return None
        named = tuple(recognizer) if isinstance(recognizer, list) else recognizer
        kinds = str(frame.schema)
        return kinds, table_digest(frame), schema.model_dump_json(), named, demanded, give_back

    made = remembered(
        *("records", 2, key),
        lambda: _prepared(given, frame, schema, recognizer, demanded, progress, give_back),
    )
    return replace(made, given=given).under(row_keys(frame, secret), secret)


def _prepared(
    given: object,
    frame: pl.DataFrame,
    schema: Schema,
    recognizer: object,
    demanded: SensitiveDemand,
    progress: Progress | None,
    give_back: int | None,
) -> PreparedTable:
    outside = check_table(schema, frame)["not_in_schema"]
    people, count = people_of_rows(frame, schema.person)
    columns = relational(frame, schema, people, count)
    texts: list[str] = []
    terms: Terms | None = None
    back: Returned = []
    if schema.texts:
        texts = documents_of(frame, schema.texts)
        places, back = find_places(recognizer, texts, frame, schema, progress, people, give_back)
        own = find_own(texts, frame, schema, people, columns)
        terms = collect(places, own, texts, schema, columns, people)
    order, alike = by_values(columns, terms, count)
    number = np.argsort(order)
    people = number[people].astype(np.int32)
    columns = [column.of(order) for column in columns]
    terms = None if terms is None else terms.numbered(number)
    quasi = [*kernel_columns(columns), *(terms.kernel(schema, count) if terms else ())]
    sensitive: list[Sensitive] = []
    if demanded.l is not None or demanded.t is not None:
        for name in schema.named("sensitive"):
            sensitive += sensitive_columns(frame, name, schema.columns[name], people, demanded)
    told: tuple[str, ...] = ()
    if outside and schema.others == "insensitive":
        told = (f"{outside} columns stand in no line of the schema and are released as they are",)
    if schema.person is not None:
        told += as_one(frame[schema.person].n_unique() - count)
    table, keys = People(count, quasi, sensitive), RowKeys(np.arange(frame.height), b"")
    return PreparedTable(
        *(given, frame, schema, people, count, columns, texts, terms, table, told, back),
        *(order, alike, keys),
    )
