"""The release folder: written whole or not at all, and judged by whoever receives it."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import formats
from ..core.errors import BadInput, NotInstalled, SfumatoError
from ..core.load import load
from ..core.printed_form import by_sizes
from ..formats.temporary import lock_now
from ..methods import method
from ..received.folder import SUMS, digests, sha256
from ..received.policy import SCHEMA
from ..schema import as_schema
from ..schema.frames import as_polars
from ..schema.read import public_schema
from . import certificate, policy
from .chains import table_at
from .public_policy import public_policy
from .result_folder import private_file, private_folder

if TYPE_CHECKING:
    from ..core.certificate_model import Certificate
    from ..core.values import JsonObject, JsonValues
    from .policy import PolicyFile
    from .steps import StageResult, Step

REPORT, FIGURES = "report.html", "figures.json"


LOCK = ".lock"
LEAST_KEY = 16


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """A finished run."""

    folder: Path
    private: Path
    certificate: JsonObject
    """The public one."""
    told: JsonObject
    """All that the private one says, but for the key."""
    figures: JsonObject
    reused: int
    """How many stage results an earlier run had left."""

    __repr__ = by_sizes


@contextmanager
def private_place(target: Path, given: Path, overwrite: bool) -> Iterator[Path]:
    """The private folder of the release of an input, for one run at a time.

    A run that is refused leaves nothing there that was not there before; one that is killed, or
    stopped by its user, leaves its stage results, with which the next goes on.
    """
    private = target.with_name(target.name + ".private")
    formats.recover(private)
    check_target(target, given, overwrite)
    handle = _locked(private)
    try:
        check_target(target, given, overwrite)  # another run may have ended meanwhile
        before = _entries(private)
        try:
            yield private
        except SfumatoError:
            _remove(private, _entries(private) - before)
            raise
    finally:
        os.close(handle)


def steward_key(written: PolicyFile, private: Path) -> bytes:
    """The key of hashes and surrogates: the policy's, or one drawn once and kept privately."""
    if written.policy.key_file is not None:
        path = written.path(written.policy.key_file)
    else:
        path = private / "key"
        if not path.exists():
            private_file(path, secrets.token_hex(32).encode() + b"\n")
    try:
        key = path.read_bytes().strip()
    except OSError as problem:
        raise BadInput(f"the key cannot be read ({problem.strerror})", where=str(path)) from None
    if len(key) < LEAST_KEY:
        raise BadInput(
            f"expected a key of at least {LEAST_KEY} bytes, found {len(key)}",
            where=str(path),
            remedy="make one with: head -c 32 /dev/urandom | base64",
        )
    return key


def _locked(private: Path) -> int:
    """A handle that keeps other runs out of a private folder, which is made where it is missing."""
    while True:
        private_folder(private)
        handle = os.open(private / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        if not lock_now(handle):
            os.close(handle)
            raise BadInput(
                "another run writes this release now",
                where=str(private),
                remedy="wait for it, or name another output",
            )
        with suppress(OSError):
            if os.fstat(handle).st_ino == (private / LOCK).stat().st_ino:
                return handle
        os.close(handle)  # the other run was refused, and took its folder with it


def _entries(private: Path) -> set[Path]:
    """What a private folder holds: its files, and each stage result."""
    inside = set(private.iterdir()) - {private / LOCK}
    stages = private / "stages"
    return inside | (set(stages.iterdir()) if stages.is_dir() else set())


def _remove(private: Path, made: set[Path]) -> None:
    for path in made:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    if not _entries(private):
        shutil.rmtree(private, ignore_errors=True)


def check_target(target: Path, given: Path, overwrite: bool) -> None:
    """Refuses, before any work, a place where the release of an input could not be put."""
    formats.recover(target.parent)
    place, source = target.resolve(), given.resolve()
    if place == source or source in place.parents or place in source.parents:
        raise BadInput(
            "this would overwrite or mix with the input",
            where=str(target),
            remedy="write the release to another place",
        )
    if target.exists() and not target.is_dir():
        raise BadInput("exists and is no folder", where=str(target), remedy="name a folder")
    if not overwrite:
        formats.require_free(target)
    if target.is_dir() and any(target.iterdir()) and not (target / SUMS).is_file():
        raise BadInput(
            "the folder holds something else than a release and is not replaced",
            where=str(target),
            remedy="name another folder",
        )
    if not target.parent.is_dir():
        raise BadInput("the folder does not exist", where=str(target.parent), remedy="create it")


def write(
    target: Path,
    private: Path,
    written: PolicyFile,
    made: Path,
    stated: Mapping[str, object],
    held: Mapping[str, bytes],
    overwrite: bool,
) -> None:
    """Puts the private files and the public folder into place, all at the end, or none.

    `made` is the released data, `stated` the public certificate, `held` the steward's files by
    name.
    """
    given = written.path(written.policy.input.path)
    with formats.atomic_files() as files:
        files.protect(given)
        temporary = files.folder(target, overwrite=overwrite)
        data = temporary / "data"
        data.mkdir()
        if made.is_dir():
            shutil.copytree(made, data / written.input_name)
        else:
            shutil.copyfile(made, data / written.input_name)
        put(temporary / "certificate.json", stated)
        text = policy.as_yaml(public_policy(written.policy))
        (temporary / "policy.yaml").write_text(text, "utf-8")
        if written.policy.schema_file is not None:
            schema = as_schema(written.path(written.policy.schema_file))
            stated_columns = policy.as_yaml(public_schema(schema))
            (temporary / SCHEMA).write_text(stated_columns, "utf-8")
        page = _report(given.name, stated, {}, text)
        if page is not None:
            (temporary / REPORT).write_bytes(page)
        (temporary / SUMS).write_bytes(sums(temporary))
        for name, content in held.items():
            with files.open(private / name, private=True, overwrite=True) as stream:
                stream.write(content)
        files.commit()


def _report(
    name: str, stated: JsonValues, figures: Mapping[str, object], policy: str
) -> bytes | None:
    """The page for people; None where the extra `report` is absent."""
    from ..reports.report import report

    files = stated["hashes"]["files"]
    try:
        page = report(stated, figures, name=name, policy=policy, files=files)
    except NotInstalled:
        return None
    return page.encode("utf-8", "surrogatepass")


def measured(
    written: PolicyFile, shown: Mapping[str, object], figures: Mapping[str, object]
) -> dict[str, bytes]:
    """What was measured on the original, and a page that shows it beside the public certificate.

    Both are the steward's: on few records such figures tell what they were counted on.
    """
    name = written.path(written.policy.input.path).name
    page = _report(name, shown, figures, policy.as_yaml(public_policy(written.policy)))
    return {FIGURES: as_json(dict(figures)), **({} if page is None else {REPORT: page})}


def put(path: Path, value: object) -> None:
    """Writes plain values as JSON."""
    path.write_bytes(as_json(value))


def as_json(value: object) -> bytes:
    """Plain values as JSON, with whole numbers of any library as numbers."""
    text = json.dumps(value, ensure_ascii=False, indent=2, default=_number) + "\n"
    return text.encode("utf-8", "surrogatepass")


def _number(value: Any) -> object:
    return value.item()


def data_digests(made: Path) -> dict[str, str]:
    """The SHA-256 of the released files, by the paths they will have in the folder."""
    if made.is_dir():
        return {f"data/{made.name}/{name}": value for name, value in digests(made).items()}
    return {f"data/{made.name}": sha256(made)}


def sums(folder: Path) -> bytes:
    """The lines `sha256sum --check SHA256SUMS` reads, for every file but that one."""
    found = digests(folder)
    found.pop(SUMS, None)
    return "".join(f"{value}  {name}\n" for name, value in found.items()).encode()


def held_by_steward(
    written: PolicyFile, key: bytes, done: Sequence[StageResult], stated: Certificate
) -> dict[str, bytes]:
    """The steward's files: certificate, key, policy, and the mappings that undo surrogates."""
    results = [one.key for one in done]
    hashes = [one.hashes for one in done]
    held = certificate.private_of(stated, key, written, stage_results=results, stage_hashes=hashes)
    table = table_at(done)
    if table is not None:  # which record of the original each released one is
        held = replace(held, private={"rows": done[table].release.sides.of_table.rows.tolist()})
    result = {
        "certificate.json": as_json(held.as_dict()),
        "key": key + b"\n",
        "policy.yaml": policy_bytes(written),
        "documents.json": json.dumps(document_digests(done)).encode(),
    }
    if table is not None:
        result["people.json"] = json.dumps(classes_of_people(done[table])).encode()
    for one in done:
        undoing = method(one.release.verb).undoing
        if undoing is not None:
            result[mapping_name(one.step)] = load(undoing.whole)(_with_corpus(one), key)
    return result


def classes_of_people(table: StageResult) -> dict[str, int]:
    """The class of every released person, by the name the original has for them."""
    known = table.release.sides.of_table
    rows, classes = known.rows.tolist(), known.classes.tolist()
    groups = table.source.groups
    if groups is None:
        return by_content(table, zip(rows, classes, strict=True))
    return dict(zip((str(groups[row]) for row in rows), classes, strict=True))


def by_content(table: StageResult, classes: Iterable[tuple[int, int]]) -> dict[str, int]:
    """The class of every row by what stands in it: the next export may have another order.

    Rows that are equal in every cell are told apart by number, smaller classes first.
    """
    cells = as_polars(table.release.sides.input)
    texts = [repr(one) for one in cells.rows()]
    result: dict[str, int] = {}
    times: Counter[str] = Counter()
    for one, row in sorted((one, row) for row, one in classes):
        text = text_sha256(texts[row])
        result[f"row {text} {times[text]}"] = one
        times[text] += 1
    return result


def policy_bytes(written: PolicyFile) -> bytes:
    """The policy as the steward keeps it."""
    return policy.as_yaml(policy.whole(written.policy)).encode()


def mapping_name(step: Step) -> str:
    """The file that undoes the surrogates of a step; a column's name may hold any symbol."""
    from urllib.parse import quote

    column = f"-{quote(step.column, safe='[] ')}" if step.column else ""
    return f"mapping-{step.number + 1}{column}.sfumato"


def document_digests(done: Sequence[StageResult]) -> dict[str, list[str]]:
    """The SHA-256 of every original document, by column: a later release knows them again."""
    found: dict[str, list[str]] = {}
    for one in done:
        if (one.step.column or "") not in found:
            found[one.step.column or ""] = [text_sha256(text) for text in one.source.texts]
    return found


def text_sha256(text: str | None) -> str:
    """The SHA-256 of a document."""
    return hashlib.sha256((text or "").encode("utf-8", "surrogatepass")).hexdigest()


def _with_corpus(one: StageResult) -> Any:
    from ..core.corpus import Corpus
    from ..core.release import Sides

    return replace(one.release, sides=Sides(input=Corpus.of(one.source.data)))
