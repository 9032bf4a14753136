"""Where the sensitive terms of the texts stand, and what the release has in their place.

Nothing that the method says about a term is believed: what became of it follows from where the
release differs from the original.
"""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING

import polars as pl

from ..core.printed_form import by_sizes
from ..recognizers.roles import ROLES
from .records_articles import FORMS, Edit, apart, article_before, is_english, tells
from .records_own_values import Bound, OwnValues, bounds_of
from .records_view import View, Violation

if TYPE_CHECKING:
    from ..core.release import Release
    from ..core.spans import Changes
    from ..core.values import Data
    from ..schema import Schema

_NO_TERMS = {
    "row": pl.Int64,
    "column": pl.String,
    "start": pl.Int64,
    "stop": pl.Int64,
    "label": pl.String,
}
_LONGEST = 400  # letters of a replacement that an alignment without stated changes tries
_ARTICLE = "an article before a term"  # no label of a term
NO_BOUND = Bound(0, 0, "")


@dataclass(frozen=True, slots=True)
class Place:
    """A sensitive term of the original, and the changes inside it: start, stop, new text."""

    row: int
    column: str
    start: int
    stop: int
    label: str
    text: str
    changes: tuple[tuple[int, int, str], ...]
    bound: Bound = NO_BOUND

    __repr__ = by_sizes

    @property
    def now(self) -> str:
        """What stands in its place."""
        moved = [(a - self.start, b - self.start, new) for a, b, new in self.changes]
        return _spliced(self.text, moved) or ""

    @property
    def is_whole(self) -> bool:
        """Whether the term stands as it stood."""
        return not self.changes or self.now == self.text


def normal_form(term: str, synonyms: Mapping[str, str]) -> str:
    """Terms that differ in case, spaces, surrounding marks or a leading "the" are one.

    >>> normal_form("the  U.K.,", {"u.k": "uk"})
    'uk'
    """
    form = _bare(term)
    known = {_bare(one): _bare(other) for one, other in synonyms.items()}
    return known.get(form, form)


def _bare(term: str) -> str:
    marks = string.punctuation + string.whitespace + "“”‘’«»„‚–—…¡¿"
    form = " ".join(term.casefold().split()).strip(marks)
    return form.removeprefix("the ").strip(marks)


def role_of(schema: Schema, label: str) -> str:
    """What a label means: as the schema says, else as the recognisers do."""
    return schema.entities.get(label) or ROLES.get(label, "quasi")


def places(view: View, release: Release) -> list[Place]:
    """Every sensitive place of the released rows with what became of it.

    Refuses releases whose text differs from the original anywhere else.
    Cost: O(text).
    """
    texts = view.schema.texts
    terms = release.sides.places
    own = OwnValues.of(view)
    if terms is None:
        if any(_differ(view, name).any() for name in texts):
            raise Violation("the places of the terms are not known, but the text was changed")
        terms = pl.DataFrame(schema=_NO_TERMS)
    if "own" in terms.columns:  # searched here anew
        terms = terms.filter(pl.col("own").is_null())
    found = terms.filter(pl.col("column").is_in(texts)).sort("row", "column", "start")
    if view.schema.entity_types is not None:
        found = found.filter(pl.col("label").is_in(view.schema.entity_types))
    stated = stated_changes(release.changes, len(texts))
    result: list[Place] = []
    for index, name in enumerate(texts):
        of_column = found.filter(pl.col("column") == name)
        by_row = {row: part for (row,), part in of_column.group_by("row", maintain_order=True)}
        changes = stated.get(index) if stated is not None else None
        result += _column_places(view, name, by_row, changes, own)
    return result


def _differ(view: View, name: str) -> pl.Series:
    return view.before[name].cast(pl.String).ne_missing(view.cells(name).cast(pl.String))


def stated_changes(
    changes: Changes, texts: int
) -> dict[int, dict[int, list[tuple[int, int, str]]]] | None:
    """The changes by text column and row; None where a release does not state any."""
    if not len(changes):
        return None
    result: dict[int, dict[int, list[tuple[int, int, str]]]] = {i: {} for i in range(texts)}
    for document, start, stop, new in zip(
        changes.documents.tolist(),
        changes.starts.tolist(),
        changes.stops.tolist(),
        changes.replacements,
        strict=True,
    ):
        row, column = divmod(document, texts)
        result[column].setdefault(row, []).append((start, stop, new))
    return result


def _column_places(
    view: View,
    name: str,
    by_row: Mapping[object, pl.DataFrame],
    stated: Mapping[int, list[tuple[int, int, str]]] | None,
    own: OwnValues,
) -> list[Place]:
    result: list[Place] = []
    before, after = view.before[name].to_list(), view.cells(name).to_list()
    rows = view.rows.tolist()
    for at, (number, old, new) in enumerate(zip(rows, before, after, strict=True)):
        spans = by_row.get(number)
        recognized: list[tuple[int, int, str]] = []
        if spans is not None:
            recognized = list(zip(spans["start"], spans["stop"], spans["label"], strict=True))
        held = own.find(old, at) if isinstance(old, str) else []
        if not recognized and not held:
            if old != new or (stated is not None and stated.get(number)):
                raise _changed_elsewhere(name, number)
            continue
        if not isinstance(old, str) or not isinstance(new, str):
            raise Violation("a text is missing that should be there", place_of(name, number))
        bounds = bounds_of(recognized, held)
        changes = _aligned(old, new, bounds) if stated is None else stated.get(number, [])
        if changes is None or _spliced(old, changes) != new:
            raise _changed_elsewhere(name, number)
        articles, others = apart(old, changes)
        here = _row_places(name, number, old, bounds, others)
        _must_suit(here, old, articles, others)
        result += here
    return result


def _row_places(
    name: str,
    number: int,
    text: str,
    bounds: Sequence[Bound],
    changes: Sequence[tuple[int, int, str]],
) -> list[Place]:
    """The places of one text; a change outside all of them is a violation."""
    inside: list[list[tuple[int, int, str]]] = [[] for _ in bounds]
    at = 0
    for change in sorted(changes):
        while at < len(bounds) and bounds[at][1] <= change[0]:
            at += 1
        if at == len(bounds) or change[0] < bounds[at][0] or change[1] > bounds[at][1]:
            raise _changed_elsewhere(name, number)
        inside[at].append(change)
    return [
        Place(number, name, *one[:3], text[one.start : one.stop], tuple(of_term), one)
        for one, of_term in zip(bounds, inside, strict=True)
    ]


def placeholder(label: str) -> str:
    """What is written for a term that is told by its entity type alone.

    >>> placeholder("phone_number")
    '[PHONE_NUMBER]'
    """
    return "[" + label.upper() + "]"


def _must_suit(
    here: Sequence[Place], old: str, articles: dict[int, Edit], others: Sequence[Edit]
) -> None:
    """No article before a placeholder is that of what stood there."""
    after = 0
    for place in here:
        hidden = place.changes and place.now == placeholder(place.label)
        told = hidden and tells(old, place.start, after, place.label.lower(), articles)
        if told and is_english(old, others):
            where = place_of(place.column, place.row)
            raise Violation("an article tells the first sound of a hidden term", where)
        after = place.stop


def _spliced(text: str, changes: Sequence[tuple[int, int, str]]) -> str | None:
    pieces, at = [], 0
    for start, stop, new in sorted(changes):
        if start < at:
            return None
        pieces += [text[at:start], new]
        at = stop
    return "".join([*pieces, text[at:]])


def _aligned(old: str, new: str, bounds: Sequence[Bound]) -> list[tuple[int, int, str]] | None:
    """The changes that turn one text into the other within the bounds, whole terms at a time.

    Each term stands as it was, as its entity type, or as anything else that lets the rest fit;
    of all ways to read the new text the one with the fewest of the third kind is taken. An article
    before a term may have become the other one.
    Cost: O(text) unless a release is strange.
    """
    bounds = _and_articles(old, bounds)
    gaps = [old[a:b] for a, b in _between(old, bounds)]
    if not new.startswith(gaps[0]):
        return None
    # How many of the third kind, -place, position, a number that makes ways differ, the texts.
    ways: list[tuple[int, int, int, int, object]] = [(0, 0, len(gaps[0]), 0, ())]
    seen: set[tuple[int, int]] = set()
    number = count(1)
    while ways:
        strange, place, position, _, texts = heappop(ways)
        if -place == len(bounds):
            chosen = _unlinked(texts)
            return [
                (start, stop, text)
                for (start, stop, *_), text in zip(bounds, chosen, strict=True)
                if text != old[start:stop]
            ]
        if (place, position) in seen:
            continue
        seen.add((place, position))
        if len(seen) > 100 * len(bounds) + 10_000:
            return None
        for text, after, is_other in _candidates(old, new, position, bounds, gaps, -place):
            way = (strange + is_other, place - 1, after, next(number), (texts, text))
            heappush(ways, way)
    return None


def _and_articles(old: str, bounds: Sequence[Bound]) -> list[Bound]:
    """The bounds, and those of the articles before them."""
    result, after = [], 0
    for one in bounds:
        found = article_before(old, one.start, after)
        result += [one] if found is None else [Bound(*found, _ARTICLE), one]
        after = one.stop
    return result


def _unlinked(texts: Data) -> list[str]:
    """The texts of a way, which is linked from its end."""
    chosen = []
    while texts:
        texts, text = texts
        chosen.append(text)
    return chosen[::-1]


def _between(old: str, bounds: Sequence[Bound]) -> list[tuple[int, int]]:
    edges = [0, *(edge for start, stop, *_ in bounds for edge in (start, stop)), len(old)]
    return list(zip(edges[::2], edges[1::2], strict=True))


def _candidates(
    old: str,
    new: str,
    position: int,
    bounds: Sequence[Bound],
    gaps: Sequence[str],
    place: int,
) -> Iterator[tuple[str, int, bool]]:
    """What may stand for a term from a position on, with the position after the gap behind it."""
    start, stop, label, *_ = bounds[place]
    gap, is_last = gaps[place + 1], place + 1 == len(bounds)
    spaced = label.replace("_", " ")
    # The placeholder, and those of version 0.1.
    likely = [old[start:stop], placeholder(label), spaced.lower(), spaced.capitalize(), label]
    if label == _ARTICLE:
        likely = [old[start:stop], *FORMS]
    for text in dict.fromkeys(likely):
        if new.startswith(text, position) and new.startswith(gap, position + len(text)):
            after = position + len(text) + len(gap)
            if not is_last or after == len(new):
                yield text, after, False
    if label == _ARTICLE:
        return
    if is_last:
        end = len(new) - len(gap)
        if new.endswith(gap) and end >= position:
            yield new[position:end], len(new), True
        return
    end = new.find(gap, position)
    while 0 <= end <= position + _LONGEST:
        yield new[position:end], end + len(gap), True
        end = new.find(gap, end + 1)


def _changed_elsewhere(name: str, row: int) -> Violation:
    return Violation("a text differs from the original outside its terms", place_of(name, row))


def place_of(name: str, row: int) -> str:
    """A text's place in words: its column and its record.

    >>> place_of("note", 0)
    'note, record 1'
    """
    return f"{name}, record {row + 1}"
