"""A preview: the policy on a share of the people, in memory; nothing is written."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..core.errors import BadInput
from ..core.printed_form import by_sizes
from ..schema.frames import documents_of
from . import chains, table_stage
from .execute import execute
from .inputs import as_source, original_table, read_input
from .measures import changed_symbols
from .stages import found_spans, recognized
from .steps import RunContext, steps_of
from .store import MemoryStore
from .verdicts import verdicts as judged

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from ..core.progress import Progress
    from ..core.spans import Span
    from ..formats import Source
    from .policy import PolicyFile
    from .steps import StageResult

# Nobody gets what is made under it; figures are the same in every run.
SAME = b"the key of previews, of which nothing is written"


@dataclass(frozen=True, slots=True)
class Preview:
    """What the policy did to a sample."""

    documents: int
    persons: int | None
    verdicts: tuple[tuple[str, bool, str], ...]
    """The step, whether its claim holds for the final text, and the claim."""
    changed: dict[str, float]
    """The share of symbols that were changed, by column."""


def share_of(given: str) -> float:
    """A share as people write it.

    >>> share_of("1%"), share_of("0.25")
    (0.01, 0.25)
    """
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*(%?)", given.strip())
    share = float(found[1]) / (100 if found[2] else 1) if found else 0.0
    if not 0 < share <= 1:
        raise BadInput(
            "expected a share above 0 and up to 1", where="--sample", remedy="for instance 1%"
        )
    return share


def preview(written: PolicyFile, share: float, progress: Progress | None = None) -> Preview:
    """Runs the stages on sampled people (documents, where no person column is named).

    Fewer people share less, so that a sample loses more than the whole: an upper bound in practice.
    """
    context = RunContext(written, SAME, progress)
    store = SampleStore(context, share)
    return _found(execute(steps_of(written.policy), store, context))


@dataclass(frozen=True, slots=True, eq=False)
class SampleStore(MemoryStore):
    """Results of steps on sampled people, and which documents are theirs."""

    context: RunContext
    share: float
    sources: dict[str | None, tuple[Source, list[int]]] = field(default_factory=dict)
    """The whole of each column that was read, and the chosen documents; given ones are used."""
    spans: dict[str | None, list[Span]] = field(default_factory=dict)
    """What was recognised in the chosen documents of each column."""

    __repr__ = by_sizes

    def original(self, column: str | None) -> Source:
        """The chosen documents of a column."""
        whole, few = self._chosen(column)
        return whole.part(few)

    def original_table(self) -> pl.DataFrame:
        """The sampled people's rows."""
        whole = original_table(self.context.written)
        return whole[self._rows(whole)]

    def found(self, column: str | None, context: RunContext) -> list[Span]:
        """What stands in the chosen documents; a review file speaks of all of them."""
        if context.written.policy.spans is None:
            return MemoryStore.found(self, column, context)
        whole, few = self._chosen(column)
        return chains.renumbered_spans(found_spans(whole, context), few)

    def terms_in(self, documents: list[str], context: RunContext) -> list[Span]:
        """What stands in the sampled rows; a review file speaks of all texts of the table."""
        if context.written.policy.spans is None:
            return MemoryStore.terms_in(self, documents, context)
        texts, whole = table_stage.schema_of(context).texts, original_table(context.written)
        few = [row * len(texts) + at for row in self._rows(whole) for at in range(len(texts))]
        return chains.renumbered_spans(recognized(documents_of(whole, texts), context), few)

    def _chosen(self, column: str | None) -> tuple[Source, list[int]]:
        """The whole of a column, and the chosen documents."""
        if column not in self.sources:
            written = self.context.written
            whole = read_input(written, written.path(written.policy.input.path), column)
            self.sources[column] = whole, self._few(whole)
        return self.sources[column]

    def _rows(self, whole: pl.DataFrame) -> list[int]:
        written = self.context.written
        return self._few(as_source(whole, written, written.path(written.policy.input.path)))

    def _few(self, whole: Source) -> list[int]:
        written = self.context.written
        return chosen(whole, self.share, written.policy.seed, _least(written))


def chosen(source: Source, share: float, seed: int, least: int = 1) -> list[int]:
    """Which documents are the sampled people's; who is sampled depends on the seed alone.

    At least so many people, if there are: fewer than k cannot be met.

    >>> from sfumato.formats import jsonl
    >>> raw = b"".join(b'{"who": "p%d", "note": "calm"}\\n' % (i // 2) for i in range(100))
    >>> source = jsonl.read(raw, "notes.jsonl", text_column="note", group_column="who")
    >>> few = chosen(source, 0.2, 0)
    >>> len({source.groups[i] for i in few}) * 2 == len(few), 0 < len(few) < 50
    (True, True)
    """
    if source.is_single:
        raise BadInput(
            "one text has no people or documents to sample", where="--sample", remedy="run it whole"
        )
    owners = source.groups or [str(i) for i in range(len(source.texts))]
    drawn = {
        owner: hashlib.sha256(f"{seed}\0{owner}".encode("utf-8", "surrogatepass")).digest()[:8]
        for owner in set(owners)
    }
    limit = int(share * 2**64)
    first = sorted(drawn, key=drawn.__getitem__)[:least]
    found = {owner for owner, number in drawn.items() if int.from_bytes(number) < limit}
    found.update(first)
    return [i for i, owner in enumerate(owners) if owner in found]


def _least(written: PolicyFile) -> int:
    """How many people the stages need at least."""
    return max((stage.k for stage in written.policy.stages if hasattr(stage, "k")), default=1)


def _found(done: Sequence[StageResult]) -> Preview:
    verdicts, changed = [], {}
    for number, some in judged(done).items():
        name = done[number].step.name
        verdicts += [(name, one.verdict.holds, one.verdict.claim.statement) for one in some]
    for column in chains.columns_of(done):
        size, lost = changed_symbols(chains.of_column(done, column))
        changed[column or "text"] = lost / size if size else 0.0
    table = chains.table_at(done)
    source = done[table or 0].source
    persons = None if source.groups is None else len(set(source.groups))
    return Preview(len(source.texts), persons, tuple(verdicts), changed)
