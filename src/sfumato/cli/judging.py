"""What `attack`, `evaluate` and `sweep` share: their options, and how they read what is judged."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..attacks.explanations import OF_TABLES, OF_TEXTS
from ..core.errors import BadInput

if TYPE_CHECKING:
    from ..core.values import JsonObject
    from ..formats import Source

Original = Annotated[str, typer.Argument(metavar="ORIGINAL", help="What the release was made of.")]
Judged = Annotated[str, typer.Argument(metavar="RELEASE", help="The release to judge.")]
JudgedFolder = Annotated[
    str, typer.Argument(metavar="RELEASE", help="The release to judge: a file or a folder.")
]
Attacks = Annotated[
    str | None,
    typer.Option(
        help=f"Which, with commas: {', '.join(OF_TEXTS)}; of tables {', '.join(OF_TABLES)} "
        "[default: those that apply]."
    ),
]
Sample = Annotated[int, typer.Option(help="How many people are attacked at most.")]
Background = Annotated[
    str,
    typer.Option(
        help="What the attacker knows of people: part (50 words of a text), another (another text "
        "of theirs, which is then not in the release), or a file like ORIGINAL with a text for "
        "each record."
    ),
]
Gold = Annotated[
    str | None,
    typer.Option(
        help="Gold spans: JSONL (a review file, or records with spans), Presidio's results "
        "(.json), or a folder of brat (.ann) or i2b2 (.xml) files."
    ),
]
Mask = Annotated[str | None, typer.Option(help="The marks that hide [default: ★ and *].")]
Certificate = Annotated[
    Path | None,
    typer.Option(help="The release's certificate [default: RELEASE.certificate.json]."),
]
PrivateCertificate = Annotated[
    Path | None,
    typer.Option(
        help="The private certificate; needed where the rows of the release were shuffled."
    ),
]
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

    options: JsonObject = {"format": format, "encoding": encoding}
    before = formats.read(original, text_column=text_column, group_column=group_column, **options)
    return before, formats.read(release, text_column=text_column, **options)


def read_records(
    path: str,
    *,
    text_column: list[str] | None,
    group_column: str | None = None,
    format: str | None,
    encoding: str,
) -> tuple[Source, list[str]]:
    """A source, and the text of each record: what several columns say of one stands together.

    An attacker who knows part of a record does not know in which column it stands, and one column
    is no other text of the person.
    """
    from .. import formats

    given: JsonObject = {"group_column": group_column, "format": format, "encoding": encoding}
    names = text_column or []
    source = formats.read(path, text_column=text_column, **given)
    if len(names) < 2:
        return source, source.filled
    columns = [formats.read(path, text_column=name, **given) for name in names]
    if len({len(one.texts) for one in columns}) > 1:
        raise BadInput(
            "the columns have different numbers of texts, so that records cannot be told",
            where="--text-column",
            remedy="name one of them",
        )
    texts = zip(*(one.filled for one in columns), strict=True)
    return columns[0], ["\n".join(record) for record in texts]


def shuffled_rows(release: str, certificate: Path | None, private: Path | None) -> list[int] | None:
    """Which record of the original each released one is; None where they stand in its order.

    A release whose rows were shuffled cannot be compared with its original by their places: who
    judges it needs the private certificate.
    """
    from ..received.certificate import read
    from ..received.folder import is_release, read_folder

    folder = Path(release).parent.parent  # of FOLDER/data/FILE
    if Path(release).is_dir() and is_release(folder) and read_folder(folder).is_shuffled:
        raise BadInput(
            "the files of the release have numbers for names, in an order of their own",
            where=release,
            remedy="name the gold spans in the policy (evaluation.gold): its run measures them",
        )
    of_run = folder / "certificate.json"
    places = (
        (Path(f"{release}.certificate.json"), of_run) if certificate is None else (certificate,)
    )
    beside = next((place for place in places if place.is_file()), None)
    if beside is None:
        return None
    stated = read(beside)
    if not any(one.parameters.get("shuffle") for one in (stated, *stated.stages)):
        return None
    if private is None:
        raise BadInput(
            "the rows of the release were shuffled",
            where="--private-certificate",
            remedy="give the private certificate, which holds their order",
        )
    listed = read(private).private.get("rows")
    if listed is None:
        raise BadInput("holds no order of rows", where=str(private))
    return [int(row) for row in listed]


def read_gold(path: str | None, source: Source) -> object:
    """Gold spans of a file or folder: records with `spans`, or any file of spans."""
    from ..formats.packing import split_name, unpack
    from ..recognizers import gold
    from ..recognizers.files import read_spans

    if path is None:
        return None
    suffix, packing = split_name(Path(path).name)
    if suffix == "jsonl" and Path(path).is_file():
        content = unpack(Path(path).read_bytes(), packing, path)
        if gold.has_spans(content):
            return gold.read(content, path)
    return read_spans(path, source.filled, source.members)
