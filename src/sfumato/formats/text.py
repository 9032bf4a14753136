"""Plain text: a file is one document; a folder has one document per file, in the order of paths.

Line ends and a byte order mark stay as they are; the mark is no part of the document. In a
folder, files whose names begin with a dot are not read and not released.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput
from sfumato.formats.brat import released_annotations
from sfumato.formats.hidden_words import hidden_words
from sfumato.formats.source import BOM, Source, filled, splice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sfumato.formats.source import Columns, Piece, Texts


def read(
    raw: bytes,
    place: str,
    *,
    format: str = "text",
    text_column: Columns = None,
    group_column: str | None = None,
) -> Source:
    """The one document of a text file.

    >>> source = read(b"calm\\r\\n", "note.txt")
    >>> source.texts, b"".join(source.pieces(["★"]))
    (['calm\\r\\n'], b'\\xe2\\x98\\x85')
    """
    _refuse_columns(place, text_column, group_column)
    start = len(BOM) if raw.startswith(BOM) else 0
    texts: list[str | None] = [_decoded(raw[start:], place)]

    where = partial(_same, place)

    def pieces(new: Texts) -> Iterator[Piece]:
        return splice(raw, [start], [len(raw)], texts, new, str.encode, where)

    return Source(place, format, texts, None, (), _no_column(place), where, pieces)


def read_separated(
    raw: bytes,
    place: str,
    *,
    format: str = "separated",
    text_column: Columns = None,
    group_column: str | None = None,
    separator: str = "\f",
) -> Source:
    """The documents of a text file between which a separator stands.

    >>> source = read_separated(b"calm\\n---\\nwell", "notes.txt", separator="\\n---\\n")
    >>> source.texts, b"".join(source.pieces(["c*lm", None]))
    (['calm', 'well'], b'c*lm\\n---\\nwell')
    """
    _refuse_columns(place, text_column, group_column)
    begin = len(BOM) if raw.startswith(BOM) else 0
    texts: list[str | None] = [*_decoded(raw[begin:], place).split(separator)]

    def where(i: int) -> str:
        return f"{place}, document {i + 1}"

    def pieces(new: Texts) -> Iterator[Piece]:
        pairs = zip(texts, new, strict=True)
        kept = filled(before if after is None else after for before, after in pairs)
        for i, text in enumerate(kept):
            if separator in text:
                remedy = "choose another mask, or release the file as JSON lines"
                raise BadInput("the new text has the separator", where=where(i), remedy=remedy)
        yield raw[:begin] + separator.join(kept).encode()

    return Source(place, format, texts, None, (), _no_column(place), where, pieces)


def read_folder(
    folder: Path,
    load: Callable[[Path], bytes],
    *,
    text_column: Columns = None,
    group_column: str | None = None,
) -> Source:
    """The documents of a folder; `load` gives a file's bytes in UTF-8.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name:
    ...     _ = Path(name, "b.txt").write_text("well")
    ...     _ = Path(name, "a.txt").write_text("calm")
    ...     read_folder(Path(name), Path.read_bytes).texts
    ['calm', 'well']
    """
    place = display(folder)
    _refuse_columns(place, text_column, group_column)
    found = members_of(folder)
    beside = [path for path in found if path.suffix in (".ann", ".conf")]
    members = tuple(path for path in found if path not in beside)
    if not members:
        raise BadInput("the folder holds no files", where=place, remedy="give a folder with texts")
    files = [_member(folder / path, load(folder / path)) for path in members]
    texts: list[str | None] = [text for text, _ in files]

    def where(i: int) -> str:
        return display(folder / members[i])

    def pieces(new: Texts) -> Iterator[Piece]:
        annotated = _same_lengths(texts, new)
        for (_, written), after in zip(files, new, strict=True):
            yield written(after, annotated)

    def companions(new: Texts) -> Iterator[tuple[PurePath, bytes]]:
        numbers = {path.with_suffix(".ann"): i for i, path in enumerate(members)}
        annotated, hidden = _same_lengths(texts, new), hidden_words(texts, new)
        for path in beside:
            raw = (folder / path).read_bytes()
            if path.suffix == ".ann":
                i = numbers[path]
                (text,) = filled([texts[i] if new[i] is None else new[i]])
                raw = released_annotations(raw, text, hidden) if annotated else b""
            yield path, raw

    known = {path.with_suffix(".ann") for path in members}
    for path in beside:
        if path.suffix == ".ann" and path not in known:
            remedy = "put its text beside it, or take it out"
            raise BadInput("no text belongs to this", where=display(folder / path), remedy=remedy)
    return Source(
        *(place, "text", texts, None, (), _no_column(place), where, pieces),
        members=members,
        companions=companions,
    )


def _member(path: Path, raw: bytes) -> tuple[str, Callable[[str | None, bool], bytes]]:
    """The text of a file of a folder (i2b2's XML by its suffix), and the file with another."""
    if path.suffix == ".xml" and b"<TEXT" in raw:
        from sfumato.formats import i2b2

        document = i2b2.document_of(raw, display(path))
        return document.text, lambda new, annotated: document.written(new, tags=annotated)
    source = read(raw, display(path))
    return source.filled[0], lambda new, annotated: b"".join(source.pieces([new]))


def _same_lengths(old: Texts, new: Texts) -> bool:
    """Whether offsets into the old texts are right in all new ones."""
    pairs = zip(filled(old), new, strict=True)
    return all(after is None or len(before) == len(after) for before, after in pairs)


def members_of(folder: Path) -> list[Path]:
    """The files of a folder whose names begin with no dot, in the order of their paths.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name:
    ...     Path(name, "a.txt").touch()
    ...     Path(name, ".a.swp").touch()
    ...     [str(path) for path in members_of(Path(name))]
    ['a.txt']
    """
    found: list[Path] = []
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in folders:
            if Path(parent, name).is_symlink():
                where, remedy = display(Path(parent, name)), "put the folder itself there"
                raise BadInput("links to folders are not followed", where=where, remedy=remedy)
        found += [Path(parent, n).relative_to(folder) for n in names if not n.startswith(".")]
    return sorted(found, key=Path.as_posix)


def display(path: Path) -> str:
    """The path for a message, printable even where its bytes are not UTF-8.

    >>> display(Path("notes/a.txt")).replace("\\\\", "/")
    'notes/a.txt'
    """
    return os.fsencode(path).decode("utf-8", "replace")


def _decoded(raw: bytes, place: str) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        line = 1 + raw.count(b"\n", 0, error.start)
        raise BadInput(
            "a byte here is not valid UTF-8",
            where=f"{place}, line {line}",
            remedy="name the file's encoding (--encoding latin-1 or cp1252), or take it out if it "
            "is no text",
        ) from None


def _same(place: str, i: int) -> str:
    return place


def _refuse_columns(place: str, *names: Columns) -> None:
    if any(name is not None for name in names):
        remedy = "name no column"
        raise BadInput("a text file has no columns", where=place, remedy=remedy)


def _no_column(place: str) -> Callable[[str], list[str | None]]:
    def column(name: str) -> list[str | None]:
        raise BadInput("a text file has no columns", where=place)

    return column
