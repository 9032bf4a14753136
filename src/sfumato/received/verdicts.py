"""What was found of a release: verdicts, and why other claims could not be judged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..claims import is_reworded
from ..core.claims import Claim, Verdict
from ..core.errors import BadInput, SfumatoError
from ..verification import verify
from .certificate import Certificate, damaged

if TYPE_CHECKING:
    from ..core.release import Release
    from ..core.values import Data

NEEDS = "it needs the original, and what the claim is about"


@dataclass(frozen=True, slots=True)
class ReceivedVerdicts:
    """A verdict for each claim that could be judged, and of the others the name and the reason."""

    verdicts: tuple[Verdict, ...]
    not_judged: tuple[tuple[str, str], ...]
    certificate: Certificate

    @property
    def holds(self) -> bool:
        """Whether no judged claim fails."""
        return all(verdict.holds for verdict in self.verdicts)

    @classmethod
    def of(
        cls,
        certificate: Certificate,
        verdicts: Sequence[Verdict],
        waiting: Iterable[Claim] = (),
        reasons: Mapping[str, str] | None = None,
    ) -> ReceivedVerdicts:
        """Of the waiting claims those that no verdict is there for; none once a claim fails."""
        known = {verdict.claim.name for verdict in verdicts}
        if not all(verdict.holds for verdict in verdicts):
            return cls(tuple(verdicts), (), certificate)
        names = [claim.name for claim in waiting if claim.name not in known]
        why = tuple((name, (reasons or {}).get(name, NEEDS)) for name in names)
        return cls(tuple(verdicts), why, certificate)


def judged(original: Data, release: Release, certificate: Certificate) -> list[Verdict]:
    """The verdicts on claims whose wording is their own."""
    try:
        verdicts = verify(original, release)
        return reworded(release.claims) or verdicts
    except SfumatoError:
        raise
    except (KeyError, TypeError, ValueError):
        raise damaged(certificate.path) from None


def reworded(claims: Iterable[Claim]) -> list[Verdict]:
    """A failed verdict for every claim that its certificate words otherwise than it is."""
    reason = "the certificate words this claim otherwise than its parameters: it was changed"
    return [Verdict(claim, False, reason) for claim in claims if is_reworded(claim)]


def nothing_judged(release: str) -> BadInput:
    """What is said when no claim could be judged: that a certificate is whole proves none."""
    return BadInput(
        "nothing was judged: the bytes are the certified ones, and no claim was checked",
        where=release,
        remedy="give the original, and what the claims are about",
    )
