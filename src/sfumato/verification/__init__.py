"""Independent verification: it loads no method, and shares with methods only what words mean.

Which check judges a claim, and what it reads, is declared with the claim (`sfumato.claims`). The
definitions that both sides share are named in docs/architecture.md.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..claims import find, kind
from ..core.allowance import allowed
from ..core.claims import Verdict
from ..core.errors import BadInput
from ..core.load import load

if TYPE_CHECKING:
    from ..core.claims import Claim
    from ..core.progress import Share
    from ..core.release import Release
    from ..core.values import Data, JsonObject


def is_on_release(claim: Claim) -> bool:
    """Whether a claim can be judged without the original."""
    known = find(claim.name)
    return known is not None and known.is_from_release(claim.parameters)


def verify(
    original: Data,
    release: Release,
    *,
    memory: int | None = None,
    progress: Share | None = None,
) -> list[Verdict]:
    """Checks every claim of a release against the original; one verdict each.

    Without the original (None) only those are judged that the release alone can show. With `memory`
    (bytes) stretches are counted in as many passes as that takes; the verdicts are the same.

    >>> import sfumato as sf
    >>> release = sf.suppress("abracadabra", k=2, align="character")
    >>> [verdict.holds for verdict in sf.verify("abracadabra", release)]
    [True]
    """
    alone = original is None
    if alone and release.sides.unmatched is not None:
        from .records_rows import refused

        wrong = refused(release)
        if wrong is not None:
            return [wrong]
    if alone:
        release = replace(release, claims=tuple(filter(is_on_release, release.claims)))
        if not release.claims:
            raise BadInput("no claim of it can be judged without the original", where="original")
    judged: dict[int, Verdict] = {}
    by_check: dict[str, list[int]] = {}
    for i, claim in enumerate(release.claims):
        known = find(claim.name)
        if known is not None and known.check is not None:
            by_check.setdefault(known.check, []).append(i)
        else:
            judged[i] = Verdict(claim, holds=False, reason="this version has no check for it")
    with allowed(memory, progress):
        return _with_checked(judged, by_check, original, release)


def _with_checked(
    judged: dict[int, Verdict], by_check: dict[str, list[int]], original: Data, release: Release
) -> list[Verdict]:
    """The verdicts of all claims, in their order; `by_check` has the places of those to check."""
    for name, places in by_check.items():
        claims, check = [release.claims[i] for i in places], load(name)
        if kind(claims[0].name).at_once:
            found = check(claims, original, release)
        else:
            found = [check(claim, original, release) for claim in claims]
        judged.update(zip(places, found, strict=True))
    return [judged[i] for i in range(len(release.claims))]


def verify_part(original: Data, release: Release, carried: JsonObject) -> list[Verdict]:
    """Checks the claims of one part of a release; `carried` is what the parts before it showed.

    >>> import sfumato as sf
    >>> carried = {}
    >>> for part in (["The crew"], ["drew"]):
    ...     release = sf.redact(part, ["crew", "craw", "draw", "drew"], k=2)
    ...     print([verdict.holds for verdict in verify_part(part, release, carried)])
    [True, True]
    [True, True]
    """
    judged: dict[int, Verdict] = {}
    by_check: dict[str, list[int]] = {}
    for i, claim in enumerate(release.claims):
        known = find(claim.name)
        if known is None or known.check is None or not known.by_part:
            judged[i] = Verdict(claim, False, "this claim cannot be judged in parts")
        elif known.carries is not None:
            if claim.name not in carried:
                carried[claim.name] = load(known.carries)()
            judged[i] = load(known.check)(claim, original, release, carried[claim.name])
        else:
            by_check.setdefault(known.check, []).append(i)
    return _with_checked(judged, by_check, original, release)
