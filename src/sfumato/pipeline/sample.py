"""A preview: the policy on a share of the people, in memory; nothing is written."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..core.errors import BadInput
from ..verification import composed
from .measures import changed_symbols
from .run import Done, judged_step, moved, read_input, reporter, traces
from .stages import Setting, Step, call, found_spans, steps_of

if TYPE_CHECKING:
    from ..core.progress import Progress
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
    policy = written.policy
    if policy.stages[0].verb == "anonymize":
        problem = "a sample of a table has other classes than the table"
        raise BadInput(problem, where="--sample", remedy="anonymize a smaller file instead")
    current: dict[str | None, Source] = {}
    spans: dict[str | None, list[Any]] = {}
    done: list[Done] = []
    steps = steps_of(policy)
    for number, step in enumerate(steps):
        report = reporter(progress, f"{number + 1}/{len(steps)} {step.stage.verb}")
        setting = Setting(written, key, report)
        if step.column not in current:
            whole = read_input(written, written.path(policy.input.path), step.column)
            current[step.column] = sampled(whole, share, policy.seed)
        source = current[step.column]
        done.append(_taken(step, source, done, spans, setting))
        current[step.column] = replace(source, texts=list(done[-1].release.data))
    return _found(done)


def sampled(source: Source, share: float, seed: int) -> Source:
    """The documents of the sampled people; who is sampled depends on the seed alone.

    >>> from sfumato.formats import jsonl
    >>> raw = b"".join(b'{"who": "p%d", "note": "calm"}\\n' % (i // 2) for i in range(100))
    >>> source = jsonl.read(raw, "notes.jsonl", text_column="note", group_column="who")
    >>> few = sampled(source, 0.2, 0)
    >>> len(set(few.groups)) * 2 == len(few.texts), 0 < len(few.texts) < 50
    (True, True)
    """
    if source.is_single:
        raise BadInput(
            "one text has no people or documents to sample", where="--sample", remedy="run it whole"
        )
    owners = source.groups or [str(i) for i in range(len(source.texts))]
    limit = int(share * 2**64)
    chosen: list[int] = []
    for i, owner in enumerate(owners):
        drawn = hashlib.sha256(f"{seed}\0{owner}".encode("utf-8", "surrogatepass")).digest()
        if int.from_bytes(drawn[:8]) < limit:
            chosen.append(i)
    if not chosen:
        raise BadInput("nobody was sampled", where="--sample", remedy="give a larger share")
    groups = None if source.groups is None else [source.groups[i] for i in chosen]
    return replace(source, texts=[source.texts[i] for i in chosen], groups=groups)


def _taken(
    step: Step,
    source: Source,
    done: Sequence[Done],
    spans: dict[str | None, list[Any]],
    setting: Setting,
) -> Done:
    mine = [one for one in done if one.step.column == step.column]

    def found() -> list[Any]:
        if step.column not in spans:
            if setting.written.policy.spans is not None:
                raise BadInput(
                    "a review file belongs to all documents",
                    where="--sample",
                    remedy="run it whole",
                )
            spans[step.column] = found_spans(mine[0].source if mine else source, setting)
        return moved(spans[step.column], traces(mine))

    release, texts = call(step, source, found, setting)
    return Done(step, source, replace(release, data=texts), {}, "", fresh=True)


def _found(done: Sequence[Done]) -> Preview:
    verdicts, changed = [], {}
    for column in dict.fromkeys(one.step.column for one in done):
        mine = [one for one in done if one.step.column == column]
        for judged in composed.judge([judged_step(one) for one in mine]):
            verdict = judged.verdict
            name = mine[judged.step].step.name
            verdicts.append((name, verdict.holds, verdict.claim.statement))
        size, lost = changed_symbols(mine)
        changed[column or "text"] = lost / size if size else 0.0
    groups = done[0].source.groups
    persons = None if groups is None else len(set(groups))
    return Preview(len(done[0].source.texts), persons, tuple(verdicts), changed)
