"""A table that `anonymize` released: with its original, or by its classes alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..claims import Side
from ..core.errors import BadInput
from ..core.printed_form import by_sizes
from ..core.release import Sides

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from ..formats import Dataset
    from ..schema import Schema
    from .certificate import Certificate, ReleaseStatement
    from .inputs import Inputs


@dataclass(frozen=True, slots=True, eq=False)
class JudgedTable:
    """What is judged of a table: its original (None: there is none, or its order is unknown)."""

    original: pl.DataFrame | None
    release: pl.DataFrame
    sides: Sides

    __repr__ = by_sizes

    @property
    def is_unmatched(self) -> bool:
        """Whether the original's rows stand in an order that is not known."""
        return self.sides.unmatched is not None


def tables(certificate: Certificate, given: Inputs) -> JudgedTable:
    """Original, release and side inputs as `anonymize` had them.

    The order of shuffled rows is the private certificate's, or drawn again under the key.
    """
    found = _without_population(certificate, given)
    if Side.POPULATION not in certificate.needed:
        return found
    others = population(given)
    if others is None:
        raise BadInput(
            "the release claims something of a population",
            where="--population",
            remedy="name the file of its table",
        )
    return replace(found, sides=replace(found.sides, population=others))


def population(given: Inputs) -> pl.DataFrame | None:
    """The table of the population, where it was given."""
    return None if given.population is None else _read(given, given.population).frame


def _without_population(certificate: Certificate, given: Inputs) -> JudgedTable:
    schema = schema_for(certificate, given)
    if given.original is None:
        return alone(certificate, given)
    before = _read(given, given.original)
    after = _read(given, given.release).frame
    rows = _rows(certificate, given.held(certificate), before.frame.height, after.height)
    is_shuffled = certificate.parameters.get("shuffle", False)
    same_size = before.frame.height == after.height
    if rows is None and is_shuffled and given.key is not None and same_size:
        from ..methods.records.order import drawn_again

        rows = drawn_again(before.frame, {**certificate.parameters}, given.key)
    if rows is None and is_shuffled:
        return _unmatched(certificate, given, before.frame)
    sides = Sides(schema=schema, rows=rows)
    if schema.texts:
        named = _named(given, before, schema)
        if named is None and certificate.format == 1:
            named = _before(schema)
        if named is None and certificate.parameters.get("recognizer") == "given":
            raise BadInput(
                "the release was made with terms of its own",
                where="--terms",
                remedy="name their file, or that of the spans (--spans)",
            )
        places, back = _places(before.frame, schema, named, _give_back(certificate))
        sides = replace(sides, terms=places, given_back=back)
    return JudgedTable(before.frame, after, sides)


def alone(stated: ReleaseStatement, given: Inputs) -> JudgedTable:
    """The release and the terms that its texts still show, without the original.

    Files of terms and spans then say where terms stand in the release.
    """
    from ..verification.records_alone import require_numbers

    schema = schema_for(stated, given)
    table = _read(given, given.release)
    require_numbers(schema, table.frame)
    sides = Sides(schema=schema)
    if schema.texts and set(schema.texts) <= set(table.frame.columns):
        named = _named(given, table, schema)
        named = stated.parameters.get("recognizer") if named is None else named
        if isinstance(named, str) and named == "given":
            raise BadInput(
                "the release was made with terms of its own, so none are known in its texts",
                where="--recognizer",
                remedy="name a recogniser, or the file of terms (--terms) or spans (--spans) of "
                "the released texts",
            )
        places, back = _places(table.frame, schema, named, _give_back(stated))
        sides = replace(sides, found=places, given_back=back)
    return JudgedTable(None, table.frame, sides)


def _unmatched(certificate: Certificate, given: Inputs, before: pl.DataFrame) -> JudgedTable:
    """The release alone, with the original beside it whose rows stand in an unknown order."""
    unknown = BadInput(
        "the rows were shuffled, and which is which is known to nobody here",
        where="--private-certificate",
        remedy="give the private certificate, which holds the order, or the --key-file",
    )
    if given.terms is not None or given.spans is not None:  # of the original's texts
        raise unknown
    try:
        found = alone(certificate, given)
    except BadInput:
        raise unknown from None
    return replace(found, sides=replace(found.sides, unmatched=before))


def _read(given: Inputs, path: str) -> Dataset:
    from ..formats.table import read_table

    return read_table(path, format=given.format, encoding=given.encoding)


def _give_back(stated: ReleaseStatement) -> int | None:
    found = stated.parameters.get("give_back")
    return found if isinstance(found, int) else None


def schema_for(stated: ReleaseStatement, given: Inputs) -> Schema:
    """The schema with what the release was told of own values."""
    from ..schema import as_schema

    if given.schema is None:
        raise BadInput("the claims are about its columns", where="--schema", remedy="name the file")
    schema, own_values = as_schema(given.schema), stated.parameters.get("own_values")
    if own_values is None:
        return schema
    return schema.model_copy(update={"own_values": own_values})


def _named(given: Inputs, table: Dataset, schema: Schema) -> object:
    """What tells the terms of texts: a file of terms or of spans, or a recogniser, if any."""
    if given.terms is not None and given.spans is not None:
        raise BadInput("give one of --terms and --spans", where="--spans")
    if given.terms is not None:
        from ..formats.table import read_table

        return read_table(str(given.terms)).frame
    if given.spans is not None:
        from ..recognizers.files import read_spans
        from ..schema.frames import documents_of

        return read_spans(given.spans, documents_of(table.frame, schema.texts))
    return given.recognizer


def _before(schema: Schema) -> object:
    """What found terms when certificates had format 1 and nobody named a recogniser."""
    from ..methods.records.places import schema_recognizer

    return schema_recognizer(schema, "rules-en")


def _rows(
    certificate: Certificate, held: Certificate, before: int, after: int
) -> NDArray[np.int64] | None:
    """Which rows were released: all, or those the private certificate names."""
    import numpy as np

    listed = held.private.get("rows")
    if listed is not None:
        return np.array([int(one) for one in listed], np.int64)
    if before != after and certificate.parameters.get("suppress_share"):
        raise BadInput(
            "people were left out of the release, and who is known to nobody here",
            where="--private-certificate",
            remedy="give the private certificate, which holds the rows",
        )
    return None


def _places(
    frame: pl.DataFrame, schema: Schema, given: object, give_back: int | None
) -> tuple[pl.DataFrame, object]:
    """The sensitive places of the texts, found as the release found them; what was given back."""
    import polars as pl

    from ..methods.records.places import find_places
    from ..methods.records.view import people_of_rows
    from ..schema.frames import documents_of

    texts = documents_of(frame, schema.texts)
    people, _ = people_of_rows(frame, schema.person)
    found, back = find_places(given, texts, frame, schema, None, people, give_back)
    number = len(schema.texts)
    columns = pl.Series(schema.texts, dtype=pl.String).gather(found.documents % number)
    labels = pl.Series(found.names, dtype=pl.String).gather(found.labels)
    places = pl.DataFrame(
        {
            "row": found.documents // number,
            "column": columns,
            "start": found.starts,
            "stop": found.stops,
            "label": labels,
        }
    )
    return places, back


def found_in(frame: pl.DataFrame, schema: Schema, named: str | None) -> pl.DataFrame:
    """The sensitive places of some rows' texts, as a recogniser finds them."""
    return _places(frame, schema, named, None)[0]


def legible(places: pl.DataFrame, frame: pl.DataFrame, masks: str) -> pl.DataFrame:
    """The terms of which no symbol is hidden: a mention with a star is legible nowhere.

    A recogniser may take what is left of a starred term for another one: what a star adjoins, be it
    across blanks or punctuation, is such a rest.
    """
    from ..schema.frames import column_texts

    texts = {name: column_texts(frame, name) for name in places["column"].unique()}
    kept = []
    for place in places.iter_rows(named=True):
        text = texts[place["column"]][place["row"]]
        start, stop = place["start"], place["stop"]
        while start and not text[start - 1].isalnum() and text[start - 1] not in masks:
            start -= 1
        while stop < len(text) and not text[stop].isalnum() and text[stop] not in masks:
            stop += 1
        around = text[max(start - 1, 0) : stop + 1]
        kept.append(not any(symbol in masks for symbol in around))
    return places.filter(kept)
