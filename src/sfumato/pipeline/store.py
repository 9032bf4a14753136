"""Where results of steps stand: in a folder, or in memory.

In a folder they are made unless they are there, and read back from there. A fresh result is read
back as an old one is, so that a resumed run cannot differ from one that was never stopped.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.printed_form import by_sizes
from . import chains, table_stage
from .inputs import as_source, read_input, read_table
from .stages import call, digest_of, file_digest, found_spans, recognizer_digest, side_inputs
from .steps import StageResult

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence, Set

    import polars as pl

    from ..core.release import Release
    from ..core.spans import Span
    from ..formats import Source
    from .result_folder import ResultFolder
    from .steps import RunContext, Step
    from .withdraw import Term


class StoreBase:
    """What every store does alike: it takes a step."""

    __slots__ = ()

    def terms_in(self, documents: list[str], context: RunContext) -> list[Span]:
        """What the policy's recognizer finds in the original texts of the table."""
        return table_stage.terms_in(documents, context)

    def released(
        self, step: Step, source: Source, spans: Callable[[], list[Span]], context: RunContext
    ) -> tuple[Release, list[str]]:
        """The verb's release of a column, and its texts."""
        return call(step, source, spans, context)


@dataclass(frozen=True, slots=True, eq=False)
class DiskStore(StoreBase):
    """The results of a run, by the keys of what made them."""

    context: RunContext
    results: ResultFolder
    _originals: dict[str | None, Source] = field(default_factory=dict)
    _spans: dict[str | None, list[Span]] = field(default_factory=dict)

    __repr__ = by_sizes

    def path(self, done: Sequence[StageResult]) -> Path:
        """The file that the steps so far left."""
        written = self.context.written
        if not done:
            return written.path(written.policy.input.path)
        return self.results.data(done[-1].key, written.input_name)

    def texts(self, column: str | None, done: Sequence[StageResult]) -> Source:
        """A column of that file."""
        source = read_input(self.context.written, self.path(done), column)
        if not done:
            self._originals[column] = source
        return source

    def table(self, done: Sequence[StageResult]) -> pl.DataFrame:
        """That file as a table."""
        return read_table(self.path(done), self.context.written)

    def recognized(self, column: str | None, context: RunContext) -> list[Span]:
        """What the policy's recognizer finds in the original texts of a column."""
        if column not in self._spans:
            original = self._originals.get(column) or self.texts(column, ())
            self._spans[column] = found_spans(original, context)
        return self._spans[column]

    def keep_texts(
        self,
        step: Step,
        source: Source,
        done: Sequence[StageResult],
        make: Callable[[], tuple[Release, list[str]]],
    ) -> StageResult:
        """The result of a step on texts."""
        key = digest_of(step, self.context, self._before(done))
        fresh = not self.results.has(key)
        if fresh:
            name = self.context.written.input_name
            self.results.keep_texts(key, name, source, *make())
        return texts_result(step, source, self.results, key, self.context, fresh=fresh)

    def keep_table(
        self,
        step: Step,
        frame: pl.DataFrame,
        done: Sequence[StageResult],
        make: Callable[[], Release],
        withdrawn: Set[Term] = frozenset(),
    ) -> StageResult:
        """The result of the table's step."""
        key = self._table_key(step, done)
        if withdrawn:
            key = hashlib.sha256(f"{key}{sorted(withdrawn)}".encode()).hexdigest()
        given, fresh = self.path(done), not self.results.has(key)
        if fresh:
            self.results.keep_table(key, make(), given, self.context.written)
        return table_result(step, frame, given, self.results, key, self.context, fresh=fresh)

    def _before(self, done: Sequence[StageResult]) -> str:
        return done[-1].key if done else file_digest(self.path(()))

    def _table_key(self, step: Step, done: Sequence[StageResult]) -> str:
        policy = self.context.written.policy
        assert policy.schema_file is not None
        told = [
            digest_of(step, self.context, self._before(done)),
            file_digest(self.context.written.path(policy.schema_file)),
            recognizer_digest(self.context),
        ]
        return hashlib.sha256("\n".join(told).encode()).hexdigest()


class MemoryStore(StoreBase):
    """Results of steps in memory, gone with the store; whoever extends it says of which documents.

    What the steps read is made of the results so far; nothing is kept for a later run.
    """

    __slots__ = ()

    if TYPE_CHECKING:  # fields of who extends it

        @property
        def context(self) -> RunContext:
            """What all steps share."""

        @property
        def spans(self) -> dict[str | None, list[Span]]:
            """What was recognised in each column."""

    def original(self, column: str | None) -> Source:
        """The documents of a column before any step."""
        raise NotImplementedError

    def original_table(self) -> pl.DataFrame:
        """The rows of the table before any step."""
        raise NotImplementedError

    def found(self, column: str | None, context: RunContext) -> list[Span]:
        """What the policy's recognizer finds in these documents."""
        return found_spans(self.original(column), context)

    def texts(self, column: str | None, done: Sequence[StageResult]) -> Source:
        """The documents of a column after the steps so far."""
        source = self.original(column)
        if chains.table_at(done) is not None:
            last = chains.of_column(done, column)[-1]
            source = replace(last.source, format=source.format)
        else:
            mine = [one for one in done if one.step.column == column]
            if not mine:
                return source
            last = mine[-1]
        return replace(source, texts=chains.released(last))

    def table(self, done: Sequence[StageResult]) -> pl.DataFrame:
        """The rows after the steps so far."""
        import polars as pl

        last = {one.step.column: chains.released(one) for one in done}
        return self.original_table().with_columns(
            [pl.Series(str(name), texts, dtype=pl.String) for name, texts in last.items()]
        )

    def recognized(self, column: str | None, context: RunContext) -> list[Span]:
        """What the recognizer finds, looked for once."""
        if column not in self.spans:
            self.spans[column] = self.found(column, context)
        return self.spans[column]

    def keep_texts(
        self,
        step: Step,
        source: Source,
        done: Sequence[StageResult],
        make: Callable[[], tuple[Release, list[str]]],
    ) -> StageResult:
        """The result of a step on texts."""
        release, texts = make()
        return StageResult(step, source, replace(release, data=texts), {}, "", fresh=True)

    def keep_table(
        self,
        step: Step,
        frame: pl.DataFrame,
        done: Sequence[StageResult],
        make: Callable[[], Release],
        withdrawn: Set[Term] = frozenset(),
    ) -> StageResult:
        """The result of the table's step."""
        written = self.context.written
        source = as_source(frame, written, written.path(written.policy.input.path))
        return StageResult(step, source, make(), {}, "", fresh=True)


def result_of(
    step: Step, before: Path, results: ResultFolder, key: str, context: RunContext
) -> StageResult:
    """The result of a step as it was kept; `before` is the file that the step took."""
    if step.takes_table:
        frame = read_table(before, context.written)
        return table_result(step, frame, before, results, key, context)
    source = read_input(context.written, before, step.column)
    return texts_result(step, source, results, key, context)


def texts_result(
    step: Step,
    source: Source,
    results: ResultFolder,
    key: str,
    context: RunContext,
    *,
    fresh: bool = False,
) -> StageResult:
    """The result of a step on texts as it was kept."""
    written = context.written
    after = read_input(written, results.data(key, written.input_name), step.column)
    release, hashes = results.load_texts(key, after.data)
    given = side_inputs(step, source, release, context)
    sides = replace(release.sides, **{**given, "input": source.data})
    return StageResult(step, source, replace(release, sides=sides), hashes, key, fresh)


def table_result(
    step: Step,
    frame: pl.DataFrame,
    path: Path,
    results: ResultFolder,
    key: str,
    context: RunContext,
    *,
    fresh: bool = False,
) -> StageResult:
    """The result of the table's step as it was kept."""
    schema = table_stage.schema_of(context)
    release, hashes = results.load_table(key, frame, schema, context.written)
    source = as_source(frame, context.written, path)
    sides = replace(release.sides, **side_inputs(step, source, release, context))
    return StageResult(step, source, replace(release, sides=sides), hashes, key, fresh)
