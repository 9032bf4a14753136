"""t-plausibility as it is published: how many base texts the method maps to the very text.

Which words stand in which group, how large groups must be and what is left of them beside other
words is worked out anew from the ontology and the marked places. Every general word must be the one
of its group, in the number of what it replaces and with capitals that unmarked text asks for: then
each choice of base values is published as this text, and their number is counted.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ..core.printed_form import by_sizes
from ..core.segments import segments
from ..ontologies import key_of
from ..ontologies.inflection import takes_an
from .base_values import MarkedPlace, Violation, keys_of

if TYPE_CHECKING:
    from .own_groups import Groups

ARTICLE = re.compile(r"(^|[\W_])(an?)\s+[\"'‘“«(\[{*_]*$", re.IGNORECASE)
OPENING = "\"'‘“(["
CLOSING = "\"'’”)]"
MOST_JUDGED = 1 << 16  # published places that are known to be good
MOST_PIECES = 1 << 12  # of a text, before they are joined


@dataclass(frozen=True)
class Document:
    """A document with its marked places: what was there, and what the claim wants of it."""

    text: str
    found: Sequence[MarkedPlace]
    t: Sequence[int]  # of every segment
    segment: str
    least: int
    own: Mapping[int, int] = field(default_factory=dict)  # by place: its own t
    many: frozenset[int] = frozenset()  # the places that stand in the plural
    unsure: frozenset[int] = frozenset()  # those that stand so by some of their meanings alone

    __repr__ = by_sizes

    def hidden(self, instead: str) -> str:
        """The text with something in place of every marked letter."""
        whole: list[str] = []
        pieces: list[str] = []
        at = 0
        for place in self.found:
            start, stop = max(at, place.start), max(at, place.stop)
            pieces += (self.text[at:start], instead * (stop - start))
            at = stop
            if len(pieces) > MOST_PIECES:  # they take more room than what they say
                whole.append("".join(pieces))
                pieces = []
        return "".join((*whole, *pieces, self.text[at:]))

    def segments(self) -> list[tuple[int, int]]:
        """Where its segments are, whatever stood in the marked places."""
        if self.segment == "document":  # which has the length of what is hidden
            return segments(self.text, "document")
        return segments(self.hidden("X"), self.segment)  # type: ignore[arg-type]


class MeaningCount(NamedTuple):
    """A meaning of a document: its group, and the base values that others leave of it."""

    size: int
    many: bool
    general: int
    left: int


# The group of a meaning in the grouping of a size, of words that stand in the plural or do not.
Resolve = Callable[[int, int, bool], int]


def by_node(groups: Groups) -> Resolve:
    """The group of a node."""
    return lambda node, size, many: groups.of_size(size, many).group[node]


def counted(document: Document, groups: Groups, resolve: Resolve) -> dict[int, MeaningCount]:
    """The group of every meaning, in order of first mention."""
    wanted: dict[int, tuple[int, bool]] = {}
    for place in document.found:
        if place.node is not None:
            own, many = wanted.get(place.node, (1, False))
            own = max(own, document.own.get(place.start, 1))
            wanted[place.node] = own, many or place.start in document.many
    if document.segment == "document":
        return _whole(document, wanted, groups, resolve)
    return _by_segment(document, wanted, groups, resolve)


def _whole(
    document: Document, wanted: Mapping[int, tuple[int, bool]], groups: Groups, resolve: Resolve
) -> dict[int, MeaningCount]:
    t, least = document.t[0] if document.t else 1, document.least
    result: dict[int, MeaningCount] = {}
    texts, before = 1, WordsBefore(groups)
    for number, (node, (own, many)) in enumerate(wanted.items()):
        need = max(_root(t, texts, len(wanted) - number), own)
        size = max(least, need)
        met, fewest = before.met(size, many)
        while fewest < need:
            size += 1
            met, fewest = before.met(size, many)
        general = resolve(node, size, many)
        left = len(groups.of_size(size, many).values[general]) - met[general]
        result[node] = MeaningCount(size, many, general, left)
        before.words.append((size, many, general))
        texts *= max(1, left)
    return result


@dataclass(frozen=True, slots=True)
class WordsBefore:
    """The groups of the words before, and how many of them meet each group of a size.

    Counts are brought up to date when they are asked for: each word is counted once for a size.
    """

    groups: Groups
    words: list[tuple[int, bool, int]] = field(default_factory=list)
    _met: dict[tuple[int, bool], tuple[int, Counter[int], float]] = field(default_factory=dict)

    __repr__ = by_sizes

    def met(self, size: int, many: bool) -> tuple[Counter[int], float]:
        """Of every group of a size the words before that may have one of its values.

        And of all groups of the size the fewest values that are left; whole trees left out.
        """
        done, met, least = self._met.get((size, many)) or (0, Counter(), math.inf)
        if done < len(self.words):
            values = self.groups.of_size(size, many).values
            for word in self.words[done:]:
                for general in self.groups.meeting(word, size, many):
                    met[general] += 1
                    if len(values[general]) >= size:
                        least = min(least, len(values[general]) - met[general])
            self._met[size, many] = len(self.words), met, least
        return met, least


def _by_segment(
    document: Document, wanted: Mapping[int, tuple[int, bool]], groups: Groups, resolve: Resolve
) -> dict[int, MeaningCount]:
    inside = _inside(document)
    texts = dict.fromkeys(inside, 1)
    result: dict[int, MeaningCount] = {}
    for node, (own, many) in wanted.items():
        here = [number for number, nodes in inside.items() if node in nodes]
        need = own
        for number in here:
            waiting = sum(one not in result for one in inside[number])
            need = max(need, _root(document.t[number], texts[number], waiting))
        size = max(document.least, need + len(wanted) - 1)
        general = resolve(node, size, many)
        left = len(groups.of_size(size, many).values[general]) - (len(wanted) - 1)
        result[node] = MeaningCount(size, many, general, left)
        for number in here:
            texts[number] *= max(1, left)
    return result


def _inside(document: Document) -> dict[int, list[int]]:
    """The meanings of every segment that has some."""
    result: dict[int, dict[int, None]] = {}
    stops = [stop for _, stop in document.segments()]
    for place in document.found:
        if place.node is not None:
            result.setdefault(bisect_right(stops, place.start), {})[place.node] = None
    return {number: list(nodes) for number, nodes in sorted(result.items())}


def _root(t: int, texts: int, words: int) -> int:
    """The least whole number whose power makes, with the texts so far, at least t."""
    low, high = 1, t
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if texts * middle**words >= t else (middle + 1, high)
    return low


class PublishedPlace(NamedTuple):
    """What a release shows in a marked place, and what its place asks for."""

    size: int
    many: bool
    general: int
    is_plural: bool
    """Whether what stood there did so in the plural."""
    shown: str
    begins: bool
    """Whether a sentence begins there."""
    in_capitals: bool
    """Whether all other letters of its line are capitals."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: shown {len(self.shown)}>"


def _offsets(document: int, place: MarkedPlace) -> str:
    return f"document {document}, offsets {place.start} to {place.stop}"


@dataclass(frozen=True)
class Judge:
    """Judges one document after another; how a group is written may not change between them."""

    groups: Groups
    mask: str
    _forms: dict[tuple[int, bool, int, bool], str] = field(default_factory=dict)
    _judged: set[tuple[PublishedPlace, bool]] = field(default_factory=set)  # and found good

    __repr__ = by_sizes

    def bits_of(
        self,
        document: Document,
        replacements: Mapping[int, str],
        i: int,
        resolve: Resolve | None = None,
    ) -> Iterator[tuple[float, int]]:
        """Bits and meanings of every segment; what is not as published raises a violation."""
        chosen = counted(document, self.groups, resolve or by_node(self.groups))
        bare, before = document.hidden("_"), 0
        lines = Lines(bare)
        for place in document.found:
            if place.node is not None:
                where = partial(_offsets, i, place)
                one, least = chosen[place.node], max(1, document.own.get(place.start, 1))
                if one.general != place.general:
                    raise Violation("a word is not published as its group", where())
                if place.start not in replacements:
                    raise Violation("a marked word stays as it is", where())
                written = PublishedPlace(
                    *(one.size, one.many, one.general, place.start in document.many),
                    *(replacements[place.start], _begins(bare, before, place.start)),
                    lines.in_capitals(place.start),
                )
                self._must_be_published(written, place.start not in document.unsure, where)
                if one.left < least:
                    problem = f"a word has {max(0, one.left)} base values beside the others"
                    raise Violation(f"{problem}, it needs {least}", where())
            before = place.stop
        for number, nodes in _inside(document).items():
            texts, t = math.prod(max(1, chosen[node].left) for node in nodes), document.t[number]
            if texts < t:
                problem = f"{texts:,} base texts, t is {t}"
                raise Violation(problem, f"document {i}, segment {number}")
            yield math.log2(texts), len(nodes)

    def _must_be_published(
        self, word: PublishedPlace, is_sure: bool, where: Callable[[], str]
    ) -> None:
        """A form of the group's word as its place asks for it; judged once for all such places."""
        if (word, is_sure) in self._judged:
            return
        self._must_suit(word, where)
        if is_sure:
            self._must_be_written(word, where)
        if len(self._judged) >= MOST_JUDGED:
            self._judged.clear()
        self._judged.add((word, is_sure))

    def _must_be_written(self, word: PublishedPlace, where: Callable[[], str]) -> None:
        """The group's word in the number of what stood there, always alike."""
        shown = word.shown
        single = not word.is_plural or word.general == self.groups.pool
        if single and key_of(self._word(word)) != key_of(shown):
            raise Violation("a word is not written as its group is", where())
        form = word.size, word.many, word.general, single
        if self._forms.setdefault(form, shown.casefold()) != shown.casefold():
            raise Violation("a group is written in two ways", where())

    def _must_suit(self, word: PublishedPlace, where: Callable[[], str]) -> None:
        """A form of the group's word, with the capitals of its place."""
        plain = self._word(word)
        if word.general == self.groups.pool:
            if word.shown != self.mask:
                raise Violation("a word of the pool is not masked", where())
            return
        if keys_of(plain)[0] not in keys_of(word.shown):
            raise Violation("a word is not written as its group is", where())
        if word.shown != with_capitals(word.shown, plain, word):
            raise Violation("the capitals of a word are not those of its place", where())

    def _word(self, word: PublishedPlace) -> str:
        return self.groups.word(word.size, word.many, word.general)


def must_suit_articles(new: str, places: Sequence[tuple[int, str, int]]) -> None:
    """The article before what was written is the one that it needs, not the hidden word's.

    Places have their start, what was written, and where that begins in the release.
    """
    after = 0
    for start, written, at in sorted(places):
        found = ARTICLE.search(new[after:at])
        article = None if found is None or found.start(2) == 0 < after else found.group(2)
        if article is not None and article.casefold() != ("an" if takes_an(written) else "a"):
            raise Violation("an article is not that of the word after it", f"offset {start}")
        after = at + len(written)


def with_capitals(written: str, word: str, place: PublishedPlace) -> str:
    """What was written, with capitals that unmarked text alone decides."""
    if place.in_capitals:
        return written.upper()
    plain = word[:1] + written[1:]
    return plain[:1].upper() + plain[1:] if place.begins else plain


class Lines:
    """The lines of a text without its marked letters: whether one is in capitals, seen once."""

    def __init__(self, bare: str) -> None:
        self.bare = bare
        self.starts = [0, *(found.end() for found in re.finditer("\n", bare))]
        self.told: dict[int, bool] = {}

    def in_capitals(self, place: int) -> bool:
        """Whether the line of a place has three letters at least, and capitals only.

        >>> [Lines("NO ____ TODAY\\nIt is").in_capitals(at) for at in (3, 14)]
        [True, False]
        """
        number = bisect_right(self.starts, place) - 1
        if number not in self.told:
            last = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.bare)
            line = self.bare[self.starts[number] : last]
            if line.isascii():  # where letters are known: it is quicker
                self.told[number] = line.isupper() and sum(map(str.isalpha, line)) >= 3
            else:
                letters = [c for c in line if c.isalpha()]
                self.told[number] = len(letters) >= 3 and all(c.isupper() for c in letters)
        return self.told[number]


def _begins(bare: str, before: int, start: int) -> bool:
    """Whether a sentence begins after unmarked text, by what stands last in it."""
    at = start
    while at > before and (bare[at - 1].isspace() or bare[at - 1] in OPENING):
        at -= 1
        if bare[at] == "\n" or (bare[at].isspace() and _ends(bare, before, at)):
            return True
    return at == before == 0


def _ends(bare: str, before: int, at: int) -> bool:
    """Whether a sentence ends before a blank."""
    while at > before and bare[at - 1] in CLOSING:
        at -= 1
    return at > before and bare[at - 1] in ".!?"
