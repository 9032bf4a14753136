"""What a public certificate may say: every figure in it is declared, with the reason.

Whoever knows the method can run it on candidates and compare figures: on a note of one word, the
number of base texts names the word. So a figure is private unless its method (`Method.public`) or
its claim (`ClaimKind.public`) declares it, and they may only if it was chosen by the steward (a
threshold, a name, a switch), or if the release itself shows it to everybody. Of a run only the last
data is released: of its stages, what was chosen is told, and nothing that was counted in between.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeVar

from .certificate_model import ReleaseStatement, StatedVerdict, Values
from .claims import Claim
from .load import load
from .printed_form import by_sizes

if TYPE_CHECKING:
    from ..claims.claim_kind import ClaimKind
    from .certificate_model import Certificate
    from .values import JsonObject

Kind = Literal["chosen", "shown"]


@dataclass(frozen=True, slots=True)
class Figure:
    """Why a figure may be public: `chosen` by the steward or `shown` by the release, and how.

    `when` says for which (public) parameters of the verb or the claim the reason holds.
    """

    kind: Kind
    reason: str
    when: Callable[[Values], bool] = lambda _: True


def chosen(names: str, reason: str) -> dict[str, Figure]:
    """Figures that the steward chose, for one reason.

    >>> list(chosen("k count", "what is claimed"))
    ['k', 'count']
    """
    return {name: Figure("chosen", reason) for name in names.split()}


@dataclass(frozen=True, slots=True)
class Public:
    """What a public certificate may say of a verb's release, name by name."""

    __repr__ = by_sizes

    parameters: Mapping[str, Figure] = field(default_factory=dict)
    counts: Mapping[str, Figure] = field(default_factory=dict)
    loss: Mapping[str, Figure] = field(default_factory=dict)


# Reasons that several declarations share.
SEED = "no secret: what must not be guessed is drawn by the key"
LISTED = "whether a list or spans were given; not how many entries they have"
RECOGNIZER = "its name; of a file not where it lies"
TABLE = "the schema's: names of columns and types"
PRESET = "which labels count as what"
DOCUMENTS = Figure("shown", "the release has as many")
SEPARATORS = Figure("shown", "the input may not have them, so the release shows them all")

RUN = Public(
    parameters={
        **chosen("columns person", "names of columns that the release has or the policy names"),
        **chosen("streamed engine", "whether it went through in parts, or on Spark"),
        **chosen("seed", SEED),
    },
    counts={
        "documents": DOCUMENTS,
        "persons": Figure("shown", "the person column is released, or the numbers that replace it"),
    },
)
# Warnings that say what was chosen, or what everybody sees; whole sentences.
WARNINGS: Mapping[str, Figure] = {
    r"\d+ columns stand in no line of the schema and are released as they are": Figure(
        "chosen", "the schema leaves them out, and the release has them"
    ),
    r"sensitive values: (no|neither) l-diversity .*": Figure("chosen", "what was demanded"),
    r"fewer than k=\d+ documents \(\d+\): everything that can be is starred": Figure(
        "shown", "the release has as many documents"
    ),
    r"\d+ separators are left in: .*": SEPARATORS,
    r"(leave as they are: the columns|these columns are released as they are:) .*": Figure(
        "shown", "the release has them"
    ),
}


def published(whole: Certificate) -> Certificate:
    """The public certificate that a whole one gives: what is declared, and nothing else.

    >>> from .certificate_model import Certificate
    >>> whole = Certificate(kind="private", format=2, version="", verb="redact", claims=(),
    ...     parameters={"k": 5, "secret": 7}, counts={"symbols": 3}, loss={"redacted": 2},
    ...     verdicts=(), not_protected=())
    >>> published(whole).parameters, published(whole).counts, published(whole).loss
    ({'k': 5}, {}, {})
    """
    shown = _of_run(whole) if whole.verb == "run" else _of_verb(whole, ("chosen", "shown"))
    return replace(shown, kind="public")


def _of(verb: str) -> Public:
    """What the method of a verb declares; of an unknown one nothing is public."""
    if verb == "run":
        return RUN
    found: Public = (
        load("methods:method")(verb).public if verb in load("methods:METHODS") else Public()
    )
    return found


def _of_claim(name: object) -> ClaimKind:
    """The kind of a claim: what of its parameters, and of what its check measures, is public."""
    found: ClaimKind = load("claims:kind")(str(name))
    return found


S = TypeVar("S", bound=ReleaseStatement)


def _of_verb(whole: S, kinds: tuple[Kind, ...]) -> S:
    declared = _of(whole.verb)
    given = public_parameters(whole.verb, whole.parameters)
    told = {claim.name: claim.parameters for claim in whole.claims}
    return replace(
        whole,
        parameters=given,
        counts=_kept(whole.counts, declared.counts, given, kinds),
        claims=tuple(map(_claim, whole.claims)),
        verdicts=tuple(_verdict(one, told[one.claim], kinds) for one in whole.verdicts),
        loss=_kept(whole.loss, declared.loss, given, kinds),
        warnings=_warnings(whole.warnings, kinds),
    )


def _of_run(whole: Certificate) -> Certificate:
    """Of the stages what was chosen; of the whole, what the final data shows."""
    given = public_parameters(whole.verb, whole.parameters)
    return replace(
        whole,
        parameters=given,
        counts=_kept(whole.counts, RUN.counts, given, ("chosen", "shown")),
        claims=tuple(map(_claim, whole.claims)),
        verdicts=tuple(_verdict(one, {}, ("chosen",)) for one in whole.verdicts),
        demanded=tuple(map(_demanded, whole.demanded)),
        loss={},
        warnings=_warnings(whole.warnings, ("chosen",), r"(?:stage \d+ \(.*?\): )?")
        + _warnings(whole.warnings, ("shown",)),
        stages=tuple(_of_verb(one, ("chosen",)) for one in whole.stages),
        together=tuple(map(_together, whole.together)),
    )


def public_parameters(verb: str, parameters: Values) -> JsonObject:
    """Parameters as they may be published: of a recogniser's file its name, not where it lies.

    >>> public_parameters("anonymize", {"k": 5, "recognizer": "rules-en+/home/ann/rules.yaml"})
    {'k': 5, 'recognizer': 'rules-en+rules.yaml'}
    """
    stated = _kept(parameters, _of(verb).parameters)
    named = stated.get("recognizer")
    if isinstance(named, str):
        stated["recognizer"] = "+".join(one.strip().split("/")[-1] for one in named.split("+"))
    return stated


def _claim(claim: Claim) -> Claim:
    given = _kept(claim.parameters, _of_claim(claim.name).public, claim.parameters)
    return replace(claim, parameters=given)


def _verdict(verdict: StatedVerdict, given: Values, kinds: tuple[Kind, ...]) -> StatedVerdict:
    """Whether it holds; reasons and places of a check count what the original had."""
    declared = _of_claim(verdict.claim).measured
    measured = _kept(verdict.measured, declared, given, kinds) if given else {}
    return replace(verdict, reason="", where=None, measured=measured)


def _demanded(verdict: StatedVerdict) -> StatedVerdict:
    """What a policy demanded of the final data: its least count is counted there."""
    least = {n: verdict.measured[n] for n in ("smallest_count",) if n in verdict.measured}
    return replace(verdict, reason="", where=None, measured=least)


def _together(told: Values) -> JsonObject:
    """What holds of several releases; how much of the originals they share is the steward's."""
    claims = map(Claim.of, told.get("claims", ()))
    verdicts = map(StatedVerdict.of, told.get("verdicts", ()))
    return {
        **{name: told[name] for name in ("column", "releases") if name in told},
        "claims": [_claim(one).as_dict() for one in claims],
        "verdicts": [_verdict(one, {}, ("chosen",)).as_dict() for one in verdicts],
    }


def _warnings(told: Iterable[str], kinds: tuple[Kind, ...], before: str = "") -> tuple[str, ...]:
    known = [form for form, figure in WARNINGS.items() if figure.kind in kinds]
    return tuple(
        one for one in told if any(re.fullmatch(before + form, one, re.S) for form in known)
    )


def _kept(
    values: Values,
    declared: Mapping[str, Figure],
    given: Values | None = None,
    kinds: tuple[Kind, ...] = ("chosen", "shown"),
) -> JsonObject:
    return {
        name: values[name]  # some are counted only when they are asked for
        for name in values
        if (figure := declared.get(name)) is not None
        and figure.kind in kinds
        and (given is None or figure.when(given))
    }
