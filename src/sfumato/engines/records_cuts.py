"""Parts of a large table on Spark: cut by counting, as one machine cuts them.

By columns at the exact median (`methods.records.parts`), or by terms as GDF does. The driver has
how often each code occurs in a part, and of terms the number of the one that is cut.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..methods.records import parts as cutting
from ..methods.records.view import kernel_columns
from .records_codes import PERSON
from .records_terms import ITEMS
from .spark import ID

if TYPE_CHECKING:
    from .records_codes import CodedTable
    from .records_terms import FoundTerms
    from .spark import SparkEngine
    from .values import Frame, Session

PART = "_sfumato_part"


def with_parts(engine: SparkEngine, table: CodedTable, k: int, most: int) -> Frame:
    """The rows with the part of their person: cut until none has more than `most` people."""
    functions = engine.functions
    people = engine.settle(_keys(engine, table).withColumn(PART, functions.lit(0)))
    scales = [cutting.Scale.of(column) for column in kernel_columns(table.columns)]
    whole: list[float] | None = None
    large, made = [0], 1
    while large:
        counted = _counted(functions, people, large, len(scales))
        if whole is None:
            whole = [
                0.0 if one is None or scale is None else one.width(scale)
                for one, scale in zip(counted[0], scales, strict=True)
            ]
        cuts: dict[int, tuple[int, int, int]] = {}
        sizes: dict[int, int] = {}
        for part in large:
            cut = cutting.cut_of(counted[part], whole, scales, k)
            if cut is not None:
                cuts[part] = (*cut, made)
                one = counted[part][cut[0]]
                assert one is not None
                right = int(one.counts[one.keys >= cut[1]].sum())
                sizes |= {made: right, part: int(one.counts.sum()) - right}
                made += 1
        people = _cut(engine, people, cuts, made)
        large = [part for part, size in sizes.items() if size > most]
    return table.rows.join(people.select(PERSON, PART), PERSON), made


def with_term_parts(
    engine: SparkEngine, table: CodedTable, k: int, most: int, found: FoundTerms | None
) -> tuple[Frame, int]:
    """The rows with the part of their person, cut as GDF cuts: by the term that most people have.

    A cut depends on the people of its part alone, so that tasks go on as one machine does.
    """
    functions = engine.functions
    pairs = engine.settle(_pairs(engine, table, found))
    people = table.rows.select(PERSON).distinct().withColumn(PART, functions.lit(0))
    sizes, made = {0: table.count}, 1
    large = [0] if table.count > most else []
    while large:
        counted = (
            pairs.join(people.where(functions.col(PART).isin(large)), PERSON)
            .groupBy(PART, "item")
            .agg(functions.count("*").alias("n"))
            .where(_leaves(functions, {part: sizes[part] for part in large}, k))
        )
        best = functions.max(functions.struct("n", -functions.col("item"))).alias("best")
        cuts = {row[0]: row[1] for row in counted.groupBy(PART).agg(best).collect()}
        if not cuts:
            break
        chosen = [(part, -int(one[1]), made + i) for i, (part, one) in enumerate(cuts.items())]
        for part, _, new in chosen:
            sizes[part], sizes[new] = int(cuts[part][0]), sizes[part] - int(cuts[part][0])
        made += len(chosen)
        cut = engine.session.createDataFrame(chosen, f"{PART} int, item long, new int")
        held = people.join(functions.broadcast(cut), PART).join(pairs, [PERSON, "item"])
        has = held.select(PERSON, functions.lit(True).alias("has"))
        joined = people.join(functions.broadcast(cut.drop("item")), PART, "left")
        joined = joined.join(has, PERSON, "left")
        goes = functions.col("new").isNotNull() & functions.col("has").isNull()
        part = functions.when(goes, functions.col("new")).otherwise(functions.col(PART))
        people = engine.settle(joined.select(PERSON, part.alias(PART)))
        large = [one for part, _, new in chosen for one in (part, new) if sizes[one] > most]
    return table.rows.join(people, PERSON), made


def _leaves(functions: Session, sizes: dict[int, int], k: int) -> Session:
    """Whether a term leaves k people on both sides of its part."""
    size = functions.lit(None).cast("long")
    for part, number in sizes.items():
        size = functions.when(functions.col(PART) == part, functions.lit(number)).otherwise(size)
    return (functions.col("n") >= k) & (size - functions.col("n") >= k)


def _pairs(engine: SparkEngine, table: CodedTable, found: FoundTerms | None) -> Frame:
    """Every person with every item of sets and every term, numbered as partitioners do."""
    functions, first, every = engine.functions, 0, []
    for i, column in enumerate(table.columns):
        if column.described.kind == "set":
            items = table.rows.select(PERSON, functions.explode(f"c{i}").alias("item"))
            item = (functions.col("item").cast("long") + functions.lit(first)).alias("item")
            every.append(items.select(PERSON, item))
            first += len(column.labels)
    if found is not None:
        whose = table.rows.select(functions.col(ID).alias("row"), PERSON)
        items = found.held.select("row", functions.explode(ITEMS).alias("item"))
        terms = items.join(whose, "row")
        item = (functions.col("item") + functions.lit(first)).alias("item")
        every.append(terms.select(PERSON, item))
    whole = every[0]
    for one in every[1:]:
        whole = whole.union(one)
    return whole.distinct()


def _keys(engine: SparkEngine, table: CodedTable) -> Frame:
    """The smallest and the largest code of each person, -1 where there is none."""
    functions = engine.functions
    ends = []
    for i, column in enumerate(table.columns):
        if column.described.kind == "set":
            continue
        code = functions.when(functions.col(f"c{i}") >= 0, functions.col(f"c{i}"))
        ends += [
            functions.coalesce(end(code), functions.lit(-1)).alias(f"{name}{i}")
            for end, name in ((functions.min, "l"), (functions.max, "h"))
        ]
    return table.rows.groupBy(PERSON).agg(functions.count("*").alias("n"), *ends)


def _counted(
    functions: Session, people: Frame, large: list[int], width: int
) -> dict[int, list[cutting.CodeCounts | None]]:
    """How often each code occurs in each of these parts."""
    known = [i for i in range(width) if f"l{i}" in people.columns]
    each = [
        functions.struct(
            functions.lit(i).alias("c"),
            functions.col(f"l{i}").alias("low"),
            functions.col(f"h{i}").alias("high"),
        )
        for i in known
    ]
    rows = []
    if each:
        rows = (
            people.where(functions.col(PART).isin(large))
            .select(PART, functions.explode(functions.array(*each)).alias("one"))
            .groupBy(PART, "one.c", "one.low")
            .agg(functions.count("*").alias("n"), functions.max("one.high").alias("high"))
            .collect()
        )
    found: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
    for part, c, low, n, high in rows:
        found.setdefault((part, c), []).append((low, n, high))
    result: dict[int, list[cutting.CodeCounts | None]] = {part: [None] * width for part in large}
    for (part, c), some in found.items():
        keys, counts, highs = np.array(sorted(some), np.int64).T
        result[part][c] = cutting.CodeCounts(keys, counts, int(highs.max()))
    return result


def _cut(
    engine: SparkEngine, people: Frame, cuts: dict[int, tuple[int, int, int]], made: int
) -> Frame:
    """The people with their new parts: at a cut those with larger keys go to the new one."""
    if not cuts:
        return people
    functions = engine.functions

    def table(place: int) -> Session:
        chosen = (cuts[i][place] if i in cuts else -1 for i in range(made))
        return functions.get(functions.array(*map(functions.lit, chosen)), functions.col(PART))

    columns = [int(name[1:]) for name in people.columns if name[0] == "l" and name[1:].isdigit()]
    key = functions.lit(None).cast("int")
    for c in columns:
        key = functions.when(table(0) == c, functions.col(f"l{c}")).otherwise(key)
    goes = key.isNotNull() & (key >= table(1))
    part = functions.when(goes, table(2)).otherwise(functions.col(PART))
    return engine.settle(people.withColumn(PART, part))
