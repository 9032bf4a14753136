"""Claims of `anonymize`, judged after a later stage starred symbols of the texts.

A starred mention counts as legible nowhere: it shows no more than its entity type would. So each
sensitive place that a later stage touched is read as its entity type, all others as `anonymize`
left them, and the claims are checked on that reading. Stars outside sensitive places hide what the
claims do not speak of; anything else that a later stage wrote breaks them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from ..core.claims import Verdict
from ..core.spans import Change, Changes
from ..schema.frames import as_polars
from . import verify
from .composed import hides
from .trace import Trace

if TYPE_CHECKING:
    from ..core.release import Release


# What the claims say besides of a table whose texts a later stage starred.
STARRED = {
    "nothing-else-changed": " A later stage starred further symbols of the texts.",
    "k-anonymity": " A starred mention of a term counts as legible nowhere.",
}


def judge(
    original: Any, release: Release, later: Mapping[str, Sequence[Trace]], masks: str
) -> list[Verdict]:
    """Judges the claims on the final table; `later` has a trace for every released row's text.

    Cost: that of the claims' own checks, and O(places).
    """
    frame, after = as_polars(original), as_polars(release.data)
    texts = release.private["schema"].texts
    changes = _by_document(release.changes)
    terms = release.private.get("terms")
    places = _places(terms, texts) if terms is not None else {}
    rows = np.asarray(release.private["rows"]).tolist()
    read, columns = dict(changes), {}
    for index, name in enumerate(texts):
        before, shown = frame[name].to_list(), after[name].to_list()
        traces = later.get(name)
        for at, row in enumerate(rows):
            if traces is None or not traces[at].pieces or before[row] is None:
                continue
            document = row * len(texts) + index
            if not all(
                hides(shown[at][p.start : p.stop], p.text, masks) for p in traces[at].pieces
            ):
                reason = "a later stage wrote over the text"
                where = f"{name}, record {row + 1}"
                return [Verdict(claim, False, reason, where) for claim in release.claims]
            here = _as_read(changes.get(document, []), places.get(document, []), traces[at])
            read[document] = here
            shown[at] = _spliced(before[row], here)
        columns[name] = pl.Series(name, shown, dtype=pl.String)
    effective = replace(
        release, data=after.with_columns(list(columns.values())), changes=_as_changes(read)
    )
    verdicts = verify(original, effective)
    if not any(trace.pieces for traces in later.values() for trace in traces):
        return verdicts
    return [_with_stars(verdict) for verdict in verdicts]


def _with_stars(verdict: Verdict) -> Verdict:
    """What the claims say of a table whose texts were starred afterwards."""
    statement = verdict.claim.statement + STARRED.get(verdict.claim.name, "")
    return replace(verdict, claim=replace(verdict.claim, statement=statement))


def _as_read(
    changes: Sequence[Change], places: Sequence[tuple[int, int, str]], later: Trace
) -> list[Change]:
    """The changes of a text with every touched place as its entity type."""
    anonymised = Trace().then(changes)
    result: list[Change] = []
    for start, stop, label in places:
        inside = [one for one in changes if start <= one.start and one.stop <= stop]
        if later.over(*anonymised.image(start, stop)):
            document = inside[0].document if inside else -1
            result.append(Change(document, start, stop, label.lower().replace("_", " "), label))
        else:
            result += inside
    return result


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
