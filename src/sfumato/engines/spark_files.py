"""Files as Spark reads and writes them, and what is said of the columns that leave as they are."""

from __future__ import annotations

import hashlib
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.errors import BadInput
from ..verification.untouched_columns import Repeats
from .spark import ID, MARKS, ROW, by_number, by_parts, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..core.values import JsonObject
    from .spark import SparkEngine
    from .values import Batch, Frame

KINDS = {
    "parquet": "parquet",
    "jsonl": "json",
    "ndjson": "json",
    "json": "json",
    "csv": "csv",
    "tsv": "tsv",
    "txt": "text",
}
PACKED = (".gz", ".bz2", ".zst", ".lz4", ".snappy", ".deflate")


def kind_of(path: str, named: str | None = None) -> str:
    """The format of a file, or of the files of a folder, by their suffix.

    >>> kind_of("notes.csv.gz"), kind_of("folder", "jsonl")
    ('csv', 'json')
    """
    names = [named] if named else [path]
    here = Path(path)
    if not named and here.is_dir():
        names += sorted(one.name for one in here.iterdir() if one.name[:1] not in "._")[:1]
    for name in names:
        plain = str(name).rstrip("/")
        for suffix in PACKED:
            plain = plain.removesuffix(suffix)
        found = KINDS.get(plain.rpartition(".")[2].casefold())
        if found is not None:
            return found
    raise BadInput(
        "Spark reads Parquet, JSONL, CSV, TSV and text files",
        where="format",
        remedy="name the format (--format jsonl)",
    )


def text_column_of(named: Sequence[str] | None, kind: str) -> str | None:
    """The column with the texts: the one that is named, that of text files, or None: the only one.

    >>> text_column_of(["note"], "csv"), text_column_of(None, "text"), text_column_of([], "csv")
    ('note', 'text', None)
    """
    if named and len(named) > 1:
        raise BadInput("on Spark one column is read", where="text_column", remedy="name one")
    return named[0] if named else "text" if kind == "text" else None


def read(engine: SparkEngine, path: str, kind: str, schema: object = None) -> Frame:
    """The frame of a file or folder; cells of CSV are read as strings, a text file is a row.

    `schema` says what columns there are, where it is known.
    """
    if "://" not in path and not Path(path).exists():
        raise BadInput("there is no such file or folder", where="input", remedy="check its name")
    reader = engine.session.read
    if schema is not None:
        reader = reader.schema(schema)
    if kind == "parquet":
        return reader.parquet(path)
    if kind == "json":
        return reader.option("mode", "FAILFAST").json(path)
    if kind == "lines":
        return reader.text(path)
    if kind == "text":
        whole = reader.option("wholetext", True).text(path)
        file = engine.functions.col("_metadata.file_name").alias("file")
        return whole.select(file, engine.functions.col("value").alias("text"))
    return reader.options(**_of_csv(kind)).csv(path)


def read_in_order(engine: SparkEngine, path: str, kind: str, schema: object = None) -> Frame:
    """The same with the place of each row (`ROW`): files by their names, rows as they stand.

    Spark takes large files first, so that its own order is not that of the folder.
    """
    functions = engine.functions
    file, part, within = "_sfumato_file", "_sfumato_part", "_sfumato_within"
    frame = read(engine, path, kind, schema)
    if {ROW, MARKS, ID, file, part, within} & set(frame.columns):
        raise BadInput("a column has a name that is needed", where="input", remedy="rename it")
    place = functions.monotonically_increasing_id()
    source = functions.input_file_name()
    placed = frame.select("*", source.alias(file), place.alias(within)).withColumn(
        part, functions.shiftright(functions.col(within), 33)
    )
    # Kept: with more executors Spark would cut the files otherwise, and places would be others.
    placed = engine.keep(placed)
    rows = placed.groupBy(file, part).agg(functions.count("*"), functions.min(within)).collect()
    first, offsets = 0, []
    for name, number, count, least in sorted(map(tuple, rows)):
        offsets.append((name, number, first - least))
        first += count
    table = engine.session.createDataFrame(offsets, f"{file} string, {part} long, {ROW} long")
    joined = placed.join(functions.broadcast(table), [file, part])
    whole = joined.withColumn(ROW, functions.col(ROW) + functions.col(within))
    return whole.drop(file, part, within)


def write(frame: Frame, path: str, kind: str) -> None:
    """Writes files into a folder that is empty, or not there; in the format that was read.

    Texts are written as JSONL.
    """
    writer = frame.write.mode("append")  # anything else would make a new folder
    if kind == "parquet":
        writer.parquet(path)
    elif kind in ("json", "text"):
        writer.option("ignoreNullFields", False).json(path)
    else:
        writer.options(**_of_csv(kind)).csv(path)


SUFFIXES = {"parquet": "parquet", "json": "jsonl", "csv": "csv", "tsv": "tsv"}


def write_parts(frame: Frame, folder: Path, kind: str) -> None:
    """Writes a frame as a folder of files that are named by their order and by nothing else."""
    write(frame, str(folder), kind)
    parts = sorted(one for one in folder.iterdir() if one.name.startswith("part-"))
    for file in set(folder.iterdir()) - set(parts):
        file.unlink()
    for number, file in enumerate(parts):
        file.rename(folder / f"part-{number:05d}.{SUFFIXES[kind]}")


def written_alike(engine: SparkEngine, folder: Path, kind: str, frame: Frame) -> bool:
    """Whether files, read again, have the rows of a frame, each as often.

    Rows are compared by sums of their hashes: what is looked for are mistakes of writing.
    """
    again = read(engine, str(folder), kind, frame.schema)
    return _sums(engine, again) == _sums(engine, frame)


def _sums(engine: SparkEngine, frame: Frame) -> tuple[Any, ...]:
    functions = engine.functions
    cells = [functions.col(quoted(name)).cast("string") for name in frame.columns]
    marked = [functions.coalesce(one, functions.lit("\0missing")) for one in cells]
    row = functions.struct(*marked)
    sums = [
        functions.sum(functions.xxhash64(functions.lit(salt), row).cast("decimal(38,0)"))
        for salt in (1, 2)
    ]
    return tuple(frame.agg(functions.count("*"), *sums).first())


def write_lines(frame: Frame, path: str, *, overwrite: bool) -> None:
    """Writes the lines of a frame as a folder of text files.

    They hold people's texts: on a disk of this machine nobody else may open the folder, while it is
    written or after.
    """
    if ":" in path:
        frame.write.mode("overwrite" if overwrite else "errorifexists").text(path)
        return
    target = Path(path).absolute()
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as private:
        made = Path(private) / target.name
        frame.write.text(str(made))
        made.chmod(0o700)
        if overwrite and target.exists():
            target.rename(Path(private) / "before")
        made.rename(target)


def _of_csv(kind: str) -> JsonObject:
    """Quotes are doubled, lines may break within them, an empty cell is no missing one."""
    return {
        "header": True,
        "sep": "\t" if kind == "tsv" else ",",
        "quote": '"',
        "escape": '"',
        "multiLine": True,
        "inferSchema": False,
        "emptyValue": '""' if kind == "csv" else "",
        "ignoreLeadingWhiteSpace": False,
        "ignoreTrailingWhiteSpace": False,
    }


def digests(path: str) -> dict[str, str]:
    """The SHA-256 of every file that was written."""
    found = {}
    for file in sorted(Path(path).iterdir()):
        if file.name[:1] in "._":
            continue
        whole = hashlib.sha256()
        with file.open("rb") as stream:
            while piece := stream.read(1 << 20):
                whole.update(piece)
        found[file.name] = whole.hexdigest()
    return found


def repeats(
    engine: SparkEngine, original: Frame, release: Frame, column: str, others: Sequence[str]
) -> Repeats:
    """How many rows of the other columns repeat a word that is hidden in the row's text."""
    found = Repeats()
    if not others:
        return found
    functions = engine.functions
    as_text = original.select(
        *(
            functions.col(quoted(name)).cast("string").alias(f"c{i}")
            for i, name in enumerate(others)
        ),
        functions.col(quoted(column)).alias("before"),
        *([ROW] if ROW in original.columns else []),
    )
    names = [name for name in as_text.columns if name != ROW]
    before = by_number(engine, as_text, {name: name for name in names})
    both = before.join(by_number(engine, release, {column: "after"}), ID)

    def counted(batches: Iterable[Batch]) -> Iterator[Batch]:
        import pyarrow as pa

        here = Repeats()
        for batch in batches:
            cells = {name: batch.column(name).to_pylist() for name in batch.schema.names}
            columns = {name: cells[f"c{i}"] for i, name in enumerate(others)}
            here.add(columns, cells["before"], cells["after"])
        told = json.dumps([here.rows, here.long, here.short])
        yield pa.RecordBatch.from_pydict({"found": [told]})

    for row in by_parts(both, counted, "found string").collect():
        found.join(Repeats(*json.loads(row.found)))
    return found
