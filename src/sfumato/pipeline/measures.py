"""What a run costs and what attacks find: numbers for `figures.json`, never text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from ..core.corpus import Corpus
from ..core.errors import NotInstalled

if TYPE_CHECKING:
    from ..core.release import Release
    from ..core.spans import Span
    from ..verification.trace import Trace
    from .policy import Written
    from .run import Done


def figures(written: Written, done: Sequence[Done], key: bytes) -> dict[str, Any]:
    """The figures of a release, from the original to the final text of every column."""
    result: dict[str, Any] = {"loss": {}, "loss_by_column": {}, "stages": []}
    table = done[0].release if done[0].release.verb == "anonymize" else None
    texts = done if table is None else done[1:]
    columns = list(dict.fromkeys(one.step.column for one in texts))
    symbols = changed = 0
    for column in columns:
        mine = [one for one in texts if one.step.column == column]
        size, lost = changed_symbols(mine)
        symbols, changed = symbols + size, changed + lost
        result["loss_by_column"][column or "text"] = lost / size if size else 0.0
    share = changed / symbols if symbols else 0.0
    result["loss"] = {"symbols": symbols, "changed_symbols": changed, "changed_share": share}
    if table is not None:
        result["loss"] |= {name: value for name, value in table.loss.items() if ":" not in name}
        result |= _of_table(table)
    result["stages"] = [
        {"stage": one.step.number + 1, "verb": one.release.verb, "loss": dict(one.release.loss)}
        for one in done
    ]
    if written.policy.evaluation is not None:
        result["evaluation"] = _evaluated(written, done)
    if written.policy.attacks:
        result["attacks"] = _attacked(written, done)
    return result


def _of_table(table: Release) -> dict[str, Any]:
    """How many people share a class, and what columns and entity types lost by it."""
    classes, people = table.private["classes"], table.private["person_of_row"]
    members = Counter(
        number for number, _ in set(zip(classes.tolist(), people.tolist(), strict=True))
    )
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


def changed_symbols(mine: Sequence[Done]) -> tuple[int, int]:
    """The symbols of a column's original, and how many of them do not stand in the final text."""
    from .run import traces

    texts = [text or "" for text in mine[0].source.texts]
    size = sum(map(len, texts))
    if len(mine) == 1:
        changes = mine[0].release.changes
        return size, int((changes.stops - changes.starts).sum())
    return size, sum(piece.stop - piece.start for trace in traces(mine) for piece in trace.pieces)


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


def _columns(done: Sequence[Done]) -> list[tuple[list[str], list[str], Any]]:
    """Original, release and groups of every column."""
    result = []
    for column in dict.fromkeys(one.step.column for one in done):
        mine = [one for one in done if one.step.column == column]
        first = [text or "" for text in mine[0].source.texts]
        result.append((first, list(Corpus.of(mine[-1].release.data).texts), mine[0].source.groups))
    return result


def _evaluated(written: Written, done: Sequence[Done]) -> dict[str, Any]:
    evaluate = _part("evaluate")
    assert written.policy.evaluation is not None
    gold = written.path(written.policy.evaluation.gold)
    original, release, _ = _columns(done)[0]
    return dict(_plain(evaluate(original, release, gold)))


def _attacked(written: Written, done: Sequence[Done]) -> list[Any]:
    """The attacks on whole records: an attacker sees all their columns together."""
    attack = _part("attack")
    chosen = None if written.policy.attacks == "all" else list(written.policy.attacks)
    original, release, groups = _records(written, done)
    found = attack(original, release, chosen, groups=groups, seed=written.policy.seed)
    return [_plain(one) for one in found]


def _records(written: Written, done: Sequence[Done]) -> tuple[list[str], list[str], Any]:
    """Every record's columns as one text, before and after, and whose it is."""
    first = done[0]
    if first.release.verb != "anonymize":
        columns = _columns(done)
        sides = [zip(*(column[side] for column in columns), strict=True) for side in (0, 1)]
        return (*(["\n".join(record) for record in side] for side in sides), columns[0][2])
    from .tables import final

    table, rows = final(done), first.release.private["rows"].tolist()
    names = [
        name
        for name in table.columns
        if name in first.source.columns and name != written.policy.input.person
    ]
    before = [first.source.column(name) for name in names]
    after = [table[name].cast(pl.String).to_list() for name in names]
    groups = first.source.groups
    return (
        ["\n".join(column[row] or "" for column in before) for row in rows],
        ["\n".join(column[row] or "" for column in after) for row in range(len(rows))],
        None if groups is None else [groups[row] for row in rows],
    )


def _part(name: str) -> Any:
    """A public function that judges releases."""
    import sfumato

    if name not in sfumato.__all__:
        raise NotInstalled(f"this version cannot {name}", where=name, remedy="take it out")
    return getattr(sfumato, name)


def _plain(value: Any) -> Any:
    if hasattr(value, "as_dict"):
        return value.as_dict()
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value
