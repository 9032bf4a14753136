"""Reads an earlier release: by its private folder where that stands beside it, else aligned."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...claims import Side
from ...core.corpus import Corpus
from ...core.errors import BadInput
from ...received.folder import beside, check_data, read_listed, read_private
from ...verification.trace import Trace
from .. import policy as policies
from ..inputs import read_input
from ..result_folder import ResultFolder
from ..stages import side_inputs
from ..steps import RunContext, steps_of
from . import alignment
from .earlier import Earlier, reads

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...core.release import Release
    from ...core.values import JsonValues
    from ...formats import Source
    from ..steps import Step


def read(
    path: str | Path, sources: Mapping[str | None, Source], key: bytes
) -> dict[str | None, Earlier]:
    """The columns of an earlier release; `sources` are those of the input, `key` the steward's.

    Its private folder, beside it, tells where in the original the released text stood. Without it,
    or where its stages were not kept, the texts are aligned with those of the input.
    """
    folder = Path(path)
    certificate = read_listed(folder)
    check_data(folder, certificate)
    if any(stage.is_of_table for stage in certificate.stages):
        raise BadInput(
            "is a release of a table", where=str(folder), remedy="compare tables with tables"
        )
    private = beside(folder)
    if certificate.parameters.get("streamed") or not (private / "documents.json").is_file():
        return alignment.read(folder, sources, key)
    held = read_private(private)
    whole = policies.parse((private / "policy.yaml").read_text("utf-8"), "the earlier policy")
    context = RunContext(policies.PolicyFile(whole, held.policy_folder), held.key)
    digests = json.loads((private / "documents.json").read_text("utf-8"))
    found: dict[str | None, list[tuple[Step, Release, Source]]] = {}
    results, name = ResultFolder(private / "stages"), context.written.input_name
    for step, result in zip(steps_of(whole), held.stage_results, strict=True):
        after = read_input(context.written, results.data(result, name), step.column)
        release, _ = results.load_texts(result, after.data)
        release = _with_sides(step, after, release, context)
        found.setdefault(step.column, []).append((step, release, after))
    return {
        column: _column(folder.name, column, stages, digests) for column, stages in found.items()
    }


def _with_sides(step: Step, source: Source, release: Release, context: RunContext) -> Release:
    if not (reads(release, Side.STRINGS) or reads(release, Side.ONTOLOGY)):
        return release
    sides = side_inputs(step, source, release, context)
    return replace(release, sides=replace(release.sides, **sides))


def _column(
    name: str,
    column: str | None,
    stages: Sequence[tuple[Step, Release, Source]],
    digests: JsonValues,
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
        tuple(release for _, release, _ in stages),
        traces,
    )
