"""Which formats there are: their suffixes, what reads them, which are text or go in parts."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput
from sfumato.formats.form import form_of
from sfumato.formats.office_suffixes import KINDS
from sfumato.formats.packing import split_name
from sfumato.formats.text import display

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Protocol

    from sfumato.formats.source import Columns, Source

    class Reader(Protocol):
        """What reads a format: its bytes as a source."""

        def __call__(  # noqa: D102
            self,
            raw: bytes,
            place: str,
            *,
            format: str,
            text_column: Columns,
            group_column: str | None,
        ) -> Source: ...

    class Parts(Protocol):
        """What reads a format a part at a time."""

        def __call__(  # noqa: D102
            self,
            blocks: Iterable[bytes],
            place: str,
            *,
            format: str,
            text_column: Columns,
            group_column: str | None,
        ) -> Iterator[Source]: ...


def _reader(module: str, **stated: str) -> Reader:
    """What reads a format, loaded when it reads: a command needs one of them."""

    def read(*given: object, **named: object) -> Source:
        read_format = import_module(f"sfumato.formats.{module}").read
        found: Source = read_format(*given, **stated, **named)
        return found

    return read


def _parts(module: str) -> Parts:
    """The same of what reads a part at a time."""

    def parts(*given: object, **named: object) -> Iterator[Source]:
        found: Iterator[Source] = import_module(f"sfumato.formats.{module}").parts(*given, **named)
        return found

    return parts


# suffix: (format, how it is read)
SUFFIXES: dict[str, tuple[str, Reader]] = {
    "txt": ("text", _reader("text")),
    "text": ("text", _reader("text")),
    "lines": ("lines", _reader("lines")),
    "csv": ("csv", _reader("csv")),
    "tsv": ("tsv", _reader("csv")),
    "jsonl": ("jsonl", _reader("jsonl")),
    "ndjson": ("jsonl", _reader("jsonl")),
    "fa": ("fasta", _reader("fasta")),
    "fasta": ("fasta", _reader("fasta")),
    "fna": ("fasta", _reader("fasta")),
    "json": ("json", _reader("json_document")),
    "fhir": ("fhir", _reader("fhir")),
    "xml": ("i2b2", _reader("i2b2")),
    "parquet": ("parquet", _reader("parquet")),
    "xlsx": ("xlsx", _reader("xlsx")),
    "events": ("csv", _reader("events")),
    "xes": ("xes", _reader("xes")),
    "docx": ("docx", _reader("docx")),
    **{
        suffix: (made, _reader("office_conversion", suffix=suffix))
        for suffix, made in KINDS.items()
    },
    "html": ("html", _reader("html")),
    "htm": ("html", _reader("html")),
    "eml": ("mail", _reader("mail")),
    "mbox": ("mbox", _reader("mail")),
    "pdf": ("pdf", _reader("pdf")),
    "arrow": ("arrow", _reader("arrow")),
    "feather": ("arrow", _reader("arrow")),
    "ipc": ("arrow", _reader("arrow")),
}

# What a format is called by a suffix that names another: a FHIR bundle is a .json file.
NAMES = {("text", "lines"), ("text", "separated"), ("json", "fhir"), ("jsonl", "fhir")}

# What is no text as a whole; neither decoded nor searched for what no text has.
BINARY = frozenset(("parquet", "xlsx", "docx", "mail", "mbox", "pdf", "arrow"))

# format: how it is read a part at a time
PARTS: dict[str, Parts] = {
    "lines": _parts("lines"),
    "csv": _parts("csv"),
    "tsv": _parts("csv"),
    "jsonl": _parts("jsonl"),
    "fasta": _parts("fasta"),
}


def streams(path: str | os.PathLike[str], format: str | None = None) -> bool:
    """Whether a file of this name or format can be read in parts.

    >>> streams("notes.jsonl.zst"), streams("note.txt"), streams("-", "csv")
    (True, False, True)
    """
    said = form_of(format)
    suffix = split_name(Path(path).name if said.format is None else said.format)[0]
    is_folder = os.fspath(path) != "-" and Path(path).is_dir()
    known = SUFFIXES.get(suffix, ("",))[0]
    return (known in PARTS or known == "parquet") and suffix != "events" and not is_folder


def suffix_of(
    path: str | os.PathLike[str], format: str | None, place: str
) -> tuple[str, str | None]:
    """The suffix that tells the format, by name or as it is stated, and the packing around it."""
    suffix, packing = split_name(Path(path).name)
    if format is not None:
        suffix, outer = split_name(format)
        packing = outer or packing
    if suffix not in SUFFIXES:
        raise BadInput(
            "the format is not known" if format is None else f"no format is named {format!r}",
            where=place,
            remedy=f"give format as one of {', '.join(SUFFIXES)}",
        )
    return suffix, packing


def require_same_format(name: str, format: str) -> None:
    """Refuses a target whose suffix names another format than the source has."""
    suffix = split_name(Path(name).name)[0]
    known = SUFFIXES.get(suffix, (format,))[0]
    if suffix in KINDS:
        where, remedy = display(Path(name)), f"give the output the suffix .{known}"
        raise BadInput(f"no .{suffix} file is written", where=where, remedy=remedy)
    if known != format and (known, format) not in NAMES:
        raise BadInput(
            f"the release has the format of its source, {format}, not {suffix}",
            where=display(Path(name)),
            remedy="give the output the input's suffix (.gz or .zst may follow)",
        )
