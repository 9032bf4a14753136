"""What `attack`, `evaluate` and `sweep` share: their options, and how they read what is judged."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from ..formats import Source

Original = Annotated[str, typer.Argument(metavar="ORIGINAL", help="What the release was made of.")]
Judged = Annotated[str, typer.Argument(metavar="RELEASE", help="The release to judge.")]
Attacks = Annotated[
    str | None,
    typer.Option(
        help="Which, with commas: linkage-rare, linkage-words, membership, singling-out-word, "
        "singling-out-pair, reconstruction, redact-inversion, sanitize-inversion; of tables "
        "linkage, prosecutor, journalist, marketer [default: those that apply]."
    ),
]
Sample = Annotated[int, typer.Option(help="How many people are attacked at most.")]
Gold = Annotated[
    str | None,
    typer.Option(
        help="Gold spans: JSONL (a review file, or records with spans), Presidio's results "
        "(.json), or a folder of brat (.ann) or i2b2 (.xml) files."
    ),
]
Mask = Annotated[str | None, typer.Option(help="The marks that hide [default: ★ and *].")]
Patterns = Annotated[
    Path | None, typer.Option(help="The sensitive patterns of sanitize, one a line.")
]
Schema = Annotated[
    Path | None,
    typer.Option(help="The schema of a table (YAML): its records are judged, not its texts."),
]


def several(given: str | None) -> list[str] | None:
    """Names given with commas."""
    return None if given is None else [name.strip() for name in given.split(",")]


def read_both(
    original: str,
    release: str,
    *,
    text_column: list[str] | None,
    group_column: str | None,
    format: str | None,
    encoding: str,
) -> tuple[Source, Source]:
    """The original, with its groups, and the release."""
    from .. import formats

    options: dict[str, Any] = {"format": format, "encoding": encoding}
    before = formats.read(original, text_column=text_column, group_column=group_column, **options)
    return before, formats.read(release, text_column=text_column, **options)


def read_gold(path: str | None, source: Source) -> Any:
    """Gold spans of a file or folder: records with `spans`, or any file of spans."""
    from ..formats.packed import split_name, unpack
    from ..recognizers import gold
    from .spans import read_spans

    if path is None:
        return None
    suffix, packing = split_name(Path(path).name)
    if suffix == "jsonl" and Path(path).is_file():
        content = unpack(Path(path).read_bytes(), packing, path)
        if gold.has_spans(content):
            return gold.read(content, path)
    return read_spans(path, source, [text or "" for text in source.texts])
