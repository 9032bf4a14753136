"""Earlier releases of the same people, matched by document: by private folders, or aligned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...claims import Side, kind
from ...core.printed_form import by_sizes
from ...methods import method
from ..folder import text_sha256

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...core.release import Release
    from ...formats import Source
    from ...verification.trace import Trace

    Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Earlier:
    """One column of an earlier release."""

    name: str
    texts: list[str]
    groups: list[str] | None
    digests: list[str]
    """The SHA-256 of its original documents."""
    stages: tuple[Release, ...]
    traces: list[Trace]
    aligned: list[int] | None = None
    """Without the private folder: for every document of the input, its place here, or -1."""

    __repr__ = by_sizes

    def matched(self, source: Source) -> list[int]:
        """For every document of an input, its place in this release, or -1: same text and person.

        Equal documents of a person are matched in their order.
        """
        if self.aligned is not None:
            return self.aligned
        waiting: dict[tuple[str, str], list[int]] = {}
        for place, digest in enumerate(self.digests):
            owner = self.groups[place] if self.groups is not None else ""
            waiting.setdefault((digest, owner), []).append(place)
        result = []
        for number, text in enumerate(source.texts):
            owner = source.groups[number] if self.groups is not None and source.groups else ""
            places = waiting.get((text_sha256(text), owner))
            result.append(places.pop(0) if places else -1)
        return result


def kept(trace: Trace, size: int) -> Flags:
    """Which symbols of an original still stand.

    >>> from sfumato.verification.trace import Piece, Trace
    >>> kept(Trace((Piece(1, 3, "★★"),)), 4)
    array([ True, False, False,  True])
    """
    flags = np.ones(size, bool)
    for piece in trace.pieces:
        flags[piece.start : piece.stop] = False
    return flags


def star_masks(stages: Sequence[Release]) -> str:
    """The symbols by which stages hid others that did nothing but hide."""
    hiding = (one for one in stages if method(one.verb).only_hides)
    return "".join(str(one.parameters["mask"]) for one in hiding)


def reads(release: Release, side: Side) -> bool:
    """Whether a check of the release's claims reads a side input."""
    return any(side in kind(one.name).sides(one.parameters) for one in release.claims)
