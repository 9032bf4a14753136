"""`anonymize` as the first stage: a table in, a table out, its texts left to later stages."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from ..core.certificate import digest
from ..core.claims import Claim
from ..core.errors import BadInput
from ..core.release import Release
from ..core.spans import Changes
from ..formats import table
from ..formats.packed import from_utf8, packer, split_name
from ..formats.source import Source
from . import withdraw
from .kept import TOLD, Shelf, plain
from .stages import Setting, Step, digest_of, file_digest, recogniser_digest

if TYPE_CHECKING:
    from ..core.progress import Progress
    from .policy import Written
    from .run import Done


def is_table(policy: Any) -> bool:
    """Whether the first stage takes the whole table."""
    return bool(policy.stages[0].verb == "anonymize")


def take(
    setting: Setting,
    shelf: Shelf,
    first: Step,
    rest: Callable[[Path, str], list[Done]],
    progress: Progress | None,
) -> list[Done]:
    """Takes the table's step and the rest, until no kept term is starred for one person alone.

    A term that the rest starred for a person becomes its entity type for the whole class, and the
    rest is taken again. Every turn withdraws a term, so that this ends.
    """
    require_people(setting.written)
    base = _key(first, setting)
    path = setting.written.path(setting.written.policy.input.path)
    frame = read_table(path, setting.written)
    gone: set[withdraw.Term] = set()
    while True:
        key = base if not gone else hashlib.sha256(f"{base}{sorted(gone)}".encode()).hexdigest()
        fresh = not shelf.has(key)
        if fresh and not gone:
            _keep(shelf, key, _called(first, frame, setting, progress), setting.written)
        elif fresh:
            release = withdraw.applied(load(shelf, base, frame, setting)[0], frame, gone)
            _keep(shelf, key, release, setting.written)
        release, hashes = load(shelf, key, frame, setting)
        source = as_source(frame, setting.written, path)
        taken = _done(first, source, release, hashes, key, fresh)
        done = rest(shelf.data(key, setting.written.input_name), key)
        more = withdraw.starred(release, frame, done)
        if more <= gone:
            return [taken, *done]
        gone |= more


def _done(*given: Any) -> Done:
    from .run import Done

    return Done(*given)


def _key(step: Step, setting: Setting) -> str:
    policy = setting.written.policy
    assert policy.schema_file is not None
    told = [
        digest_of(step, setting, file_digest(setting.written.path(policy.input.path))),
        file_digest(setting.written.path(policy.schema_file)),
        recogniser_digest(setting),
    ]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()


def require_people(written: Written) -> None:
    """Policy and schema must mean the same people: k counts them in columns and in texts."""
    from ..schema import as_schema

    policy = written.policy
    assert policy.schema_file is not None
    schema = as_schema(written.path(policy.schema_file))
    if policy.input.person != schema.person:
        raise BadInput(
            "names another column than the schema's person",
            where="input.person",
            remedy="name the same column in both: it says who is counted",
        )
    if schema.person is not None and not schema.person_number and len(policy.stages) > 1:
        raise BadInput(
            "the person column is dropped, so that later stages could not count people",
            where=f"{policy.schema_file}: person_number",
            remedy="let it be true, or end with anonymize",
        )


def schema_of(setting: Setting) -> Any:
    """The policy's schema, with what its first stage says of own values."""
    from ..schema import as_schema

    policy = setting.written.policy
    assert policy.schema_file is not None
    schema = as_schema(setting.written.path(policy.schema_file))
    asked = getattr(policy.stages[0], "own_values", None) or schema.own_values
    asked = asked or ("words" if policy.spans is None else "dropped")
    return schema.model_copy(update={"own_values": asked})


def _called(
    step: Step, frame: pl.DataFrame, setting: Setting, progress: Progress | None
) -> Release:
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
        _spans(frame, setting),
        c=stage.c,
        seed=policy.seed,
        progress=progress,
    )
    return release


def _spans(frame: pl.DataFrame, setting: Setting) -> Any:
    """The recogniser's name, or the places of a review file (document = row x columns + column)."""
    policy = setting.written.policy
    if policy.spans is None:
        return policy.recognizer
    from ..recognizers import review

    texts = schema_of(setting).texts
    documents = [text or "" for row in frame.select(texts).iter_rows() for text in row]
    content = setting.written.path(policy.spans).read_bytes()
    return review.read(content, documents, policy.spans)


def read_table(path: Path, written: Written) -> pl.DataFrame:
    """A table as it stands: cells of CSV, TSV and JSONL are strings."""
    return _table(path, written).frame


def _table(path: Path, written: Written) -> table.Table:
    given = written.policy.input
    return table.read_table(str(path), format=given.format, encoding=given.encoding)


def write_table(release: Release, path: Path, written: Written) -> None:
    """Writes a release in the form of the input: bytes outside changed cells stay as they were."""
    source = _table(written.path(written.policy.input.path), written)
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


def _keep(shelf: Shelf, key: str, release: Release, written: Written) -> None:
    """Puts the release of a table on the shelf."""
    given = written.path(written.policy.input.path)

    def fill(folder: Path) -> None:
        write_table(release, folder / "data" / given.name, written)
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
    claims = (
        Claim(c["name"], c["statement"], c["parameters"], tuple(c["assumptions"]))
        for c in stated["claims"]
    )
    release = Release(
        stated["verb"],
        read_table(shelf.data(key, setting.written.input_name), setting.written),
        tuple(claims),
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
    frame: pl.DataFrame = done[0].release.data
    for one in done[1:]:
        column = one.step.column
        texts = [
            None if old is None else new
            for old, new in zip(one.source.texts, one.release.data, strict=True)
        ]
        frame = frame.with_columns(pl.Series(column, texts, dtype=pl.String))
    return frame
