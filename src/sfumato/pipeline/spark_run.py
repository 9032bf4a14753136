"""A policy on Spark: the stages one after another, claims on the final data, a release folder.

Input, private folder and release folder lie where every machine of the cluster sees them under the
same name. The released data are a folder of files; all else of the release folder is as on one
machine. Nothing is put there before every claim holds.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..claims import kind
from ..core.certificate import FORMAT, key_under, keyed, stretching
from ..core.certificate_model import Hashes, StatedVerdict
from ..core.errors import BadInput, NotVerified
from ..core.printed_form import by_sizes
from ..core.release import Sides
from ..engines import verify
from ..engines.composed_checks import TakenStep, judge_composed
from ..engines.record_checks import LaterStages, by_classes
from ..engines.spark import ROW
from ..engines.spark_files import kind_of, read_in_order, repeats, write_parts, written_alike
from ..engines.spark_json import as_given, read_table
from ..formats import bytes_digest
from ..methods import method
from ..verification.composed_claims import StageVerdict
from ..verification.untouched_columns import Publishing
from . import certificate, demands, folder
from .chains import columns_of, table_at
from .folder import Outcome
from .inputs import beside, require_left
from .result_folder import ResultFolder
from .spark_store import SparkStore
from .spark_table import as_step, take_all
from .steps import is_table, steps_of, table_place
from .verdicts import require
from .withdraw import marks_of
from .yaml_places import yaml_path

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from ..core.certificate_model import Certificate
    from ..core.claims import Claim, Verdict
    from ..core.values import Data, JsonObject
    from ..engines.composed_checks import ComposedVerdicts
    from ..engines.spark import SparkEngine
    from ..schema import Schema
    from .policy import PolicyFile
    from .spark_store import SparkResult
    from .steps import RunContext

    Judged = dict[int, list[StageVerdict]]

RECOGNISED = frozenset(("recognised", "recognized"))


@dataclass(frozen=True, slots=True, eq=False)
class _Run:
    """What the parts of a run share."""

    __repr__ = by_sizes

    context: RunContext
    engine: SparkEngine
    store: SparkStore
    kind: str


def run(
    context: RunContext, target: Path, private: Path, overwrite: bool, engine: SparkEngine
) -> Outcome:
    """Runs a policy on Spark; writes the release folder or nothing."""
    written = context.written
    results = ResultFolder(private / "stages")
    here = opened(context, engine, results)
    done = take_all(here.store, steps_of(written.policy))
    judged, composed = judge_stages(here, done)
    for some in judged.values():
        for one in some:
            require(one, done)
    demanded = demands.judge_demands(
        written.policy, done, judged, lambda claim, column: _recounted(here, done, claim, column)
    )
    publishing = _leaving(here, done)
    made, key = _files(here, results, done)
    stated, figures = _told(here, done, judged, composed, publishing, made)
    told = tuple(StatedVerdict.told(verdict, {"column": column}) for column, verdict in demanded)
    stated = replace(stated, demanded=told)
    shown = certificate.public_of(stated, context.key)
    keys = [*(one.key for one in done), key]
    whole = certificate.private_of(
        stated, context.key, written, stage_results=keys, stage_hashes=[one.hashes for one in done]
    )
    held = {
        "certificate.json": folder.as_json(whole.as_dict()),
        "key": context.key + b"\n",
        "policy.yaml": folder.policy_bytes(written),
        **folder.measured(written, shown, figures),
    }
    folder.write(target, private, written, made, shown, held, overwrite)
    results.prune(keys)
    reused = sum(not one.fresh for one in done)
    return Outcome(target, private, shown, stated.as_dict(), figures, reused)


def refuse(written: PolicyFile) -> None:
    """What of a policy does not run on Spark is refused by name, before anything is read."""
    policy = written.policy
    for place, given in (
        ("input.url", policy.input.url),
        ("input.sheet", policy.input.sheet),
        ("spans", policy.spans),
    ):
        if given is not None:
            raise BadInput("does not go with Spark", where=place, remedy="drop it, or engine")
    if policy.input.encoding.casefold().replace("_", "-") not in ("utf-8", "utf8"):
        raise BadInput("Spark reads UTF-8", where="input.encoding", remedy="convert the files")
    if kind_of(str(written.path(policy.input.path)), policy.input.format) == "text":
        raise BadInput(
            "a policy on Spark releases columns: Parquet, JSONL, CSV or TSV",
            where="input.path",
            remedy="put the texts into a column",
        )
    if isinstance(policy.attacks, dict):
        raise BadInput(
            "on Spark no attack is tried, and what one may achieve cannot be demanded",
            where="attacks",
            remedy="drop it, and try it on one machine (sfumato attack), on a sample",
        )
    at = table_place(steps_of(policy))
    if at:
        raise BadInput(
            "on Spark it takes the table as it was given",
            where=yaml_path(["stages", steps_of(policy)[at].number]),
            remedy="put it first, or run it on one machine",
        )
    if not is_table(policy) and policy.input.columns is None:
        raise BadInput("is missing", where="input.columns", remedy="name the columns of text")
    _refuse_stages(written)


def _refuse_stages(written: PolicyFile) -> None:
    """What one machine finds in the original, and counts after other stages."""
    seen: dict[str | None, int] = {}
    steps = steps_of(written.policy)
    for place, step in enumerate(steps):
        where, declared = yaml_path(["stages", step.number]), method(step.stage.verb)
        for name in ("words", "hide"):
            if str(getattr(step.stage, name, None)) in RECOGNISED:
                raise BadInput(
                    "on Spark words are listed", where=f"{where}.{name}", remedy="list them"
                )
        changed = step.column in seen or None in seen  # None: the table's step
        if declared.recognizes and changed and not step.takes_table:
            raise BadInput(
                "on Spark it finds names in the texts that it is given, which were changed before",
                where=where,
                remedy="put it first",
            )
        later = [one for one in steps[place + 1 :] if one.column == step.column]
        if later and any(kind(name).survives == "recount" for name in declared.can_claim):
            raise BadInput(
                "on Spark what is legible is counted after the last stage of a column",
                where=where,
                remedy=f"put {step.stage.verb} last",
            )
        seen[step.column] = step.number


def opened(context: RunContext, engine: SparkEngine, results: ResultFolder) -> _Run:
    """The input as Spark reads it, with the columns that the policy names."""
    policy, written = context.written.policy, context.written
    path = str(written.path(policy.input.path))
    said = kind_of(path, policy.input.format)
    frame = (read_table if is_table(policy) else read_in_order)(engine, path, said)
    names = [(("input", "columns"), name) for name in policy.input.columns or ()]
    if policy.input.person is not None:
        names.append((("input", "person"), policy.input.person))
    for place, name in names:
        if name not in frame.columns:
            raise BadInput("names a column that the input does not have", where=yaml_path(place))
    return _Run(context, engine, SparkStore(context, results, engine, frame), said)


def judge_stages(
    here: _Run, done: Sequence[SparkResult]
) -> tuple[Judged, dict[str, ComposedVerdicts]]:
    """The verdicts on the final data, by step; and what was found of each column."""
    own = [verify(one.before, one.release) for one in done]
    judged: Judged = {number: [] for number in range(len(done))}
    found: dict[str, ComposedVerdicts] = {}
    table = table_at(done)
    if table is not None:
        judged[table] = _of_table(done, own[table])
    for column in columns_of(done):
        numbers = [i for i, one in enumerate(done) if one.step.column == column]
        steps = [
            TakenStep(done[i].step.name, done[i].release, done[i].changed, own[i]) for i in numbers
        ]
        original = here.store.original
        if table is not None:  # for the column it is a step that claims nothing of texts
            original, marks = as_step(here.engine, done[table], original, str(column))
            whole = done[table].release
            silent = replace(whole, claims=(), sides=Sides(marks=marks))
            steps = [TakenStep(done[table].step.name, silent, 1, []), *steps]
            numbers = [table, *numbers]
        composed = judge_composed(here.engine, original, str(column), steps)
        found[str(column)] = composed
        for one in composed.verdicts:
            broken = None if one.broken_by is None else numbers[one.broken_by]
            judged[numbers[one.step]].append(StageVerdict(numbers[one.step], one.verdict, broken))
    return judged, found


def _of_table(done: Sequence[SparkResult], own: Sequence[Verdict]) -> list[StageVerdict]:
    """The claims of `anonymize` on the rows as they are released in the end."""
    later = done[1:]
    if not later or not all(one.holds for one in own):
        return [StageVerdict(0, one, None if one.holds else 0) for one in own]
    stars, masks = marks_of(later)
    marks: list[Data] = [one.release.sides.marks for one in later]
    columns = tuple(str(one.step.column) for one in later)
    after = LaterStages(columns, marks, later[-1].release.data, stars, masks)
    taken, last = done[0], len(done) - 1
    engine = replace(taken.release.sides.engine, kept=[])
    release = replace(taken.release, sides=replace(taken.release.sides, engine=engine))
    try:
        final = by_classes(taken.before, release, after)
    finally:
        engine.forget()
    return [StageVerdict(0, one, None if one.holds else last) for one in final]


def _recounted(
    here: _Run, done: Sequence[SparkResult], claim: Claim, column: str | None
) -> Verdict | None:
    """A claim that nobody made, counted in the final texts."""
    if column is None:
        return None
    last = done[-1].release
    person = here.context.written.policy.input.person
    engine = replace(here.engine, text_column=column)
    groups = person if claim.parameters["count"] == "groups" else None
    sides = replace(last.sides, groups=groups, engine=engine, marks=None)
    whole = replace(last, verb="suppress", claims=(claim,), sides=sides)
    return verify(last.data, whole)[0]


def _leaving(here: _Run, done: Sequence[SparkResult]) -> Publishing:
    """The columns that leave as they are; refused where they give back what was hidden."""
    written, original = here.context.written, here.store.original
    if table_at(done) is not None:
        publishing = _beside_schema(written, done[0].release.sides.of_table.schema, original)
    else:
        names = [name for name in original.columns if name != ROW]
        left = beside(names, written.policy.input.columns or [])
        require_left(written, left)
        publishing = Publishing.of(left, written.policy.publish)
        for column in columns_of(done):
            found = repeats(
                here.engine, original, done[-1].release.data, str(column), publishing.columns
            )
            publishing.repeats.join(found)
    publishing.require()
    return publishing


def _beside_schema(written: PolicyFile, schema: Schema, original: Data) -> Publishing:
    """The columns that no line of the schema names: each is to be published by name."""
    named = {*schema.columns, schema.person, *(written.policy.input.columns or [])}
    names = [name for name in original.columns if name not in named and schema.others != "drop"]
    require_left(written, names)
    allowed = written.policy.publish
    left = [] if allowed == "all" else [name for name in names if name not in allowed]
    if left:
        raise BadInput(
            f"{len(left)} columns stand in no line of the schema, and are not looked at on Spark",
            where="publish",
            remedy="name them there, or say `others: drop` in the schema",
        )
    return Publishing.of(names, allowed, [*schema.named("insensitive"), *schema.named("sensitive")])


def _files(here: _Run, results: ResultFolder, done: Sequence[SparkResult]) -> tuple[Path, str]:
    """The released files, in the format of the input, and their key; read back as they will be."""
    name = here.context.written.input_name
    key = hashlib.sha256(f"files\n{here.kind}\n{done[-1].key}".encode()).hexdigest()
    ordered = in_order(done[-1])
    if table_at(done) is not None:
        given = here.context.written
        ordered = as_given(
            here.engine, ordered, str(given.path(given.policy.input.path)), here.kind
        )
    if not results.has(key):

        def fill(temporary: Path) -> None:
            write_parts(ordered, temporary / "data" / name, here.kind)
            (temporary / "release.json").write_text("{}", "utf-8")

        results.put(key, fill)
    made = results.data(key, name)
    if not written_alike(here.engine, made, here.kind, ordered):
        raise NotVerified("the last files are not what was judged; nothing was written")
    return made, key


def in_order(last: SparkResult) -> Data:
    """The rows of the last stage as they are published."""
    data = last.release.data
    return data.orderBy(ROW).drop(ROW) if ROW in data.columns else data


def _told(
    here: _Run,
    done: Sequence[SparkResult],
    judged: Mapping[int, Sequence[StageVerdict]],
    composed: Mapping[str, ComposedVerdicts],
    publishing: Publishing,
    made: Path,
) -> tuple[Certificate, JsonObject]:
    """All that a run tells of itself, and its figures."""
    written = here.context.written
    released = bytes_digest(made)
    how = stretching(released)
    key = key_under(here.context.key, {"format": FORMAT, "key_stretching": how})
    given = bytes_digest(written.path(written.policy.input.path))
    hashes = {
        "release": Hashes(plain=released),
        "input": Hashes(keyed=keyed(key, bytes.fromhex(given))),
    }
    stages = [certificate.stage_of(one, key, judged[i]) for i, one in enumerate(done)]
    steps = [one.step for one in done]
    stated = certificate.assembled(
        written, steps, stages, _counts(here, done), hashes, publishing, how
    )
    figures = _figures(done, composed)
    stated = replace(
        stated,
        loss=figures["loss"],
        files=folder.data_digests(made),
        parameters={**stated.parameters, "engine": "spark"},
        warnings=(*stated.warnings, *_not_measured(written)),
    )
    return stated, figures


def _counts(here: _Run, done: Sequence[SparkResult]) -> dict[str, int]:
    """How many documents and people the released data shows."""
    if table_at(done) is not None:
        return certificate.counts_of_table(done[0].release, done[0].release.counts["rows"])
    rows, person = here.store.original, here.context.written.policy.input.person
    if person is None:
        return {"documents": int(rows.count())}
    functions = here.engine.functions
    found = rows.agg(functions.count("*"), functions.count_distinct(person)).first()
    return {"documents": int(found[0]), "persons": int(found[1])}


def _figures(done: Sequence[SparkResult], composed: Mapping[str, ComposedVerdicts]) -> JsonObject:
    """What the release costs."""
    symbols = sum(one.symbols for one in composed.values())
    changed = sum(one.changed for one in composed.values())
    loss: dict[str, float] = {}
    if composed:
        share = changed / symbols if symbols else 0.0
        loss = {"symbols": symbols, "changed_symbols": changed, "changed_share": share}
    by_column = {
        column: one.changed / one.symbols if one.symbols else 0.0
        for column, one in composed.items()
    }
    more: JsonObject = {}
    if table_at(done) is not None:
        whole = done[0].release.loss
        loss |= {name: value for name, value in whole.items() if ":" not in name}
        by_column = _named(whole, "NCP_A:")
        more = {"loss_by_entity_type": _named(whole, "NCP_X:")}
    return {
        "loss": loss,
        "loss_by_column": by_column,
        **more,
        "stages": [
            {"stage": one.step.number + 1, "verb": one.release.verb, "loss": dict(one.release.loss)}
            for one in done
        ],
    }


def _named(loss: Mapping[str, float], prefix: str) -> dict[str, float]:
    """The parts of a loss that begin with a prefix, without it."""
    chosen = ((name, value) for name, value in loss.items() if name.startswith(prefix))
    return {name.removeprefix(prefix): value for name, value in chosen}


def _not_measured(written: PolicyFile) -> tuple[str, ...]:
    """What of a policy is not measured on Spark: it is told, and claims do not rest on it."""
    policy = written.policy
    asked = {
        "evaluation": policy.evaluation,
        "attacks": policy.attacks,
        "sweep": policy.sweep,
    }
    names = [name for name, given in asked.items() if given]
    if not names:
        return ()
    return (f"{', '.join(names)}: not tried on Spark; try them on one machine, on a sample",)
