"""The verb `generalize`."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ...core.corpus import Corpus
from ...core.errors import BadInput
from ...core.loss import Loss
from ...core.options import check_kinds, check_run
from ...core.release import Release
from ...core.spans import Change, Changes
from ...ontologies import Ontology, Volume, key_of
from ...recognizers import spans_of
from .claims import claims_of, not_protected
from .find import find_mentions, lexicon_of_ontology
from .marks import are_spans, mark
from .options import (
    Objective,
    Search,
    Unknown,
    check_choices,
    check_numbers,
    check_ontology,
    check_own_are_marked,
    check_t,
    thresholds,
    word_thresholds,
)
from .plan import UNKNOWN, Plan, Rules, plan_document
from .plausibility import Frequencies
from .realise import article_change, realise
from .senses import Context

if TYPE_CHECKING:
    from ...core.progress import Progress
    from ...core.segments import Segment


def generalize(
    texts: Any,
    t: int | Sequence[Any] = 32,
    words: Any = None,
    objective: Objective = "uniform",
    search: Search = "exact",
    alpha: float = 0.5,
    min_volume: int = 2,
    ontology: Ontology | str | Path | None = None,
    volume: Volume = "leaves",
    sense: Literal["context", "first"] | Mapping[str, int] = "context",
    unknown: Unknown = "suppress",
    segment: Segment = "document",
    *,
    t_words: Mapping[str, int] | None = None,
    frequencies: Mapping[str, float] | Sequence[str] | None = None,
    mask: str = "★",
    engine: str | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Release:
    """Makes sensitive words more general, so that at least t base texts generalise to the text.

    `words` is None (every noun the ontology knows), a list of words and phrases, spans, or a
    recogniser (a function from texts to spans). `t` is one number, or one per document or segment
    (lists); `t_words` gives single words a least volume of their own. `frequencies` (a table, or
    texts to count in) makes base values unequally likely. `sense` may also name sense numbers by
    word.

    Paper: Definitions 2 to 4. Cost: milliseconds a document, dominated by the search.

    >>> note = "Uses marijuana for phantom limb pain"
    >>> generalize(note, t=10, words=["marijuana", "phantom limb pain"]).data
    'Uses soft drug for pain'
    """
    check_choices(objective, search, volume, unknown, segment, sense)
    check_numbers(alpha, min_volume, mask)
    check_run(engine, seed, progress)
    corpus = Corpus.of(texts)
    _check_masked(corpus, mask)
    if not isinstance(t, Sequence):
        check_t(t)
    elif not corpus.is_single and len(t) != len(corpus.texts):
        raise BadInput(
            f"expected {len(corpus.texts)} entries, one per document, found {len(t)}", where="t"
        )
    table = check_ontology(ontology)
    if frequencies is not None and objective == "smallest":
        raise BadInput(
            "the smallest |D| counts base texts, likely or not",
            where="frequencies",
            remedy="use objective='uniform'",
        )
    counted = _frequencies(frequencies, table)
    if isinstance(sense, Mapping):
        check_kinds(text={f"sense, entry {i}": word for i, word in enumerate(sense)})
        check_kinds(whole={f"sense, entry {i}": n for i, n in enumerate(sense.values())})
    given = {key_of(w): n for w, n in sense.items()} if isinstance(sense, Mapping) else sense
    rules = Rules(
        table, volume, objective, search, alpha, min_volume, given, segment,
        word_thresholds(t_words), counted, Context(table),
    )  # fmt: skip
    check_own_are_marked(t_words, words)
    if callable(words):
        words = spans_of(words, corpus.texts, progress)
    marks = mark(corpus.texts, words, table)
    plans = _plans(corpus, marks, rules, t, progress)
    parameters: dict[str, Any] = {
        "t": t if isinstance(t, Sequence) else int(t),
        "objective": objective,
        "search": search,
        "alpha": alpha,
        "min_volume": min_volume,
        "ontology": table.name,
        "ontology_sha256": table.digest,
        "path": "first",
        "volume": volume,
        "sense": sense if isinstance(sense, str) else "given",
        "unknown": unknown,
        "segment": segment,
        "words_with_own_t": len(t_words or {}),
        "frequencies": frequencies is not None,
        "spans": sum(map(len, marks)) if are_spans(words) else 0,
        "mask": mask,
        "seed": seed,
    }
    private = _private(corpus, words, table, t_words, counted, plans, rules)
    return _release(corpus, plans, rules, parameters, private)


def _check_masked(corpus: Corpus, mask: str) -> None:
    for i, text in enumerate(corpus.texts):
        if mask in text:
            raise BadInput(
                "the text already contains the mask", where=f"document {i}", remedy="choose another"
            )


def _frequencies(
    given: Mapping[str, float] | Sequence[str] | None, ontology: Ontology
) -> Frequencies | None:
    """From a table of words, or by counting the ontology's words in reference texts."""
    if given is None:
        return None
    if isinstance(given, Mapping):
        check_kinds(number={f"frequencies, entry {i}": n for i, n in enumerate(given.values())})
        check_kinds(text={f"frequencies, entry {i}": word for i, word in enumerate(given)})
        if any(not count >= 0 for count in given.values()):
            raise BadInput("a count is negative or no number", where="frequencies")
        return Frequencies.of(given, ontology)
    lexicon = lexicon_of_ontology(ontology)
    counts: Counter[str] = Counter()
    for text in Corpus.of(given, "frequencies").texts:
        for mention in find_mentions(text, lexicon):
            counts[next(key for key in mention.keys if ontology.senses(key))] += 1
    return Frequencies.of(counts, ontology)


def _plans(
    corpus: Corpus, marks: Sequence[Sequence[Any]], rules: Rules, t: Any, progress: Progress | None
) -> list[Plan]:
    plans = []
    total = len(corpus.texts)
    for i, (text, mentions) in enumerate(zip(corpus.texts, marks, strict=True)):

        def limits(segments: int, i: int = i) -> list[int]:
            return thresholds(t, corpus.is_single, i, segments)

        plans.append(plan_document(text, mentions, rules, limits, f"document {i}"))
        if progress is not None and (i % 256 == 255 or i + 1 == total):
            progress("generalize", (i + 1) / total)
    return plans


def _private(
    corpus: Corpus,
    words: Any,
    ontology: Ontology,
    t_words: Mapping[str, int] | None,
    frequencies: Frequencies | None,
    plans: Sequence[Plan],
    rules: Rules,
) -> dict[str, Any]:
    """What verification and metrics need and nobody else may see."""
    factors = [
        (i, m.start, m.stop, node, rules.ladder(node).nodes[plan.levels[node]])
        if node != UNKNOWN
        else (i, m.start, m.stop, UNKNOWN, UNKNOWN)
        for i, plan in enumerate(plans)
        for m, node in zip(plan.mentions, plan.nodes, strict=True)
    ]
    private: dict[str, Any] = {"input": corpus, "ontology": ontology, "marks": factors}
    if isinstance(words, Sequence) and all(isinstance(word, str) for word in words):
        private["words"] = list(words)
    if are_spans(words):
        private["spans"] = [
            (i, m.start, m.stop) for i, plan in enumerate(plans) for m in plan.mentions
        ]
    if t_words:
        private["t_words"] = sorted(t_words.items())
    if frequencies is not None:
        private["frequencies"] = sorted(frequencies.words.items())
    return private


def _release(
    corpus: Corpus,
    plans: Sequence[Plan],
    rules: Rules,
    parameters: dict[str, Any],
    private: Mapping[str, Any],
) -> Release:
    changes: list[Change] = []
    released = []
    for i, (text, plan) in enumerate(zip(corpus.texts, plans, strict=True)):
        here = _changes(text, i, plan, rules, parameters)
        changes += here
        released.append(_changed(text, here))
    parts = [part for plan in plans for part in plan.parts]
    nodes = [node for plan in plans for node in plan.nodes]
    unchanged = sum(
        plan.levels[node] == 0 for plan in plans for node in plan.nodes if node != UNKNOWN
    )
    unknown = nodes.count(UNKNOWN)
    bits = {
        "log2_base_texts": min((part.log2_base_texts for part in parts), default=0.0),
        "log2_without_hyponyms": min((part.log2_without_hyponyms for part in parts), default=0.0),
    }
    counts = {
        "documents": len(corpus.texts),
        "segments_with_known_words": len(parts),
        "marked": len(nodes),
        "unknown": unknown,
        "unchanged": unchanged,
    }
    suppressed = unknown if parameters["unknown"] == "suppress" else 0
    loss = {
        "cost": math.fsum(part.cost for part in parts),
        "generalized": len(nodes) - unknown - unchanged,
        "suppressed": suppressed,
        **bits,
    }
    notes = _warnings(parameters, counts)
    for warning in notes:
        warnings.warn(warning, stacklevel=3)
    return Release(
        "generalize",
        corpus.rebuild(released),
        claims_of(parameters, bits, unknown),
        Changes.of(changes),
        Loss(loss),
        parameters,
        counts,
        not_protected(parameters),
        notes,
        private,
    )


def _changes(
    text: str, document: int, plan: Plan, rules: Rules, parameters: Mapping[str, Any]
) -> list[Change]:
    """What is replaced in one document, in order; articles before what they agree with."""
    result: list[Change] = []
    for mention, node, plural in zip(plan.mentions, plan.nodes, plan.plural, strict=True):
        place = mention.start, mention.stop
        if node == UNKNOWN:
            if parameters["unknown"] == "fail":
                raise BadInput(
                    "the ontology lacks a marked word",
                    where=f"document {document}, offsets {mention.start} to {mention.stop}",
                    remedy="use unknown='suppress' or 'keep', or another ontology",
                )
            if parameters["unknown"] == "suppress":
                result.append(Change(document, *place, parameters["mask"], "unknown word"))
            continue
        level = plan.levels[node]
        if level == 0:
            continue
        ladder = rules.ladder(node)
        general, proper = rules.general_word(node, level), rules.is_name(node, mention)
        word = realise(text, *place, general, plural=plural, proper=proper)
        article = article_change(text, document, mention.start, text[slice(*place)], word)
        if article is not None and (not result or result[-1].stop <= article.start):
            result.append(article)
        reason = f"level {level}, {ladder.volumes[level]} base values"
        result.append(Change(document, *place, word, reason))
    return result


def _changed(text: str, changes: Sequence[Change]) -> str:
    pieces, at = [], 0
    for change in changes:
        pieces += [text[at : change.start], change.replacement]
        at = change.stop
    return "".join([*pieces, text[at:]])


def _warnings(parameters: Mapping[str, Any], counts: Mapping[str, int]) -> tuple[str, ...]:
    result = []
    if counts["unknown"]:
        what = "suppressed" if parameters["unknown"] == "suppress" else "kept as they are"
        result.append(f"the ontology lacks {counts['unknown']} marked words: they were {what}")
    if counts["unchanged"]:
        result.append(f"{counts['unchanged']} marked words stay as they are")
    return tuple(result)
