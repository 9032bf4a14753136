"""`sfumato evaluate`: a release against gold spans and a task."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..core.errors import BadInput
from . import options

if TYPE_CHECKING:
    from ..formats import Source
    from ..judging.evaluate import Evaluation


def command(
    original: Annotated[
        str, typer.Argument(metavar="ORIGINAL", help="What the release was made of.")
    ],
    release: Annotated[str, typer.Argument(metavar="RELEASE", help="The release to judge.")],
    gold: Annotated[
        str | None,
        typer.Option(
            help="Gold spans: JSONL (a review file, or records with spans), Presidio's results "
            "(.json), or a folder of brat (.ann) or i2b2 (.xml) files."
        ),
    ] = None,
    text_column: options.TextColumn = None,
    group_column: options.GroupColumn = None,
    label_column: Annotated[
        str | None,
        typer.Option(help="A column to predict: trains on the release, tests on the original."),
    ] = None,
    share: Annotated[
        float, typer.Option(help="A token with a larger share of masked symbols is protected.")
    ] = 0.2,
    exempt: Annotated[
        str | None,
        typer.Option(help="Symbols between tokens [default: blanks and punctuation]."),
    ] = None,
    preset: Annotated[
        str, typer.Option(help="What labels mean where gold has no role: default, hipaa or gdpr.")
    ] = "default",
    mask: Annotated[
        str | None, typer.Option(help="The marks that hide [default: ★ and *].")
    ] = None,
    format: options.Format = None,
    encoding: options.Encoding = "utf-8",
    seed: options.Seed = 0,
    json: options.Json = False,
) -> None:
    """Measures a release: tokens and entities protected against gold, and what it is good for.

    Example: sfumato evaluate notes.jsonl out.jsonl --text-column text --gold notes.jsonl
    """
    from .. import formats
    from ..judging.evaluate import evaluate
    from ..metrics.tokens import EXEMPT

    def read(path: str, groups: str | None = None) -> Source:
        return formats.read(
            path, text_column=text_column, group_column=groups, format=format, encoding=encoding
        )

    before, after = read(original, group_column), read(release)
    labels = None
    if label_column is not None:
        if label_column not in before.columns:
            raise BadInput("the input has no such column", where="--label-column")
        labels = ["" if one is None else one for one in before.column(label_column)]
    found = evaluate(
        before.data,
        after.data,
        None if gold is None else read_gold(gold, before),
        share=share,
        exempt=EXEMPT if exempt is None else exempt,
        preset=preset,
        labels=labels,
        groups=before.groups,
        mask=mask,
        seed=seed,
    )
    if json:
        typer.echo(json_module.dumps(found.as_dict()))
    else:
        _show(found)


def read_gold(path: str, source: Source) -> Any:
    """Gold spans of a file or folder: records with `spans`, or any file of spans."""
    from ..formats.packed import split_name, unpack
    from ..recognizers import gold
    from .spans import read_spans

    suffix, packing = split_name(Path(path).name)
    if suffix == "jsonl" and Path(path).is_file():
        content = unpack(Path(path).read_bytes(), packing, path)
        if gold.has_spans(content):
            return gold.read(content, path)
    return read_spans(path, source, [text or "" for text in source.texts])


def _show(found: Evaluation) -> None:
    from rich.table import Table

    from . import show

    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_row("masked share", show.number(found.masked_share))
    for part in (found.tokens, found.entities, found.downstream):
        for name, value in part.as_dict().items() if part is not None else ():
            table.add_row(name.replace("_", " "), show.number(value))
    show.console().print(table)
