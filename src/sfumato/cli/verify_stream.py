"""Releases of `redact` and `pseudonymize` judged in parts: same verdicts, flat memory.

Two passes: the first knows the original by its counts and hashes, the second judges part after
part of original and release together. What the lists hold is held once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import formats
from ..core.certificate import add_to
from ..core.claims import Claim, Verdict
from ..core.errors import NotVerified
from ..core.totals import Totals
from ..verification import verify_part
from . import certified
from .stream import is_wanted

if TYPE_CHECKING:
    from ..core.release import Release
    from ..formats import Chunks

VERBS = ("redact", "pseudonymize")


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a release, and how they are read."""

    original: str | None
    release: str
    text_column: Any
    group_column: str | None
    format: str | None
    encoding: str

    def chunks(self, path: str, groups: bool) -> Chunks:
        """The parts of a file."""
        return formats.read_chunks(
            path,
            text_column=self.text_column,
            group_column=self.group_column if groups else None,
            format=self.format,
            encoding=self.encoding,
        )


def can(stated: dict[str, Any], files: Files, asked: bool | None, mapping: Path | None) -> bool:
    """Whether a release is judged in parts: when asked for, or when it is large."""
    claims = [claim["name"] for claim in stated["claims"]]
    listed = any(claim["parameters"].get("spans") for claim in stated["claims"])
    fits = stated["verb"] in VERBS and "preset" not in stated["parameters"]
    fits = fits and (stated["verb"] == "pseudonymize" or not listed)
    if files.original is not None and "consistent-pseudonyms" in claims:
        grouped = any(claim["parameters"].get("groups") for claim in stated["claims"])
        fits = fits and mapping is not None and not (grouped and files.group_column is None)
    paths = [path for path in (files.original, files.release) if path is not None]
    if not fits or any(path == "-" or Path(path).is_dir() for path in paths):
        return False
    if asked is not None:
        return asked and all(formats.streams(path, files.format) for path in paths)
    return any(is_wanted(path, files.format, None) for path in paths) and all(
        formats.streams(path, files.format) for path in paths
    )


@dataclass(eq=False)
class Known:
    """What a pass over texts tells of them."""

    documents: int
    symbols: int
    texts: hashlib._Hash
    groups: hashlib._Hash | None


def known(chunks: Chunks, grouped: bool) -> Known:
    """Counts and hashes of the texts, part by part."""
    found = Known(0, 0, hashlib.sha256(), hashlib.sha256() if grouped else None)
    for chunk in chunks:
        found.documents += len(chunk.texts)
        found.symbols += sum(len(text or "") for text in chunk.texts)
        add_to(found.texts, chunk.texts)
        if found.groups is not None:
            add_to(found.groups, chunk.groups or ())
    return found


def check_release(stated: dict[str, Any], files: Files) -> None:
    """Refuses released texts that are not those that were certified."""
    found = known(files.chunks(files.release, groups=False), grouped=False)
    certified.check_digest(stated, found.texts)


def check_original(
    stated: dict[str, Any], files: Files, side: dict[str, Any], key: bytes | None
) -> None:
    """Refuses another original than the release's."""
    assert files.original is not None
    found = known(files.chunks(files.original, groups=True), files.group_column is not None)
    digests = {"input": found.texts} | certified.digests_of(side)
    if found.groups is not None:
        digests["groups"] = found.groups
    counts = {"documents": found.documents, "symbols": found.symbols}
    certified.check_known(stated, files.original, counts, digests, key)


Part = tuple[int, list[str | None], list[str | None], list[str]]


def pairs(files: Files) -> Iterator[Part]:
    """The number of the first document, then original and released texts, and whose they are."""
    assert files.original is not None
    first = 0
    before: list[str | None] = []
    after: list[str | None] = []
    groups: list[str] = []
    released = iter(files.chunks(files.release, groups=False))
    for chunk in files.chunks(files.original, groups=True):
        before += chunk.texts
        groups += chunk.groups or ()
        while len(after) < len(before) and (part := next(released, None)) is not None:
            after += part.texts
        size = min(len(before), len(after))
        if size:
            yield first, before[:size], after[:size], groups[:size]
        first += size
        del before[:size], after[:size], groups[:size]
    rest = len(after) + sum(len(part.texts) for part in released)
    if before or rest:
        sizes = first + len(before), first + rest
        raise NotVerified("{} documents became {}".format(*sizes), where=files.release)


def judged(
    stated: Release, files: Files, mapping: Path | None, key: bytes | None
) -> tuple[list[Verdict], hashlib._Hash]:
    """The verdicts on all parts together, and the hash of the released texts.

    `stated` is the release that certificate and lists describe, without its texts.
    """
    totals, carried, text = Totals(), dict[str, Any](), hashlib.sha256()
    places = None if mapping is None or key is None else _Places(mapping, key)
    for first, before, after, groups in pairs(files):
        add_to(text, after)
        part = replace(
            stated,
            data=after,
            counts={"documents": len(before), "symbols": 0},
            private={**stated.private, "groups": groups} if groups else stated.private,
        )
        if places is not None:
            part = places.on(part, first, before, after)
        totals.add(part, verify_part(before, part, carried))
    if not totals.documents:
        part = replace(stated, data=[], counts={"documents": 0, "symbols": 0})
        totals.add(part, verify_part([], part, carried))
    if places is not None:
        places.end(totals.documents)
    whole = {claim.name: claim for claim in totals.release().claims}
    verdicts = []
    for one in totals.verdicts:
        measured = one.measured if one.holds else {}
        verdicts.append(replace(one, claim=whole[one.claim.name], measured=measured))
    return verdicts, text


class _Places:
    """The changes that a mapping states, document after document."""

    def __init__(self, mapping: Path, key: bytes):
        from ..methods.pseudonyms.mapping import mapping_frames

        self._frames = mapping_frames(mapping, key)
        self._waiting: list[Any] = []
        self.files: dict[str, str] = {}

    def _next(self, size: int) -> list[Any]:
        while len(self._waiting) < size and (frame := next(self._frames, None)) is not None:
            self._waiting += frame["documents"]
            self.files = frame.get("files", self.files)
        taken, self._waiting = self._waiting[:size], self._waiting[size:]
        return taken

    def on(
        self, part: Release, first: int, before: list[str | None], after: list[str | None]
    ) -> Release:
        """A part with the changes that its mapping states."""
        from ..methods.pseudonyms.mapping import changes_of
        from ..methods.pseudonyms.pseudonymize import ONLY

        old, new = ([text or "" for text in texts] for texts in (before, after))
        changes = changes_of({"documents": self._next(len(old))}, old, new, first)
        places = [(change.document, change.start, change.stop) for change in changes]
        here = {"spans": len(places)}
        claims = tuple(
            replace(claim, statement=ONLY.format(**here), parameters=here)
            if claim.name == "only-spans-changed"
            else claim
            for claim in part.claims
        )
        private = {**part.private, "spans": places}
        return replace(part, claims=claims, changes=changes, private=private)

    def end(self, documents: int) -> None:
        """Refuses a mapping of more documents than these."""
        if self._next(1):
            raise NotVerified(f"the mapping has more texts than original and release: {documents}")


def verify_parts(
    stated: dict[str, Any],
    files: Files,
    release: Release,
    mapping: Path | None,
    key: bytes | None,
) -> list[Verdict]:
    """The verdicts of a release in parts, once its original is the certified one."""
    check_original(stated, files, {n: v for n, v in release.private.items() if n != "groups"}, key)
    verdicts, text = judged(release, files, mapping, key)
    if mapping is not None and key is not None and stated["verb"] == "pseudonymize":
        verdicts.append(_undone(files, mapping, key, stated["counts"].get("documents", 0)))
    if all(verdict.holds for verdict in verdicts):
        certified.check_digest(stated, text)
    return verdicts


def _undone(files: Files, mapping: Path, key: bytes, documents: int) -> Verdict:
    """Every document was undone as it was judged; the mapping also knows the original's bytes."""
    from ..methods.pseudonyms.mapping import mapping_frames
    from .verify_inputs import undone

    assert files.original is not None
    stated = dict[str, str]()
    for frame in mapping_frames(mapping, key):
        stated = frame.get("files", stated)
    claim = Claim("undone-gives-original", undone(stated, Path(files.original)))
    return Verdict(claim, True, "undone", None, {"documents": documents})
