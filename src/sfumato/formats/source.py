"""What was read: a dataset, which has documents or a table, and is written again in its form."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from sfumato.core.errors import BadInput, SfumatoError
from sfumato.core.labels import label_form

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path, PurePath

    import polars as pl

    from sfumato.core.values import Data
    from sfumato.formats.read_options import ReadOptions

Texts: TypeAlias = "Sequence[str | None]"
Columns: TypeAlias = "str | Sequence[str] | None"
"""The text columns: one, several, or none named."""
Piece: TypeAlias = "bytes | memoryview"
Cells: TypeAlias = "Mapping[str, Iterable[Any]]"
Rewrite: TypeAlias = "Callable[[Cells, Sequence[int], set[str]], Iterator[bytes]]"
"""The bytes of a table with other cells, of some of its rows, without the dropped columns."""

BOM = b"\xef\xbb\xbf"

# Names of columns that tell nothing of a person, whoever wrote them.
_NAMES = """
    id text texts note notes comment comments description body content message title subject name
    date time day year month age sex gender person patient user author group label kind type value
    code number index row record document file path url language source topic tags who what when
    where plan abstract summary report reports question answer review score patientid personid
    userid recordid noteid docid also city country zip postcode job
"""
_USUAL = frozenset(_NAMES.split())
_LONG = 5
_MOST_NAMES = 20


@dataclass(frozen=True, repr=False, eq=False)
class Dataset:
    """What was read out of a file or folder; offsets into its bytes are kept to write it again.

    Texts are a table of which one column was asked for: they are its documents. A file that was
    read as a table has all of its cells in `frame`, and no documents until a schema names texts.

    >>> from sfumato.formats import jsonl
    >>> source = jsonl.read(b'{"id": 7, "note": "calm"}\\n', "notes.jsonl", text_column="note")
    >>> source.texts, source.columns, source.column("id"), source.where(0)
    (['calm'], ('id', 'note'), ['7'], 'notes.jsonl, line 1')
    >>> source
    <Dataset notes.jsonl: 1 documents, jsonl>
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
    """The bytes of the file with other texts (None: the same); a folder: one piece a document.

    How a text is written depends on the text alone, never on how the old one was written.
    """
    path: Path | None = None
    encoding: str = "utf-8"
    members: tuple[PurePath, ...] | None = None
    """For a folder: the path of each document in it."""
    companions: Callable[[Texts], Iterator[tuple[PurePath, bytes]]] | None = None
    """For a folder: the files that are no documents, with other texts beside them."""
    asked: ReadOptions | None = None
    """How it was read, so that a release can be read in the same way."""
    others: Mapping[str, Callable[[Texts], Iterator[Piece]]] = field(default_factory=dict)
    """Other formats in which it can be released, each with what gives its bytes."""
    table: pl.DataFrame | None = None
    """All cells, where the file was read as a table."""
    cells: Rewrite | None = None
    """Of a table: its bytes with other cells, fewer rows or columns."""
    has_header: bool = True
    delimiter: str | None = None
    """Of CSV: without a header nothing else tells it."""

    @property
    def is_single(self) -> bool:
        """Whether the source is one document, not a collection of them."""
        return self.format == "text" and self.members is None

    @property
    def data(self) -> Data:
        """What the verbs take: one text, a list of texts, or a table."""
        if self.table is not None:
            return self.table
        return filled(self.texts)[0] if self.is_single else self.texts

    @property
    def frame(self) -> pl.DataFrame:
        """The cells of a table."""
        if self.table is None:
            raise BadInput(
                "expected a table",
                where=self.place,
                remedy="give a csv, tsv, jsonl, parquet or xlsx file",
            )
        return self.table

    @property
    def filled(self) -> list[str]:
        """The texts, missing ones as empty ones: for what looks into them."""
        return filled(self.texts)

    def part(self, numbers: Sequence[int]) -> Dataset:
        """Some of the documents, whose places are told as they were; not to be written."""
        groups = None if self.groups is None else [self.groups[i] for i in numbers]
        texts = [self.texts[i] for i in numbers]
        return replace(self, texts=texts, groups=groups, where=lambda i: self.where(numbers[i]))

    def with_texts(self, texts: Sequence[str]) -> list[str | None]:
        """Texts that a verb gave for the documents; what was missing stays missing."""
        return [None if old is None else new for old, new in zip(self.texts, texts, strict=True)]

    def released(
        self, data: pl.DataFrame, rows: Sequence[int], alike: Collection[str] = ()
    ) -> tuple[bytes, list[str]]:
        """A table's bytes with the cells of a release, and the columns that are written anew.

        These are the columns that differ from the original's, and those of `alike`, whose cells
        make people alike and must not differ in their bytes.
        """
        assert self.cells is not None
        before = self.frame[list(rows)]
        changed = {
            name: data[name]
            for name in data.columns
            if name in alike
            or data[name].dtype != before[name].dtype
            or not data[name].equals(before[name])
        }
        dropped = {name for name in before.columns if name not in data.columns}
        if dropped and not self.has_header:
            raise BadInput(
                "a column is dropped, and those behind it would change their numbers",
                where=self.place,
                remedy="give the file a header line",
            )
        return b"".join(self.cells(changed, list(rows), dropped)), list(changed)

    def __repr__(self) -> str:
        """The place and the counts: never the texts, which a traceback or a log might show."""
        if self.table is not None:
            return f"<Dataset {self.place}: {self.table.height} records, {self.format}>"
        return f"<Dataset {self.place}: {len(self.texts)} documents, {self.format}>"


Source = Dataset
"""The same, by the name that formats use for what they read."""


def filled(texts: Iterable[str | None]) -> list[str]:
    """Texts with missing ones as empty ones: for what looks into them.

    What is written tells the two apart: a missing text stays missing.

    >>> filled(["calm", None, ""])
    ['calm', '', '']
    """
    return [text or "" for text in texts]


def cells_beside(source: Dataset, names: Sequence[str]) -> dict[str, list[str | None]]:
    """The cells of these columns, one for each document; of formats without such cells none."""
    found = {}
    for name in names:
        try:
            found[name] = source.column(name)
        except BadInput:  # a tree, or events: what stands beside a text is in no row
            continue
    return found


_DOCUMENT = re.compile(r"document (\d+)")


@contextmanager
def placed(source: Dataset | None) -> Iterator[None]:
    """Tells the place of a document as the file has it: its line or record, not its number.

    >>> from sfumato.formats import jsonl
    >>> source = jsonl.read(b'{"t": "calm"}\\n', "notes.jsonl", text_column="t")
    >>> with placed(source):
    ...     raise BadInput("has no word", where="document 0, offset 3")
    Traceback (most recent call last):
    sfumato.core.errors.BadInput: notes.jsonl, line 1, offset 3: has no word
    """
    try:
        yield
    except SfumatoError as problem:
        found = _DOCUMENT.match(problem.where or "")
        if source is None or found is None or int(found[1]) >= len(source.texts):
            raise
        where = source.where(int(found[1])) + str(problem.where)[found.end() :]
        raise type(problem)(problem.problem, where=where, remedy=problem.remedy) from None


BLOCK = 1 << 16  # bytes of short texts, and of what stands between them, that are given at once


def splice(
    raw: bytes,
    starts: Sequence[int],
    stops: Sequence[int],
    old: Texts,
    new: Texts,
    render: Callable[[str], bytes],
    where: Callable[[int], str],
    several: Mapping[int, Callable[[str], list[tuple[int, int, bytes]]]] | None = None,
) -> Iterator[Piece]:
    """The bytes with every text written anew, in one way, and all between them as they were.

    A text that stays (None, or the same one) is written in that way too: its old form would tell
    that it stayed. Documents in `several` have more than one place each: start, stop, new bytes.

    Cost: O(bytes); nothing outside the texts is copied.
    >>> pieces = splice(b"a=01 b=2", [2, 7], [4, 8], ["1", "2"], [None, "3"], str.encode, str)
    >>> b"".join(pieces)
    b'a=1 b=3'
    """
    made = _edits(starts, stops, old, new, render, where, several or {})
    view, position, block = memoryview(raw), 0, bytearray()
    for start, stop, piece in sorted(made) if several else made:
        block += view[position:start]
        if len(piece) < BLOCK:
            block += piece
        else:  # what is large is copied no more than once
            yield bytes(block)
            yield piece
            block.clear()
        if len(block) >= BLOCK:
            yield bytes(block)
            block.clear()
        position = stop
    yield bytes(block)
    yield view[position:]


def _edits(
    starts: Sequence[int],
    stops: Sequence[int],
    old: Texts,
    new: Texts,
    render: Callable[[str], bytes],
    where: Callable[[int], str],
    several: Mapping[int, Callable[[str], list[tuple[int, int, bytes]]]],
) -> Iterator[tuple[int, int, bytes]]:
    for i, (before, after) in enumerate(zip(old, new, strict=True)):
        text = before if after is None else after
        if text is None:
            continue
        try:
            if i in several:
                yield from several[i](text)
            else:
                yield starts[i], stops[i], render(text)
        except UnicodeEncodeError:
            raise BadInput(
                "the new text holds half a surrogate pair or a symbol that its charset lacks",
                where=where(i),
                remedy="repair the text of this document in the input, or choose another mask",
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
    sfumato.core.errors.BadInput: notes.csv: the text column is not named (2 columns, among them
    id, note); say which holds the text
    """
    if name is None:
        raise BadInput(
            f"the text column is not named ({shown(columns)})",
            where=place,
            remedy="say which holds the text",
        )
    return name


def require_column(place: str, columns: Sequence[str], name: str) -> None:
    """Refuse a name that no column has, or that two have.

    >>> require_column("notes.csv", ["id", "note"], "text")
    Traceback (most recent call last):
        ...
    sfumato.core.errors.BadInput: notes.csv: no column is named 'text' (2 columns, among them id,
    note); give the name of one
    """
    times = columns.count(name)
    if times == 0:
        problem = f"no column is named {name!r} ({shown(columns, name)})"
        raise BadInput(problem, where=place, remedy="give the name of one")
    if times > 1:
        remedy = "rename all but one"
        raise BadInput(f"{times} columns are named {name!r}", where=place, remedy=remedy)


def require_groups(labels: Sequence[str | None], where: Callable[[int], str]) -> list[str]:
    """Every document's group; one without could be anybody's, so that nobody could be counted.

    >>> require_groups(["p1", "p2"], str)
    ['p1', 'p2']
    """
    groups = [label for label in labels if label and (label.isalnum() or label_form(label))]
    if len(groups) < len(labels):
        missing = next(i for i, one in enumerate(labels) if not one or not label_form(one))
        count = len(labels) - len(groups)
        raise BadInput(
            f"the group is empty here (and in {count - 1} other records)",
            where=where(missing),
            remedy="give every record its group, or take these records out",
        )
    return groups


def shown(columns: Sequence[str], wanted: str | None = None) -> str:
    """How many columns there are, and those names that are no secret, for a message.

    A file may lack its header: what stands there is then a person's record. Shown are only names
    that many tables have, and those that are the wanted one but for a letter, capitals or blanks.

    >>> shown(["id", "note", "Ann"])
    '3 columns, among them id, note'
    >>> shown(["Ann Ho", "flu", "Notes "], "notes")
    '3 columns, among them Notes'
    >>> shown(["4711", "A man of 63 with chest pain."])
    '2 columns; if the file has no header, give it one'
    """
    known = [name.strip() for name in columns if _is_known(name, wanted)][:_MOST_NAMES]
    count = f"{len(columns)} column{'' if len(columns) == 1 else 's'}"
    if not known:
        return f"{count}; if the file has no header, give it one"
    return f"{count}, among them {', '.join(known)}"


def _is_known(name: str, wanted: str | None) -> bool:
    plain = _plain(name)
    if plain in _USUAL:
        return True
    if wanted is None or not plain:
        return False
    from rapidfuzz.distance import Levenshtein

    slips = 1 if len(plain) >= _LONG else 0  # abe is not age
    return Levenshtein.distance(plain, _plain(wanted), score_cutoff=slips) <= slips


def _plain(name: str) -> str:
    return re.sub(r"[\W_]", "", name).casefold()
