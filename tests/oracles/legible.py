"""What a text looks like, symbol by symbol: the definition of `sfumato.recognizers.legible`."""

from __future__ import annotations

import unicodedata

from sfumato.core.letters import is_invisible

TURNED, TURNED_END = "\u202e", "\u202c\u202d\n"


def seen(text: str, plain: dict[str, str]) -> tuple[str, list[int], list[int]]:
    """The symbols that are seen, and where each begins and ends; `plain` tells how they are read.

    Words of two alphabets and dashes between digits stay as they are here.
    """
    letters: list[str] = []
    places: list[tuple[int, int]] = []
    turned: int | None = None
    for at, symbol in enumerate(text + "\n"):
        if turned is not None and symbol in TURNED_END:
            letters[turned:] = letters[turned:][::-1]
            places[turned:] = places[turned:][::-1]
            turned = None
        if symbol == TURNED:
            turned = len(letters)
        if is_invisible(symbol):
            continue
        if unicodedata.combining(symbol) and letters:
            joint = unicodedata.normalize("NFC", letters[-1] + symbol)
            if len(joint) == 1:
                letters[-1], places[-1] = joint, (places[-1][0], at + 1)
                continue
        letters.append(plain.get(symbol, symbol))
        places.append((at, at + 1))
    shown = places[:-1]
    return "".join(letters[:-1]), [a for a, _ in shown], [b for _, b in shown]
