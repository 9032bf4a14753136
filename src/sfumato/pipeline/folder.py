"""The release folder: written whole or not at all, and judged by whoever receives it."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import formats
from ..core.errors import BadInput, NotInstalled
from . import certificate, policy
from .chains import table_at
from .kept import private_file

if TYPE_CHECKING:
    from .policy import Written
    from .run import Done
    from .stages import Step

SUMS, REPORT = "SHA256SUMS", "report.html"


def check_target(target: Path, given: Path, overwrite: bool) -> None:
    """Refuses, before any work, a place where the release of an input could not be put."""
    place, source = target.resolve(), given.resolve()
    if place == source or source in place.parents or place in source.parents:
        raise BadInput(
            "this would overwrite or mix with the input",
            where=str(target),
            remedy="write the release to another place",
        )
    if target.exists() and not target.is_dir():
        raise BadInput("exists and is no folder", where=str(target), remedy="name a folder")
    if target.is_dir() and any(target.iterdir()) and not overwrite:
        raise BadInput(
            "the folder exists and is not empty",
            where=str(target),
            remedy="name another folder, or allow overwriting (--overwrite)",
        )
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
    written: Written,
    made: Path,
    stated: dict[str, Any],
    figures: Mapping[str, Any],
    held: Mapping[str, bytes],
    overwrite: bool,
) -> None:
    """Writes the private files, then puts the public folder into place by one rename.

    `made` is the released data, `held` the steward's files by name.
    """
    given = written.path(written.policy.input.path)
    with formats.atomic_files() as files:
        files.protect(given)
        temporary = files.folder(target, overwrite=overwrite)
        data = temporary / "data"
        data.mkdir()
        if made.is_dir():
            shutil.copytree(made, data / given.name)
        else:
            shutil.copyfile(made, data / given.name)
        put(temporary / "certificate.json", stated)
        put(temporary / "figures.json", dict(figures))
        text = policy.as_yaml(policy.public(written.policy))
        (temporary / "policy.yaml").write_text(text, "utf-8")
        _write_report(temporary, given.name, stated, figures, text)
        (temporary / SUMS).write_bytes(sums(temporary))
        for name, content in held.items():
            private_file(private / name, content)
        files.commit()


def _write_report(
    folder: Path, name: str, stated: Mapping[str, Any], figures: Mapping[str, Any], policy: str
) -> None:
    """The page for people, signed with the rest; left out where the extra `report` is absent."""
    from ..reports import report

    files = stated["hashes"]["files"]
    try:
        page = report(stated, figures, name=name, policy=policy, files=files)
    except NotInstalled:
        return
    (folder / REPORT).write_bytes(page.encode("utf-8", "surrogatepass"))


def put(path: Path, value: Any) -> None:
    """Writes plain values as JSON."""
    path.write_bytes(as_json(value))


def as_json(value: Any) -> bytes:
    """Plain values as JSON, with whole numbers of any library as numbers."""
    text = json.dumps(value, ensure_ascii=False, indent=2, default=_number) + "\n"
    return text.encode("utf-8", "surrogatepass")


def _number(value: Any) -> Any:
    return value.item()


def digests(folder: Path) -> dict[str, str]:
    """The SHA-256 of every file of a folder, by its path there."""
    return {
        path.relative_to(folder).as_posix(): _sha256(path)
        for path in sorted(folder.rglob("*"), key=lambda path: path.relative_to(folder).as_posix())
        if path.is_file()
    }


def data_digests(made: Path) -> dict[str, str]:
    """The SHA-256 of the released files, by the paths they will have in the folder."""
    if made.is_dir():
        return {f"data/{made.name}/{name}": value for name, value in digests(made).items()}
    return {f"data/{made.name}": _sha256(made)}


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def sums(folder: Path) -> bytes:
    """The lines `sha256sum --check SHA256SUMS` reads, for every file but that one."""
    found = digests(folder)
    found.pop(SUMS, None)
    return "".join(f"{value}  {name}\n" for name, value in found.items()).encode()


def held_by_steward(
    written: Written, key: bytes, done: Sequence[Done], stated: Mapping[str, Any]
) -> dict[str, bytes]:
    """The steward's files: certificate, key, policy, and the mappings that undo surrogates."""
    results = [one.key for one in done]
    hashes = [one.hashes for one in done]
    held = certificate.private_of(stated, key, written, stage_results=results, stage_hashes=hashes)
    result = {
        "certificate.json": as_json(held),
        "key": key + b"\n",
        "policy.yaml": policy_bytes(written),
        "documents.json": json.dumps(document_digests(done)).encode(),
    }
    table = table_at(done)
    if table is not None:
        result["people.json"] = json.dumps(classes_of_people(done[table])).encode()
    for one in done:
        if one.release.verb == "pseudonymize":
            from ..methods.pseudonyms.mapping import mapping_bytes

            result[mapping_name(one.step)] = mapping_bytes(_with_corpus(one), key)
    return result


def classes_of_people(table: Done) -> dict[str, int]:
    """The class of every released person, by the name the original has for them."""
    release, groups = table.release, table.source.groups
    rows, classes = release.private["rows"].tolist(), release.private["classes"].tolist()
    names = [f"row {row}" if groups is None else str(groups[row]) for row in rows]
    return dict(zip(names, classes, strict=True))


def policy_bytes(written: Written) -> bytes:
    """The policy as the steward keeps it."""
    return policy.as_yaml(policy.whole(written.policy)).encode()


def mapping_name(step: Step) -> str:
    """The file that undoes the surrogates of a step; a column's name may hold any symbol."""
    from urllib.parse import quote

    column = f"-{quote(step.column, safe='[] ')}" if step.column else ""
    return f"mapping-{step.number + 1}{column}.sfumato"


def document_digests(done: Sequence[Done]) -> dict[str, list[str]]:
    """The SHA-256 of every original document, by column: a later release knows them again."""
    found: dict[str, list[str]] = {}
    for one in done:
        if (one.step.column or "") not in found:
            found[one.step.column or ""] = [text_sha256(text) for text in one.source.texts]
    return found


def text_sha256(text: str | None) -> str:
    """The SHA-256 of a document."""
    return hashlib.sha256((text or "").encode("utf-8", "surrogatepass")).hexdigest()


def _with_corpus(one: Done) -> Any:
    from dataclasses import replace

    from ..core.corpus import Corpus

    return replace(one.release, private={"input": Corpus.of(one.source.data)})
