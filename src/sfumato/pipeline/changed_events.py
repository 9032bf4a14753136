"""Changes of sequences as places of the texts that they are written in."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import accumulate

import numpy as np

from ..core.spans import Changes
from ..formats.sequences import EVENTS

MOST = 4_000_000  # symbols of the one document times those of the other
Place = tuple[int, int, str]


def changes_between(before: list[str], after: list[str], reason: str) -> Changes:
    """The differing stretches of each document: of events where events stand, else the whole.

    >>> old, new = f"home{EVENTS}clinic{EVENTS}shop", f"home{EVENTS}shop"
    >>> (found,) = changes_between([old], [new], "sanitize")
    >>> found.start, found.stop, found.replacement
    (5, 12, '')
    """
    found = [
        (number, *place)
        for number, (old, new) in enumerate(zip(before, after, strict=True))
        if old != new
        for place in _places(old, new)
    ]
    documents, starts, stops = (np.array([one[i] for one in found], np.int64) for i in range(3))
    return Changes(documents, starts, stops, [one[3] for one in found], [reason] * len(found))


def _places(old: str, new: str) -> list[Place]:
    whole = [(0, len(old), new)]
    if EVENTS not in old or not new:
        return whole
    first, last = old.split(EVENTS), new.split(EVENTS)
    if len(first) * len(last) > MOST:
        return whole
    ends = list(accumulate(len(one) + 1 for one in first))
    starts = [0, *ends]
    found: list[Place] = []
    for kind, low, high, to, until in SequenceMatcher(None, first, last, False).get_opcodes():
        if kind == "equal":
            continue
        text = EVENTS.join(last[to:until])
        if high == len(first):  # what ends the text has no separator behind it
            start = max(starts[low] - 1, 0)
            found.append((start, len(old), EVENTS * (low > 0 and until > to) + text))
        else:
            found.append((starts[low], starts[high], text + EVENTS * (until > to)))
    return found
