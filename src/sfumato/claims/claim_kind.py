"""What is known of a kind of claim: its words, its check, what the check reads, how it survives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal

from ..core.claims import Claim, by_this_stage

if TYPE_CHECKING:
    from ..core.figures import Figure

Parameters = Mapping[str, Any]
Survival = Literal["recount", "only-hidden", "none-appears", "check-again", "own-stage"]


class Side(Enum):
    """What a check reads beside released data; the value is its name in `Release.sides`."""

    ORIGINAL = "input"
    GROUPS = "groups"
    TERMS = "terms"
    """The listed terms."""
    STRINGS = "published"
    """What each listed term is published as."""
    DIRECT = "direct"
    SPANS = "spans"
    GIVEN_BACK = "given_back"
    """What was found and left, because enough people write it."""
    PUBLIC = "public"
    """Texts that every reader knows."""
    PATTERNS = "patterns"
    IMPLAUSIBLE = "implausible"
    REFERENCE = "reference"
    ONTOLOGY = "ontology"
    FREQUENCIES = "frequencies"
    THRESHOLDS = "t_words"
    """The words that have a t of their own."""
    SCHEMA = "schema"
    POPULATION = "population"
    """A table of the population that a table's people are of."""
    FOUND = "found"
    """Where sensitive terms stand in a table's released texts (or its original's, as `terms`)."""
    CHANGES = "changes"
    """Which places were changed to what: `Release.changes`, or those of a mapping."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A claim in plain English: what holds, and what it takes for granted or exempts."""

    text: str
    assumptions: tuple[str, ...] = ()
    formerly: tuple[Statement, ...] = ()
    """How earlier versions said it: their certificates are judged, too."""

    def once(self, *texts: str) -> Statement:
        """The same with texts of earlier versions, which took the same for granted."""
        earlier = (Statement(text, self.assumptions) for text in texts)
        return replace(self, formerly=(*self.formerly, *earlier))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClaimKind:
    """One kind of claim, declared once.

    Certificates, verification, composed stages, policies and reports ask it; a kind is found by
    its name (`sfumato.claims.kind`).
    """

    name: str
    words: Callable[[Parameters], Statement]
    """Statement and assumptions from the claim's parameters alone (and `beside`, if told)."""
    check: str | None
    """`module:function` below the package, imported late; None where only its maker can judge."""
    at_once: bool = False
    """Whether the check takes all claims that name it in one call, and reads the texts once."""
    needs: frozenset[Side] = frozenset((Side.ORIGINAL,))
    needs_if: Mapping[Side, Callable[[Parameters], bool]] = field(default_factory=dict)
    """What the check reads for some parameters only."""
    by_part: bool = False
    """Whether the claim speaks of one document at a time: parts of a release are judged alone."""
    carries: str | None = None
    """What the check keeps from part to part (`module:class`); it is its fourth argument."""
    from_release: bool | Callable[[Parameters], bool] = False
    """Whether the release alone shows it; the check is then called with None for the original."""
    survives: Survival = "check-again"
    """How it is judged after later stages: counted in the final text; only symbols of what the
    stage wrote may be hidden; nothing listed may appear; checked as it stands; or not at all,
    because it speaks of its own stage only."""
    later: str = ""
    """What the statement says besides once later stages changed the text."""
    later_formerly: tuple[str, ...] = ()
    """How earlier versions said that."""
    stronger: Mapping[str, Literal["more", "less"]] = field(default_factory=dict)
    """The parameters that make the claim stronger, and whether more or less of them does."""
    bounded_by: frozenset[str] = frozenset()
    """The parameters that bound what the claim speaks of: who demands it names them, or none."""
    given_by: Mapping[str, str] = field(default_factory=dict)
    """The option of a stage that gives a parameter, where it is called otherwise; else its own."""
    settings: frozenset[str] = frozenset()
    """The parameters that are settings of the stage: certificate and policy say them alike."""
    public: Mapping[str, Figure] = field(default_factory=dict)
    """The parameters that a public certificate may say, with the reason."""
    measured: Mapping[str, Figure] = field(default_factory=dict)
    """What the check measures and a public certificate may say."""
    in_any: Parameters | None = None
    """The parameters with which it can be judged of any release, whoever made it; None: of none."""
    since: int = 1
    """The format of certificates that has it first."""
    beside: frozenset[str] = frozenset()
    """What the assumptions may tell of that is no parameter; certificates then may say more."""

    def claim(self, parameters: Parameters, **beside: object) -> Claim:
        """The claim with these parameters, in this kind's words."""
        said = self.words({**parameters, **beside})
        return Claim(self.name, said.text, parameters, said.assumptions)

    def sides(self, parameters: Parameters) -> frozenset[Side]:
        """What the check of a claim with these parameters reads."""
        return self.needs | {side for side, test in self.needs_if.items() if test(parameters)}

    def is_from_release(self, parameters: Parameters) -> bool:
        """Whether the release alone shows a claim with these parameters."""
        if isinstance(self.from_release, bool):
            return self.from_release
        found = self.from_release(parameters)
        if not isinstance(found, bool):
            raise TypeError("expected true or false")
        return found

    def after_others(self, claim: Claim) -> Claim:
        """What the claim says once later stages changed the text."""
        return replace(claim, statement=self._after_others(claim.statement))

    def _after_others(self, statement: str) -> str:
        if self.survives == "own-stage":
            return by_this_stage(statement)
        return f"{statement} {self.later}" if self.later else statement

    def is_reworded(self, claim: Claim) -> bool:
        """Whether a claim says something else than its parameters, or hides what they exempt."""
        try:
            said = self.words(claim.parameters)
        except (KeyError, TypeError, ValueError, AttributeError):
            return True
        return not any(self._says(claim, one) for one in (said, *said.formerly))

    def _says(self, claim: Claim, said: Statement) -> bool:
        """Whether a claim has these words, and all that they take for granted."""
        # Certificates of format 1 may say "By this stage" of any claim.
        after = {f"{said.text} {later}" for later in self.later_formerly}
        accepted = {said.text, by_this_stage(said.text), self._after_others(said.text), *after}
        if claim.statement not in accepted:
            return False
        if self.beside:
            return set(said.assumptions) <= set(claim.assumptions)
        return said.assumptions == tuple(claim.assumptions)

    def reaches(self, name: str, given: float, asked: float) -> bool:
        """Whether a parameter's value is as strong as what is asked for."""
        return given <= asked if self.stronger.get(name) == "less" else given >= asked

    def implies(self, parameters: Parameters, asked: Parameters) -> bool:
        """Whether a claim with these parameters is as strong as one with what is asked."""
        bounds = ((parameters.get(name), asked.get(name)) for name in self.bounded_by)
        if any(self.falls_short(bound, wanted) for bound, wanted in bounds):
            return False
        for name, wanted in asked.items():
            if name in self.bounded_by:
                continue
            found = parameters.get(name)
            if name not in self.stronger:
                if found != wanted:
                    return False
            elif not isinstance(found, int | float) or not self.reaches(name, found, wanted):
                return False
        return True

    @staticmethod
    def falls_short(bound: object, asked: object) -> bool:
        """Whether a bound is lower than what is asked; no bound is the most that can be asked."""
        if bound is None:
            return False
        return not isinstance(bound, int) or not isinstance(asked, int) or bound < asked


def told(name: str) -> Callable[[Parameters], bool]:
    """Whether a parameter says that something was given."""
    return lambda parameters: bool(parameters.get(name))
