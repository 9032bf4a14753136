"""A release goes back into the form of the dataset that it was made of.

Texts are a table of which a verb takes one column. Whoever publishes a release, the command line or
a run, asks the same of both: to write it, and what the cells beside it say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.corpus import Corpus
from ..formats.source import cells_beside

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..core.release import Release
    from ..core.values import Data
    from ..formats import Dataset, Writer
    from ..verification.untouched_columns import Publishing

    AsTexts = Callable[[Data], list[str]]


def released_texts(
    dataset: Dataset, release: Release, as_texts: AsTexts | None = None
) -> list[str | None]:
    """The released documents; what was missing stays missing.

    `as_texts` makes texts of what the verb released, where that is sequences.
    """
    data = release.data if as_texts is None else as_texts(release.data)
    return dataset.with_texts(Corpus.of(data).texts)


def write_release(
    out: Writer, dataset: Dataset, release: Release, as_texts: AsTexts | None = None
) -> None:
    """Writes a release in the form of its dataset: bytes outside what changed stay as they were.

    The bytes are read again: they must tell no more than texts and cells do.
    """
    if dataset.table is None:
        out.write(released_texts(dataset, release, as_texts))
        return
    from ..verification.written_bytes import require_written

    known = release.sides.of_table
    rows, quasi = known.rows.tolist(), known.schema.named("quasi")
    content, columns = dataset.released(release.data, rows, quasi)
    header, delimiter = dataset.has_header, dataset.delimiter
    before = dataset.frame[rows] if dataset.format == "xlsx" else None
    require_written(content, dataset.format, release.data, columns, header, delimiter, before)
    out.write_bytes(content)


def count_beside(
    publishing: Publishing, dataset: Dataset, release: Release, as_texts: AsTexts | None = None
) -> None:
    """Counts what the cells that leave as they are say of the texts that were changed."""
    if dataset.table is None:
        cells = cells_beside(dataset, publishing.columns)
        texts = released_texts(dataset, release, as_texts)
        publishing.repeats.add(cells, dataset.texts, texts)
        return
    from ..formats.table import strings

    known = release.sides.of_table
    before, after = dataset.table[known.rows], release.data
    cells = {name: strings(before, name) for name in publishing.columns}
    for name in known.schema.texts:
        publishing.repeats.add(cells, strings(before, name), strings(after, name))
