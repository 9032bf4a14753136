"""`anonymize` on Spark: tables and their texts, with the classes and the order of one machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.errors import BadInput, CannotBeMet
from ..core.keyed_draws import permutation, steward_key
from ..core.loss import Loss
from ..core.options import check_k, check_kinds, check_run
from ..core.release import Release, Sides
from ..core.spans import Changes
from ..methods.records import parts as cutting
from ..methods.records.claims import ONE_CLASS, UNGUARDED, claims, not_protected
from ..methods.records.options import Options, SensitiveDemand, checked, with_own_values
from ..methods.records.order import purpose_of
from ..methods.records.prepared_table import parameters_of
from ..schema import as_schema
from .records_codes import PERSON, PLACE, CodedTable, coded, mapped, placed
from .records_parts import Task, classed
from .records_terms import Reading, found_terms, named
from .records_texts import CHANGED, CLASS, FATE, PLACES, rewritten
from .spark import ID, ROW, quoted, with_documents

if TYPE_CHECKING:
    from ..core.method import MethodInput
    from ..core.values import JsonObject, JsonValues
    from ..schema import Schema
    from .records_terms import FoundTerms
    from .spark import SparkEngine
    from .values import Frame, Session

KILOBYTE = 1000
POSITION, NUMBER = "_sfumato_position", "_sfumato_number"


def run(engine: SparkEngine, given: JsonValues) -> Any:
    """The release of a frame, or one for each k."""
    schema, options = _asked(given)
    ks, secret = check_k(given["k"]), steward_key(given["key"])
    recognizer = named(given["recognizer"]) if schema.texts else None
    table = coded(engine, given["frame"], schema, secret)
    names = tuple(name for name in table.whole.columns if name != ID)
    reading = Reading(schema, table.columns, recognizer, names)
    found = None
    if schema.texts:
        found = found_terms(engine, table, reading, options.ontology is not None)
    shown = {
        "own_values": schema.own_values,
        "recognizer": "given" if isinstance(recognizer, tuple) else given["recognizer"],
        "shuffle": given["shuffle"] is not False,
        "seed": given["seed"],
    }
    releases = {
        k: _released(engine, given["frame"], table, reading, found, options, k, secret, shown)
        for k in ks
    }
    return releases if isinstance(given["k"], Sequence) else releases[ks[0]]


def arguments(given: MethodInput[Any]) -> JsonObject:
    """What the command of `anonymize` was given."""
    if given.reviewed is not None:
        raise BadInput("on Spark it cannot be given", where="spans", remedy="drop it")
    for name in ("population", "ontology", "listed"):
        if getattr(given.options, name) is not None:
            raise BadInput("on Spark it cannot be given", where=name, remedy="drop it")
    found, defaults = given.verb_options(), given.schema.defaults
    for name in ("k", "partitioner", "relational_weight"):
        if name not in given.stated and getattr(defaults, name) is not None:
            found[name] = getattr(defaults, name)
    found = {name: value for name, value in found.items() if name not in ("population", "ontology")}
    return {
        **found,
        "schema": given.schema,
        "key": given.key,
        "recognizer": given.recognizer_name if given.schema.texts else None,
    }


def _asked(given: JsonValues) -> tuple[Schema, Options]:
    """What is asked for; what does not run there is refused by name."""
    check_run(None, given["seed"], given["progress"])
    if given["shuffle"] is not None:
        check_kinds(flag={"shuffle": given["shuffle"]})
    schema = with_own_values(as_schema(given["schema"]), given["own_values"], given["recognizer"])
    for name in ("population", "k_map", "delta", "give_back", "ontology"):
        if given[name] is not None:
            raise BadInput("on Spark it cannot be given", where=name, remedy="drop it, or engine")
    options = checked(
        schema,
        given["partitioner"],
        given["relational_weight"],
        given["cuts"],
        given["effort"],
        given["block"],
        given["suppress_share"],
        given["terms"],
        SensitiveDemand(given["l"], given["diversity"], given["c"], given["t"]),
        None,
        given["knows"],
        given["strata"],
    )
    return schema, options


def _released(
    engine: SparkEngine,
    frame: Frame,
    table: CodedTable,
    reading: Reading,
    found: FoundTerms | None,
    options: Options,
    k: int,
    key: bytes,
    shown: JsonObject,
) -> Release:
    schema = reading.schema
    if table.count < k:
        raise CannotBeMet(
            f"{table.count} people cannot be {k}-anonymous",
            where=schema.person,
            remedy="give more people or a smaller k",
        )
    parameters = parameters_of(k, options, shown)
    purpose = purpose_of(table.digest, parameters)
    whole = _at_once(table.count, options, engine.people)
    plain = replace(options, ontology=None)  # every worker reads its own
    task = Task(
        *(schema, table.columns, plain, k, table.count, whole, key, purpose),
        generalizes=options.ontology is not None,
    )
    rows, measured = classed(engine, table, task, cutting.PART, found)
    people = sum(one["people"] for one in measured)
    texts = None if found is None else rewritten(engine, found, reading, rows)
    work, changed = _written(
        engine, table, schema, rows, texts, people, key, purpose, shown["shuffle"]
    )
    classes = sum(one["classes"] for one in measured)
    told: tuple[str, ...] = ()
    if table.outside and schema.others == "insensitive":
        told = (
            f"{table.outside} columns stand in no line of the schema and are released as they are",
        )
    told += table.told
    if options.is_drawn and classes == 1 and table.count >= 2 * k:
        told = (*told, ONE_CLASS)
    if schema.named("sensitive") and not options.by_values:
        told = (*told, UNGUARDED)
    hidden = (ID, PERSON, POSITION, NUMBER)
    return Release(
        verb="anonymize",
        data=work.drop(*hidden),
        claims=claims(
            *(schema, k, options.demanded, people, classes, sorted(changed)),
            *(options.knows, not options.is_drawn),
        ),
        changes=Changes.of(),
        loss=Loss(
            _loss(measured, people, classes, whole, found is not None, options.partitioner == "gdf")
        ),
        parameters=parameters,
        counts={
            "rows": work.count(),
            "people": people,
            "people_suppressed": table.count - people,
            "classes": classes,
            "terms": 0 if found is None else found.places,
        },
        not_protected=not_protected(
            schema,
            shown["shuffle"],
            options.knows,
            None,
            chosen=options.by_values and not options.is_drawn,
        ),
        warnings=told,
        sides=Sides(
            input=frame,
            schema=schema,
            rows=work.select(ID),
            terms=None if texts is None else texts.select(ID, PERSON, CLASS, PLACES, CHANGED),
            engine=engine,
        ),
        key=key,
    )


def _at_once(count: int, options: Options, most: int) -> bool:
    """Whether all people are partitioned by one task, which has their codes alone."""
    by_terms = options.partitioner == "gdf" and not options.by_values
    divided = (cutting.in_parts(count, options) or by_terms) and options.knows is None
    if count <= cutting.PART:
        return True
    if divided and not options.suppress_share:
        return False
    if count > most:  # what is asked of all people together, such as who is left out
        raise BadInput(
            f"l, t, knows, suppress_share and printed cuts are asked of all {count} people at once,"
            f" and one task may have {most}",
            where="suppress_share" if divided else "partitioner",
            remedy=f"leave them out, or give SparkEngine(people={count}) and a worker with "
            f"{_gigabytes(count)} GB for the task",
        )
    return True


def _gigabytes(count: int) -> int:
    """Memory of the task that has so many people, with room to spare.

    One machine took 264 bytes more for each person, of seven quasi-identifiers and l = 2.
    """
    return -(-count * KILOBYTE // 10**9)


def _loss(
    measured: list[JsonObject],
    people: int,
    classes: int,
    whole: bool,
    has_terms: bool,
    by_terms: bool,
) -> dict[str, float]:
    """The loss of all parts together: every share is of people, of a type of those who have it."""
    sums: dict[str, list[float]] = {}
    for one in measured:
        for name, value in one["loss"].items():
            label = name.removeprefix("NCP_X:")
            count = one["people"] if label == name else one["owners"][label]
            known = sums.setdefault(name, [0.0, 0])
            sums[name] = [known[0] + value * count, known[1] + count]
    loss = {name: total / max(count, 1) for name, (total, count) in sums.items()}
    mean = people / max(classes, 1)
    squares = sum(one["squares"] for one in measured) / max(classes, 1)
    relational, textual = loss.pop("NCP_A", 0.0), loss.pop("NCP_X", 0.0)
    has_columns = any(name.startswith("NCP_A:") for name in loss)
    parts = [relational] * has_columns + [textual] * has_terms
    splits = [sum(one["splits"][i] for one in measured) for i in range(2)]
    cuts = 0 if whole else len(measured) - 1  # those that made the parts
    return {
        "NCP": sum(parts) / max(len(parts), 1),
        "NCP_A": relational,
        "NCP_X": textual,
        "classes": classes,
        "mean_class_size": mean,
        "sd_class_size": max(0.0, squares - mean**2) ** 0.5,
        "splits_relational": splits[0] + cuts * (not by_terms),
        "splits_textual": splits[1] + cuts * by_terms,
        **loss,
    }


def drawn_again(engine: SparkEngine, original: Frame, parameters: JsonValues, key: bytes) -> Frame:
    """Which row of the table each row of its release is, when none was left out."""
    import pyarrow as pa

    whole = with_documents(engine, original)
    places, digest = placed(engine, whole, key)
    order = permutation(key, b"rows\0" + purpose_of(digest, parameters), whole.count())
    table = pa.table({ROW: np.arange(len(order)), PLACE: order})
    return engine.session.createDataFrame(table).join(places, PLACE).select(ROW, ID)


def in_their_order(engine: SparkEngine, original: Frame) -> Frame:
    """The rows of a release that was not shuffled: each is its own."""
    return with_documents(engine, original).select(ID, engine.functions.col(ID).alias(ROW))


def _written(
    engine: SparkEngine,
    table: CodedTable,
    schema: Schema,
    rows: Frame,
    texts: Frame | None,
    people: int,
    key: bytes,
    purpose: bytes,
    shuffle: bool,
) -> tuple[Frame, list[str]]:
    """The released rows in their order, and the names of the columns that were recoded."""
    functions = engine.functions
    kept, count = rows.drop(FATE), table.count - people
    kept = kept.join(table.places.withColumnRenamed(PLACE, POSITION), ID)
    if count:  # somebody is left out: the others are counted anew
        ranked = with_documents(
            engine, kept.select(functions.col(POSITION).alias("at")).orderBy("at")
        )
        ranked = ranked.withColumnRenamed(ID, PLACE)
        kept = kept.join(ranked, kept[POSITION] == ranked["at"]).drop("at", POSITION)
        kept = kept.withColumnRenamed(PLACE, POSITION)
        some = rows.select(functions.col(PERSON).alias("whose")).distinct().orderBy("whose")
        counted = with_documents(engine, some).withColumnRenamed(ID, NUMBER)
        kept = kept.join(counted, kept[PERSON] == counted["whose"]).drop("whose")
    else:
        kept = kept.withColumn(NUMBER, functions.col(PERSON))
    if shuffle:
        order = permutation(key, b"rows\0" + purpose, kept.count())
        places = np.empty(len(order), np.int64)
        places[order] = np.arange(len(order))
        kept = mapped(engine, kept, POSITION, places)
    else:
        kept = kept.withColumn(POSITION, functions.col(ID))
    if schema.person is not None and schema.person_number:
        numbers = permutation(key, b"people\0" + purpose, people) + 1
        kept = mapped(engine, kept, NUMBER, numbers)
    if texts is not None:
        kept = kept.join(texts.drop(PERSON, CLASS, PLACES, CHANGED), ID)
    whole = engine.settle(kept.join(table.whole, ID))
    cells, changed = [], []
    place = {one.name: f"n{i}" for i, one in enumerate(table.columns)}
    differ = _changed(functions, whole, place)
    for name in table.whole.columns:
        if name == ID or name in _dropped(schema, table.whole.columns):
            continue
        cell = functions.col(quoted(name))
        if name == schema.person:
            cell = functions.col(NUMBER)
        elif name in schema.texts:
            cell = functions.col(f"t{schema.texts.index(name)}")
        elif name in differ:
            cell = functions.col(place[name])
            changed.append(name)
        cells.append(cell.alias(name))
    shown = whole.orderBy(POSITION).select(*cells, ID, PERSON, POSITION, NUMBER)
    return engine.settle(shown), changed


def _changed(functions: Session, whole: Frame, place: dict[str, str]) -> set[str]:
    """The columns of which some cell is not as it was."""
    asked = [
        functions.max(
            ~functions.col(quoted(name)).cast("string").eqNullSafe(functions.col(new))
            if dict(whole.dtypes)[new] == "string"
            else functions.lit(True)
        ).alias(new)
        for name, new in place.items()
    ]
    if not asked:
        return set()
    row = whole.agg(*asked).first().asDict()
    return {name for name, new in place.items() if row[new] or row[new] is None}


def _dropped(schema: Schema, columns: list[str]) -> set[str]:
    dropped = set(schema.named("drop"))
    if schema.person is not None and not schema.person_number:
        dropped.add(schema.person)
    if schema.others == "drop":
        dropped |= {name for name in columns if name not in {schema.person, *schema.columns}}
    return dropped
