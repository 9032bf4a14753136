"""Apache Spark: the session, and DataFrames in and out.

pyspark is imported here and nowhere else, when it is first needed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.errors import BadInput, NotInstalled
from ..core.printed_form import by_sizes
from .exchange import GATHERED
from .spark_faults import guarded, guarded_one

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .values import Batch, Blocks, Frame, Session

BLOCK = 1 << 21
"""Symbols of a block, about; a worker has a few hundred bytes for each in memory."""
ALONE = 16 << 20
"""Symbols of a text that is one block: one task works on it as one machine does, in about 25 bytes
of memory for each, and asks nobody."""
MOST_BLOCKS = 20_000
PEOPLE = 2_000_000
"""People whose codes one task may have, where classes are not formed in parts."""
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""For sessions that are started here: small heaps, of a core or a few."""


def pyspark_there() -> Any:
    """The package, or what to do where it is not there."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import pyspark
            import pyspark.sql
            import pyspark.sql.functions
    except ImportError:
        raise NotInstalled(
            "pyspark is not installed", where="engine", remedy="pip install 'sfumato[spark]'"
        ) from None
    return pyspark


def start(master: str = "local[*,4]", **settings: str) -> Any:
    """A session of our own: this Python for all workers, loopback addresses, tasks tried again.

    `settings` are Spark's own, with `_` for `.`. Whoever has a session gives it to `SparkEngine`.
    """
    pyspark = pyspark_there()
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    chosen = {
        "spark.app.name": "sfumato",
        "spark.master": master,
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",  # commands show a bar of their own
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        "spark.sql.shuffle.partitions": "8",
        # Traces of Spark may quote people's texts: they are shown where that is asked for.
        "spark.log.level": _logged(),
        # Work is done in Python: what the JVM does is not worth its second compiler, nor threads
        # that collect garbage beside it (a quarter of all CPU at 20 MB, and memory never returned).
        "spark.driver.extraJavaOptions": JAVA,
        "spark.executor.extraJavaOptions": JAVA,
        **{name.replace("_", "."): value for name, value in settings.items()},
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            _launch(chosen)
            session = pyspark.sql.SparkSession.builder.config(map=chosen).getOrCreate()
        except pyspark.errors.PySparkRuntimeError:
            raise NotInstalled(
                "Spark did not start: it needs Java of version 17 or later",
                where="engine",
                remedy="install a Java runtime, and see that JAVA_HOME names it",
            ) from None
    session.sparkContext.setLogLevel(_logged())
    return session


def _launch(settings: dict[str, str]) -> None:
    """Java without what it says before its log level is known: half a dozen lines of no use."""
    context = pyspark_there().SparkContext
    if context._gateway is not None or _logged() != "OFF":
        return
    from pyspark.java_gateway import launch_gateway

    conf = pyspark_there().SparkConf(loadDefaults=False).setAll(list(settings.items()))
    context._ensure_initialized(gateway=launch_gateway(conf, {"stderr": subprocess.DEVNULL}))


def _logged() -> str:
    return "ERROR" if os.environ.get("SFUMATO_DEBUG") else "OFF"


def tasks_of(context: Session) -> tuple[int, int]:
    """The tasks of the stages that run, by the status tracker: those that are done, and all."""
    if context is None:
        return 0, 0
    try:
        tracker = context.statusTracker()
        found = [tracker.getStageInfo(one) for one in tracker.getActiveStageIds()]
    except Exception:  # the session ends just now
        return 0, 0
    there = [one for one in found if one is not None]
    return sum(one.numCompletedTasks for one in there), sum(one.numTasks for one in there)


def started() -> SparkEngine:
    """The engine of the session that is there, or of one that is started now."""
    session = pyspark_there().sql.SparkSession.getActiveSession()
    return SparkEngine(start() if session is None else session)


@dataclass(frozen=True, slots=True)
class SparkEngine:
    """Verbs run on this session: `sf.suppress(frame, engine=SparkEngine(session))`.

    `text_column` is needed where a frame has several columns of text; `blocks` says into how many
    parts the documents are divided (by default by their size), `gathered` how many words of all of
    them one task may have at a time, `people` how many people of a table. With `changes` what was
    changed where stays beside a release of texts, in a private frame: a policy follows places by
    it.
    """

    __repr__ = by_sizes

    session: Session = field(default_factory=start)
    text_column: str | None = None
    blocks: int | None = None
    changes: bool = False
    gathered: int = GATHERED
    people: int = PEOPLE
    kept: list[Frame] = field(default_factory=list, repr=False, compare=False)
    """What verbs keep in the session for the releases they gave."""

    def keep(self, frame: Frame) -> Frame:
        """A frame, or an RDD, that is made once and kept, on disk where memory does not suffice."""
        found = frame.persist(pyspark_there().StorageLevel.MEMORY_AND_DISK)
        self.kept.append(found)
        return found

    def settle(self, frame: Frame) -> Frame:
        """A frame that is made now, and stands for itself: nothing asks what it was made of.

        Plans and stages name all they come from, and of several joins they grow beyond all bounds.
        It lies on two workers, so that one may be lost; or in the session's checkpoint directory.
        """
        if self.session.sparkContext.getCheckpointDir() is not None:
            return frame.checkpoint()
        levels = pyspark_there().StorageLevel
        alone = self.session.sparkContext.master.startswith("local")
        level = levels.MEMORY_AND_DISK if alone else levels.MEMORY_AND_DISK_2
        return frame.localCheckpoint(storageLevel=level)

    def forget(self) -> None:
        """Gives back what is kept: releases of this engine are made anew where they are used."""
        while self.kept:
            self.kept.pop().unpersist()

    @property
    def functions(self) -> Any:
        """The functions of Spark SQL."""
        return pyspark_there().sql.functions

    def text_of(self, frame: Frame, *others: str) -> str:
        """The name of the column with the texts."""
        names = [one for one in frame.columns if one not in others]
        kinds = dict(frame.dtypes)
        if self.text_column is not None:
            names = [one for one in names if one == self.text_column]
        else:
            names = [one for one in names if kinds[one] == "string"]
        if len(names) != 1 or kinds[names[0]] != "string":
            raise BadInput(
                "expected one column of text",
                where="texts",
                remedy="name it: --text-column, or SparkEngine(session, text_column=...)",
            )
        return str(names[0])

    def parts_for(self, frame: Frame, column: str) -> int:
        """Into how many blocks documents are divided."""
        if self.blocks is not None:
            return max(1, self.blocks)
        functions = self.functions
        size = frame.agg(functions.sum(functions.length(column))).first()[0] or 0
        if size <= ALONE:
            return 1
        least = self.session.sparkContext.defaultParallelism
        return int(min(MOST_BLOCKS, max(least, -(-size // BLOCK))))


@cache
def settled() -> None:
    """In a worker: what is loaded stays, and is not looked at after every task.

    pyspark collects garbage after each, which takes longer than many a task of ours.
    """
    import gc

    gc.freeze()


def by_parts(
    frame: Frame, work: Callable[[Iterator[Batch]], Iterator[Batch]], schema: str
) -> Frame:
    """A frame through a function of record batches, partition by partition."""

    def through(batches: Iterator[Batch]) -> Iterator[Batch]:
        settled()
        return guarded(work)(batches)

    with warnings.catch_warnings():  # of pyspark, about versions of pandas, which is not used
        warnings.simplefilter("ignore")
        return frame.mapInArrow(through, schema)


def by_groups(grouped: Frame, work: Callable[..., Batch], schema: str) -> Frame:
    """Grouped rows, or rows of two frames with the same key, through a function of Arrow tables."""
    with warnings.catch_warnings():  # of pyspark, about versions of pandas, which is not used
        warnings.simplefilter("ignore")
        return grouped.applyInArrow(guarded_one(work), schema)


ID, MEASURED, MARKS = "_sfumato_document", "_sfumato_measured", "_sfumato_marks"
ROW = "_sfumato_row"
"""The place of a row, from 0 on, where a frame has it already: then nobody counts rows again."""


def with_documents(engine: SparkEngine, frame: Frame) -> Frame:
    """The frame with the place of each row, from 0 on; it is kept, so that places stay.

    Rows are counted once by partition: no row goes through Python for it.
    """
    if ID in frame.columns:
        raise BadInput(f"a column is called {ID}", where="texts", remedy="rename it")
    functions = engine.functions
    if ROW in frame.columns:
        return frame.withColumn(ID, functions.col(ROW))
    kept = engine.keep(frame.withColumn(ID, functions.monotonically_increasing_id()))
    part = functions.shiftright(functions.col(ID), 33).cast("int")
    counts = dict(kept.groupBy(part.alias("part")).count().collect())
    first = np.cumsum([0, *(counts.get(i, 0) for i in range(max(counts, default=0)))]).tolist()
    before = functions.array(*(functions.lit(one).cast("long") for one in first))
    within = functions.col(ID).bitwiseAND(functions.lit((1 << 33) - 1))
    return kept.withColumn(ID, functions.get(before, part) + within)


def by_number(engine: SparkEngine, frame: Frame, columns: dict[str, str]) -> Frame:
    """These columns under other names, with the place of each row from 0 on."""
    chosen = [engine.functions.col(quoted(old)).alias(new) for old, new in columns.items()]
    if ROW in frame.columns:
        return frame.select(engine.functions.col(ROW).alias(ID), *chosen)
    return with_documents(engine, frame.select(*chosen)).select(ID, *columns.values())


def with_texts(engine: SparkEngine, frame: Frame, column: str, blocks: Blocks) -> Blocks:
    """The frame, in its order, with the texts of the blocks; a missing text stays missing.

    Where changes are asked for, what was changed in each text stands beside it (`MARKS`).
    """
    functions, new = engine.functions, "_sfumato_released"
    names = ["ids", "texts", *(["marks"] if engine.changes else [])]
    released = engine.session.createDataFrame(
        blocks.flatMap(lambda one: zip(*(one[1][name] for name in names), strict=True)),
        f"{ID} long, {new} string" + (f", {MARKS} string" if engine.changes else ""),
    )
    joined = frame.join(released, ID, "left")
    shown = [
        functions.when(functions.col(quoted(name)).isNotNull(), functions.col(new)).alias(name)
        if name == column
        else functions.col(quoted(name))
        for name in (*frame.columns, *([MARKS] if engine.changes else []))
        if name != ID
    ]
    return joined.orderBy(ID).select(*shown)


def quoted(name: str) -> str:
    """A column by its name, whatever that is."""
    return "`" + name.replace("`", "``") + "`"
