"""A folder of Word documents, web pages, mails, PDF files and texts: each file is a group."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput
from sfumato.formats.source import Source
from sfumato.formats.text import display, members_of

if TYPE_CHECKING:
    from sfumato.formats.source import Piece, Texts

SUFFIXES = frozenset((".docx", ".html", ".htm", ".eml", ".mbox", ".pdf"))


def has_documents(folder: Path) -> bool:
    """Whether a folder holds files that are documents of an office, and no plain texts alone."""
    return any(path.suffix.lower() in SUFFIXES for path in members_of(folder))


def read_documents(folder: Path, load: Callable[[Path], Source]) -> Source:
    """The texts of all files of a folder; the file is their group, so that k counts files."""
    loaded = [(path, load(folder / path)) for path in members_of(folder)]
    paths = [path for path, source in loaded if source.texts]  # a file without text is not released
    sources = [source for _, source in loaded if source.texts]
    if any(source.columns for source in sources):
        remedy = "take the tables out, and release them by themselves"
        raise BadInput("a table stands among the documents", where=display(folder), remedy=remedy)
    counts = [len(source.texts) for source in sources]
    edges = [0, *accumulate(counts)]
    home = [i for i, count in enumerate(counts) for _ in range(count)]

    def where(i: int) -> str:
        return sources[home[i]].where(i - edges[home[i]])

    def pieces(new: Texts) -> Iterator[Piece]:
        for source, (start, stop) in zip(sources, pairwise(edges), strict=True):
            yield b"".join(source.pieces(new[start:stop]))

    def column(name: str) -> list[str | None]:
        raise BadInput("documents have no columns", where=display(folder))

    texts = [text for source in sources for text in source.texts]
    groups = [str(number + 1) for number in home]
    return Source(
        *(display(folder), "documents", texts, groups, (), column, where, pieces),
        path=folder,
        members=tuple(paths[number] for number in home),
    )
