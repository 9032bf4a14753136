"""Where a name stands again, as the definition says it: slow, plain Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from .tagger import low, run_end, shape_symbol


@dataclass(frozen=True)
class Run:
    """Letters, numbers and accents in a row; digits at its end stand apart."""

    start: int
    stop: int
    word: str  # lower case, without the digits at its end
    capital: bool
    capitals: bool
    digits: bool


def runs(text: str, start: int, stop: int) -> list[Run]:
    """The runs of a piece of text."""
    found, at = [], start
    text = text[:stop]
    while at < stop:
        if not text[at].isalnum():
            at += 1
            continue
        end = last = run_end(text, at)
        while last > at + 1 and text[last - 1] in "0123456789":
            last -= 1
        symbols = text[at:last]
        shapes = [shape_symbol(symbol) for symbol in symbols]
        word = "".join(map(low, symbols))
        capitals = all(x == "X" for x in shapes)
        found.append(Run(at, end, word, shapes[0] == "X", capitals, last < end))
        at = end
    return found


def pointed(between: str) -> bool:
    """Whether a point, and perhaps a blank, stands between two runs."""
    return between in (".", ". ")


def joins(between: str, left: Run, right: Run) -> bool:
    """Whether what stands between two runs may stand inside a name."""
    if between in (" ", "-", "_", ".", "'", "’"):
        return True
    if between == ". ":
        return len(left.word) == 1
    return between == ", " and len(right.word) == 1


class Scope:
    """The names of one story."""

    def __init__(self, usual: Callable[[str], bool], titles: set[str], no_parts: set[str]):
        self.usual, self.titles, self.no_parts = usual, titles, no_parts
        self.parts: set[str] = set()
        self.initials: set[str] = set()
        self.sequences: set[str] = set()
        self.glued: set[str] = set()

    def name(self, text: str, start: int, stop: int) -> None:
        """Takes up a certain name."""
        items = [
            run
            for run in runs(text, start, stop)
            if not run.digits
            and run.word not in self.no_parts
            and (len(run.word) > 1 or run.capital)
        ]
        words = [run.word for run in items]
        if not any(len(word) > 1 for word in words):
            return
        self.parts |= {word for word in words if len(word) > 1}
        self.initials |= {word[0] for word in words}
        if len(words) < 2:
            return
        self.sequences.add("".join(word[0] for word in words))
        first, last = words[0], words[-1]
        if len(last) < 2:
            return
        made = [first[0] + last]
        if not self.usual(last):
            made.append(last + first[0])
        if len(first) > 1:
            made += [first + last, last + first]
            if not self.usual(first):
                made.append(first + last[0])
        self.glued |= {one for one in made if len(one) >= 5}

    def strong(self, run: Run) -> bool:
        """A part that is a name by itself, written so."""
        fits = run.word in self.parts and not self.usual(run.word)
        return fits and (run.capital or len(run.word) >= 4)

    def belongs(self, run: Run) -> bool:
        """Part of a name that stands beside it."""
        if run.digits:
            return False
        if len(run.word) == 1:
            return run.capital and run.word in self.initials
        return self.strong(run) or (run.capital and run.word in self.parts)

    def places(self, text: str) -> list[tuple[int, int]]:
        """Every place where a name stands."""
        every, found, free, i = runs(text, 0, len(text)), [], 0, 0
        gap = [text[a.stop : b.start] for a, b in pairwise(every)]
        while i < len(every):
            run, first, last = every[i], i, i
            after_title = (
                i > 0
                and every[i - 1].word in self.titles
                and (joins(gap[i - 1], every[i - 1], run) or pointed(gap[i - 1]))
            )
            before_part = (
                i + 1 < len(every)
                and joins(gap[i], run, every[i + 1])
                and self.belongs(every[i + 1])
                and len(every[i + 1].word) > 1
                and every[i + 1].word != run.word
            )
            capital_part = run.capital and run.word in self.parts
            if not run.digits and (
                self.strong(run) or (capital_part and (after_title or before_part))
            ):
                while first > free and joins(gap[first - 1], every[first - 1], every[first]):
                    if not self.belongs(every[first - 1]):
                        break
                    first -= 1
                while last + 1 < len(every) and joins(gap[last], every[last], every[last + 1]):
                    if not self.belongs(every[last + 1]):
                        break
                    last += 1
            elif not (
                run.word in self.glued
                or (run.digits and self.strong(run) and len(run.word) >= 4)
                or (
                    not run.digits
                    and run.capitals
                    and len(run.word) >= 3
                    and run.word in self.sequences
                )
            ):
                last = self.sequence_end(every, gap, i)
                if last < i:
                    i += 1
                    continue
            found.append((every[first].start, every[last].stop))
            i = free = last + 1
        return found

    def sequence_end(self, every: Sequence[Run], gap: Sequence[str], i: int) -> int:
        """The last of single capitals with points that are a name's initials; i - 1 if none."""
        letters, last = "", i - 1
        for at in range(i, len(every)):
            run = every[at]
            single = len(run.word) == 1 and run.capital and not run.digits
            if not single or run.word not in self.initials or (at > i and not pointed(gap[at - 1])):
                break
            letters += run.word
            if at > i and letters in self.sequences:
                last = at
        return last


def followed(
    texts: Sequence[str],
    spans: Sequence[tuple[int, int, int, bool]],
    scopes: Sequence[int],
    usual: Callable[[str], bool],
    titles: set[str],
    no_parts: set[str],
) -> set[tuple[int, int, int]]:
    """Places of certain names, outside the spans."""
    result = set()
    for document, text in enumerate(texts):
        scope = Scope(usual, titles, no_parts)
        for other, start, stop, certain in spans:
            if certain and scopes[other] == scopes[document]:
                scope.name(texts[other], start, stop)
        for start, stop in scope.places(text):
            held = (d == document and s <= start and stop <= e for d, s, e, _ in spans)
            if not any(held):
                result.add((document, start, stop))
    return result
