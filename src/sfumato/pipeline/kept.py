"""Stage results, kept privately: a run that stopped goes on where it was, with the same bytes.

A result is a folder named by the key of what made it, put into place by one rename: the released
file, what the release claims and costs, and where it changed the text. A fresh result is read back
from there as an old one is, so that a resumed run cannot differ from one that was never stopped.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import formats
from ..core.certificate import digest
from ..core.claims import Claim
from ..core.release import Release
from ..core.spans import Changes

if TYPE_CHECKING:
    from ..formats import Source

# Side inputs that a verb worked out itself and that plain JSON can hold.
PLAIN = ("marks", "words", "t_words", "frequencies", "patterns", "implausible", "spans")


@dataclass(frozen=True, slots=True)
class Shelf:
    """The folder of stage results."""

    folder: Path

    def has(self, key: str) -> bool:
        """Whether a result is there, whole."""
        return (self.folder / key / "release.json").is_file()

    def data(self, key: str, name: str) -> Path:
        """Where the released file of a result stands."""
        return self.folder / key / "data" / name

    def keep(
        self, key: str, name: str, source: Source, release: Release, texts: Sequence[str]
    ) -> None:
        """Puts a result on the shelf; it is there whole or not at all."""

        def fill(temporary: Path) -> None:
            written = _write(temporary / "data" / name, source, texts)
            before = [text or "" for text in source.texts]
            _save(temporary, release, before, [text or "" for text in written])

        self.put(key, fill)

    def keep_as(self, old: str, key: str, name: str, source: Source, texts: Sequence[str]) -> None:
        """Puts a result on the shelf again, in a file whose other columns are another's."""

        def fill(temporary: Path) -> None:
            _write(temporary / "data" / name, source, texts)
            for part in ("changes.npz", "release.json"):
                shutil.copyfile(self.folder / old / part, temporary / part)

        self.put(key, fill)

    def put(self, key: str, fill: Callable[[Path], None]) -> None:
        """A result that a function writes into a folder with a folder `data`."""
        private_folder(self.folder)
        temporary = self.folder / f".{key[:16]}-{secrets.token_hex(4)}"
        temporary.mkdir(0o700)
        try:
            (temporary / "data").mkdir(0o700)
            fill(temporary)
            for parent, _, files in os.walk(temporary):
                for file in files:
                    Path(parent, file).chmod(0o600)
            os.replace(temporary, self.folder / key)
        except OSError:
            if not self.has(key):  # unless another run put the same result there meanwhile
                raise
        finally:
            shutil.rmtree(temporary, ignore_errors=True)

    def load(self, key: str, data: Any) -> tuple[Release, dict[str, str]]:
        """A result's release with this data, and the plain hashes of its side inputs."""
        folder = self.folder / key
        stated = json.loads((folder / "release.json").read_text("utf-8"))
        after = [data] if isinstance(data, str) else [text or "" for text in data]
        release = Release(
            stated["verb"],
            data,
            tuple(map(Claim.of, stated["claims"])),
            _changes(folder, stated["reasons"], after),
            stated["loss"],
            stated["parameters"],
            stated["counts"],
            tuple(stated["not_protected"]),
            tuple(stated["warnings"]),
            stated["private"],
        )
        return release, stated["hashes"]

    def prune(self, keys: Sequence[str]) -> None:
        """Removes results that the finished run did not use."""
        for entry in self.folder.iterdir():
            if entry.name not in keys:
                shutil.rmtree(entry, ignore_errors=True)


def private_folder(path: Path) -> Path:
    """A folder for its owner alone, made where it is missing."""
    path.mkdir(0o700, parents=True, exist_ok=True)
    path.chmod(0o700)
    return path


def private_file(path: Path, content: bytes) -> None:
    """A file for its owner alone, whole or not at all."""
    temporary = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
    with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
        stream.write(content)
    os.replace(temporary, path)


def _write(path: Path, source: Source, texts: Sequence[str]) -> list[str | None]:
    """Writes a source's texts; what was missing stays missing."""
    written = [None if old is None else new for old, new in zip(source.texts, texts, strict=True)]
    with formats.writer(path, source) as out:
        out.write(written)
        out.commit()
    return written


def _save(folder: Path, release: Release, before: list[str], after: list[str]) -> None:
    """What a release tells, beside its data."""
    changes = release.changes
    sizes = np.array([len(text) for text in changes.replacements], np.int64)
    if not _explained(changes, before, after):  # not in places of the text: whole documents
        differ = [i for i, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
        ends = np.array([len(before[i]) for i in differ], np.int64)
        sizes = np.array([len(after[i]) for i in differ], np.int64)
        where = np.array(differ, np.int64)
        new = [after[i] for i in differ]
        changes = Changes(
            where, np.zeros(len(differ), np.int64), ends, new, [release.verb] * len(differ)
        )
    names: dict[str, int] = {}
    codes = np.array([names.setdefault(r, len(names)) for r in changes.reasons], np.int64)
    np.savez_compressed(
        folder / "changes.npz",
        documents=changes.documents,
        starts=changes.starts,
        stops=changes.stops,
        sizes=sizes,
        reasons=codes,
    )
    stated = {
        **{name: plain(value) for name, value in release.certificate().items() if name in TOLD},
        "reasons": list(names),
        "private": {n: plain(release.private[n]) for n in PLAIN if n in release.private},
        "hashes": {name: digest(value).hexdigest() for name, value in release.private.items()},
    }
    (folder / "release.json").write_text(json.dumps(stated), "utf-8")


TOLD = ("verb", "claims", "loss", "parameters", "counts", "not_protected", "warnings")


def plain(value: Any) -> Any:
    """A value as JSON gives it back."""
    return json.loads(json.dumps(value, default=_number))


def _number(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else list(value)


def _explained(changes: Changes, before: list[str], after: list[str]) -> bool:
    """Whether the changes, as places of the text, give the release."""
    by_document: dict[int, list[Any]] = {}
    for change in changes:
        by_document.setdefault(change.document, []).append(change)
    for i, (old, new) in enumerate(zip(before, after, strict=True)):
        parts, at = [], 0
        for change in by_document.get(i, ()):
            parts += [old[at : change.start], change.replacement]
            at = change.stop
        if "".join([*parts, old[at:]]) != new:
            return False
    return True


def _changes(folder: Path, reasons: list[str], after: Sequence[str]) -> Changes:
    """The changes of a result; what stands in their places is read from the released texts."""
    with np.load(folder / "changes.npz") as arrays:
        held = {name: arrays[name] for name in arrays.files}
    replacements, document, shift = [], -1, 0
    places = zip(
        held["documents"].tolist(),
        held["starts"].tolist(),
        held["stops"].tolist(),
        held["sizes"].tolist(),
        strict=True,
    )
    for number, start, stop, size in places:
        if number != document:
            document, shift = number, 0
        replacements.append(after[number][start + shift : start + shift + size])
        shift += size - (stop - start)
    told = [reasons[code] for code in held["reasons"].tolist()]
    return Changes(held["documents"], held["starts"], held["stops"], replacements, told)
