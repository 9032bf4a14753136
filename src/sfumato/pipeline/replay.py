"""A run judged again by its steward: from the results that its stages left, or stage by stage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.errors import BadInput, NotVerified
from . import policy as policies
from .folder import data_digests
from .numbered_files import as_listed
from .result_folder import ResultFolder
from .steps import RunContext, StageResult, steps_of
from .store import result_of
from .stream import judged_again
from .verdicts import judge_results

if TYPE_CHECKING:
    from pathlib import Path

    from ..core.claims import Verdict
    from ..received.folder import PrivateFolder, ReleaseFolder


def replay(folder: ReleaseFolder, private: PrivateFolder, original: Path) -> list[Verdict]:
    """The verdicts on every stage as the run gave them, ending in the released data.

    What was made in parts left no results: its stages are taken again.
    """
    context = context_of(folder, private)
    if folder.is_in_parts:
        return judged_again(context, original, folder.data)
    done = results_of(folder, private, original, context)
    return [one.verdict for some in judge_results(done).values() for one in some]


def context_of(folder: ReleaseFolder, private: PrivateFolder) -> RunContext:
    """What the stages of a run shared: its whole policy, and its key."""
    content = (private.path / "policy.yaml").read_text("utf-8")
    whole = policies.parse(content, "the private policy")
    written = policies.PolicyFile(whole, private.policy_folder)
    stretched = folder.certificate.format != 1  # as its surrogates were drawn
    return RunContext(written, private.key, stretched=stretched)


def results_of(
    folder: ReleaseFolder, private: PrivateFolder, original: Path, context: RunContext
) -> list[StageResult]:
    """Every stage as it was taken, from what the private folder keeps of it."""
    written = context.written
    results, path, done = ResultFolder(private.path / "stages"), original, list[StageResult]()
    for step, key in zip(steps_of(written.policy), private.stage_results, strict=True):
        if not results.has(key):
            raise BadInput("a stage result is missing", where=str(private.path / "stages"))
        done.append(result_of(step, path, results, key, context))
        path = results.data(key, written.input_name)
    listed = folder.certificate.files  # those of the data, as was checked
    named = data_digests(path)
    if listed != named and not (path.is_dir() and listed == as_listed(path, private.key)):
        raise NotVerified("the release is not what the last stage gave", where=str(folder.data))
    return done
