"""Ontologies: what is more general than what. WordNet's nouns, CSV, OBO and SKOS files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import BadInput
from .protocol import Ontology, Volume, hypernym_paths, key_of, volume
from .wordnet import wordnet

if TYPE_CHECKING:
    from .table import Table

__all__ = [
    "Ontology",
    "Volume",
    "hypernym_paths",
    "key_of",
    "read_ontology",
    "volume",
    "wordnet",
]


def read_ontology(path: str | Path) -> Table:
    """Reads an ontology by its file's ending: .csv, .obo, .table, or SKOS as .ttl, .rdf, .xml.

    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp(), "diseases.csv")
    >>> _ = file.write_text("flu,disease\\ncold,disease\\n")
    >>> read_ontology(file)
    <ontology diseases.csv: 3 nodes, 3 phrases>
    """
    path = Path(path)
    ending = path.suffix.casefold()
    if ending == ".csv":
        from .csv import read_csv

        return read_csv(path)
    if ending == ".obo":
        from .obo import read_obo

        return read_obo(path)
    if ending == ".table":
        from .file import read_table

        return read_table(path)
    if ending in (".ttl", ".rdf", ".xml", ".skos"):
        from .skos import read_skos

        return read_skos(path)
    raise BadInput(
        "the file's ending names no kind of ontology",
        where=path.name,
        remedy="use .csv (child,parent), .obo, .ttl, .rdf or .xml",
    )
