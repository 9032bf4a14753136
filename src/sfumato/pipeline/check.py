"""A policy checked before it runs: its form, its files, its order."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import BadInput, SfumatoError
from ..methods import method
from . import databases, demands, trial
from . import policy as policies
from .stages import files_of
from .steps import is_on_spark, is_table, steps_of
from .verbs import counts_legible, takes_table
from .yaml_places import yaml_path

if TYPE_CHECKING:
    from ..core.values import JsonObject
    from ..schema import Schema
    from .policy import PolicyFile
    from .verbs import Stage


def check_policy(path: str | Path) -> JsonObject:
    """What a policy would do, in words; refuses one that cannot be run."""
    written = policies.read(path)
    try:
        check_files(written)
        if is_on_spark(written.policy):  # what is large is not tried on this machine
            from . import spark_run

            spark_run.refuse(written)
        else:
            with databases.fetched(written) as given:
                trial.try_policy(given)
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


def check_files(written: PolicyFile) -> None:
    """Refuses a policy that names missing files or claims that nothing gives."""
    policy = written.policy
    if policy.input.url is None:
        _exists(written, policy.input.path, ["input", "path"])
    for name in ("spans", "key_file"):
        if getattr(policy, name) is not None:
            _exists(written, getattr(policy, name), [name])
    if policy.schema_file is not None:
        _exists(written, policy.schema_file, ["schema"])
    if is_table(policy):
        _require_people(written)
        _require_texts(written)
    elif policy.schema_file is not None:
        _refuse_dropped(written)
    if policy.evaluation is not None:
        _exists(written, policy.evaluation.gold, ["evaluation", "gold"])
    for number, stage in enumerate(policy.stages):
        for name, _ in files_of(stage, written):
            _exists(written, getattr(stage, name), ["stages", number, name])
    demands.check_demands(policy)
    _judged(policy)


def _require_people(written: PolicyFile) -> None:
    """Policy and schema must mean the same people: k counts them in columns and in texts."""
    from ..schema import as_schema

    policy = written.policy
    assert policy.schema_file is not None
    schema = as_schema(written.path(policy.schema_file))
    if policy.input.person != schema.person:
        raise BadInput(
            "names another column than the schema's person",
            where="input.person",
            remedy="name the same column in both: it says who is counted",
        )
    last = takes_table(policy.stages[-1].verb)
    if schema.person is not None and not schema.person_number and not last:
        raise BadInput(
            "the person column is dropped, so that later stages could not count people",
            where=f"{policy.schema_file}: person_number",
            remedy="let it be true, or end with anonymize",
        )


def _refuse_dropped(written: PolicyFile) -> None:
    """No stage but one that takes tables drops a column, or takes its values out of texts."""
    from ..schema import as_schema

    policy = written.policy
    assert policy.schema_file is not None
    schema = as_schema(written.path(policy.schema_file))
    if schema.named("drop") or schema.others == "drop":
        raise BadInput(
            "drops columns, and no stage does that: they and their values in texts would stay",
            where="schema",
            remedy="add a stage anonymize, or leave out schema and say what to publish",
        )


def _require_texts(written: PolicyFile) -> None:
    """Stages beside `anonymize` work on texts, or on what the schema calls insensitive."""
    from ..schema import as_schema

    policy = written.policy
    assert policy.schema_file is not None
    schema = as_schema(written.path(policy.schema_file))
    for step in steps_of(policy):
        if step.takes_table:
            continue
        problem = _not_a_text(schema, str(step.column), step.stage.verb)
        if problem is not None:
            raise BadInput(problem[0], where=f"stages[{step.number}]", remedy=problem[1])


def _not_a_text(schema: Schema, name: str, verb: str) -> tuple[str, str] | None:
    """Why a stage cannot work on a column of the table, and what to do; None if it can."""
    described = schema.columns.get(name)
    if name == schema.person:
        return "works on the person column, by which people are counted", "name text columns"
    if name in schema.named("drop") or (described is None and schema.others == "drop"):
        return (
            f"works on {name}, which the schema drops",
            "take the column out of input.columns, or give it another role",
        )
    if described is None or described.role == "insensitive":
        return None
    if described.kind != "text":
        return (
            f"works on {name}, which anonymize recodes or counts as a {described.kind} column: "
            "what the stage wrote there would be recoded, or its classes told apart",
            "leave the column to anonymize, or call it text in the schema",
        )
    if method(verb).takes_sequences:
        return (
            f"keeps the order of all symbols of {name}, where anonymize writes entity types",
            "sanitize a column that the schema calls insensitive, or take one of the two out",
        )
    return None


def _judged(policy: policies.Policy) -> None:
    """Refuses, before the stages run, measures that could not be taken after them."""
    from ..attacks.protocol import RECORDS
    from ..attacks.run import NAMES

    known = (*NAMES, *RECORDS) if is_table(policy) else NAMES
    for number, name in enumerate(policy.attacks if policy.attacks != "all" else []):
        if name not in known:
            where = yaml_path(["attacks", number if isinstance(policy.attacks, list) else name])
            raise BadInput("no such attack", where=where, remedy=f"one of {', '.join(known)}")
    if policy.sweep and not any(counts_legible(stage.verb) for stage in policy.stages):
        raise BadInput("no stage suppresses", where="sweep", remedy="take it out")


def _exists(written: PolicyFile, given: str, loc: Sequence[object]) -> None:
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
            if not _shared(policy, stage, after) or counts_legible(after.verb):
                continue
            if counts_legible(stage.verb):
                found.append(
                    f"{yaml_path(['stages', later])}: {after.verb} writes after {stage.verb} has "
                    f"counted; put {stage.verb} last"
                )
    counts = any(counts_legible(stage.verb) for stage in policy.stages)
    if counts and policy.input.columns is not None and policy.input.person is None:
        found.append("input.person: names no column, so k counts documents, not people")
    return found


def _shared(policy: policies.Policy, one: Stage, other: Stage) -> bool:
    every = policy.input.columns or [""]  # an input without columns has one text
    return bool(set(one.columns or every) & set(other.columns or every))
