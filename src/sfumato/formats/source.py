"""What was read: the documents, their labels, their places, and how to write the file again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from sfumato.core.corpus import ALIKE, alike
from sfumato.core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path, PurePath

Texts: TypeAlias = "Sequence[str | None]"
Columns: TypeAlias = "str | Sequence[str] | None"
"""The text columns: one, several, or none named."""
Piece: TypeAlias = "bytes | memoryview"

BOM = b"\xef\xbb\xbf"

# At most three words, and no sentence.
_NAME = re.compile(r"(?=.{1,40}$)[^\W\d][\w:/()-]*(?:[ .][\w:/()-]+){0,2}")
_MOST_NAMES = 20


@dataclass(frozen=True, repr=False, eq=False)
class Source:
    """The documents of a file or folder; offsets into its bytes are kept for writing it again.

    >>> from sfumato.formats import jsonl
    >>> source = jsonl.read(b'{"id": 7, "note": "calm"}\\n', "notes.jsonl", text_column="note")
    >>> source.texts, source.columns, source.column("id"), source.where(0)
    (['calm'], ('id', 'note'), ['7'], 'notes.jsonl, line 1')
    >>> source
    <Source notes.jsonl: 1 documents, jsonl>
    """

    place: str
    format: str
    texts: list[str | None]
    groups: list[str] | None
    columns: tuple[str, ...]
    column: Callable[[str], list[str | None]]
    where: Callable[[int], str]
    """The place of a document for messages; it counts lines, so ask for few."""
    pieces: Callable[[Texts], Iterator[Piece]]
    """The bytes of the file with other texts (None: unchanged); a folder: one piece a document."""
    path: Path | None = None
    encoding: str = "utf-8"
    members: tuple[PurePath, ...] | None = None
    """For a folder: the path of each document in it."""
    companions: Callable[[Texts], Iterator[tuple[PurePath, bytes]]] | None = None
    """For a folder: the files that are no documents, with other texts beside them."""

    @property
    def is_single(self) -> bool:
        """Whether the source is one document, not a collection of them."""
        return self.format == "text" and self.members is None

    @property
    def data(self) -> str | list[str | None]:
        """The documents as the verbs take them: one text, or a list."""
        return self.texts[0] or "" if self.is_single else self.texts

    def __repr__(self) -> str:
        """The place and the counts: never the texts, which a traceback or a log might show."""
        return f"<Source {self.place}: {len(self.texts)} documents, {self.format}>"


def splice(
    raw: bytes,
    starts: Sequence[int],
    stops: Sequence[int],
    old: Texts,
    new: Texts,
    render: Callable[[bytes, str], bytes],
    where: Callable[[int], str],
    several: Mapping[int, Callable[[str], list[tuple[int, int, bytes]]]] | None = None,
) -> Iterator[Piece]:
    """The bytes with every changed value rendered anew and all others as they were.

    Documents in `several` change more than one place each: start, stop and the new bytes.

    Cost: O(bytes); nothing outside the changed values is copied.
    >>> pieces = splice(b"a=1 b=2", [2, 6], [3, 7], ["1", "2"], ["10", None],
    ...                 lambda old, text: text.encode(), str)
    >>> b"".join(pieces)
    b'a=10 b=2'
    """
    changed = _edits(raw, starts, stops, old, new, render, where, several or {})
    view, position = memoryview(raw), 0
    for start, stop, piece in sorted(changed) if several else changed:
        yield view[position:start]
        yield piece
        position = stop
    yield view[position:]


def _edits(
    raw: bytes,
    starts: Sequence[int],
    stops: Sequence[int],
    old: Texts,
    new: Texts,
    render: Callable[[bytes, str], bytes],
    where: Callable[[int], str],
    several: Mapping[int, Callable[[str], list[tuple[int, int, bytes]]]],
) -> Iterator[tuple[int, int, bytes]]:
    for i, (before, after) in enumerate(zip(old, new, strict=True)):
        if after is None or after == before:
            continue
        try:
            if i in several:
                yield from several[i](after)
            else:
                yield starts[i], stops[i], render(raw[starts[i] : stops[i]], after)
        except UnicodeEncodeError:
            raise BadInput(
                "the new text holds half a surrogate pair, which this format cannot write",
                where=where(i),
                remedy="repair the text of this document in the input",
            ) from None


def names_of(columns: Columns) -> tuple[str, ...]:
    """The names of the text columns.

    >>> names_of(None), names_of("note"), names_of(["note", "plan"])
    ((), ('note',), ('note', 'plan'))
    """
    names = () if columns is None else (columns,) if isinstance(columns, str) else tuple(columns)
    if not all(isinstance(name, str) for name in names):
        raise BadInput("expected the name of a column", where="text_column")
    if len(set(names)) < len(names):
        raise BadInput("a column is named twice", where="text_column", remedy="name it once")
    return names


def require_text_column(place: str, columns: Sequence[str], name: str | None) -> str:
    """The name of the text column, which is never guessed.

    >>> require_text_column("notes.csv", ["id", "note"], None)
    Traceback (most recent call last):
        ...
    sfumato.core.errors.BadInput: notes.csv: the text column is not named (columns: id, note);
    name it with text_column
    """
    if name is None:
        raise BadInput(
            f"the text column is not named ({shown(columns)})",
            where=place,
            remedy="name it with text_column",
        )
    return name


def require_column(place: str, columns: Sequence[str], name: str) -> None:
    """Refuse a name that no column has, or that two have.

    >>> require_column("notes.csv", ["id", "note"], "text")
    Traceback (most recent call last):
        ...
    sfumato.core.errors.BadInput: notes.csv: no column is named 'text' (columns: id, note);
    give one of them
    """
    times = columns.count(name)
    if times == 0:
        remedy = "give one of them"
        raise BadInput(
            f"no column is named {name!r} ({shown(columns)})", where=place, remedy=remedy
        )
    if times > 1:
        remedy = "rename all but one"
        raise BadInput(f"{times} columns are named {name!r}", where=place, remedy=remedy)


def require_groups(labels: Sequence[str | None], where: Callable[[int], str]) -> list[str]:
    """Every document's group; one without could be anybody's, so that nobody could be counted.

    >>> require_groups(["p1", "p2"], str)
    ['p1', 'p2']
    """
    groups = [label for label in labels if label and not label.isspace()]
    if len(groups) < len(labels):
        missing = next(i for i, label in enumerate(labels) if not label or label.isspace())
        count = len(labels) - len(groups)
        raise BadInput(
            f"the group is empty here (and in {count - 1} other records)",
            where=where(missing),
            remedy="give every record its group, or take these records out",
        )
    different = list(dict.fromkeys(groups))
    double = alike(different)
    if double is not None:
        place = where(groups.index(different[double]))
        raise BadInput(ALIKE, where=place, remedy="write one group in one way")
    return groups


def shown(columns: Sequence[str]) -> str:
    """The columns' names for a message, unless one looks like data: a file may lack its header.

    >>> shown(["id", "note"])
    'columns: id, note'
    >>> shown(["4711", "A man of 63 with chest pain."])
    '2 columns; their names look like data: has the file a header?'
    """
    if not all(_NAME.fullmatch(name) for name in columns):
        return f"{len(columns)} columns; their names look like data: has the file a header?"
    more = f" and {len(columns) - _MOST_NAMES} more" if len(columns) > _MOST_NAMES else ""
    return f"columns: {', '.join(columns[:_MOST_NAMES])}{more}"
