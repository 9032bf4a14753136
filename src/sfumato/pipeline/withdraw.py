"""What `anonymize` left legible in texts and later stages hid or changed: its entity type instead.

`anonymize` keeps a term that every person of a class has. If `suppress` then stars all mentions of
one of them, or another stage writes other words for one than for the rest, that person would differ
from the class: the term becomes its entity type for all.

A person's own value becomes what the cell says: `(Cork,Ghent,Lyon)`. Few others have these very
words, so `suppress` stars them, and much around them: one town of a list tells the next one to a
reader. Entity types tell no more than stars do, and leave the sentence around them legible, so
whatever is starred for somebody becomes its type for the class.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from ..core.labels import placeholder
from ..core.spans import Change, Changes
from ..methods import method
from ..verification.trace import Trace
from .chains import traces

if TYPE_CHECKING:
    from ..core.release import OfTable, Release
    from ..core.values import JsonObject
    from .steps import StageResult, TakenStage

# The class, and the column, label and normal form of a term it keeps.
Term = tuple[int, str, str, str]
LEGIBLE = ("kept", "generalised", "replaced")


def parted(release: Release, done: Sequence[StageResult]) -> set[Term]:
    """The terms that somebody of a class no longer shows after later stages, or shows otherwise."""
    if release.sides.terms is None:
        return set()
    traced = {
        str(column): traces([one for one in done if one.step.column == column])
        for column in dict.fromkeys(one.step.column for one in done)
    }
    seen = shown_after(release, traced, *marks_of(done))
    return {key for key, people in seen.items() if _differ(people.values())}


def shown_after(
    release: Release, traced: Mapping[str, Sequence[Trace]], stars: str, others: str
) -> dict[Term, dict[int, set[str]]]:
    """As what every person shows each term of the class after later stages, by released row."""
    seen: dict[Term, dict[int, set[str]]] = {}
    known = release.sides.of_table
    anonymized = lru_cache(maxsize=1)(partial(_anonymized, release))  # mentions come by document
    columns = {name: release.data[name].to_list() for name in traced if name in release.data}
    for at, row, index, place in _mentions(release):
        trace = traced.get(place["column"])
        if trace is None:
            continue
        start, stop = anonymized(row, index).image(place["start"], place["stop"])
        text = columns[place["column"]][at]
        new = _written_over(trace[at], text, start, stop)
        starred = any(symbol in stars and symbol not in text[start:stop] for symbol in new or "")
        person = int(known.person_of_row[at])
        shown = seen.setdefault(_term(known, at, place), {}).setdefault(person, set())
        if new is None:
            shown.add("")  # as the class has it
        elif not starred and any(symbol not in others for symbol in new):
            shown.add(" ".join(new.casefold().split()))
    return seen


def _differ(shown: Collection[Set[str]]) -> bool:
    return not all(shown) or len(set(map(frozenset, shown))) > 1


def _written_over(trace: Trace, text: str, start: int, stop: int) -> str | None:
    """What later stages made of a stretch; None where they left it alone."""
    if not trace.over(start, stop):
        return None
    low, high = trace.image(start, stop)
    return trace.applied(text)[low:high]


def _term(known: OfTable, at: int, place: JsonObject) -> Term:
    """What a place shows of its class: the kept term, or what was written for several."""
    is_kept = place["outcome"] == "kept"
    word = place["term"] if is_kept else " ".join(place["replacement"].casefold().split())
    return int(known.classes[at]), place["column"], place["label"], word


def marks_of(done: Sequence[TakenStage]) -> tuple[str, str]:
    """The marks of stages that only hide, and those of stages that write other things too."""
    stars, others = "", ""
    for one in done:
        mark = str(one.release.parameters.get("mask", ""))
        if method(one.release.verb).only_hides:
            stars += mark
        else:
            others += mark
    return stars, others


def applied(release: Release, frame: pl.DataFrame, gone: Set[Term]) -> Release:
    """The release with these terms as their entity types, in all texts of their classes."""
    known = release.sides.of_table
    texts = known.schema.texts
    changes = _by_document(release.changes)
    terms = release.sides.places
    assert terms is not None
    chosen: list[tuple[int, str]] = []
    touched: set[int] = set()
    for at, row, index, place in _mentions(release):
        key = _term(known, at, place)
        if key not in gone:
            continue
        document = row * len(texts) + index
        start, stop, label = place["start"], place["stop"], place["label"]
        word = placeholder(label)
        here = [one for one in changes.get(document, []) if one.stop <= start or one.start >= stop]
        here.append(Change(document, start, stop, word, label))
        changes[document] = sorted(here, key=lambda one: one.start)
        chosen.append((place["number"], word))
        touched.add(document)
    for document in touched:
        row, index = divmod(document, len(texts))
        of_text = terms.filter((pl.col("row") == row) & (pl.col("column") == texts[index]))
        text = frame[texts[index]][row]
        changes[document] = _with_articles(changes[document], text, of_text.sort("start"))
    data = _rewritten(release, frame, texts, changes, touched)
    numbers = pl.Series([number for number, _ in chosen], dtype=pl.Int64)
    words = dict(chosen)
    is_gone = pl.int_range(terms.height).is_in(numbers.implode())
    terms = terms.with_columns(
        outcome=pl.when(is_gone).then(pl.lit("suppressed")).otherwise(pl.col("outcome")),
        replacement=pl.Series(
            [words.get(i, old) for i, old in enumerate(terms["replacement"])], dtype=pl.String
        ),
    )
    told = (*release.warnings, withdrawn_note(len(gone)))
    sides = replace(release.sides, terms=terms)
    return replace(release, data=data, changes=_as_changes(changes), warnings=told, sides=sides)


def withdrawn_note(terms: int) -> str:
    """What is told of so many terms that were withdrawn."""
    return (
        f"terms that became their entity types for a whole class: {terms}; a later stage had "
        "changed them for one of its people. The claims hold, and nothing is left to do"
    )


def _with_articles(here: Sequence[Change], text: str, places: pl.DataFrame) -> list[Change]:
    """The changes of a text with the articles before them as what is written needs them."""
    from ..methods.records.articles import articles  # whoever verifies loads no method

    ours = [one for one in here if one.reason != "article"]
    stops = [0, *places["stop"]]
    before = [stops[bisect_right(stops, one.start, lo=1) - 1] for one in ours]
    written = [
        (stop, one.start, one.stop, one.replacement) for stop, one in zip(before, ours, strict=True)
    ]
    found = articles(text, ours[0].document, written)
    return sorted([*ours, *found], key=lambda one: one.start)


def _rewritten(
    release: Release,
    frame: pl.DataFrame,
    texts: Sequence[str],
    changes: dict[int, list[Change]],
    touched: set[int],
) -> pl.DataFrame:
    data: pl.DataFrame = release.data
    rows = np.asarray(release.sides.of_table.rows).tolist()
    for index, name in enumerate(texts):
        shown, before = data[name].to_list(), frame[name].to_list()
        for at, row in enumerate(rows):
            document = row * len(texts) + index
            if document in touched:
                shown[at] = Trace().then(changes[document]).applied(before[row])
        data = data.with_columns(pl.Series(name, shown, dtype=pl.String))
    return data


def _mentions(release: Release) -> Iterator[tuple[int, int, int, JsonObject]]:
    """Every legible place of a term: released row, original row, text column, and the place."""
    texts = {name: index for index, name in enumerate(release.sides.of_table.schema.texts)}
    at_row = {int(row): at for at, row in enumerate(release.sides.of_table.rows)}
    assert release.sides.places is not None
    terms = release.sides.places.with_row_index("number")
    for place in terms.filter(pl.col("outcome").is_in(LEGIBLE)).iter_rows(named=True):
        if place["row"] in at_row and place["column"] in texts:
            yield at_row[place["row"]], place["row"], texts[place["column"]], place


def _anonymized(release: Release, row: int, index: int) -> Trace:
    document = row * len(release.sides.of_table.schema.texts) + index
    return Trace().then(release.changes.of_document(document))


def _by_document(changes: Changes) -> dict[int, list[Change]]:
    found: dict[int, list[Change]] = {}
    for change in changes:
        found.setdefault(change.document, []).append(change)
    return found


def _as_changes(found: dict[int, list[Change]]) -> Changes:
    flat = [one for document in sorted(found) for one in found[document]]
    return Changes.of(flat)
