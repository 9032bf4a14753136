"""Independent verification: one file per claim, sharing no code with the method that claims it."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..core.claims import Verdict
from ..core.errors import BadInput

if TYPE_CHECKING:
    from ..core.claims import Claim
    from ..core.release import Release

# The claim's name -> the module here whose `check(claim, original, release)` judges it. A module
# may have `check_all(claims, original, release)` to prepare the texts once for several claims.
CHECKS = {
    "k-anonymity": "records",
    "l-diversity": "records",
    "t-closeness": "records",
    "nothing-else-changed": "records",
    "no-term-in-clear": "terms",
    "consistent-pseudonyms": "pseudonyms",
    "only-spans-changed": "spans",
    "spans-hidden": "spans",
    "substring-k-anonymity": "substrings",
    "t-plausibility": "meanings",
    "term-k-anonymity": "terms",
    "word-k-anonymity": "substrings",
    "pattern-free": "patterns",
    "order-kept": "patterns",
    "frequency-kept": "patterns",
    "no-lost": "patterns",
    "no-implausible": "patterns",
}


# Claims about one document at a time, given their lists: parts of a release can be judged alone.
LOCAL = frozenset(("no-term-in-clear", "only-spans-changed", "spans-hidden", "term-k-anonymity"))

# Claims that the release alone can show; those of `suppress` when counted in the release.
ON_RELEASE = frozenset(("k-anonymity", "l-diversity", "pattern-free", "t-closeness"))
STRICT = frozenset(("substring-k-anonymity", "word-k-anonymity"))


def is_on_release(claim: Claim) -> bool:
    """Whether a claim can be judged without the original."""
    return claim.name in ON_RELEASE or (claim.name in STRICT and bool(claim.parameters["strict"]))


def verify(original: Any, release: Release) -> list[Verdict]:
    """Checks every claim of a release against the original; one verdict each.

    Without the original (None) only those are judged that the release alone can show.

    >>> import sfumato as sf
    >>> release = sf.suppress("abracadabra", k=2, align="character")
    >>> [verdict.holds for verdict in sf.verify("abracadabra", release)]
    [True]
    """
    alone = original is None
    if alone:
        release = replace(release, claims=tuple(filter(is_on_release, release.claims)))
        if not release.claims:
            raise BadInput("no claim of it can be judged without the original", where="original")
    judged: dict[int, Verdict] = {}
    by_module: dict[str, list[int]] = {}
    for i, claim in enumerate(release.claims):
        if claim.name in CHECKS:
            by_module.setdefault(CHECKS[claim.name], []).append(i)
        else:
            judged[i] = Verdict(claim, holds=False, reason="this version has no check for it")
    for name, places in by_module.items():
        claims = [release.claims[i] for i in places]
        given = release.data if alone and name != "records" else original
        judged.update(zip(places, _judged(name, claims, given, release), strict=True))
    return [judged[i] for i in range(len(release.claims))]


def _judged(name: str, claims: list[Claim], original: Any, release: Release) -> list[Verdict]:
    """The verdicts of one module."""
    module = import_module(f".{name}", __name__)
    if hasattr(module, "check_all"):
        return list(module.check_all(claims, original, release))
    return [module.check(claim, original, release) for claim in claims]


def verify_part(original: Any, release: Release, carried: dict[str, Any]) -> list[Verdict]:
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
    by_module: dict[str, list[int]] = {}
    for i, claim in enumerate(release.claims):
        if claim.name == "consistent-pseudonyms":
            from .pseudonyms import Carried, check

            seen = carried.setdefault(claim.name, Carried())
            judged[i] = check(claim, original, release, seen)
        elif claim.name in LOCAL:
            by_module.setdefault(CHECKS[claim.name], []).append(i)
        else:
            judged[i] = Verdict(claim, False, "this claim cannot be judged in parts")
    for name, places in by_module.items():
        claims = [release.claims[i] for i in places]
        judged.update(zip(places, _judged(name, claims, original, release), strict=True))
    return [judged[i] for i in range(len(release.claims))]
