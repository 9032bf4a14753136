"""Releases of parts added up to one: counts, loss, verdicts and the certificate."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from .certificate import add_to, certificate_of, digest, told_of
from .loss import Loss
from .release import Sides

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping

    from .certificate_model import Certificate
    from .claims import Verdict
    from .release import Release
    from .values import JsonObject, JsonValues

# Private values with one entry a document; all others are the same for every part.
BYDOCUMENT = frozenset(("input", "groups"))
PLACES = frozenset(("spans", "marks"))  # the first of every entry is the number of its document
# Numbers about the side inputs, the same for every part; all others add up.
SAME = frozenset(("terms", "exempt_terms", "list_share", "list_stars_over_bound", "strings"))
LEAST = frozenset(("fewest_sharers", "log2_base_texts", "log2_without_hyponyms"))
DOCUMENT = re.compile(r"^document ([0-9]+)")


class Totals:
    """One release out of the releases of its parts, with the same certificate as in one piece.

    >>> import sfumato as sf
    >>> totals, words = Totals(), ["crew", "craw", "draw", "drew"]
    >>> for part in (["The crew"], ["drew"]):
    ...     totals.add(sf.redact(part, words, k=2), ())
    >>> whole = sf.redact(["The crew", "drew"], words, k=2)
    >>> made = totals.certificate(private=False, key=bytes(32))
    >>> made.as_dict() == whole.certificate(key=bytes(32))
    True
    """

    def __init__(
        self,
        *,
        keep: bool = False,
        warnings: Callable[[Mapping[str, int]], tuple[str, ...]] = lambda counts: (),
    ):
        self._warnings = warnings  # by the counts of all parts
        self._keep = keep  # groups and spans, for a private certificate, which shows them
        self._first: Release | None = None
        self._counts: dict[str, int] = {}
        self._loss: dict[str, float] = {}
        self._verdicts: list[Verdict] = []
        self._digests: dict[str, hashlib._Hash] = {"release": hashlib.sha256()}
        self._groups: list[Hashable] = []
        self._places: dict[str, list[tuple[int, ...]]] = {name: [] for name in PLACES}
        self.documents = 0

    def add(self, release: Release, verdicts: Iterable[Verdict]) -> None:
        """Takes up the next part."""
        if self._first is None:
            self._first = replace(release, data=None, changes=release.changes[:0])
        add_to(self._digests["release"], release.data)
        for name, value in release.sides.given().items():
            if name in PLACES:  # documents are counted through
                moved = [(self.documents + document, *place) for document, *place in value]
                add_to(self._digests.setdefault(name, hashlib.sha256()), moved)
                self._places[name] += moved if self._keep else []
            elif name in BYDOCUMENT:
                add_to(self._digests.setdefault(name, hashlib.sha256()), value)
            elif name not in self._digests:
                self._digests[name] = digest(value)
        if self._keep:
            self._groups += release.sides.groups or ()
        _add(self._counts, release.counts)
        _add(self._loss, {n: release.loss[n] for n in release.loss if n not in SAME})
        self._verdicts = joined(self._verdicts, [self._placed(one) for one in verdicts])
        self.documents += release.counts["documents"]

    def _placed(self, verdict: Verdict) -> Verdict:
        """The verdict with the number its document has in the whole."""
        where = DOCUMENT.sub(
            lambda found: f"document {self.documents + int(found[1])}", verdict.where or ""
        )
        return replace(verdict, where=where or None)

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The verdicts on the whole: each holds if it held for every part."""
        return tuple(self._verdicts)

    def release(self) -> Release:
        """The whole without its data: claims, counts and loss."""
        first = self._first
        assert first is not None, "no part was added"
        symbols = max(1, self._counts.get("symbols", 0))
        loss: JsonObject = {}
        for name in dict.fromkeys([*first.loss, *self._loss]):
            if name in SAME:
                loss[name] = first.loss[name]
            elif name.endswith("_share"):
                loss[name] = self._loss[name.removesuffix("_share")] / symbols
            else:
                loss[name] = self._loss[name]
        kept: JsonObject = {"input": (), "groups": self._groups, **self._places}
        given = {name: kept.get(name, value) for name, value in first.sides.given().items()}
        told = (*first.warnings, *self._warnings(self._counts))
        return replace(
            first, counts=self._counts, loss=Loss(loss), sides=Sides(**given), warnings=told
        )

    def certificate(
        self, *, private: bool, key: bytes, stretched: Mapping[str, object] | None = None
    ) -> Certificate:
        """The certificate of the whole; `stretched` as `certificate_of` has it."""
        digests = {name: one.digest() for name, one in self._digests.items()}
        return certificate_of(
            self.release(), self.verdicts, digests, private=private, key=key, stretched=stretched
        )

    @property
    def digest(self) -> str:
        """The SHA-256 of the released texts so far."""
        return self._digests["release"].hexdigest()

    def told(self, key: bytes, stretched: JsonValues | None = None) -> Certificate:
        """All that the whole tells of itself, public or not."""
        digests = {name: one.digest() for name, one in self._digests.items()}
        return told_of(self.release(), self.verdicts, digests, key, stretched)


def _add(sums: JsonObject, numbers: JsonValues) -> None:
    for name, value in numbers.items():
        if name in SAME or isinstance(value, str):
            sums[name] = value
        elif name in LEAST:
            sums[name] = min(sums.get(name, value), value)
        else:
            sums[name] = sums.get(name, 0) + value


def joined(before: list[Verdict], here: list[Verdict]) -> list[Verdict]:
    """Verdicts on parts as verdicts on all of them: each holds if both do."""
    if not before:
        return here
    result = []
    for one, other in zip(before, here, strict=True):
        less, more = sorted((one.measured, other.measured), key=len)  # the fuller has the order
        measured = dict(more)
        _add(measured, less)
        worse = one if not one.holds else other
        result.append(replace(worse, claim=one.claim, measured=measured))
    return result
