"""The measures of a release against gold, written down as their definitions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import log2

Place = tuple[int, int]  # start, stop


def token_counts(
    text: str, masked: set[int], gold: Sequence[Place], share: float, exempt: str
) -> tuple[int, int, int]:
    """Tokens rightly protected, wrongly protected, missed (Section 6.2 of the substrings paper)."""
    right = wrong = missed = 0
    for match in re.finditer(f"[^{re.escape(exempt)}]+", text):
        symbols = set(range(*match.span()))
        protected = len(symbols & masked) > share * len(symbols)
        is_gold = any(symbols & set(range(start, stop)) for start, stop in gold)
        right += protected and is_gold
        wrong += protected and not is_gold
        missed += is_gold and not protected
    return right, wrong, missed


def entity_recall(
    text: str, masked: set[int], mentions: Sequence[tuple[int, int, str, str]], role: str
) -> tuple[int, int]:
    """Entities of one role (start, stop, role, entity) with every mention masked; how many.

    An entity with a direct mention is direct.
    """
    entities: dict[str, list[tuple[int, int, str]]] = {}
    for start, stop, its_role, entity in mentions:
        entities.setdefault(entity, []).append((start, stop, its_role))
    found = total = 0
    for own in entities.values():
        its_role = "direct" if any(one[2] == "direct" for one in own) else "quasi"
        if its_role == role:
            total += 1
            found += all(
                i in masked or not text[i].isalnum()
                for start, stop, _ in own
                for i in range(start, stop)
            )
    return found, total


def weighted_precision(text: str, masked: set[int], gold: Sequence[Place]) -> float:
    """Of the information content of all masked words, the share inside gold."""
    words = [
        (match.group().casefold(), set(range(*match.span())))
        for match in re.finditer(r"[^\W_]+", text)
    ]
    counts = Counter(word for word, _ in words)
    size = len(words) + len(counts) + 1
    hidden = [(word, symbols) for word, symbols in words if symbols & masked]
    inside = {i for start, stop in gold for i in range(start, stop)}

    def content(some: list[tuple[str, set[int]]]) -> float:
        return sum(-log2((counts[word] + 1) / size) for word, _ in some)

    right = [(word, symbols) for word, symbols in hidden if symbols & inside]
    return content(right) / content(hidden) if hidden else 1.0
