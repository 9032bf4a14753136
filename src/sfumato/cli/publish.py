"""From releases to files: verify first, then write everything or nothing."""

from __future__ import annotations

import json as json_module
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from .. import formats
from ..core.certificate import sealed
from ..core.corpus import Corpus
from ..core.errors import BadInput, NotVerified
from ..verification import verify
from . import show

if TYPE_CHECKING:
    from ..core.claims import Verdict
    from ..core.release import Release

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
    source: formats.Source,
    releases: Mapping[str, Release],
    paths: Paths,
    *,
    json: bool,
    quiet: bool,
    original: Any = None,
    written: Callable[[Any], list[str]] | None = None,
    lists: Iterable[Path | None] = (),
    also: Callable[[formats.AtomicFiles], None] | None = None,
    beside: Mapping[Path, bytes] | None = None,
) -> None:
    """Verifies every release, and writes all of them with their certificates, or none.

    `original` is what the verb took where that is not the source's texts, `written` turns what it
    released back into such texts. `lists` are files that were read beside the source: no output may
    replace them. `also` writes what else belongs to the releases; `beside` are private files that
    do, for instance a mapping.
    """
    key = read_key(paths.key_file)
    outcomes: dict[str, tuple[Release, list[Verdict]]] = {}
    with formats.atomic_files() as files:
        for path in (*lists, paths.key_file):
            if path is not None:
                files.protect(path)
        for label, release in releases.items():
            target = paths.variant(label)
            out = formats.writer(
                target.output,
                source,
                overwrite=paths.overwrite,
                files=files,
                number_files=paths.number_files,
            )
            verdicts = verify(source.data if original is None else original, release)
            require(verdicts)
            out.write(texts_for(source, written(release.data) if written else release.data))
            certify = partial(_certificate, release, verdicts, key)
            write_certificates(files, target, certify, key or release.key)
            outcomes[target.output] = release, verdicts
        if also is not None:
            also(files)
        for path, content in (beside or {}).items():
            with files.open(path, private=True) as stream:
                stream.write(content)
        files.commit()
    outcome_shown(outcomes, paths.output, json=json, quiet=quiet)


def require(verdicts: Iterable[Verdict]) -> None:
    """Refuses a release with a claim that does not hold."""
    for verdict in verdicts:
        if not verdict.holds:
            raise NotVerified(
                f"{verdict.claim.name} does not hold: {verdict.reason}; nothing was written",
                where=verdict.where,
            )


def texts_for(source: formats.Source, data: Any) -> list[str | None]:
    """The released texts for the writer: None where the source has none."""
    texts: list[str | None] = list(Corpus.of(data).texts)
    return [None if old is None else new for old, new in zip(source.texts, texts, strict=True)]


def _certificate(
    release: Release, verdicts: list[Verdict], key: bytes | None, private: bool
) -> dict[str, Any]:
    return release.certificate(verdicts, private=private, key=key)


def write_certificates(
    files: formats.AtomicFiles,
    paths: Paths,
    certify: Callable[[bool], dict[str, Any]],
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
        certificate = certify(private)
        certificate["hashes"]["files"] = digests
        whole = sealed(certificate, key)
        content = json_module.dumps(whole, ensure_ascii=False, indent=2) + "\n"
        with files.open(path, private=private) as stream:
            stream.write(content.encode("utf-8", "surrogatepass"))


def read_key(path: Path | None) -> bytes | None:
    """The key of a file, if one is named."""
    if path is None:
        return None
    try:
        key = path.read_bytes().strip()
    except OSError as problem:
        raise BadInput(f"the key cannot be read ({problem.strerror})", where=str(path)) from None
    if len(key) < 16:
        raise BadInput(
            f"expected a key of at least 16 bytes, found {len(key)}",
            where=str(path),
            remedy="make one with: head -c 32 /dev/urandom | base64",
        )
    return key


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
