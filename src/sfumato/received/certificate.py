"""A certificate as a type, read in one place: a verb's or a run's, of format 1 or 2.

Reading is the first check: what does not say all that a certificate says, or not in its form, is
refused before anything of it is believed. The seal is the second: with the key it tells who wrote.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .. import methods
from ..claims import Side, find
from ..core import certificate_model
from ..core.certificate import key_under, keyed, seal_holds
from ..core.errors import BadInput, NotVerified
from ..core.printed_form import by_sizes
from ..core.release import Release, Sides
from ..core.spans import Changes
from ..verification import is_on_release

if TYPE_CHECKING:
    from ..core.claims import Claim
    from ..core.values import Data, JsonValues

NAME = "certificate.json"


class ReleaseStatement(certificate_model.ReleaseStatement):
    """What a certificate says of one release, and what judging it takes."""

    __slots__ = ()
    __repr__ = by_sizes

    @property
    def is_of_table(self) -> bool:
        """Whether the verb took a whole table; texts of a verb that is not known."""
        declared = methods.find(self.verb)
        return declared is not None and declared.takes_table

    @property
    def is_of_sequences(self) -> bool:
        """Whether each text was a sequence of symbols to the verb."""
        declared = methods.find(self.verb)
        return declared is not None and declared.takes_sequences

    @property
    def needed(self) -> frozenset[Side]:
        """What the checks of the claims read beside the release."""
        return frozenset[Side]().union(*map(sides_of, self.claims))

    def released(self, data: Data, sides: Sides) -> Release:
        """The release that is stated, with this data and these side inputs."""
        by_group = any(claim.parameters.get("count") == "groups" for claim in self.claims)
        if by_group and sides.groups is None:
            raise BadInput(
                "the claim counts groups",
                where="--group-column",
                remedy="name the column that holds them",
            )
        return Release(
            verb=self.verb,
            data=data,
            claims=self.claims,
            changes=Changes.of(),
            loss=self.loss,
            parameters=self.parameters,
            counts=self.counts,
            sides=sides,
        )


class Stage(certificate_model.Stage, ReleaseStatement):
    """One stage of a run."""

    __slots__ = ()
    __repr__ = by_sizes


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate(certificate_model.Certificate, ReleaseStatement):
    """A certificate that was read."""

    path: Path
    stages: tuple[Stage, ...] = ()
    body: JsonValues
    """All of it as JSON has it: what was sealed."""

    __repr__ = by_sizes

    @classmethod
    def read(cls, given: JsonValues, path: Path) -> Certificate:
        """A certificate's JSON values; KeyError, TypeError or ValueError where it is none.

        >>> import sfumato as sf
        >>> release = sf.suppress("abracadabra", k=2, align="character")
        >>> found = Certificate.read(release.certificate(), Path("certificate.json"))
        >>> found.verb, found.claims[0].name, found.is_of_table
        ('suppress', 'substring-k-anonymity', False)
        """
        found = cls(path=path, body=given, **certificate_model.whole_of(given, Stage))
        certificate_model.text(found.hashes["release"].plain)
        for claim in found.claims:
            is_on_release(claim)  # its parameters must say whether
        return found

    @property
    def text_hash(self) -> str:
        """The plain SHA-256 of what was released."""
        return str(self.hashes["release"].plain)

    def hashed_under(self, key: bytes, name: str, plain: bytes) -> bool:
        """Whether the hash of an input is what the certificate states under the key."""
        stated = self.hashes.get(name)
        return stated is not None and keyed(key_under(key, self.body), plain) == stated.keyed


def read(path: Path) -> Certificate:
    """The certificate of a file: refused when it is none, or when it says itself that it fails."""
    try:
        found = _read(path)
    except OSError as problem:
        raise BadInput(f"cannot be read ({problem.strerror})", where=str(path)) from None
    if not all(verdict.holds for verdict in found.verdicts):
        raise NotVerified("the certificate itself says that a claim does not hold", where=str(path))
    return found


def read_of_run(path: Path) -> Certificate:
    """The certificate of a release folder, refused when it is none of a run."""
    try:
        found = _read(path)
    except OSError:
        raise damaged(path) from None
    if found.verb != "run":
        raise damaged(path)
    return found


def _read(path: Path) -> Certificate:
    content = path.read_bytes()
    try:
        return Certificate.read(json.loads(content), path)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        raise damaged(path) from None


def damaged(path: Path) -> NotVerified:
    """What is said of a file that is no certificate."""
    return NotVerified(
        "the certificate is damaged, or is none of this version",
        where=str(path),
        remedy="give the one written with the release",
    )


def check_seal(certificate: Certificate, *keys: bytes | None, must: bool = False) -> None:
    """Refuses a certificate that is not as it was written; with a key, also a forged one.

    With a key, one without a seal is refused too: whoever changed it would leave it out. Where it
    `must` have a seal, one without is refused in any case.
    """
    known: set[bytes | None] = {key for key in keys if key is not None}
    if "seal" not in certificate.body and not known and not must:
        return
    if "seal" not in certificate.body:
        raise NotVerified(
            "the certificate has no seal, so the key cannot tell whether it was changed",
            where=str(certificate.path),
            remedy="fetch it again, or leave the key out to judge it without",
        )
    if all(seal_holds(certificate.body, key) for key in known or {None}):
        return
    by = ", or the key is another one" if known and seal_holds(certificate.body, None) else ""
    raise NotVerified(
        f"the certificate is not as it was written{by}",
        where=str(certificate.path),
        remedy="it was changed or damaged; fetch it again",
    )


@contextmanager
def seal_first(certificate: Certificate, key: bytes | None) -> Iterator[None]:
    """When something is not as certified, first asks whether the certificate itself is."""
    try:
        yield
    except NotVerified:
        check_seal(certificate, key)
        raise


def sides_of(claim: Claim) -> frozenset[Side]:
    """What the check of a claim reads; nothing where there is none."""
    known = find(claim.name)
    return frozenset() if known is None else known.sides(claim.parameters)
