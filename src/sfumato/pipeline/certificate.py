"""The certificates of a run: as a single verb's, with the stages."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..core.certificate import FORMAT, digest, public
from ..core.certificate import sealed as seal
from .chains import table_at

if TYPE_CHECKING:
    from ..core.claims import Verdict
    from ..verification.composed import Judged
    from .policy import Written
    from .run import Done
    from .stages import Step

# The claims each verb can give.
CLAIMS = {
    "suppress": ("substring-k-anonymity", "word-k-anonymity", "spans-hidden"),
    "redact": ("term-k-anonymity", "no-term-in-clear"),
    "generalize": ("t-plausibility",),
    "sanitize": ("pattern-free", "order-kept", "frequency-kept", "no-lost", "no-implausible"),
    "pseudonymize": ("consistent-pseudonyms", "only-spans-changed"),
    "anonymize": ("k-anonymity", "l-diversity", "t-closeness", "nothing-else-changed"),
}

UNTOUCHED = (
    "the texts alone were changed: all other columns, the person column among them, are released "
    "as they are"
)


def of_run(
    written: Written,
    key: bytes,
    done: Sequence[Done],
    judged: Mapping[int, Sequence[Judged]],
    demanded: Sequence[tuple[str | None, Verdict]],
) -> dict[str, Any]:
    """The public certificate, but for loss and the hashes of the files."""
    stages = [_stage(one, key, judged[number]) for number, one in enumerate(done)]
    groups = done[0].source.groups
    counts = {"documents": len(done[0].source.texts)}
    if groups is not None:
        counts["persons"] = len(set(groups))
    hashes = {
        "release": {"sha256": text_digest(last_texts(done))},
        "input": {"hmac-sha256": keyed(key, text_digest(first_texts(done, written)))},
    }
    told = [verdict.as_dict() | {"column": column} for column, verdict in demanded]
    return assembled(written, [one.step for one in done], stages, counts, hashes, told)


def assembled(
    written: Written,
    steps: Sequence[Step],
    stages: Sequence[dict[str, Any]],
    counts: Mapping[str, int],
    hashes: Mapping[str, Any],
    demanded: Sequence[dict[str, Any]],
) -> dict[str, Any]:
    """The public certificate of stages whose certificates are given."""
    from importlib.metadata import version

    policy = written.policy
    claims, verdicts, warnings = [], [], []
    for step, stage in zip(steps, stages, strict=True):
        place = {"stage": step.number + 1, "column": step.column}
        claims += [claim | place for claim in stage["claims"]]
        verdicts += [verdict | place for verdict in stage["verdicts"]]
        warnings += [f"{step.name}: {warning}" for warning in stage["warnings"]]
    if policy.input.columns is not None and all(one["verb"] != "anonymize" for one in stages):
        warnings.append(UNTOUCHED)
    return {
        "certificate": "public",
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
        "loss": {},
        "not_protected": _union(stage["not_protected"] for stage in stages),
        "warnings": warnings,
        "stages": list(stages),
        "hashes": dict(hashes),
    }


def sealed(stated: Mapping[str, Any], key: bytes) -> dict[str, Any]:
    """The certificate as plain JSON values, with the seal that tells whether it was changed."""
    return seal(json.loads(json.dumps(stated, default=lambda value: value.item())), key)


def private_of(public: Mapping[str, Any], key: bytes, written: Written, **more: Any) -> Any:
    """The private certificate: the public one with the key, and what stage results need."""
    return {
        **public,
        "certificate": "private",
        "key": key.hex(),
        "policy_folder": str(written.folder),
        **more,
    }


def _stage(one: Done, key: bytes, judged: Sequence[Judged]) -> dict[str, Any]:
    release = one.release
    return {
        "verb": release.verb,
        "columns": None if one.step.column is None else [one.step.column],
        "parameters": public(release.parameters),
        "counts": dict(release.counts),
        "claims": [found.verdict.claim.as_dict() for found in judged],
        "verdicts": [found.verdict.as_dict() for found in judged],
        "loss": dict(release.loss),
        "not_protected": list(release.not_protected),
        "warnings": list(release.warnings),
        "hashes": {name: {"hmac-sha256": keyed(key, value)} for name, value in one.hashes.items()},
    }


def _union(several: Any) -> list[str]:
    return list(dict.fromkeys(one for some in several for one in some))


def first_texts(done: Sequence[Done], written: Written) -> list[Any]:
    """The original texts, column by column."""
    if table_at(done) is not None:
        from . import tables

        return [tables.rows_of(tables.original(written))]
    seen: dict[str | None, Any] = {}
    for one in done:
        seen.setdefault(one.step.column, one.source.data)
    return list(seen.values())


def last_texts(done: Sequence[Done]) -> list[Any]:
    """The released texts, column by column."""
    if table_at(done) is not None:
        from . import tables

        return [tables.rows_of(tables.final(done))]
    seen: dict[str | None, Any] = {}
    for one in done:
        seen[one.step.column] = one.release.data
    return [seen[column] for column in dict.fromkeys(one.step.column for one in done)]


def text_digest(columns: Sequence[Any]) -> str:
    """SHA-256 of the texts of one column as any certificate has it; of several, of theirs.

    >>> text_digest(["abc"]) == digest("abc").hexdigest()
    True
    """
    each = [digest(column).hexdigest() for column in columns]
    return each[0] if len(each) == 1 else hashlib.sha256("\n".join(each).encode()).hexdigest()


def keyed(key: bytes, plain: str) -> str:
    """The keyed hash that goes with a plain one, as `core.certificate.keyed_digest` makes it.

    >>> from ..core.certificate import keyed_digest
    >>> keyed(b"key", digest("abc").hexdigest()) == keyed_digest(b"key", "abc")
    True
    """
    return hmac.new(key, bytes.fromhex(plain), hashlib.sha256).hexdigest()
