"""One call of `suppress`: the texts, whose they are, and what was asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from ...core.corpus import Corpus
from ...core.errors import BadInput
from ...core.labels import group_labels
from ...core.printed_form import by_sizes
from ...kernels.repeats import NARROW_LIMIT
from ...recognizers import spans_of
from .options import already_masked, require_enough
from .places import Places

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from ...core.progress import Progress
    from ...core.values import Data, JsonObject
    from .options import Count

# What counting in memory takes for a symbol of the text, at most; measured on MEDLINE.
BYTES = {"character": 24, "grapheme": 60, "word": 12, "reader": 24}


@dataclass(frozen=True, slots=True)
class SuppressionRequest:
    """The texts, whose they are, what of them is starred outright, and how the rest is."""

    __repr__ = by_sizes

    corpus: Corpus
    ks: Sequence[int]
    parameters: JsonObject
    groups: Data
    labels: NDArray[np.int32] | None
    places: Places | None
    public: list[str]
    """Texts that every reader knows."""
    masked: int
    """How many symbols of the input look like the mask."""
    memory: int | None
    """The allowance, where work in memory would exceed it."""
    progress: Callable[[float], None] | None

    @classmethod
    def of(
        cls,
        corpus: Corpus,
        ks: Sequence[int],
        parameters: JsonObject,
        *,
        groups: object,
        public: object,
        spans: object,
        memory: int | None,
        progress: Progress | None,
    ) -> SuppressionRequest:
        """What no release can meet is refused."""
        known = _public(public, parameters)
        labels = _labels(corpus, groups, parameters["count"])
        require_enough(corpus, ks[-1], labels, parameters)
        masked = already_masked(corpus, parameters["mask"])
        return cls(
            corpus=corpus,
            ks=ks,
            parameters=parameters,
            groups=groups,
            labels=labels,
            places=None if spans is None else _places(corpus, spans, parameters, progress),
            public=known,
            masked=masked,
            memory=_exceeded(memory, corpus, parameters),
            progress=None if progress is None else lambda share: progress("suppress", share),
        )


def _labels(corpus: Corpus, groups: object, count: Count) -> NDArray[np.int32] | None:
    if count == "groups":
        return group_labels(groups, len(corpus.texts))
    if count == "documents":
        return np.arange(len(corpus.texts), dtype=np.int32)
    return None


def _places(
    corpus: Corpus, spans: object, parameters: JsonObject, progress: Progress | None
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


def _public(public: object, parameters: JsonObject) -> list[str]:
    """The texts that every reader knows."""
    if public is None:
        return []
    if parameters["guess"] is None:
        raise BadInput("only a reader knows it", where="public", remedy="give guess, or drop it")
    parameters["public"] = True
    return Corpus.of(public, "public").texts


def _exceeded(memory: int | None, corpus: Corpus, parameters: JsonObject) -> int | None:
    """The allowance, if work in memory would exceed it; baselines always run in memory."""
    if memory is None or parameters["cover"] not in ("fewest", "longest-first"):
        return None
    symbols = sum(map(len, corpus.texts)) + len(corpus.texts)
    unit = parameters["unit"] if parameters["guess"] is None else "reader"
    needed = BYTES[unit] * (2 if symbols > NARROW_LIMIT else 1)
    return memory if needed * symbols > memory else None
