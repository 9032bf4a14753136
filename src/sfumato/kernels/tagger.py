"""A linear tagger of mentions: listed phrases, hashed features, the best sequence of labels.

Texts are a list of str; places are half-open spans of their code points. Weights are whole
numbers, `UNIT` of them are one. Labels are O and, of every type, B, U, I, L.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core

if TYPE_CHECKING:
    from numpy.typing import NDArray

UNIT = 32
ANY = -1  # the type of a mark whose label is not known

Arrays = Mapping[str, "NDArray[Any]"]


class Mentions(NamedTuple):
    """Mentions by document and start; `margins` says how much better than none each one is."""

    documents: NDArray[np.int64]
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    types: NDArray[np.int32]
    margins: NDArray[np.int32]


class ListedPhrases(NamedTuple):
    """Listed phrases by document and start; `classes` and `written` have a bit each.

    Bits of `written`: mark, lower, title, upper, letter, mixed, alphanumeric, digits, caseless.
    """

    documents: NDArray[np.int64]
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    classes: NDArray[np.uint16]
    written: NDArray[np.uint16]


class Marks(NamedTuple):
    """Places that were marked, in order and apart; of type `ANY` those that may be anything."""

    documents: NDArray[np.int64]
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    types: NDArray[np.int32]


class Hints(NamedTuple):
    """What another recogniser found, in order and apart; `rules` tells by which rule (24 bits)."""

    documents: NDArray[np.int64]
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    types: NDArray[np.int32]
    rules: NDArray[np.uint32]

    @property
    def kernel(self) -> _core.Hints:
        """The compiled view of the arrays."""
        return _core.Hints(*self)


@dataclass(frozen=True)
class Lexicon:
    """Phrases by hash, each with the classes (bits 0 to 14) of the lists it is on; words by hash,
    each with its cluster.
    """

    arrays: Arrays = field(repr=False)

    NAMES = ("starts", "checks", "bits", "cluster_starts", "cluster_checks", "clusters")

    @cached_property
    def kernel(self) -> _core.Lexicon:
        """The compiled view of the arrays, which are checked."""
        return _core.Lexicon(*(self.arrays[name] for name in self.NAMES))


@dataclass(frozen=True)
class Weights:
    """Weights of hashed features for the labels of so many types."""

    types: int
    arrays: Arrays = field(repr=False)

    NAMES = ("starts", "checks", "firsts", "weights", "transitions")

    @cached_property
    def kernel(self) -> _core.Weights:
        """The compiled view of the arrays, which are checked."""
        return _core.Weights(self.types, *(self.arrays[name] for name in self.NAMES))


def lexicon(phrases: Mapping[str, int], clusters: Mapping[str, int] | None = None) -> Lexicon:
    """The lexicon of phrases and their classes; case is folded. Clusters are of words as written.

    Of a cluster the lowest four bits say how usual the word is in lower case.

    >>> names = lexicon({"Ann Arbor": 4, "ann": 1})
    >>> listed(["ANN of Ann Arbor"], names).classes.tolist()
    [1, 4]
    """
    arrays = [
        array
        for words, whole in ((phrases, False), (clusters or {}, True))
        for array in _core.make_lexicon(list(words), np.array([*words.values()], np.uint16), whole)
    ]
    return Lexicon(dict(zip(Lexicon.NAMES, arrays, strict=True)))


def listed(
    texts: list[str], phrases: Lexicon, any_of: int = 0xFFFF, none_of: int = 0
) -> ListedPhrases:
    """Everywhere that listed phrases stand: leftmost, then longest, none overlapping another.

    Told are those with a word that is written in one of the ways `any_of` and none in `none_of`.
    Cost: O(n).

    >>> listed(["in Ann Arbor."], lexicon({"Ann Arbor": 4})).stops.tolist()
    [12]
    """
    return ListedPhrases(*_core.listed(texts, phrases.kernel, any_of, none_of))


def follow(
    texts: list[str],
    phrases: Lexicon,
    usual: int,
    helping: Lexicon,
    scopes: NDArray[np.int64],
    spans: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
    certain: NDArray[np.uint8],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Where the names of certain spans stand again: documents, starts, stops.

    `spans` has documents, starts and stops in order; texts with the same scope tell one story.
    Phrases of the classes `usual` are no names by themselves. Bits of `helping`: 1 introduces a
    name, 2 is no part of one. Places inside spans are left out. Cost: O(n), about 80 MB/s.
    """
    found: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]] = _core.follow(
        texts, phrases.kernel, usual, helping.kernel, scopes, *spans, certain
    )
    return found


def tag(
    texts: list[str],
    phrases: Lexicon,
    weights: Weights,
    base: Weights | None = None,
    lean: float = 0.0,
    progress: Callable[[float], None] | None = None,
    hints: Hints | None = None,
) -> Mentions:
    """The mentions of the best sequence of labels (Viterbi) of every piece of every text.

    `lean` is taken from "no mention" at every token. With a base its features' weights are added.
    Hints are features, and are believed unless something else was learnt.

    Cost: O(n); about 3.5 MB/s.
    """
    under = None if base is None else base.kernel
    whole = round(lean * UNIT)
    said = None if hints is None else hints.kernel
    found = _core.tag(texts, phrases.kernel, weights.kernel, under, said, whole, progress)
    return Mentions(*found)


def train(
    texts: list[str],
    phrases: Lexicon,
    types: int,
    marks: Marks,
    unmarked: NDArray[np.uint32] | None = None,
    worth: NDArray[np.float32] | None = None,
    base: Weights | None = None,
    *,
    epochs: int = 8,
    rate: float = 0.1,
    l1: float = 0.5,
    l2: float = 0.5,
    rare: int = 2,
    seed: int = 0,
    hints: Hints | None = None,
    hide: bool = False,
    progress: Callable[[float], None] | None = None,
) -> Weights:
    """Weights of a conditional random field for marked texts, the same for the same input.

    `unmarked` has for every text a bit for each type that nobody marked there: outside the marks
    such a type is left open; it must be marked in other texts, or anything may become it. `worth`
    weighs the texts. With a base, what is learnt is to be added to it, with hints to what another
    recogniser found. Features of fewer than `rare` texts are left out; with `hide` also those
    that tell a word which is on no list and stands outside the marks in fewer texts than that.

    Cost: O(epochs x tokens x features of a token x labels).

    >>> import numpy as np
    >>> texts = ["Mr. Ho left.", "Mr. Oak left.", "We left."] * 4
    >>> at = np.arange(8) // 2 * 3 + np.arange(8) % 2
    >>> marks = Marks(at, np.full(8, 4), np.array([6, 7] * 4), np.zeros(8, np.int32))
    >>> weights = train(texts, lexicon({}), 1, marks)
    >>> found = tag(["Mr. Po left."], lexicon({}), weights)
    >>> found.starts.tolist(), found.stops.tolist()
    ([4], [6])
    """
    count = len(texts)
    arrays = _core.train_tagger(
        texts,
        phrases.kernel,
        types,
        *marks,
        np.zeros(count, np.uint32) if unmarked is None else unmarked,
        np.ones(count, np.float32) if worth is None else worth,
        None if base is None else base.kernel,
        None if hints is None else hints.kernel,
        hide,
        epochs,
        rate,
        l1,
        l2,
        rare,
        seed,
        progress,
    )
    return Weights(types, dict(zip(Weights.NAMES, arrays, strict=True)))
