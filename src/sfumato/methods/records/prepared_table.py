"""A table that was read, and the release that each of its partitions gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from ...core.errors import CannotBeMet
from ...core.keyed_draws import permutation, steward_key
from ...core.loss import Loss
from ...core.printed_form import by_sizes
from ...core.release import Release, Sides
from ...core.spans import Changes
from .bound import least_loss
from .claims import (
    ONE_CLASS,
    UNGUARDED,
    claims,
    given_back_claims,
    not_protected,
    population_claims,
)
from .frames import rebuilt
from .known_classes import Forming, known_partition
from .known_terms import held_items, known_fates, known_set
from .losses import losses
from .order import RowKeys, drawn_labels, numbers_of, purpose_of, shuffled
from .partition import partition_of
from .recode import RecodedColumn, recode, shared_items
from .rewrite import Fates, RewrittenTexts, fates, rewrite

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...core.progress import Progress
    from ...core.values import Data, JsonObject
    from ...kernels.records import Partition, People
    from ...recognizers.give_back import Returned
    from ...schema import Schema
    from .options import (
        Options,
        SensitiveDemand,
    )
    from .partition import Draw
    from .population import PopulationDemand
    from .terms import Terms
    from .view import Relational


@dataclass(frozen=True, slots=True, eq=False)
class PreparedTable:
    """The person-centric view of a table, ready to be partitioned for any k."""

    given: Data
    frame: pl.DataFrame
    schema: Schema
    people: NDArray[np.int32]
    count: int
    columns: list[Relational]
    texts: list[str]
    terms: Terms | None
    table: People
    warnings: tuple[str, ...]
    back: Returned
    labels: NDArray[np.int64]  # of each person: the place of the label among all; or the row
    alike: NDArray[np.int64]  # of each person: how many different ones stand before
    keys: RowKeys

    __repr__ = by_sizes

    def under(self, keys: RowKeys, key: bytes) -> PreparedTable:
        """People who are alike and have no label stand in an order that is drawn under the key.

        Those with a label stand in the order of these.
        """
        if self.schema.person is not None:
            return replace(self, keys=keys)
        drawn = drawn_labels(keys.digest, key, len(keys.places))
        labels = drawn[keys.places[self.labels]]
        order = np.lexsort((labels, self.alike))
        number = np.argsort(order)
        return replace(
            self,
            people=number[self.people].astype(np.int32),
            terms=None if self.terms is None else self.terms.numbered(number),
            table=self.table.among(order) if self.table.sensitive else self.table,
            labels=labels[order],
            keys=keys,
        )

    def release(
        self,
        k: int,
        options: Options,
        key: bytes,
        shown: JsonObject,
        progress: Progress | None,
        asked: PopulationDemand | None = None,
        population: Data = None,
    ) -> Release:
        """The release for one k."""
        if asked is not None:
            shown = {**shown, "k_map": asked.k_map, "delta": asked.delta}
        purpose = purpose_of(self.keys.digest, parameters_of(k, options, shown))
        draw = drawing(key, purpose)
        partition, sizes, recoded, found = self._beside(k, options, progress, draw, asked)
        classes = partition.classes
        written: RewrittenTexts | None = None
        if self.terms is not None and found is not None:
            written = rewrite(
                self.texts, self.terms, found, self.columns, recoded, classes, self.schema.texts
            )
        made = self._assembled(k, options, key, shown, partition, sizes, recoded, found, written)
        if asked is None:
            return made
        stated = population_claims(self.schema, asked.k_map, asked.delta)
        sides = replace(made.sides, population=population)
        return replace(made, claims=(*made.claims, *stated), sides=sides)

    def _beside(
        self,
        k: int,
        options: Options,
        progress: Progress | None,
        draw: Draw,
        asked: PopulationDemand | None,
    ) -> tuple[Partition, NDArray[np.int64], list[RecodedColumn], Fates | None]:
        """The classes for k; larger ones where too few of a population fit those.

        Drawn classes stay as they are: how often they had to be drawn would tell.
        """
        made = self.grouped(k, options, progress, draw)
        size = k
        while asked is not None and not asked.holds(made[0].classes):
            size *= 2
            if size > self.count or options.is_drawn:
                raise CannotBeMet(
                    "too few people of the population fit a class",
                    where="population",
                    remedy="demand less of it, or give a larger k",
                )
            made = self.grouped(size, options, progress, draw)
        return made

    def grouped(
        self,
        k: int,
        options: Options,
        progress: Progress | None = None,
        draw: Draw | None = None,
    ) -> tuple[Partition, NDArray[np.int64], list[RecodedColumn], Fates | None]:
        """The classes for one k with their sizes, cells and what becomes of terms; no text yet.

        Without `draw` what is drawn is drawn under a key that nobody keeps.
        """
        self._require_possible(k, options.demanded)
        draw = draw or drawing(steward_key(None))
        if options.knows is not None:
            return self._known(k, options.knows, options, progress, draw)
        partition, sizes = partition_of(self.table, k, options, progress, draw)
        recoded = [recode(column, partition.classes, len(sizes)) for column in self.columns]
        if self.terms is None:
            return partition, sizes, recoded, None
        found = fates(self.terms, partition.classes, sizes, options.ontology)
        return partition, sizes, recoded, found

    def _known(
        self, k: int, knows: int, options: Options, progress: Progress | None, draw: Draw
    ) -> tuple[Partition, NDArray[np.int64], list[RecodedColumn], Fates | None]:
        """The classes of columns, and in them what people show of all they hold."""
        sets = [column for column in self.columns if column.described.kind == "set"]
        single = [column for column in self.columns if column.described.kind != "set"]
        held = held_items(self.terms, sets, self.count, options.ontology, self.schema.synonyms)
        forming = Forming(self.table, single, len(sets), self.terms is not None, held, k, knows)
        partition, sizes = known_partition(forming, options, progress, draw)
        classes = partition.classes
        shown = held.shown(classes, k, knows)
        number = {column.name: place for place, column in enumerate(sets, 1)}
        recoded = [
            known_set(held, number[column.name], column, shown, len(sizes))
            if column.name in number
            else recode(column, classes, len(sizes))
            for column in self.columns
        ]
        found = None if self.terms is None else known_fates(self.terms, held, shown, classes)
        return partition, sizes, recoded, found

    def _require_possible(self, k: int, demanded: SensitiveDemand) -> None:
        if self.count < k:
            raise CannotBeMet(
                f"{self.count} people cannot be {k}-anonymous",
                where=self.schema.person,
                remedy="give more people or a smaller k",
            )
        if not self.table.satisfied(np.arange(self.count, dtype=np.uint32), k):
            asked = "l-diverse" if demanded.l is not None else "t-close"
            raise CannotBeMet(
                f"even all people together are not {asked} as demanded",
                where="l" if demanded.l is not None else "t",
                remedy="demand less of the sensitive columns",
            )

    def _assembled(
        self,
        k: int,
        options: Options,
        key: bytes,
        shown: JsonObject,
        partition: Partition,
        sizes: NDArray[np.int64],
        recoded: list[RecodedColumn],
        found: Fates | None,
        written: RewrittenTexts | None,
    ) -> Release:
        schema, classes = self.schema, partition.classes
        class_of_row = classes[self.people]
        rows = np.flatnonzero(class_of_row >= 0)
        parameters = parameters_of(k, options, shown)
        purpose = purpose_of(self.keys.digest, parameters)
        if shown["shuffle"]:
            rows = shuffled(rows, self.keys.places, key, purpose)
        by_label = classes[np.argsort(self.labels)]
        numbers = numbers_of(by_label, key, purpose)[self.labels[self.people[rows]]]
        changed, item_losses = self._changed(classes, recoded, rows, written)
        recoded_names = [name for name in changed if name not in schema.texts]
        if schema.person is not None and schema.person_number:
            changed[schema.person] = pl.Series(numbers)
        dropped = self._dropped()
        told = self.warnings
        if options.is_drawn and len(sizes) == 1 and self.count >= 2 * k:
            told = (*told, ONE_CLASS)
        if schema.named("sensitive") and options.demanded.l is None and options.demanded.t is None:
            told = (*told, UNGUARDED)
        gone = self.count - int(sizes.sum())
        least = least_loss(self.columns, self.terms, schema, partition, k, options)
        lost = losses(
            partition, sizes, self.columns, recoded, item_losses, self.terms, found, least
        )
        return Release(
            verb="anonymize",
            data=rebuilt(self.given, rows, changed, dropped),
            claims=(
                *claims(
                    *(schema, k, options.demanded, self.count - gone, len(sizes)),
                    *(sorted(recoded_names), options.knows, not options.is_drawn),
                ),
                *given_back_claims(schema, shown.get("give_back")),
            ),
            changes=Changes.of() if written is None else written.changes,
            loss=Loss(lost),
            parameters=parameters,
            counts={
                "rows": len(rows),
                "people": self.count - gone,
                "people_suppressed": gone,
                "classes": len(sizes),
                "terms": 0 if self.terms is None else len(self.terms.places),
            },
            not_protected=not_protected(
                schema,
                shown["shuffle"],
                options.knows,
                shown.get("give_back"),
                chosen=options.by_values and not options.is_drawn,
            ),
            warnings=told,
            sides=self._sides(rows, class_of_row, numbers, written),
            key=key,
        )

    def _changed(
        self,
        classes: NDArray[np.int32],
        recoded: list[RecodedColumn],
        rows: NDArray[np.int64],
        written: RewrittenTexts | None,
    ) -> tuple[dict[str, pl.Series], dict[str, NDArray[np.float64]]]:
        """The columns that differ from the original's, and what people lost of their sets."""
        changed: dict[str, pl.Series] = {}
        item_losses: dict[str, NDArray[np.float64]] = {}
        class_of_row = classes[self.people[rows]]
        for column, one in zip(self.columns, recoded, strict=True):
            before = self.frame[column.name].gather(rows)
            if column.described.kind == "set":
                after, lost = shared_items(
                    column, one, before, self.people[rows], classes, self.count
                )
                item_losses[column.name] = lost
            else:
                after = one.cells.gather(class_of_row)
            same = after.dtype == pl.String and before.cast(pl.String).equals(after)
            if not same:
                changed[column.name] = after
        width = len(self.schema.texts)
        for number, name in enumerate(self.schema.texts):
            if written is not None:
                texts = pl.Series(written.texts[number::width], dtype=pl.String)
                texts = texts.set(self.frame[name].is_null(), None)
                changed[name] = texts.gather(rows)
        return changed, item_losses

    def _dropped(self) -> set[str]:
        dropped = set(self.schema.named("drop"))
        if self.schema.person is not None and not self.schema.person_number:
            dropped.add(self.schema.person)
        if self.schema.others == "drop":
            named = {self.schema.person, *self.schema.columns}
            dropped |= {name for name in self.frame.columns if name not in named}
        return dropped

    def _sides(
        self,
        rows: NDArray[np.int64],
        class_of_row: NDArray[np.int32],
        numbers: NDArray[np.int64],
        written: RewrittenTexts | None,
    ) -> Sides:
        return Sides(
            input=self.given,
            schema=self.schema,
            rows=rows,
            person_of_row=numbers,
            classes=class_of_row[rows].astype(np.int64),
            terms=None if written is None else written.table,
            kept=None if written is None else written.kept,
            given_back=self.back,
        )


def parameters_of(k: int, options: Options, shown: Mapping[str, object]) -> dict[str, object]:
    """What a release was made with, as its certificate has it."""
    demanded = options.demanded
    return {
        "k": k,
        "partitioner": options.partitioner,
        "relational_weight": options.relational_weight,
        "cuts": options.cuts,
        "effort": options.effort,
        "block": options.block,
        "l": demanded.l,
        "diversity": demanded.diversity,
        "c": demanded.c,
        "t": demanded.t,
        "suppress_share": options.suppress_share,
        "terms": options.terms,
        "ontology": options.ontology.name if options.ontology is not None else None,
        **({} if options.knows is None else {"knows": options.knows}),
        **({"strata": options.strata} if options.by_values else {}),
        **shown,
    }


def drawing(key: bytes, purpose: bytes = b"") -> Draw:
    """Permutations of people under a key, one for each number and size."""
    return lambda turn, size: permutation(
        key, b"strata\0" + turn.to_bytes(8, "big") + purpose, size
    )
