"""What a release of records claims, and what it does not protect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...claims import kind
from ...core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...core.claims import Claim
    from ...schema import Schema
    from .options import SensitiveDemand

NAMES = (
    *("k-anonymity", "km-anonymity", "l-diversity", "t-closeness", "nothing-else-changed"),
    *("given-back", "k-map", "delta-presence"),
)
IN_TEXTS = (
    "names and other identifying words that no recogniser found in the texts, and the style of "
    "writing",
    "the number, type and place of the placeholders, and how a kept term is spelt",
)
NOT_PROTECTED = (
    "how many rows a person has",
    "columns that the schema calls insensitive: they are released as they were",
)
OWN_VALUES = {
    "none": "values of people's columns, also of dropped ones, that their texts repeat and no "
    "recogniser found",
    "dropped": "values of people's columns that their texts repeat and no recogniser found",
    "words": "numbers and short values of people's columns that their texts repeat and no "
    "recogniser found",
}
IN_ORDER = "the order of the rows, which is the original's"
WITHHELD = "the fact that a term was withheld: others of the class show what it may be"
CHOSEN = (
    "sensitive values that somebody who runs the method again can exclude: they decided the classes"
)
ONE_CLASS = (
    "everybody is one class: smaller ones could not be drawn so that each is as demanded; "
    "strata='chosen' makes smaller ones, from which values may be excluded"
)
UNGUARDED = (
    "sensitive values: neither l-diversity nor t-closeness was asked for, so all people of a class "
    "may have the same"
)


def not_protected(
    schema: Schema,
    is_shuffled: bool,
    knows: int | None = None,
    give_back: int | None = None,
    chosen: bool = False,
) -> tuple[str, ...]:
    """What no claim of a release speaks of; `chosen`: classes by their sensitive values."""
    if chosen:
        return (*not_protected(schema, is_shuffled, knows, give_back), CHOSEN)
    if give_back is not None:
        returned = f"terms that at least {give_back} people write: they were left legible"
        return (*not_protected(schema, is_shuffled, knows), returned)
    said = OWN_VALUES.get(schema.own_values or "dropped") if schema.texts else None
    more: tuple[str, ...] = (said,) if said else ()
    if knows is not None:
        more += (f"people of whom somebody knows more than {knows} of the terms", WITHHELD)
    first = (*(IN_TEXTS if schema.texts else ()), *NOT_PROTECTED)
    return (*first, *more) if is_shuffled else (*first, IN_ORDER, *more)


def names(options: Mapping[str, object]) -> tuple[str, ...]:
    """k-anonymity, what is demanded of sensitive columns, and that nothing else changed.

    Where an attacker knows m terms it is km-anonymity.

    >>> names({"l": None, "t": 0.2})
    ('k-anonymity', 't-closeness', 'nothing-else-changed')
    """
    asked = {
        "km-anonymity": options.get("knows"),
        "k-anonymity": None if options.get("knows") is not None else True,
        "l-diversity": options.get("l"),
        "t-closeness": options.get("t"),
        "given-back": options.get("give_back"),
        "k-map": options.get("k_map"),
        "delta-presence": options.get("delta"),
    }
    if options.get("delta") is None and options.get("k_map") is None:
        asked["k-map"] = options.get("population")
    return tuple(name for name in NAMES if asked.get(name, True) is not None)


def population_claims(schema: Schema, k_map: int | None, delta: float | None) -> tuple[Claim, ...]:
    """The claims about a population."""
    quasi = [one for one in schema.relational if schema.columns[one].kind != "set"]
    result = []
    if k_map is not None:
        result.append(kind("k-map").claim({"k": k_map, "quasi": quasi}))
    if delta is not None:
        result.append(kind("delta-presence").claim({"delta": delta, "quasi": quasi}))
    return tuple(result)


def given_back_claims(schema: Schema, give_back: int | None) -> tuple[Claim, ...]:
    """The claim about what was given back; people are counted, so the release must number them."""
    if give_back is None:
        return ()
    if schema.person is not None and not schema.person_number:
        raise BadInput(
            "who writes a string is counted by the person column, which is dropped",
            where="give_back",
            remedy="leave out person_number: false",
        )
    return (kind("given-back").claim({"k": give_back, "groups": schema.person is not None}),)


def claims(
    schema: Schema,
    k: int,
    demanded: SensitiveDemand,
    people: int,
    classes: int,
    changed: list[str],
    knows: int | None = None,
    chosen: bool = False,
) -> tuple[Claim, ...]:
    """The claims of a release; those about sensitive values column by column."""
    anonymous = {
        "k": k,
        "person": schema.person if schema.person_number else None,
        "quasi": schema.relational,
        "text": schema.texts,
        "people": people,
        "classes": classes,
        "entity_types": schema.entity_types,
        "own_values": schema.own_values,
    }
    known = {} if knows is None else {"knows": knows}
    name = "k-anonymity" if knows is None else "km-anonymity"
    result = [kind(name).claim({**anonymous, **known})]
    beside = {"several_rows": schema.person is not None, "chosen": chosen}
    for name in schema.named("sensitive"):
        if demanded.l is not None:
            diverse = {
                "l": demanded.l,
                "diversity": demanded.diversity,
                "c": demanded.c if demanded.diversity == "recursive" else None,
                "column": name,
                **known,
            }
            result.append(kind("l-diversity").claim(diverse, **beside))
        if demanded.t is not None:
            ordered = schema.columns[name].ordered_distance
            close = {
                "t": demanded.t,
                "distance": "ordered" if ordered else "equal",
                "column": name,
                **known,
            }
            result.append(kind("t-closeness").claim(close, **beside))
    dropped = schema.named("drop")
    if schema.person is not None and not schema.person_number:
        dropped = [schema.person, *dropped]
    rest = {"text": schema.texts, "recoded": changed, "dropped": dropped}
    return (*result, kind("nothing-else-changed").claim(rest))
