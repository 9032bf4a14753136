"""`sfumato schema`: proposes, checks and describes schemas of tables."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..core.errors import BadInput
from . import options

if TYPE_CHECKING:
    import polars as pl

app = typer.Typer(
    help="Proposes and checks schemas of tables, and prints their JSON schema.",
    rich_markup_mode=None,
    no_args_is_help=True,
)

Table = Annotated[
    Path, typer.Argument(metavar="TABLE", help="A CSV, TSV, JSONL or Parquet file, packed or not.")
]

Header = Annotated[
    bool | None,
    typer.Option(
        "--header/--no-header",
        help="Whether the first line of a CSV or TSV file names the columns; without names they "
        "are column_1, column_2 [default: refused where it looks like a record].",
    ),
]


@app.command("guess")
def guess(
    table: Table,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write the schema here [default: print].")
    ] = None,
    header: Header = None,
    format: options.Format = None,
    encoding: options.Encoding = "utf-8",
    overwrite: options.Overwrite = False,
    json: options.Json = False,
) -> None:
    """Proposes a schema for a table, with the reasons as comments; read it before you use it.

    Example: sfumato schema guess people.csv -o guessed.yaml
    """
    from ..schema.guess import guess as propose

    text = propose(read_table(table, encoding, header, format))
    if json:
        import yaml

        typer.echo(json_module.dumps(yaml.safe_load(text), default=str))
        if output is None:
            return
    if output is None:
        typer.echo(text, nl=False)
        return
    from ..formats import atomic_files

    with atomic_files(overwrite=overwrite) as files:
        files.protect(table)
        with files.open(output) as out:
            out.write(text.encode())
        files.commit()


@app.command("check")
def check_schema(
    schema: Annotated[Path, typer.Argument(metavar="SCHEMA", help="The schema, a YAML file.")],
    table: Annotated[
        Path | None,
        typer.Argument(metavar="TABLE", help="Also check that this table is as the schema says."),
    ] = None,
    header: Header = None,
    format: options.Format = None,
    encoding: options.Encoding = "utf-8",
    json: options.Json = False,
) -> None:
    """Checks a schema, and a table against it; exits with 2 and says where when one is wrong.

    Example: sfumato schema check people.yaml people.csv
    """
    from ..schema import as_schema
    from ..schema.table import check_table

    read = as_schema(schema)
    counts = {
        "quasi_identifiers": len(read.relational),
        "texts": len(read.texts),
        "sensitive": len(read.named("sensitive")),
    }
    if table is not None:
        counts = check_table(read, read_table(table, encoding, header is not False, format))
    if json:
        typer.echo(json_module.dumps(counts))
        return
    for name, count in counts.items():
        typer.echo(f"{name.replace('_', ' ')}: {count:,}")


@app.command("json")
def json_schema() -> None:
    """Prints the JSON schema of schemas, with which editors complete and check YAML.

    Example: sfumato schema json > sfumato.schema.json
    """
    from ..schema import json_schema as described

    typer.echo(json_module.dumps(described(), indent=2))


def read_table(
    path: Path, encoding: str = "utf-8", header: bool | None = True, format: str | None = None
) -> pl.DataFrame:
    """A table as it stands: cells of CSV and TSV are strings; `header` None looks at its names."""
    import io

    import polars as pl

    from ..formats.arrow import frame_of
    from ..formats.packing import codec_name, split_name, to_utf8, unpack
    from ..formats.table import SUFFIXES
    from ..formats.table import read_table as table_at

    suffix, packing = split_name(path.name)
    try:
        if format is not None or SUFFIXES.get(suffix) == "xlsx":
            return table_at(str(path), format=format, encoding=encoding).frame
        raw = unpack(path.read_bytes(), packing, str(path))
    except OSError as problem:
        raise BadInput(f"cannot be read ({problem.strerror})", where=str(path)) from None
    try:
        if suffix == "parquet":
            return pl.read_parquet(io.BytesIO(raw))
        if suffix in ("arrow", "feather", "ipc"):
            return frame_of(raw, str(path))
        raw = to_utf8(raw, codec_name(encoding), str(path))
        if suffix in ("jsonl", "ndjson"):
            return pl.read_ndjson(io.BytesIO(raw), infer_schema_length=None)
        if suffix not in ("csv", "tsv"):
            raise BadInput("expected csv, tsv, jsonl, parquet, arrow or xlsx", where=str(path))
        return _fields(raw, suffix, str(path), header)
    except pl.exceptions.PolarsError:
        raise BadInput("is no table of this format", where=str(path)) from None


def _fields(raw: bytes, suffix: str, place: str, header: bool | None) -> pl.DataFrame:
    import io

    import polars as pl

    from ..formats.csv import delimiter_of
    from ..schema.header import require_header

    separator = delimiter_of(raw, 0, suffix, None, header is not False).decode()
    table = pl.read_csv(
        io.BytesIO(raw), separator=separator, infer_schema=False, has_header=header is not False
    )
    if header is None:
        require_header(table, place)
    return table
