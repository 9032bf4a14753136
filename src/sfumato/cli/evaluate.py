"""`sfumato evaluate`: a release against gold spans and a task."""

from __future__ import annotations

import json as json_module
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from ..core.errors import BadInput
from . import judging, options

if TYPE_CHECKING:
    from ..formats import Source
    from ..judging.evaluate import Evaluation


def command(
    original: judging.Original,
    release: judging.Judged,
    gold: judging.Gold = None,
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
    mask: judging.Mask = None,
    certificate: judging.Certificate = None,
    private_certificate: judging.PrivateCertificate = None,
    format: options.Format = None,
    encoding: options.Encoding = "utf-8",
    seed: options.Seed = 0,
    json: options.Json = False,
) -> None:
    """Measures how many marked identifiers a release hides, and what it is still good for.

    Example: sfumato evaluate notes.jsonl out.jsonl --text-column text --gold gold.jsonl
    """
    from ..judging.evaluate import evaluate
    from ..metrics.tokens import EXEMPT
    from . import show

    with show.working("read", json):
        before, after = judging.read_both(
            original,
            release,
            text_column=text_column,
            group_column=group_column,
            format=format,
            encoding=encoding,
        )
    rows = judging.shuffled_rows(release, certificate, private_certificate)
    if rows is not None:
        after = _in_order(after, rows, len(before.texts))
    labels = None
    if label_column is not None:
        if label_column not in before.columns:
            raise BadInput("the input has no such column", where="--label-column")
        labels = ["" if one is None else one for one in before.column(label_column)]
    with show.working("evaluate", json):
        found = evaluate(
            before.data,
            after.data,
            judging.read_gold(gold, before),
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


def _show(found: Evaluation) -> None:
    from . import show

    parts = {
        "Tokens": found.tokens,
        "Entities": found.entities,
        "A task, trained on the release": found.downstream,
    }
    show.print_parts(show.figures({"masked_share": found.masked_share}))
    for title, part in parts.items():
        if part is not None:
            show.console().print(f"[bold]{title}[/]")
            show.print_parts(show.figures(part.as_dict()))


def _in_order(after: Source, rows: list[int], count: int) -> Source:
    """The released texts in the order of the original's records."""
    if len(rows) != count or len(after.texts) != count:
        raise BadInput(
            "records were left out of the release, or have several texts",
            where="RELEASE",
            remedy="evaluate releases in which every record stands, one text column at a time",
        )
    texts: list[str | None] = [None] * count
    for text, row in zip(after.texts, rows, strict=True):
        texts[row] = text
    return replace(after, texts=texts)
