"""The verb `suppress`."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args, overload

import numpy as np

from ...core.corpus import Corpus, group_labels
from ...core.errors import BadInput
from ...core.loss import Loss
from ...core.options import check_k, check_kinds, check_memory, check_run, choose
from ...core.release import Release
from ...core.spans import Changes, Repeated, Same
from ...kernels import text
from ...kernels.external import CAP
from ...kernels.repeats import NARROW_LIMIT
from ...kernels.spill import spilled
from ...recognizers import spans_of
from .claims import claims_of, not_protected
from .legible import Rules, Starred, stars_for
from .places import Places
from .sequence import Unit, sequence_of
from .words import rare_words, rare_words_in_rare_places

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...core.progress import Progress

Count = Literal["occurrences", "documents", "groups"]
Align = Literal["word", "character"]
Cover = Literal["fewest", "longest-first", "word", "word-and-repeats"]

# What counting in memory takes for a symbol of the text, at most; measured on MEDLINE.
BYTES = {"character": 24, "grapheme": 60, "word": 12}


@overload
def suppress(
    texts: Any,
    k: int = 5,
    count: Count | None = None,
    groups: Any = None,
    unit: Unit = "character",
    align: Align = "word",
    min_run: int = 1,
    run_price: int = 0,
    cover: Cover = "fewest",
    keep: str | None = None,
    mask: str = "★",
    collapse: bool = False,
    strict: bool = False,
    *,
    spans: Any = None,
    memory: str | int | None = None,
    engine: str | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Release: ...
@overload
def suppress(
    texts: Any,
    k: Sequence[int],
    count: Count | None = None,
    groups: Any = None,
    unit: Unit = "character",
    align: Align = "word",
    min_run: int = 1,
    run_price: int = 0,
    cover: Cover = "fewest",
    keep: str | None = None,
    mask: str = "★",
    collapse: bool = False,
    strict: bool = False,
    *,
    spans: Any = None,
    memory: str | int | None = None,
    engine: str | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> dict[int, Release]: ...
def suppress(
    texts: Any,
    k: int | Sequence[int] = 5,
    count: Count | None = None,
    groups: Any = None,
    unit: Unit = "character",
    align: Align = "word",
    min_run: int = 1,
    run_price: int = 0,
    cover: Cover = "fewest",
    keep: str | None = None,
    mask: str = "★",
    collapse: bool = False,
    strict: bool = False,
    *,
    spans: Any = None,
    memory: str | int | None = None,
    engine: str | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Release | dict[int, Release]:
    """Stars what is rare, so that every legible substring occurs at least k times.

    `texts` is a str, a sequence of str or a frame's column. What is counted: `"occurrences"` (the
    default for one str), `"documents"` (for a collection) or `"groups"` (when `groups` has one
    label per text), the last two distinct. A list of k gives nested releases by k. `spans` (or a
    recogniser, or its name) are starred whatever their count, with the words they lie in.

    Where counting would take more than `memory` (bytes, or for instance `"2GB"`), it is done bucket
    by bucket with temporary files; the stars are the same unless `.counts["capped"]` is above 0.

    Paper: Definition 4.1, Algorithms 1 to 3. Cost: O(n); strict: O(n) a round.

    >>> suppress("abracadabra", k=2, align="character").data
    'abra★a★abra'
    >>> notes = ["Ann has flu.", "Bob has flu.", "Eve has flu."]
    >>> suppress(notes, k=3).data
    ['★★★ has flu.', '★★★ has flu.', '★★★ has flu.']
    """
    corpus = Corpus.of(texts)
    ks = check_k(k)
    parameters = _parameters(
        corpus, groups, count, unit, align, min_run, run_price, cover, keep, mask, collapse, strict
    )
    check_run(engine, seed, progress)
    parameters["seed"] = seed
    labels = _labels(corpus, groups, parameters["count"])
    masked = _already_masked(corpus, mask)
    places = None if spans is None else _places(corpus, spans, parameters, progress)
    allowed = _exceeded(check_memory(memory), corpus, parameters)
    releases = {
        found.k: _release(
            corpus, labels, groups, places, found, masked, allowed, {"k": found.k, **parameters}
        )
        for found in _stars(corpus, ks, labels, places, parameters, allowed, progress)
    }
    if not isinstance(k, Sequence):
        return releases[ks[0]]
    return releases


def _parameters(
    corpus: Corpus,
    groups: Any,
    count: Count | None,
    unit: Unit,
    align: Align,
    min_run: int,
    run_price: int,
    cover: Cover,
    keep: str | None,
    mask: str,
    collapse: bool,
    strict: bool,
) -> dict[str, Any]:
    """Checks the parameters, and fills in what is counted."""
    if count is None:
        count = (
            "groups" if groups is not None else "occurrences" if corpus.is_single else "documents"
        )
    choose("count", count, get_args(Count))
    choose("unit", unit, get_args(Unit))
    choose("align", align, get_args(Align))
    choose("cover", cover, get_args(Cover))
    if (count == "groups") != (groups is not None):
        raise BadInput(
            "count='groups' and groups go together",
            where="groups",
            remedy="give one label per text, or count documents",
        )
    check_kinds(
        text={"mask": mask, "keep": "" if keep is None else keep},
        whole={"min_run": min_run, "run_price": run_price},
        flag={"collapse": collapse, "strict": strict},
    )
    for name, value, least in (("min_run", min_run, 1), ("run_price", run_price, 0)):
        if value < least:
            raise BadInput(f"must be at least {least}, found {value}", where=name)
        if value >= 2**31:
            raise BadInput("must be below 2^31", where=name)
    if not mask:
        raise BadInput(
            "the mask is empty, which would join what stands around it",
            where="mask",
            remedy="give at least one symbol",
        )
    if keep and set(keep) & set(mask):
        raise BadInput(
            "a kept symbol is part of the mask", where="keep", remedy="choose another mask"
        )
    if unit == "word" and keep:
        raise BadInput(
            "with unit='word' everything between words is kept already",
            where="keep",
            remedy="drop it",
        )
    if run_price and cover != "fewest":
        raise BadInput(
            "only cover='fewest' prices runs of stars", where="run_price", remedy="drop it"
        )
    if strict and cover == "word-and-repeats":
        raise BadInput("this cover claims nothing", where="strict", remedy="use cover='fewest'")
    return {
        "count": count,
        "unit": unit,
        "align": align,
        "min_run": min_run,
        "run_price": run_price,
        "cover": cover,
        "keep": "".join(sorted(set(keep or ""))),
        "mask": mask,
        "collapse": collapse,
        "strict": strict,
    }


def _labels(corpus: Corpus, groups: Any, count: Count) -> NDArray[np.int32] | None:
    if count == "groups":
        return group_labels(groups, len(corpus.texts))
    if count == "documents":
        return np.arange(len(corpus.texts), dtype=np.int32)
    return None


def _places(
    corpus: Corpus, spans: Any, parameters: dict[str, Any], progress: Progress | None
) -> Places:
    """The spans that are starred outright."""
    cover, strict = parameters["cover"], parameters["strict"]
    if strict and cover == "word":
        raise BadInput(
            "this cover does not count words again once spans are starred",
            where="strict",
            remedy="use cover='fewest', or drop strict or spans",
        )
    whole_words = "word" in (parameters["align"], parameters["unit"]) or cover.startswith("word")
    unit: Literal["word", "grapheme"] | None = (
        "word" if whole_words else "grapheme" if parameters["unit"] == "grapheme" else None
    )
    return Places(corpus.texts, spans_of(spans, corpus.texts, progress), unit)


def _already_masked(corpus: Corpus, mask: str) -> int:
    """How many symbols of the input look like the mask; a long mask in the input is refused.

    So is one that overlaps itself ("**") beside its own symbols: where it begins could not be told.
    """
    if len(mask) == 1:
        return sum(document.count(mask) for document in corpus.texts)
    overlaps = any(mask.startswith(mask[i:]) for i in range(1, len(mask)))
    forbidden = set(mask) if overlaps else {mask}
    for i, document in enumerate(corpus.texts):
        if any(part in document for part in forbidden):
            raise BadInput(
                "the text already contains the mask, or a part of one that overlaps itself",
                where=f"document {i}",
                remedy="choose another mask",
            )
    return 0


def _exceeded(memory: int | None, corpus: Corpus, parameters: dict[str, Any]) -> int | None:
    """The allowance, if work in memory would exceed it; baselines always run in memory."""
    if memory is None or parameters["cover"] not in ("fewest", "longest-first"):
        return None
    symbols = sum(map(len, corpus.texts)) + len(corpus.texts)
    needed = BYTES[parameters["unit"]] * (2 if symbols > NARROW_LIMIT else 1)
    return memory if needed * symbols > memory else None


def _stars(
    corpus: Corpus,
    ks: Sequence[int],
    labels: NDArray[np.int32] | None,
    places: Places | None,
    parameters: dict[str, Any],
    memory: int | None,
    progress: Progress | None,
) -> Iterator[Starred]:
    """The starred symbols of every k, in the layout of symbols."""
    cover, mask, min_run = parameters["cover"], parameters["mask"], parameters["min_run"]
    if cover in ("word", "word-and-repeats"):
        found = (
            [rare_words(corpus, k, labels, mask) for k in ks]
            if cover == "word"
            else rare_words_in_rare_places(corpus, ks, labels, mask, min_run)
        )
        for k, stars in zip(ks, found, strict=True):
            yield Starred(k, stars if places is None else stars | places.symbols(), 1, 0)
        return
    codes = sequence_of(
        corpus,
        parameters["unit"],
        align=parameters["align"],
        keep=parameters["keep"],
        mask=mask,
        at_least=ks[0],
        labels=labels,
        spill=memory is not None,
    )
    rules = Rules(cover, min_run, parameters["run_price"])
    report = None if progress is None else lambda share: progress("suppress", share)
    make = np.zeros if memory is None else spilled
    starred = None if places is None else places.symbols(make)
    for one in stars_for(
        codes,
        ks,
        labels,
        rules,
        starred=None if starred is None else codes.touched(starred),
        strict=parameters["strict"],
        memory=memory,
        progress=report,
    ):
        stars = codes.symbols(one.stars)
        if starred is not None:  # also what no unit covers: blanks between words, kept symbols
            stars |= starred
        yield replace(one, stars=stars)


def _release(
    corpus: Corpus,
    labels: NDArray[np.int32] | None,
    groups: Any,
    places: Places | None,
    found: Starred,
    already_masked: int,
    memory: int | None,
    parameters: dict[str, Any],
) -> Release:
    stars = found.stars
    mask, collapse = parameters["mask"], parameters["collapse"]
    released = text.mask_texts(corpus.texts, stars, mask, collapse)
    ends = np.cumsum([len(document) + 1 for document in corpus.texts], dtype=np.int64) - 1
    documents, starts, stops = text.star_runs(stars, ends)
    replacements = Same(mask, len(starts)) if collapse else Repeated(mask, stops - starts)
    changes = Changes(
        documents, starts, stops, replacements, Same(f"rarer than k={parameters['k']}", len(starts))
    )
    symbols = sum(map(len, corpus.texts))
    suppressed = int(np.count_nonzero(stars)) - already_masked
    loss: dict[str, float | Callable[[], float]] = {
        "suppressed": suppressed,
        "unsuppressed_ratio": 1 - suppressed / symbols if symbols else 1.0,
        "runs": len(starts),
    }
    if memory is None:  # the model of an attacker takes as much memory as counting does
        loss["guess_rate"] = _GuessRate(corpus, stars, parameters["seed"])
    if parameters["strict"]:
        loss["rounds"] = found.rounds
    counts = {"documents": len(corpus.texts), "symbols": symbols}
    if memory is not None:
        counts["capped"] = found.capped
    if already_masked:
        counts["already_masked"] = already_masked
    if groups is not None and labels is not None:
        counts["groups"] = len(np.unique(labels))
    release_warnings = _warnings(parameters, counts, suppressed)
    for warning in release_warnings:
        warnings.warn(warning, stacklevel=4)
    private = {"input": corpus} | ({"groups": groups} if groups is not None else {})
    if places is not None:
        counts["spans"] = len(places.spans)
        private["spans"] = [(span.document, span.start, span.stop) for span in places.spans]
    return Release(
        "suppress",
        corpus.rebuild(released),
        claims_of(parameters, None if places is None else len(places.spans)),
        changes,
        Loss(loss),
        parameters,
        counts,
        not_protected(parameters),
        release_warnings,
        private,
    )


def _warnings(
    parameters: dict[str, Any], counts: dict[str, int], suppressed: int
) -> tuple[str, ...]:
    result = []
    k, what = parameters["k"], parameters["count"]
    if counts.get(what, k) < k and counts["symbols"]:
        result.append(
            f"fewer than k={k} {what} ({counts[what]}): everything that can be is starred"
        )
    elif suppressed and suppressed + counts.get("already_masked", 0) == counts["symbols"]:
        result.append(f"nothing occurs often enough for k={k}: every symbol is starred")
    if counts.get("capped"):
        result.append(
            f"{counts['capped']} symbols start a repeat of {CAP} symbols or more, which was cut "
            "there to save memory: more memory gives fewer stars"
        )
    if "already_masked" in counts:
        result.append(f"the input already has {counts['already_masked']} symbols equal to the mask")
    return tuple(result)


@dataclass(frozen=True, slots=True)
class _GuessRate:
    """How often an n-gram model trained on the release guesses a starred symbol."""

    corpus: Corpus
    stars: NDArray[np.uint8]
    seed: int

    def __call__(self) -> float:
        return text.guess_rate(text.encode(self.corpus.texts).codes, self.stars, seed=self.seed)
