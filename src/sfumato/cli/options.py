"""Options that several commands share, declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

INPUT = typer.Argument(
    metavar="INPUT", help="A file, a folder of text files, or - for standard input."
)
Output = Annotated[
    str,
    typer.Option("-o", "--output", help="The release: a file, a folder, or - for standard output."),
]
OptionalOutput = Annotated[
    str | None,
    typer.Option("-o", "--output", help="The release: a file, a folder, or - for standard output."),
]
Tables = Annotated[
    list[str],
    typer.Argument(
        metavar="INPUT...",
        help="A table (CSV, TSV, JSONL, Parquet) or -; several are joined on the person.",
    ),
]
Schema = Annotated[
    Path, typer.Option(help="What each column is: a YAML file, or one of rx-anon's.")
]
Recognizer = Annotated[
    str | None,
    typer.Option(
        help="en, rules-en, rules-es, a YAML file of rules, a .model that learn wrote, "
        "an installed spaCy pipeline; + joins them."
    ),
]
Processes = Annotated[
    int, typer.Option(help="How many processes a spaCy pipeline runs in; rules need none.")
]
Spans = Annotated[
    str | None,
    typer.Option(
        help="Reviewed spans, exactly these, in place of a recogniser: a review file (.jsonl), "
        "Presidio's results (.json), or a folder of brat (.ann) or i2b2 (.xml) files."
    ),
]
TextColumn = Annotated[
    list[str] | None,
    typer.Option(
        help="The column or field that holds the text, or a path in JSON (note[].text); several: "
        "give the option again."
    ),
]
TimeColumn = Annotated[
    str | None,
    typer.Option(help="Of events: the column of times, in whose order they are taken."),
]
Times = Annotated[
    Literal["order", "exact"],
    typer.Option(
        help="What is released of times: order, that of the events alone; or with delete exact, "
        "each event's time. A gap then tells who knows the patterns which event was deleted."
    ),
]
Stream = Annotated[
    bool | None,
    typer.Option(
        "--stream/--no-stream",
        help="Work in parts, with flat memory [default: for inputs over 64 MB].",
    ),
]


def group_column(help: str) -> object:
    """The option that names the column of people."""
    return Annotated[str | None, typer.Option("--group-column", "--person-column", help=help)]


GroupColumn = Annotated[
    str | None,
    typer.Option(
        "--group-column",
        "--person-column",
        help="The column that says whose text it is: k counts these.",
    ),
]
Terms = Annotated[
    Path | None,
    typer.Option(help="The terms: a file with one a line, or a dictionary that redact saved."),
]
Direct = Annotated[
    Path | None, typer.Option(help="Direct identifiers, one a line: starred whole everywhere.")
]
Preset = Annotated[
    str,
    typer.Option(
        help="Which labels of --spans are direct, which quasi: default, hipaa (Safe Harbor), gdpr."
    ),
]
Format = Annotated[
    str | None,
    typer.Option(
        help="The input's format when its name does not tell: csv, jsonl.gz; lines: one text a "
        "line; xlsx:NAME: another sheet than the first."
    ),
]
Delimiter = Annotated[
    str | None,
    typer.Option(help="What separates the fields of a CSV file [default: what its header shows]."),
]
NoHeader = Annotated[
    bool,
    typer.Option("--no-header", help="The CSV file has no header: columns are column_1, column_2."),
]
_SEPARATED = r"What separates the documents of a text file: '\n\n', '---'."
DocumentSeparator = Annotated[str | None, typer.Option(help=_SEPARATED)]
Separator = Annotated[
    str | None, typer.Option("--document-separator", "--separator", help=_SEPARATED)
]
Encoding = Annotated[str, typer.Option(help="The input's encoding.")]
Certificate = Annotated[
    Path | None,
    typer.Option(help="Where the public certificate goes [default: OUTPUT.certificate.json]."),
]
PrivateCertificate = Annotated[
    Path | None,
    typer.Option(
        help="Also write the private certificate (key, plain hashes) here; do not publish it."
    ),
]
KeyFile = Annotated[
    Path | None,
    typer.Option(help="The key of the public certificate's hashes [default: a new one]."),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace outputs that exist.")]
NumberFiles = Annotated[
    bool,
    typer.Option(
        "--number-files", help="Number the files of an output folder: names may identify."
    ),
]
Publish = Annotated[
    str | None,
    typer.Option(
        help="Columns that may leave as they are although they repeat what the texts hide: names "
        "with commas, or all."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Print nothing but errors.")]
Engine = Annotated[
    str,
    typer.Option(
        help="local, or spark: INPUT is then what Spark reads, OUTPUT a folder (docs/scale.md)."
    ),
]
Seed = Annotated[int, typer.Option(help="The seed of what is drawn at random.")]
