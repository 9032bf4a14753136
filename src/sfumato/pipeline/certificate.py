"""The certificates of a run: as a single verb's, with the stages."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..core.certificate import FORMAT, key_under, keyed, rows_of, stretching, text_digest
from ..core.certificate import sealed as seal
from ..core.figures import published
from .chains import final_table, table_at
from .inputs import original_table

if TYPE_CHECKING:
    from ..core.claims import Verdict
    from ..verification.composed import Judged
    from ..verification.untouched import Publishing
    from .policy import PolicyFile
    from .steps import StageResult, Step

PEOPLE = ("k-anonymity", "km-anonymity")


def of_run(
    written: PolicyFile,
    key: bytes,
    done: Sequence[StageResult],
    judged: Mapping[int, Sequence[Judged]],
    demanded: Sequence[tuple[str | None, Verdict]],
    publishing: Publishing,
) -> dict[str, Any]:
    """All that a run tells of itself, but for loss and the hashes of the files."""
    released = text_digest(last_texts(done))
    how = stretching(released)
    key = key_under(key, {"format": FORMAT, "key_stretching": how})
    stages = [_stage(one, key, judged[number]) for number, one in enumerate(done)]
    given = text_digest(first_texts(done, written))
    hashes = {
        "release": {"sha256": released},
        "input": {"hmac-sha256": keyed(key, bytes.fromhex(given))},
    }
    told = [verdict.as_dict() | {"column": column} for column, verdict in demanded]
    steps = [one.step for one in done]
    return assembled(written, steps, stages, _counts(done), hashes, told, publishing, how)


def _counts(done: Sequence[StageResult]) -> dict[str, int]:
    """How many documents and people the released data shows."""
    table = table_at(done)
    if table is None:
        groups = done[0].source.groups
        persons = {} if groups is None else {"persons": len(set(groups))}
        return {"documents": len(done[0].source.texts), **persons}
    release = done[table].release
    claimed = next(one for one in release.claims if one.name in PEOPLE).parameters
    numbered = claimed["person"] is not None
    persons = {"persons": release.counts["people"]} if numbered else {}
    return {"documents": final_table(done).height, **persons}


def assembled(
    written: PolicyFile,
    steps: Sequence[Step],
    stages: Sequence[dict[str, Any]],
    counts: Mapping[str, int],
    hashes: Mapping[str, Any],
    demanded: Sequence[dict[str, Any]],
    publishing: Publishing,
    stretched: Mapping[str, Any],
) -> dict[str, Any]:
    """All that a run tells of itself, when its stages' own parts are given."""
    from importlib.metadata import version

    policy = written.policy
    claims, verdicts, warnings = [], [], []
    for step, stage in zip(steps, stages, strict=True):
        place = {"stage": step.number + 1, "column": step.column}
        claims += [claim | place for claim in stage["claims"]]
        verdicts += [verdict | place for verdict in stage["verdicts"]]
        warnings += [f"{step.name}: {warning}" for warning in stage["warnings"]]
    warnings += publishing.warnings()
    return {
        "certificate": "private",
        "format": FORMAT,
        "sfumato": version("sfumato"),
        "verb": "run",
        "parameters": {
            "seed": policy.seed,
            "columns": policy.input.columns,
            "person": policy.input.person,
        },
        "counts": dict(counts),
        "claims": claims,
        "verdicts": verdicts,
        "demanded": list(demanded),
        "columns": publishing.as_dict(),
        "loss": {},
        "not_protected": _union(stage["not_protected"] for stage in stages),
        "warnings": warnings,
        "stages": list(stages),
        "hashes": dict(hashes),
        "key_stretching": dict(stretched),
    }


def public_of(stated: Mapping[str, Any], key: bytes) -> dict[str, Any]:
    """What may be published of it, as JSON, with the seal that tells whether it was changed."""
    plain = json.loads(json.dumps(published(stated), default=lambda value: value.item()))
    return seal(plain, key)


def private_of(stated: Mapping[str, Any], key: bytes, written: PolicyFile, **more: Any) -> Any:
    """The private certificate: all of it with the key, and what stage results need."""
    return {
        **stated,
        "key": key.hex(),
        "policy_folder": str(written.folder),
        **more,
    }


def _stage(one: StageResult, key: bytes, judged: Sequence[Judged]) -> dict[str, Any]:
    release = one.release
    return {
        "verb": release.verb,
        "columns": None if one.step.column is None else [one.step.column],
        "parameters": dict(release.parameters),
        "counts": dict(release.counts),
        "claims": [found.verdict.claim.as_dict() for found in judged],
        "verdicts": [found.verdict.as_dict() for found in judged],
        "loss": dict(release.loss),
        "not_protected": list(release.not_protected),
        "warnings": list(release.warnings),
        "hashes": {
            name: {"hmac-sha256": keyed(key, bytes.fromhex(value))}
            for name, value in one.hashes.items()
        },
    }


def _union(several: Any) -> list[str]:
    return list(dict.fromkeys(one for some in several for one in some))


def first_texts(done: Sequence[StageResult], written: PolicyFile) -> list[Any]:
    """The original texts, column by column."""
    if table_at(done) is not None:
        return [rows_of(original_table(written))]
    seen: dict[str | None, Any] = {}
    for one in done:
        seen.setdefault(one.step.column, one.source.data)
    return list(seen.values())


def last_texts(done: Sequence[StageResult]) -> list[Any]:
    """The released texts, column by column."""
    if table_at(done) is not None:
        return [rows_of(final_table(done))]
    seen: dict[str | None, Any] = {}
    for one in done:
        seen[one.step.column] = one.release.data
    return [seen[column] for column in dict.fromkeys(one.step.column for one in done)]
