"""Stages that work document by document, in one pass over inputs larger than memory.

Part after part goes through all stages (`execute`), is judged (each stage, and all on the final
text) and written. Surrogates are learned in a pass before. Memory holds one part, the lists, and
every different entity and person once. A stopped run begins its pass again.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from .. import formats
from ..claims import kind
from ..core.certificate import stretching
from ..core.certificate_model import Certificate, Stage, plain
from ..core.corpus import Corpus
from ..core.errors import BadInput, NotVerified
from ..core.load import load
from ..core.printed_form import by_sizes
from ..core.totals import Totals
from ..formats.source import filled
from ..methods import method
from ..verification import composed_claims, verify_part
from ..verification.untouched_columns import Publishing
from . import certificate, chains, folder
from .execute import execute
from .folder import Outcome
from .measures import changed_symbols
from .plan import size_of
from .published_columns import add_texts, publishing_of
from .result_folder import ResultFolder, private_folder
from .stages import digest_of, file_digest, given_to, recognizer_name
from .steps import RunContext, Step, reporter, steps_of
from .store import MemoryStore
from .verdicts import judged_step

if TYPE_CHECKING:
    from ..core.claims import Verdict
    from ..core.progress import Progress
    from ..core.release import Release
    from ..core.spans import Span
    from ..core.values import JsonObject
    from ..formats import Chunks, Source
    from .policy import PolicyFile
    from .steps import StageResult

LIMIT = 64 << 20


def can(written: PolicyFile) -> str | None:
    """Why a policy cannot be streamed; None if it can."""
    policy = written.policy
    of_stages = [method(stage.verb) for stage in policy.stages]
    if any(one.parts is None or one.parts_if is not None for one in of_stages):
        return "a stage needs all documents at once"
    later = next((one.verb for one in of_stages[1:] if one.recognizes), None)
    if later is not None:
        return f"{later} is not the first stage"
    if policy.input.columns is not None and len(policy.input.columns) > 1:
        return "several text columns"
    if policy.spans is not None:
        return "a review file belongs to all documents"
    if policy.claims or policy.evaluation is not None or policy.attacks or policy.sweep:
        return "demanded claims, evaluation and attacks need all documents at once"
    if any(isinstance(getattr(stage, "mask", ""), list) for stage in policy.stages):
        return "several masks are tried on all documents"
    if not formats.streams(str(written.path(policy.input.path)), policy.input.read_as):
        return "the input's format is read whole"
    return None


def is_wanted(written: PolicyFile, asked: bool | None, previous: bool) -> bool:
    """Whether a policy goes through in parts: when asked for, or when its input is large."""
    if asked is False:
        return False
    problem = "earlier releases are compared whole" if previous else can(written)
    if problem is not None:
        if asked:
            raise BadInput(
                f"this policy cannot be run in parts: {problem}",
                where="--stream",
                remedy="leave it out",
            )
        return False
    return bool(asked) or size_of(written.path(written.policy.input.path)) > LIMIT


@dataclass(eq=False)
class _Pass:
    """What adds up over the parts."""

    steps: list[Step]
    totals: list[Totals] = field(default_factory=list)
    carried: list[JsonObject] = field(default_factory=list)
    persons: set[str] = field(default_factory=set)
    symbols: int = 0
    changed: int = 0
    publishing: Publishing | None = None
    ending: str = "; nothing was written"

    __repr__ = by_sizes


def run(
    context: RunContext, target: Path, private: Path, overwrite: bool, progress: Progress | None
) -> Outcome:
    """Runs a policy in parts; writes the release folder or nothing."""
    written = context.written
    source = written.policy.input
    steps = steps_of(written.policy)
    key = _key(steps, context)
    results = ResultFolder(private_folder(private / "stages"))
    reused = len(steps) if results.has(key) else 0
    if not reused:
        chunks = formats.read_chunks(
            written.path(source.path),
            text_column=steps[0].column,
            group_column=source.person,
            format=source.read_as,
            encoding=source.encoding,
        )
        _keep(chunks, steps, context, results, key, private, progress)
    told = json.loads((results.folder / key / "release.json").read_text("utf-8"))
    made = results.data(key, written.input_name)
    stated, figures = Certificate.of(told["certificate"]), told["figures"]
    stated = replace(stated, files=folder.data_digests(made))
    shown = certificate.public_of(stated, context.key)
    held = {
        "certificate.json": folder.as_json(
            certificate.private_of(
                stated, context.key, written, stage_results=[key], streamed=True
            ).as_dict()
        ),
        "key": context.key + b"\n",
        "policy.yaml": folder.policy_bytes(written),
        **folder.measured(written, shown, figures),
    }
    folder.write(target, private, written, made, shown, held, overwrite)
    results.prune([key])
    return Outcome(target, private, shown, stated.as_dict(), figures, reused)


def _key(steps: list[Step], context: RunContext) -> str:
    key = file_digest(context.written.path(context.written.policy.input.path))
    for step in steps:
        key = digest_of(step, context, key)
    return key


def _keep(
    chunks: Chunks,
    steps: list[Step],
    context: RunContext,
    results: ResultFolder,
    key: str,
    private: Path,
    progress: Progress | None,
) -> None:
    """Makes the result in a folder of its own and puts it on the shelf by one rename."""
    temporary = results.folder / f".{key[:16]}"
    shutil.rmtree(temporary, ignore_errors=True)  # what a stopped run left
    private_folder(temporary / "data")
    state = _Pass(steps, [Totals() for _ in steps], [{} for _ in steps])
    with ExitStack() as stack, formats.atomic_files() as files:
        verbs = _verbs(chunks, steps, context, stack, progress)
        mapping = _mapping(steps[0], context, private, files)
        target = str(temporary / "data" / context.written.input_name)
        with formats.chunk_writer(target, chunks, files) as out:
            for chunk in chunks.tracked("release", reporter(progress, "release")):
                texts = _through(PartStore(context, chunk, verbs), state, mapping)
                state.publishing = state.publishing or publishing_of(context.written, chunk.columns)
                add_texts(state.publishing, chunk, texts)
                state.publishing.require()
                out.write(chunk, texts)
        if mapping is not None:
            mapping(None)
        files.commit()
    _told(temporary, state, context)
    for path in temporary.rglob("*"):
        if path.is_file():
            path.chmod(0o600)
    temporary.rename(results.folder / key)


def judged_again(context: RunContext, original: Path, released: Path) -> list[Verdict]:
    """Takes every part of the original through the stages again, and judges it as the run did.

    What comes out must be the release: then its claims are those of stages that were judged.
    Memory is that of the run.
    """
    steps = steps_of(context.written.policy)
    given = context.written.policy.input
    before, after = (
        formats.read_chunks(
            path,
            text_column=steps[0].column,
            group_column=given.person,
            format=given.read_as,
            encoding=given.encoding,
        )
        for path in (original, released)
    )
    state = _Pass(steps, [Totals() for _ in steps], [{} for _ in steps], ending="")
    theirs = (text for chunk in after for text in chunk.filled)
    with ExitStack() as stack:
        verbs = _verbs(before, steps, context, stack, None)
        for chunk in before:
            texts = filled(_through(PartStore(context, chunk, verbs), state, None))
            for number, text in enumerate(texts):
                if next(theirs, None) != text:
                    first = state.totals[0].documents - len(chunk.texts)
                    where = f"document {first + number}"
                    raise NotVerified("the release is not what the last stage gives", where=where)
    if next(theirs, None) is not None:
        raise NotVerified("the release has more documents than the original", where=str(released))
    found: list[Verdict] = []
    for number, totals in enumerate(state.totals):
        claims = {claim.name: claim for claim in totals.release().claims}
        for verdict in totals.verdicts:
            claim = claims[verdict.claim.name]
            if number + 1 < len(steps):
                claim = kind(claim.name).after_others(claim)
            found.append(replace(verdict, claim=claim))
    return found


Verb = Callable[["Source"], "Release"]


@dataclass(frozen=True, slots=True, eq=False)
class PartStore(MemoryStore):
    """Results of steps on one part of the input."""

    context: RunContext
    part: Source
    verbs: list[Verb]
    spans: dict[str | None, list[Span]] = field(default_factory=dict)

    __repr__ = by_sizes

    def original(self, column: str | None) -> Source:
        """The part."""
        return self.part

    def released(
        self, step: Step, source: Source, spans: Callable[[], list[Span]], context: RunContext
    ) -> tuple[Release, list[str]]:
        """The verb's release of the part, which knows what all parts tell."""
        release = self.verbs[step.number](source)
        return release, list(Corpus.of(release.data).texts)


def _verbs(
    chunks: Chunks,
    steps: list[Step],
    context: RunContext,
    stack: ExitStack,
    progress: Progress | None,
) -> list[Verb]:
    """Each step as a function of a part; what all parts together tell is learned here."""
    from ..recognizers import recognizer

    name = recognizer_name(context)
    here = replace(context, progress=reporter(progress, "recognize"))
    verbs: list[Verb] = []
    for step in steps:
        declared = method(step.stage.verb)
        assert declared.parts is not None
        find = recognizer(*name.split("+")) if declared.recognizes else None
        given = given_to(
            step, None, here, find=find, recognizer_name=name, stretched=context.stretched
        )
        parts = declared.parts(given, chunks)
        stack.callback(parts.close)
        verbs.append(parts.release)
    return verbs


def _through(
    store: PartStore, state: _Pass, mapping: Callable[[Release | None], None] | None
) -> list[str | None]:
    """One part through all stages, judged; adds up what it told."""
    done = execute(state.steps, store, store.context)
    steps = [judged_step(one) for one in done]

    def check(number: int, before: object, release: Release) -> list[Verdict]:
        return verify_part(before, release, state.carried[number])

    found: list[list[Verdict]] = [[] for _ in steps]
    for judged in composed_claims.judge_stages(steps, check):
        found[judged.step].append(judged.verdict)
        if not judged.verdict.holds:
            _raise(judged, state)
    for number, step_taken in enumerate(steps):
        state.totals[number].add(step_taken.release, found[number])
    if mapping is not None:
        mapping(steps[0].release)
    _measure(done, state)
    return chains.released(done[-1])


def _raise(judged: composed_claims.StageVerdict, state: _Pass) -> None:
    verdict, first = judged.verdict, state.totals[0].documents
    name = f"{verdict.claim.name} of {state.steps[judged.step].name}"
    by = judged.broken_by
    broken = "" if by in (None, judged.step) else f" after {state.steps[by or 0].name}"
    raise NotVerified(
        f"{name} does not hold{broken}: {verdict.reason}{state.ending}",
        where=f"{verdict.where} after the first {first} documents" if verdict.where else None,
    )


def _measure(done: Sequence[StageResult], state: _Pass) -> None:
    symbols, changed = changed_symbols(done)
    state.symbols += symbols
    state.changed += changed
    state.persons.update(done[0].source.groups or ())


def _mapping(
    step: Step, context: RunContext, private: Path, files: formats.AtomicFiles
) -> Callable[[Release | None], None] | None:
    """Writes the file that undoes the surrogates as parts come; None ends it."""
    undoing = method(step.stage.verb).undoing
    if undoing is None:
        return None
    place = private / folder.mapping_name(step)
    stream = files.open(place, private=True, overwrite=True)
    writer = load(undoing.in_parts)(stream, context.key)

    def add(release: Release | None) -> None:
        if release is not None:
            writer.add(release)
            return
        writer.close({})
        stream.close()

    return add


def _told(temporary: Path, state: _Pass, context: RunContext) -> None:
    """The certificate and the figures of the pass, beside its data."""
    how = stretching(state.totals[-1].digest)
    wholes = [totals.told(context.key, how) for totals in state.totals]
    stages = [_stage(step, one) for step, one in zip(state.steps, wholes, strict=True)]
    stages[:-1] = [
        replace(one, claims=tuple(kind(c.name).after_others(c) for c in one.claims))
        for one in stages[:-1]
    ]
    hashes = {"release": wholes[-1].hashes["release"], "input": wholes[0].hashes["input"]}
    counts = {"documents": state.totals[0].documents}
    if state.persons:
        counts["persons"] = len(state.persons)
    publishing = state.publishing or Publishing.of((), context.written.policy.publish)
    stated = certificate.assembled(
        context.written, state.steps, stages, counts, hashes, publishing, how
    )
    share = state.changed / state.symbols if state.symbols else 0.0
    loss = {
        "symbols": state.symbols,
        "changed_symbols": state.changed,
        "changed_share": share,
    }
    stated = replace(stated, loss=loss, parameters={**stated.parameters, "streamed": True})
    figures = {
        "loss": loss,
        "loss_by_column": {state.steps[0].column or "text": share},
        "stages": [
            {"stage": step.number + 1, "verb": stage.verb, "loss": plain(stage.loss)}
            for step, stage in zip(state.steps, stages, strict=True)
        ],
    }
    told = {"certificate": stated.as_dict(), "figures": figures}
    folder.put(temporary / "release.json", told)


def _stage(step: Step, whole: Certificate) -> Stage:
    """A stage's part of the certificate; only the last data is released."""
    return Stage(
        column=step.column,
        verb=whole.verb,
        parameters=whole.parameters,
        counts=whole.counts,
        claims=whole.claims,
        verdicts=whole.verdicts,
        loss=whole.loss,
        not_protected=whole.not_protected,
        warnings=whole.warnings,
        hashes={name: one for name, one in whole.hashes.items() if name != "release"},
    )
