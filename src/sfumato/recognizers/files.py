"""Files of spans: which format a name means, read for documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Protocol, cast

from ..core.errors import BadInput

if TYPE_CHECKING:
    from ..core.spans import Span
    from .combine import Recognizer
    from .roles import Role

OWN = (".yaml", ".yml", ".model")  # recognisers that are files


class Documents(Protocol):
    """What was read of a file or folder, as `formats.Source` has it."""

    @property
    def filled(self) -> list[str]:
        """The texts, missing ones as empty ones."""

    @property
    def members(self) -> Sequence[PurePath] | None:
        """The documents' paths in their folder, where they have one."""


def read_spans(
    path: str, texts: list[str], members: Sequence[PurePath] | None = None
) -> list[Span]:
    """The spans a file or folder holds for these documents; its name says which format it has.

    `members` are the documents' paths in their folder, where they have one.
    """
    from . import presidio, review
    from .gold import content_of, read_folder
    from .overlaps import require_inside, resolve

    place = Path(path)
    if place.is_dir():
        found = read_folder(place, texts, members)
    elif place.suffix == ".jsonl":
        return review.read(content_of(place), texts, path)
    elif place.suffix == ".json":
        found = presidio.read(content_of(place), path, len(texts))
    elif place.suffix == ".ann" and len(texts) == 1:
        from . import brat

        found = brat.read(content_of(place), 0, path, texts[0])
    else:
        raise BadInput(
            "expected a review file (.jsonl), Presidio's results (.json) or a folder (.ann, .xml)",
            where=path,
        )
    require_inside(found, texts)
    return resolve(found)


def spans_with_role(
    path: str, source: Documents, roles: Sequence[str], preset: str = "default"
) -> list[Span]:
    """The spans of a file that have one of these roles under a preset."""
    from .roles import with_role

    texts, given = source.filled, cast("Sequence[Role]", roles)
    return with_role(read_spans(path, texts, source.members), texts, given, preset)


def member(members: Sequence[PurePath] | None, number: int, suffix: str) -> PurePath:
    """The file beside a document: by its name, or by its number where it has none.

    >>> str(member(None, 3, ".ann"))
    '3.ann'
    """
    if members is None:
        return PurePath(f"{number}{suffix}")
    return members[number].with_suffix(suffix)


def files_named(recognizer: str | None, spans: str | None) -> list[Path]:
    """The files that tell what is found: no output may replace them.

    >>> [path.name for path in files_named("rules-en+ward.yaml", None)]
    ['ward.yaml']
    """
    if spans is not None:
        return [Path(spans)]
    names = (name.strip() for name in (recognizer or "").split("+"))
    return [Path(name) for name in names if name.endswith(OWN)]


def finder(
    recognizer: Recognizer, spans: str | None
) -> tuple[Callable[[list[str]], list[Span]], Callable[[], None]]:
    """What finds the spans of documents that come in parts, and what to call after the last."""
    from . import spans_of
    from .review import Review

    if spans is None:
        return lambda texts: spans_of(recognizer, texts), lambda: None
    if Path(spans).suffix != ".jsonl" or not Path(spans).is_file():
        raise BadInput(
            "expected a review file (.jsonl): other spans are not read in parts",
            where=spans,
            remedy="make one with sfumato recognize --spans, or give --no-stream",
        )
    review = Review(spans)
    return review.spans, review.require_end
