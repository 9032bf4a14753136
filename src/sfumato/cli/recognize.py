"""`sfumato recognize`: finds what identifies, for review."""

from __future__ import annotations

import json as json_module
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from ..core.errors import BadInput
from ..core.options import choose
from ..core.progress import stage
from ..recognizers.installed_recognizers import DEFAULT
from . import options

if TYPE_CHECKING:
    from ..core.progress import Progress
    from ..core.spans import Span
    from ..recognizers import Recognizer
    from ..recognizers.roles import Role
    from ..recognizers.uncertain_places import Doubt


def command(
    input: Annotated[str, options.INPUT],
    output: Annotated[
        str,
        typer.Option("-o", "--output", help="The spans: a file, a folder, or - (standard output)."),
    ],
    recognizer: options.Recognizer = DEFAULT,
    processes: options.Processes = 1,
    spans: options.Spans = None,
    preset: Annotated[
        str, typer.Option(help="What the labels mean: default, hipaa (Safe Harbor) or gdpr.")
    ] = "default",
    roles: Annotated[
        str, typer.Option(help="Which spans are written: direct, quasi, keep.")
    ] = "direct,quasi,keep",
    to: Annotated[
        str | None,
        typer.Option(
            help="review, records (texts with their spans, for learn), presidio, brat or i2b2 "
            "[default: by OUTPUT: .jsonl, .json, a folder]."
        ),
    ] = None,
    uncertain: Annotated[
        int | None,
        typer.Option(help="Only so many places, the most doubtful first: worth reviewing first."),
    ] = None,
    text_column: options.TextColumn = None,
    group_column: options.group_column(  # type: ignore[valid-type]
        "The column that says whose text it is: a person's names are looked for in all of them."
    ) = None,
    format: options.Format = None,
    encoding: options.Encoding = "utf-8",
    overwrite: options.Overwrite = False,
    stream: options.Stream = None,
    engine: options.Engine = "local",
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Finds what identifies people in texts; writes a file of spans to review, for the verbs.

    Example: sfumato recognize notes.jsonl --text-column text --recognizer en -o spans.jsonl
    """
    from .. import formats, recognizers
    from ..recognizers.files import files_named, finder, read_spans
    from . import show
    from .intake import read_texts
    from .spans import SUFFIXES, write_doubts, write_spans
    from .stream import is_wanted, recognize_parts

    chosen = cast("list[Role]", [role.strip() for role in roles.split(",")])
    choose("engine", engine, ["local", "spark"])
    if engine == "spark":
        from .spark import recognize_on_spark

        if spans is not None or uncertain is not None or to not in (None, "review"):
            problem = "a recogniser finds spans, which are written as review lines"
            raise BadInput(problem, where="engine", remedy="drop --spans, --uncertain and --to")
        with show.spark_bar(quiet or json) as progress, stage(progress, "recognize"):
            documents, counts = recognize_on_spark(
                *(input, output, recognizer, chosen, preset, text_column, group_column, format),
                overwrite=overwrite,
            )
        _tell(counts, documents, output, json=json, quiet=quiet)
        return
    find_by = recognizers.recognizer(recognizer or DEFAULT, processes=processes)
    is_review = (to or SUFFIXES.get(Path(output).suffix, "review")) == "review"
    if uncertain is not None and (not is_review or spans is not None):
        raise BadInput(
            "doubtful places are found by a recogniser and written as a review file",
            where="--uncertain",
        )
    if is_review and uncertain is None and is_wanted(input, format, stream):
        find, done = finder(find_by, spans)
        chunks = formats.read_chunks(
            input, text_column=text_column, format=format, encoding=encoding
        )

        def chosen_in(texts: list[str]) -> list[Span]:
            return recognizers.with_role(find(texts), texts, chosen, preset)

        documents, labels = recognize_parts(
            *(chunks, chosen_in, done, output),
            lists=files_named(recognizer, spans),
            overwrite=overwrite,
            quiet=quiet or json,
        )
    else:
        source = read_texts(input, text_column, group_column, format, encoding, quiet=quiet or json)
        texts = source.filled
        given = read_spans(spans, texts, source.members) if spans else find_by
        with show.progress_bar(quiet or json) as progress:
            if uncertain is None:
                found = recognizers.spans_of(given, texts, progress, source.groups)
                found = recognizers.with_role(found, texts, chosen, preset)
            else:
                doubts = _doubts(find_by, texts, uncertain, chosen, preset, progress)
                found = [doubt.span for doubt in doubts]
        with (
            show.working("write", quiet or json),
            formats.atomic_files(overwrite=overwrite) as files,
        ):
            for path in (source.path, *files_named(recognizer, spans)):
                if path is not None:
                    files.protect(path)
            if uncertain is None:
                write_spans(files, output, to, found, source)
            else:
                write_doubts(files, output, doubts, texts)
            files.commit()
        documents, labels = len(texts), Counter(span.label for span in found)
    _tell(dict(sorted(labels.items())), documents, output, json=json, quiet=quiet)


def _tell(counts: dict[str, int], documents: int, output: str, *, json: bool, quiet: bool) -> None:
    if json:
        outcome = {"output": output, "documents": documents, "spans": counts}
        typer.echo(json_module.dumps(outcome), err=output == "-")
    elif not quiet:
        _show(counts, documents, output)


def _doubts(
    find: Recognizer,
    texts: list[str],
    count: int,
    roles: list[Role],
    preset: str,
    progress: Progress | None,
) -> list[Doubt]:
    """The most doubtful places that have one of the roles."""
    from ..recognizers import preset as preset_of
    from ..recognizers.uncertain_places import uncertain

    book = preset_of(preset)
    every = uncertain(find, texts, sum(map(len, texts)) + 1, progress)
    chosen = (
        one
        for one in every
        if book.role(one.span, texts[one.span.document][one.span.start : one.span.stop]) in roles
    )
    return list(islice(chosen, count))


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
