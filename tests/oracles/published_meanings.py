"""The guarantee `published`, literally: the method is run again on every base text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product


def written(template: Sequence[str], words: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """A text of unmarked pieces with words between them, and where the words stand."""
    text, places = template[0], []
    for word, piece in zip(words, template[1:], strict=True):
        places.append((len(text), len(text) + len(word)))
        text += word + piece
    return text, places


def sharers(
    template: Sequence[str],
    vocabulary: Sequence[str],
    publish: Callable[[str, list[tuple[int, int]]], str | None],
) -> Counter[str]:
    """How many base texts, over all words in all places, are published as each text.

    `publish` is the method; None where it refuses a text.
    """
    found: Counter[str] = Counter()
    for words in product(vocabulary, repeat=len(template) - 1):
        text = publish(*written(template, words))
        if text is not None:
            found[text] += 1
    return found
