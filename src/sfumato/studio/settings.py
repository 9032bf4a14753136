"""What a studio is told when it starts: where it listens, where it keeps files, what it allows."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass, field
from pathlib import Path

from ..core.printed_form import by_sizes

MB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """What may be uploaded, and what reading it may take."""

    upload: int = 512 * MB
    """Bytes of all files of a project together."""
    unpacked: int = 1024 * MB
    """Bytes of a file once it is unpacked."""
    rows: int = 2_000_000
    """Records of an input."""
    files: int = 5_000
    """Files of a folder."""
    memory: int = 4096 * MB
    """Of a process that reads what was uploaded."""
    seconds: int = 120
    """For one answer."""
    job_memory: int = 16_384 * MB
    job_seconds: int = 24 * 3600


@dataclass(frozen=True, slots=True)
class Settings:
    """A studio's settings.

    >>> Settings(Path("/tmp/studio"), port=8321).origins[0]
    'http://127.0.0.1:8321'
    """

    __repr__ = by_sizes

    folder: Path
    host: str = "127.0.0.1"
    port: int = 0
    names: tuple[str, ...] = ()
    """Further names under which it is reached."""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    spent_by_start: bool = True
    """Whether the token is spent once it was exchanged for a cookie."""
    api_only: bool = False
    days: int = 14
    """After so many days without use a project is wiped."""
    workers: int = 2
    limits: Limits = Limits()

    @property
    def hosts(self) -> tuple[str, ...]:
        """The values of the header Host that are answered."""
        here = () if self.host in ("0.0.0.0", "::") else (self.host,)  # noqa: S104 - compared
        names = dict.fromkeys(("127.0.0.1", "localhost", "[::1]", *here, *self.names))
        return tuple(f"{name}:{self.port}" for name in names)

    @property
    def origins(self) -> tuple[str, ...]:
        """The values of the header Origin that are answered."""
        return tuple(f"{scheme}://{host}" for scheme in ("http", "https") for host in self.hosts)


def default_folder() -> Path:
    """Where a studio keeps its files: SFUMATO_STUDIO, else the user's folder for data."""
    named = os.environ.get("SFUMATO_STUDIO")
    if named:
        return Path(named)
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "sfumato" / "studio"
