"""Places of people's terms in their texts: finding, spelling and replacing them.

Documents are a list of str; a place is a document and a half-open span of its code points.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..core.letters import in_words
from . import _core

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]


class OwnPlaces(NamedTuple):
    """Where terms stand, by document, start and falling stop, and which term each is."""

    documents: Numbers
    starts: Numbers
    stops: Numbers
    terms: Numbers


def own_terms(
    texts: list[str],
    person_of_text: NDArray[np.int32],
    terms: list[str],
    person_of_term: NDArray[np.int32],
    people: int,
    any_case: bool = False,
) -> OwnPlaces:
    """Everywhere that people's terms stand in their own texts as whole words, overlapping or not.

    No letter or number of a place has one next to it in the text around; the empty term stands
    nowhere, and person -1 has no text. With `any_case` letters that differ in case alone are one.

    Cost: O(text + terms x words of the person's texts with the term's first letter).

    >>> import numpy as np
    >>> people = np.array([0, 1], np.int32)
    >>> found = own_terms(["Ann met Annabel, Ann", "Ann"], people, ["Ann", "met"], people, 2)
    >>> found.documents.tolist(), found.starts.tolist(), found.terms.tolist()
    ([0, 0], [0, 17], [0, 0])
    """
    return OwnPlaces(
        *_core.own_terms(texts, person_of_text, terms, person_of_term, people, any_case)
    )


class OwnWords(NamedTuple):
    """Where words of people stand in their texts: by person, document and start.

    `pairs` says which (person, word) each is, `ordinals` its place among all words of its
    document, `glued` whether a word touches it, 1 before and 2 behind it.
    """

    documents: Numbers
    starts: Numbers
    stops: Numbers
    pairs: Numbers
    ordinals: Numbers
    glued: NDArray[np.uint8]


def own_words(
    texts: list[str],
    person_of_text: NDArray[np.int32],
    words: list[str],
    word_of_pair: NDArray[np.int32],
    person_of_pair: NDArray[np.int32],
    people: int,
) -> OwnWords:
    """Everywhere that a word of a text is one of its person's words.

    What a word is, and as what its characters are read, `core.letters.in_words` says; `words` are
    given as they are read. Cost: O(text + pairs) expected.

    >>> import numpy as np
    >>> one = np.zeros(2, np.int32)
    >>> both = np.arange(2, dtype=np.int32)
    >>> found = own_words(["Zoë, not ZOE7"], one[:1], ["zoe", "7"], both, one, 1)
    >>> found.starts.tolist(), found.ordinals.tolist(), found.glued.tolist()
    ([0, 9, 12], [0, 2, 3], [0, 2, 1])
    """
    known = sorted(set().union(*texts)) if texts else []
    kinds, read = zip(*map(in_words, known), strict=True) if known else ((), ())
    return OwnWords(
        *_core.own_words(
            texts,
            person_of_text,
            np.array([*map(ord, known)], np.uint32),
            np.array(kinds, np.uint8),
            np.cumsum([0, *map(len, read)], dtype=np.int64),
            np.array([*map(ord, "".join(read))], np.uint32),
            words,
            word_of_pair,
            person_of_pair,
            people,
        )
    )


def spellings(
    texts: list[str], documents: Numbers, starts: Numbers, stops: Numbers
) -> tuple[NDArray[np.int32], list[str]]:
    """A number for what stands at each place, and the distinct spellings by first appearance.

    Cost: O(length of the places) expected.

    >>> import numpy as np
    >>> at = np.array([0, 0, 0]), np.array([0, 3, 6]), np.array([2, 5, 8])
    >>> spellings(["to be to"], *at)
    (array([0, 1, 0], dtype=int32), ['to', 'be'])
    """
    codes, distinct = _core.spellings(texts, documents, starts, stops)
    return codes, distinct


def sentence_starts(texts: list[str], documents: Numbers, starts: Numbers) -> NDArray[np.bool_]:
    """Whether a sentence starts there: behind blanks and opening marks stands `.`, `!` or `?`, or
    nothing.

    Cost: O(places) and the blanks before them.

    >>> import numpy as np
    >>> sentence_starts(["Ann. (Bob met Al"], np.array([0, 0, 0]), np.array([0, 6, 14]))
    array([ True,  True, False])
    """
    return np.asarray(_core.sentence_starts(texts, documents, starts), np.uint8).view(np.bool_)


def splice(
    texts: list[str],
    documents: Numbers,
    starts: Numbers,
    stops: Numbers,
    words: NDArray[np.int32],
    table: list[str],
) -> list[str]:
    """The texts with `table[word]` at each place; places stand in order and apart.

    Documents without a place come back as the same object.

    Cost: O(text).

    >>> import numpy as np
    >>> places = np.array([0]), np.array([4]), np.array([7])
    >>> splice(["Ann met Bob", "b"], *places, np.array([0], np.int32), ["saw"])
    ['Ann saw Bob', 'b']
    """
    result: list[str] = _core.splice(texts, documents, starts, stops, words, table)
    return result
