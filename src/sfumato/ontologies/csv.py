"""An ontology from a CSV of child,parent rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path

from ..core.errors import BadInput
from ..core.options import read_text
from .build import build_sections
from .table import Table


def read_csv(path: str | Path) -> Table:
    """Reads `child,parent` rows; an empty parent names a root. A heading row is recognised.

    A name stands for one node; several words for it are separated by `|`, the preferred one first.
    Of several parents the first row's leads the path.

    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp(), "o.csv")
    >>> _ = file.write_text("flu|influenza,disease\\n")
    >>> read_csv(file).senses("influenza")
    (0,)
    """
    path = Path(path)
    return parse_csv(read_text(path, path.name), path.name)


def parse_csv(text: str, name: str = "csv") -> Table:
    """The ontology of `child,parent` rows given as text; see `read_csv`.

    >>> len(parse_csv("child,parent\\nflu,disease\\n"))
    2
    """
    return table_of_links(_rows(text, name), name)


def _rows(text: str, name: str) -> Iterator[tuple[str, str]]:
    for number, row in enumerate(csv.reader(io.StringIO(text)), start=1):
        if not row or not "".join(row).strip():
            continue
        if number == 1 and [cell.strip().casefold() for cell in row] == ["child", "parent"]:
            continue
        if len(row) != 2 or not row[0].strip():
            raise BadInput(
                f"expected child,parent, found {len(row)} cells",
                where=f"{name}, line {number}",
                remedy="quote names that contain commas",
            )
        yield row[0].strip(), row[1].strip()


def table_of_links(links: Iterable[tuple[str, str]], name: str) -> Table:
    """The ontology of (child, parent) names; `a|b` are two words of one node."""
    numbers: dict[str, int] = {}
    words: list[list[str]] = []
    parents: list[list[int]] = []

    def number(cell: str) -> int:
        names = [word.strip() for word in cell.split("|")]
        if names[0] not in numbers:
            numbers[names[0]] = len(words)
            words.append([names[0].replace("_", " ")])
            parents.append([])
        node = numbers[names[0]]
        words[node] += [word for word in names[1:] if word and word not in words[node]]
        return node

    for child, parent in links:
        node = number(child)
        if parent and (above := number(parent)) not in parents[node]:
            parents[node].append(above)
    if not words:
        raise BadInput("the ontology has no rows", where=name)
    return Table(name, build_sections(words, parents))
