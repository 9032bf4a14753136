"""Where the words to generalise stand: longest phrase first, inflected forms with their lemmas."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple, TypeVar

from ...core.letters import WITHOUT_WORDS, compose
from ...core.printed_form import by_sizes
from ...ontologies import Ontology, key_of
from ...ontologies.inflection import singulars
from ...ontologies.protocol import ASCII_WORD, WORD
from ...ontologies.readings import is_noun, keys_of, nodes_of_keys
from ...ontologies.table import Table

# What may stand between two words of one phrase: blanks of any number and kind, with or without
# one mark that joins or shortens words.
BLANK = "[\\s\u00ad\u200b-\u200f\u2060\ufeff]"
GAP = re.compile(f"{BLANK}+|{BLANK}*[-‐‑–_'’]{BLANK}*|\\.{BLANK}*")

Key = TypeVar("Key")
Told = TypeVar("Told")

# The words of a text, with what parts them.
WORDS, ASCII_WORDS = re.compile(f"({WORD.pattern})"), re.compile(f"({ASCII_WORD.pattern})")
BLANK_SPACE = re.compile("\\s")
BLOCK = 1 << 20  # letters whose words are held at a time

MOST_KEPT = 1 << 16  # words, pairs and phrases whose keys are kept

UNSPACED = ""  # how a lexicon is asked for its longest phrase that begins without a word
UNSPACED_LONGEST = 12  # letters of a word of an ontology in a script without blanks
UNSPACED_LETTER = re.compile(WITHOUT_WORDS)
PARTS = re.compile(f"{WITHOUT_WORDS}|(?:(?!{WITHOUT_WORDS}).)+")


@dataclass(frozen=True, slots=True)
class Mention:
    """A word or phrase of a document, and the keys it may be looked up by, its own form first.

    `plural` tells for each key whether the form is that word's plural.

    >>> (found,) = find_mentions("Two drugs", lexicon_of_words(["drug"]))
    >>> found, found.keys
    (<Mention: start 4, stop 9, keys 2, plural 2>, ('drugs', 'drug'))
    """

    start: int
    stop: int
    keys: tuple[str, ...]
    plural: tuple[bool, ...]

    __repr__ = by_sizes


Keys = tuple[tuple[str, ...], tuple[bool, ...]]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Which phrases are looked for: how long one that begins with a word can be, and which."""

    longest: Callable[[str], int]
    accepts: Callable[[Sequence[str]], bool]  # by the keys of a phrase
    pairs: frozenset[tuple[str, str]] | None = None  # what longer phrases begin with, if known
    _single: dict[str, tuple[int, Keys | None]] = field(default_factory=dict, init=False)
    _words: list[WrittenWords] = field(default_factory=list, init=False)
    _begins: dict[tuple[str, str], bool] = field(default_factory=dict, init=False)
    _phrases: dict[tuple[str, ...], Keys | None] = field(default_factory=dict, init=False)

    __repr__ = by_sizes

    def keys(self, words: Sequence[str]) -> Keys | None:
        """The keys of a phrase that is looked for, and which are plurals; None if it is not."""
        keys = keys_of(words)
        return keys if self.accepts(keys[0]) else None

    def single(self, word: str) -> tuple[int, Keys | None]:
        """How long a phrase may be that begins with a word, and the word's own keys; kept."""
        found = self._single.get(word)
        if found is None:
            reach = max([self.longest(word), *map(self.longest, singulars(word))])
            _make_room(self._single)
            found = self._single[word] = reach, self.keys([word])
        return found

    def begins(self, form: str) -> tuple[int, Keys | None] | None:
        """The same of a word as it is written; None if it is no phrase and none begins with it."""
        reach, alone = self.single(form.casefold())
        return None if alone is None and reach < 2 else (reach, alone)

    def words(self) -> WrittenWords:
        """What `begins` tells of every word, each asked once."""
        if not self._words:
            self._words.append(WrittenWords(self))
        return self._words[0]

    def may_begin(self, one: str, two: str) -> bool:
        """Whether a phrase of several words may begin with these two, as they are written; kept."""
        if self.pairs is None:
            return True
        found = self._begins.get((one, two))
        if found is None:
            _make_room(self._begins)
            found = self._begins[one, two] = _begin(one.casefold(), two.casefold(), self.pairs)
        return found

    def phrase(self, forms: tuple[str, ...]) -> Keys | None:
        """The keys of a phrase of several words, as they are written; kept."""
        if forms not in self._phrases:
            _make_room(self._phrases)
            self._phrases[forms] = self.keys([form.casefold() for form in forms])
        return self._phrases[forms]


class WrittenWords(dict[str, tuple[int, Keys | None] | None]):
    """What `begins` tells of every word as it is written, asked once."""

    def __init__(self, lexicon: Lexicon) -> None:
        super().__init__()
        self.lexicon = lexicon

    def __missing__(self, form: str) -> tuple[int, Keys | None] | None:
        _make_room(self)
        found = self[form] = self.lexicon.begins(form)
        return found


def _make_room(kept: dict[Key, Told]) -> None:
    """Texts have words without end: names, numbers, and what is misspelt."""
    if len(kept) >= MOST_KEPT:
        kept.clear()


def lexicon_of_ontology(ontology: Ontology) -> Lexicon:
    """Everything the ontology knows and that is a noun more often than not."""

    def accepts(keys: Sequence[str]) -> bool:
        return is_noun(ontology, keys)

    pairs = ontology.pairs if isinstance(ontology, Table) else None
    return Lexicon(
        lambda word: ontology.longest(word) if word else UNSPACED_LONGEST, accepts, pairs
    )


def lexicon_of_words(words: Iterable[str]) -> Lexicon:
    """The listed words and phrases, in the form given or as the plural of it.

    A listed plural stands for its singular too.
    """
    keys = {key for word in words for key in keys_of(key_of(word).split())[0]}
    longest: dict[str, int] = {}
    for key in keys:
        tokens = _tokens(key)
        first = UNSPACED if tokens[0].single else tokens[0].word
        longest[first] = max(longest.get(first, 1), len(tokens))
    return Lexicon(lambda word: longest.get(word, 0), lambda some: not keys.isdisjoint(some))


def find_mentions(text: str, lexicon: Lexicon) -> list[Mention]:
    """The phrases of a lexicon in a text, from the left, the longest first, none inside another.

    Composed and decomposed letters are one, blanks of any number part words. In scripts without
    blanks a phrase may begin and end anywhere.

    Cost: O(words x longest phrase); what is asked of the lexicon is asked once a word.

    >>> [(m.start, m.stop) for m in find_mentions("彼は結核です", lexicon_of_words(["結核"]))]
    [(2, 4)]
    """
    composed, source = compose(text)
    if composed.isascii() or not UNSPACED_LETTER.search(composed):
        return _among_words(composed, source, lexicon)
    return among_tokens(composed, source, lexicon)


def _among_words(text: str, source: Sequence[int] | None, lexicon: Lexicon) -> list[Mention]:
    """The phrases of a text in which every word is parted from the next.

    A long text is looked through block by block: its words would take more room than it does.
    """
    result: list[Mention] = []
    at, size = 0, BLOCK
    while at < len(text):
        part, begin = _block(text, at, size), at
        at = _in_block(part, at, at + len(part) == len(text), lexicon, result)
        size = 2 * size if at == begin else BLOCK  # a phrase may be longer than a block
    if source is None:
        return result
    return [Mention(source[m.start], source[m.stop], m.keys, m.plural) for m in result]


def _block(text: str, start: int, size: int) -> str:
    """The text from a place on, so long or to the next blank."""
    if len(text) - start <= size:
        return text[start:]
    blank = BLANK_SPACE.search(text, start + size)
    return text[start : len(text) if blank is None else blank.start()]


def _in_block(text: str, begin: int, is_last: bool, lexicon: Lexicon, result: list[Mention]) -> int:
    """Adds the phrases of a block; gives the place from which on it must be looked at again."""
    pieces = (ASCII_WORDS if text.isascii() else WORDS).split(text)  # what parts words, and words
    forms = pieces[1::2]
    starts = list(accumulate(map(len, pieces), initial=begin))
    after = 0
    for at, found in enumerate(map(lexicon.words().__getitem__, forms)):
        if found is None or at < after:
            continue
        reach, keys = found
        if at + reach > len(forms) and not is_last:
            return starts[2 * at + 1]  # the phrase may go on behind the block
        size = 1
        if reach > 1 and at + 1 < len(forms) and lexicon.may_begin(forms[at], forms[at + 1]):
            last = min(at + reach, len(forms))
            for length in range(_follow(pieces[2 * at + 2 : 2 * last - 1 : 2]), 1, -1):
                phrase = lexicon.phrase(tuple(forms[at : at + length]))
                if phrase is not None:
                    keys, size = phrase, length
                    break
        if keys is not None:
            result.append(Mention(starts[2 * at + 1], starts[2 * (at + size)], *keys))
            after = at + size
    return begin + len(text)


def _follow(gaps: Sequence[str]) -> int:
    """How many words with these gaps between them, from the first on, may belong to one phrase."""
    for size, gap in enumerate(gaps, 1):
        if gap != " " and GAP.fullmatch(gap) is None:
            return size
    return len(gaps) + 1


def among_tokens(text: str, source: Sequence[int] | None, lexicon: Lexicon) -> list[Mention]:
    """The phrases of any text, also of one with letters of scripts without blanks."""
    tokens = _tokens(text)
    result: list[Mention] = []
    at = 0
    while at < len(tokens):
        reach, alone = lexicon.single(tokens[at].word)
        if tokens[at].single:
            reach = lexicon.longest(UNSPACED)
        if reach > 1 and lexicon.pairs is not None and not _may_begin(tokens, at, lexicon.pairs):
            reach = 1
        size = 1
        while (
            size < reach
            and at + size < len(tokens)
            and _follows(text, tokens[at + size - 1], tokens[at + size])
        ):
            size += 1
        for length in range(min(size, reach), 0, -1):
            keys = lexicon.keys(_words(tokens[at : at + length])) if length > 1 else alone
            if keys is not None:
                start, stop = tokens[at].start, tokens[at + length - 1].stop
                if source is not None:
                    start, stop = source[start], source[stop]
                result.append(Mention(start, stop, *keys))
                at += length
                break
        else:
            at += 1
    return result


class Token(NamedTuple):
    """A word of a text, or one letter of a script without blanks (`single`)."""

    word: str
    start: int
    stop: int
    single: bool


def _tokens(text: str) -> list[Token]:
    found: list[Token] = []
    for match in WORD.finditer(text):
        word, start = match.group(), match.start()
        if word.isascii() or not UNSPACED_LETTER.search(word):
            found.append(Token(word.casefold(), start, match.end(), False))
            continue
        for part in PARTS.finditer(word):
            single = UNSPACED_LETTER.match(part.group()) is not None
            place = start + part.start(), start + part.end()
            found.append(Token(part.group().casefold(), *place, single))
    return found


def _may_begin(tokens: Sequence[Token], at: int, pairs: frozenset[tuple[str, str]]) -> bool:
    """Whether a phrase of several words may begin with a token, by it and the next one.

    Words that nothing parts are read as one, so these are not looked up.
    """
    if at + 1 == len(tokens):
        return False
    one, two = tokens[at], tokens[at + 1]
    joined = one.stop == two.start or (at + 2 < len(tokens) and two.stop == tokens[at + 2].start)
    if joined or one.single or two.single:
        return True
    return _begin(one.word, two.word, pairs)


def _begin(one: str, two: str, pairs: frozenset[tuple[str, str]]) -> bool:
    """Whether phrases begin with two words, or with what they may be the plurals of."""
    return any(
        (first, second) in pairs
        for first in (one, *singulars(one))
        for second in (two, *singulars(two))
    )


def _follows(text: str, one: Token, other: Token) -> bool:
    """Whether two words may belong to one phrase."""
    return one.stop == other.start or GAP.fullmatch(text, one.stop, other.start) is not None


def _words(tokens: Sequence[Token]) -> list[str]:
    """The words of a phrase; letters of a script without blanks make one, whatever parts them."""
    words: list[str] = []
    for i, token in enumerate(tokens):
        if (i and token.single and tokens[i - 1].single) or (
            i and token.start == tokens[i - 1].stop
        ):
            words[-1] += token.word
        else:
            words.append(token.word)
    return words


def mention_of_span(text: str, start: int, stop: int) -> Mention:
    """A given span as a mention."""
    return Mention(start, stop, *keys_of(key_of(text[start:stop]).split()))


def nodes_of(mention: Mention, ontology: Ontology) -> dict[int, bool]:
    """The nodes a mention may mean, the commonest first, and whether it is then a plural."""
    return nodes_of_keys(mention.keys, mention.plural, ontology)


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
