"""`sfumato learn`: a recogniser from what a person reviewed."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from . import options

if TYPE_CHECKING:
    from ..recognizers.learn import Report


def command(
    reviewed: Annotated[
        str,
        typer.Argument(
            metavar="REVIEWED",
            help="Records with text and spans (recognize --to records), a review file with "
            "--texts, or a folder of brat.",
        ),
    ],
    output: Annotated[
        str, typer.Option("-o", "--output", help="The model: a file that ends in .model.")
    ],
    base: Annotated[
        str, typer.Option(help="What it corrects: en, names-en, rules-en, rules-es, none.")
    ] = "names-en",
    texts: Annotated[
        str | None, typer.Option(help="The texts that a review file belongs to.")
    ] = None,
    text_column: options.TextColumn = None,
    group_column: options.group_column(  # type: ignore[valid-type]
        "The column of --texts that says whose text it is: a person's texts are held out together."
    ) = None,
    partial: Annotated[
        bool,
        typer.Option(
            "--partial", help="Only some places were reviewed: elsewhere the base is believed."
        ),
    ] = False,
    folds: Annotated[
        int, typer.Option(min=0, help="How many times documents are held out; 0: not measured.")
    ] = 4,
    seed: Annotated[int, typer.Option(help="Which documents are held out together.")] = 0,
    format: options.Format = None,
    encoding: options.Encoding = "utf-8",
    overwrite: options.Overwrite = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Learns from what a person accepted, rejected and added, on top of a recogniser.

    Example: sfumato learn reviewed.jsonl --base names-en -o ward.model
    """
    from .. import formats
    from ..core.errors import BadInput
    from ..recognizers.by_name import SUFFIX
    from ..recognizers.learn import learn
    from . import show
    from .intake import read_texts

    if not output.endswith(SUFFIX):
        raise BadInput(f"a model's name ends in {SUFFIX}", where="-o")
    source = None
    if texts is not None:
        source = read_texts(texts, text_column, group_column, format, encoding, quiet=quiet or json)
    with show.progress_bar(quiet or json) as progress:
        model = learn(
            reviewed,
            base,
            texts=None if source is None else source.filled,
            groups=None if source is None else source.groups,
            text_column=(text_column or ["text"])[0],
            partial=partial,
            folds=folds,
            seed=seed,
            progress=progress,
        )
    with formats.atomic_files(overwrite=overwrite) as files:
        for path in (Path(reviewed), None if source is None else source.path):
            if path is not None:
                files.protect(path)
        with files.open(output, private=True) as stream:
            stream.write(model.as_bytes())
        files.commit()
    if json:
        outcome = {"output": output, "labels": list(model.types), **_told(model.report)}
        typer.echo(json_module.dumps(outcome))
    elif not quiet:
        _show(model.report, output)


def _told(report: Report | None) -> dict[str, object]:
    """The figures of a report by label."""
    if report is None:
        return {}
    labels = {
        label: {
            "marked": one.marked,
            "recall": round(one.recall, 4),
            "recall_of_base": round(one.by_base / one.marked, 4) if one.marked else None,
            "precision": round(one.precision, 4),
        }
        for label, one in report.labels.items()
    }
    total = report.all
    whole = {"recall": round(total.recall, 4), "precision": round(total.precision, 4)}
    return {"documents": report.documents, "folds": report.folds, **whole, "by_label": labels}


def _show(report: Report | None, output: str) -> None:
    from rich.markup import escape
    from rich.table import Table

    from . import show

    table = Table(box=None, padding=(0, 2, 0, 0))
    for head in ("held out", "marked", "found", "found by the base", "missed", "letters right"):
        table.add_column(head, justify="left" if head == "held out" else "right")
    if report is not None:
        for label, one in (*report.labels.items(), ("all", report.all)):
            table.add_row(
                escape(label),
                show.number(one.marked),
                f"{one.recall:.1%}" if one.marked else "",
                f"{one.by_base / one.marked:.1%}" if one.marked else "",
                show.number(one.marked - one.found),
                f"{one.precision:.1%}" if one.letters else "",
            )
    show.console().print(table)
    show.console().print(f"written  {escape(output)}")
    show.console().print(
        "[yellow]private[/]  a model tells which usual words the texts have "
        "(docs/recognizers/learn.md)"
    )
