"""People of a table: nobody stands alone, sensitive values stay open, nothing else changed."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.figures import TABLE, Figure, chosen
from ..core.stated_parameters import StatedParameters
from .claim_kind import ClaimKind, Parameters, Side, Statement, told


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ClassParameters(StatedParameters):
    """A claim about the classes of people."""

    k: int
    quasi: tuple[str, ...]
    text: tuple[str, ...]
    own_values: str | None = None
    people: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class KnownTermsParameters(ClassParameters):
    """The same against somebody who knows a few terms of a person."""

    knows: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SensitiveParameters(StatedParameters):
    """A claim about the values of one sensitive column in every class."""

    column: str
    knows: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DiversityParameters(SensitiveParameters):
    """l-diversity."""

    l: float  # noqa: E741  # the name the literature has
    diversity: str
    c: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ClosenessParameters(SensitiveParameters):
    """t-closeness."""

    t: float
    distance: str


TOGETHER = (
    "several values of one person are one value of their own: all of a class may share one of them"
)


CHOSEN = "nobody runs the method again: its classes were chosen by the sensitive values"


def _k(given: Parameters) -> Statement:
    others = int(given["k"]) - 1
    shared = "Every person shares all quasi-identifiers and all legible terms with at least"
    assumed = ("the recogniser found every sensitive term",) if given["text"] else ()
    return Statement(f"{shared} {others} other{'s' * (others != 1)}.", assumed)


def _km(given: Parameters) -> Statement:
    k, m = int(given["k"]), int(given["knows"])
    known = "any one term" if m == 1 else f"any {m} terms or fewer"
    # Number and place of placeholders may leave fewer than k: they are not protected.
    who = f"Whoever knows all quasi-identifying columns of a person and {known}"
    found = ("the recogniser found every sensitive term",) if given["text"] else ()
    return Statement(
        f"{who} finds at least {k} people who show them, or nobody.",
        (f"nobody knows more than {m} of a person's terms", *found),
        formerly=f"{who} finds at least {k} people, or nobody.",
    )


def _l(given: Parameters) -> Statement:
    kind, level = given["diversity"], float(given["l"])
    text = f"Every {_class(given)} has {kind} {level:g}-diversity of a sensitive column."
    return Statement(text, (CHOSEN,) if given.get("chosen") else ())


def _t(given: Parameters) -> Statement:
    away = f"{float(given['t']):g} away"
    text = f"No {_class(given)}'s distribution of a sensitive column is {away}."
    return Statement(text, _of_people(given))


def _class(given: Parameters) -> str:
    return "class" if given.get("knows") is None else "column class"


def _of_people(given: Parameters) -> tuple[str, ...]:
    together = (TOGETHER,) if given.get("several_rows") else ()
    return (*together, CHOSEN) if given.get("chosen") else together


def _rest(given: Parameters) -> Statement:
    rest = "all other columns are as they were."
    return Statement(
        f"Texts differ at sensitive terms and the articles before them only; {rest}",
        formerly=f"Texts differ at sensitive terms only; {rest}",
    )


CHECK = "verification.records:check_records"
NEEDS = frozenset((Side.ORIGINAL, Side.SCHEMA))
CLASSES = NEEDS | {Side.FOUND}  # of tables without texts nothing is found: the schema says
PEOPLE = frozenset(("several_rows", "chosen"))  # whether a person may have several; how made

KINDS = (
    ClaimKind(
        name="k-anonymity",
        words=_k,
        check=CHECK,
        needs=NEEDS,
        needs_if={Side.FOUND: told("text")},
        from_release=True,
        later="A starred mention of a term counts as legible nowhere.",
        stronger={"k": "more"},
        settings=frozenset(("k",)),
        public={
            **chosen("k", "what is claimed"),
            **chosen("person quasi text entity_types own_values", TABLE),
            "people": Figure(
                "shown",
                "the release numbers them; without numbers it has their rows alone",
                lambda given: given.get("person") is not None,
            ),
        },
    ),
    ClaimKind(
        name="km-anonymity",
        words=_km,
        check=CHECK,
        needs=NEEDS,
        needs_if={Side.FOUND: told("text")},
        from_release=True,
        later="A starred mention of a term counts as legible nowhere.",
        stronger={"k": "more", "knows": "more"},
        settings=frozenset(("k", "knows")),
        public={
            **chosen("k knows", "what is claimed"),
            **chosen("person quasi text entity_types own_values", TABLE),
            "people": Figure(
                "shown",
                "the release numbers them; without numbers it has their rows alone",
                lambda given: given.get("person") is not None,
            ),
        },
        since=2,
    ),
    ClaimKind(
        name="l-diversity",
        words=_l,
        check=CHECK,
        needs=CLASSES,
        from_release=True,
        stronger={"l": "more"},
        settings=frozenset(("l", "diversity")),
        beside=PEOPLE,
        public=chosen("l diversity c column knows", "what is claimed"),
    ),
    ClaimKind(
        name="t-closeness",
        words=_t,
        check=CHECK,
        needs=CLASSES,
        from_release=True,
        stronger={"t": "less"},
        settings=frozenset(("t",)),
        beside=PEOPLE,
        public=chosen("t distance column knows", "what is claimed"),
    ),
    ClaimKind(
        name="nothing-else-changed",
        words=_rest,
        check=CHECK,
        needs=NEEDS,
        needs_if={Side.FOUND: told("text")},
        survives="own-stage",
        public=chosen("text dropped quasi", TABLE),
    ),
)
