"""A release folder as it arrives: every file listed with its hash, certificate, policy, data."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .. import formats
from ..core.certificate import add_to, rows_of, text_digest
from ..core.errors import BadInput, NotVerified
from ..core.printed_form import by_sizes
from . import policy as policies
from .certificate import NAME, Certificate, read_of_run

if TYPE_CHECKING:
    import polars as pl

    from ..formats import Source
    from .policy import PublishedPolicy

SUMS, DATA = "SHA256SUMS", "data"
ADDED = ("report.html",)  # may be made later, from what is there
SIGNATURES = tuple(f"{SUMS}.{suffix}" for suffix in ("sig", "asc", "minisig"))
LARGEST = 16 << 10  # bytes of a signature


@dataclass(frozen=True, slots=True)
class ReleaseFolder:
    """A release folder whose files are those that were listed."""

    path: Path
    certificate: Certificate
    policy: PublishedPolicy

    __repr__ = by_sizes

    @property
    def data(self) -> Path:
        """The released file, or folder of files."""
        return self.path / DATA / self.policy.name

    @property
    def is_table(self) -> bool:
        """Whether a stage took the whole table."""
        return any(stage.is_of_table for stage in self.certificate.stages)

    @property
    def is_shuffled(self) -> bool:
        """Whether its files have numbers for names: which is whose only the steward can tell."""
        return self.policy.has_numbers and self.data.is_dir() and not self.is_of_spark

    @property
    def is_in_parts(self) -> bool:
        """Whether it was made in parts, and its stages not kept."""
        return bool(self.certificate.parameters.get("streamed"))

    @property
    def columns(self) -> list[str | None]:
        """The text columns that stages worked on."""
        return list(dict.fromkeys(stage.column for stage in self.certificate.stages))

    @property
    def read_as(self) -> str | None:
        """The format of the data. Rules of FHIR name a key and stay with the steward; those of the
        package find the texts, or the data is not what the certificate speaks of.
        """
        said = self.policy.read_as
        return "fhir" if (said or "").startswith("fhir:") else said

    def source(self, path: Path, column: str | None, *, with_people: bool = True) -> Source:
        """The texts of one column of the release, or of what it was made of."""
        given = self.policy
        return formats.read(
            path,
            text_column=column,
            group_column=given.person if with_people else None,
            format=self.read_as,
            encoding=given.encoding,
        )

    def frame(self, path: Path) -> pl.DataFrame:
        """The table of the release, or of what it was made of."""
        from ..formats.table import read_table

        return read_table(str(path), format=self.read_as, encoding=self.policy.encoding).frame

    @property
    def is_of_spark(self) -> bool:
        """Whether its data are a folder of files that Spark wrote."""
        return self.certificate.parameters.get("engine") == "spark"

    def text_hash(self, path: Path) -> str:
        """The SHA-256 of the texts or the table of a file, as certificates have it.

        Of what Spark read and wrote they have that of the bytes.
        """
        if self.is_of_spark:
            return formats.bytes_digest(path)
        if self.is_table:
            return text_digest([rows_of(self.frame(path))])
        if not self.is_in_parts:
            return text_digest([self.source(path, column).data for column in self.columns])
        given, found = self.policy, hashlib.sha256()
        for chunk in formats.read_chunks(
            path, text_column=self.columns[0], format=self.read_as, encoding=given.encoding
        ):
            add_to(found, chunk.texts)
        return found.hexdigest()


@dataclass(frozen=True, slots=True)
class PrivateFolder:
    """What the steward keeps of a release folder: the key, and where the stages' results are."""

    path: Path
    key: bytes
    stage_results: tuple[str, ...]
    policy_folder: Path

    __repr__ = by_sizes


def is_release(path: str | Path) -> bool:
    """Whether this is a release folder, by the files it must have."""
    return any((Path(path) / name).is_file() for name in (SUMS, NAME))


def read_folder(path: Path) -> ReleaseFolder:
    """A release folder; NotVerified where a file is not the listed one, or something is damaged."""
    certificate = read_listed(path)
    policy = policies.read(path / policies.NAME)
    if [step.verb for step in policy.steps] != [stage.verb for stage in certificate.stages]:
        raise NotVerified("policy and certificate name different stages", where=str(path))
    return ReleaseFolder(path, certificate, policy)


def read_listed(path: Path) -> Certificate:
    """The certificate of a release folder whose files are all listed."""
    check_sums(path)
    return read_of_run(path / NAME)


def beside(path: Path) -> Path:
    """Where the private folder of a release folder stands."""
    return path.with_name(path.name + ".private")


def read_private(path: Path) -> PrivateFolder:
    """The private folder of a release folder, refused when it is none."""
    place = path / NAME
    try:
        held = json.loads(place.read_bytes())
        results = tuple(map(str, held["stage_results"]))
        policy_folder = Path(held.get("policy_folder", path))
        return PrivateFolder(path, bytes.fromhex(held["key"]), results, policy_folder)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise BadInput("is no private certificate of a run, or damaged", where=str(place)) from None


def digests(folder: Path) -> dict[str, str]:
    """The SHA-256 of every file of a folder, by its path there."""
    found = ((path.relative_to(folder).as_posix(), path) for path in folder.rglob("*"))
    return {name: sha256(path) for name, path in sorted(found) if path.is_file()}


def sha256(path: Path) -> str:
    """The SHA-256 of a file's bytes."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def check_sums(folder: Path) -> None:
    """Every file is listed with its hash, and every listed file is there."""
    if not folder.is_dir():
        raise BadInput("no such release folder", where=str(folder), remedy="check its name")
    try:
        lines = (folder / SUMS).read_text("utf-8").splitlines()
        listed = {name: value for value, name in (line.split("  ", 1) for line in lines)}
    except (OSError, ValueError):
        raise NotVerified(
            "the list of hashes is missing or damaged", where=str(folder / SUMS)
        ) from None
    found = digests(folder)
    found.pop(SUMS, None)
    for name in (*ADDED, *(name for name in SIGNATURES if _is_small(folder / name))):
        if name not in listed:
            found.pop(name, None)
    for name in sorted(listed.keys() | found.keys()):
        where = str(folder / name)
        if name not in found:
            raise NotVerified("a file of the release is missing", where=where)
        if name not in listed:
            raise NotVerified("a file does not belong to the release", where=where)
        if listed[name] != found[name]:
            what = "the certificate" if name == NAME else "a file of the release"
            raise NotVerified(f"{what} was changed after it was written", where=where)


def _is_small(path: Path) -> bool:
    """Whether a file has no more than a signature has."""
    return path.is_file() and path.stat().st_size <= LARGEST


def check_data(folder: Path, certificate: Certificate) -> None:
    """The data is what the certificate speaks of."""
    found = {name: value for name, value in digests(folder).items() if name.startswith("data/")}
    if found != certificate.files:
        raise NotVerified(
            "the data is not what the certificate speaks of",
            where=str(folder),
            remedy="certificate and data belong to different releases, or one was changed",
        )
