"""Writing a release in the form of its source."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Self

from sfumato.formats.atomic import create
from sfumato.formats.chunks import require_texts
from sfumato.formats.packed import from_utf8, packer, split_name

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import BinaryIO

    from sfumato.formats.atomic import AtomicFiles
    from sfumato.formats.source import Source, Texts


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
        overwrite: bool,
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
            self._stream = files.standard_output() if target == "-" else files.open(target)

    def write(self, texts: Texts) -> None:
        """Write the release: one text per document, None where it stays as it was."""
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

    def _write_stream(self, target: BinaryIO, texts: Texts) -> None:
        source = self._source
        packing = None if self._target == "-" else split_name(self._target)[1]
        with packer(target, packing) as stream:
            for piece in from_utf8(source.pieces(texts), source.encoding, source.place):
                stream.write(piece)

    def _write_folder(self, folder: Path, texts: Texts) -> None:
        source = self._source
        assert source.members is not None
        names = _numbered(source.members) if self._number_files else source.members
        for i, piece in enumerate(source.pieces(texts)):
            path = folder / names[i]
            path.parent.mkdir(0o700, parents=True, exist_ok=True)
            with packer(create(path), split_name(path.name)[1]) as stream:
                for part in from_utf8(iter([piece]), source.encoding, source.where(i)):
                    stream.write(part)

        renamed = {old.with_suffix(""): new for old, new in zip(source.members, names, strict=True)}
        for member, content in source.companions(texts) if source.companions else ():
            new = renamed.get(member.with_suffix(""))
            path = folder / (new.with_suffix(member.suffix) if new is not None else member)
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
    kept = [2 if path.suffix in (".gz", ".zst") else 1 for path in members]
    suffixes = ["".join(path.suffixes[-k:]) for path, k in zip(members, kept, strict=True)]
    return [PurePath(f"{i:0{width}}{suffix}") for i, suffix in enumerate(suffixes, 1)]
