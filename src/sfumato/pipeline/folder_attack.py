"""A release folder attacked as its run was: the same protocol, people and figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ..attacks.protocol import BACKGROUND, SAMPLE
from ..core.errors import BadInput
from ..received.folder import beside, check_data, read_folder, read_private
from ..received.policy import SCHEMA
from . import measures
from .replay import context_of, results_of

if TYPE_CHECKING:
    from ..core.progress import Progress
    from ..core.values import Data, JsonObject
    from ..received.folder import PrivateFolder, ReleaseFolder
    from .policy import AttackDemand


def attack_folder(
    original: str | Path,
    release: str | Path,
    attacks: Sequence[str] | None = None,
    background: Data = BACKGROUND,
    seed: int = 0,
    *,
    private: Path | None = None,
    public: Data = None,
    sample: int = SAMPLE,
    progress: Progress | None = None,
) -> list[dict[str, object]]:
    """What attacks find on a release folder, as plain values.

    With the private folder (beside it unless it is named) the stages are known: the figures are
    those that `run` showed, the policy's attacks if it names some and none are named here, else all
    that apply. Without it the texts, and the cells of a table whose rows kept their order, are
    attacked as they are. Cost: that of `sf.attack`.
    """
    folder = read_folder(Path(release))
    check_data(folder.path, folder.certificate)
    kept = private or (beside(folder.path) if beside(folder.path).is_dir() else None)
    if kept is not None and not folder.is_in_parts:
        held = read_private(kept)
        return _as_the_run(folder, held, Path(original), attacks, background, seed, public, sample)
    told = {"seed": seed, "sample": sample}
    if folder.is_table:
        return _as_a_table(folder, Path(original), attacks, told)
    return _as_texts(folder, Path(original), attacks, background, public, progress, told)


def _as_the_run(
    folder: ReleaseFolder,
    private: PrivateFolder,
    original: Path,
    attacks: Sequence[str] | None,
    background: Data,
    seed: int,
    public: Data,
    sample: int,
) -> list[dict[str, object]]:
    hashed = bytes.fromhex(folder.text_hash(original))
    if not folder.certificate.hashed_under(private.key, "input", hashed):
        raise BadInput(
            "this original is not the one that was released",
            where=str(original),
            remedy="give the input of the run",
        )
    context = context_of(folder, private)
    done = results_of(folder, private, original, context)
    policy = context.written.policy
    given = policy.input.model_copy(update={"path": str(original.resolve())})
    told = {"input": given, "seed": seed or policy.seed}
    written = replace(context.written, policy=policy.model_copy(update=told))
    asked: list[str] | dict[str, AttackDemand] | Literal["all"]
    asked = (policy.attacks or "all") if attacks is None else list(attacks)
    if attacks is not None and isinstance(policy.attacks, dict):  # with what it says of them
        known = policy.attacks
        if all(name in known for name in asked) and background == BACKGROUND:
            asked = {name: known[name] for name in asked}
    return measures.attacked(
        written, done, asked, background=background, sample=sample, public=public
    )


def _as_texts(
    folder: ReleaseFolder,
    original: Path,
    attacks: Sequence[str] | None,
    background: Data,
    public: Data,
    progress: Progress | None,
    told: JsonObject,
) -> list[dict[str, object]]:
    from ..attacks.run import attack

    if folder.is_shuffled:
        raise BadInput(
            "its files have numbers for names, and only the steward knows which is whose",
            where=str(folder.path),
            remedy="give the private folder too (--private)",
        )
    before = [folder.source(original, column) for column in folder.columns]
    after = [folder.source(folder.data, column) for column in folder.columns]
    first, last = (_together([one.filled for one in side]) for side in (before, after))
    found = attack(
        first, last, attacks, before[0].groups, background, public=public, progress=progress, **told
    )
    return [one.as_dict() for one in found]


def _together(columns: Sequence[Sequence[str]]) -> list[str]:
    """What several columns say of one record, as one text."""
    if len({len(one) for one in columns}) > 1:
        raise BadInput(
            "the columns have different numbers of texts, so that records cannot be told",
            where="the release folder",
            remedy="give the private folder with --private",
        )
    return ["\n".join(record) for record in zip(*columns, strict=True)]


def _as_a_table(
    folder: ReleaseFolder, original: Path, attacks: Sequence[str] | None, told: JsonObject
) -> list[dict[str, object]]:
    from ..attacks.run import attack

    stages = folder.certificate.stages
    if any(one.parameters.get("shuffle") for one in stages):
        raise BadInput(
            "the rows of the release were shuffled",
            where=str(folder.path),
            remedy="give the private folder, which holds their order, with --private",
        )
    before, after = (folder.frame(path) for path in (original, folder.data))
    found = attack(before, after, attacks, schema=folder.path / SCHEMA, **told)
    return [one.as_dict() for one in found]
