"""How a generalised text came from its original, when nobody kept a record of the changes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..ontologies import Ontology, key_of
from ..ontologies.inflection import singulars

LONGEST = 9  # words of a phrase

Place = tuple[int, int, list[tuple[int, int]]]  # start, stop, (meaning, general) pairs
Token = tuple[int, int, str]
Step = tuple[tuple[int, int], Place | None] | None  # where it began, and what it replaced
Reached = tuple[tuple[int, int], Step]


def align(old: str, new: str, ontology: Ontology, mask: str) -> list[Place] | None:
    """The replaced places of the original, with the meanings that explain each; None if none do.

    Equal words stay where they can; `a` may become `an`; otherwise a phrase became a phrase above
    one of its meanings, or the mask. Cost: O(words), more only where several readings compete.

    >>> from sfumato.ontologies import wordnet
    >>> [place[:2] for place in align("no liver cancer", "no liver disease", wordnet(), "★")]
    [(3, 15)]
    >>> align("no liver cancer", "no liver trouble", wordnet(), "★") is None
    True
    """
    pattern = re.compile(rf"[^\W_]+|{re.escape(mask)}")
    before = [(m.start(), m.end(), m.group()) for m in pattern.finditer(old)]
    after = [(m.start(), m.end(), m.group()) for m in pattern.finditer(new)]
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
        steps = list(_steps(before, after, i, j, ontology, mask))
        for reached, place in reversed(steps):  # the first step is tried first
            if reached not in came:
                waiting.append((reached, ((i, j), place)))
    return None


def _gap(text: str, tokens: Sequence[Token], at: int) -> str:
    start = tokens[at - 1][1] if at else 0
    return text[start : tokens[at][0] if at < len(tokens) else len(text)]


def _steps(
    before: Sequence[Token],
    after: Sequence[Token],
    i: int,
    j: int,
    ontology: Ontology,
    mask: str,
) -> Iterator[tuple[tuple[int, int], Place | None]]:
    if i == len(before) or j == len(after):
        return
    old, new = before[i][2], after[j][2]
    if old == new or {old.casefold(), new.casefold()} == {"a", "an"}:
        yield (i + 1, j + 1), None
    for p in range(min(LONGEST, len(before) - i), 0, -1):
        phrase = before[i : i + p]
        if new == mask:
            yield (i + p, j + 1), (phrase[0][0], phrase[-1][1], [])
            continue
        meanings = _meanings(phrase, ontology)
        above = {node: set(ontology.path(node)[1:]) for node in meanings}
        if not meanings:
            continue
        for q in range(min(LONGEST, len(after) - j), 0, -1):
            pairs = [
                (node, general)
                for general in _meanings(after[j : j + q], ontology)
                for node in meanings
                if general in above[node]
            ]
            if pairs:
                yield (i + p, j + q), (phrase[0][0], phrase[-1][1], pairs)


def _meanings(tokens: Sequence[Token], ontology: Ontology) -> list[int]:
    words = [key_of(token[2]) for token in tokens]
    forms = [words]
    for at in {0, len(words) - 1}:
        forms += [[*words[:at], one, *words[at + 1 :]] for one in singulars(words[at])]
    for at, word in enumerate(words):
        if word == "of" and at:  # drugs of abuse
            forms += [[*words[: at - 1], one, *words[at:]] for one in singulars(words[at - 1])]
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
