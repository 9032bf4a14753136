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
from dataclasses import dataclass, field, replace
from itertools import islice, product
from typing import TYPE_CHECKING

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
MOST = 2000  # readings of a document that are tried


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

    __repr__ = by_sizes

    def hidden(self, instead: str) -> str:
        """The text with something in place of every marked letter."""
        letters = list(self.text)
        for place in self.found:
            letters[place.start : place.stop] = instead * (place.stop - place.start)
        return "".join(letters)

    def segments(self) -> list[tuple[int, int]]:
        """Where its segments are, whatever stood in the marked places."""
        return segments(self.hidden("X"), self.segment)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class MeaningCount:
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
        while before.fewest(size, many) < need:
            size += 1
        general = resolve(node, size, many)
        values = groups.of_size(size, many).values[general]
        left = len(values) - before.met(size, many)[general]
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
    _met: dict[tuple[int, bool], Counter[int]] = field(default_factory=dict)
    _done: dict[tuple[int, bool], tuple[int, float]] = field(default_factory=dict)

    __repr__ = by_sizes

    def met(self, size: int, many: bool) -> Counter[int]:
        """Of every group of a size the words before that may have one of its values."""
        met = self._met.setdefault((size, many), Counter())
        done, least = self._done.get((size, many), (0, math.inf))
        grouping = self.groups.of_size(size, many)
        for word in self.words[done:]:
            for general in self.groups.meeting(word, size, many):
                met[general] += 1
                if len(grouping.values[general]) >= size:
                    least = min(least, len(grouping.values[general]) - met[general])
        self._done[size, many] = len(self.words), least
        return met

    def fewest(self, size: int, many: bool) -> float:
        """Of all groups of a size, the fewest values that are left; whole trees left out."""
        self.met(size, many)
        return self._done[size, many][1]


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


@dataclass(frozen=True, slots=True)
class PublishedPlace:
    """What a release shows in a marked place, and what stands before it."""

    __repr__ = by_sizes

    place: MarkedPlace
    group: MeaningCount
    shown: str
    gap: str
    """What stands between the place before and this one."""
    is_first: bool
    in_capitals: bool
    """Whether all other letters of its line are capitals."""
    where: str


@dataclass(frozen=True)
class Judge:
    """Judges one document after another; how a group is written may not change between them."""

    groups: Groups
    mask: str
    _forms: dict[tuple[int, bool, int, bool], str] = field(default_factory=dict)

    __repr__ = by_sizes

    def bits_of(
        self,
        document: Document,
        replacements: Mapping[int, str],
        i: int,
        resolve: Resolve | None = None,
    ) -> Iterator[tuple[float, int]]:
        """Bits and meanings of every segment; what is not as published raises a violation."""
        blind = resolve is not None
        chosen = counted(document, self.groups, resolve or by_node(self.groups))
        bare, before = document.hidden("_"), 0
        lines = Lines(bare)
        for place in document.found:
            if place.node is not None:
                where = f"document {i}, offsets {place.start} to {place.stop}"
                one, least = chosen[place.node], max(1, document.own.get(place.start, 1))
                if one.general != place.general:
                    raise Violation("a word is not published as its group", where)
                if place.start not in replacements:
                    raise Violation("a marked word stays as it is", where)
                written = PublishedPlace(
                    *(place, one, replacements[place.start], bare[before : place.start]),
                    *(before == 0, lines.in_capitals(place.start), where),
                )
                self._must_suit(written)
                if not blind:
                    self._must_be_written(written, document)
                if one.left < least:
                    problem = f"a word has {max(0, one.left)} base values beside the others"
                    raise Violation(f"{problem}, it needs {least}", where)
            before = place.stop
        for number, nodes in _inside(document).items():
            texts, t = math.prod(max(1, chosen[node].left) for node in nodes), document.t[number]
            if texts < t:
                where = f"document {i}, segment {number}"
                raise Violation(f"2^{math.log2(texts):.2f} base texts, t is {t}", where)
            yield math.log2(texts), len(nodes)

    def _must_be_written(self, word: PublishedPlace, document: Document) -> None:
        """The group's word in the number of what stood there, always alike."""
        one, shown = word.group, word.shown
        single = word.place.start not in document.many or one.general == self.groups.pool
        if single and key_of(self._word(one)) != key_of(shown):
            raise Violation("a word is not written as its group is", word.where)
        form = one.size, one.many, one.general, single
        if self._forms.setdefault(form, shown.casefold()) != shown.casefold():
            raise Violation("a group is written in two ways", word.where)

    def _must_suit(self, word: PublishedPlace) -> None:
        """A form of the group's word, with the capitals of its place."""
        plain = self._word(word.group)
        if word.group.general == self.groups.pool:
            if word.shown != self.mask:
                raise Violation("a word of the pool is not masked", word.where)
            return
        if keys_of(plain)[0] not in keys_of(word.shown):
            raise Violation("a word is not written as its group is", word.where)
        if word.shown != with_capitals(word.shown, plain, word):
            raise Violation("the capitals of a word are not those of its place", word.where)

    def _word(self, one: MeaningCount) -> str:
        return self.groups.word(one.size, one.many, one.general)


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
    return plain[:1].upper() + plain[1:] if _begins(place.gap, place.is_first) else plain


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


def _begins(gap: str, is_first: bool) -> bool:
    """Whether a sentence begins after unmarked text, by what stands last in it."""
    at = len(gap)
    while at and (gap[at - 1].isspace() or gap[at - 1] in OPENING):
        at -= 1
        if gap[at] == "\n" or (gap[at].isspace() and _ends(gap, at)):
            return True
    return at == 0 and is_first


def _ends(gap: str, at: int) -> bool:
    """Whether a sentence ends before a blank."""
    while at and gap[at - 1] in CLOSING:
        at -= 1
    return at > 0 and gap[at - 1] in ".!?"


def read_blind(
    document: Document,
    meanings: Sequence[Sequence[int]],
    replacements: Mapping[int, str],
    groups: Groups,
) -> Iterator[tuple[Document, Resolve]]:
    """The document with its meanings numbered, where nobody kept a record: readings that fit.

    `meanings` has, for every place, those that what was written there stands above. Places with the
    same ones are one meaning; forms that share some are, in a second try. Then every form is given
    one of its meanings after another.
    """
    words = [key_of(replacements.get(place.start, "")) for place in document.found]
    sets = [frozenset(some) for some in meanings]
    for together in (False, True):
        numbers = _numbered(sets, together)
        found = [
            replace(place, node=number if some else None)
            for place, number, some in zip(document.found, numbers, sets, strict=True)
        ]
        candidates = {n: (some, w) for n, some, w in zip(numbers, sets, words, strict=True)}
        tried = replace(document, found=found)
        yield from _fitting(tried, _by_words(candidates, groups), groups)
    for nodes in islice(_assigned(document, sets), MOST):
        found = [replace(one, node=node) for one, node in zip(document.found, nodes, strict=True)]
        written = {place.start: document.text[place.start : place.stop] for place in found}
        many = frozenset(
            place.start
            for place in found
            if place.node is not None
            and place.node not in groups.ontology.senses(keys_of(written[place.start])[0])
        )
        shown = dict(zip(nodes, words, strict=True))
        candidates = {n: (frozenset([n]), w) for n, w in shown.items() if n is not None}
        tried = replace(document, found=found, many=many)
        yield from _fitting(tried, _by_words(candidates, groups), groups)


def _fitting(
    document: Document, resolve: Resolve, groups: Groups
) -> Iterator[tuple[Document, Resolve]]:
    """The document with the groups of its meanings, if they are written so."""
    try:
        chosen = counted(document, groups, resolve)
    except KeyError:
        return
    named = [
        place if place.node is None else replace(place, general=chosen[place.node].general)
        for place in document.found
    ]
    yield replace(document, found=named), resolve


def _assigned(
    document: Document, sets: Sequence[frozenset[int]]
) -> Iterator[tuple[int | None, ...]]:
    """Every way to give each form one of the meanings that it may have."""
    forms = [
        (key_of(document.text[place.start : place.stop]), some)
        for place, some in zip(document.found, sets, strict=True)
    ]
    distinct = list(dict.fromkeys(forms))
    choices: list[list[int | None]] = [[*sorted(some)] or [None] for _, some in distinct]
    for chosen in product(*choices):
        node = dict(zip(distinct, chosen, strict=True))
        yield tuple(node[form] for form in forms)


def _numbered(sets: Sequence[frozenset[int]], together: bool) -> list[int]:
    """A number for every set: equal ones have the same; those that meet too, if taken together."""
    first: dict[object, int] = {}
    result = []
    for number, some in enumerate(sets):
        keys: list[object] = list(some) if together else [some]
        known = [first[key] for key in keys if key in first]
        chosen = min(known, default=number)
        for key in keys:
            first.setdefault(key, chosen)
        result.append(chosen)
    return result


def _by_words(candidates: Mapping[int, tuple[frozenset[int], str]], groups: Groups) -> Resolve:
    def resolve(number: int, size: int, many: bool) -> int:
        nodes, written = candidates[number]
        forms = keys_of(written)
        for node in sorted(nodes):
            general = groups.of_size(size, many).group[node]
            if keys_of(groups.word(size, many, general))[0] in forms:
                return general
        raise KeyError(number)

    return resolve
