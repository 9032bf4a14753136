"""From a policy to a release folder: stages, verdicts on the final data, figures, files."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.certificate import rows_of, text_digest
from ..core.errors import BadInput, NotVerified
from . import certificate, databases, demands, folder, measures, stream
from .execute import execute
from .folder import Outcome
from .history.compare import with_earlier
from .inputs import read_input, read_table
from .numbered_files import NAMES, names_by_number, numbered
from .published_columns import leaving
from .result_folder import ResultFolder
from .steps import RunContext, is_on_spark, is_table, steps_of
from .store import DiskStore
from .verdicts import judge_results

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..core.progress import Progress
    from .policy import PolicyFile
    from .steps import StageResult


def run(
    written: PolicyFile,
    *,
    output: str | Path | None = None,
    previous: Sequence[str | Path] = (),
    overwrite: bool = False,
    streamed: bool | None = None,
    progress: Progress | None = None,
    engine: object = None,
) -> Outcome:
    """Runs a policy: every claim holds for the final data and the folder is written, or nothing is.

    Stages that work document by document (`redact`, `pseudonymize` first) go through large inputs
    in one pass with flat memory; `streamed` settles it. A run that was stopped goes on after its
    last finished stage. Same input, policy and key, same bytes. `engine` (or the policy's) says
    that it runs on Spark. Cost: that of the stages and of every claim's check.

    >>> import tempfile
    >>> from . import policy
    >>> with tempfile.TemporaryDirectory() as place:
    ...     _ = Path(place, "a.txt").write_text("abracadabra")
    ...     _ = Path(place, "release.yaml").write_text(
    ...         "{version: 1, input: {path: a.txt}, stages: [{verb: suppress, k: 2}]}")
    ...     done = run(policy.read(Path(place, "release.yaml")))
    ...     sorted(path.name for path in done.folder.iterdir())
    ['SHA256SUMS', 'certificate.json', 'data', 'policy.yaml', 'report.html']
    """
    target = Path(output) if output is not None else written.path(written.policy.output.path)
    with databases.fetched(written, target) as given:
        source = given.path(given.policy.input.path)
        with folder.private_place(target, source, overwrite) as private:
            context = RunContext(given, folder.steward_key(given, private))
            if is_on_spark(given.policy, engine):
                _refuse_on_spark(previous, streamed)
                done = _run_on_spark(
                    replace(context, progress=progress), target, private, overwrite, engine
                )
            elif stream.is_wanted(given, streamed, bool(previous)):
                done = stream.run(context, target, private, overwrite, progress)
            else:
                done = _run_whole(context, target, private, previous, overwrite, progress)
    databases.stored(written, target / "data" / given.input_name)
    return done


def _refuse_on_spark(previous: Sequence[str | Path], streamed: bool | None) -> None:
    for name, given in (("previous", previous), ("stream", streamed)):
        if given:
            raise BadInput("does not go with Spark", where=name, remedy="drop it, or engine")


def _run_on_spark(
    context: RunContext, target: Path, private: Path, overwrite: bool, engine: object
) -> Outcome:
    from ..engines import engine_of
    from ..engines.spark_faults import readable
    from . import spark_run

    spark_run.refuse(context.written)  # before Spark is started
    with readable("input"):
        return spark_run.run(context, target, private, overwrite, engine_of(engine))


def _run_whole(
    context: RunContext,
    target: Path,
    private: Path,
    previous: Sequence[str | Path],
    overwrite: bool,
    progress: Progress | None,
) -> Outcome:
    """Runs a policy on the whole input at once."""
    written = context.written
    results = ResultFolder(private / "stages")
    store = DiskStore(context, results)
    done = execute(steps_of(written.policy), store, replace(context, progress=progress))
    done, together = with_earlier(previous, done, context, results)
    judged = judge_results(done)
    demanded = demands.judge_demands(written.policy, done, judged, partial(demands.recounted, done))
    figures = measures.figures(written, done)
    measures.require_few(figures.get("attacks", ()))
    publishing = leaving(written, done)
    made = results.data(done[-1].key, written.input_name)
    released, names = _require_judged(made, done, written), {}
    with ExitStack() as stack:
        if made.is_dir() and written.policy.output.number_files:
            names = {NAMES: names_by_number(made, context.key)}
            made = stack.enter_context(numbered(made, context.key, private))
            released = text_digest(_texts_in(made, done, written))
        stated = certificate.of_run(
            written, context.key, done, judged, demanded, publishing, released
        )
        files = folder.data_digests(made)
        stated = replace(stated, loss=figures["loss"], files=files, together=tuple(together))
        shown = certificate.public_of(stated, context.key)
        held = folder.held_by_steward(written, context.key, done, stated) | names
        held |= folder.measured(written, shown, figures)
        folder.write(target, private, written, made, shown, held, overwrite)
    results.prune([one.key for one in done])
    return Outcome(
        target, private, shown, stated.as_dict(), figures, sum(not one.fresh for one in done)
    )


def _require_judged(made: Path, done: Sequence[StageResult], written: PolicyFile) -> str:
    """The hash of what is to be published, read once more: the texts that were judged."""
    judged = text_digest(certificate.last_texts(done))
    if text_digest(_texts_in(made, done, written)) != judged:
        raise NotVerified("the last file is not what was judged; nothing was written")
    return judged


def _texts_in(made: Path, done: Sequence[StageResult], written: PolicyFile) -> list[object]:
    """What a file or folder holds, column by column."""
    if is_table(written.policy):
        return [rows_of(read_table(made, written))]
    names = dict.fromkeys(one.step.column for one in done)
    return [read_input(written, made, name).data for name in names]
