"""What `sfumato verify` needs to judge a release of `anonymize`: tables, schema, terms, rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.errors import BadInput

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from ..schema import Schema


def tables(
    stated: dict[str, Any],
    held: dict[str, Any],
    paths: tuple[str | None, str],
    schema: Path | None,
    found_by: tuple[Path | None, str | None, str | None],
    reading: tuple[str | None, str],
) -> tuple[Any, Any, dict[str, Any]]:
    """Original, release and side inputs as `anonymize` had them; without the original, None.

    `found_by` are the files of terms and of spans and the name of a recogniser, `reading` the
    format and the encoding; `held` is the private certificate where it is given.
    """
    from ..formats.table import read_table
    from ..schema import as_schema
    from .anonymize import read_terms

    if schema is None:
        raise BadInput("the claims are about its columns", where="--schema", remedy="name the file")
    if paths[0] is None:
        return _alone(stated, paths[1], schema, found_by, reading)
    described = _as_released(as_schema(schema), stated)
    format, encoding = reading
    before = read_table(paths[0], format=format, encoding=encoding)
    after = read_table(paths[1], format=format, encoding=encoding).frame
    private: dict[str, Any] = {"schema": described}
    rows = _rows(stated, held, before.frame.height, after.height)
    if rows is not None:
        private["rows"] = rows
    if described.texts:
        terms, spans, recognizer = found_by
        given = read_terms(terms, spans, before, described)
        given = recognizer if given is None else given
        if given is None and stated["parameters"].get("recognizer") == "given":
            raise BadInput(
                "the release was made with terms of its own",
                where="--terms",
                remedy="name their file, or that of the spans (--spans)",
            )
        private["terms"] = _places(before.frame, described, given)
    return before.frame, after, private


def _alone(
    stated: dict[str, Any],
    path: str,
    schema: Path,
    found_by: tuple[Path | None, str | None, str | None],
    reading: tuple[str | None, str],
) -> tuple[None, Any, dict[str, Any]]:
    """The release and the terms that its texts still show, without the original.

    `found_by` is as for `tables`, but says where terms stand in the release.
    """
    from ..formats.table import read_table
    from ..schema import as_schema
    from ..verification.records_alone import require_numbers
    from .anonymize import read_terms

    described = _as_released(as_schema(schema), stated)
    format, encoding = reading
    table = read_table(path, format=format, encoding=encoding)
    require_numbers(described, table.frame)
    private: dict[str, Any] = {"schema": described}
    if described.texts and set(described.texts) <= set(table.frame.columns):
        terms, spans, recognizer = found_by
        given = read_terms(terms, spans, table, described)
        given = recognizer if given is None else given
        given = stated["parameters"].get("recognizer") if given is None else given
        if isinstance(given, str) and given == "given":
            raise BadInput(
                "the release was made with terms of its own, so none are known in its texts",
                where="--recognizer",
                remedy="name a recogniser, or the file of terms (--terms) or spans (--spans) of "
                "the released texts",
            )
        private["found"] = _places(table.frame, described, given)
    return None, table.frame, private


def _as_released(schema: Schema, stated: dict[str, Any]) -> Schema:
    """The schema with what the release was told of own values."""
    own_values = stated["parameters"].get("own_values")
    if own_values is None:
        return schema
    return schema.model_copy(update={"own_values": own_values})


def _rows(
    stated: dict[str, Any], held: dict[str, Any], before: int, after: int
) -> NDArray[np.int64] | None:
    """Which rows were released: all, or those the private certificate names."""
    import numpy as np

    listed = held.get("private", {}).get("rows")
    if listed is not None:
        return np.array([int(one) for one in listed], np.int64)
    if before != after and stated["counts"].get("people_suppressed"):
        raise BadInput(
            "people were left out of the release, and who is known to nobody here",
            where="--private-certificate",
            remedy="give the private certificate, which holds the rows",
        )
    return None


def _places(frame: pl.DataFrame, schema: Schema, given: Any) -> pl.DataFrame:
    """The sensitive places of the original, found again as the release found them."""
    import polars as pl

    from ..methods.records.places import documents_of, find_places

    texts = documents_of(frame, schema.texts)
    found = find_places(given, texts, frame, schema, None)
    number = len(schema.texts)
    columns = pl.Series(schema.texts, dtype=pl.String).gather(found.documents % number)
    labels = pl.Series(found.names, dtype=pl.String).gather(found.labels)
    return pl.DataFrame(
        {
            "row": found.documents // number,
            "column": columns,
            "start": found.starts,
            "stop": found.stops,
            "label": labels,
        }
    )
