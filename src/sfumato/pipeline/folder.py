"""The release folder: written whole or not at all, and judged by whoever receives it."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import formats
from ..core.errors import BadInput
from . import certificate, policy
from .kept import Shelf, private_file

if TYPE_CHECKING:
    from .policy import Written
    from .run import Done

SUMS = "SHA256SUMS"


def check_target(target: Path, overwrite: bool) -> None:
    """Refuses, before any work, a place where the release could not be put."""
    if target.exists() and not target.is_dir():
        raise BadInput("exists and is no folder", where=str(target), remedy="name a folder")
    if target.is_dir() and any(target.iterdir()) and not overwrite:
        raise BadInput(
            "the folder exists and is not empty",
            where=str(target),
            remedy="name another folder, or allow overwriting (--overwrite)",
        )
    if not target.parent.is_dir():
        raise BadInput("the folder does not exist", where=str(target.parent), remedy="create it")


def write(
    target: Path,
    private: Path,
    written: Written,
    key: bytes,
    done: Sequence[Done],
    stated: dict[str, Any],
    figures: Mapping[str, Any],
    overwrite: bool,
) -> None:
    """Writes the private part, then puts the public folder into place by one rename."""
    given = written.path(written.policy.input.path)
    made = Shelf(private / "stages").data(done[-1].key, given.name)
    with formats.atomic_files() as files:
        files.protect(given)
        temporary = files.folder(target, overwrite=overwrite)
        data = temporary / "data"
        data.mkdir()
        if made.is_dir():
            shutil.copytree(made, data / given.name)
        else:
            shutil.copyfile(made, data / given.name)
        stated["loss"] = dict(figures["loss"])
        stated["hashes"]["files"] = digests(temporary)
        put(temporary / "certificate.json", stated)
        put(temporary / "figures.json", dict(figures))
        text = policy.as_yaml(policy.public(written.policy))
        (temporary / "policy.yaml").write_text(text, "utf-8")
        (temporary / SUMS).write_bytes(sums(temporary))
        _write_private(private, written, key, done, stated)
        files.commit()


def put(path: Path, value: Any) -> None:
    """Plain values as JSON, with whole numbers of any library as numbers."""
    text = json.dumps(value, ensure_ascii=False, indent=2, default=_number) + "\n"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))


def _number(value: Any) -> Any:
    return value.item()


def digests(folder: Path) -> dict[str, str]:
    """The SHA-256 of every file of a folder, by its path there."""
    return {
        path.relative_to(folder).as_posix(): _sha256(path)
        for path in sorted(folder.rglob("*"), key=lambda path: path.relative_to(folder).as_posix())
        if path.is_file()
    }


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def sums(folder: Path) -> bytes:
    """The lines `sha256sum --check SHA256SUMS` reads, for every file but that one."""
    found = digests(folder)
    found.pop(SUMS, None)
    return "".join(f"{value}  {name}\n" for name, value in found.items()).encode()


def _write_private(
    private: Path, written: Written, key: bytes, done: Sequence[Done], stated: Mapping[str, Any]
) -> None:
    """The steward's part: certificate, key, policy, and the mappings that undo surrogates."""
    held = certificate.private_of(stated, key, done, written)
    private_file(
        private / "certificate.json",
        (json.dumps(held, indent=2, default=_number) + "\n").encode(),
    )
    private_file(private / "key", key + b"\n")
    whole = written.policy.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    whole = {"version": written.policy.version, **whole}
    for stage, given in zip(whole["stages"], written.policy.stages, strict=True):
        stage["verb"] = given.verb
    private_file(private / "policy.yaml", policy.as_yaml(whole).encode())
    private_file(private / "documents.json", json.dumps(document_digests(done)).encode())
    for one in done:
        if one.release.verb == "pseudonymize":
            from ..methods.pseudonyms.mapping import mapping_bytes

            name = f"mapping-{one.step.number + 1}"
            name += f"-{one.step.column}" if one.step.column else ""
            release = _with_corpus(one)
            private_file(private / f"{name}.sfumato", mapping_bytes(release, key))


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
