"""What whoever judges a release was given: the release, and files of what its claims speak of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import BadInput, NotVerified
from ..core.printed_form import by_sizes
from . import certificate as certificates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..formats import Chunks, Source
    from ..schema import SchemaLike
    from .certificate import Certificate


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """A release and what is known of it; `sfumato verify` has the same names as options."""

    release: str
    original: str | None = None
    certificate: Path | None = None
    private: Path | None = None
    """The private folder of a release folder."""
    private_certificate: Path | None = None
    key: bytes | None = None
    schema: SchemaLike | None = None
    terms: Path | None = None
    direct: Path | None = None
    spans: str | None = None
    recognizer: str | None = None
    patterns: Path | None = None
    positions: str | None = None
    implausible: Path | None = None
    reference: str | None = None
    population: str | None = None
    ontology: Path | None = None
    frequencies: Path | None = None
    t_words: Mapping[str, int] = field(default_factory=dict)
    mapping: Path | None = None
    text_column: str | Sequence[str] | None = None
    group_column: str | None = None
    format: str | None = None
    encoding: str = "utf-8"
    stream: bool | None = None

    __repr__ = by_sizes

    def read(
        self, path: str, certificate: Certificate, *, groups: bool = True, empty: bool = False
    ) -> Source:
        """The texts of the original, the release or a reference."""
        from .. import formats

        events = certificate.parameters.get("unit") == "event"
        return formats.read(
            path,
            text_column=self.text_column,
            group_column=self.group_column if groups else None,
            format=events_format(self.format, path, certificate.parameters.get("times"))
            if events
            else self.format,
            encoding=self.encoding,
            empty=empty,
        )

    def chunks(self, path: str, *, groups: bool) -> Chunks:
        """The same in parts."""
        from .. import formats

        return formats.read_chunks(
            path,
            text_column=self.text_column,
            group_column=self.group_column if groups else None,
            format=self.format,
            encoding=self.encoding,
        )

    def read_certificate(self) -> Certificate:
        """The certificate of a single file: the one named, or the one beside it."""
        path = self.certificate or Path(f"{self.release}.certificate.json")
        if not Path(self.release).exists() and self.release != "-":
            raise BadInput("no such file or folder", where=str(self.release))
        if not path.exists():
            raise BadInput(
                "no such certificate",
                where=str(path),
                remedy="name the release's certificate with --certificate, or give a release "
                "folder",
            )
        return certificates.read(path)

    def held(self, public: Certificate) -> Certificate:
        """The private certificate where there is one, else the public one, which holds nothing."""
        if self.private_certificate is None:
            return public
        try:
            return certificates.read(self.private_certificate)
        except NotVerified as problem:  # it is not what is judged
            raise BadInput(problem.problem, where="--private-certificate") from None


def events_format(said: str | None, path: object, times: object = None) -> str:
    """How a file of events is read: as a log of process mining, or as rows with or without times.

    `times` names the column whose times the release kept.

    >>> events_format(None, "log.xes.gz"), events_format("events:at", "log.csv")
    ('xes', 'events:at')
    >>> events_format(None, "log.xes.gz", "time:timestamp"), events_format(None, "log.csv", "at")
    ('xes:timed', 'timed:at')
    """
    if times is not None:
        is_log = (said or "").startswith("xes") or ".xes" in Path(str(path)).suffixes
        return "xes:timed" if is_log else f"timed:{times}"
    if said is not None and said.startswith(("events", "xes")):
        return said
    return "xes" if ".xes" in Path(str(path)).suffixes else "events"
