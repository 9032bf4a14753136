"""The verb `suppress`."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, overload

import numpy as np

from ...core.corpus import Corpus, values_of
from ...core.engine import elsewhere, is_elsewhere
from ...core.errors import BadInput
from ...core.labels import told_as_one
from ...core.loss import Loss
from ...core.options import check_k, check_memory, check_run
from ...core.progress import part
from ...core.release import Release, Sides
from ...kernels import text
from ...kernels.external import CAP
from ...kernels.spill import spilled
from .claims import GUESS, claims_of, not_protected
from .legible import Rules, StarredCodes, stars_for
from .options import Align, Copies, Count, Cover, checked
from .reader_stars import stars_against, words_of
from .request import SuppressionRequest
from .sequence import Unit, sequence_of, symbol_ends
from .starred_text import as_symbols, changes_of, rarer
from .words import rare_words, rare_words_in_rare_places

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...core.progress import Progress
    from ...core.values import JsonObject


@overload
def suppress(
    texts: object,
    k: int = 5,
    count: Count | None = None,
    groups: object = None,
    unit: Unit = "character",
    align: Align = "word",
    min_run: int = 1,
    run_price: int = 0,
    cover: Cover = "fewest",
    keep: str | None = None,
    mask: str = "★",
    collapse: bool = False,
    strict: bool | None = None,
    guess: float | None = GUESS,
    reach: int | None = None,
    knows: int | None = None,
    *,
    common: float = 0.1,
    copies: Copies = "report",
    public: object = None,
    spans: object = None,
    memory: str | int | None = None,
    engine: object = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Release: ...
@overload
def suppress(
    texts: object,
    k: Sequence[int],
    count: Count | None = None,
    groups: object = None,
    unit: Unit = "character",
    align: Align = "word",
    min_run: int = 1,
    run_price: int = 0,
    cover: Cover = "fewest",
    keep: str | None = None,
    mask: str = "★",
    collapse: bool = False,
    strict: bool | None = None,
    guess: float | None = GUESS,
    reach: int | None = None,
    knows: int | None = None,
    *,
    common: float = 0.1,
    copies: Copies = "report",
    public: object = None,
    spans: object = None,
    memory: str | int | None = None,
    engine: object = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> dict[int, Release]: ...
def suppress(
    texts: object,
    k: int | Sequence[int] = 5,
    count: Count | None = None,
    groups: object = None,
    unit: Unit = "character",
    align: Align = "word",
    min_run: int = 1,
    run_price: int = 0,
    cover: Cover = "fewest",
    keep: str | None = None,
    mask: str = "★",
    collapse: bool = False,
    strict: bool | None = None,
    guess: float | None = GUESS,
    reach: int | None = None,
    knows: int | None = None,
    *,
    common: float = 0.1,
    copies: Copies = "report",
    public: object = None,
    spans: object = None,
    memory: str | int | None = None,
    engine: object = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Release | dict[int, Release]:
    """Stars what is rare, so that every legible substring occurs at least k times.

    `texts` is a str, a sequence of str or a frame's column. k counts `"occurrences"` (the default
    for one str), `"documents"` (for a collection) or `"groups"`: people, when `groups` names the
    person of each text. A list of k gives nested releases by k. `spans` (or a recogniser, or its
    name) are starred whatever their count, with the words they lie in.

    A star counts as hiding a word only if a reader who knows the other people's texts (and `public`
    ones) would guess the word with a share below `guess`; blanks and punctuation are never starred.
    None: every star counts, as in the paper. `strict`: k is counted in the release, the default
    where there is a reader, or else in the original. `reach`: only phrases of at most so many words
    must be shared. `knows`: any so many words of a person are shown by k people or by nobody;
    words that more than a share `common` of the people show do not count as known.
    `copies="once"`: a passage that others copied counts for its first author only; else
    `.loss["legible_in_copies"]` tells how much of what is legible stands in copies. See
    docs/reader.md.

    Where counting would take more than `memory` (bytes, or for instance `"2GB"`), it is done bucket
    by bucket with temporary files; the stars are the same unless `.counts["capped"]` is above 0.

    Paper: Definition 4.1, Algorithms 1 to 3. Cost: O(n); strict: O(n) a round.

    >>> suppress("abracadabra", k=2, align="character").data
    'abra★a★abra'
    >>> notes = ["Ann has flu.", "Bob has flu.", "Eve has flu."]
    >>> suppress(notes, k=3).data
    ['★★★ has flu.', '★★★ has flu.', '★★★ has flu.']
    >>> streets = ["She lives in Pine Street", "He lives in Elm Street", "Pine and elm grow"]
    >>> suppress(streets, k=2, guess=None).data[0], suppress(streets, k=2).data[0]
    ('★★★ lives in★Pine★Street', '★★★ ★★★★★ ★★ ★★★★ ★★★★★★')
    >>> some = ["asthma, polo", "asthma, judo", "eczema, golf", "eczema, polo", "eczema, judo"] * 2
    >>> suppress(["asthma, golf", *some], k=2, reach=1, knows=2, common=0.6).data[0]
    'asthma, ★★★★'
    """
    if is_elsewhere(engine):
        made: Release | dict[int, Release] = elsewhere("suppress", locals())
        return made
    corpus = Corpus.of(texts)
    ks = check_k(k)
    parameters = checked(
        corpus,
        groups,
        count,
        unit,
        align,
        min_run,
        run_price,
        cover,
        keep,
        mask,
        collapse,
        strict,
        guess,
        reach,
        knows,
        common,
        copies,
    )
    if copies == "once" and ks[0] < 2:
        raise BadInput("needs k of at least 2", where="copies", remedy="give a larger k")
    check_run(engine, seed, progress)
    parameters["seed"] = seed
    asked = SuppressionRequest.of(
        corpus,
        ks,
        parameters,
        groups=groups,
        public=public,
        spans=spans,
        memory=check_memory(memory),
        progress=progress,
    )
    releases = {found.k: _release(asked, found) for found in _stars(asked)}
    if not isinstance(k, Sequence):
        return releases[ks[0]]
    return releases


def _stars(asked: SuppressionRequest) -> Iterator[StarredCodes]:
    """The starred symbols of every k, in the layout of symbols."""
    parameters, corpus, ks = asked.parameters, asked.corpus, asked.ks
    labels, places = asked.labels, asked.places
    if parameters["guess"] is not None:
        yield from _against_reader(asked)
        return
    cover, mask, min_run = parameters["cover"], parameters["mask"], parameters["min_run"]
    if cover in ("word", "word-and-repeats"):
        found = (
            [rare_words(corpus, k, labels, mask) for k in ks]
            if cover == "word"
            else rare_words_in_rare_places(corpus, ks, labels, mask, min_run)
        )
        for k, stars in zip(ks, found, strict=True):
            yield StarredCodes(k, stars if places is None else stars | places.symbols(), 1, 0)
        return
    make = np.zeros if asked.memory is None else spilled
    starred = None if places is None else places.symbols(make)
    codes = sequence_of(
        corpus,
        parameters["unit"],
        align=parameters["align"],
        keep=parameters["keep"],
        mask=mask,
        at_least=ks[0],
        labels=labels,
        cut=starred if parameters["strict"] else None,
        spill=asked.memory is not None,
    )
    rules = Rules(cover, min_run, parameters["run_price"])
    for one in stars_for(
        codes,
        ks,
        labels,
        rules,
        starred=None if starred is None else codes.touched(starred),
        strict=parameters["strict"],
        memory=asked.memory,
        progress=asked.progress,
    ):
        stars = codes.symbols(one.stars)
        if starred is not None:  # also what no unit covers: blanks between words, kept symbols
            stars |= starred
        yield replace(one, stars=stars)


def _against_reader(asked: SuppressionRequest) -> Iterator[StarredCodes]:
    """The same where a reader writes back what can be guessed: words are starred, and nothing else.

    Symbols between words that lie in spans are starred too.
    """
    parameters = asked.parameters
    words = words_of(
        asked.corpus,
        asked.labels,
        parameters,
        asked.public,
        at_least=asked.ks[0],
        memory=asked.memory,
        progress=part(asked.progress, 0.0, 0.4),
    )
    words = replace(words, progress=part(asked.progress, 0.4, 0.95))
    if parameters["copies"] == "once" and words.copied is None:
        raise BadInput(
            "copied passages are found in memory", where="memory", remedy="give more, or drop it"
        )
    if words.knows is not None and asked.memory is not None:
        raise BadInput(
            "known words are counted in memory", where="memory", remedy="give more, or drop it"
        )
    hidden = None if asked.places is None else asked.places.symbols()
    starred = None if hidden is None else words.codes.touched(hidden)
    for one in stars_against(words, asked.ks, strict=parameters["strict"], starred=starred):
        yield as_symbols(words, one, hidden, parameters["keep"], parameters["collapse"])


def _release(asked: SuppressionRequest, found: StarredCodes) -> Release:
    corpus, places, labels = asked.corpus, asked.places, asked.labels
    parameters = {"k": found.k, **asked.parameters}
    stars = found.stars
    mask, collapse = parameters["mask"], parameters["collapse"]
    blanked = corpus.texts
    if found.blank is not None:
        blanked = text.mask_texts(corpus.texts, found.blank, " ", False)
    released = text.mask_texts(blanked, stars, mask, collapse)
    changes = changes_of(found, symbol_ends(corpus.texts), mask, collapse)
    symbols = sum(map(len, corpus.texts))
    suppressed = int(np.count_nonzero(stars))
    if asked.masked:  # a star over a mask of the input hides nothing
        suppressed -= int(np.count_nonzero(stars & text.visible_symbols(corpus.texts, mask)))
    loss: dict[str, float | Callable[[], float]] = {
        "suppressed": suppressed,
        "unsuppressed_ratio": 1 - suppressed / symbols if symbols else 1.0,
        "runs": changes.reasons.count(rarer(parameters["k"])),
    }
    if asked.memory is None:  # the model of an attacker takes as much memory as counting does
        loss["guess_rate"] = _GuessRate(corpus, stars, parameters["seed"])
    if found.in_copies is not None:
        loss["legible_in_copies"] = found.in_copies
    if parameters["strict"]:
        loss["rounds"] = found.rounds
    counts = {"documents": len(corpus.texts), "symbols": symbols, **found.counts}
    if asked.memory is not None:
        counts["capped"] = found.capped
    if asked.masked:
        counts["already_masked"] = asked.masked
    if asked.groups is not None and labels is not None:
        counts["groups"] = len(np.unique(labels))
    release_warnings = _warnings(parameters, counts, suppressed)
    if parameters["count"] == "groups":
        release_warnings += told_as_one(values_of(asked.groups, "groups"))
    for warning in release_warnings:
        warnings.warn(warning, stacklevel=4)
    sides = Sides(input=corpus, groups=asked.groups, public=asked.public or None)
    if places is not None:
        counts["spans"] = len(places.spans)
        spans = [(span.document, span.start, span.stop) for span in places.spans]
        sides = replace(sides, spans=spans)
    return Release(
        verb="suppress",
        data=corpus.rebuild(released),
        claims=claims_of(parameters, spans=places is not None),
        changes=changes,
        loss=Loss(loss),
        parameters=parameters,
        counts=counts,
        not_protected=not_protected(parameters),
        warnings=release_warnings,
        sides=sides,
    )


def _warnings(parameters: JsonObject, counts: dict[str, int], suppressed: int) -> tuple[str, ...]:
    result = []
    k = parameters["k"]
    if suppressed and suppressed + counts.get("already_masked", 0) == counts["symbols"]:
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
