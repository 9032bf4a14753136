"""A release folder judged by whoever has it: alone, with the original, with the private folder.

Alone: every file is the one that was listed, the certificate fits the data and the policy, and what
is legible is counted again. With the original and the private folder, every stage is judged again
as the run did. What cannot be judged with what is given is named, never taken as good.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..claims import Side, is_recounted, kind
from ..core.claims import Verdict
from ..core.errors import BadInput, NotVerified
from ..core.release import Sides
from ..methods import method
from ..verification import composed_claims, verify
from . import consistency, file
from .certificate import check_seal
from .folder import (
    PrivateFolder,
    ReleaseFolder,
    beside,
    check_data,
    is_release,
    read_folder,
    read_private,
)
from .policy import SCHEMA
from .verdicts import ReceivedVerdicts

if TYPE_CHECKING:
    from ..core.claims import Claim
    from ..formats import Source
    from .certificate import Stage
    from .inputs import Inputs

# How the steward's stages are judged again from what the private folder keeps: the pipeline's way.
Replay = Callable[[ReleaseFolder, PrivateFolder, Path], list[Verdict]]
Sources = Mapping["str | None", "Source"]

ORIGINAL = "can be checked only with the original: give it before the folder"
BOTH = "can be checked only with the original and the private folder, which the steward has"
COUNTED = "; classes can be counted without it, with the schema (--schema)"
NO_PEOPLE = "counts people, whose column was left out: give the original, with the private folder"
POPULATION = "speaks of a population: give its table (--population)"
STAGES = "needs the stages' results: give --private"


def judge_release(given: Inputs, replay: Replay) -> ReceivedVerdicts:
    """Judges a released file or a release folder with what is given.

    Raises NotVerified where it is not what was certified: that is found before any claim is judged.
    """
    if not is_release(given.release):
        return file.judge_file(given)
    folder, private = opened(given)
    if folder.is_of_spark:
        raise BadInput(
            "its data are files that Spark wrote",
            where=str(folder.path),
            remedy="add --engine spark (engine='spark' in Python)",
        )
    found = _judged(folder, private, given, replay)
    published = folder.path / SCHEMA
    schema = given.schema or (published if published.is_file() else None)
    if given.original is None and schema is not None:
        return _counted(found, folder, replace(given, schema=schema))
    return found


def opened(given: Inputs) -> tuple[ReleaseFolder, PrivateFolder | None]:
    """The folder, once its files, its seal, its data and its policy agree with each other."""
    path = Path(given.release)
    folder = read_folder(path)
    kept = given.private or (beside(path) if beside(path).is_dir() else None)
    private = None if kept is None else read_private(kept)
    held = None if private is None else private.key
    check_seal(folder.certificate, held, given.key, must=True)
    check_data(path, folder.certificate)
    consistency.check_consistency(folder.certificate, folder.policy)
    if folder.text_hash(folder.data) != folder.certificate.text_hash:
        what = "table" if folder.is_table else "text"
        raise NotVerified(
            f"the released {what} is not the certified one",
            where=str(path),
            remedy="it was changed",
        )
    return folder, private


def _judged(
    folder: ReleaseFolder, private: PrivateFolder | None, given: Inputs, replay: Replay
) -> ReceivedVerdicts:
    certificate = folder.certificate
    sources = {}
    if not folder.is_table and not folder.is_in_parts:
        sources = {column: folder.source(folder.data, column) for column in folder.columns}
        consistency.check_counts(certificate, sources)
    if given.original is not None and private is not None:
        original = Path(given.original)
        hashed = bytes.fromhex(folder.text_hash(original))
        if not certificate.hashed_under(private.key, "input", hashed):
            raise NotVerified("this original is not the one that was released", where=str(original))
        return ReceivedVerdicts(tuple(replay(folder, private, original)), (), certificate)
    if folder.is_in_parts:
        why = (
            "needs the key: give --private"
            if given.original
            else "can be checked only with the original"
        )
        return ReceivedVerdicts(
            (), tuple((one.name, why) for one in certificate.claims), certificate
        )
    if folder.is_table:
        return _table(folder)
    if given.original is None:
        return _alone(folder, sources, ORIGINAL)
    if folder.is_shuffled:
        return _alone(folder, sources, BOTH)
    return _with_original(folder, sources, Path(given.original))


def _alone(folder: ReleaseFolder, sources: Sources, why: str) -> ReceivedVerdicts:
    """What the texts of the release by themselves show."""
    verdicts, others = [], []
    has_spans = any(claim.name == "spans-hidden" for _, claim in _claims(folder))
    for stage, claim in _claims(folder):
        if stage.column not in sources:
            continue
        if not is_recounted(claim.name):
            others.append((claim.name, why))
            continue
        source, by_people = sources[stage.column], claim.parameters["count"] == "groups"
        if by_people and source.groups is None:
            others.append((claim.name, NO_PEOPLE))
            continue
        groups = source.groups if by_people else None
        verdict = composed_claims.recount(claim, source.filled, groups)
        if not verdict.holds and claim.parameters.get("guess") is not None and has_spans:
            # Words starred as spans can be guessed, and then count: the original tells which.
            others.append((claim.name, "a reader may guess more: give the original too"))
            continue
        verdicts.append(verdict)
    return ReceivedVerdicts(tuple(verdicts), tuple(others), folder.certificate)


def _table(folder: ReleaseFolder) -> ReceivedVerdicts:
    """What the texts of a table show."""
    columns = [column for column in folder.columns if column is not None]
    shown = folder.policy.person in folder.frame(folder.data).columns
    texts: dict[str | None, Source] = {
        one: folder.source(folder.data, one, with_people=shown) for one in columns
    }
    found = _alone(folder, texts, ORIGINAL)
    stages = folder.certificate.stages
    why = BOTH + (COUNTED if stages[-1].is_of_table else "")
    others = tuple((claim.name, why) for stage, claim in _claims(folder) if stage.column is None)
    return replace(found, not_judged=(*others, *found.not_judged))


def _with_original(folder: ReleaseFolder, sources: Sources, original: Path) -> ReceivedVerdicts:
    """What original and release show without the results of the stages between them."""
    before = {column: folder.source(original, column) for column in sources}
    found = _alone(folder, sources, STAGES)
    verdicts = list(found.verdicts)
    for stage, claim in _claims(folder):
        column = stage.column
        only = sum(other.column == column for other in folder.certificate.stages) == 1
        if only and is_recounted(claim.name):
            verdicts.append(_against(claim, before[column], sources[column], stage))
    return replace(found, verdicts=tuple(verdicts))


def _claims(folder: ReleaseFolder) -> list[tuple[Stage, Claim]]:
    return [(stage, claim) for stage in folder.certificate.stages for claim in stage.claims]


def _against(claim: Claim, before: Source, after: Source, stage: Stage) -> Verdict:
    """A claim of the only stage, judged with original and release alone."""
    release = stage.released(after.data, Sides(groups=before.groups))
    return verify(before.data, replace(release, claims=(claim,)))[0]


def _counted(found: ReceivedVerdicts, folder: ReleaseFolder, given: Inputs) -> ReceivedVerdicts:
    """What the released table alone can show, where later stages did nothing but hide."""
    from .tables import alone, legible, population

    stages = folder.certificate.stages
    at = next((i for i, one in enumerate(stages) if one.is_of_table), None)
    if at is None or not all(method(one.verb).only_hides for one in stages[at + 1 :]):
        return found
    stage, how = stages[at], folder.policy
    given = replace(given, release=str(folder.data), format=how.read_as, encoding=how.encoding)
    try:
        table = alone(stage, given)
    except BadInput as problem:
        names = {claim.name for claim in stage.claims}
        told = ((one, problem.problem if one in names else why) for one, why in found.not_judged)
        return replace(found, not_judged=tuple(told))
    sides = table.sides
    masks = "".join(str(one.parameters["mask"]) for one in stages[at + 1 :])
    if masks and sides.found is not None:
        sides = replace(sides, found=legible(sides.found, table.release, masks))
    sides = replace(sides, population=population(replace(given, format=None)))
    released = stage.released(table.release, sides)
    apart = {
        one.name
        for one in released.claims
        if sides.population is None and Side.POPULATION in kind(one.name).sides(one.parameters)
    }
    claims = tuple(one for one in released.claims if one.name not in apart)
    verdicts = verify(None, replace(released, claims=claims))
    names = {verdict.claim.name for verdict in verdicts}
    left = tuple(
        (name, POPULATION if name in apart else why)
        for name, why in found.not_judged
        if name not in names
    )
    return replace(found, verdicts=(*verdicts, *found.verdicts), not_judged=left)
