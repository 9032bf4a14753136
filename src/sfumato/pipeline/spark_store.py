"""Steps of a policy taken on Spark, each kept as Parquet in the private folder.

A result is named by the hash of all that made it, and put into place by one rename, as those of one
machine are. So a run that was killed goes on after its last finished stage. A fresh result is read
back as an old one is.
"""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass, replace
from inspect import signature
from typing import TYPE_CHECKING

from ..core.certificate import digest
from ..core.claims import Claim
from ..core.errors import BadInput
from ..core.printed_form import by_sizes
from ..core.release import Release, Sides
from ..core.spans import Changes
from ..engines import arguments
from ..engines.document_checks import LISTS
from ..engines.spark import ID, MARKS, ROW, with_documents
from ..methods import method
from .result_folder import PLAIN, plain, told
from .spark_table import applied
from .stages import digest_of, file_digest, given_to, recognizer_digest, recognizer_name
from .steps import reporter
from .table_stage import schema_of
from .withdraw import withdrawn_note

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ..core.values import Data, JsonObject
    from ..engines.spark import SparkEngine
    from .result_folder import ResultFolder
    from .steps import RunContext, Step

ROWS, WHOSE, TERMS = "rows.parquet", "whose.parquet", "terms.parquet"
UNCHANGED = ", []]"
"""How the marks of a document end in which nothing was changed (`engines.marks`)."""


@dataclass(frozen=True, slots=True, eq=False)
class SparkResult:
    """A step that Spark took: what it read, and its release as it is kept."""

    __repr__ = by_sizes

    step: Step
    before: Data
    release: Release
    hashes: dict[str, str]
    key: str
    fresh: bool
    changed: int
    """In how many documents it changed something."""


@dataclass(frozen=True, slots=True, eq=False)
class SparkStore:
    """The results of a run on Spark, by the keys of what made them."""

    __repr__ = by_sizes

    context: RunContext
    results: ResultFolder
    engine: SparkEngine
    original: Data
    """The input, as Spark reads it; of texts with the place of each row (`ROW`)."""

    def take(self, step: Step, done: Sequence[SparkResult]) -> SparkResult:
        """The result of a step after those so far, made unless it is there."""
        before = self._left_by(done)
        key = self._key(step, done)
        fresh = not self.results.has(key)
        if fresh:
            engine = replace(self.engine, text_column=step.column, changes=True, kept=[])
            try:
                release = self._made(step, before, engine)
                self.results.put(key, lambda folder: self._fill(folder, step, release))
            finally:
                engine.forget()
        return self.result(step, before, key, fresh=fresh)

    def _left_by(self, done: Sequence[SparkResult]) -> Data:
        """The rows as the steps so far left them."""
        return done[-1].release.data if done else self.original

    def _key(self, step: Step, done: Sequence[SparkResult]) -> str:
        import hashlib

        policy, written = self.context.written.policy, self.context.written
        before = done[-1].key if done else file_digest(written.path(policy.input.path))
        parts = ["spark", digest_of(step, self.context, before)]
        if step.takes_table:
            assert policy.schema_file is not None
            parts += [file_digest(written.path(policy.schema_file)), self.context.key.hex()]
            parts.append(recognizer_digest(self.context))
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    def _made(self, step: Step, before: Data, engine: SparkEngine) -> Release:
        """The verb's release on Spark."""
        context, declared = self.context, method(step.stage.verb)
        stages = len(context.written.policy.stages)
        progress = reporter(context.progress, f"{step.number + 1}/{stages} {step.stage.verb}")
        given = given_to(step, None, replace(context, progress=progress))
        given = replace(given, recognizer_name=recognizer_name(context))
        if step.takes_table:
            named = given.recognizer_name if context.written.policy.recognizer is not None else None
            given = replace(given, schema=schema_of(context), recognizer_name=named)
        found = arguments(step.stage.verb, given)
        person, verb = context.written.policy.input.person, declared.call()
        if person is not None and person not in before.columns:
            raise BadInput(
                "on Spark people are counted by their numbers, which the release does not show",
                where="schema.person_number",
                remedy="leave it out",
            )
        if person is not None and "groups" in signature(verb).parameters:
            counted = found.get("count")
            found["groups"] = person if counted in (None, "groups") else None
        with warnings.catch_warnings():  # they are told with the release
            warnings.simplefilter("ignore")
            made: Release = verb(before, **found, engine=engine, seed=given.seed, progress=progress)
        return made

    def withdrawn(
        self, first: SparkResult, done: Sequence[SparkResult], gone: Data, count: int
    ) -> SparkResult:
        """The table's result without these terms of its classes, made unless it is there.

        Which they are follows from what the stages gave the last time, and so does its key.
        """
        import hashlib

        parts = ["withdrawn", first.key, *(one.key for one in done)]
        key = hashlib.sha256("\n".join(parts).encode()).hexdigest()
        fresh = not self.results.has(key)
        if fresh:
            engine = replace(self.engine, kept=[])
            try:
                rows, terms = applied(engine, first, self.original, gone)
                told = (*first.release.warnings, withdrawn_note(count))
                sides = replace(first.release.sides, terms=terms)
                made = replace(first.release, data=rows, warnings=told, sides=sides)
                self.results.put(key, lambda folder: self._fill(folder, first.step, made))
            finally:
                engine.forget()
        return self.result(first.step, first.before, key, fresh=fresh)

    def _fill(self, folder: Path, step: Step, release: Release) -> None:
        sides = release.sides
        place = folder / "data"
        if step.takes_table:
            for name, frame in ((ROWS, release.data), (WHOSE, _renamed(sides.rows, ID, "row"))):
                numbered(self.engine, frame).write.parquet(str(place / name))
            if sides.terms is not None:
                terms: Data = sides.terms
                terms.write.parquet(str(place / TERMS))
        else:
            marked: Data = sides.marks
            marked.write.parquet(str(place / ROWS))
        stated: JsonObject = {name: plain(value) for name, value in told(release).items()}
        known = sides.given()
        stated["private"] = {
            name: plain(value) for name, value in known.items() if name in PLAIN and name in LISTS
        }
        stated["groups"] = sides.groups if isinstance(sides.groups, str) else None
        stated["hashes"] = {
            name: digest(value).hexdigest() for name, value in known.items() if name in LISTS
        }
        (folder / "release.json").write_text(json.dumps(stated), "utf-8")

    def result(self, step: Step, before: Data, key: str, *, fresh: bool = False) -> SparkResult:
        """A result as it was kept."""
        place = self.results.folder / key
        stated = json.loads((place / "release.json").read_text("utf-8"))
        rows = self.engine.session.read.parquet(str(place / "data" / ROWS))
        engine = replace(self.engine, text_column=step.column, changes=True)
        sides = Sides(input=before, groups=stated["groups"], engine=engine, **stated["private"])
        release = Release(
            verb=stated["verb"],
            data=rows.drop(MARKS),
            claims=tuple(map(Claim.of, stated["claims"])),
            changes=Changes.of(),
            loss=stated["loss"],
            parameters=stated["parameters"],
            counts=stated["counts"],
            not_protected=tuple(stated["not_protected"]),
            warnings=tuple(stated["warnings"]),
            sides=sides,
        )
        changed = 0
        if step.takes_table:
            read = self.engine.session.read.parquet
            whose = _renamed(read(str(place / "data" / WHOSE)), "row", ID)
            terms = place / "data" / TERMS
            sides = replace(
                sides,
                schema=schema_of(self.context),
                rows=whose,
                terms=read(str(terms)) if terms.exists() else None,
            )
            release = replace(release, sides=sides)
        else:
            declared = method(step.stage.verb).sides
            if declared is not None:
                given = given_to(step, None, self.context, stretched=self.context.stretched)
                sides = replace(sides, **declared(given, release))
            release = replace(release, sides=replace(sides, marks=rows))
            marks = self.engine.functions.col(MARKS)
            changed = int(rows.where(marks.isNotNull() & ~marks.endswith(UNCHANGED)).count())
        return SparkResult(step, before, release, stated["hashes"], key, fresh, changed)


def numbered(engine: SparkEngine, frame: Data) -> Data:
    """A frame with the place of each row."""
    if ROW in frame.columns:
        return frame
    return _renamed(with_documents(engine, frame), ID, ROW)


def _renamed(frame: Data, old: str, new: str) -> Data:
    return frame.withColumnRenamed(old, new)
