"""A dictionary as one file: a checksum, a header in JSON, and arrays that are mapped, not read.

    bytes 0-15   the format's name
    bytes 16-47  SHA-256 of everything after them
    bytes 48-55  the header's length
    then         the header, and each array at a multiple of 64

The file holds the terms and is private: it is written for its owner alone to read.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...core.errors import BadInput
from ...kernels.terms import Automaton
from .folding import Folding
from .publication import Plan, Publication
from .term_list import TermList

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from ...core.values import Array
    from ...formats.atomic import AtomicFiles

NAME = b"SFUMATO TERMS 01"
HEADER_AT = 56
AUTOMATON = ("first", "code", "fail", "suffix", "term", "lengths", "alphabet")
Content = tuple[TermList, Folding, int, dict[Plan, Publication], Automaton]


def write(
    files: AtomicFiles,
    path: str | os.PathLike[str],
    terms: TermList,
    folding: Folding,
    min_matches: int,
    publications: Mapping[Plan, Publication],
    automaton: Automaton,
) -> None:
    """Writes the file; it appears, whole, when `files` are committed."""
    arrays: list[Array] = [terms.alphabet, *terms.classes]
    for publication in publications.values():
        arrays += [*publication.stars, *publication.pooled]
    arrays += [getattr(automaton, name) for name in AUTOMATON]
    header = json.dumps(
        {
            "fold_case": folding.case,
            "fold_width": folding.width,
            "min_matches": min_matches,
            "composed": True,  # version 0.1 kept terms as they were given
            "classes": len(terms.classes),
            "plans": [list(dataclasses.astuple(plan)) for plan in publications],
            "arrays": [[array.dtype.str, list(array.shape)] for array in arrays],
        }
    ).encode()
    pieces: list[bytes | memoryview] = [len(header).to_bytes(8, "little"), header]
    at = HEADER_AT + len(header)
    for array in arrays:
        pieces += [
            bytes(-at % 64),
            np.ascontiguousarray(array).data.cast("B") if array.size else b"",
        ]
        at += -at % 64 + array.nbytes
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    with files.open(Path(path), private=True) as stream:
        for piece in (NAME, digest.digest(), *pieces):
            stream.write(piece)


def read(path: str | os.PathLike[str]) -> Content:
    """Maps a file that was written here; anything else is refused."""
    try:
        raw = np.memmap(path, np.uint8, "r")
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or "it is empty"
        raise BadInput(f"cannot be read ({reason})", where="dictionary") from None
    if is_saved(raw[: len(NAME)].tobytes()) and len(raw) > HEADER_AT:
        if hashlib.sha256(raw[48:].data).digest() != raw[16:48].tobytes():
            raise BadInput("is damaged", where="dictionary", remedy="save the dictionary again")
        return _content(raw)
    raise BadInput("is no saved dictionary of this version", where="dictionary")


def is_saved(beginning: bytes) -> bool:
    """Whether a file with these first bytes is a saved dictionary.

    >>> is_saved(b"SFUMATO TERMS 01...")
    True
    """
    return beginning.startswith(NAME)


def _content(raw: NDArray[np.uint8]) -> Content:
    size = int.from_bytes(raw[48:HEADER_AT].tobytes(), "little")
    header = json.loads(raw[HEADER_AT : HEADER_AT + size].tobytes())
    arrays, at = [], HEADER_AT + size
    for dtype, shape in header["arrays"]:
        at += -at % 64
        nbytes = np.dtype(dtype).itemsize * int(np.prod(shape))
        arrays.append(raw[at : at + nbytes].view(dtype).reshape(shape))
        at += nbytes
    taken = iter(arrays)
    alphabet = next(taken)
    classes = header["classes"]
    terms = TermList(alphabet, tuple(next(taken) for _ in range(classes)))
    publications = {}
    for stated in header["plans"]:  # of version 0.1: guarantee, k and rare lengths
        plan = Plan(*stated)
        stars = tuple(next(taken) for _ in range(classes))
        pooled = tuple(next(taken) for _ in range(classes))
        publications[plan] = Publication(plan, stars, pooled)
        if len(stated) == 3:  # its strings stay what they are, in old releases and in new ones
            old = dataclasses.replace(plan, counted=False)
            publications[old] = Publication(old, stars, pooled)
    automaton = Automaton(*(next(taken) for _ in AUTOMATON))
    folding = Folding(header["fold_case"], header["fold_width"])
    if not header.get("composed") and folding.terms(terms) != terms.strings():
        raise BadInput(
            "holds terms with decomposed letters or odd blanks, as none is looked for",
            where="dictionary",
            remedy="make a new dictionary of its list",
        )
    return terms, folding, header["min_matches"], publications, automaton
