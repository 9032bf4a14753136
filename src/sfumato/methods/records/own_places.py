"""Where the words of a value make it: in a row, with their symbols, or as a name in any order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...core.letters import words
from .searched_columns import needs_capital

if TYPE_CHECKING:
    from .own_days import Hit

Places = Iterator[tuple[int, int]]


def row_places(text: str, hits: list[Hit], rows: Sequence[tuple[str, ...]]) -> Places:
    """Where all words of a row follow each other, whatever stands between them that is no word."""
    for row in rows:
        for run in _runs(hits, row):
            if not run[0].glued & 1 and not run[-1].glued & 2:
                start, stop = run[0].start, run[-1].stop
                if not in_number(text, start, stop):
                    yield start, stop


def exact_places(text: str, hits: list[Hit], values: Sequence[str]) -> Places:
    """Where a value stands with all of its symbols, in any case."""
    for value in values:
        found = words(value)
        before, behind = value[: found[0].start], value[found[-1].stop :]
        for run in _runs(hits, tuple(one.read for one in found)):
            start, stop = run[0].start - len(before), run[-1].stop + len(behind)
            if run[0].glued & 1 or run[-1].glued & 2 or start < 0:
                continue
            if text[start:stop].casefold() == value.casefold() and not in_number(text, start, stop):
                yield start, stop


def _runs(hits: list[Hit], row: tuple[str, ...]) -> Iterator[list[Hit]]:
    for at, first in enumerate(hits):
        run = hits[at : at + len(row)]
        if first.word == row[0] and len(run) == len(row):
            whole = range(first.ordinal, first.ordinal + len(row))
            if all(
                one.word == word and one.ordinal == place
                for one, word, place in zip(run, row, whole, strict=True)
            ):
                yield run


def name_places(text: str, hits: list[Hit], name: frozenset[str], parts: frozenset[str]) -> Places:
    """Where a part of a name stands alone, and two or more of its words beside each other."""
    mine = [one for one in hits if one.word in name]
    run: list[Hit] = []
    for one in (*mine, None):
        if one is not None and one.word in parts and _is_written_as_name(text, one):
            yield one.start, one.stop
        if one is not None and run and one.ordinal == run[-1].ordinal + 1:
            run.append(one)
            continue
        if len({hit.word for hit in run}) > 1 and any(hit.word in parts for hit in run):
            yield run[0].start, run[-1].stop
        run = [] if one is None else [one]


def _is_written_as_name(text: str, hit: Hit) -> bool:
    return not needs_capital(hit.word) or not text[hit.start].islower()


def in_number(text: str, start: int, stop: int) -> bool:
    """Whether digits at the edges belong to a longer number: 36 stands neither in 36.5 nor 1,036.

    >>> in_number("36.5", 0, 2), in_number("at 36.", 3, 5)
    (True, False)
    """
    before, after = text[max(start - 2, 0) : start], text[stop : stop + 2]
    left = text[start].isdigit() and len(before) == 2 and before[0].isdigit() and before[1] in ".,"
    right = text[stop - 1].isdigit() and len(after) == 2 and after[0] in ".," and after[1].isdigit()
    return left or right
