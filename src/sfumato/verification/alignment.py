"""How a generalised text came from its original, when nobody kept a record of the changes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..core.letters import is_wordlike
from ..ontologies import Ontology, key_of
from ..ontologies.protocol import WORD
from .singular_forms import singular_forms

LONGEST = 9  # words of a phrase, or letters of a script without blanks

# Start, stop, (meaning, general) pairs, what was written there, and where it begins in the release.
Place = tuple[int, int, list[tuple[int, int]], str, int]
Token = tuple[int, int, str]
Step = tuple[tuple[int, int], Place | None] | None  # where it began, and what it replaced
Reached = tuple[tuple[int, int], Step]


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
    before, after = _tokens(old, mask), _tokens(new, mask)
    came: dict[tuple[int, int], Step] = {}
    waiting: list[Reached] = [((0, 0), None)]
    while waiting:
        (i, j), step = waiting.pop()
        if (i, j) in came:
            continue
        came[i, j] = step  # only now: the first way to get here is the preferred one
        if i == len(before) and j == len(after):
            if _gap(old, before, i) == _gap(new, after, j):
                return _way(came, (i, j))
            continue
        if _gap(old, before, i) != _gap(new, after, j):
            continue
        steps = list(_steps((old, before), (new, after), i, j, ontology, mask, tops))
        for reached, place in reversed(steps):  # the first step is tried first
            if reached not in came:
                waiting.append((reached, ((i, j), place)))
    return None


def _gap(text: str, tokens: Sequence[Token], at: int) -> str:
    start = tokens[at - 1][1] if at else 0
    return text[start : tokens[at][0] if at < len(tokens) else len(text)]


def _tokens(text: str, mask: str) -> list[Token]:
    """Words and masks; letters of scripts without blanks are words of their own."""
    found: list[Token] = []
    for match in re.finditer(rf"{WORD.pattern}|{re.escape(mask)}", text):
        at = match.start()
        for i in range(match.start(), match.end() + 1):
            ends = i == match.end() or not (is_wordlike(text[i]) and is_wordlike(text[i - 1]))
            if ends and i > at and match.group() != mask:
                found.append((at, i, text[at:i]))
                at = i
        if match.group() == mask:
            found.append((match.start(), match.end(), mask))
    return found


def _steps(
    olds: tuple[str, Sequence[Token]],
    news: tuple[str, Sequence[Token]],
    i: int,
    j: int,
    ontology: Ontology,
    mask: str,
    tops: bool,
) -> Iterator[tuple[tuple[int, int], Place | None]]:
    (old_text, before), (new_text, after) = olds, news
    if i == len(before) or j == len(after):
        return
    old, new = before[i][2], after[j][2]
    if tops and old == new:
        yield from _kept(olds, news, i, j, ontology)
    if old == new or {old.casefold(), new.casefold()} == {"a", "an"}:
        yield (i + 1, j + 1), None
    if new == mask:
        yield from _masked(olds, i, j, ontology, (mask, after[j][0]))
        return
    for p in range(min(LONGEST, len(before) - i), 0, -1):
        phrase = before[i : i + p]
        meanings = _meanings(phrase, old_text, ontology)
        above = {node: set(ontology.path(node)[1:]) or {node} for node in meanings}
        if not meanings:
            continue
        most = min(LONGEST, len(after) - j)
        masks = (q for q in range(most) if after[j + q][2] == mask)  # none is inside a phrase
        for q in range(next(masks, most), 0, -1):
            pairs = [
                (node, general)
                for general in _meanings(after[j : j + q], new_text, ontology)
                for node in meanings
                if general in above[node]
            ]
            if pairs:
                written = new_text[after[j][0] : after[j + q - 1][1]]
                place = phrase[0][0], phrase[-1][1], pairs, written, after[j][0]
                yield (i + p, j + q), place


def _masked(
    olds: tuple[str, Sequence[Token]], i: int, j: int, ontology: Ontology, written: tuple[str, int]
) -> Iterator[tuple[tuple[int, int], Place]]:
    """A phrase under a mask: one that is known if it can be, the longest first."""
    text, tokens = olds
    unknown = []
    for p in range(min(LONGEST, len(tokens) - i), 0, -1):
        phrase = tokens[i : i + p]
        pairs = [(node, len(ontology)) for node in _meanings(phrase, text, ontology)]
        step = (i + p, j + 1), (phrase[0][0], phrase[-1][1], pairs, *written)
        if pairs:
            yield step
        else:
            unknown.append(step)
    yield from unknown


def _kept(
    olds: tuple[str, Sequence[Token]],
    news: tuple[str, Sequence[Token]],
    i: int,
    j: int,
    ontology: Ontology,
) -> Iterator[tuple[tuple[int, int], Place]]:
    """A phrase with nothing above it that stands in the release as it stood."""
    (text, before), (new_text, after) = olds, news
    for p in range(min(LONGEST, len(before) - i, len(after) - j), 0, -1):
        start, stop = before[i][0], before[i + p - 1][1]
        written = new_text[after[j][0] : after[j + p - 1][1]]
        if written != text[start:stop]:
            continue
        known = _meanings(before[i : i + p], text, ontology)
        pairs = [(node, node) for node in known if not ontology.parents(node)]
        if pairs:
            yield (i + p, j + p), (start, stop, pairs, written, after[j][0])


def _meanings(tokens: Sequence[Token], text: str, ontology: Ontology) -> list[int]:
    words = key_of(text[tokens[0][0] : tokens[-1][1]]).split()
    forms = [words]
    for at in {0, len(words) - 1} if words else ():
        forms += [[*words[:at], one, *words[at + 1 :]] for one in singular_forms(words[at])]
    for at, word in enumerate(words):
        if word == "of" and at:  # drugs of abuse
            forms += [[*words[: at - 1], one, *words[at:]] for one in singular_forms(words[at - 1])]
    return list(dict.fromkeys(node for form in forms for node in ontology.senses(" ".join(form))))


def _way(came: dict[tuple[int, int], Step], at: tuple[int, int]) -> list[Place]:
    places: list[Place] = []
    step = came[at]
    while step is not None:
        origin, place = step
        if place is not None:
            places.append(place)
        step = came[origin]
    return places[::-1]
