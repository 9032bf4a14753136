"""What a run costs and what attacks find: numbers for `figures.json`, never text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import comb
from typing import TYPE_CHECKING, Literal

import numpy as np
import polars as pl

from ..attacks.protocol import BACKGROUND, RECORDS, SAMPLE
from ..core.corpus import Corpus
from ..core.errors import BadInput, NotVerified
from ..core.numbers import share
from ..core.release import Release, Sides
from ..core.spans import Changes, Same
from ..schema.frames import column_texts
from . import chains
from .inputs import original_table
from .verbs import counts_legible

if TYPE_CHECKING:
    from ..attacks.result import AttackResult
    from ..core.spans import Span
    from ..core.values import Data, JsonObject, JsonValues
    from ..verification.trace import Trace
    from .policy import AttackDemand, PolicyFile
    from .steps import StageResult

    Asked = list[str] | dict[str, AttackDemand] | Literal["all"]

MOST = 20_000_000  # people times sets of columns, counted for the pictures of risk


def figures(written: PolicyFile, done: Sequence[StageResult]) -> JsonObject:
    """The figures of a release, from the original to the final text of every column."""
    result: JsonObject = {"loss": {}, "loss_by_column": {}, "stages": []}
    number = chains.table_at(done)
    table = None if number is None else done[number].release
    symbols = changed = 0
    for column in chains.columns_of(done):
        size, lost = changed_symbols(chains.of_column(done, column))
        symbols, changed = symbols + size, changed + lost
        result["loss_by_column"][column or "text"] = lost / size if size else 0.0
    lost_share = changed / symbols if symbols else 0.0
    if symbols or table is None:  # texts that anonymize alone changed are told by its own loss
        result["loss"] = {
            "symbols": symbols,
            "changed_symbols": changed,
            "changed_share": lost_share,
        }
    invented = sum(one.release.counts.get("invented", 0) for one in done)
    if invented:  # written where nothing stood: no symbol of the original was changed for them
        result["loss"]["invented_symbols"] = invented
    if table is not None:
        result["loss"] |= {name: value for name, value in table.loss.items() if ":" not in name}
        result |= _of_table(table)
        result["risk"] = _risk(table)
    result["stages"] = [
        {"stage": one.step.number + 1, "verb": one.release.verb, "loss": dict(one.release.loss)}
        for one in done
    ]
    if written.policy.evaluation is not None:
        result |= _evaluated(written, done)
    if written.policy.attacks:
        result["attacks"] = attacked(written, done, written.policy.attacks)
    if written.policy.sweep:
        result["curves"] = _swept(written, done)
    return result


def _of_table(table: Release) -> dict[str, object]:
    """How many people share a class, and what columns and entity types lost by it."""
    known = table.sides.of_table
    pairs = zip(known.classes.tolist(), known.person_of_row.tolist(), strict=True)
    members = Counter(number for number, _ in set(pairs))
    sizes = Counter(members.values())

    def named(prefix: str) -> dict[str, float]:
        return {
            name.removeprefix(prefix): value
            for name, value in table.loss.items()
            if name.startswith(prefix)
        }

    return {
        "class_sizes": {str(size): sizes[size] for size in sorted(sizes)},
        "loss_by_column": named("NCP_A:"),
        "loss_by_entity_type": named("NCP_X:"),
    }


def _risk(table: Release) -> JsonObject:
    """What the columns told before, and what the released cells tell: pictures of the report.

    Sets of columns are as large as can be counted soon.
    """
    from ..judging.risk import risk
    from ..schema.frames import as_polars

    known = table.sides.of_table
    schema = known.schema
    if not schema.relational:
        return {}
    person = schema.person or "person"
    people = [str(one) for one in known.person_of_row.tolist()]
    data = as_polars(table.data)
    kept = [name for name in schema.relational if name in data.columns]
    released = data.select(kept).with_columns(pl.Series(person, people))
    names, size = len(schema.relational), max(1, len(people))
    most = next((n for n in (3, 2) if sum(comb(names, i) for i in range(n + 1)) * size < MOST), 1)
    original = as_polars(table.sides.input)
    if schema.person is None:
        schema = schema.model_copy(update={"person": person})
        original = original.with_row_index(person).cast({person: pl.String})
    k = int(str(table.parameters["k"]))
    return risk(original, schema, k=k, columns=most, release=released).as_dict()


def changed_symbols(mine: Sequence[StageResult]) -> tuple[int, int]:
    """The symbols of a column's original, and how many of them do not stand in the final text."""
    texts = mine[0].source.filled
    size = sum(map(len, texts))
    if len(mine) == 1:
        changes = mine[0].release.changes
        return size, int((changes.stops - changes.starts).sum())
    return size, sum(
        piece.stop - piece.start for trace in chains.traces(mine) for piece in trace.pieces
    )


def loss_by_type(spans: Sequence[Span], traced: Sequence[Trace]) -> dict[str, float]:
    """For each label, the share of its symbols that were changed."""
    size: dict[str, int] = {}
    lost: dict[str, int] = {}
    for span in spans:
        size[span.label] = size.get(span.label, 0) + span.stop - span.start
        for piece in traced[span.document].over(span.start, span.stop):
            over = min(piece.stop, span.stop) - max(piece.start, span.start)
            lost[span.label] = lost.get(span.label, 0) + over
    return {label: lost.get(label, 0) / size[label] for label in sorted(size)}


def _whole(mine: Sequence[StageResult]) -> tuple[list[str], Release, object]:
    """Original, release from first to last stage, and people of one column."""
    first = mine[0].source.filled
    last = mine[-1].release
    if len(mine) == 1:
        return first, replace(last, data=Corpus.of(last.data).texts), mine[0].source.groups
    flat = [(i, piece) for i, trace in enumerate(chains.traces(mine)) for piece in trace.pieces]
    changes = Changes(
        np.array([i for i, _ in flat], np.int64),
        np.array([piece.start for _, piece in flat], np.int64),
        np.array([piece.stop for _, piece in flat], np.int64),
        [piece.text for _, piece in flat],
        Same("run", len(flat)),
    )
    release = replace(
        last, verb="run", data=Corpus.of(last.data).texts, changes=changes, sides=Sides()
    )
    return first, release, mine[0].source.groups


def _columns(done: Sequence[StageResult]) -> list[list[StageResult]]:
    """The steps of every text column."""
    return [chains.of_column(done, column) for column in chains.columns_of(done)]


def _evaluated(written: PolicyFile, done: Sequence[StageResult]) -> dict[str, object]:
    """The first text column against gold spans: a file, or a folder of annotations."""
    from ..judging.evaluate import evaluate
    from ..recognizers.gold import gold_of, read_path

    assert written.policy.evaluation is not None
    given, table = written.policy.evaluation.gold, chains.table_at(done) is not None
    mine = [] if table else _columns(done)[0]
    original, release, groups = _table_texts(written, done) if table else _whole(mine)
    members = None if table else mine[0].source.members
    gold = gold_of(read_path(written.path(given), original, members, given), original)
    measured = evaluate(original, release, gold, groups=groups, seed=written.policy.seed)
    if table:  # its own loss tells the entity types
        return {"evaluation": measured.as_dict()}
    by_type = loss_by_type(gold, chains.traces(mine))
    return {"evaluation": measured.as_dict(), "loss_by_entity_type": by_type}


def _table_texts(
    written: PolicyFile, done: Sequence[StageResult]
) -> tuple[list[str], list[str], object]:
    """The first text column of a table, before and after; no row may have been left out."""
    table, before = chains.final_table(done), original_table(written)
    if len(table) != len(before) or not written.policy.input.columns:
        raise BadInput(
            "gold spans belong to texts, all of which must be released",
            where="evaluation",
            remedy="name input.columns, or take it out",
        )
    name = written.policy.input.columns[0]
    number = chains.table_at(done)
    assert number is not None
    texts = column_texts(before, name)
    return texts, column_texts(table, name), done[number].source.groups


def attacked(
    written: PolicyFile,
    done: Sequence[StageResult],
    asked: Asked,
    *,
    background: Data = BACKGROUND,
    sample: int = SAMPLE,
    public: Data = None,
) -> list[JsonObject]:
    """What attacks find: on the table, and on whole records, whose columns are seen together.

    `asked` are the attacks as a policy names them; `background` is what they know unless it says.
    """
    chosen = [*RECORDS, "texts"] if asked == "all" else list(asked)
    tried = asked if isinstance(asked, dict) else {}
    seed = written.policy.seed
    found: list[AttackResult] = []
    number = chains.table_at(done)
    if number is not None and set(RECORDS) & set(chosen):
        from ..attacks.records import attack_records

        table = done[number].release
        linked = attack_records(table.sides.input, table, trials=sample, seed=seed)
        found += [one for one in linked if one.name in chosen]
    names = [name for name in chosen if name not in RECORDS]
    if names:
        original, release, groups = _records(written, done)
        known: list[tuple[object, list[str] | None]] = [(background, None)]
        if asked != "all":
            of = {name: tried[name].background if name in tried else background for name in names}
            distinct = [one for i, one in enumerate(of.values()) if one not in [*of.values()][:i]]
            known = [(one, [n for n in names if of[n] == one]) for one in distinct]
        from ..attacks.run import attack

        for one, some in known:
            found += attack(
                original, release, some, groups, one, seed, sample=sample, public=public
            )
    limits = {name: one.at_most for name, one in tried.items() if one.at_most is not None}
    return [
        one.as_dict() | ({"at_most": limits[one.name]} if one.name in limits else {})
        for one in found
    ]


def require_few(attacks: Sequence[JsonValues]) -> None:
    """Refuses a release on which an attack succeeds more often than the policy allows."""
    for one in attacks:
        limit = one.get("at_most")
        if limit is None or (one["trials"] and one["success"] <= limit):
            continue
        found = f"succeeds in {share(one['success'])} of {one['trials']:,} trials"
        raise NotVerified(
            f"{one['name']} {found if one['trials'] else 'could try nobody'}, at most "
            f"{share(limit)} is allowed (known: {one['background']}); nothing was written",
            where="attacks",
        )


def _swept(written: PolicyFile, done: Sequence[StageResult]) -> list[JsonObject]:
    """Loss, and what attacks achieve, for other k of the last stage that suppresses."""
    from ..judging.sweep import sweep

    last = next((one for one in reversed(done) if counts_legible(one.release.verb)), None)
    if last is None:
        raise BadInput("no stage suppresses", where="sweep", remedy="take it out")
    source, values = last.source, list(written.policy.sweep)
    texts = source.filled
    verb, seed = last.release.verb, written.policy.seed
    return sweep(texts, verb, values, groups=source.groups, seed=seed).curves()


def _records(written: PolicyFile, done: Sequence[StageResult]) -> tuple[list[str], object, object]:
    """The texts before, their release, and whose they are; several columns as one text."""
    number = chains.table_at(done)
    if number is None:
        columns = [_whole(mine) for mine in _columns(done)]
        if len(columns) == 1:
            return columns[0]
        before, after = [one for one, _, _ in columns], [one.data for _, one, _ in columns]
        groups = columns[0][2]
    else:
        first = done[number]
        table, rows = chains.final_table(done), first.release.sides.of_table.rows.tolist()
        known = original_table(written)
        person = written.policy.input.person
        names = [name for name in table.columns if name in known.columns and name != person]
        before, after = (
            [column_texts(one, name) for name in names] for one in (known[rows], table)
        )
        groups = first.source.groups and [first.source.groups[row] for row in rows]
    first_texts, last_texts = (
        ["\n".join(record) for record in zip(*side, strict=True)] for side in (before, after)
    )
    return first_texts, last_texts, groups
