"""The verb `redact`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ...core.corpus import Corpus
from ...core.engine import elsewhere, is_elsewhere
from ...core.errors import BadInput
from ...core.loss import Loss
from ...core.options import check_kinds, check_run
from ...core.release import Release, Sides
from ...core.spans import Changes
from ...kernels.terms import DIRECT, OVERLAP, REPLACED, SHARED, STARRED, Automaton
from ...recognizers import resolve
from .articles import ARTICLE, Beginnings, with_told
from .claims import claims_of, not_protected
from .dictionary import TermDictionary
from .find import Places, Search, places
from .folding import Folding
from .listed_spans import spelt, split_spans, whole_places
from .publication import SHARED_MARKS, Guarantee, Plan, Publication, RareLengths, Strings
from .term_list import TermList, read_terms

if TYPE_CHECKING:
    from ...core.progress import Progress
    from ...core.spans import Span
    from ...core.values import Data, JsonObject

REASONS = {
    REPLACED: "quasi-identifier",
    OVERLAP: "overlaps a replaced term",
    DIRECT: "direct identifier",
    STARRED: "starred whole: too few terms could stand there as its string",
    SHARED: "too few terms could stand there as its string",
    ARTICLE: "article",
}


def redact(
    texts: Data,
    terms: Data,
    k: int = 5,
    guarantee: Guarantee = "published",
    direct: object = None,
    rare_lengths: RareLengths = "shared",
    mask: str | Sequence[str] = "*",
    *,
    whole_words: bool = True,
    fold_case: bool | None = None,
    fold_width: bool | None = None,
    engine: object = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Release:
    """Redacts characters of listed terms, as few as k-anonymity of the terms allows.

    `texts` is a str, a sequence of str or a frame's column; `terms` a TermDictionary or what one
    is made of. `guarantee="published"`: k terms of the list are published as that very string;
    `"matching"` (the paper): k terms match it. `direct` identifiers are starred whole. Both lists
    may hold spans: direct ones are starred where they stand, the texts of the others are terms. Of
    several masks the first that no text and no term contains is used. `whole_words` holds for
    scripts that have words; `fold_case` and `fold_width` overlook case and width.

    Paper: Section 3.1, Steps 1 to 3. Cost: O(n + occurrences), and the list's publication.

    >>> terms = ["crew", "craw", "draw", "drew"]
    >>> redact("The crew drew a straw.", terms, k=2).data
    'The cr*w dr*w a straw.'
    """
    if is_elsewhere(engine):
        made: Release = elsewhere("redact", locals())
        return made
    corpus = Corpus.of(texts)
    check_run(engine, seed, progress)
    check_kinds(flag={"whole_words": whole_words})
    listed, quasi = split_spans(terms, corpus.texts)
    named, spans = split_spans(direct, corpus.texts)
    found_terms, unfound = spelt(quasi, corpus.texts, whole_words)
    if quasi:
        listed = [*(_strings(listed) if listed is not None else ()), *found_terms]
    spans = resolve([*spans, *unfound])
    dictionary = _dictionary(listed, fold_case, fold_width)
    direct_terms = None if named is None else read_terms(named, dictionary.folding, "direct")
    mark = _mask(mask, corpus, dictionary)
    plan = Plan(guarantee, k, rare_lengths, whole_words, dictionary.counted)
    plan.require_valid()
    publication = dictionary.publication(plan, _stage(progress, "publish"))
    search = _search(dictionary, plan, direct_terms, whole_words)
    blocked = whole_places(spans, corpus.texts, whole_words)
    found = list(places(corpus.texts, search, blocked, _stage(progress, "redact")))
    parameters = {
        "k": k,
        "guarantee": guarantee,
        "rare_lengths": rare_lengths,
        "mask": mark,
        "shared": SHARED_MARKS,
        **({"candidates": guarantee == "published"} if dictionary.counted else {}),
        **_retold(dictionary, guarantee, direct_terms, bool(spans or quasi)),
        "whole_words": whole_words,
        "fold_case": dictionary.folding.case,
        "fold_width": dictionary.folding.width,
        "direct": direct_terms is not None,
        "spans": bool(spans or quasi),
        "seed": seed,
    }
    asked = ("articles" in parameters and k > 1, "direct_articles" in parameters)
    told = Beginnings(dictionary.terms, search.strings, mark, *asked) if any(asked) else None
    return _release(corpus, dictionary, publication, direct_terms, spans, found, parameters, told)


def _retold(
    dictionary: TermDictionary, guarantee: str, direct: TermList | None, spans: bool
) -> dict[str, bool]:
    """Before what articles are written so that they tell nothing of it: they are no terms."""
    forms = ("a", "an", "A", "An", "AN")
    if any(one in dictionary.terms or (direct is not None and one in direct) for one in forms):
        return {}
    terms = guarantee == "published" and dictionary.counted
    return {
        **({"articles": True} if terms else {}),
        **({"direct_articles": True} if direct is not None or spans else {}),
    }


def _dictionary(terms: Data, fold_case: bool | None, fold_width: bool | None) -> TermDictionary:
    for name, given in (("fold_case", fold_case), ("fold_width", fold_width)):
        check_kinds(flag={} if given is None else {name: given})
    if not isinstance(terms, TermDictionary):
        return TermDictionary(terms, fold_case=bool(fold_case), fold_width=bool(fold_width))
    for name, asked, has in (
        ("fold_case", fold_case, terms.folding.case),
        ("fold_width", fold_width, terms.folding.width),
    ):
        if asked is not None and asked != has:
            raise BadInput(
                f"the dictionary was made with {name}={has}",
                where=name,
                remedy="drop it here, or make the dictionary so",
            )
    return terms


def _strings(terms: Data) -> list[str]:
    """Listed terms as they are, to be joined with those of spans."""
    if isinstance(terms, TermDictionary):
        raise BadInput(
            "a dictionary is made already and takes no terms of spans",
            where="terms",
            remedy="give the list it was made of",
        )
    return read_terms(terms, Folding(False, False)).strings()


def _stage(progress: Progress | None, name: str) -> Callable[[float], None] | None:
    return None if progress is None else lambda share: progress(name, share)


def _mask(mask: str | Sequence[str], corpus: Corpus, dictionary: TermDictionary) -> str:
    """The first allowed mask that neither a term nor a text contains."""
    allowed = [mask] if isinstance(mask, str) or not isinstance(mask, Sequence) else list(mask)
    check_kinds(text={f"mask[{i}]": one for i, one in enumerate(allowed)})
    if not allowed:
        raise BadInput("no mask given", where="mask", remedy="give at least one character")
    problem: BadInput | None = None
    for one in allowed:
        try:
            dictionary.check_mask(one)
        except BadInput as refused:
            problem = problem or refused
            continue
        place = next((i for i, text in enumerate(corpus.texts) if one in text), None)
        if place is None:
            return one
        problem = problem or BadInput(
            "the text already contains the mask",
            where=f"document {place}",
            remedy="choose another mask, or allow several",
        )
    assert problem is not None
    raise problem


def _search(
    dictionary: TermDictionary,
    plan: Plan,
    direct: TermList | None,
    whole_words: bool,
) -> Search:
    automaton = dictionary.automaton()
    second = None
    if direct is not None:
        second = Automaton.of(
            sorted({dictionary.folding.without_case(term) for term in direct.strings()})
        )
    strings = dictionary.strings(plan)
    return Search(automaton, second, strings, dictionary.folding, whole_words)


def _release(
    corpus: Corpus,
    dictionary: TermDictionary,
    publication: Publication,
    direct: TermList | None,
    spans: list[Span],
    found: list[Places],
    parameters: JsonObject,
    told: Beginnings | None,
) -> Release:
    mask = parameters["mask"]
    string = lru_cache(maxsize=None)(lambda term: publication.string(dictionary.terms, term, mask))
    replacements: list[str] = []
    released = []
    for document, (text, here) in enumerate(zip(corpus.texts, found, strict=True)):
        if not len(here.starts):
            released.append(text)
            continue
        new = [
            string(term) if term >= 0 else mask * size
            for term, size in zip(here.terms.tolist(), here.sizes.tolist(), strict=True)
        ]
        if told is not None:
            here, new = with_told(here, new, told.told(document, text, here))
            found[document] = here
        released.append(_written(text, here, new))
        replacements += new
    changes = _changes(found, replacements)
    exempt = publication.exempt()
    places = [(span.document, span.start, span.stop) for span in spans]
    sides = Sides(
        input=corpus,
        terms=dictionary.terms,
        published=Strings(publication, dictionary.terms, mask),
        direct=direct,
        spans=places if parameters["spans"] else None,
    )
    return Release(
        verb="redact",
        data=corpus.rebuild(released),
        claims=claims_of(parameters),
        changes=changes,
        loss=_loss(corpus, dictionary, publication, found, replacements, mask),
        parameters=parameters,
        counts=_counts(corpus, dictionary, found, exempt) | {"spans": len(spans)},
        not_protected=not_protected(parameters),
        warnings=(),
        sides=sides,
    )


def _written(text: str, here: Places, replacements: Iterable[str]) -> str:
    pieces, at = [], 0
    for start, stop, new in zip(
        here.starts.tolist(), here.stops.tolist(), replacements, strict=True
    ):
        pieces += [text[at:start], new]
        at = stop
    return "".join([*pieces, text[at:]])


def _changes(found: list[Places], replacements: list[str]) -> Changes:
    sizes = [len(here.starts) for here in found]
    some = [here for here in found if len(here.starts)]
    joined = [
        np.concatenate([np.zeros(0, np.int64), *column])
        for column in (
            [here.starts for here in some],
            [here.stops for here in some],
            [here.marks for here in some],
        )
    ]
    reasons = [REASONS[int(mark)] for mark in joined[2]]
    return Changes(
        np.repeat(np.arange(len(found)), sizes), joined[0], joined[1], replacements, reasons
    )


def _counts(
    corpus: Corpus, dictionary: TermDictionary, found: list[Places], exempt: int
) -> dict[str, int]:
    some = (here.marks for here in found if len(here.marks))
    marks = np.concatenate([np.zeros(0, np.uint8), *some])
    return {
        "documents": len(corpus.texts),
        "symbols": sum(map(len, corpus.texts)),
        "terms": len(dictionary),
        "replaced": int((marks == REPLACED).sum()),
        "overlapping": int((marks == OVERLAP).sum()),
        "direct": int((marks == DIRECT).sum()),
        "exempt_terms": exempt,
    }


def _loss(
    corpus: Corpus,
    dictionary: TermDictionary,
    publication: Publication,
    found: list[Places],
    replacements: list[str],
    mask: str,
) -> Loss:
    spans = (
        (stop - start, new)
        for (start, stop), new in zip(
            (
                place
                for here in found
                if len(here.starts)
                for place in zip(here.starts.tolist(), here.stops.tolist(), strict=True)
            ),
            replacements,
            strict=True,
        )
    )
    redacted = sum(size if new.count(mask) == len(new) else new.count(mask) for size, new in spans)
    symbols = sum(map(len, corpus.texts))
    return Loss(
        {
            "redacted": redacted,
            "redacted_share": redacted / symbols if symbols else 0.0,
            "list_share": lambda: _list_stars(publication) / max(1, _characters(dictionary)),
            "list_stars_over_bound": lambda: _over_bound(dictionary, publication),
        }
    )


def _list_stars(publication: Publication) -> int:
    return sum(int(flags.sum()) for flags in publication.stars)


def _characters(dictionary: TermDictionary) -> int:
    return sum(codes.size for codes in dictionary.terms.classes)


def _over_bound(dictionary: TermDictionary, publication: Publication) -> float:
    """Stars of the list over their lower bound: each term's fewest under `matching`."""
    plan = publication.plan
    bound = _list_stars(dictionary.trial(replace(plan, guarantee="matching")))
    return _list_stars(publication) / bound if bound else 1.0
