"""From a policy to a release folder: stages, verdicts on the final data, figures, files."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import formats
from ..core.corpus import Corpus
from ..core.errors import BadInput, NotVerified
from . import certificate, chains, folder, measures, required
from .kept import Shelf, private_file, private_folder
from .stages import (
    Setting,
    Step,
    call,
    digest_of,
    file_digest,
    found_spans,
    side_inputs,
    steps_of,
)
from .verdicts import judge

if TYPE_CHECKING:
    from ..core.progress import Progress
    from ..core.release import Release
    from ..core.spans import Span
    from ..formats import Source
    from .policy import Written

LEAST_KEY = 16


@dataclass(frozen=True, slots=True, eq=False)
class Done:
    """A step that was taken: what it read, and its release as it is kept."""

    step: Step
    source: Source
    release: Release
    hashes: dict[str, str]
    """The plain SHA-256 of its side inputs."""
    key: str
    fresh: bool


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """A finished run."""

    folder: Path
    private: Path
    certificate: dict[str, Any]
    figures: dict[str, Any]
    reused: int
    """How many stage results an earlier run had left."""


def run(
    written: Written,
    *,
    output: str | Path | None = None,
    previous: Sequence[str | Path] = (),
    overwrite: bool = False,
    streamed: bool | None = None,
    progress: Progress | None = None,
) -> Outcome:
    """Runs a policy: every claim holds for the final data and the folder is written, or nothing is.

    Stages that work document by document (`redact`, `pseudonymize` first) go through large inputs
    in one pass with flat memory; `streamed` settles it. A run that was stopped goes on after its
    last finished stage. Same input, policy and key, same bytes. Cost: that of the stages and of
    every claim's check.

    >>> import tempfile
    >>> from . import policy
    >>> with tempfile.TemporaryDirectory() as place:
    ...     _ = Path(place, "a.txt").write_text("abracadabra")
    ...     _ = Path(place, "release.yaml").write_text(
    ...         "{version: 1, input: {path: a.txt}, stages: [{verb: suppress, k: 2}]}")
    ...     done = run(policy.read(Path(place, "release.yaml")))
    ...     sorted(path.name for path in done.folder.iterdir())
    ['SHA256SUMS', 'certificate.json', 'data', 'figures.json', 'policy.yaml', 'report.html']
    """
    from . import stream

    target = Path(output) if output is not None else written.path(written.policy.output.path)
    folder.check_target(target, written.path(written.policy.input.path), overwrite)
    private = private_folder(target.with_name(target.name + ".private"))
    setting = Setting(written, steward_key(written, private))
    if stream.is_wanted(written, streamed, bool(previous)):
        return stream.run(setting, target, private, overwrite, progress)
    done = take_steps(setting, Shelf(private / "stages"), progress)
    done, together = with_earlier(previous, done, setting, Shelf(private / "stages"))
    judged = judge(done)
    demanded = required.judge(written.policy, done, judged)
    figures = measures.figures(written, done)
    stated = certificate.of_run(written, setting.key, done, judged, demanded)
    if together:
        stated["together"] = together
    made = Shelf(private / "stages").data(done[-1].key, written.input_name)
    _require_judged(made, done, written)
    stated["loss"] = dict(figures["loss"])
    stated["hashes"]["files"] = folder.data_digests(made)
    stated = certificate.sealed(stated, setting.key)
    held = folder.held_by_steward(written, setting.key, done, stated)
    folder.write(target, private, written, made, stated, figures, held, overwrite)
    Shelf(private / "stages").prune([one.key for one in done])
    return Outcome(target, private, stated, figures, sum(not one.fresh for one in done))


def _require_judged(made: Path, done: Sequence[Done], written: Written) -> None:
    """What is to be published is read once more: the texts that were judged, in every column."""
    from . import tables

    columns: list[Any]
    if tables.is_table(written.policy):
        columns = [tables.rows_of(tables.read_table(made, written))]
    else:
        names = dict.fromkeys(one.step.column for one in done)
        columns = [read_input(written, made, name).data for name in names]
    judged = certificate.text_digest(certificate.last_texts(done))
    if certificate.text_digest(columns) != judged:
        raise NotVerified("the last file is not what was judged; nothing was written")


def steward_key(written: Written, private: Path) -> bytes:
    """The key of hashes and surrogates: the policy's, or one drawn once and kept privately."""
    if written.policy.key_file is not None:
        path = written.path(written.policy.key_file)
    else:
        path = private / "key"
        if not path.exists():
            private_file(path, secrets.token_hex(32).encode() + b"\n")
    try:
        key = path.read_bytes().strip()
    except OSError as problem:
        raise BadInput(f"the key cannot be read ({problem.strerror})", where=str(path)) from None
    if len(key) < LEAST_KEY:
        raise BadInput(
            f"expected a key of at least {LEAST_KEY} bytes, found {len(key)}",
            where=str(path),
            remedy="make one with: head -c 32 /dev/urandom | base64",
        )
    return key


def read_input(written: Written, path: Path, column: str | None) -> Source:
    """The texts of one column of the input, or of what a stage made of it."""
    given = written.policy.input
    return formats.read(
        path,
        text_column=column,
        group_column=given.person,
        format=given.read_as,
        encoding=given.encoding,
    )


def take_steps(setting: Setting, shelf: Shelf, progress: Progress | None) -> list[Done]:
    """Takes every step, or finds its result on the shelf."""
    from . import tables

    written = setting.written
    path = written.path(written.policy.input.path)
    steps = steps_of(written.policy)
    table = tables.place_of(steps)
    before = _take(steps[:table], [], path, file_digest(path), setting, shelf, progress)
    if table is None:
        return before
    name = f"{table + 1}/{len(steps)} anonymize"
    here = replace(setting, progress=reporter(progress, name))
    given = file_digest(path)
    if before:
        given = before[-1].key
        path = shelf.data(given, written.input_name)

    def rest(taken: Done, path: Path) -> list[Done]:
        earlier = [*before, taken]
        return _take(steps[table + 1 :], earlier, path, taken.key, setting, shelf, progress)

    return tables.take(here, shelf, before, steps[table], path, given, rest)


def _take(
    steps: Sequence[Step],
    earlier: Sequence[Done],
    path: Path,
    before: str,
    setting: Setting,
    shelf: Shelf,
    progress: Progress | None,
) -> list[Done]:
    """Takes steps on the texts of columns, one after the other, after those taken earlier."""
    written, name = setting.written, setting.written.input_name
    recognised: dict[str | None, list[Span]] = {}
    done: list[Done] = []
    total = len(steps_of(written.policy))
    for step in steps:
        report = reporter(progress, f"{step.number + 1}/{total} {step.stage.verb}")
        here = replace(setting, progress=report)
        key = digest_of(step, here, before)
        source = read_input(written, path, step.column)
        fresh = not shelf.has(key)
        if fresh:
            spans = _spans_for(step, [*earlier, *done], source, recognised, here)
            release, texts = call(step, source, spans, here)
            shelf.keep(key, name, source, release, texts)
        path, before = shelf.data(key, name), key
        done.append(load(step, source, shelf, key, path, here, fresh))
        if report is not None:
            report("done", 1.0)
    return done


def load(
    step: Step, source: Source, shelf: Shelf, key: str, path: Path, setting: Setting, fresh: bool
) -> Done:
    """A step as the shelf has it."""
    after = read_input(setting.written, path, step.column)
    release, hashes = shelf.load(key, after.data)
    private = {**release.private, **side_inputs(step, source, release, setting)}
    private["input"] = source.data
    return Done(step, source, replace(release, private=private), hashes, key, fresh)


def reporter(progress: Progress | None, name: str) -> Progress | None:
    """Progress of one step, under one name whatever its verb reports."""
    if progress is None:
        return None
    return lambda part, share: progress(name, share)


def _spans_for(
    step: Step,
    done: Sequence[Done],
    source: Source,
    recognised: dict[str | None, list[Span]],
    setting: Setting,
) -> Callable[[], list[Span]]:
    """What was recognised in the original, where it stands in the text of this step."""

    def spans() -> list[Span]:
        if step.column not in recognised:
            written = setting.written
            path = written.path(written.policy.input.path)
            original = read_input(written, path, step.column) if done else source
            recognised[step.column] = found_spans(original, setting)
        return chains.moved_spans(recognised[step.column], done, step.column)

    return spans


def with_earlier(
    previous: Sequence[str | Path], done: list[Done], setting: Setting, shelf: Shelf
) -> tuple[list[Done], list[dict[str, Any]]]:
    """Takes earlier releases into account: hides more where they need it, judges all together."""
    if not previous:
        return done, []
    from . import adapt, classes, earlier, together

    if chains.table_at(done) is not None:
        return done, classes.together(previous, done)
    sources = {one.step.column: one.source for one in reversed(done)}
    found = [earlier.read(path, sources) for path in previous]
    sums = [file_digest(Path(path) / folder.SUMS) for path in previous]
    sums += [one.name for some in found for one in some.values() if one.aligned is not None]
    result, told, changed = list(done), [], set()
    for column in dict.fromkeys(one.step.column for one in done):
        mine = [number for number, one in enumerate(done) if one.step.column == column]
        before = [one[column] for one in found if column in one]
        if not before:
            continue
        first = together.Column.of([done[number] for number in mine], before)
        after = adapt.adapted(first)
        if after.done[-1] is not first.done[-1]:
            result[mine[-1]] = after.done[-1]
            changed.add(mine[-1])
        told.append(together.told(after))
    return _filed_again(result, changed, sums, setting, shelf), told


def _filed_again(
    done: list[Done], changed: set[int], previous: Sequence[str], setting: Setting, shelf: Shelf
) -> list[Done]:
    """The steps with releases that were changed after they were taken, as the shelf has them.

    A step's file holds the columns of all steps before it: those after a changed one are written
    again, or the last file would still show what the change hid.
    """
    from . import adapt

    written, name = setting.written, setting.written.input_name
    result = list(done)
    for number in range(min(changed, default=len(done)), len(done)):
        one = done[number]
        path = written.path(written.policy.input.path)
        if number:
            path = shelf.data(result[number - 1].key, name)
        source = read_input(written, path, one.step.column)
        key, texts = adapt.key_of(one, previous), Corpus.of(one.release.data).texts
        if number in changed and not shelf.has(key):
            shelf.keep(key, name, source, one.release, texts)
        elif not shelf.has(key):
            shelf.keep_as(one.key, key, name, source, texts)
        made = shelf.data(key, name)
        result[number] = load(one.step, source, shelf, key, made, setting, fresh=True)
    return result
