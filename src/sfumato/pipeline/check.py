"""A policy checked before it runs: its form, its files, its order."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.errors import BadInput, SfumatoError
from . import policy as policies
from . import required, tried
from .policy import yaml_path
from .stages import files_of

if TYPE_CHECKING:
    from .policy import Written


def check(path: str | Path) -> dict[str, Any]:
    """What a policy would do, in words; refuses one that cannot be run."""
    written = policies.read(path)
    try:
        ready(written)
        tried.check(written)
    except SfumatoError as problem:
        raise policies.placed(problem, path) from None
    return {
        "policy": str(path),
        "stages": [
            f"{number}. {stage.verb}" + (f" on {', '.join(stage.columns)}" if stage.columns else "")
            for number, stage in enumerate(written.policy.stages, 1)
        ],
        "notes": notes(written.policy),
        "claims": [one.claim for one in written.policy.claims],
    }


def ready(written: Written) -> None:
    """Refuses a policy that names missing files or claims that nothing gives."""
    policy = written.policy
    _exists(written, policy.input.path, ["input", "path"])
    for name in ("spans", "key_file"):
        if getattr(policy, name) is not None:
            _exists(written, getattr(policy, name), [name])
    if policy.schema_file is not None:
        _exists(written, policy.schema_file, ["schema"])
    if any(stage.verb == "anonymize" for stage in policy.stages):
        from .tables import require_people, require_texts

        require_people(written)
        require_texts(written)
    if policy.evaluation is not None:
        _exists(written, policy.evaluation.gold, ["evaluation", "gold"])
    for number, stage in enumerate(policy.stages):
        for name, _ in files_of(stage, written):
            _exists(written, getattr(stage, name), ["stages", number, name])
    required.check(policy)
    _judged(policy)


def _judged(policy: policies.Policy) -> None:
    """Refuses, before the stages run, measures that could not be taken after them."""
    from ..attacks.run import NAMES
    from .measures import RECORDS

    verbs = [stage.verb for stage in policy.stages]
    known = (*NAMES, *RECORDS) if "anonymize" in verbs else NAMES
    for number, name in enumerate(policy.attacks if policy.attacks != "all" else []):
        if name not in known:
            where = yaml_path(["attacks", number])
            raise BadInput("no such attack", where=where, remedy=f"one of {', '.join(known)}")
    if policy.sweep and "suppress" not in verbs:
        raise BadInput("no stage suppresses", where="sweep", remedy="take it out")


def _exists(written: Written, given: str, loc: list[Any]) -> None:
    if not written.path(given).exists():
        raise BadInput(
            "names a file that does not exist",
            where=yaml_path(loc),
            remedy="paths are relative to the policy's folder",
        )


def notes(policy: policies.Policy) -> list[str]:
    """What is likely to go wrong with the order of stages; the verdicts decide.

    >>> notes(policies.parse("{version: 1, input: {path: a.txt}, "
    ...                      "stages: [{verb: suppress}, {verb: pseudonymize}]}"))
    ['stages[1]: pseudonymize writes after suppress has counted; put suppress last']
    """
    found = []
    for number, stage in enumerate(policy.stages):
        for later, after in enumerate(policy.stages[number + 1 :], number + 1):
            if not _shared(policy, stage, after) or after.verb == "suppress":
                continue
            if stage.verb == "suppress":
                found.append(
                    f"{yaml_path(['stages', later])}: {after.verb} writes after suppress has "
                    "counted; put suppress last"
                )
    counts = any(stage.verb == "suppress" for stage in policy.stages)
    if counts and policy.input.columns is not None and policy.input.person is None:
        found.append("input.person: names no column, so k counts documents, not people")
    return found


def _shared(policy: policies.Policy, one: Any, other: Any) -> bool:
    every = policy.input.columns or [""]  # an input without columns has one text
    return bool(set(one.columns or every) & set(other.columns or every))
