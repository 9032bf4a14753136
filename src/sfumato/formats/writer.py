"""Writing a release in the form of its source."""

from __future__ import annotations

from itertools import pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING, Self

from sfumato.formats.atomic import create
from sfumato.formats.chunks import require_texts
from sfumato.formats.packing import from_utf8, packer, split_name, unpack
from sfumato.formats.read_back import (
    SEARCHED,
    Seal,
    expected,
    require_gone,
    require_read_back,
)
from sfumato.formats.read_options import ReadOptions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from typing import BinaryIO

    from sfumato.formats.atomic import AtomicFiles
    from sfumato.formats.source import Piece, Source, Texts


class Writer:
    """One release of a source: opened before the work, written once, visible after `commit`.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from sfumato import formats
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path, target = Path(folder, "a.txt"), Path(folder, "b.txt")
    ...     _ = path.write_text("calm")
    ...     with formats.writer(target, formats.read(path)) as out:
    ...         out.write(["c★lm"])
    ...         out.commit()
    ...     target.read_text(encoding="utf-8")
    'c★lm'
    """

    def __init__(
        self,
        target: str,
        source: Source,
        files: AtomicFiles,
        *,
        overwrite: bool | None,
        owner: bool,
        number_files: bool = False,
    ):
        self._target, self._source = target, source
        self._files, self._owner, self._number_files = files, owner, number_files
        self._folder: Path | None = None
        self._stream: BinaryIO | None = None
        if source.members is not None:
            self._folder = files.folder(target, overwrite=overwrite)
        else:
            to_standard = target == "-"
            self._stream = (
                files.standard_output() if to_standard else files.open(target, overwrite=overwrite)
            )

    def write(self, texts: Texts) -> None:
        """Write the release: one text per document, None where it stays the same."""
        source = self._source
        require_texts(source, texts)
        try:
            if self._folder is not None:
                self._write_folder(self._folder, texts)
            elif self._stream is not None:
                self._write_stream(self._stream, texts)
        except BaseException:
            self._files.abandon()  # half a release must not be committed with the others
            raise

    def write_bytes(self, content: bytes) -> None:
        """Write a table whose bytes were made."""
        assert self._stream is not None
        try:
            self._put(self._stream, iter([content]))
        except BaseException:
            self._files.abandon()  # half a release must not be committed with the others
            raise

    def _put(self, target: BinaryIO, pieces: Iterator[Piece]) -> str | None:
        """Writes the pieces encoded and packed as the target's name says; gives the packing."""
        source = self._source
        packing = None if self._target == "-" else split_name(self._target)[1]
        with packer(target, packing) as stream:
            for piece in from_utf8(pieces, source.encoding, source.place):
                stream.write(piece)
        return packing

    def _write_stream(self, target: BinaryIO, texts: Texts) -> None:
        source = self._source
        packing = self._put(target, source.pieces(texts))
        if source.asked is None:
            return
        seal = Seal()
        seal.add(expected(source.asked.format, source.texts, texts))
        with self._files.again(target) as again:
            require_read_back(again, source.asked, packing, source.encoding, seal, source.place)
        if source.asked.format in SEARCHED:
            with self._files.again(target) as again:
                content = unpack(again.read(), packing, source.place)
            require_gone(content, source.asked.format, source.texts, texts, source.place)

    def _write_folder(self, folder: Path, texts: Texts) -> None:
        source = self._source
        assert source.members is not None
        members = list(dict.fromkeys(source.members))
        names = _numbered(members) if self._number_files else members
        shares = _shares(source.members)
        for name, share, piece in zip(names, shares, source.pieces(texts), strict=True):
            path, place = folder / name, source.where(share.start)
            path.parent.mkdir(0o700, parents=True, exist_ok=True)
            packing = split_name(path.name)[1]
            with packer(create(path), packing) as stream:
                for part in from_utf8(iter([piece]), source.encoding, place):
                    stream.write(part)
            asked, seal = ReadOptions(_format_of(source.format, path, bytes(piece))), Seal()
            old, new = source.texts[share.start : share.stop], texts[share.start : share.stop]
            seal.add(expected(asked.format, old, new))
            with open(path, "rb") as again:
                require_read_back(again, asked, packing, source.encoding, seal, place)
            require_gone(bytes(piece), asked.format, old, new, place)

        renamed = {old.with_suffix(""): new for old, new in zip(members, names, strict=True)}
        for member, content in source.companions(texts) if source.companions else ():
            of = renamed.get(member.with_suffix(""))
            path = folder / (of.with_suffix(member.suffix) if of is not None else member)
            path.parent.mkdir(0o700, parents=True, exist_ok=True)
            with create(path) as stream:
                stream.write(content)

    def commit(self) -> None:
        """Make what was written visible under its name, with all other files of its group."""
        self._files.commit()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._owner:
            self._files.abandon()


def _numbered(members: Sequence[PurePath]) -> list[PurePath]:
    """Numbers in place of the files' names, in their order; suffixes stay.

    >>> from pathlib import PurePath
    >>> [str(path) for path in _numbered([PurePath("ward/ann.txt"), PurePath("bo.txt.gz")])]
    ['1.txt', '2.txt.gz']
    """
    width = len(str(len(members)))
    kept = [2 if path.suffix in (".gz", ".zst", ".zip") else 1 for path in members]
    suffixes = ["".join(path.suffixes[-k:]) for path, k in zip(members, kept, strict=True)]
    return [PurePath(f"{i:0{width}}{suffix}") for i, suffix in enumerate(suffixes, 1)]


def _shares(members: Sequence[PurePath]) -> list[range]:
    """Of each file of a folder, which texts it has.

    >>> from pathlib import PurePath
    >>> _shares([PurePath("a.docx"), PurePath("a.docx"), PurePath("b.txt")])
    [range(0, 2), range(2, 3)]
    """
    edges = [i for i, path in enumerate(members) if i == 0 or path != members[i - 1]]
    return [range(start, stop) for start, stop in pairwise([*edges, len(members)])]


def _format_of(format: str, path: Path, raw: bytes) -> str:
    """The format of a file of a folder."""
    if path.suffix == ".xml" and b"<TEXT" in raw:
        return "i2b2"
    formats = {".docx": "docx", ".html": "html", ".htm": "html", ".eml": "mail", ".mbox": "mbox"}
    known = {**formats, ".pdf": "pdf"}
    return known.get(path.suffix.lower(), "text") if format == "documents" else "text"
