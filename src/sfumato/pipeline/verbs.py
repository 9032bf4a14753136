"""What a stage of a policy may say: the options its method declares, as pydantic reads them."""

from __future__ import annotations

from functools import cache, reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from ..claims import is_recounted
from ..core.method import options_of
from ..core.printed_form import by_names
from ..methods import METHODS, method

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..core.method import Method, Option
    from ..core.values import JsonObject

Path = Annotated[str, Field(min_length=1, description="A file, relative to the policy.")]


class Strict(BaseModel):
    """Nothing unknown is overlooked, nothing is converted silently."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    __repr__ = by_names
    __str__ = by_names


class OnTexts(Strict):
    """A stage that works on texts."""

    columns: list[str] | None = Field(
        None,
        min_length=1,
        description="The text columns it works on; all of the input's if absent.",
    )


class OnTable(Strict):
    """A stage that takes the whole table."""

    columns: None = Field(None, description="The schema says what each column is.")


@cache
def stage_model(verb: str) -> type[Strict]:
    """The model of a verb's stage."""
    declared = method(verb)
    fields: JsonObject = {"verb": (Literal[verb], ...)}
    for one in options_of(declared.options, "policy"):
        fields[one.name] = _field(one)
    of = OnTable if declared.takes_table else OnTexts
    return create_model(verb.capitalize(), __base__=of, __doc__=declared.summary, **fields)


def _field(one: Option) -> tuple[object, object]:
    about = one.about
    if about.is_file:
        kind: object = Path if about.needed else Path | None
        return kind, Field(... if about.needed else None, description=about.help)
    bounds: JsonObject = {} if about.least is None else {"ge": about.least}
    bounds |= {} if about.most is None else {"le": about.most}
    bounds |= {"min_length": 1} if one.type is str else {}
    return one.type, Field(one.default, description=about.help, **bounds)


def options_in(stage: Stage) -> Any:
    """The method's options, as a stage of a policy says them."""
    declared: Method = method(stage.verb)
    stated = {one.name: getattr(stage, one.name) for one in options_of(declared.options, "policy")}
    return declared.with_options({**stated, **declared.in_policy})


def files_in(stage: Stage) -> list[tuple[str, str]]:
    """The files a stage names, by the names of its options."""
    given = ((one, getattr(stage, one, None)) for one in file_options(stage.verb))
    return [(name, value) for name, value in given if value is not None]


def file_options(verb: str) -> list[str]:
    """The options of a verb's stage that name files."""
    of_policy = options_of(method(verb).options, "policy")
    return [one.name for one in of_policy if one.about.is_file]


def needed_options(verb: str) -> list[str]:
    """The options of a verb's stage that a policy must give."""
    of_policy = options_of(method(verb).options, "policy")
    return [one.name for one in of_policy if one.about.needed]


def secret_options(verb: str) -> list[str]:
    """The options of a verb's stage whose values are secrets of the steward."""
    of_policy = options_of(method(verb).options, "policy")
    return [one.name for one in of_policy if one.about.secret]


def new_stage(verb: str, **chosen: object) -> dict[str, object]:
    """A stage of a policy that is written for somebody: what was chosen, and what goes with it.

    >>> new_stage("suppress", k=5)
    {'verb': 'suppress', 'k': 5, 'collapse': True}
    """
    return {"verb": verb, **chosen, **method(verb).in_new_policy}


def takes_table(verb: str) -> bool:
    """Whether a verb takes the whole table."""
    return method(verb).takes_table


def table_verbs(stages: Iterable[str]) -> list[str]:
    """The verbs among these that take the whole table; names of no verb are none."""
    return [verb for verb in dict.fromkeys(stages) if verb in METHODS and takes_table(verb)]


def counts_legible(verb: str) -> bool:
    """Whether a verb claims counts of what is legible, which later stages must not change."""
    return any(map(is_recounted, method(verb).can_claim))


if TYPE_CHECKING:

    class Stage(Strict):
        """A stage of any verb; what else it says are its method's options (`options_in`)."""

        verb: str
        columns: list[str] | None
else:
    Stage = Annotated[reduce(or_, map(stage_model, METHODS)), Field(discriminator="verb")]
