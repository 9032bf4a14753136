"""Reading: the documents of a file, a folder or standard input."""

from __future__ import annotations

import dataclasses
import functools
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput
from sfumato.formats import text
from sfumato.formats.form import form_of
from sfumato.formats.kinds import BINARY, SUFFIXES, suffix_of
from sfumato.formats.packing import codec_name, require_text, split_name, to_utf8, unpack
from sfumato.formats.read_options import ReadOptions
from sfumato.formats.text import display

if TYPE_CHECKING:
    from sfumato.formats.source import Columns, Source


def read(
    path: str | os.PathLike[str],
    *,
    text_column: Columns = None,
    group_column: str | None = None,
    format: str | None = None,
    encoding: str = "utf-8",
    empty: bool = False,
) -> Source:
    """The documents of a file, of a folder of text files, or of standard input (`-`).

    `format` is a suffix (`csv`, `jsonl.gz`) for standard input and files whose names do not tell.
    `xlsx:NAME` names another sheet of a workbook than its first, `csv:|` a delimiter,
    `csv:no-header` says that there is none, `txt:---` what separates documents of a text.
    `empty` allows a text without any character, as a release may be.
    Cost: O(bytes); the bytes are kept.
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "notes.csv")
    ...     _ = path.write_text("id,note\\n1,calm\\n")
    ...     read(path, text_column="note").texts
    ['calm']
    """
    codec = codec_name(encoding)
    if os.fspath(path) != "-" and Path(path).is_dir():
        return _read_folder(Path(path), text_column, group_column, format, codec)
    place = "standard input" if os.fspath(path) == "-" else display(Path(path))
    said = form_of(format)
    suffix, packing = suffix_of(path, said.format, place)
    name, read_format = SUFFIXES[suffix]
    if said.sheet is not None:
        read_format = functools.partial(read_format, sheet=said.sheet)  # type: ignore[call-arg]
    elif name == "fhir":
        from sfumato.formats import fhir
        from sfumato.formats.fhir_rules import read_rules

        read_format = functools.partial(fhir.read, rules=read_rules(said.rules))
    elif said.time is not None:
        from sfumato.formats import events

        read_format = functools.partial(events.read, time_column=said.time, timed=said.timed)
    elif name == "xes":
        from sfumato.formats import xes

        read_format = functools.partial(xes.read, timed=said.timed)
    elif said.separator is not None:
        name = "separated"
        read_format = functools.partial(text.read_separated, separator=said.separator)
    elif name in ("csv", "tsv") and suffix != "events":
        from sfumato.formats import csv

        read_format = functools.partial(csv.read, delimiter=said.delimiter, has_header=said.header)
    raw = unpack(_bytes(path, place), packing, place)
    if name not in BINARY:
        content, one = to_utf8(raw, codec, place), name in ("text", "json", "fhir", "i2b2", "html")
        raw = require_text(content, place, empty=empty and name == "text", lines=not one)
    else:
        codec = "utf-8"
    source = read_format(
        raw, place, format=name, text_column=text_column, group_column=group_column
    )
    real = None if os.fspath(path) == "-" else Path(path)
    asked = ReadOptions("events" if suffix == "events" else name, text_column, said)
    return dataclasses.replace(source, path=real, encoding=codec, asked=asked)


def unreadable(error: OSError, place: str) -> BadInput:
    """What is told of a file that cannot be opened."""
    if isinstance(error, FileNotFoundError):
        return BadInput("no such file or folder", where=place, remedy="check the path")
    problem = f"cannot be read ({error.strerror})"
    return BadInput(problem, where=place, remedy="check its permissions")


def _bytes(path: str | os.PathLike[str], place: str) -> bytes:
    if os.fspath(path) == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise unreadable(error, place) from None


def _read_folder(
    folder: Path, text_column: Columns, group_column: str | None, format: str | None, codec: str
) -> Source:
    if format is not None and SUFFIXES.get(format, (None,))[0] != "text":
        remedy = "give the files one by one, or leave out format"
        raise BadInput("a folder is read as text", where=display(folder), remedy=remedy)

    from sfumato.formats.documents import has_documents, read_documents

    if has_documents(folder):
        return read_documents(folder, lambda path: read(path, encoding=codec))

    def load(path: Path) -> bytes:
        place = display(path)
        content = unpack(_bytes(path, place), split_name(path.name)[1], place)
        return require_text(to_utf8(content, codec, place), place, empty=True)

    source = text.read_folder(folder, load, text_column=text_column, group_column=group_column)
    return dataclasses.replace(source, path=folder, encoding=codec)
