"""What a policy does to a sample of an input, or to all of it.

The stages are the run's own (`pipeline.execute`), with results in memory. The sample's texts and
what was recognised in them are kept at hand, so that a slider is followed at once.
"""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.printed_form import by_sizes
from ..pipeline.execute import execute
from ..pipeline.folder import steward_key
from ..pipeline.inputs import original_table, read_input
from ..pipeline.policy import PolicyFile, parse
from ..pipeline.sample import SampleStore, chosen
from ..pipeline.steps import RunContext, StageResult, is_table, steps_of
from . import policies
from .places import POLICY, PROJECT, REVIEW
from .reading import opened

if TYPE_CHECKING:
    import polars as pl

    from ..core.progress import Progress
    from ..core.release import Release
    from ..core.spans import Span
    from ..formats import Source
    from ..pipeline.steps import Step
    from ..pipeline.withdraw import Term
    from .reading import InputLimits

DOCUMENTS = 200
FEW = 250  # documents, all of which are taken
SYMBOLS = 200_000  # of one text
PEOPLE = 100  # of a sample, where there are so many
RESULTS = 24  # of stages, at hand
PROJECTS = 4  # whose samples are at hand


@dataclass(frozen=True, slots=True, eq=False)
class DeskStore(SampleStore):
    """A sample whose terms are looked for once, and whose results are kept: sliders go back."""

    __repr__ = by_sizes

    terms: dict[str, list[Span]] = field(default_factory=dict)
    results: OrderedDict[str, StageResult] = field(default_factory=OrderedDict)

    def terms_in(self, documents: list[str], context: RunContext) -> list[Span]:
        """What stands in the sampled rows."""
        if "" not in self.terms:  # slots make a new class, which super() would not know
            self.terms[""] = SampleStore.terms_in(self, documents, context)
        return self.terms[""]

    def keep_texts(
        self,
        step: Step,
        source: Source,
        done: Sequence[StageResult],
        make: Callable[[], tuple[Release, list[str]]],
    ) -> StageResult:
        """The result of a step on texts, made unless it is at hand."""
        return self._kept(
            step, done, "", lambda: SampleStore.keep_texts(self, step, source, done, make)
        )

    def keep_table(
        self,
        step: Step,
        frame: pl.DataFrame,
        done: Sequence[StageResult],
        make: Callable[[], Release],
        withdrawn: Set[Term] = frozenset(),
    ) -> StageResult:
        """The result of the table's step, made unless it is at hand."""
        gone = json.dumps(sorted(map(str, withdrawn)))
        return self._kept(
            step,
            done,
            gone,
            lambda: SampleStore.keep_table(self, step, frame, done, make, withdrawn),
        )

    def _kept(
        self,
        step: Step,
        done: Sequence[StageResult],
        more: str,
        make: Callable[[], StageResult],
    ) -> StageResult:
        before = [one.key for one in done if one.step.takes_table or one.step.column == step.column]
        before = [one.key for one in done] if step.takes_table else before
        stage = step.stage.model_dump_json()
        key = _digest(stage, str(step.number), str(step.column), more, *before)
        if key not in self.results:
            self.results[key] = replace(make(), key=key)
            while len(self.results) > RESULTS:
                self.results.popitem(last=False)
        self.results.move_to_end(key)
        return self.results[key]


@dataclass(frozen=True, slots=True, eq=False)
class PolicyPreview:
    """A policy that was taken through its steps, on some or all documents."""

    written: PolicyFile
    done: list[StageResult]
    documents: list[int]
    """The numbers, in the input, of the documents that were taken."""
    sample: str
    """A name for the chosen documents: the same name, the same texts."""
    total: int
    """How many documents the input has."""
    is_all: bool
    """Whether nothing was left out: no document, and no symbol of a long text."""

    __repr__ = by_sizes


@dataclass(slots=True)
class _ProjectCache:
    """What is at hand of one project: sources and spans of a sample, and the last preview."""

    key: str = ""
    sources: dict[str | None, tuple[Source, list[int]]] = field(default_factory=dict)
    spans: dict[str, dict[str | None, list[Span]]] = field(default_factory=dict)
    terms: dict[str, dict[str, list[Span]]] = field(default_factory=dict)
    results: dict[str, OrderedDict[str, StageResult]] = field(default_factory=dict)
    last: tuple[str, PolicyPreview] | None = None

    __repr__ = by_sizes


_kept: OrderedDict[str, _ProjectCache] = OrderedDict()


def previewed(project: Path, allowed: InputLimits, text: str | None = None) -> PolicyPreview:
    """The project's policy, or a changed text of it, on a sample."""
    content = text if text is not None else policies.text_of(project)
    written = PolicyFile(parse(content, POLICY), project)
    policies.require_inside(written)
    kept = _kept.setdefault(str(project), _ProjectCache())
    _kept.move_to_end(str(project))
    while len(_kept) > PROJECTS:
        _kept.popitem(last=False)
    asked = _digest(content, _files(project))
    if kept.last is not None and kept.last[0] == asked:
        return kept.last[1]
    rows = opened(project, allowed).rows
    share = 1.0 if rows <= FEW else DOCUMENTS / rows
    found = _taken(written, kept, share, None)
    kept.last = asked, found
    return found


def forget(project: Path) -> None:
    """Lets go of what is at hand of a project."""
    _kept.pop(str(project), None)


def state_of(project: Path) -> str:
    """A name for the policy and the files as they stand: what was found of another is old."""
    text = policies.text_of(project)
    unused = () if "\nspans:" in text else (REVIEW,)  # a review that no policy takes
    return _digest(text, _files(project, skipped=unused))


def taken_whole(written: PolicyFile, progress: Progress | None) -> PolicyPreview:
    """The policy on the whole input."""
    return _taken(written, _ProjectCache(), None, progress)


def _taken(
    written: PolicyFile, kept: _ProjectCache, share: float | None, progress: Progress | None
) -> PolicyPreview:
    project, policy = written.folder, written.policy
    given = json.dumps([policy.input.model_dump(), policy.seed, share, least(written)])
    key = _digest(given, _files(project, (policy.input.path,)))
    if kept.key != key:
        kept.key, kept.sources, kept.spans, kept.terms, kept.results = key, {}, {}, {}, {}
    finds = _digest(str(policy.recognizer), str(policy.spans), str(policy.schema_file))
    finds = _digest(finds, _files(project), str(policy.seed), str(policy.key_file))
    kept.spans = {finds: kept.spans.get(finds, {})}
    kept.terms = {finds: kept.terms.get(finds, {})}
    kept.results = {finds: kept.results.get(finds, OrderedDict())}
    context = RunContext(written, steward_key(written, project), progress)
    store = DeskStore(
        context,
        1.0 if share is None else share,
        kept.sources,
        kept.spans[finds],
        kept.terms[finds],
        kept.results[finds],
    )
    _fill(written, kept, share)
    done = execute(steps_of(policy), store, context)
    documents = _documents(written, kept, done, share)
    size = _size(written, kept)
    is_all = len(documents) >= size and (share is None or not _is_cut(kept))
    return PolicyPreview(written, done, documents, key, size, is_all)


def _is_cut(kept: _ProjectCache) -> bool:
    """Whether a single text is at hand, of which there may be more."""
    return any(
        one.is_single and len(one.texts[0] or "") >= SYMBOLS for one, _ in kept.sources.values()
    )


def _fill(written: PolicyFile, kept: _ProjectCache, share: float | None) -> None:
    """Reads the columns that stages work on; of one long text the beginning is taken."""
    policy = written.policy
    columns: list[str | None] = [] if is_table(policy) else [None]
    for column in policy.input.columns or columns:
        if column in kept.sources:
            continue
        whole = read_input(written, written.path(policy.input.path), column)
        if whole.is_single:
            text = whole.filled[0]
            short = text if share is None else text[:SYMBOLS]
            kept.sources[column] = replace(whole, texts=[short]), [0]
        else:
            few = chosen(whole, 1.0 if share is None else share, policy.seed, least(written))
            kept.sources[column] = whole, few


def least(written: PolicyFile) -> int:
    """How many people a sample has at least: several times k, since few people share little."""
    ks = [stage.k for stage in written.policy.stages if hasattr(stage, "k")]
    return max([PEOPLE, *(4 * int(k) for k in ks)])


def _documents(
    written: PolicyFile, kept: _ProjectCache, done: Sequence[StageResult], share: float | None
) -> list[int]:
    if kept.sources:
        return next(iter(kept.sources.values()))[1]
    from ..pipeline.inputs import as_source

    path = written.path(written.policy.input.path)
    source = as_source(original_table(written), written, path)
    return chosen(source, 1.0 if share is None else share, written.policy.seed, least(written))


def _size(written: PolicyFile, kept: _ProjectCache) -> int:
    if kept.sources:
        return len(next(iter(kept.sources.values()))[0].texts)
    return original_table(written).height


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _files(project: Path, names: Sequence[str] | None = None, skipped: Sequence[str] = ()) -> str:
    """The files of a project as they stand now; the policy's own text is told apart."""
    skipped = (*skipped, POLICY, PROJECT, "decisions.json")
    found = sorted(project.iterdir()) if names is None else [project / name for name in names]
    told = [
        (one.name, one.stat().st_mtime_ns, one.stat().st_size)
        for one in found
        if one.name not in skipped and not one.name.startswith(".")
    ]
    return json.dumps(told)
