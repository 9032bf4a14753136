"""A preview: the policy on a share of the people, in memory; nothing is written."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import polars as pl

from ..core.errors import BadInput
from . import chains, tables, withdraw
from .chains import released
from .measures import changed_symbols
from .run import Done, read_input, reporter
from .stages import Setting, Step, call, found_spans, recognised, steps_of
from .verdicts import verdicts as judged

if TYPE_CHECKING:
    from ..core.progress import Progress
    from ..core.spans import Span
    from ..formats import Source
    from .policy import Written


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


def preview(
    written: Written, share: float, key: bytes, progress: Progress | None = None
) -> Preview:
    """Runs the stages on sampled people (documents, where no person column is named).

    Fewer people share less, so that a sample loses more than the whole: an upper bound in practice.
    """
    steps = steps_of(written.policy)
    setting, table = Setting(written, key, progress), tables.place_of(steps)
    people = _People(setting, share)
    done = _taken(steps[:table], [], people)
    if table is not None:
        done = _through_table(steps, table, done, people)
    return _found(done)


@dataclass(frozen=True, slots=True, eq=False)
class _People:
    """The sampled people: which documents are theirs, and what was recognised in them."""

    setting: Setting
    share: float
    sources: dict[str | None, tuple[Source, list[int]]] = field(default_factory=dict)
    spans: dict[str | None, list[Span]] = field(default_factory=dict)

    def source(self, column: str | None) -> tuple[Source, list[int]]:
        """The whole of a column, and the chosen documents."""
        if column not in self.sources:
            written = self.setting.written
            whole = read_input(written, written.path(written.policy.input.path), column)
            self.sources[column] = whole, chosen(whole, self.share, written.policy.seed)
        return self.sources[column]

    def recognised(self, column: str | None) -> list[Span]:
        """What stands in the chosen documents; a review file speaks of all of them."""
        if column not in self.spans:
            whole, few = self.source(column)
            if self.setting.written.policy.spans is None:
                self.spans[column] = found_spans(_part(whole, few), self.setting)
            else:
                found = found_spans(whole, self.setting)
                self.spans[column] = chains.renumbered_spans(found, few)
        return self.spans[column]


def _taken(steps: Sequence[Step], earlier: Sequence[Done], people: _People) -> list[Done]:
    """Steps on the texts of columns, after those taken earlier."""
    written = people.setting.written
    done = list(earlier)
    for step in steps:
        name = f"{step.number + 1}/{len(written.policy.stages)} {step.stage.verb}"
        setting = replace(people.setting, progress=reporter(people.setting.progress, name))
        source = _current(step.column, done, people)

        def spans(step: Step = step) -> list[Span]:
            return chains.moved_spans(people.recognised(step.column), done, step.column)

        release, texts = call(step, source, spans, setting)
        release = replace(release, data=texts)
        done.append(Done(step, source, release, {}, "", fresh=True))
    return done


def _current(column: str | None, done: Sequence[Done], people: _People) -> Source:
    """The texts of a column after the steps so far."""
    source = _part(*people.source(column))
    if chains.table_at(done) is not None:
        last = chains.of_column(done, column)[-1]
        source = replace(last.source, format=source.format)
    else:
        mine = [one for one in done if one.step.column == column]
        if not mine:
            return source
        last = mine[-1]
    return replace(source, texts=released(last))


def _through_table(
    steps: Sequence[Step], place: int, before: list[Done], people: _People
) -> list[Done]:
    """The table's step and those after it, until every class shows each of its terms alike."""
    written = people.setting.written
    path = written.path(written.policy.input.path)
    whole = tables.read_table(path, written)
    rows = chosen(tables.as_source(whole, written, path), people.share, written.policy.seed)
    frame = _as_taken(whole[rows], before)
    name = f"{place + 1}/{len(written.policy.stages)} anonymize"
    setting = replace(people.setting, progress=reporter(people.setting.progress, name))
    release = tables.called(steps[place], frame, before, setting, _reviewed(whole, rows, setting))
    first, gone = release, set[Any]()
    while True:
        source = tables.as_source(frame, written, path)
        table = Done(steps[place], source, release, {}, "", fresh=True)
        done = _taken(steps[place + 1 :], [*before, table], people)
        more = withdraw.parted(release, done[place + 1 :])
        if more <= gone:
            return done
        gone |= more
        release = withdraw.applied(first, frame, gone)


def _as_taken(frame: pl.DataFrame, before: Sequence[Done]) -> pl.DataFrame:
    """The sampled people's rows as the table's step takes them."""
    last = {one.step.column: released(one) for one in before}
    return frame.with_columns(
        [pl.Series(str(name), texts, dtype=pl.String) for name, texts in last.items()]
    )


def _reviewed(
    whole: pl.DataFrame, rows: Sequence[int], setting: Setting
) -> Callable[[list[str]], list[Span]] | None:
    """What a review file, which speaks of all texts of the table, says of the sampled ones."""
    if setting.written.policy.spans is None:
        return None
    texts = tables.schema_of(setting).texts
    documents = [text or "" for row in whole.select(texts).iter_rows() for text in row]
    few = [row * len(texts) + index for row in rows for index in range(len(texts))]
    return lambda _: chains.renumbered_spans(recognised(documents, setting), few)


def _part(source: Source, few: Sequence[int]) -> Source:
    groups = None if source.groups is None else [source.groups[i] for i in few]
    return replace(source, texts=[source.texts[i] for i in few], groups=groups)


def chosen(source: Source, share: float, seed: int) -> list[int]:
    """Which documents are the sampled people's; who is sampled depends on the seed alone.

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
    limit = int(share * 2**64)
    found: list[int] = []
    for i, owner in enumerate(owners):
        drawn = hashlib.sha256(f"{seed}\0{owner}".encode("utf-8", "surrogatepass")).digest()
        if int.from_bytes(drawn[:8]) < limit:
            found.append(i)
    if not found:
        raise BadInput("nobody was sampled", where="--sample", remedy="give a larger share")
    return found


def _found(done: Sequence[Done]) -> Preview:
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
