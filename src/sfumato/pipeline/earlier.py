"""Earlier releases of the same people, matched by document: by private folders, or aligned."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.corpus import Corpus
from ..core.errors import BadInput
from ..verification.trace import Trace
from . import policy as policies
from . import received
from .folder import text_sha256
from .kept import Shelf
from .run import read_input
from .stages import Setting, Step, side_inputs, steps_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.release import Release
    from ..formats import Source

    Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """A stage of an earlier release on one column."""

    step: Step
    release: Release


@dataclass(frozen=True, slots=True, eq=False)
class Earlier:
    """One column of an earlier release."""

    name: str
    texts: list[str]
    groups: list[str] | None
    digests: list[str]
    """The SHA-256 of its original documents."""
    stages: tuple[Taken, ...]
    traces: list[Trace]
    aligned: list[int] | None = None
    """Without the private folder: for every document of the input, its place here, or -1."""

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


def read(path: str | Path, sources: Mapping[str | None, Source]) -> dict[str | None, Earlier]:
    """The columns of an earlier release; `sources` are those of the input.

    Its private folder, beside it, tells where in the original the released text stood. Without it,
    or where its stages were not kept, the texts are aligned with those of the input.
    """
    folder = Path(path)
    received.check_sums(folder)
    stated = received.read_certificate(folder / "certificate.json")
    received.check_files(folder, stated)
    if any(stage["verb"] == "anonymize" for stage in stated["stages"]):
        raise BadInput(
            "is a release of a table", where=str(folder), remedy="compare tables with tables"
        )
    private = folder.with_name(folder.name + ".private")
    if stated["parameters"].get("streamed") or not (private / "documents.json").is_file():
        from . import aligned

        return aligned.read(folder, stated, sources)
    held = received.private_certificate(private)
    whole = policies.parse((private / "policy.yaml").read_text("utf-8"), "the earlier policy")
    setting = Setting(
        policies.Written(whole, Path(held["policy_folder"])), bytes.fromhex(held["key"])
    )
    digests = json.loads((private / "documents.json").read_text("utf-8"))
    found: dict[str | None, list[tuple[Step, Release, Source]]] = {}
    shelf, name = Shelf(private / "stages"), Path(whole.input.path).name
    for step, key in zip(steps_of(whole), held["stage_results"], strict=True):
        after = read_input(setting.written, shelf.data(key, name), step.column)
        release, _ = shelf.load(key, after.data)
        release = _with_sides(step, after, release, setting)
        found.setdefault(step.column, []).append((step, release, after))
    return {
        column: _column(folder.name, column, stages, digests) for column, stages in found.items()
    }


def _with_sides(step: Step, source: Source, release: Release, setting: Setting) -> Release:
    from dataclasses import replace

    if step.stage.verb != "redact":
        return release
    sides = side_inputs(step, source, release, setting)
    return replace(release, private={**release.private, **sides})


def _column(
    name: str,
    column: str | None,
    stages: Sequence[tuple[Step, Release, Source]],
    digests: Mapping[str, Any],
) -> Earlier:
    last = stages[-1][2]
    traces = [Trace() for _ in last.texts]
    for _, release, _ in stages:
        for document in set(release.changes.documents.tolist()):
            changes = release.changes.of_document(document)
            traces[document] = traces[document].then(changes)
    return Earlier(
        name,
        list(Corpus.of(last.data).texts),
        last.groups,
        list(digests[column or ""]),
        tuple(Taken(step, release) for step, release, _ in stages),
        traces,
    )


def kept(trace: Trace, size: int) -> Flags:
    """Which symbols of an original still stand.

    >>> from sfumato.verification.trace import Piece
    >>> kept(Trace((Piece(1, 3, "★★"),)), 4)
    array([ True, False, False,  True])
    """
    flags = np.ones(size, bool)
    for piece in trace.pieces:
        flags[piece.start : piece.stop] = False
    return flags


def star_masks(stages: Sequence[Taken]) -> str:
    """The symbols that suppress hid others by."""
    return "".join(
        str(one.release.parameters["mask"]) for one in stages if one.step.stage.verb == "suppress"
    )
