"""The verb `generalize`."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ...core.corpus import Corpus
from ...core.engine import elsewhere, is_elsewhere
from ...core.errors import BadInput
from ...core.loss import Loss
from ...core.memo import remembered
from ...core.method import check_options
from ...core.options import check_kinds, check_run
from ...core.release import Release, Sides
from ...core.spans import Change, Changes
from ...ontologies import Ontology, Volume, key_of
from ...recognizers import spans_of
from .claims import claims_of, not_protected, notes_of
from .find import find_mentions, lexicon_of_ontology
from .given_back import returned
from .marks import are_spans, mark
from .method import Options
from .options import (
    Guarantee,
    Objective,
    Search,
    Unknown,
    check_choices,
    check_guarantee,
    check_numbers,
    check_ontology,
    check_own_are_marked,
    check_t,
    thresholds,
    word_thresholds,
)
from .partition import Tree, tree_of
from .plan import UNKNOWN, Plan, Rules, plan_document
from .plausibility import Frequencies
from .published_texts import PublishedPlan, plan_published
from .senses import Context
from .writer import Writer, changed

if TYPE_CHECKING:
    from ...core.progress import Progress
    from ...core.segments import Segment
    from ...core.values import Data, JsonValues
    from ...recognizers.give_back import Returned


def generalize(
    texts: Data,
    t: int | Sequence[object] = 32,
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
    guarantee: Guarantee | None = None,
    *,
    t_words: Mapping[str, int] | None = None,
    frequencies: Mapping[str, float] | Sequence[str] | None = None,
    give_back: int | None = None,
    mask: str = "★",
    engine: object = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Release:
    """Makes sensitive words more general, so that at least t base texts are published as the text.

    With `guarantee="plausible"`, the paper's, at least t base texts generalise to the text;
    `objective`, `search`, `alpha`, `volume` and `frequencies` belong to it and select it.
    `words` is None (every noun the ontology knows), a list of words and phrases, spans, or a
    recogniser (a function from texts to spans). `t` is one number, or one per document or segment
    (lists); `t_words` gives single words a least volume of their own. `frequencies` (a table, or
    texts to count in) makes base values unequally likely. `sense` may also name sense numbers by
    word. Of spans, a quasi-identifier that stands in `give_back` texts stays as it is.

    Paper: Definitions 2 to 4. Cost: milliseconds a document, dominated by the search for words.

    >>> generalize("Had tuberculosis in Sacramento", words=["tuberculosis", "Sacramento"]).data
    'Had infectious disease in state capital'
    >>> note, words = "Uses marijuana for phantom limb pain", ["marijuana", "phantom limb pain"]
    >>> generalize(note, t=10, words=words, guarantee="plausible").data
    'Uses soft drug for pain'
    """
    if is_elsewhere(engine):
        made: Release = elsewhere("generalize", locals())
        return made
    check_choices(objective, search, volume, unknown, segment, sense)
    of_paper = {"objective": objective, "search": search, "alpha": alpha, "volume": volume}
    guarantee, notice = check_guarantee(guarantee, {**of_paper, "frequencies": frequencies})
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
    by_spans = callable(words) or are_spans(words)
    if callable(words):
        words = spans_of(words, corpus.texts, progress)
    check_options(Options, {"give_back": give_back})
    if give_back is not None and not by_spans:
        raise BadInput(
            "only what a recogniser found is given back", where="give_back", remedy="give spans"
        )
    tree = tree_of(table) if guarantee == "published" else None

    def planned(words: Data) -> list[Plan | PublishedPlan]:
        marks = remembered(
            *("marks", 2, lambda: _mark_key(corpus, words, table)),
            lambda: mark(corpus.texts, words, table),
        )
        return _plans(corpus, marks, rules, tree, t, progress)

    back: Returned | None = None
    if give_back is None:
        plans = planned(words)
    else:
        words, back, plans = returned(words, corpus.texts, give_back, planned, tree)
    parameters: dict[str, object] = {
        "t": t if isinstance(t, Sequence) else int(t),
        "guarantee": guarantee,
        **({} if tree is not None else of_paper),
        "min_volume": min_volume,
        "ontology": table.name,
        "ontology_sha256": table.digest,
        "path": "first",
        "sense": sense if isinstance(sense, str) else "given",
        "unknown": unknown,
        "segment": segment,
        "words_with_own_t": bool(t_words),
        "frequencies": frequencies is not None,
        "spans": by_spans,
        "counted": any(plan.parts for plan in plans) or _says_nothing(tree, plans),
        "mask": mask,
        "seed": seed,
    }
    if give_back is not None:
        parameters["give_back"] = give_back
    private = _private(corpus, words, by_spans, table, t_words, counted, plans)
    private = replace(private, given_back=back)
    writer = Writer(rules, tree, parameters)
    return _release(corpus, plans, writer, parameters, private, notice)


def _mark_key(corpus: Corpus, words: object, ontology: Ontology) -> Hashable:
    """What the places of words depend on."""
    if words is not None and not isinstance(words, (list, tuple)):
        return None
    return tuple(corpus.texts), None if words is None else tuple(words), ontology.digest


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
    corpus: Corpus,
    marks: Sequence[Sequence[Any]],
    rules: Rules,
    tree: Tree | None,
    t: Any,
    progress: Progress | None,
) -> list[Plan | PublishedPlan]:
    plans: list[Plan | PublishedPlan] = []
    total = len(corpus.texts)
    for i, (text, mentions) in enumerate(zip(corpus.texts, marks, strict=True)):

        def limits(segments: int, i: int = i) -> list[int]:
            return thresholds(t, corpus.is_single, i, segments)

        if tree is None:
            plans.append(plan_document(text, mentions, rules, limits, f"document {i}"))
        else:
            plans.append(plan_published(text, mentions, rules, tree, limits, f"document {i}"))
        if progress is not None and (i % 256 == 255 or i + 1 == total):
            progress("generalize", (i + 1) / total)
    return plans


def _private(
    corpus: Corpus,
    words: Any,
    by_spans: bool,
    ontology: Ontology,
    t_words: Mapping[str, int] | None,
    frequencies: Frequencies | None,
    plans: Sequence[Plan | PublishedPlan],
) -> Sides:
    """What verification and metrics need and nobody else may see."""
    factors = [
        (i, m.start, m.stop, node, plan.general(node))
        if node != UNKNOWN
        else (i, m.start, m.stop, UNKNOWN, UNKNOWN)
        for i, plan in enumerate(plans)
        for m, node in zip(plan.mentions, plan.nodes, strict=True)
    ]
    spans = [(i, m.start, m.stop) for i, plan in enumerate(plans) for m in plan.mentions]
    return Sides(
        input=corpus,
        ontology=ontology,
        marks=factors,
        spans=spans if by_spans else None,
        words=None if by_spans or words is None else list(words),
        t_words=sorted(t_words.items()) if t_words else None,
        frequencies=None if frequencies is None else sorted(frequencies.words.items()),
    )


def _release(
    corpus: Corpus,
    plans: Sequence[Plan | PublishedPlan],
    writer: Writer,
    parameters: Mapping[str, object],
    sides: Sides,
    notice: str | None,
) -> Release:
    changes: list[Change] = []
    released = []
    for i, (text, plan) in enumerate(zip(corpus.texts, plans, strict=True)):
        here = writer.changes(text, i, plan)
        changes += here
        released.append(changed(text, here))
    counts, loss = _counts(corpus, plans, parameters), _loss(plans, parameters)
    notes = (*([] if notice is None else [notice]), *notes_of(parameters, counts))
    for warning in notes:
        warnings.warn(warning, stacklevel=3)
    return Release(
        verb="generalize",
        data=corpus.rebuild(released),
        claims=claims_of(parameters),
        changes=Changes.of(changes),
        loss=Loss(loss),
        parameters=parameters,
        counts=counts,
        not_protected=not_protected(parameters),
        warnings=notes,
        sides=sides,
    )


def _counts(
    corpus: Corpus, plans: Sequence[Plan | PublishedPlan], parameters: Mapping[str, object]
) -> dict[str, int]:
    nodes = [node for plan in plans for node in plan.nodes]
    counts = {
        "documents": len(corpus.texts),
        "segments_with_known_words": sum(len(plan.parts) for plan in plans),
        "marked": len(nodes),
        "unknown": nodes.count(UNKNOWN),
        "unchanged": _unchanged(plans),
    }
    return counts | ({"spans": len(nodes)} if parameters["spans"] else {})


def _unchanged(plans: Sequence[Plan | PublishedPlan]) -> int:
    """How many known words stay as they are; under `published` others become them."""
    return sum(
        plan.general(node) == node
        for plan in plans
        if isinstance(plan, Plan)
        for node in plan.nodes
        if node != UNKNOWN
    )


def _says_nothing(tree: object, plans: Sequence[Plan | PublishedPlan]) -> bool:
    """Whether no word was marked, and the certificate must not tell it of a text left as it was."""
    return tree is None and not any(plan.nodes for plan in plans)


def _loss(plans: Sequence[Plan | PublishedPlan], parameters: JsonValues) -> dict[str, float | int]:
    parts = [part for plan in plans for part in plan.parts]
    nodes = [node for plan in plans for node in plan.nodes]
    unknown = nodes.count(UNKNOWN)
    loss = {
        "cost": math.fsum(part.cost for part in parts),
        "generalized": len(nodes) - unknown - _unchanged(plans),
        "suppressed": unknown if parameters["unknown"] == "suppress" else 0,
    }
    if parts:  # where no word is known nothing is counted
        loss["log2_base_texts"] = min(part.log2_base_texts for part in parts)
        if parameters["guarantee"] == "plausible":
            loss["log2_without_hyponyms"] = min(part.log2_without_hyponyms for part in parts)
    return loss
