"""A new text divided among the pieces of the old one: runs of a paragraph, inline elements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby, pairwise

_TOKEN = re.compile(r"\w+|\W")


def shares(old: str, new: str, lengths: Sequence[int]) -> list[str]:
    """The new text in as many pieces as the old one had, each with what its piece became.

    What replaces characters of several pieces goes to the first of them, so that the edge between
    two formats within a hidden word is no longer to be seen. Together the pieces are the new text.

    Cost: O(length); where lengths differ that of the edit distance of their words.
    >>> shares("Ann Marlow is ill", "★★★★★★★★★★ is ill", [4, 8, 5])
    ['★★★★★★★★★★', ' i', 's ill']
    >>> shares("Ann is ill", "Somebody is ill", [3, 7])
    ['Somebody', ' is ill']
    """
    edges, moved = list(accumulate(lengths)), []
    steps = list(_steps(old, new))
    for edge in edges[:-1]:
        moved.append(_moved(edge, steps))
    cuts = [0, *moved, len(new)]
    return [new[start:stop] for start, stop in pairwise(cuts)]


def _moved(edge: int, steps: Sequence[tuple[int, int, int, int, bool]]) -> int:
    """Where an edge between two characters of the old text stands in the new one."""
    place = 0
    for start, stop, to_start, to_stop, same in steps:
        if start > edge or (start == edge and start < stop):
            break
        place = to_start + edge - start if same and edge <= stop else to_stop
    return place


def _steps(old: str, new: str) -> Iterator[tuple[int, int, int, int, bool]]:
    """Start and stop of each stretch in the old and in the new text, and whether it is the same."""
    if len(old) != len(new):
        from rapidfuzz.distance import Levenshtein

        before, after = _TOKEN.findall(old), _TOKEN.findall(new)
        at, to = ([0, *accumulate(map(len, tokens))] for tokens in (before, after))
        # What is inserted beside what is replaced belongs to it.
        for same, alike in groupby(
            Levenshtein.opcodes(before, after), lambda one: one.tag == "equal"
        ):
            ops = list(alike)
            first, last = ops[0], ops[-1]
            yield (
                at[first.src_start],
                at[last.src_end],
                to[first.dest_start],
                to[last.dest_end],
                same,
            )
        return
    start = 0
    while start < len(old):
        same, stop = old[start] == new[start], start
        while stop < len(old) and (old[stop] == new[stop]) == same:
            stop += 1
        yield start, stop, start, stop, same
        start = stop
