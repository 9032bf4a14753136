"""Terms of a part's people on Spark, what becomes of them, and the texts with it.

Which terms a class shares is found with the class, by numbers. Texts are rewritten where they were
read, by the code of one machine: every person's cells and terms come there.
"""

from __future__ import annotations

import json
import pickle
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from ..core.printed_form import by_sizes
from ..kernels.records import TermColumn
from ..methods.records.generalize import General
from ..methods.records.places import Places
from ..methods.records.recode import RecodedColumn
from ..methods.records.rewrite import GENERALIZED, KEPT, OUTLIER, SUPPRESSED, Fates, rewrite
from ..methods.records.terms import QUASI, Terms
from .records_codes import PERSON
from .records_terms import CHUNK, FORMS, ITEMS, LOCAL, PACKED, rows_of, with_chunks
from .spark import ID, by_groups, settled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..core.values import Array, JsonObject
    from ..methods.records.rewrite import RewrittenTexts
    from ..schema import Schema
    from .records_terms import FoundTerms, Reading, TermNumbers
    from .spark import SparkEngine
    from .values import Batch, Cells, Frame

FATE, CLASS = "_sfumato_fate", "_sfumato_class"
PLACES, CHANGED = "_sfumato_places", "_sfumato_changed"
"""Where terms stand in a row's texts and what became of them; what was written there (JSON)."""


@dataclass(frozen=True, slots=True, eq=False)
class PartTerms:
    """The terms of the people of a part: one place for each person and item."""

    __repr__ = by_sizes

    terms: Terms
    """Items are numbered anew, in the same order."""
    items: Array
    """Of each pair, the item's number among all."""
    local: Array
    """Of each pair, the item's number in its person's chunk."""

    @classmethod
    def of(cls, frame: pl.DataFrame, owners: Array, found: TermNumbers) -> PartTerms:
        """What the rows of a part say of their people's terms."""
        many = frame[ITEMS].list.len().fill_null(0).to_numpy()
        person = np.repeat(owners, many).astype(np.int64)
        flat = [frame[name].explode().drop_nulls().to_numpy() for name in (ITEMS, LOCAL)]
        order = np.lexsort((flat[0], person))
        person, item, local = (one[order].astype(np.int64) for one in (person, *flat))
        known, first, dense = np.unique(item, return_index=True, return_inverse=True)
        forms = [""] * len(known)
        if FORMS in frame.columns:
            forms = frame[FORMS].explode().drop_nulls().gather(order).gather(first).to_list()
        starts = np.searchsorted(known, np.array(found.starts, np.int64)).astype(np.int64)
        none = np.zeros(len(item), np.int64)
        terms = Terms(
            places=Places(np.arange(len(item)), none, none, none.astype(np.int32), ("",)),
            people=person.astype(np.int32),
            roles=np.full(len(item), QUASI, np.int8),
            spelt=none.astype(np.int32),
            spellings=[""],
            forms=pl.Series(forms, dtype=pl.String).gather(dense),
            item=dense.astype(np.int32),
            matches={},
            own=pl.Series([None] * len(item), dtype=pl.String),
            groups=found.groups,
            starts=starts,
            item_forms=forms,
            pair_people=person,
            pair_items=dense.astype(np.int64),
        )
        return cls(terms, item, local)

    def kernel(self, found: TermNumbers, schema: Schema, count: int) -> list[TermColumn]:
        """The terms as the partitioners take them: numbered as in the whole table."""
        group = self.terms.group_of_item[self.terms.pair_items]
        columns = []
        for number, (column, _) in enumerate(found.groups):
            chosen, (first, last) = group == number, found.starts[number : number + 2]
            owners = self.terms.pair_people[chosen]
            offsets = np.searchsorted(owners, np.arange(count + 1)).astype(np.int64)
            codes = (self.items[chosen] - first).astype(np.int32)
            weight = schema.columns[column].weight
            columns.append(TermColumn(codes, last - first, offsets, True, weight))
        return columns

    def owners(self, here: Array) -> dict[str, int]:
        """How many of these people have a term of each entity type."""
        counted = here[self.terms.pair_people]
        people = self.terms.pair_people[counted]
        group = self.terms.group_of_item[self.terms.pair_items[counted]]
        labels = np.array([label for _, label in self.terms.groups], object)
        return {
            label: len(np.unique(people[np.isin(group, np.flatnonzero(labels == label))]))
            for label in sorted(set(labels.tolist()))
        }


def told_fates(
    held: PartTerms,
    found: Fates,
    recoded: Sequence[RecodedColumn],
    widths: Sequence[int],
    classes: Array,
) -> list[str | None]:
    """What becomes of each person's terms, and which items of sets are shown, as JSON."""
    told: list[JsonObject] = [{"kept": [], "words": {}, "sets": {}} for _ in classes]
    whose, local = held.terms.people.tolist(), held.local.tolist()
    for at in np.flatnonzero(found.outcomes == KEPT).tolist():
        told[whose[at]]["kept"].append(local[at])
    for at, general in found.words.items():
        told[whose[at]]["words"][local[at]] = [general.word, general.loss]
    for i, (one, width) in enumerate(zip(recoded, widths, strict=True)):
        if one.shared is None:
            continue
        of_whom = np.arange(len(classes)) if one.by_person else classes.astype(np.int64)
        first = np.searchsorted(one.shared, of_whom * width)
        last = np.searchsorted(one.shared, (of_whom + 1) * width)
        codes = (one.shared % width).tolist()
        for person, (a, b) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
            told[person]["sets"][i] = codes[a:b]
    return [json.dumps(one) for one in told]


def rewritten(engine: SparkEngine, found: FoundTerms, reading: Reading, rows: Frame) -> Frame:
    """The texts of the released rows, and which places were changed in what way; kept.

    `rows` has the cells of every released row, and in a person's first one what becomes of the
    person's terms and which items of each set are shown.
    """
    count = len(reading.schema.texts)
    texts = ", ".join(f"t{i} string" for i in range(count))
    sent = engine.session.sparkContext.broadcast(reading)
    packed = found.packed.select(CHUNK, PACKED).groupBy(CHUNK)
    work = by_groups(
        packed.cogroup(with_chunks(engine, rows, found.chunks).groupBy(CHUNK)),
        lambda left, right: _rewritten(left, right, sent.value),
        f"{ID} long, {PERSON} long, {CLASS} long, {texts}, {PLACES} string, {CHANGED} string",
    )
    return engine.settle(work)


def _rewritten(packed: Batch, given: Batch, reading: Reading) -> Batch:
    import pyarrow as pa

    settled()
    # What another task of this session made, and nobody else.
    held = pickle.loads(packed.column(PACKED)[0].as_py())  # noqa: S301
    ids, owners, texts, missing, terms = held
    rows, width = rows_of(given), len(reading.schema.texts)
    count = int(owners.max(initial=-1)) + 1
    at = np.searchsorted(ids, rows[ID].to_numpy())
    classes = np.full(count, -1, np.int32)
    classes[owners[at]] = owners[at]
    first = np.zeros(count, np.int64)  # a row of each person: cells are alike in all
    first[owners[at]] = np.arange(len(at))
    fates = _fates_of(rows, owners[at], count)
    recoded = []
    for i, column in enumerate(reading.columns):
        if column.described.kind == "set":
            labels = max(len(column.labels), 1)
            shared = np.array(
                [p * labels + code for p in range(count) for code in fates[p]["sets"][str(i)]],
                np.int64,
            )
            cells = pl.Series([None] * count, dtype=pl.String)
            recoded.append(RecodedColumn(cells, np.zeros(count), shared, by_person=True))
        else:
            cells = rows[f"n{i}"].gather(first) if len(at) else pl.Series([None] * count)
            recoded.append(RecodedColumn(cells, np.zeros(count)))
    outcome = _outcomes(terms, fates, classes)
    made = rewrite(texts, terms, outcome, reading.columns, recoded, classes, reading.schema.texts)
    arrays: JsonObject = {
        name: pa.array(rows[name].to_numpy(), pa.int64()) for name in (ID, PERSON, CLASS)
    }
    for i in range(width):
        new = [None if missing[i][row] else made.texts[row * width + i] for row in at.tolist()]
        arrays[f"t{i}"] = pa.array(new, pa.string())
    places, changes = _by_row(made, len(ids), width)
    arrays[PLACES] = pa.array([json.dumps(places[row]) for row in at.tolist()], pa.string())
    arrays[CHANGED] = pa.array([json.dumps(changes[row]) for row in at.tolist()], pa.string())
    return pa.table(arrays)


def _fates_of(rows: pl.DataFrame, owners: Array, count: int) -> list[JsonObject]:
    """What becomes of each person's terms and sets."""
    fates: list[JsonObject] = [{"kept": [], "words": {}, "sets": {}} for _ in range(count)]
    for person, told in zip(owners.tolist(), rows[FATE].to_list(), strict=True):
        if told is not None:
            fates[person] = json.loads(told)
    for one in fates:
        one["sets"] = _Empty(one["sets"])
    return fates


class _Empty(dict[str, list[int]]):
    """Nothing of a person who was left out."""

    def __missing__(self, name: str) -> list[int]:
        return []


def _outcomes(terms: Terms, fates: Sequence[JsonObject], classes: Array) -> Fates:
    """What becomes of every place of a chunk, by what its person's terms become."""
    items = max(len(terms.item_forms), 1)
    kept = np.array(
        [p * items + item for p, one in enumerate(fates) for item in one["kept"]], np.int64
    )
    whose = terms.people.astype(np.int64)
    quasi = terms.roles == QUASI
    outcomes = np.full(len(terms.places), SUPPRESSED, np.int8)
    outcomes[quasi & np.isin(whose * items + terms.item, kept)] = KEPT
    words: dict[int, General] = {}
    for at in np.flatnonzero(quasi & (outcomes == SUPPRESSED)).tolist():
        general = fates[int(whose[at])]["words"].get(str(int(terms.item[at])))
        if general is not None:
            outcomes[at], words[at] = GENERALIZED, General(*general)
    outcomes[classes[whose] < 0] = OUTLIER
    return Fates(outcomes, words, np.zeros(0))


def _by_row(made: RewrittenTexts, rows: int, width: int) -> tuple[list[Cells], list[Cells]]:
    """The places and the changes of every row: text column first."""
    places: list[Cells] = [[] for _ in range(rows)]
    for row, *rest in made.table.drop("loss").iter_rows():
        places[row].append(rest)
    changes: list[Cells] = [[] for _ in range(rows)]
    for one in made.changes:
        told = [one.document % width, one.start, one.stop, one.replacement, one.reason]
        changes[one.document // width].append(told)
    return places, changes
