"""What a method needs to know of an ontology, and the two readings of a general word's volume."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal, Protocol

from ..core.letters import WITHOUT_WORDS

Volume = Literal["leaves", "level"]

# Where signs stand that belong to the letter before them: vowels of Thai, Hindi and others.
_SIGNS = ((0x300, 0x1E00), (0x20D0, 0x2100), (0x302A, 0x3030), (0x3099, 0x309B), (0xA66F, 0xAC00))
_INVISIBLE = frozenset("\u034f\u180b\u180c\u180d\u180f")


def _signs() -> str:
    """The signs as a class of an expression; `\\w` has none of them."""
    every = (chr(point) for block in _SIGNS for point in range(*block))
    return "".join(
        one for one in every if unicodedata.category(one)[0] == "M" and one not in _INVISIBLE
    )


WORD = re.compile(f"[^\\W_]+(?:[{_signs()}]+[^\\W_]*)*")
ASCII_WORD = re.compile("[0-9A-Za-z]+")
"""What WORD finds in a text that is ASCII, and finds it sooner."""
BROKEN = re.compile(f"(?<={WITHOUT_WORDS}) (?={WITHOUT_WORDS})")


def key_of(phrase: str) -> str:
    """A phrase as it is looked up: its words in lower case, composed, one blank between them.

    Between letters of scripts without blanks there is none.

    >>> key_of("Alzheimer's_disease"), key_of("肺 炎")
    ('alzheimer s disease', '肺炎')
    """
    if phrase.isascii():
        return " ".join(ASCII_WORD.findall(phrase.casefold()))
    phrase = unicodedata.normalize("NFC", phrase)
    return BROKEN.sub("", " ".join(WORD.findall(phrase.casefold())))


class Ontology(Protocol):
    """Nodes are numbers; every node has words, and parents unless it is a root.

    An instance (Sacramento) is a node below what it is an instance of (state capital). Of several
    parents the first leads the path; `paths` has them all, and volumes count each base value once.
    """

    @property
    def name(self) -> str:
        """What the certificate calls it."""
        ...

    @property
    def digest(self) -> str:
        """SHA-256 of its contents."""
        ...

    def __len__(self) -> int:
        """The number of nodes."""
        ...

    def senses(self, phrase: str) -> tuple[int, ...]:
        """The nodes that a phrase, given as its key, is a word of; the commonest first."""
        ...

    def words(self, node: int) -> tuple[str, ...]:
        """The words of a node as they are written, the preferred one first."""
        ...

    def parents(self, node: int) -> tuple[int, ...]:
        """The nodes directly above."""
        ...

    def children(self, node: int) -> tuple[int, ...]:
        """The nodes directly below."""
        ...

    def path(self, node: int) -> tuple[int, ...]:
        """The hypernym path: the node, its first parent, and so on to the root."""
        ...

    def leaves(self, node: int) -> int:
        """How many leaves stand below a node; 1 for a leaf."""
        ...

    def level(self, node: int, distance: int) -> int:
        """How many nodes stand exactly so many steps below a node."""
        ...

    def longest(self, word: str) -> int:
        """How many words the longest phrase has that begins with this one; 1 if there is none."""
        ...

    def is_common_noun(self, phrase: str) -> bool:
        """Whether the phrase, given as its key, is more often a noun than anything else."""
        ...

    def tree_interval(self, node: int) -> tuple[int, int]:
        """The places of a node and all below it, in the tree that the first parents make."""
        ...

    def places(self, word: str) -> tuple[int, ...]:
        """The places, ascending, of the nodes that have this single word in one of their words."""
        ...


def volume(ontology: Ontology, word: int, distance: int, reading: Volume) -> int:
    """How many base values generalise to the node `distance` steps up the path of `word`.

    `"leaves"`: the leaves below, and the word itself when it is none. `"level"`: the nodes as many
    steps below as the word is. A word that stays as it is has volume 1.

    Paper: the word domain function W of Section III-A, and its footnote 1.

    >>> from sfumato.ontologies import wordnet
    >>> plant, drug = wordnet().senses("marijuana")
    >>> volume(wordnet(), drug, 1, "leaves"), volume(wordnet(), drug, 1, "level")
    (5, 3)
    """
    if distance == 0:
        return 1
    node = ontology.path(word)[distance]
    if reading == "level":
        return ontology.level(node, distance)
    return ontology.leaves(node) + (1 if ontology.children(word) else 0)


def hypernym_paths(ontology: Ontology, node: int) -> list[tuple[int, ...]]:
    """All paths from a node to a root; the first is `ontology.path(node)`.

    >>> from sfumato.ontologies import wordnet
    >>> liver_cancer = wordnet().senses("liver cancer")[0]
    >>> [wordnet().words(path[1])[0] for path in hypernym_paths(wordnet(), liver_cancer)]
    ['liver disease', 'carcinoma', 'carcinoma']
    """
    found: list[tuple[int, ...]] = []
    waiting: list[tuple[int, ...]] = [(node,)]
    while waiting:
        path = waiting.pop()
        parents = ontology.parents(path[-1])
        if not parents:
            found.append(path)
        waiting += [(*path, parent) for parent in reversed(parents)]
    return found
