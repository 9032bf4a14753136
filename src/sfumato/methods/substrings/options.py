"""The parameters of `suppress`, which of them go together, and what no release can meet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from ...core.errors import BadInput, CannotBeMet
from ...core.options import check_kinds, check_mark, choose, may_stand_in_text
from ...kernels import text
from ...kernels.known_sets import MOST_KNOWN
from .claims import GUESS
from .reader_share import MOST_PARTS, fraction
from .sequence import Unit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...core.corpus import Corpus
    from ...core.values import Data, JsonObject

Count = Literal["occurrences", "documents", "groups"]
Align = Literal["word", "character"]
Copies = Literal["report", "once"]
Cover = Literal["fewest", "longest-first", "word", "word-and-repeats"]


def checked(
    corpus: Corpus,
    groups: Data,
    count: Count | None,
    unit: Unit,
    align: Align,
    min_run: int,
    run_price: int,
    cover: Cover,
    keep: str | None,
    mask: str,
    collapse: bool,
    strict: bool | None,
    guess: float | None,
    reach: int | None,
    knows: int | None,
    common: float,
    copies: Copies,
) -> JsonObject:
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
        flag={"collapse": collapse, "strict": False if strict is None else strict},
    )
    for name, value, least in (("min_run", min_run, 1), ("run_price", run_price, 0)):
        if value < least:
            raise BadInput(f"must be at least {least}, found {value}", where=name)
        if value >= 2**31:
            raise BadInput("must be below 2^31", where=name)
    check_mark("mask", mask)
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
    guess = _reader(guess, reach, align, cover, keep)
    if strict is None:  # who searches the release counts what it shows
        strict = guess is not None
    choose("copies", copies, get_args(Copies))
    if copies == "once" and (guess is None or count == "occurrences"):
        raise BadInput(
            "copied passages are words of documents or people",
            where="copies",
            remedy="give guess, and count documents or groups; or copies='report'",
        )
    _known(knows, common, guess, strict, count)
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
        "guess": guess,
        "reach": reach,
        "copies": copies,
        **({} if knows is None else {"knows": knows, "common": float(common)}),
    }


def _reader(
    guess: float | None, reach: int | None, align: Align, cover: Cover, keep: str | None
) -> float | None:
    """The share from which a reader's guess counts, or None: every star counts."""
    usual = guess is GUESS
    if guess is not None:
        check_kinds(number={"guess": guess})
        if not 0 < guess <= 1:
            raise BadInput(
                f"must be above 0 and at most 1, found {guess:g}",
                where="guess",
                remedy="0.5 is usual; none: every star counts",
            )
        if fraction(guess).denominator > MOST_PARTS:
            raise BadInput("has too many decimals", where="guess", remedy="give at most 6")
    if align == "character" or cover != "fewest":
        if guess is not None and not usual:
            what = "align='word'" if align == "character" else "cover='fewest'"
            raise BadInput(f"needs {what}", where="guess", remedy=f"use {what}, or guess=None")
        guess = None
    if reach is not None:
        check_kinds(whole={"reach": reach})
        if reach < 1:
            raise BadInput(f"must be at least 1, found {reach}", where="reach")
        if guess is None:
            raise BadInput(
                "phrases are of words that a reader cannot guess",
                where="reach",
                remedy="give guess too (with align='word' and cover='fewest'), or drop it",
            )
    if guess is not None and keep and any(text.token_starts(list(keep), "token").words):
        raise BadInput(
            "words are starred whole: letters, digits and pictographs cannot be kept",
            where="keep",
            remedy="keep symbols between words only, or give guess=None",
        )
    return None if guess is None else float(guess)


def _known(
    knows: int | None, common: float, guess: float | None, strict: bool, count: Count
) -> None:
    """Sets of words are of people, and searched in what a reader has of the release."""
    check_kinds(number={"common": common})
    if not 0 <= common <= 1:
        raise BadInput(
            f"must be from 0 to 1, found {common:g}", where="common", remedy="0.1 is usual"
        )
    if fraction(common).denominator > MOST_PARTS:
        raise BadInput("has too many decimals", where="common", remedy="give at most 6")
    if knows is None:
        return
    check_kinds(whole={"knows": knows})
    if not 1 <= knows <= MOST_KNOWN:
        raise BadInput(f"must be from 1 to {MOST_KNOWN}, found {knows}", where="knows")
    if count == "occurrences":
        raise BadInput(
            "known words are words of documents or people",
            where="knows",
            remedy="count documents or groups, or drop it",
        )
    if guess is None or not strict:
        raise BadInput(
            "known words are searched in the release as a reader has it",
            where="knows",
            remedy="give guess (with align='word' and cover='fewest') and strict, or drop it",
        )


def already_masked(corpus: Corpus, mask: str) -> int:
    """How many symbols of the input look like the mask, if it may stand there; else it is refused.

    So is one that overlaps itself ("**") beside its own symbols: where it begins could not be told.
    """
    if may_stand_in_text(mask):
        return sum(document.count(mask) for document in corpus.texts)
    overlaps = len(mask) > 1 and any(mask.startswith(mask[i:]) for i in range(1, len(mask)))
    forbidden = set(mask) if overlaps else {mask}
    for i, document in enumerate(corpus.texts):
        if any(part in document for part in forbidden):
            raise BadInput(
                "the text already contains the mask, or a part of one that overlaps itself",
                where=f"document {i}",
                remedy="choose another mask",
            )
    return 0


def require_enough(
    corpus: Corpus, k: int, labels: NDArray[np.int32] | None, parameters: Mapping[str, object]
) -> None:
    """Refuses fewer than k of what is counted: everything would be starred.

    Where nothing stands there is nothing to hide.
    """
    if not any(corpus.texts):
        return
    what = parameters["count"]
    if labels is not None:
        found = len(np.unique(labels))
        what = "people" if what == "groups" else what
    elif "word" in (parameters["unit"], parameters["cover"]):
        found, what = int(text.token_starts(corpus.texts, "word").words.sum()), "words"
        if not found:
            return
    else:
        found, what = sum(map(len, corpus.texts)), "symbols"
    if found < k:
        raise CannotBeMet(
            f"{found} {what} cannot be {k}-anonymous",
            where="k",
            remedy=f"give a smaller k or more {what}",
        )
