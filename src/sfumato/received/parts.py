"""Releases judged in parts: same verdicts, flat memory.

Two passes: the first knows the original by its counts and hashes, the second judges part after
part of original and release together. What the lists hold is held once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from .. import formats
from ..claims import Side
from ..core.certificate import add_to
from ..core.errors import NotVerified
from ..core.totals import Totals
from ..formats.chunks import is_large
from ..formats.source import filled
from ..methods import METHODS, method
from ..verification import verify_part
from . import hashes
from .mapping import places_of, undone

if TYPE_CHECKING:
    from ..core.claims import Verdict
    from ..core.release import Release
    from ..core.values import Data, JsonObject
    from ..formats import Chunks
    from .certificate import Certificate
    from .inputs import Inputs


def fit(certificate: Certificate, given: Inputs) -> bool:
    """Whether a release is judged in parts: when asked for, or when it is large."""
    paths = [path for path in (given.original, given.release) if path is not None]
    if not _can(certificate, given) or any(path == "-" or Path(path).is_dir() for path in paths):
        return False
    if not all(formats.streams(path, given.format) for path in paths):
        return False
    return any(map(is_large, paths)) if given.stream is None else given.stream


def _can(certificate: Certificate, given: Inputs) -> bool:
    """Whether documents can be judged one at a time with what is given."""
    if certificate.verb not in METHODS:
        return False
    declared = method(certificate.verb)
    if declared.parts is None or declared.parts_if is not None:
        return False
    if given.spans is not None or "preset" in certificate.parameters:
        return False
    needed = certificate.needed
    if Side.CHANGES not in needed:
        return not any(claim.parameters.get("spans") for claim in certificate.claims)
    if given.original is None:
        return True
    grouped = Side.GROUPS not in needed or given.group_column is not None
    return given.mapping is not None and grouped


def judge_claims(certificate: Certificate, given: Inputs, release: Release) -> list[Verdict]:
    """The verdicts of a release in parts, once its original is the certified one.

    `release` is what certificate and lists describe, without its texts.
    """
    _check_original(certificate, given, replace(release.sides, groups=None).given())
    verdicts, text = _judged(release, given)
    if given.mapping is not None and given.key is not None and Side.CHANGES in certificate.needed:
        verdicts.append(_undone(given, certificate.counts.get("documents", 0)))
    if all(verdict.holds for verdict in verdicts):
        hashes.check_digest(certificate, text)
    return verdicts


def check_release(certificate: Certificate, given: Inputs) -> None:
    """Refuses released texts that are not those that were certified."""
    found = _known(given.chunks(given.release, groups=False), grouped=False)
    hashes.check_digest(certificate, found.texts)


@dataclass(eq=False)
class TextFigures:
    """What a pass over texts tells of them."""

    documents: int
    symbols: int
    texts: hashlib._Hash
    groups: hashlib._Hash | None


def _known(chunks: Chunks, grouped: bool) -> TextFigures:
    """Counts and hashes of the texts, part by part."""
    found = TextFigures(0, 0, hashlib.sha256(), hashlib.sha256() if grouped else None)
    for chunk in chunks:
        found.documents += len(chunk.texts)
        found.symbols += sum(map(len, chunk.filled))
        add_to(found.texts, chunk.texts)
        if found.groups is not None:
            add_to(found.groups, chunk.groups or ())
    return found


def _check_original(certificate: Certificate, given: Inputs, sides: Mapping[str, object]) -> None:
    """Refuses another original than the release's."""
    assert given.original is not None
    found = _known(given.chunks(given.original, groups=True), given.group_column is not None)
    digests = {"input": found.texts} | hashes.digests_of(sides)
    if found.groups is not None:
        digests["groups"] = found.groups
    counts = {"documents": found.documents, "symbols": found.symbols}
    hashes.check_known(certificate, given.original, counts, digests, given.key)


Part = tuple[int, list[str | None], list[str | None], list[str]]


def _pairs(given: Inputs) -> Iterator[Part]:
    """The number of the first document, then original and released texts, and whose they are."""
    assert given.original is not None
    first = 0
    before: list[str | None] = []
    after: list[str | None] = []
    groups: list[str] = []
    released = iter(given.chunks(given.release, groups=False))
    for chunk in given.chunks(given.original, groups=True):
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
        raise NotVerified("{} documents became {}".format(*sizes), where=given.release)


def _judged(release: Release, given: Inputs) -> tuple[list[Verdict], hashlib._Hash]:
    """The verdicts on all parts together, and the hash of the released texts."""
    totals, text = Totals(), hashlib.sha256()
    carried: JsonObject = {}
    places = None
    if given.mapping is not None and given.key is not None:
        places = _Places(given.mapping, given.key)
    for first, before, after, groups in _pairs(given):
        add_to(text, after)
        part = replace(
            release,
            data=after,
            counts={"documents": len(before), "symbols": 0},
            sides=replace(release.sides, groups=groups) if groups else release.sides,
        )
        if places is not None:
            part = places.on(part, first, before, after)
        totals.add(part, verify_part(before, part, carried))
    if not totals.documents:
        part = replace(release, data=[], counts={"documents": 0, "symbols": 0})
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
        self._waiting: list[object] = []

    def _next(self, size: int) -> list[Data]:
        while len(self._waiting) < size and (frame := next(self._frames, None)) is not None:
            self._waiting += frame["documents"]
        taken, self._waiting = self._waiting[:size], self._waiting[size:]
        return taken

    def on(
        self, part: Release, first: int, before: list[str | None], after: list[str | None]
    ) -> Release:
        """A part with the changes that its mapping states."""
        from ..methods.pseudonyms.mapping import changes_of

        old, new = (filled(texts) for texts in (before, after))
        changes = changes_of({"documents": self._next(len(old))}, old, new, first)
        return replace(part, changes=changes, sides=replace(part.sides, spans=places_of(changes)))

    def end(self, documents: int) -> None:
        """Refuses a mapping of more documents than these."""
        if self._next(1):
            raise NotVerified(f"the mapping has more texts than original and release: {documents}")


def _undone(given: Inputs, documents: int) -> Verdict:
    """Every document was undone as it was judged; the mapping also knows the original's bytes."""
    from ..methods.pseudonyms.mapping import mapping_frames

    assert given.original is not None
    assert given.mapping is not None
    assert given.key is not None
    stated = dict[str, str]()
    for frame in mapping_frames(given.mapping, given.key):
        stated = frame.get("files", stated)
    return undone(stated, Path(given.original), documents)
