"""Where the words to generalise stand: longest phrase first, inflected forms with their lemmas."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ...ontologies import Ontology, key_of
from ...ontologies.inflection import singulars
from ...ontologies.protocol import WORD

# What may stand between two words of one phrase.
GAP = re.compile(r"\s{1,2}|[-‐‑–_'’]|\.\s?")

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


@dataclass(frozen=True, slots=True)
class Mention:
    """A word or phrase of a document, and the keys it may be looked up by, its own form first.

    `plural` tells for each key whether the form is that word's plural.

    >>> find_mentions("Two drugs", lexicon_of_words(["drug"]))
    [Mention(start=4, stop=9, keys=('drugs', 'drug'), plural=(False, True))]
    """

    start: int
    stop: int
    keys: tuple[str, ...]
    plural: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Which phrases are looked for: how long one that begins with a word can be, and which."""

    longest: Callable[[str], int]
    accepts: Callable[[Sequence[str]], bool]  # by the keys of a phrase


def lexicon_of_ontology(ontology: Ontology) -> Lexicon:
    """Everything the ontology knows and that is a noun more often than not.

    Of a plural the singular decides too: `works` is a noun, but `work` is more often a verb.
    """

    def accepts(keys: Sequence[str]) -> bool:
        known = [key for key in keys if ontology.senses(key)]
        return (
            bool(known)
            and keys[0] not in FUNCTION_WORDS
            and len(keys[0]) > 1
            and all(map(ontology.is_common_noun, known))
        )

    return Lexicon(ontology.longest, accepts)


def lexicon_of_words(words: Iterable[str]) -> Lexicon:
    """The listed words and phrases, in the form given or as the plural of it.

    A listed plural stands for its singular too.
    """
    keys = {key for word in words for key in keys_of(key_of(word).split())[0]}
    longest: dict[str, int] = {}
    for key in keys:
        first, *rest = key.split(" ")
        longest[first] = max(longest.get(first, 1), 1 + len(rest))
    return Lexicon(lambda word: longest.get(word, 0), lambda some: not keys.isdisjoint(some))


def keys_of(words: Sequence[str]) -> tuple[tuple[str, ...], tuple[bool, ...]]:
    """The keys of a phrase and whether each makes it a plural.

    The phrase itself comes first, then with its last word in the singular (lumbar pains), then
    with its first (attorneys general).
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


def find_mentions(text: str, lexicon: Lexicon) -> list[Mention]:
    """The phrases of a lexicon in a text, from the left, the longest first, none inside another.

    Cost: O(words x longest phrase).
    """
    places = [match.span() for match in WORD.finditer(text)]
    words = [text[start:stop].casefold() for start, stop in places]
    result: list[Mention] = []
    at = 0
    while at < len(words):
        first = words[at]
        reach = max([lexicon.longest(first), *map(lexicon.longest, singulars(first))])
        size = 1
        while (
            size < reach
            and at + size < len(words)
            and GAP.fullmatch(text, places[at + size - 1][1], places[at + size][0])
        ):
            size += 1
        for length in range(min(size, reach), 0, -1):
            keys, plural = keys_of(words[at : at + length])
            if lexicon.accepts(keys):
                span = places[at][0], places[at + length - 1][1]
                result.append(Mention(*span, keys, plural))
                at += length
                break
        else:
            at += 1
    return result


def mention_of_span(text: str, start: int, stop: int) -> Mention:
    """A given span as a mention."""
    return Mention(start, stop, *keys_of(key_of(text[start:stop]).split()))


def nodes_of(mention: Mention, ontology: Ontology) -> dict[int, bool]:
    """The nodes a mention may mean, the commonest first, and whether it is then a plural."""
    found: dict[int, bool] = {}
    for key, plural in zip(mention.keys, mention.plural, strict=True):
        for node in ontology.senses(key):
            found.setdefault(node, plural)
    return found


def fitting(nodes: Sequence[int], mention: Mention, written: str, ontology: Ontology) -> list[int]:
    """The nodes that suit the capitals of a written form; all of them if none does.

    `cancer` is no constellation (Cancer), `TB` is not terbium (Tb).

    >>> from sfumato.ontologies import wordnet
    >>> (mention,) = find_mentions("TB", lexicon_of_words(["tb"]))
    >>> nodes = list(nodes_of(mention, wordnet()))
    >>> [wordnet().words(node)[0] for node in fitting(nodes, mention, "TB", wordnet())]
    ['tuberculosis', 'terabyte', 'terabyte']
    """
    suit = list(nodes)
    if written.islower():
        suit = [node for node in nodes if not is_name(node, mention, ontology)]
    elif any(c.isupper() for c in written[1:]):
        suit = [node for node in nodes if written in ontology.words(node)]
    return suit or list(nodes)


def is_name(node: int, mention: Mention, ontology: Ontology) -> bool:
    """Whether all forms of a node that a mention may be are written with capitals."""
    forms = [word for word in ontology.words(node) if key_of(word) in mention.keys]
    return bool(forms) and not any(word.islower() for word in forms)
