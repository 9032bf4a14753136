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


FOUND = "the recogniser found every sensitive term"
CHOSEN = "nobody runs the method again: its classes were chosen by the sensitive values"


def _k(given: Parameters) -> Statement:
    others = int(given["k"]) - 1
    whom = f"with at least {others} other{'s' * (others != 1)}."
    terms = ", and all recognised terms that are legible in the texts," if given["text"] else ""
    assumed = (FOUND,) if given["text"] else ()
    text = f"Every person shares the values of all quasi-identifying columns{terms} {whom}"
    return Statement(text, assumed).once(
        f"Every person shares all quasi-identifiers and all legible terms {whom}"
    )


def _km(given: Parameters) -> Statement:
    k, m = int(given["k"]), int(given["knows"])
    known = "any one term" if m == 1 else f"any {m} terms or fewer"
    # Number and place of placeholders may leave fewer than k: they are not protected.
    who = f"Whoever knows all quasi-identifying columns of a person and {known}"
    found = (FOUND,) if given["text"] else ()
    return Statement(
        f"{who} finds at least {k} people who show them, or nobody.",
        (f"nobody knows more than {m} of a person's terms", *found),
    ).once(f"{who} finds at least {k} people, or nobody.")


def _l(given: Parameters) -> Statement:
    kind, level = given["diversity"], f"{float(given['l']):g}"
    text = f"{_alike(given)}, {_diverse(given, level)}."
    before = f"Every {_class(given)} has {kind} {level}-diversity of a sensitive column."
    return Statement(text, (CHOSEN,) if given.get("chosen") else ()).once(before)


def _diverse(given: Parameters, level: str) -> str:
    """What the literature calls diverse, in words."""
    kind, column = str(given["diversity"]), f"the column {given['column']}"
    if kind == "distinct":
        return f"{column} has at least {level} different values (distinct {level}-diversity)"
    if kind == "entropy":
        return (
            f"the values of {column} are at least as mixed as {level} equally frequent ones "
            f"(entropy {level}-diversity)"
        )
    c = f"{float(given['c']):g}"
    return (
        f"the most frequent value of {column} occurs less than {c} times as often as all values "
        f"from the one at place {level} on together (recursive ({c}, {level})-diversity)"
    )


def _t(given: Parameters) -> Statement:
    t = f"{float(given['t']):g}"
    text = (
        f"{_alike(given)}, the distribution of the column {given['column']} differs from that of "
        f"all people by at most {t} on a scale from 0 to 1 (t-closeness, {given['distance']} "
        "distance)."
    )
    before = f"No {_class(given)}'s distribution of a sensitive column is {t} away."
    return Statement(text, _of_people(given)).once(before)


def _alike(given: Parameters) -> str:
    alike = "In every class of people who look alike"
    return alike if given.get("knows") is None else f"{alike} in the columns"


def _class(given: Parameters) -> str:
    return "class" if given.get("knows") is None else "column class"


def _of_people(given: Parameters) -> tuple[str, ...]:
    together = (TOGETHER,) if given.get("several_rows") else ()
    return (*together, CHOSEN) if given.get("chosen") else together


def _rest(given: Parameters) -> Statement:
    texts = "Texts were changed only at sensitive terms and the articles before them. "
    rest = "all other columns are as they were."
    return Statement(
        f"{texts if given['text'] else ''}All columns other than the quasi-identifying ones, those "
        "left out and the number of the person are as they were."
    ).once(
        f"Texts differ at sensitive terms and the articles before them only; {rest}",
        f"Texts differ at sensitive terms only; {rest}",
    )


LATER = "A mention that a later stage starred is not legible."
LATER_FORMERLY = ("A starred mention of a term counts as legible nowhere.",)
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
        later=LATER,
        later_formerly=LATER_FORMERLY,
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
        later=LATER,
        later_formerly=LATER_FORMERLY,
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
