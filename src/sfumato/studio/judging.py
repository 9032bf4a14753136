"""Judge: what a policy costs and what attackers find, for its own k and for others."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..attacks.explanations import EXPLAINED
from ..core.errors import SfumatoError
from ..formats.source import filled
from ..judging.sweep import sweep
from ..methods import method
from ..pipeline import chains, measures
from ..pipeline.stages import given_to, recognizer_name
from ..pipeline.steps import RunContext, is_table
from ..pipeline.table_stage import schema_of
from . import policies, preview_answers, previews
from .places import write_private

if TYPE_CHECKING:
    from ..core.progress import Progress
    from ..core.values import JsonObject
    from ..pipeline.policy import PolicyFile
    from ..pipeline.steps import StageResult
    from .previews import PolicyPreview
    from .reading import InputLimits

JUDGED = "judged.json"
WORD = re.compile(r"[^\W\d_][\w'-]*|\d(?:[\d./:-]*\d)?")
RISKY = 20  # people or documents that are listed
LEAST = 3  # letters of a word that is looked at


def work(project: Path, results: Path, allowed: InputLimits, progress: Progress) -> JsonObject:
    """Judges the policy on the whole data; what names people stays in the job's private folder."""
    written, state = policies.read(project), previews.state_of(project)
    found = previews.taken_whole(written, progress)
    progress("checking the claims", 0.3)
    told: JsonObject = {"verdicts": preview_answers.verdicts_of(found), "state": state}
    shown = preview_answers.shown(found)
    told |= {"changed": shown["changed"], "people": shown["people"]}
    told["documents"] = len(found.documents)
    told["protected"] = [stage.verb for stage in written.policy.stages]
    progress("attacking", 0.4)
    told["attacks"] = _attacks(written, found.done)
    progress("other values", 0.7)
    told["curve"] = _curve(written, found)
    progress("who stands out", 0.95)
    risky = riskiest(found)
    write_private(results / JUDGED, json.dumps({**told, "riskiest": risky}).encode())
    return {"documents": told["documents"], "attacks": len(told["attacks"])}


def _attacks(written: PolicyFile, done: Sequence[StageResult]) -> list[JsonObject]:
    """Every attack that applies, with what it means in words."""
    asked = written.policy.model_copy(update={"attacks": "all", "evaluation": None, "sweep": []})
    from dataclasses import replace

    try:
        found = measures.figures(replace(written, policy=asked), done)["attacks"]
    except SfumatoError:  # one text, say, has no people to be told apart
        return []
    return [one | _explained(str(one["name"])) for one in found]


def _explained(name: str) -> dict[str, str]:
    """What an attack does, what a bad number is, and what to change then."""
    known = EXPLAINED.get(name)
    if known is None:
        return {}
    return {
        "title": known.title,
        "sentence": known.does,
        "bad": known.bad,
        "change": known.remedy,
    }


def _curve(written: PolicyFile, found: PolicyPreview) -> JsonObject | None:
    """Loss and the success of attacks for other values of the last stage that has such a one."""
    done = found.done
    last = next((one for one in reversed(done) if method(one.release.verb).swept), None)
    if last is None:
        return None
    swept = method(last.release.verb).swept
    assert swept is not None
    now = getattr(last.step.stage, swept.option)
    values = list(swept.values)
    if isinstance(now, int):
        values = sorted({*values, now})
    try:
        curve = _swept(written, last, values)
    except SfumatoError:
        return None
    return {
        **curve.as_dict(),
        "stage": last.step.number,
        "now": now,
        "titles": {name: EXPLAINED[name].title for name in EXPLAINED},
        "curves": None,
    }


def _swept(written: PolicyFile, last: StageResult, values: Sequence[object]) -> Any:
    verb, seed = last.release.verb, written.policy.seed
    context = RunContext(written, b"the key of a sweep, and of no release")
    if is_table(written.policy) and last.step.takes_table:
        schema = schema_of(context)
        frame = last.release.sides.input
        name = recognizer_name(context) if schema.texts else None
        return sweep(frame, verb, values, schema=schema, recognizer=name, seed=seed, sample=200)
    call = method(verb).bind(given_to(last.step, last.source, context, list))
    option = method(verb).swept
    assert option is not None
    ours = {"groups", option.option}
    arguments = {name: one for name, one in call.arguments.items() if name not in ours}
    groups = last.source.groups
    return sweep(call.data, verb, values, groups=groups, seed=seed, sample=200, **arguments)


def riskiest(found: PolicyPreview) -> list[dict[str, object]]:
    """The people (documents, where nobody is named) whose legible words the fewest share.

    For each, the rarest legible word, and how many show its two rarest words together.
    """
    columns = preview_answers.text_columns(found)
    if not columns:
        return _smallest(found)
    column = columns[0]
    mine = chains.of_column(found.done, column)
    texts = filled(chains.released(mine[-1]))
    groups = mine[-1].source.groups or [str(i) for i in range(len(texts))]
    words: dict[str, set[str]] = {}
    first: dict[str, int] = {}
    for i, text in enumerate(texts):
        first.setdefault(groups[i], i)
        found_words = {w.casefold() for w in WORD.findall(text) if len(w) >= LEAST}
        words.setdefault(groups[i], set()).update(found_words)
    shared = Counter(word for some in words.values() for word in some)
    ranked = []
    for owner, some in words.items():
        rare = sorted(some, key=lambda word: (shared[word], word))[:2]
        if rare:
            both = sum(1 for other in words.values() if all(word in other for word in rare))
            ranked.append((both, shared[rare[0]], owner, rare))
    ranked.sort(key=lambda one: one[:2])
    return [
        {
            "record": found.documents[_row(found, first[owner])] + 1,
            "words": rare,
            "shared": [shared[word] for word in rare],
            "together": both,
        }
        for both, _, owner, rare in ranked[:RISKY]
    ]


def _smallest(found: PolicyPreview) -> list[dict[str, object]]:
    """Of a table without texts: one record of each class, the smallest classes first."""
    place = chains.table_at(found.done)
    if place is None:
        return []
    release = found.done[place].release
    sides, frame = release.sides.of_table, release.data
    names = [name for name in sides.schema.named("quasi") if name in frame.columns]
    people: dict[int, set[int]] = {}
    first: dict[int, int] = {}
    for at, (one, person) in enumerate(
        zip(sides.classes.tolist(), sides.person_of_row.tolist(), strict=True)
    ):
        first.setdefault(one, at)
        people.setdefault(one, set()).add(person)
    ranked = sorted(first, key=lambda one: (len(people[one]), first[one]))[:RISKY]
    return [
        {
            "record": found.documents[_row(found, first[one])] + 1,
            "words": [f"{name} {frame[name][first[one]]}" for name in names[:LEAST]],
            "shared": [len(people[one])],
            "together": len(people[one]),
        }
        for one in ranked
    ]


def _row(found: PolicyPreview, at: int) -> int:
    place = chains.table_at(found.done)
    return at if place is None else int(found.done[place].release.sides.of_table.rows[at])
