"""What a run costs and what attacks find: numbers for `figures.json`, never text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Any

from ..core.corpus import Corpus
from ..core.errors import NotInstalled

if TYPE_CHECKING:
    from ..core.spans import Span
    from ..verification.trace import Trace
    from .policy import Written
    from .run import Done


def figures(written: Written, done: Sequence[Done], key: bytes) -> dict[str, Any]:
    """The figures of a release, from the original to the final text of every column."""
    columns = list(dict.fromkeys(one.step.column for one in done))
    result: dict[str, Any] = {"loss": {}, "loss_by_column": {}, "stages": []}
    symbols = changed = 0
    for column in columns:
        mine = [one for one in done if one.step.column == column]
        size, lost = changed_symbols(mine)
        symbols, changed = symbols + size, changed + lost
        result["loss_by_column"][column or "text"] = lost / size if size else 0.0
    share = changed / symbols if symbols else 0.0
    result["loss"] = {"symbols": symbols, "changed_symbols": changed, "changed_share": share}
    result["stages"] = [
        {"stage": one.step.number + 1, "verb": one.release.verb, "loss": dict(one.release.loss)}
        for one in done
    ]
    if written.policy.evaluation is not None:
        result["evaluation"] = _evaluated(written, done)
    if written.policy.attacks:
        result["attacks"] = _attacked(written, done)
    return result


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
    attack = _part("attack")
    chosen = None if written.policy.attacks == "all" else list(written.policy.attacks)
    return [
        _plain(found)
        for original, release, groups in _columns(done)
        for found in attack(original, release, chosen, groups=groups, seed=written.policy.seed)
    ]


def _part(name: str) -> Any:
    """A public function that judges releases."""
    import sfumato

    if name not in sfumato.__all__:
        raise NotInstalled(f"this version cannot {name}", where=name, remedy="take it out")
    return getattr(sfumato, name)


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return value.as_dict() if hasattr(value, "as_dict") else value
