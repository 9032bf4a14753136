"""`sfumato redact`: listed quasi-identifiers lose as few characters as possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..core.errors import BadInput
from . import options

if TYPE_CHECKING:
    from ..core.spans import Span
    from ..formats import Source
    from ..methods.terms import TermDictionary


def command(
    input: Annotated[str | None, options.INPUT] = None,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", help="The release: a file, a folder, or - for stdout."),
    ] = None,
    terms: options.Terms = None,
    k: Annotated[int, typer.Option("-k", help="How many terms must share a published string.")] = 5,
    guarantee: Annotated[
        str,
        typer.Option(
            help="published: k terms are published as that very string; matching: k terms match it."
        ),
    ] = "published",
    direct: options.Direct = None,
    spans: Annotated[
        str | None,
        typer.Option(
            help="A reviewed file of spans (see `recognise`): its direct identifiers are starred "
            "whole where they stand, the texts of its quasi-identifiers join the terms."
        ),
    ] = None,
    preset: options.Preset = "default",
    rare_lengths: Annotated[
        str,
        typer.Option(
            help="Lengths with fewer than k terms: shared (one string) or star (tells the length)."
        ),
    ] = "shared",
    mask: Annotated[
        list[str] | None,
        typer.Option(
            help="What a redacted character becomes [default: *]; several: the first free."
        ),
    ] = None,
    whole_words: Annotated[
        bool, typer.Option(help="Find terms as whole words where the script has words.")
    ] = True,
    fold_case: Annotated[bool, typer.Option("--fold-case", help="Overlook case.")] = False,
    fold_width: Annotated[bool, typer.Option("--fold-width", help="Overlook width.")] = False,
    save_dictionary: Annotated[
        Path | None,
        typer.Option(help="Keep terms and their strings here, to verify and for later releases."),
    ] = None,
    explain: Annotated[
        str | None, typer.Option(metavar="TERM", help="Print the patterns of a term and stop.")
    ] = None,
    tradeoff: Annotated[
        bool, typer.Option("--tradeoff", help="Print what each k costs over the list and stop.")
    ] = False,
    text_column: options.TextColumn = None,
    format: options.Format = None,
    encoding: options.Encoding = "utf-8",
    certificate: options.Certificate = None,
    private_certificate: options.PrivateCertificate = None,
    key_file: options.KeyFile = None,
    overwrite: options.Overwrite = False,
    number_files: options.NumberFiles = False,
    seed: options.Seed = 0,
    stream: options.Stream = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Redacts characters of listed terms so that k terms share every published string.

    Example: sfumato redact notes.csv --text-column text --terms titles.txt -k 5 -o out.csv
    """
    from .. import formats
    from ..methods.terms import redact
    from . import show
    from .publish import Paths, publish
    from .spans import with_preset
    from .stream import free_mask, is_wanted, publish_parts

    source = None
    if spans is not None and input is not None:
        source = formats.read(input, text_column=text_column, format=format, encoding=encoding)
    elif terms is None:
        raise BadInput("no list of terms", where="--terms", remedy="one term a line, UTF-8")
    lists = read_lists(terms, direct, spans, source, preset, whole_words, fold_case, fold_width)
    dictionary = lists.dictionary
    if explain is not None:
        return _print(_explained(dictionary, explain, _one_mask(mask)), json)
    if tradeoff:
        return _print(dictionary.tradeoff().to_dicts(), json)
    if input is None or output is None:
        raise BadInput("no input or no output", where="redact", remedy="give INPUT and -o OUTPUT")
    verb = partial(
        redact,
        terms=dictionary,
        k=k,
        guarantee=guarantee,  # type: ignore[arg-type]  # checked by redact
        direct=[*lists.direct, *lists.spans] if direct or lists.spans else None,
        rare_lengths=rare_lengths,  # type: ignore[arg-type]
        whole_words=whole_words,
        seed=seed,
    )
    masks = mask or ["*"]
    paths = Paths(output, certificate, private_certificate, key_file, overwrite, number_files)
    kept = terms, direct, None if spans is None else Path(spans)
    also = None if save_dictionary is None else partial(dictionary.save, save_dictionary)
    if source is None and is_wanted(input, format, stream):
        chunks = formats.read_chunks(
            input, text_column=text_column, format=format, encoding=encoding
        )
        free = free_mask(chunks, masks)
        publish_parts(
            chunks,
            lambda chunk: verb(chunk.texts, mask=free),
            paths,
            json=json,
            quiet=quiet,
            lists=kept,
            also=also,
        )
        return None
    if source is None:
        source = formats.read(input, text_column=text_column, format=format, encoding=encoding)
    with show.progress_bar(quiet or json) as progress:
        release = verb(source.data, mask=masks, progress=progress)
    if spans is not None:
        release = with_preset(release, preset)
    publish(source, {"": release}, paths, json=json, quiet=quiet, lists=kept, also=also)
    return None


@dataclass(frozen=True, slots=True)
class Lists:
    """What is redacted: terms, direct identifiers wherever they stand, and single places."""

    dictionary: TermDictionary
    direct: Sequence[str]
    spans: Sequence[Span]


def read_lists(
    terms: Path | None,
    direct: Path | None,
    spans: str | None,
    source: Source | None,
    preset: str,
    whole_words: bool,
    fold_case: bool,
    fold_width: bool,
) -> Lists:
    """The lists of the files; of spans, the direct are places and the texts of the quasi terms."""
    from ..methods.terms.folding import Folding
    from ..methods.terms.term_list import read_terms

    folding = Folding(fold_case, fold_width)
    named = [] if direct is None else read_terms(direct, folding, "--direct").strings()
    if spans is None or source is None:
        assert terms is not None
        return Lists(read_dictionary(terms, fold_case, fold_width), named, ())
    from ..methods.terms import TermDictionary
    from ..methods.terms.listed_spans import spelt
    from ..recognizers import resolve
    from .spans import spans_with_role

    texts = [text or "" for text in source.texts]
    quasi = spans_with_role(spans, source, ["quasi"], preset)
    found, unfound = spelt(quasi, texts, whole_words)
    if terms is not None:
        listed = read_dictionary(terms, fold_case, fold_width)
        found = [*listed.terms.strings(), *found]
    if not found:
        raise BadInput(
            "no quasi-identifier in the spans to make terms of",
            where="--spans",
            remedy="list terms too, or use suppress --spans, which needs none",
        )
    places = resolve([*spans_with_role(spans, source, ["direct"], preset), *unfound])
    dictionary = TermDictionary(found, fold_case=fold_case, fold_width=fold_width)
    return Lists(dictionary, named, places)


def read_dictionary(path: Path, fold_case: bool, fold_width: bool) -> TermDictionary:
    """A saved dictionary, or the list of a file with one term a line."""
    from ..methods.terms import TermDictionary
    from ..methods.terms.saved import is_saved

    try:
        with path.open("rb") as stream:
            saved = is_saved(stream.read(16))
    except OSError as problem:
        raise BadInput(f"cannot be read ({problem.strerror})", where="--terms") from None
    if not saved:
        return TermDictionary(path, fold_case=fold_case, fold_width=fold_width)
    dictionary = TermDictionary.load(path)
    has = dictionary.folding
    if (fold_case and not has.case) or (fold_width and not has.width):
        raise BadInput("the saved dictionary was made without this folding", where="--terms")
    return dictionary


def _one_mask(mask: list[str] | None) -> str:
    return mask[0] if mask else "*"


def _explained(dictionary: TermDictionary, term: str, mask: str) -> list[dict[str, Any]]:
    """Table 2 of the paper for one term."""
    return [
        {"matches": one.matches, "redacted": one.redacted, "pattern": one.text}
        for one in dictionary.patterns(term, mask)
    ]


def _print(rows: list[dict[str, Any]], json: bool) -> None:
    if json:
        import json as json_module

        typer.echo(json_module.dumps(rows, ensure_ascii=False))
        return
    if not rows:
        typer.echo("no pattern is matched by two terms")
        return
    table = [list(rows[0]), *([_cell(value) for value in row.values()] for row in rows)]
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    for row in table:
        cells = [cell.rjust(width) for cell, width in zip(row[:-1], widths, strict=False)]
        typer.echo("  ".join([*cells, row[-1]]))


def _cell(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
