"""Claims of `anonymize`, judged after later stages changed the texts.

A starred mention counts as legible nowhere: it shows no more than its entity type would. A mention
that a later stage wrote over shows what stands there now, and its class must share that. An entity
type stays one, whatever is made of the word for it. The claims are checked on that reading; outside
of sensitive places they do not speak of the text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from ..claims import kind
from ..core.printed_form import by_sizes
from ..core.spans import Change, Changes
from ..schema.frames import as_polars
from . import verify
from .records_legible import is_type
from .trace import Trace

if TYPE_CHECKING:
    from ..core.claims import Verdict
    from ..core.release import Release
    from ..core.values import Data


STAR = "★"  # no mark that a term's normal form loses


def judge_table(
    original: Data,
    release: Release,
    later: Mapping[str, Sequence[Trace]],
    stars: str = "",
    masks: str = "",
) -> list[Verdict]:
    """Judges the claims on the final table; `later` has a trace for every released row's text.

    `stars` are the marks of `suppress`, `masks` those of other later stages.
    Cost: that of the claims' own checks, and O(places).
    """
    frame, after = as_polars(original), as_polars(release.data)
    texts = release.sides.of_table.schema.texts
    changes = _by_document(release.changes)
    terms = release.sides.places
    places = _places(terms, texts) if terms is not None else {}
    rows = np.asarray(release.sides.rows).tolist()
    read, columns = dict(changes), {}
    for index, name in enumerate(texts):
        before, shown = frame[name].to_list(), after[name].to_list()
        traces = later.get(name)
        for at, row in enumerate(rows):
            if traces is None or not traces[at].pieces or before[row] is None:
                continue
            document = row * len(texts) + index
            reading = _Reading(document, before[row], shown[at], traces[at], stars, masks)
            here = reading.of(changes.get(document, []), places.get(document, []))
            read[document] = here
            shown[at] = _spliced(before[row], here)
        columns[name] = pl.Series(name, shown, dtype=pl.String)
    effective = replace(
        release, data=after.with_columns(list(columns.values())), changes=_as_changes(read)
    )
    verdicts = verify(original, effective)
    if not any(trace.pieces for traces in later.values() for trace in traces):
        return verdicts
    return [
        replace(verdict, claim=kind(verdict.claim.name).after_others(verdict.claim))
        for verdict in verdicts
    ]


@dataclass(frozen=True, slots=True)
class _Reading:
    """One text: as it was, as `anonymize` left it, and what later stages wrote over that."""

    document: int
    before: str
    left: str
    later: Trace
    stars: str
    masks: str

    __repr__ = by_sizes

    def of(self, changes: Sequence[Change], places: Sequence[tuple[int, int, str]]) -> list[Change]:
        """The changes of the text, with every touched place as it is read in the end."""
        anonymized = Trace().then(changes)
        final = self.later.applied(self.left)
        result: list[Change] = []
        for start, stop, label in places:
            inside = [one for one in changes if start <= one.start and one.stop <= stop]
            low, high = anonymized.image(start, stop)
            now = self.left[low:high]
            if not self.later.over(low, high) or (
                is_type(now, label) and now != self.before[start:stop]
            ):
                result += inside
                continue
            first, last = self.later.image(low, high)
            text = self._legible(now, final[first:last])
            word = label.lower().replace("_", " ") if text is None else text
            result.append(Change(self.document, start, stop, word, label))
        between = [
            one
            for one in changes
            if not any(start <= one.start and one.stop <= stop for start, stop, _ in places)
        ]
        return sorted([*result, *between], key=lambda one: one.start)

    def _legible(self, old: str, new: str) -> str | None:
        """What a changed mention shows; None where it is starred or nothing is left of it."""
        if any(symbol in self.stars and symbol not in old for symbol in new):
            return None
        if all(symbol in self.masks for symbol in new):
            return None
        return "".join(STAR if symbol in self.masks else symbol for symbol in new)


def _places(terms: pl.DataFrame, texts: Sequence[str]) -> dict[int, list[tuple[int, int, str]]]:
    """The sensitive places of every text: start, stop and label, in order."""
    number = {name: index for index, name in enumerate(texts)}
    found: dict[int, list[tuple[int, int, str]]] = {}
    chosen = terms.filter(pl.col("column").is_in(list(texts))).sort("row", "column", "start")
    for row, column, start, stop, label in chosen.select(
        "row", "column", "start", "stop", "label"
    ).iter_rows():
        found.setdefault(row * len(texts) + number[column], []).append((start, stop, label))
    return found


def _by_document(changes: Changes) -> dict[int, list[Change]]:
    found: dict[int, list[Change]] = {}
    for change in changes:
        found.setdefault(change.document, []).append(change)
    return found


def _as_changes(found: Mapping[int, Sequence[Change]]) -> Changes:
    flat = [(document, one) for document in sorted(found) for one in found[document]]
    return Changes(
        np.array([document for document, _ in flat], np.int64),
        np.array([one.start for _, one in flat], np.int64),
        np.array([one.stop for _, one in flat], np.int64),
        [one.replacement for _, one in flat],
        [one.reason for _, one in flat],
    )


def _spliced(text: str, changes: Sequence[Change]) -> str:
    parts, at = [], 0
    for change in changes:
        parts += [text[at : change.start], change.replacement]
        at = change.stop
    return "".join([*parts, text[at:]])
