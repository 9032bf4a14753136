"""What a verb takes out of a file, and how its release is written in the file's form.

Texts are a table of which a verb takes one column. Whoever publishes a release, the command line or
a run, asks the same of both: what was taken, what the cells beside it say, and to write it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from .. import formats
from ..core.corpus import Corpus
from ..core.errors import BadInput
from ..core.printed import by_sizes
from ..formats.packed import from_utf8, packer, split_name
from ..formats.source import cells_beside
from ..formats.table import SUFFIXES
from ..verification.written import require_written

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import BinaryIO

    from ..core.release import Release
    from ..formats import AtomicFiles, Source
    from ..formats.table import Table
    from ..verification.untouched import Publishing


class Dataset(Protocol):
    """What was read: texts, or a table."""

    @property
    def original(self) -> Any:
        """What the verb took, and its check compares the release with."""
        ...

    def writer(
        self, output: str, files: AtomicFiles, *, number_files: bool
    ) -> Callable[[Release], None]:
        """Writes a release to a file (`-`: standard output) in the form of what was read."""
        ...

    def count_beside(self, publishing: Publishing, release: Release) -> None:
        """Counts what the cells that leave as they are say of the texts that were changed."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class TextDataset:
    """The texts of a column; `taken` and `texts` where the verb took sequences made of them."""

    source: Source
    taken: Any = None
    texts: Callable[[Any], list[str]] | None = None

    __repr__ = by_sizes

    @property
    def original(self) -> Any:
        """What the verb took."""
        return self.source.data if self.taken is None else self.taken

    def writer(
        self, output: str, files: AtomicFiles, *, number_files: bool
    ) -> Callable[[Release], None]:
        """Writes the texts between the bytes that stay as they were."""
        out = formats.writer(output, self.source, files=files, number_files=number_files)
        return lambda release: out.write(self.released(release))

    def count_beside(self, publishing: Publishing, release: Release) -> None:
        """Counts what the other cells of the file say of its texts."""
        cells = cells_beside(self.source, publishing.columns)
        publishing.repeats.add(cells, self.source.texts, self.released(release))

    def released(self, release: Release) -> list[str | None]:
        """The released texts; what was missing stays missing."""
        texts = Corpus.of(self.texts(release.data) if self.texts else release.data).texts
        pairs = zip(self.source.texts, texts, strict=True)
        return [None if old is None else new for old, new in pairs]


@dataclass(frozen=True, slots=True, eq=False)
class TableDataset:
    """A table, of which the verb took all columns and may leave out rows."""

    table: Table

    __repr__ = by_sizes

    @property
    def original(self) -> Any:
        """The frame."""
        return self.table.frame

    def writer(
        self, output: str, files: AtomicFiles, *, number_files: bool
    ) -> Callable[[Release], None]:
        """Writes the cells between the bytes that stay as they were."""
        self._require_format(output)
        to_stdout = output == "-"
        stream = files.standard_output() if to_stdout else files.open(output)
        packing = None if to_stdout else split_name(output)[1]
        return lambda release: write_table(self.table, release, stream, packing)

    def count_beside(self, publishing: Publishing, release: Release) -> None:
        """Counts what columns that nobody described say of the texts of the released rows."""
        before, after = self.table.frame[release.sides.rows], release.data
        cells = {name: _strings(before, name) for name in publishing.columns}
        for name in release.sides.schema.texts:
            publishing.repeats.add(cells, _strings(before, name), _strings(after, name))

    def _require_format(self, output: str) -> None:
        suffix = split_name(Path(output).name)[0]
        if output != "-" and SUFFIXES.get(suffix, self.table.format) != self.table.format:
            raise BadInput(
                f"the release has the format of its source, {self.table.format}, not {suffix}",
                where=output,
                remedy="give the output the input's suffix (.gz or .zst may follow)",
            )


def write_table(table: Table, release: Release, stream: BinaryIO, packing: str | None) -> None:
    """Writes a release in the form of its table: bytes outside changed columns stay as they were.

    The bytes are read again first: they must tell no more than the cells.
    """
    rows, quasi = release.sides.rows.tolist(), release.sides.schema.named("quasi")
    content, columns = table.released(release.data, rows, quasi)
    require_written(content, table.format, release.data, columns, table.has_header, table.delimiter)
    pieces: Any = iter([content])
    if table.format != "parquet":
        pieces = from_utf8(pieces, table.encoding, table.place)
    with packer(stream, packing) as out:
        for piece in pieces:
            out.write(piece)


def _strings(frame: Any, name: str) -> Sequence[str | None]:
    import polars as pl

    cells: list[str | None] = frame[name].cast(pl.String).to_list()
    return cells
