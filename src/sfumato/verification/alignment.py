"""How a generalised text came from its original, when nobody kept a record of the changes."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ..core.letters import is_wordlike
from ..core.printed_form import by_sizes
from ..ontologies import Ontology, key_of
from ..ontologies.protocol import WORD
from .singular_forms import singular_forms

LONGEST = 9  # words of a phrase, or letters of a script without blanks
MOST_KEPT = 1 << 16  # phrases whose meanings are kept

# Start, stop, (meaning, general) pairs, what was written there, and where it begins in the release.
Place = tuple[int, int, list[tuple[int, int]], str, int]
Token = tuple[int, int, str]
Tokens = tuple[str, Sequence[Token]]  # a text and its tokens
Step = tuple[tuple[int, int], Place | None] | None  # where it began, and what it replaced
Steps = Iterator[tuple[tuple[int, int], Place | None]]  # where each leads, and what it replaces


def align(
    old: str, new: str, ontology: Ontology, mask: str, tops: bool = False
) -> list[Place] | None:
    """The replaced places of the original, with the meanings that explain each; None if none do.

    Equal words stay where they can; `a` may become `an`; otherwise a phrase became a phrase above
    one of its meanings, or the mask: of a known one the general meaning is then the number after
    the last node. With `tops`, words with nothing above them are places though they stay.
    Cost: O(words), more only where several readings compete.

    >>> from sfumato.ontologies import wordnet
    >>> [place[:2] for place in align("no liver cancer", "no liver disease", wordnet(), "★")]
    [(3, 15)]
    >>> align("no liver cancer", "no liver trouble", wordnet(), "★") is None
    True
    """
    olds, news = (old, _tokens(old, mask)), (new, _tokens(new, mask))
    phrases = _phrases_of(ontology)
    places = _straight(olds, news, phrases, mask, tops)
    return _searched(olds, news, phrases, mask, tops) if places is None else places


def _straight(
    olds: Tokens, news: Tokens, phrases: _Phrases, mask: str, tops: bool
) -> list[Place] | None:
    """The way of first steps alone, which a search tries first; None where it does not lead on."""
    (old, before), (new, after) = olds, news
    plain = not tops or phrases.longest_top <= 1
    places: list[Place] = []
    i = j = 0
    while True:
        while plain and i < len(before) and j < len(after):  # words that stay need no step
            word = before[i][2]
            if word != after[j][2] or (tops and phrases.tops(word)):
                break
            if _gap(old, before, i) != _gap(new, after, j):
                return None
            i, j = i + 1, j + 1
        if _gap(old, before, i) != _gap(new, after, j):
            return None
        if i == len(before) and j == len(after):
            return places
        step = next(_steps(olds, news, i, j, phrases, mask, tops), None)
        if step is None:
            return None
        (i, j), place = step
        if place is not None:
            places.append(place)


def _searched(
    olds: Tokens, news: Tokens, phrases: _Phrases, mask: str, tops: bool
) -> list[Place] | None:
    """The first way of all that leads to both ends."""
    (old, before), (new, after) = olds, news
    came: dict[tuple[int, int], Step] = {}
    step: tuple[tuple[int, int], Step] = (0, 0), None
    ways: list[tuple[tuple[int, int], Steps]] = []  # of every place the steps not yet tried
    while True:
        (i, j), how = step
        if (i, j) not in came:
            came[i, j] = how  # the first way to get here is the preferred one
            if _gap(old, before, i) == _gap(new, after, j):
                if i == len(before) and j == len(after):
                    return _way(came, (i, j))
                ways.append(((i, j), _steps(olds, news, i, j, phrases, mask, tops)))
        following = None
        while ways and following is None:  # steps are worked out when those before them failed
            following = next(ways[-1][1], None)
            if following is None:
                ways.pop()
        if following is None:
            return None
        step = following[0], (ways[-1][0], following[1])


def _gap(text: str, tokens: Sequence[Token], at: int) -> str:
    start = tokens[at - 1][1] if at else 0
    return text[start : tokens[at][0] if at < len(tokens) else len(text)]


def _tokens(text: str, mask: str) -> list[Token]:
    """Words and masks; letters of scripts without blanks are words of their own."""
    found: list[Token] = []
    for match in re.finditer(rf"{WORD.pattern}|{re.escape(mask)}" if mask else WORD, text):
        at = match.start()
        if match.group().isascii() and match.group().isalnum():  # most words: one token
            found.append((at, match.end(), match.group()))
            continue
        for i in range(match.start(), match.end() + 1):
            ends = i == match.end() or not (is_wordlike(text[i]) and is_wordlike(text[i - 1]))
            if ends and i > at and match.group() != mask:
                found.append((at, i, text[at:i]))
                at = i
        if match.group() == mask:
            found.append((match.start(), match.end(), mask))
    return found


def _steps(
    olds: Tokens,
    news: Tokens,
    i: int,
    j: int,
    phrases: _Phrases,
    mask: str,
    tops: bool,
) -> Steps:
    (old_text, before), (new_text, after) = olds, news
    if i == len(before) or j == len(after):
        return
    old, new = before[i][2], after[j][2]
    if tops and old == new:
        yield from _kept(olds, news, i, j, phrases)
    if old == new or {old.casefold(), new.casefold()} == {"a", "an"}:
        yield (i + 1, j + 1), None
    if new == mask:
        yield from _masked(olds, i, j, phrases, (mask, after[j][0]))
        return
    for p in range(min(LONGEST, len(before) - i), 0, -1):
        phrase = before[i : i + p]
        meanings = phrases.meanings(_text(phrase, old_text))
        above = {node: set(phrases.ontology.path(node)[1:]) or {node} for node in meanings}
        if not meanings:
            continue
        most = min(LONGEST, len(after) - j)
        masks = (q for q in range(most) if after[j + q][2] == mask)  # none is inside a phrase
        for q in range(next(masks, most), 0, -1):
            pairs = [
                (node, general)
                for general in phrases.meanings(_text(after[j : j + q], new_text))
                for node in meanings
                if general in above[node]
            ]
            if pairs:
                written = new_text[after[j][0] : after[j + q - 1][1]]
                place = phrase[0][0], phrase[-1][1], pairs, written, after[j][0]
                yield (i + p, j + q), place


def _text(tokens: Sequence[Token], text: str) -> str:
    return text[tokens[0][0] : tokens[-1][1]]


def _masked(
    olds: Tokens, i: int, j: int, phrases: _Phrases, written: tuple[str, int]
) -> Iterator[tuple[tuple[int, int], Place]]:
    """A phrase under a mask: one that is known if it can be, the longest first."""
    text, tokens = olds
    unknown = []
    for p in range(min(LONGEST, len(tokens) - i), 0, -1):
        phrase = tokens[i : i + p]
        known = phrases.meanings(_text(phrase, text))
        pairs = [(node, len(phrases.ontology)) for node in known]
        step = (i + p, j + 1), (phrase[0][0], phrase[-1][1], pairs, *written)
        if pairs:
            yield step
        else:
            unknown.append(step)
    yield from unknown


def _kept(
    olds: Tokens,
    news: Tokens,
    i: int,
    j: int,
    phrases: _Phrases,
) -> Iterator[tuple[tuple[int, int], Place]]:
    """A phrase with nothing above it that stands in the release as it stood."""
    (text, before), (new_text, after) = olds, news
    most = min(LONGEST, phrases.longest_top, len(before) - i, len(after) - j)
    for p in range(most, 0, -1):
        start, stop = before[i][0], before[i + p - 1][1]
        written = new_text[after[j][0] : after[j + p - 1][1]]
        if written != text[start:stop]:
            continue
        if pairs := phrases.tops(written):
            yield (i + p, j + p), (start, stop, pairs, written, after[j][0])


@dataclass(frozen=True)
class _Phrases:
    """What phrases may mean, looked up once for all texts that are read with an ontology."""

    ontology: Ontology
    _known: dict[str, list[int]] = field(default_factory=dict)
    _tops: dict[str, list[tuple[int, int]]] = field(default_factory=dict)

    __repr__ = by_sizes

    @cached_property
    def longest_top(self) -> int:
        """How many tokens the longest word has of those with nothing above them."""
        nodes = range(len(self.ontology))
        tops = [node for node in nodes if not self.ontology.parents(node)]
        words = (word for node in tops for word in self.ontology.words(node))
        return max((len(_tokens(word, "")) for word in words), default=0)

    def meanings(self, phrase: str) -> list[int]:
        """The nodes that a phrase, or what it is the plural of, is a word of."""
        found = self._known.get(phrase)
        if found is None:
            if len(self._known) >= MOST_KEPT:
                self._known.clear()
            found = self._known[phrase] = self._looked_up(phrase)
        return found

    def tops(self, phrase: str) -> list[tuple[int, int]]:
        """Those of them with nothing above them, each as itself and as what it became."""
        found = self._tops.get(phrase)
        if found is None:
            if len(self._tops) >= MOST_KEPT:
                self._tops.clear()
            nodes = self.meanings(phrase)
            found = [(node, node) for node in nodes if not self.ontology.parents(node)]
            self._tops[phrase] = found
        return found

    def _looked_up(self, phrase: str) -> list[int]:
        words = key_of(phrase).split()
        forms = [words]
        for at in {0, len(words) - 1} if words else ():
            forms += [[*words[:at], one, *words[at + 1 :]] for one in singular_forms(words[at])]
        for at, word in enumerate(words):
            if word == "of" and at:  # drugs of abuse
                singular = singular_forms(words[at - 1])
                forms += [[*words[: at - 1], one, *words[at:]] for one in singular]
        senses = (self.ontology.senses(" ".join(form)) for form in forms)
        return list(dict.fromkeys(node for some in senses for node in some))


_LAST: deque[_Phrases] = deque(maxlen=2)


def _phrases_of(ontology: Ontology) -> _Phrases:
    found = next((one for one in _LAST if one.ontology is ontology), None)
    if found is None:
        found = _Phrases(ontology)
        _LAST.append(found)
    return found


def _way(came: dict[tuple[int, int], Step], at: tuple[int, int]) -> list[Place]:
    places: list[Place] = []
    step = came[at]
    while step is not None:
        origin, place = step
        if place is not None:
            places.append(place)
        step = came[origin]
    return places[::-1]
