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
from sfumato.formats import i2b2
from sfumato.formats.brat import released_annotations
from sfumato.formats.source import BOM, Source, splice

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
        return splice(raw, [start], [len(raw)], texts, new, _render, where)

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
    sources = [_member(folder / path, load(folder / path)) for path in members]
    texts = [source.texts[0] for source in sources]

    def where(i: int) -> str:
        return display(folder / members[i])

    def pieces(new: Texts) -> Iterator[Piece]:
        for source, after in zip(sources, new, strict=True):
            yield b"".join(source.pieces([after]))

    def companions(new: Texts) -> Iterator[tuple[PurePath, bytes]]:
        numbers = {path.with_suffix(".ann"): i for i, path in enumerate(members)}
        for path in beside:
            raw = (folder / path).read_bytes()
            if path.suffix == ".ann":
                i = numbers[path]
                raw = released_annotations(raw, texts[i] or "", new[i] or texts[i] or "")
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


def _member(path: Path, raw: bytes) -> Source:
    """One file of a folder: i2b2's XML by its suffix, else plain text."""
    if path.suffix == ".xml" and b"<TEXT" in raw:
        return i2b2.read(raw, display(path))
    return read(raw, display(path))


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
            remedy="name the file's encoding (latin-1, say), or take the file out if it is no text",
        ) from None


def _same(place: str, i: int) -> str:
    return place


def _render(old: bytes, text: str) -> bytes:
    return text.encode()


def _refuse_columns(place: str, *names: Columns) -> None:
    if any(name is not None for name in names):
        remedy = "leave out text_column and group_column"
        raise BadInput("a text file has no columns", where=place, remedy=remedy)


def _no_column(place: str) -> Callable[[str], list[str | None]]:
    def column(name: str) -> list[str | None]:
        raise BadInput("a text file has no columns", where=place)

    return column
