"""What a release of records claims, in words and for the checks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...core.claims import Claim

if TYPE_CHECKING:
    from ...schema import Schema
    from .options import Demanded

NOT_PROTECTED = (
    "what no recogniser found in the texts, and the style of writing",
    "number, type and place of the placeholders; how a kept term is spelt",
    "how many rows a person has, and their order",
    "columns that the schema calls insensitive",
)
OWN_VALUES = {
    "none": "values of people's columns, dropped ones too, that texts repeat unrecognised",
    "dropped": "values of people's columns that texts repeat unrecognised",
    "words": "numbers and short values of people's columns that texts repeat unrecognised",
}
TOGETHER = (
    "several values of one person are one value of their own: all of a class may share one of them"
)
UNGUARDED = "sensitive values: no l-diversity and no t-closeness was demanded"


def not_protected(schema: Schema) -> tuple[str, ...]:
    """What no claim of a release speaks of."""
    said = OWN_VALUES.get(schema.own_values or "dropped") if schema.texts else None
    return (*NOT_PROTECTED, said) if said else NOT_PROTECTED


def worded(name: str, parameters: Mapping[str, Any]) -> str:
    """The words of a claim, by its name and parameters.

    >>> worded("t-closeness", {"t": 0.2})
    "No class's distribution of a sensitive column is 0.2 away."
    """
    if name == "k-anonymity":
        others = int(parameters["k"]) - 1
        shared = "Every person shares all quasi-identifiers and all legible terms with at least"
        return f"{shared} {others} other{'s' * (others != 1)}."
    if name == "l-diversity":
        kind, level = parameters["diversity"], float(parameters["l"])
        return f"Every class has {kind} {level:g}-diversity of a sensitive column."
    if name == "t-closeness":
        return f"No class's distribution of a sensitive column is {float(parameters['t']):g} away."
    return "Texts differ at sensitive terms only; all other columns are as they were."


def claims(
    schema: Schema, k: int, demanded: Demanded, people: int, classes: int, changed: list[str]
) -> tuple[Claim, ...]:
    """k-anonymity, what is demanded of sensitive columns, and that nothing else changed."""
    person = schema.person if schema.person_number else None
    result = [
        Claim(
            "k-anonymity",
            worded("k-anonymity", {"k": k}),
            {
                "k": k,
                "person": person,
                "quasi": schema.relational,
                "text": schema.texts,
                "people": people,
                "classes": classes,
                "entity_types": schema.entity_types,
                "own_values": schema.own_values,
            },
            ("the recogniser found every sensitive term",) if schema.texts else (),
        )
    ]
    assumed = (TOGETHER,) if schema.person is not None else ()
    for name in schema.named("sensitive"):
        if demanded.l is not None:
            parameters = {
                "l": demanded.l,
                "diversity": demanded.diversity,
                "c": demanded.c if demanded.diversity == "recursive" else None,
                "column": name,
            }
            said = worded("l-diversity", parameters)
            result.append(Claim("l-diversity", said, parameters, assumed))
        if demanded.t is not None:
            ordered = schema.columns[name].ordered_distance
            parameters = {
                "t": demanded.t,
                "distance": "ordered" if ordered else "equal",
                "column": name,
            }
            said = worded("t-closeness", parameters)
            result.append(Claim("t-closeness", said, parameters, assumed))
    dropped = schema.named("drop")
    if schema.person is not None and not schema.person_number:
        dropped = [schema.person, *dropped]
    rest = {"text": schema.texts, "recoded": changed, "dropped": dropped}
    result.append(Claim("nothing-else-changed", worded("nothing-else-changed", rest), rest))
    return tuple(result)
