"""The words of a claim, made anew from its name and parameters: a certificate may not reword it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..core.claims import by_this_stage
from ..verification import STRICT

if TYPE_CHECKING:
    from ..core.claims import Claim

OF_SANITIZE = frozenset(
    ("pattern-free", "order-kept", "frequency-kept", "no-lost", "no-implausible")
)
OF_ANONYMIZE = frozenset(("k-anonymity", "l-diversity", "t-closeness", "nothing-else-changed"))


def is_reworded(claim: Claim) -> bool:
    """Whether a claim says something else than its parameters, or hides what they exempt."""
    try:
        made = statement_of(claim)
        exempt = _exempt(claim)
    except (KeyError, TypeError, ValueError, AttributeError):
        return True
    stated = (made, by_this_stage(made)) if made is not None else (claim.statement,)
    return claim.statement not in stated or exempt not in (None, tuple(claim.assumptions))


def _exempt(claim: Claim) -> tuple[str, ...] | None:
    """What a counted claim exempts, made anew from its parameters; None: not known here."""
    if claim.name != "substring-k-anonymity":
        return None
    from ..methods.substrings.claims import claims_of

    if not isinstance(claim.parameters["keep"], str):
        raise TypeError
    return claims_of({**claim.parameters, "cover": "fewest"}, None)[0].assumptions


def statement_of(claim: Claim) -> str | None:
    """The words of a claim, made anew from its name and parameters; None: not known here."""
    given: dict[str, Any] = dict(claim.parameters)
    made: tuple[Claim, ...] = ()
    if claim.name in STRICT or claim.name == "spans-hidden":
        from ..methods.substrings.claims import claims_of as of_suppress

        cover = "word" if claim.name == "word-k-anonymity" else "fewest"
        unstated = {"k": 0, "count": "documents", "unit": "character", "keep": "", "strict": False}
        made = of_suppress({**unstated, **given, "cover": cover}, given.get("spans"))
    elif claim.name in ("term-k-anonymity", "no-term-in-clear"):
        from ..methods.terms.claims import claims_of as of_redact

        made = of_redact(given, 0)
    elif claim.name == "t-plausibility":
        from ..methods.meanings.claims import claims_of as of_generalize

        made = of_generalize(given, given, 0)
    elif claim.name == "consistent-pseudonyms":
        from ..methods.pseudonyms.pseudonymize import STATEMENT

        return STATEMENT
    elif claim.name == "only-spans-changed":
        from ..methods.pseudonyms.pseudonymize import ONLY

        return ONLY.format(spans=given["spans"])
    elif claim.name in OF_SANITIZE:
        return _of_sanitize(claim, given)
    elif claim.name in OF_ANONYMIZE:
        return _of_anonymize(claim, given)
    return next((one.statement for one in made if one.name == claim.name), None)


def _of_sanitize(claim: Claim, given: dict[str, Any]) -> str | None:
    from ..methods.patterns.claims import claims_of

    for method in ("tfs", "pfs", "tm"):
        known = {"method": method, "tau": 1, "rho": None, **given}
        for one in claims_of(known, listed=True):
            if one.name == claim.name and one.parameters.get("order") == given.get("order"):
                return one.statement
    return None


def _of_anonymize(claim: Claim, given: dict[str, Any]) -> str:
    from ..methods.records.claims import worded
    from ..verification.composed_records import STARRED

    made = worded(claim.name, given)
    starred = made + STARRED
    return starred if claim.name == "k-anonymity" and claim.statement == starred else made
