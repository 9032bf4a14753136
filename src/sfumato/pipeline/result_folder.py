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
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from .. import formats
from ..core.certificate import digest, rows_of
from ..core.claims import Claim
from ..core.release import Release, Sides
from ..core.spans import Changes
from ..formats.source import filled
from .changed_events import changes_between
from .dataset import write_release
from .inputs import read_table, table_at_path

if TYPE_CHECKING:
    from ..core.spans import Change
    from ..core.values import Data, JsonObject
    from ..formats import Source
    from ..schema import Schema
    from .policy import PolicyFile

# Side inputs that a verb worked out itself and that plain JSON can hold.
PLAIN = (
    "marks",
    "words",
    "t_words",
    "frequencies",
    "patterns",
    "implausible",
    "spans",
    "given_back",
)


@dataclass(frozen=True, slots=True)
class ResultFolder:
    """The folder of stage results."""

    folder: Path

    def has(self, key: str) -> bool:
        """Whether a result is there, whole."""
        return (self.folder / key / "release.json").is_file()

    def data(self, key: str, name: str) -> Path:
        """Where the released file of a result stands."""
        return self.folder / key / "data" / name

    def keep_texts(
        self, key: str, name: str, source: Source, release: Release, texts: Sequence[str]
    ) -> None:
        """Puts a result there; it is there whole or not at all."""

        def fill(temporary: Path) -> None:
            written = _write_texts(temporary / "data" / name, source, texts)
            _save_texts(temporary, release, source.filled, filled(written))

        self.put(key, fill)

    def keep_as(self, old: str, key: str, name: str, source: Source, texts: Sequence[str]) -> None:
        """Puts a result there again, in a file whose other columns are another's."""

        def fill(temporary: Path) -> None:
            _write_texts(temporary / "data" / name, source, texts)
            for part in ("changes.npz", "release.json"):
                shutil.copyfile(self.folder / old / part, temporary / part)

        self.put(key, fill)

    def keep_table(self, key: str, release: Release, given: Path, written: PolicyFile) -> None:
        """Puts the release of a table there, in the form of the table at `given`."""

        def fill(temporary: Path) -> None:
            table = table_at_path(given, written)
            with formats.writer(temporary / "data" / written.input_name, table) as out:
                write_release(out, table, release)
                out.commit()
            _save_table(temporary, release)

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

    def load_texts(self, key: str, data: Data) -> tuple[Release, dict[str, str]]:
        """A result's release with this data, and the plain hashes of its side inputs."""
        folder = self.folder / key
        stated = _read(folder)
        after = [data] if isinstance(data, str) else filled(data)
        changes, sides = _changes(folder, stated["reasons"], after), Sides(**stated["private"])
        return _released(stated, data, changes, sides), stated["hashes"]

    def load_table(
        self, key: str, frame: pl.DataFrame, schema: Schema, written: PolicyFile
    ) -> tuple[Release, dict[str, str]]:
        """The release of a table, made of this frame, and the plain hashes of its side inputs."""
        folder = self.folder / key
        changes = pl.read_parquet(folder / "changes.parquet")
        with np.load(folder / "arrays.npz") as arrays:
            sides = Sides(input=frame, schema=schema, **dict(arrays))
        if (folder / "terms.parquet").is_file():
            sides = replace(sides, terms=pl.read_parquet(folder / "terms.parquet"))
        made = Changes(
            changes["document"].to_numpy(),
            changes["start"].to_numpy(),
            changes["stop"].to_numpy(),
            changes["replacement"].to_list(),
            changes["reason"].to_list(),
        )
        stated, data = _read(folder), read_table(self.data(key, written.input_name), written)
        return _released(stated, data, made, sides), stated["hashes"]

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


def _write_texts(path: Path, source: Source, texts: Sequence[str]) -> list[str | None]:
    """Writes a source's texts; what was missing stays missing."""
    written = source.with_texts(texts)
    with formats.writer(path, source) as out:
        out.write(written)
        out.commit()
    return written


def _save_table(folder: Path, release: Release) -> None:
    """What the release of a table tells, beside its data."""
    changes = release.changes
    pl.DataFrame(
        {
            "document": changes.documents,
            "start": changes.starts,
            "stop": changes.stops,
            "replacement": list(changes.replacements),
            "reason": list(changes.reasons),
        },
        schema_overrides={"replacement": pl.String, "reason": pl.String},
    ).write_parquet(folder / "changes.parquet")
    if release.sides.places is not None:
        release.sides.places.write_parquet(folder / "terms.parquet")
    arrays = {
        n: np.asarray(getattr(release.sides, n)) for n in ("rows", "person_of_row", "classes")
    }
    np.savez_compressed(folder / "arrays.npz", **arrays)  # type: ignore[arg-type]
    stated = {
        **{name: plain(value) for name, value in told(release).items()},
        "hashes": {"input": digest(rows_of(release.sides.input)).hexdigest()},
    }
    (folder / "release.json").write_text(json.dumps(stated), "utf-8")


def _save_texts(folder: Path, release: Release, before: list[str], after: list[str]) -> None:
    """What a release tells, beside its data."""
    changes = release.changes
    if not _explained(changes, before, after):  # they count symbols that are no characters
        changes = changes_between(before, after, release.verb)
    sizes = np.array([len(text) for text in changes.replacements], np.int64)
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
        **{name: plain(value) for name, value in told(release).items()},
        "reasons": list(names),
        "private": {n: plain(value) for n, value in release.sides.given().items() if n in PLAIN},
        "hashes": {
            name: digest(value).hexdigest() for name, value in release.sides.given().items()
        },
    }
    (folder / "release.json").write_text(json.dumps(stated), "utf-8")


def _read(folder: Path) -> JsonObject:
    """What a release told when it was kept."""
    stated: JsonObject = json.loads((folder / "release.json").read_text("utf-8"))
    return stated


def _released(stated: JsonObject, data: Data, changes: Changes, sides: Sides) -> Release:
    """A release of this data, with all that it told of itself (`told`)."""
    return Release(
        verb=stated["verb"],
        data=data,
        claims=tuple(map(Claim.of, stated["claims"])),
        changes=changes,
        loss=stated["loss"],
        parameters=stated["parameters"],
        counts=stated["counts"],
        not_protected=tuple(stated["not_protected"]),
        warnings=tuple(stated["warnings"]),
        sides=sides,
    )


def told(release: Release) -> JsonObject:
    """All that a release tells of itself, public or not."""
    return {
        "verb": release.verb,
        "claims": [claim.as_dict() for claim in release.claims],
        "loss": dict(release.loss),
        "parameters": dict(release.parameters),
        "counts": dict(release.counts),
        "not_protected": list(release.not_protected),
        "warnings": list(release.warnings),
    }


def plain(value: object) -> Any:
    """A value as JSON gives it back."""
    return json.loads(json.dumps(value, default=_number))


def _number(value: Any) -> object:
    return value.item() if hasattr(value, "item") else list(value)


def _explained(changes: Changes, before: list[str], after: list[str]) -> bool:
    """Whether the changes, as places of the text, give the release."""
    by_document: dict[int, list[Change]] = {}
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
