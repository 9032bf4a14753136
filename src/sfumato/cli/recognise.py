"""`sfumato recognise`: finds what identifies, for review."""

from __future__ import annotations

import json as json_module
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from . import options

if TYPE_CHECKING:
    from ..core.spans import Span
    from ..recognizers.roles import Role

Spans = Annotated[
    str | None,
    typer.Option(
        help="Reviewed spans, exactly these, in place of a recogniser: a review file (.jsonl), "
        "Presidio's results (.json), or a folder of brat (.ann) or i2b2 (.xml) files."
    ),
]
Recognizer = Annotated[
    str,
    typer.Option(
        help="rules-en, rules-es, a YAML file of rules, an installed spaCy pipeline; + joins them."
    ),
]

Processes = Annotated[
    int, typer.Option(help="How many processes a spaCy pipeline runs in; rules need none.")
]


def command(
    input: Annotated[str, options.INPUT],
    output: Annotated[
        str,
        typer.Option("-o", "--output", help="The spans: a file, a folder, or - (standard output)."),
    ],
    recognizer: Recognizer = "rules-en",
    processes: Processes = 1,
    spans: Spans = None,
    preset: Annotated[
        str, typer.Option(help="What the labels mean: default, hipaa (Safe Harbor) or gdpr.")
    ] = "default",
    roles: Annotated[
        str, typer.Option(help="Which spans are written: direct, quasi, keep.")
    ] = "direct,quasi,keep",
    to: Annotated[
        str | None,
        typer.Option(
            help="review, presidio, brat or i2b2 [default: by OUTPUT: .jsonl, .json, a folder]."
        ),
    ] = None,
    text_column: options.TextColumn = None,
    format: options.Format = None,
    encoding: options.Encoding = "utf-8",
    overwrite: options.Overwrite = False,
    stream: options.Stream = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Finds what identifies and writes a file of spans, which a person edits and verbs read back.

    Example: sfumato recognise notes.jsonl --text-column text --recognizer rules-en -o spans.jsonl
    """
    from .. import formats
    from ..recognizers import recogniser, spans_of, with_role
    from . import show
    from .spans import SUFFIXES, files_named, finder, read_spans, write_spans
    from .stream import is_wanted, recognise_parts

    chosen = cast("list[Role]", [role.strip() for role in roles.split(",")])
    is_review = (to or SUFFIXES.get(Path(output).suffix, "review")) == "review"
    if is_review and is_wanted(input, format, stream):
        find, done = finder(recognizer, spans, processes)
        chunks = formats.read_chunks(
            input, text_column=text_column, format=format, encoding=encoding
        )

        def chosen_in(texts: list[str]) -> list[Span]:
            return with_role(find(texts), texts, chosen, preset)

        documents, labels = recognise_parts(
            *(chunks, chosen_in, done, output),
            lists=files_named(recognizer, spans),
            quiet=quiet or json,
        )
    else:
        source = formats.read(input, text_column=text_column, format=format, encoding=encoding)
        texts = [text or "" for text in source.texts]
        given = (
            read_spans(spans, source, texts)
            if spans
            else recogniser(recognizer, processes=processes)
        )
        with show.progress_bar(quiet or json) as progress:
            found = spans_of(given, texts, progress)
        found = with_role(found, texts, chosen, preset)
        with formats.atomic_files() as files:
            for path in (source.path, *files_named(recognizer, spans)):
                if path is not None:
                    files.protect(path)
            write_spans(files, output, to, found, source, overwrite)
            files.commit()
        documents, labels = len(texts), Counter(span.label for span in found)
    counts = dict(sorted(labels.items()))
    if json:
        outcome = {"output": output, "documents": documents, "spans": counts}
        typer.echo(json_module.dumps(outcome), err=output == "-")
    elif not quiet:
        _show(counts, documents, output)


def _show(counts: dict[str, int], documents: int, output: str) -> None:
    from rich.markup import escape
    from rich.table import Table

    from . import show

    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_row("documents", show.number(documents))
    for label, count in counts.items():
        table.add_row(escape(label), show.number(count))
    table.add_row("written", escape(output))
    table.add_row("[yellow]private[/]", "a file of spans holds people's texts")
    show.console().print(table)
