"""Where sensitive terms stand: from a recogniser, from places, or from lists of terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from ...core.errors import BadInput
from ...kernels.places import own_terms
from ...recognizers import Rule, Rules, recognizer, spans_of
from ...recognizers.give_back import Returned, given_back
from ...recognizers.installed_recognizers import DEFAULT
from ...recognizers.roles import ROLES
from ...schema.frames import as_polars, column_texts
from ...schema.table import forms

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...core.progress import Progress
    from ...recognizers import Recognizer
    from ...schema import Schema


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Sensitive places in the order of documents, none of them overlapping.

    A document is row x text columns + text column. `labels` are numbers into `names`.
    """

    documents: NDArray[np.int64]
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    labels: NDArray[np.int32]
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.documents)

    def where(self, chosen: NDArray[np.bool_]) -> Places:
        """Some of the places."""
        return Places(
            self.documents[chosen],
            self.starts[chosen],
            self.stops[chosen],
            self.labels[chosen],
            self.names,
        )


def find_places(
    given: object,
    texts: list[str],
    frame: pl.DataFrame,
    schema: Schema,
    progress: Progress | None,
    people: NDArray[np.int32] | None = None,
    give_back: int | None = None,
) -> tuple[Places, Returned]:
    """The places that count: of the chosen entity types, with a role other than `keep`.

    The texts of one of the `people` (a number for every row) are one story. Quasi-identifiers
    that `give_back` of them write do not count; they are told beside the places.
    Cost: O(text) beside the recogniser.
    """
    if not schema.texts:
        return _places([], [], [], []), []
    back: Returned = []
    if given is None and (schema.recognizers or schema.expressions):
        given = schema_recognizer(schema)
    if hasattr(given, "columns") or hasattr(given, "column_names"):
        found = _of_frame(as_polars(given, "recognizer"), texts, frame, schema)
        if give_back is not None:
            raise BadInput(
                "only what a recogniser found is given back, no table of terms", where="give_back"
            )
    else:
        columns = len(schema.texts)
        stories = None if people is None else np.repeat(people, columns).tolist()
        spans = spans_of(given, texts, progress, stories)
        rows = [number // columns for number in range(len(texts))] if stories is None else stories
        spans, back = given_back(spans, texts, give_back, rows, partial(role_of, schema))
        found = _places(
            [span.document for span in spans],
            [span.start for span in spans],
            [span.stop for span in spans],
            [span.label for span in spans],
        )
    counted = [
        (schema.entity_types is None or name in schema.entity_types)
        and role_of(schema, name) != "keep"
        for name in found.names
    ]
    found = found.where(np.array(counted, bool)[found.labels])
    _require_inside(found, texts)
    return _apart(found), back


def role_of(schema: Schema, label: str) -> str:
    """What an entity type means: as the schema says, else as recognisers do."""
    return schema.entities.get(label) or ROLES.get(label, "quasi")


def schema_recognizer(schema: Schema, default: str = DEFAULT) -> object:
    """The recognisers that the schema names, else the default, and its own expressions."""
    return joined_recognizer(schema.recognizers or [default], schema.expressions)


def joined_recognizer(names: Sequence[str], expressions: Mapping[str, str]) -> Recognizer:
    """Recognisers by name, and expressions of entity types."""
    parts: list[str | Recognizer] = list(names)
    if expressions:
        rules = tuple(
            Rule(label, f"(?i:{expression})", score=0.9)
            for label, expression in expressions.items()
        )
        parts.append(Rules("schema", rules))
    return recognizer(*parts)


def _places(
    documents: Sequence[int], starts: Sequence[int], stops: Sequence[int], labels: Sequence[str]
) -> Places:
    names = tuple(sorted(set(labels)))
    number = {name: i for i, name in enumerate(names)}
    return Places(
        np.array(documents, np.int64),
        np.array(starts, np.int64),
        np.array(stops, np.int64),
        np.fromiter((number[label] for label in labels), np.int32, len(labels)),
        names,
    )


def _of_frame(given: pl.DataFrame, texts: list[str], frame: pl.DataFrame, schema: Schema) -> Places:
    """Places (row, start, stop, label, and column if there are several) or terms of people."""
    held = set(given.columns)
    if {"row", "start", "stop", "label"} <= held:
        columns = pl.Series("column", [0] * given.height, dtype=pl.Int64)
        if "column" in held:
            known = {name: i for i, name in enumerate(schema.texts)}
            columns = given["column"].replace_strict(known, default=-1, return_dtype=pl.Int64)
            given, columns = given.filter(columns >= 0), columns.filter(columns >= 0)
        elif len(schema.texts) > 1:
            raise BadInput(
                "several text columns: the places need `column`", where="terms, column `column`"
            )
        rows = given["row"].cast(pl.Int64)
        if given.height and (rows.min() < 0 or rows.max() >= frame.height):  # type: ignore[operator]
            raise BadInput(f"there are {frame.height} rows, from 0", where="terms, column `row`")
        labels, names = _coded(given["label"])
        return Places(
            (rows * len(schema.texts) + columns).to_numpy(),
            given["start"].cast(pl.Int64).to_numpy(),
            given["stop"].cast(pl.Int64).to_numpy(),
            labels,
            names,
        )
    label = next((name for name in ("entity_type", "label") if name in held), None)
    person = next((name for name in (schema.person, "id", "person") if name in held), None)
    if "term" not in held or label is None or person is None or schema.person is None:
        raise BadInput(
            "expected the columns row, start, stop, label, or the person, entity_type and term",
            where="terms",
        )
    return _located(given, person, label, texts, frame[schema.person], len(schema.texts))


def _coded(labels: pl.Series) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    names = labels.cast(pl.String).unique().sort()
    codes = labels.cast(pl.String).cast(pl.Enum(names)).to_physical().cast(pl.Int32)
    return codes.to_numpy(), tuple(names)


def _located(
    given: pl.DataFrame,
    person: str,
    label: str,
    texts: list[str],
    persons: pl.Series,
    width: int,
) -> Places:
    """Everywhere that a person's terms stand in the person's own texts, as whole words."""
    persons, named = forms(persons), forms(given[person])
    names = persons.unique().drop_nulls()
    numbered, known = pl.Enum(names), named.is_in(names.implode())
    given, named = given.filter(known), named.filter(known)
    owners, rows = (
        one.cast(numbered).to_physical().cast(pl.Int32).to_numpy() for one in (named, persons)
    )
    terms = column_texts(given, "term")
    found = own_terms(texts, np.repeat(rows, width), terms, owners, len(names))
    codes, labels = _coded(given[label])
    return Places(found.documents, found.starts, found.stops, codes[found.terms], labels)


def _require_inside(found: Places, texts: list[str]) -> None:
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    wrong = (
        (found.starts < 0)
        | (found.stops <= found.starts)
        | (found.stops > lengths[found.documents])
    )
    if wrong.any():
        first = int(np.flatnonzero(wrong)[0])
        raise BadInput(
            f"a place lies outside its text, {wrong.sum()} in all",
            where=f"document {found.documents[first]}",
            remedy="give the places of these texts, in code points",
        )


def _apart(found: Places) -> Places:
    """The places in order; those that overlap become one, with the label of the longest."""
    if _are_apart(found):
        return found
    order = np.lexsort((-found.stops, found.starts, found.documents))
    found = Places(
        found.documents[order],
        found.starts[order],
        found.stops[order],
        found.labels[order],
        found.names,
    )
    if _are_apart(found):
        return found
    merged: list[list[int]] = []
    longest = 0
    columns = (found.documents, found.starts, found.stops, found.labels)
    for document, start, stop, label in zip(*(one.tolist() for one in columns), strict=True):
        last = merged[-1] if merged else None
        if last is None or last[0] != document or start >= last[2]:
            merged.append([document, start, stop, label])
            longest = stop - start
            continue
        last[2] = max(last[2], stop)
        if stop - start > longest:
            last[3], longest = label, stop - start
    documents, starts, stops, labels = np.array(merged, np.int64).T.copy()
    return Places(documents, starts, stops, labels.astype(np.int32), found.names)


def _are_apart(found: Places) -> bool:
    step = np.diff(found.documents)
    return bool(((step > 0) | ((step == 0) & (found.starts[1:] >= found.stops[:-1]))).all())
