"""`sfumato anonymize`: people made k-anonymous on their columns and their texts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..core.errors import BadInput
from . import options
from .recognise import Spans

if TYPE_CHECKING:
    import polars as pl

    from ..core.release import Release
    from ..formats.table import Table
    from ..schema import Schema


def command(
    inputs: Annotated[
        list[str],
        typer.Argument(
            metavar="INPUT...",
            help="A table (CSV, TSV, JSONL, Parquet) or -; several are joined on the person.",
        ),
    ],
    output: options.Output,
    schema: Annotated[
        Path, typer.Option(help="What each column is: a YAML file, or one of rx-anon's.")
    ],
    k: Annotated[
        str | None,
        typer.Option("-k", help="How many people share a class; several: 2,5. [default: 5]"),
    ] = None,
    partitioner: Annotated[
        str | None, typer.Option(help="mondrian, gdf or clusters. [default: mondrian]")
    ] = None,
    relational_weight: Annotated[
        float | None,
        typer.Option(help="lambda: 0 splits on terms only, 1 on columns only. [default: 0.5]"),
    ] = None,
    cuts: Annotated[
        str, typer.Option(help="corrected, or printed: Algorithm 1 to the letter.")
    ] = "corrected",
    block: Annotated[
        int | None,
        typer.Option(help="People among whom clusters are formed: more lose less and take longer."),
    ] = None,
    l: Annotated[  # noqa: E741 - the paper's letter
        float | None, typer.Option("--l", "-l", help="l-diversity of the sensitive columns.")
    ] = None,
    diversity: Annotated[
        str, typer.Option(help="distinct, entropy or recursive (c, l).")
    ] = "distinct",
    c: Annotated[float, typer.Option(help="c of recursive (c, l)-diversity.")] = 1.0,
    t: Annotated[
        float | None, typer.Option("--t", "-t", help="t-closeness of the sensitive columns.")
    ] = None,
    suppress_share: Annotated[
        float, typer.Option(help="The share of people that may be left out as outliers.")
    ] = 0.0,
    term_fate: Annotated[
        str,
        typer.Option(
            "--unshared", help="Terms that a class does not share: suppress, or generalize."
        ),
    ] = "suppress",
    ontology: Annotated[
        Path | None, typer.Option(help="The ontology for generalize [default: WordNet].")
    ] = None,
    own_values: Annotated[
        str | None,
        typer.Option(
            help="People's own values in their texts: words (and dates), all (numbers and short "
            "values too), dropped (of dropped columns only) or none [default: as the schema says, "
            "else words, and dropped with --terms or --spans]."
        ),
    ] = None,
    recognizer: Annotated[
        str | None,
        typer.Option(help="As of recognise; + joins several [default: the schema's, rules-en]."),
    ] = None,
    terms: Annotated[
        Path | None,
        typer.Option(
            help="The terms, a CSV or Parquet table of row,start,stop,label (and column), or of "
            "the person column,entity_type,term."
        ),
    ] = None,
    spans: Spans = None,
    format: options.Format = None,
    encoding: options.Encoding = "utf-8",
    certificate: options.Certificate = None,
    private_certificate: options.PrivateCertificate = None,
    key_file: options.KeyFile = None,
    seed: options.Seed = 0,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Makes people k-anonymous on their columns and on the sensitive terms of their texts.

    Example: sfumato anonymize people.csv --schema people.yaml -k 5 -o out.csv
    """
    from ..methods.records import anonymize
    from ..schema import as_schema
    from . import show

    described = as_schema(schema)
    table = read_tables(inputs, described, format, encoding)
    listed = read_terms(terms, spans, table, described)
    defaults = described.defaults
    ks = numbers_of_k(k) if k is not None else [defaults.k or 5]
    weight = relational_weight if relational_weight is not None else defaults.relational_weight
    with show.progress_bar(quiet or json) as progress:
        releases = anonymize(
            table.frame,
            described,
            ks,
            partitioner or defaults.partitioner or "mondrian",  # type: ignore[arg-type]  # checked
            0.5 if weight is None else weight,
            l,
            diversity,  # type: ignore[arg-type]  # checked by the verb
            t,
            suppress_share,
            term_fate,  # type: ignore[arg-type]  # checked by the verb
            recognizer if listed is None else listed,
            c=c,
            cuts=cuts,  # type: ignore[arg-type]  # checked by the verb
            block=block,
            ontology=None if ontology is None else str(ontology),
            own_values=own_values,  # type: ignore[arg-type]  # checked by the verb
            seed=seed,
            progress=progress,
        )
    named = {f".k{one}" if len(ks) > 1 else "": release for one, release in releases.items()}
    from .publish import Paths

    paths = Paths(output, certificate, private_certificate, key_file)
    beside = [schema, terms, Path(spans) if spans else None, *map(Path, inputs)]
    publish_table(table, named, paths, beside, json=json, quiet=quiet)


def numbers_of_k(given: str) -> list[int]:
    """The values of k, as `5` or `2,5`.

    >>> numbers_of_k("2,5")
    [2, 5]
    """
    try:
        return [int(one) for one in given.split(",")]
    except ValueError:
        raise BadInput("expected whole numbers, as 5 or 2,5", where="-k") from None


def read_tables(inputs: list[str], schema: Schema, format: str | None, encoding: str) -> Table:
    """One table as it is, or several joined on the person column."""
    from ..formats.table import Table, read_table

    tables = [read_table(one, format=format, encoding=encoding) for one in inputs]
    if len(tables) == 1:
        return tables[0]
    from ..schema import join

    if schema.person is None:
        raise BadInput("several tables are joined on the person column", where="schema.person")
    frame = join({one.place: one.frame for one in tables}, schema.person)
    kind = tables[0].format

    def pieces(changed: Any, rows: Any, dropped: set[str]) -> Any:
        import polars as pl

        kept = frame[list(rows)].with_columns(
            pl.Series(name, cells) for name, cells in changed.items()
        )
        yield as_bytes(kept.drop(dropped), kind)

    return Table(" and ".join(inputs), kind, frame, pieces, tables[0].path, "utf-8")


def as_bytes(frame: Any, kind: str) -> bytes:
    """A joined table as a file of the first one's format."""
    import io

    stream = io.BytesIO()
    if kind == "parquet":
        frame.write_parquet(stream)
    elif kind == "jsonl":
        frame.write_ndjson(stream)
    else:
        frame.write_csv(stream, separator="\t" if kind == "tsv" else ",")
    return stream.getvalue()


def read_terms(terms: Path | None, spans: str | None, table: Table, schema: Schema) -> Any:
    """The terms that were given by a file, if any."""
    if terms is not None and spans is not None:
        raise BadInput("give one of --terms and --spans", where="--spans")
    if terms is not None:
        from ..formats.table import read_table

        return read_table(str(terms)).frame
    if spans is None:
        return None
    from ..methods.records.places import documents_of
    from ..recognizers import review

    texts = documents_of(table.frame, schema.texts)
    try:
        content = Path(spans).read_bytes()
    except OSError as problem:
        raise BadInput(f"cannot be read ({problem.strerror})", where=spans) from None
    if spans.endswith(".json"):
        from ..recognizers import presidio

        return presidio.read(content, spans)
    return review.read(content, texts, spans)


def publish_table(
    table: Table,
    releases: dict[str, Release],
    paths: Any,
    read: list[Path | None],
    *,
    json: bool,
    quiet: bool,
) -> None:
    """Verifies every release, and writes all of them with their certificates, or none."""
    from functools import partial

    from .. import formats
    from ..formats.packed import from_utf8, packer, split_name
    from ..verification import verify
    from .publish import outcome_shown, read_key, require, write_certificates

    key = read_key(paths.key_file)
    outcomes = {}
    with formats.atomic_files() as files:
        for path in (*read, paths.key_file):
            if path is not None and str(path) != "-":
                files.protect(path)
        for label, release in releases.items():
            target = paths.variant(label)
            _require_format(target.output, table)
            verdicts = verify(table.frame, release)
            require(verdicts)
            to_stdout = target.output == "-"
            stream = files.standard_output() if to_stdout else files.open(target.output)
            packing = None if to_stdout else split_name(target.output)[1]
            pieces = released_bytes(table, release)
            if table.format != "parquet":
                pieces = from_utf8(pieces, table.encoding, table.place)
            with packer(stream, packing) as out:
                for piece in pieces:
                    out.write(piece)
            certify = partial(_certificate, release, verdicts, key)
            write_certificates(files, target, certify, key or release.key)
            outcomes[target.output] = release, verdicts
        files.commit()
    outcome_shown(outcomes, paths.output, json=json, quiet=quiet)


def _certificate(release: Release, verdicts: Any, key: bytes | None, private: bool) -> Any:
    return release.certificate(verdicts, private=private, key=key)


def _require_format(output: str, table: Table) -> None:
    from ..formats.packed import split_name
    from ..formats.table import SUFFIXES

    suffix = split_name(Path(output).name)[0]
    if output != "-" and SUFFIXES.get(suffix, table.format) != table.format:
        raise BadInput(
            f"the release has the format of its source, {table.format}, not {suffix}",
            where=output,
            remedy="give the output the input's suffix (.gz or .zst may follow)",
        )


def released_bytes(table: Table, release: Release) -> Any:
    """The file's bytes with the cells of the release."""
    data: pl.DataFrame = release.data
    rows = release.private["rows"]
    before = table.frame if len(rows) == table.frame.height else table.frame[rows]
    changed = {
        name: data[name].to_list()
        for name in data.columns
        if data[name].dtype != before[name].dtype or not data[name].equals(before[name])
    }
    dropped = {name for name in table.frame.columns if name not in data.columns}
    return table.pieces(changed, rows.tolist(), dropped)
