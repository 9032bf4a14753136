"""The files of a folder under numbers: names of files, and their order, may tell who people are."""

from __future__ import annotations

import hmac
import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..formats.documents import SUFFIXES
from ..formats.text import members_of
from ..received.folder import sha256

NAMES = "names.json"
PACKINGS = (".gz", ".zst", ".zip")
FORMATS = frozenset(SUFFIXES) | {".txt", ".text", ".md", ".xml", ".ann"}


def numbers_of(folder: Path, key: bytes) -> dict[Path, Path]:
    """A number for each file, in an order that the key draws; suffixes stay.

    Files that differ in their suffixes alone, such as a text and its marks, have one number.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name:
    ...     for one in ("ann.txt", "ann.ann", "bo.txt.gz"):
    ...         Path(name, one).touch()
    ...     sorted(map(str, numbers_of(Path(name), b"a key of sixteen bytes").values()))
    ['1.txt.gz', '2.ann', '2.txt']
    """
    parts = {path: _parts(path) for path in members_of(folder)}
    stems = sorted({stem for stem, _ in parts.values()}, key=lambda stem: _drawn(stem, key))
    width = len(str(len(stems)))
    number = {stem: f"{place:0{width}}" for place, stem in enumerate(stems, 1)}
    return {path: Path(number[stem] + suffix) for path, (stem, suffix) in parts.items()}


def _parts(path: Path) -> tuple[str, str]:
    """What comes before the suffixes that tell the format, and these; any other is of the name.

    >>> _parts(Path("ward/ann.b.txt.gz")), _parts(Path("note.Marlow"))
    (('ward/ann.b', '.txt.gz'), ('note.Marlow', ''))
    """
    packing = path.suffix if path.suffix in PACKINGS else ""
    rest = path.as_posix().removesuffix(packing)
    format = Path(rest).suffix
    suffix = (format if format.lower() in FORMATS else "") + packing
    return path.as_posix().removesuffix(suffix), suffix


def _drawn(stem: str, key: bytes) -> bytes:
    return hmac.digest(key, b"file\0" + stem.encode("utf-8", "surrogateescape"), "sha256")


@contextmanager
def numbered(made: Path, key: bytes, private: Path) -> Iterator[Path]:
    """A copy of a released folder with numbers for names, as long as it is needed."""
    with tempfile.TemporaryDirectory(dir=private, prefix=".numbered-") as place:
        target = Path(place, made.name)
        target.mkdir()
        for old, new in numbers_of(made, key).items():
            shutil.copyfile(made / old, target / new)
        yield target


def as_listed(made: Path, key: bytes) -> dict[str, str]:
    """The SHA-256 of the files of a folder, by the paths they have in its release."""
    found = {new.as_posix(): sha256(made / old) for old, new in numbers_of(made, key).items()}
    return {f"data/{made.name}/{name}": found[name] for name in sorted(found)}


def names_by_number(made: Path, key: bytes) -> bytes:
    """Which file each number stands for: the steward's alone."""
    found = {new.as_posix(): old.as_posix() for old, new in numbers_of(made, key).items()}
    return json.dumps(dict(sorted(found.items())), ensure_ascii=False, indent=2).encode(
        "utf-8", "surrogatepass"
    )
