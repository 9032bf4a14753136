"""`sfumato generalize`: sensitive words become more general words."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from ..core.errors import BadInput
from ..core.options import read_text
from . import options

if TYPE_CHECKING:
    from ..ontologies import Ontology, Volume


def command(
    input: Annotated[str, options.INPUT],
    output: Annotated[
        str,
        typer.Option(
            "-o", "--output", help="The release: a file, a folder, or - for standard output."
        ),
    ] = "-",
    t: Annotated[
        str, typer.Option("-t", help="How many base texts at least; per segment of one text: 8,32.")
    ] = "32",
    words: Annotated[
        str | None,
        typer.Option(help="Words and phrases to generalise, with commas [default: every noun]."),
    ] = None,
    words_file: Annotated[
        Path | None, typer.Option(help="A file with one word or phrase a line.")
    ] = None,
    spans: Annotated[
        str | None,
        typer.Option(
            help="A reviewed file of spans (see `recognise`) in place of words: its direct and "
            "quasi-identifiers are generalised, and masked where the ontology lacks them."
        ),
    ] = None,
    preset: options.Preset = "default",
    t_word: Annotated[
        list[str] | None,
        typer.Option(help="A word's own least number of base values: WORD=8; repeatable."),
    ] = None,
    text_column: options.TextColumn = None,
    objective: Annotated[
        str, typer.Option(help="uniform (words alike) or smallest (fewest base texts).")
    ] = "uniform",
    search: Annotated[
        str, typer.Option(help="exact, lub (the paper's heuristic) or exhaustive.")
    ] = "exact",
    alpha: Annotated[
        float, typer.Option(help="Weight of the whole text against single words, 0 to 1.")
    ] = 0.5,
    min_volume: Annotated[
        int, typer.Option(help="Base values every marked word must have where it can.")
    ] = 2,
    ontology: Annotated[
        Path | None, typer.Option(help="A .csv, .obo, .ttl or .rdf file [default: WordNet].")
    ] = None,
    volume: Annotated[str, typer.Option(help="What base values are: leaves or level.")] = "leaves",
    sense: Annotated[str, typer.Option(help="context or first.")] = "context",
    unknown: Annotated[
        str, typer.Option(help="Words the ontology lacks: suppress, keep or fail.")
    ] = "suppress",
    segment: Annotated[
        str, typer.Option(help="What t holds for: document, paragraph or sentence.")
    ] = "document",
    frequencies: Annotated[
        Path | None,
        typer.Option(help="A CSV of word,count: base values are as likely as they are frequent."),
    ] = None,
    mask: Annotated[str, typer.Option(help="What a suppressed word becomes.")] = "★",
    show_ladder: Annotated[
        bool,
        typer.Option("--show-ladder", help="Print each word's path with volumes; write nothing."),
    ] = False,
    format: options.Format = None,
    encoding: options.Encoding = "utf-8",
    certificate: options.Certificate = None,
    private_certificate: options.PrivateCertificate = None,
    key_file: options.KeyFile = None,
    overwrite: options.Overwrite = False,
    number_files: options.NumberFiles = False,
    seed: options.Seed = 0,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Makes sensitive words more general, so that at least t base texts generalise to the text.

    Example: sfumato generalize note.txt -t 32 --words "sacramento,marijuana,liver cancer"
    -o out.txt
    """
    from .. import formats
    from ..methods.meanings import generalize
    from . import show
    from .publish import Paths, publish, quiet_warnings
    from .spans import spans_with_role, with_preset

    source = formats.read(input, text_column=text_column, format=format, encoding=encoding)
    marked: Any = _words(words, words_file)
    if spans is not None:
        if marked is not None:
            raise BadInput("give words or spans, not both", where="--spans")
        marked = spans_with_role(spans, source, ["direct", "quasi"], preset)
    chosen: dict[str, Any] = {
        "t": _thresholds(t),
        "words": marked,
        "t_words": read_thresholds(t_word or []),
        "objective": objective,
        "search": search,
        "alpha": alpha,
        "min_volume": min_volume,
        "ontology": ontology,
        "volume": volume,
        "sense": sense,
        "unknown": unknown,
        "segment": segment,
        "frequencies": read_frequencies(frequencies) if frequencies else None,
        "mask": mask,
        "seed": seed,
    }
    with show.progress_bar(quiet or json) as progress, quiet_warnings():
        release = generalize(source.data, progress=progress, **chosen)
    if spans is not None:
        release = with_preset(release, preset)
    if show_ladder:
        texts = release.private["input"].texts
        marks, table = release.private["marks"], release.private["ontology"]
        for line in ladder_lines(texts, marks, table, cast("Volume", volume)):
            typer.echo(line)
        return
    paths = Paths(output, certificate, private_certificate, key_file, overwrite, number_files)
    lists = words_file, frequencies, ontology, None if spans is None else Path(spans)
    publish(source, {"": release}, paths, json=json, quiet=quiet, lists=lists)


def ladder_lines(
    texts: Sequence[str],
    marks: Sequence[tuple[int, int, int, int, int]],
    ontology: Ontology,
    reading: Volume,
) -> list[str]:
    """Each marked word's path with its volumes, the chosen level in brackets, once per meaning.

    >>> from sfumato.ontologies import wordnet
    >>> pain = wordnet().senses("phantom limb pain")[0]
    >>> marks = [(0, 0, 18, pain, wordnet().path(pain)[1])]
    >>> ladder_lines(["Phantom limb pains"], marks, wordnet(), "leaves")[0][:60]
    'Phantom limb pains 1 < [pain 3] < somesthesia 9 < perception'
    """
    from ..ontologies import volume

    lines, seen = [], set()
    for document, start, stop, node, general in marks:
        if node < 0 or (node, general) in seen:
            continue
        seen.add((node, general))
        path = ontology.path(node)
        names = [texts[document][start:stop], *(ontology.words(above)[0] for above in path[1:])]
        steps = [
            (above, f"{name} {volume(ontology, node, j, reading)}")
            for j, (above, name) in enumerate(zip(path, names, strict=True))
        ]
        lines.append(" < ".join(f"[{s}]" if above == general else s for above, s in steps))
    unknown = sum(mark[3] < 0 for mark in marks)
    if unknown:
        lines.append(f"unknown to the ontology: {unknown} marked words")
    return lines


def _words(listed: str | None, file: Path | None) -> list[str] | None:
    found: list[str] = []
    if listed is not None:
        found += [word.strip() for word in next(csv.reader([listed])) if word.strip()]
    if file is not None:
        found += [
            line.strip() for line in read_text(file, "--words-file").splitlines() if line.strip()
        ]
    if listed is None and file is None:
        return None
    if not found:
        where = "--words" if file is None else "--words-file"
        raise BadInput("holds no word", where=where, remedy="list words, or drop it for all nouns")
    return found


def _thresholds(t: str) -> int | list[int]:
    numbers = [_whole(one, "-t") for one in t.split(",")]
    return numbers[0] if len(numbers) == 1 else numbers


def read_thresholds(pairs: list[str]) -> dict[str, int] | None:
    """The thresholds of single words, from WORD=NUMBER each."""
    split = [pair.rpartition("=") for pair in pairs]
    if any(not word for word, _, _ in split):
        raise BadInput("expected WORD=NUMBER", where="--t-word")
    return {word: _whole(t, "--t-word") for word, _, t in split} or None


def _whole(text: str, where: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise BadInput("expected a whole number", where=where) from None


def read_frequencies(path: Path) -> dict[str, float]:
    """A CSV of word,count, by the key of the word; a heading is passed over."""
    from ..ontologies import key_of

    counts: dict[str, float] = {}
    for number, row in enumerate(
        csv.reader(io.StringIO(read_text(path, "--frequencies"))), start=1
    ):
        try:
            word, count = row
            counts[key_of(word)] = counts.get(key_of(word), 0.0) + float(count)
        except ValueError:
            if number > 1:
                raise BadInput("expected word,count", where=f"{path}, line {number}") from None
    return counts
