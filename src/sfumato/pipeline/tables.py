"""`anonymize` as a stage: a table in, a table out, its texts open to stages before and after."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from ..core.certificate import digest
from ..core.claims import Claim
from ..core.release import Release
from ..core.spans import Changes
from ..formats import table
from ..formats.packed import from_utf8, packer, split_name
from ..formats.source import Source
from . import withdraw
from .chains import released, table_at, traces
from .kept import TOLD, Shelf, plain
from .stages import (
    Setting,
    Step,
    digest_of,
    file_digest,
    recognised,
    recogniser_digest,
    recogniser_name,
)

if TYPE_CHECKING:
    from ..core.spans import Span
    from .policy import Written
    from .run import Done


def is_table(policy: Any) -> bool:
    """Whether a stage takes the whole table."""
    return any(stage.verb == "anonymize" for stage in policy.stages)


def place_of(steps: Sequence[Step]) -> int | None:
    """Which step takes the table; None where all work on texts."""
    return next((i for i, one in enumerate(steps) if one.stage.verb == "anonymize"), None)


def take(
    setting: Setting,
    shelf: Shelf,
    before: Sequence[Done],
    step: Step,
    path: Path,
    given: str,
    rest: Callable[[Done, Path], list[Done]],
) -> list[Done]:
    """Takes the table's step and the rest, until every class shows each of its terms alike.

    A term that the rest starred or wrote otherwise for one person becomes its entity type for the
    whole class, and the rest is taken again. Every turn withdraws a term, so that this ends.
    """
    base = _key(step, setting, given)
    frame = read_table(path, setting.written)
    gone: set[withdraw.Term] = set()
    while True:
        key = base if not gone else hashlib.sha256(f"{base}{sorted(gone)}".encode()).hexdigest()
        fresh = not shelf.has(key)
        if fresh:
            if gone:
                release = withdraw.applied(load(shelf, base, frame, setting)[0], frame, gone)
            else:
                release = called(step, frame, before, setting)
            _keep(shelf, key, release, path, setting.written)
        release, hashes = load(shelf, key, frame, setting)
        taken = _done(step, as_source(frame, setting.written, path), release, hashes, key, fresh)
        done = rest(taken, shelf.data(key, setting.written.input_name))
        more = withdraw.parted(release, done)
        if more <= gone:
            return [*before, taken, *done]
        gone |= more


def _done(*given: Any) -> Done:
    from .run import Done

    return Done(*given)


def _key(step: Step, setting: Setting, given: str) -> str:
    policy = setting.written.policy
    assert policy.schema_file is not None
    told = [
        digest_of(step, setting, given),
        file_digest(setting.written.path(policy.schema_file)),
        recogniser_digest(setting),
    ]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()


def schema_of(setting: Setting) -> Any:
    """The policy's schema, with what its stage says of own values."""
    from ..schema import as_schema

    policy = setting.written.policy
    assert policy.schema_file is not None
    schema = as_schema(setting.written.path(policy.schema_file))
    stages = [stage for stage in policy.stages if stage.verb == "anonymize"]
    asked = next((stage.own_values for stage in stages), None) or schema.own_values
    asked = asked or ("words" if policy.spans is None else "dropped")
    return schema.model_copy(update={"own_values": asked})


def called(
    step: Step,
    frame: pl.DataFrame,
    before: Sequence[Done],
    setting: Setting,
    find: Callable[[list[str]], list[Span]] | None = None,
) -> Release:
    """The verb's release of a table, whose texts earlier steps may have changed.

    `find` finds terms in the original texts, where that is not the policy's recogniser.
    """
    from ..methods.records import anonymize

    stage: Any = step.stage
    policy = setting.written.policy
    release: Release = anonymize(
        frame,
        schema_of(setting),
        stage.k,
        stage.partitioner,
        stage.relational_weight,
        stage.l,
        stage.diversity,
        stage.t,
        stage.suppress_share,
        stage.terms,
        _spans(frame, before, setting, find),
        c=stage.c,
        seed=policy.seed,
        progress=setting.progress,
    )
    return release


def _spans(
    frame: pl.DataFrame,
    before: Sequence[Done],
    setting: Setting,
    find: Callable[[list[str]], list[Span]] | None,
) -> Any:
    """The recogniser's name, or places of the texts (document = row x columns + column).

    What earlier steps changed is looked for in the original, where a recogniser can read it, and
    taken where it stands now; a term of which nothing is legible any more is none.
    """
    policy, texts = setting.written.policy, schema_of(setting).texts
    if policy.spans is None and not before:
        return recogniser_name(setting) if policy.recognizer is not None else None
    now = [frame[name].cast(pl.String).fill_null("").to_list() for name in texts]
    first = {one.step.column: one.source.texts for one in reversed(before)}
    columns = [first.get(name, now[index]) for index, name in enumerate(texts)]
    documents = [text or "" for row in zip(*columns, strict=True) for text in row]
    traced = [traces([one for one in before if one.step.column == name]) for name in texts]
    masks = "".join(withdraw.masks_of(before, "suppress", "redact", "generalize"))
    result = []
    for span in (find or partial(_found, setting=setting))(documents):
        row, index = divmod(span.document, len(texts))
        start, stop = span.start, span.stop
        if traced[index]:
            start, stop = traced[index][row].image(start, stop)
        if any(symbol not in masks for symbol in now[index][row][start:stop]):
            result.append(replace(span, start=start, stop=stop))
    return result


def _found(documents: list[str], setting: Setting) -> list[Span]:
    """What the policy's recogniser finds, else the schema's."""
    policy = setting.written.policy
    if policy.spans is not None or policy.recognizer is not None:
        return recognised(documents, setting)
    from ..methods.records.places import schema_recogniser
    from ..recognizers import spans_of

    return spans_of(schema_recogniser(schema_of(setting)), documents, setting.progress)


def read_table(path: Path, written: Written) -> pl.DataFrame:
    """A table as it stands: cells of CSV, TSV and JSONL are strings."""
    return _table(path, written).frame


def _table(path: Path, written: Written) -> table.Table:
    given = written.policy.input
    return table.read_table(str(path), format=given.read_as, encoding=given.encoding)


def write_table(release: Release, given: Path, path: Path, written: Written) -> None:
    """Writes a release in the form of the table: bytes outside changed cells stay as they were."""
    source = _table(given, written)
    data, rows = release.data, np.asarray(release.private["rows"])
    before = source.frame[rows]
    changed = {
        name: data[name].to_list()
        for name in data.columns
        if data[name].dtype != before[name].dtype or not data[name].equals(before[name])
    }
    dropped = {name for name in before.columns if name not in data.columns}
    pieces: Any = source.pieces(changed, rows.tolist(), dropped)
    if source.format != "parquet":
        pieces = from_utf8(pieces, source.encoding, source.place)
    with packer(path.open("wb"), split_name(path.name)[1]) as stream:
        for piece in pieces:
            stream.write(piece)


def rows_of(frame: pl.DataFrame) -> list[str]:
    """Every row as one string, so that tables are hashed as texts are."""
    return [json.dumps(row, default=str, ensure_ascii=False) for row in frame.iter_rows()]


def as_source(frame: pl.DataFrame, written: Written, path: Path) -> Source:
    """A table as the source of a step: its rows are the documents."""
    person = written.policy.input.person
    groups = None
    if person is not None and person in frame.columns:
        groups = frame[person].cast(pl.String).to_list()

    def column(name: str) -> list[str | None]:
        return list(frame[name].cast(pl.String).to_list())

    return Source(
        str(path),
        "table",
        list(rows_of(frame)),
        groups,
        tuple(frame.columns),
        column,
        lambda i: f"record {i + 1}",
        lambda texts: iter(()),
        path=path,
    )


def _keep(shelf: Shelf, key: str, release: Release, given: Path, written: Written) -> None:
    """Puts the release of a table on the shelf."""

    def fill(folder: Path) -> None:
        write_table(release, given, folder / "data" / written.input_name, written)
        changes = release.changes
        pl.DataFrame(
            {
                "document": changes.documents,
                "start": changes.starts,
                "stop": changes.stops,
                "replacement": list(changes.replacements),
                "reason": list(changes.reasons),
            },
            schema_overrides={"replacement": pl.String, "reason": pl.String},
        ).write_parquet(folder / "changes.parquet")
        if "terms" in release.private:
            release.private["terms"].write_parquet(folder / "terms.parquet")
        arrays = {n: np.asarray(release.private[n]) for n in ("rows", "person_of_row", "classes")}
        np.savez_compressed(folder / "arrays.npz", **arrays)  # type: ignore[arg-type]
        stated = {
            **{name: plain(_told(release)[name]) for name in TOLD},
            "hashes": {"input": digest(rows_of(release.private["input"])).hexdigest()},
        }
        (folder / "release.json").write_text(json.dumps(stated), "utf-8")

    shelf.put(key, fill)


def _told(release: Release) -> dict[str, Any]:
    return {
        "verb": release.verb,
        "claims": [claim.as_dict() for claim in release.claims],
        "loss": dict(release.loss),
        "parameters": dict(release.parameters),
        "counts": dict(release.counts),
        "not_protected": list(release.not_protected),
        "warnings": list(release.warnings),
    }


def load(
    shelf: Shelf, key: str, frame: pl.DataFrame, setting: Setting
) -> tuple[Release, dict[str, str]]:
    """The release of a table as the shelf has it."""
    folder = shelf.folder / key
    stated = json.loads((folder / "release.json").read_text("utf-8"))
    changes = pl.read_parquet(folder / "changes.parquet")
    with np.load(folder / "arrays.npz") as arrays:
        private: dict[str, Any] = {name: arrays[name] for name in arrays.files}
    private |= {"input": frame, "schema": schema_of(setting)}
    if (folder / "terms.parquet").is_file():
        private["terms"] = pl.read_parquet(folder / "terms.parquet")
    release = Release(
        stated["verb"],
        read_table(shelf.data(key, setting.written.input_name), setting.written),
        tuple(map(Claim.of, stated["claims"])),
        Changes(
            changes["document"].to_numpy(),
            changes["start"].to_numpy(),
            changes["stop"].to_numpy(),
            changes["replacement"].to_list(),
            changes["reason"].to_list(),
        ),
        stated["loss"],
        stated["parameters"],
        stated["counts"],
        tuple(stated["not_protected"]),
        tuple(stated["warnings"]),
        private,
    )
    return release, stated["hashes"]


def final(done: Sequence[Done]) -> pl.DataFrame:
    """The table as it is released: with the texts of the later stages."""
    table = table_at(done)
    assert table is not None
    frame: pl.DataFrame = done[table].release.data
    for one in done[table + 1 :]:
        column = one.step.column
        frame = frame.with_columns(pl.Series(column, released(one), dtype=pl.String))
    return frame


def original(written: Written) -> pl.DataFrame:
    """The table before any stage."""
    return read_table(written.path(written.policy.input.path), written)
