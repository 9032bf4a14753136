"""How a written form is looked up: its keys, the nodes it may mean, and which nodes surely are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..core.arrays import read_arrays, write_arrays
from .inflection import plural as plural_of
from .inflection import singulars
from .protocol import key_of
from .wordnet import DATA, wordnet

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from .protocol import Ontology

MAGIC = b"SFSURE02"
# Words that are nouns in WordNet (a vitamin, a state's abbreviation) and hardly ever in a text.
_FUNCTION_WORDS = """
a about above after again against all am an and any are as at be because been before being
below between both but by can could did do does doing down during each few for from
further had has have having he her here hers herself him himself his how i if in into is
it its itself just may me might more most must my myself no nor not now of off on once
only or other our ours ourselves out over own per same shall she should so some such than
that the their theirs them themselves then there these they this those though through to
too under until up upon us very was we were what when where which while who whom why will
with within without would yes yet you your yours yourself yourselves
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
_SURE: dict[str, tuple[NDArray[np.bool_], NDArray[np.bool_]]] = {}  # by the ontology's digest


def keys_of(words: Sequence[str]) -> tuple[tuple[str, ...], tuple[bool, ...]]:
    """The keys of a phrase and whether each makes it a plural.

    The phrase itself comes first, then with its last word in the singular (lumbar pains), then
    with its first (attorneys general).

    >>> keys_of(["lumbar", "pains"])
    (('lumbar pains', 'lumbar pain'), (False, True))
    """
    if not words:
        return (), ()
    found = {" ".join(words): False}
    for one in singulars(words[-1]):
        found.setdefault(" ".join([*words[:-1], one]), True)
    if len(words) > 1:
        for one in singulars(words[0]):
            found.setdefault(" ".join([one, *words[1:]]), True)
    return tuple(found), tuple(found.values())


def nodes_of_keys(
    keys: Sequence[str], plural: Sequence[bool], ontology: Ontology
) -> dict[int, bool]:
    """The nodes that keys may mean, the commonest first, and whether the form is then a plural."""
    found: dict[int, bool] = {}
    for key, many in zip(keys, plural, strict=True):
        for node in ontology.senses(key):
            found.setdefault(node, many)
    return found


def is_noun(ontology: Ontology, keys: Sequence[str]) -> bool:
    """Whether a written form, given by its keys, is marked where all nouns are.

    Of a plural the singular decides too: `works` is a noun, but `work` is more often a verb.
    """
    known = [key for key in keys if ontology.senses(key)]
    return (
        bool(known)
        and keys[0] not in FUNCTION_WORDS
        and len(keys[0]) > 1
        and all(map(ontology.is_common_noun, known))
    )


def is_sure(ontology: Ontology, node: int) -> tuple[bool, bool]:
    """Whether a noun means this node and no other: in the singular, and in the plural as well.

    Such a word is marked and read alike in every text: neither the words around it nor capitals
    matter. Words that have no plural of their own (sheep, A15, 結核) are sure in the singular
    alone; words that are more often verbs (abort) are not, since who marks all nouns leaves them.

    >>> [is_sure(wordnet(), wordnet().senses(word)[0]) for word in ("liver cancer", "sheep", "top")]
    [(True, True), (False, False), (False, False)]
    """
    one = many = False
    for word in ontology.words(node):
        for form, is_plural in ((word, False), (plural_of(word), True)):
            keys, plurals = keys_of(key_of(form).split())
            read = nodes_of_keys(keys, plurals, ontology)
            if read == {node: is_plural} and is_noun(ontology, keys):
                one, many = one or not is_plural, many or is_plural
        if one and many:
            break
    return one, one and many


def sure_nodes(ontology: Ontology) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Of every node whether `is_sure`; these are the base values of the guarantee `published`.

    Cost: 25 microseconds a node, once; WordNet's are in the package.
    """
    found = _SURE.get(ontology.digest)
    if found is None:
        found = _stored(ontology) or _sure(ontology)
        _SURE[ontology.digest] = found
    return found


def _sure(ontology: Ontology) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    flags = np.array([is_sure(ontology, node) for node in range(len(ontology))], np.bool_)
    flags = flags.reshape(-1, 2)
    return flags[:, 0].copy(), flags[:, 1].copy()


def _stored(ontology: Ontology) -> tuple[NDArray[np.bool_], NDArray[np.bool_]] | None:
    """What the package has of WordNet."""
    if ontology.name != wordnet().name:
        return None
    header, sections = read_arrays(DATA / "wordnet.sure", MAGIC, "list of sure nodes")
    if header["ontology"] != ontology.digest:
        return None
    one, many = (
        np.unpackbits(sections[name], count=len(ontology)).astype(np.bool_)
        for name in ("one", "many")
    )
    return one, many


def write_sure(path: Path, ontology: Ontology) -> None:
    """Writes which nodes of an ontology are sure; the same bytes every time."""
    one, many = map(np.packbits, _sure(ontology))
    write_arrays(path, MAGIC, {"ontology": ontology.digest}, {"one": one, "many": many})
