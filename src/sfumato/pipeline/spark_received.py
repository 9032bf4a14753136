"""What Spark wrote, judged on Spark by whoever has it: a verb's folder, or a release folder.

Bytes, seal and policy are looked at first, as everywhere, and without Spark. Then texts are counted
and compared by the passes of `engines` that judge what Spark makes, which load no method. What is
not judged with what is given is named, with the reason.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..claims import Side, is_recounted
from ..core.claims import Verdict
from ..core.errors import BadInput, NotVerified
from ..core.release import Sides
from ..engines import verify
from ..engines.spark_files import digests, kind_of, read_in_order, written_alike
from ..formats import bytes_digest
from ..received.certificate import check_seal, seal_first
from ..received.folder import is_release
from ..received.judge import NO_PEOPLE, ORIGINAL, STAGES, opened
from ..received.mapping import undone
from ..received.sequences import shape_of
from ..received.sides import meanings, term_lists
from ..received.verdicts import ReceivedVerdicts, reworded
from . import spark_run
from .replay import context_of
from .result_folder import ResultFolder
from .spark_received_table import received_table
from .steps import steps_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..core.claims import Claim
    from ..core.values import Data, JsonObject
    from ..engines.spark import SparkEngine
    from ..received.certificate import Certificate, Stage
    from ..received.folder import PrivateFolder, ReleaseFolder
    from ..received.inputs import Inputs
    from .spark_store import SparkResult

    Started = Callable[[], SparkEngine]

MARKED = frozenset((Side.CHANGES, Side.SCHEMA))
"""Claims about these speak of what was changed where, or of which row was whose."""
WHEN_MADE = "on Spark it is judged when it is made, and again with the private folder of a policy"
MAPPED = "it needs the original, --mapping and --key-file"
MARK = "on Spark it is counted in the release alone where the mask is one symbol such as \u2605"


def judged_on_spark(given: Inputs, engine: Started) -> ReceivedVerdicts:
    """Judges what Spark wrote with what is given; Spark is started once all else is well."""
    if is_release(given.release):
        return _folder(given, engine)
    certificate = given.read_certificate()
    with seal_first(certificate, given.key):
        found = _file(certificate, given, engine)
    if found.holds:
        check_seal(certificate, given.key)
    return found


def _file(certificate: Certificate, given: Inputs, engine: Started) -> ReceivedVerdicts:
    """A folder that a verb's command wrote."""
    files = digests(given.release)
    whole = hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()
    if files != certificate.files or whole != certificate.text_hash:
        raise NotVerified(
            "the release's bytes are not the certified ones",
            where=given.release,
            remedy="it was changed",
        )
    wrong = reworded(certificate.claims)
    if wrong:
        return ReceivedVerdicts.of(certificate, wrong)
    names = given.text_column if isinstance(given.text_column, (list, tuple)) else []
    column = given.text_column if isinstance(given.text_column, str) else next(iter(names), None)
    if certificate.is_of_table:
        return received_table(certificate, given, engine)
    if certificate.needed & MARKED:
        if given.mapping is None or given.key is None or given.original is None:
            return _none(certificate, certificate.claims, MAPPED)
        return _by_mapping(certificate, given, replace(engine(), text_column=column))
    made = replace(engine(), text_column=column)
    after = _read(made, given.release, given.format)
    if given.original is None:
        verdicts, others = _recounted(made, after, certificate.claims, given.group_column)
        return ReceivedVerdicts(tuple(verdicts), tuple(others), certificate)
    before = _read(made, given.original, given.format)
    by_people = any(one.parameters.get("count") == "groups" for one in certificate.claims)
    sides = Sides(
        groups=_people(given.group_column) if by_people else None,
        engine=made,
        **_lists(certificate, given),
    )
    return ReceivedVerdicts.of(
        certificate, verify(before, certificate.released(after, sides)), certificate.claims
    )


def _by_mapping(certificate: Certificate, given: Inputs, engine: SparkEngine) -> ReceivedVerdicts:
    """A folder of `pseudonymize`: where it was changed is known from its mapping."""
    from ..engines.spark_mapping import marks_by_mapping

    assert given.mapping is not None
    assert given.key is not None
    assert given.original is not None
    before, after = (_read(engine, one, given.format) for one in (given.original, given.release))
    column = engine.text_of(before, *([] if given.group_column is None else [given.group_column]))
    engine = replace(engine, text_column=column)
    marks, files, count = marks_by_mapping(engine, before, after, column, given.mapping, given.key)
    marks = engine.keep(marks)
    sides = Sides(groups=given.group_column, marks=marks, engine=engine)
    verdicts = verify(before, certificate.released(after, sides))
    verdicts.append(undone(files, Path(given.original), count))
    return ReceivedVerdicts.of(certificate, verdicts, certificate.claims)


def _people(column: str | None) -> str:
    if column is None:
        raise BadInput("the claim counts people", where="--group-column", remedy="name it")
    return column


def _lists(certificate: Certificate, given: Inputs) -> JsonObject:
    """What the claims speak of, from the files that are named."""
    if certificate.is_of_sequences:
        if given.patterns is None:
            raise BadInput("the claim is about patterns", where="--patterns", remedy="name them")
        return {"patterns": shape_of(certificate).patterns(given.patterns)}
    return {**term_lists(certificate, given), **meanings(certificate, given)}


def _none(certificate: Certificate, claims: Iterable[Claim], why: str) -> ReceivedVerdicts:
    return ReceivedVerdicts((), tuple((one.name, why) for one in claims), certificate)


def _read(engine: SparkEngine, path: str, format: str | None) -> Data:
    return read_in_order(engine, path, kind_of(path, format))


def _recounted(
    engine: SparkEngine, texts: Data, claims: Iterable[Claim], person: str | None
) -> tuple[list[Verdict], list[tuple[str, str]]]:
    """What the texts of a release by themselves show: what is legible, counted again."""
    from ..core.release import Release
    from ..core.spans import Changes
    from ..verification.marks import stands_for_itself

    verdicts, others = list[Verdict](), list[tuple[str, str]]()
    for claim in claims:
        by_people = claim.parameters.get("count") == "groups"
        mask = str(claim.parameters.get("mask"))
        if not is_recounted(claim.name):
            others.append((claim.name, ORIGINAL))
        elif by_people and (person is None or person not in texts.columns):
            others.append((claim.name, NO_PEOPLE))
        elif len(mask) != 1 or stands_for_itself(mask, [mask], as_break=True) is not None:
            others.append((claim.name, MARK))
        else:
            stated = {**claim.parameters, "strict": True, "collapse": False}
            groups: Data = person if by_people else None
            release = Release(
                verb="suppress",
                data=texts,
                claims=(replace(claim, parameters=stated),),
                changes=Changes.of(),
                loss={},
                parameters={},
                sides=Sides(groups=groups, engine=engine),
            )
            (found,) = verify(texts, release)
            verdicts.append(replace(found, claim=claim))
    return verdicts, others


def _folder(given: Inputs, engine: Started) -> ReceivedVerdicts:
    """A release folder of a policy."""
    folder, private = opened(given)
    if not folder.is_of_spark:
        raise BadInput(
            "one machine wrote it", where=given.release, remedy="verify it without --engine"
        )
    certificate = folder.certificate
    if given.original is not None and private is not None:
        original = Path(given.original)
        hashed = bytes.fromhex(folder.text_hash(original))
        if not certificate.hashed_under(private.key, "input", hashed):
            raise NotVerified("this original is not the one that was released", where=str(original))
        return ReceivedVerdicts(
            tuple(_replayed(folder, private, original, engine())), (), certificate
        )
    if folder.is_table and len(certificate.stages) == 1:
        return _none(certificate, certificate.claims, WHEN_MADE)
    return _texts(folder, given, engine())


def _texts(folder: ReleaseFolder, given: Inputs, engine: SparkEngine) -> ReceivedVerdicts:
    """What the texts of a release folder show, and its only stage with the original."""
    after = _read(engine, str(folder.data), folder.policy.read_as)
    person = folder.policy.person
    verdicts, others = list[Verdict](), list[tuple[str, str]]()
    for stage in folder.certificate.stages:
        if stage.column is None:  # the table's
            others += [(one.name, WHEN_MADE) for one in stage.claims]
            continue
        made = replace(engine, text_column=stage.column)
        only = sum(one.column in (stage.column, None) for one in folder.certificate.stages) == 1
        if given.original is not None and only and all(map(_is_counted, stage.claims)):
            before = _read(engine, given.original, folder.policy.read_as)
            verdicts += _against(made, before, after, stage, person)
            continue
        found, left = _recounted(made, after, stage.claims, person)
        verdicts += found
        why = ORIGINAL if given.original is None else STAGES
        others += [(name, why if reason == ORIGINAL else reason) for name, reason in left]
    return ReceivedVerdicts(tuple(verdicts), tuple(others), folder.certificate)


def _is_counted(claim: Claim) -> bool:
    return is_recounted(claim.name)


def _against(
    engine: SparkEngine, before: Data, after: Data, stage: Stage, person: str | None
) -> list[Verdict]:
    by_people = any(one.parameters["count"] == "groups" for one in stage.claims)
    groups: Data = person if by_people else None
    return verify(before, stage.released(after, Sides(groups=groups, engine=engine)))


def _replayed(
    folder: ReleaseFolder, private: PrivateFolder, original: Path, engine: SparkEngine
) -> list[Verdict]:
    """The verdicts on every stage as the run gave them, ending in the released files."""
    context = context_of(folder, private)
    given = context.written.policy.input.model_copy(update={"path": str(original.resolve())})
    policy = context.written.policy.model_copy(update={"input": given})
    name = context.written.input_name
    context = replace(context, written=replace(context.written, policy=policy))
    results = ResultFolder(private.path / "stages")
    *keys, files = private.stage_results
    if not all(map(results.has, (*keys, files))):
        raise BadInput("a stage result is missing", where=str(results.folder))
    here = spark_run.opened(context, engine, results)
    done: list[SparkResult] = []
    for step, key in zip(steps_of(policy), keys, strict=True):
        before = done[-1].release.data if done else here.store.original
        done.append(here.store.result(step, before, key))
    if bytes_digest(results.data(files, name)) != bytes_digest(folder.data):
        raise NotVerified("the release is not what the last stage gave", where=str(folder.data))
    last = spark_run.in_order(done[-1])
    if not written_alike(engine, folder.data, here.kind, last):
        raise NotVerified("the files are not what the last stage gave", where=str(folder.data))
    judged, _ = spark_run.judge_stages(here, done)
    return [one.verdict for some in judged.values() for one in some]
