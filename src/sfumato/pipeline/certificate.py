"""The certificates of a run: as a single verb's, with the stages."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..core.certificate import FORMAT, key_under, keyed, rows_of, stretching, text_digest
from ..core.certificate import sealed as seal
from ..core.certificate_model import Certificate, Hashes, Stage, StatedVerdict, of_stages
from ..core.figures import published
from .chains import final_table, table_at
from .inputs import original_table

if TYPE_CHECKING:
    from ..core.claims import Verdict
    from ..core.release import Release
    from ..core.values import JsonObject
    from ..verification.composed_claims import StageVerdict
    from ..verification.untouched_columns import Publishing
    from .policy import PolicyFile
    from .steps import StageResult, Step, TakenStage

PEOPLE = ("k-anonymity", "km-anonymity")


def of_run(
    written: PolicyFile,
    key: bytes,
    done: Sequence[StageResult],
    judged: Mapping[int, Sequence[StageVerdict]],
    demanded: Sequence[tuple[str | None, Verdict]],
    publishing: Publishing,
    released: str,
) -> Certificate:
    """All that a run tells of itself, but for loss and the hashes of the files.

    `released` is the hash of the texts in the order in which they are published.
    """
    how = stretching(released)
    key = key_under(key, {"format": FORMAT, "key_stretching": how})
    stages = [stage_of(one, key, judged[number]) for number, one in enumerate(done)]
    given = text_digest(first_texts(done, written))
    hashes = {
        "release": Hashes(plain=released),
        "input": Hashes(keyed=keyed(key, bytes.fromhex(given))),
    }
    steps = [one.step for one in done]
    whole = assembled(written, steps, stages, _counts(done), hashes, publishing, how)
    told = tuple(StatedVerdict.told(verdict, {"column": column}) for column, verdict in demanded)
    return replace(whole, demanded=told)


def _counts(done: Sequence[StageResult]) -> dict[str, int]:
    """How many documents and people the released data shows."""
    table = table_at(done)
    if table is None:
        groups = done[0].source.groups
        persons = {} if groups is None else {"persons": len(set(groups))}
        return {"documents": len(done[0].source.texts), **persons}
    return counts_of_table(done[table].release, final_table(done).height)


def counts_of_table(release: Release, rows: int) -> dict[str, int]:
    """How many rows a released table shows, and how many people where it numbers them."""
    claimed = next(one for one in release.claims if one.name in PEOPLE).parameters
    numbered = claimed["person"] is not None
    return {"documents": rows, **({"persons": release.counts["people"]} if numbered else {})}


def assembled(
    written: PolicyFile,
    steps: Sequence[Step],
    stages: Sequence[Stage],
    counts: Mapping[str, int],
    hashes: Mapping[str, Hashes],
    publishing: Publishing,
    stretched: Mapping[str, object],
) -> Certificate:
    """All that a run tells of itself, when its stages' own parts are given."""
    from importlib.metadata import version

    policy = written.policy
    pairs = list(zip(steps, stages, strict=True))
    warnings = [f"{step.name}: {warning}" for step, stage in pairs for warning in stage.warnings]
    return Certificate(
        kind="private",
        format=FORMAT,
        version=version("sfumato"),
        verb="run",
        parameters={
            "seed": policy.seed,
            "columns": policy.input.columns,
            "person": policy.input.person,
        },
        counts=counts,
        columns=publishing.as_dict(),
        loss={},
        not_protected=_union(stage.not_protected for stage in stages),
        warnings=(*warnings, *publishing.warnings()),
        hashes=hashes,
        stretched=stretched,
        **of_stages([(step.number, stage) for step, stage in pairs]),
    )


def public_of(stated: Certificate, key: bytes) -> JsonObject:
    """What may be published of it, as JSON, with the seal that tells whether it was changed."""
    return seal(json.loads(json.dumps(published(stated).as_dict())), key)


def private_of(stated: Certificate, key: bytes, written: PolicyFile, **more: object) -> Certificate:
    """The private certificate: all of it with the key, and what stage results need."""
    return replace(stated, key=key, kept={"policy_folder": str(written.folder), **more})


def stage_of(one: TakenStage, key: bytes, judged: Sequence[StageVerdict]) -> Stage:
    """A step's part of the certificate."""
    release = one.release
    return Stage(
        verb=release.verb,
        column=one.step.column,
        parameters=release.parameters,
        counts=release.counts,
        claims=tuple(found.verdict.claim for found in judged),
        verdicts=tuple(StatedVerdict.told(found.verdict) for found in judged),
        loss=release.loss,
        not_protected=release.not_protected,
        warnings=release.warnings,
        hashes={
            name: Hashes(keyed=keyed(key, bytes.fromhex(value)))
            for name, value in one.hashes.items()
        },
    )


def _union(several: Iterable[Iterable[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for some in several for one in some))


def first_texts(done: Sequence[StageResult], written: PolicyFile) -> list[object]:
    """The original texts, column by column."""
    if table_at(done) is not None:
        return [rows_of(original_table(written))]
    seen: dict[str | None, object] = {}
    for one in done:
        seen.setdefault(one.step.column, one.source.data)
    return list(seen.values())


def last_texts(done: Sequence[StageResult]) -> list[object]:
    """The released texts, column by column."""
    if table_at(done) is not None:
        return [rows_of(final_table(done))]
    seen: dict[str | None, object] = {}
    for one in done:
        seen[one.step.column] = one.release.data
    return [seen[column] for column in dict.fromkeys(one.step.column for one in done)]
