"""From releases to files: verify first, then write everything or nothing."""

from __future__ import annotations

import json as json_module
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from .. import formats
from ..core.certificate import certificate, sealed
from ..core.errors import BadInput, NotVerified
from ..core.keys import read_key
from ..core.progress import share, stage
from ..pipeline.dataset import count_beside, write_release
from ..verification import verify
from . import show

if TYPE_CHECKING:
    from ..core.certificate_model import Certificate
    from ..core.claims import Verdict
    from ..core.method import Call
    from ..core.progress import Progress
    from ..core.release import Release
    from ..formats import Dataset
    from ..verification.untouched_columns import Publishing

PUBLIC = ".certificate.json"


@dataclass(frozen=True, slots=True)
class Paths:
    """Where a command writes."""

    output: str
    certificate: Path | None = None
    private_certificate: Path | None = None
    key_file: Path | None = None
    overwrite: bool = False
    number_files: bool = False

    def variant(self, label: str) -> Paths:
        """The paths of one of several releases: the label stands before the suffix.

        >>> Paths("out.jsonl.gz").variant(".k5").output
        'out.k5.jsonl.gz'
        """
        if not label:
            return self
        if self.output == "-":
            raise BadInput(
                "several releases cannot share standard output", where="-o", remedy="name a file"
            )
        return Paths(
            labelled(self.output, label),
            self.certificate and Path(labelled(str(self.certificate), label)),
            self.private_certificate and Path(labelled(str(self.private_certificate), label)),
            self.key_file,
            self.overwrite,
            self.number_files,
        )

    def require_free(self, labels: Iterable[str] = ("",)) -> None:
        """Refuses, before any work, outputs that exist and may not be replaced."""
        for label in () if self.overwrite else labels:
            target = self.variant(label)
            places = (target.public_certificate(), target.private_certificate)
            output = None if target.output == "-" else Path(target.output)
            named = [place for place in (output, *places) if place is not None]
            for parent in {place.parent for place in named}:
                formats.recover(parent)  # what a killed command began to write is there now
            for place in named:
                formats.require_free(place)

    def public_certificate(self) -> Path | None:
        """Where the public certificate goes: beside the output unless told otherwise."""
        if self.certificate or self.output == "-":
            return self.certificate
        return Path(self.output.rstrip("/") + PUBLIC)


def labelled(name: str, label: str) -> str:
    """A file's name with a label before its suffixes.

    >>> labelled("folder.d/out.tsv", ".k2"), labelled("release", ".k2")
    ('folder.d/out.k2.tsv', 'release.k2')
    """
    path = Path(name)
    stem, dot, suffixes = path.name.partition(".")
    return str(path.with_name(f"{stem}{label}{dot}{suffixes}"))


@contextmanager
def quiet_warnings() -> Iterator[None]:
    """A release's warnings are shown with its summary, not where they arise."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


def publish(
    dataset: Dataset,
    call: Call,
    releases: Mapping[str, Release],
    paths: Paths,
    publishing: Publishing,
    *,
    json: bool,
    quiet: bool,
    lists: Iterable[Path | None] = (),
    memory: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Verifies every release, and writes all of them with their certificates, or none.

    `call` says what the verb took, how its release becomes texts, and what is written beside it,
    for instance a mapping. `lists` are files that were read: no output may replace them. `memory`
    is what verification may take.
    """
    key = read_key(paths.key_file)
    outcomes: dict[str, tuple[Release, list[Verdict]]] = {}
    with formats.atomic_files(overwrite=paths.overwrite) as files:
        for path in (*lists, paths.key_file):
            if path is not None and str(path) != "-":
                files.protect(path)
        add = None if call.beside is None else call.beside(files)
        for label, release in releases.items():
            target, publishing = paths.variant(label), publishing.begun()
            out = formats.writer(
                target.output, dataset, files=files, number_files=paths.number_files
            )
            with stage(progress, f"verify{label}"):
                verdicts = verify(
                    call.data, release, memory=memory, progress=share(progress, f"verify{label}")
                )
            require(verdicts)
            with stage(progress, f"other columns{label}"):
                count_beside(publishing, dataset, release, call.texts)
            publishing.require()
            told = (*release.warnings, *publishing.warnings(), *_names_of_files(dataset, paths))
            release = replace(release, warnings=told)
            with stage(progress, f"write and read back{label}"):
                write_release(out, dataset, release, call.texts)
            certify = partial(certificate_of, release, verdicts, key, publishing)
            with stage(progress, f"certificate{label}"):
                write_certificates(files, target, certify, key or release.key)
            outcomes[target.output] = release, verdicts
            if add is not None:
                add(release)
        if add is not None:
            add(None)
        files.commit()
    outcome_shown(outcomes, paths.output, json=json, quiet=quiet)


def _names_of_files(dataset: Dataset, paths: Paths) -> tuple[str, ...]:
    """That the files of a folder keep their names, which may be those of people."""
    if dataset.members is None or paths.number_files:
        return ()
    return ("the files keep their names, which may identify people: --number-files numbers them",)


def require(verdicts: Iterable[Verdict]) -> None:
    """Refuses a release with a claim that does not hold."""
    for verdict in verdicts:
        if not verdict.holds:
            raise NotVerified(
                f"{verdict.claim.name} does not hold: {verdict.reason}; nothing was written",
                where=verdict.where,
            )


def certificate_of(
    release: Release,
    verdicts: list[Verdict],
    key: bytes | None,
    publishing: Publishing,
    private: bool,
) -> Certificate:
    """A release's certificate, with the columns that leave as they are."""
    stated = certificate(release, tuple(verdicts), private=private, key=key or release.key)
    return replace(stated, columns=publishing.as_dict())


def write_certificates(
    files: formats.AtomicFiles,
    paths: Paths,
    certify: Callable[[bool], Certificate],
    key: bytes,
) -> None:
    """Puts the public certificate and, if asked for, the private one beside the release."""
    digests = files.digests(paths.output) if paths.output != "-" else {}
    for path, private in (
        (paths.public_certificate(), False),
        (paths.private_certificate, True),
    ):
        if path is None:
            continue
        whole = sealed(replace(certify(private), files=digests).as_dict(), key)
        content = json_module.dumps(whole, ensure_ascii=False, indent=2) + "\n"
        with files.open(path, private=private) as stream:
            stream.write(content.encode("utf-8", "surrogatepass"))


def outcome_shown(
    outcomes: dict[str, tuple[Release, list[Verdict]]], output: str, *, json: bool, quiet: bool
) -> None:
    """Tells what was written: for machines, for people, or not at all."""
    releases = {target: release for target, (release, _) in outcomes.items()}
    verdicts = [judged for _, judged in outcomes.values()]
    if json:
        content = json_module.dumps(show.as_json(releases, verdicts), ensure_ascii=False)
        typer.echo(content, err=output == "-")
    elif not quiet:
        show.summary(list(releases.values()), verdicts, list(releases))
