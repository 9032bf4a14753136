"""What each column of a table is: proposed with reasons, chosen by the steward, kept as a schema.

Every column has one choice, and the schema names every column, so that none leaves unclassified.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import BadInput
from ..core.options import choose
from ..pipeline.policy import as_yaml
from ..schema import as_schema
from ..schema.guess import propose
from .places import SCHEMA, write_private

if TYPE_CHECKING:
    import polars as pl

    from ..core.values import JsonObject, JsonValues
    from ..schema.guess import Proposal

# choice: the role of the schema
ROLES = {
    "text": "quasi",
    "recode": "quasi",
    "secret": "sensitive",
    "publish": "insensitive",
    "drop": "drop",
}
CHOICES = ("person", *ROLES)
KINDS = ("number", "category", "ordered", "date", "set", "text")
NEARLY_ALL = 0.9
# reasons that speak of a schema's own words, in those of the page
PLAIN = {
    "quasi to be safe: say insensitive if nobody else can know it": (
        "recoded to be safe: publish it if nobody else can know it"
    ),
    "the name says a secret: give l or t": "the name says a secret",
}


def described(table: pl.DataFrame) -> list[JsonObject]:
    """Every column: what is proposed, why, and what looks dangerous about it."""
    proposed = propose(table)
    result = []
    for name in table.columns:
        if name == proposed.person:
            reasons = ["the name says whose row it is"]
            one = {"choice": "person", "options": {}, "reasons": reasons, "warnings": []}
        else:
            guess = proposed.guesses[name]
            one = {
                "choice": _choice(guess.options),
                "options": dict(guess.options),
                "reasons": [PLAIN.get(one, one) for one in guess.reasons],
                "warnings": _warnings(name, proposed),
            }
        result.append({"name": name, **one})
    return result


def _choice(options: Mapping[str, object]) -> str:
    if options.get("kind") == "text" and options.get("role", "quasi") == "quasi":
        return "text"
    role = options.get("role", "quasi")
    return next(choice for choice, one in ROLES.items() if one == role and choice != "text")


def _warnings(name: str, proposed: Proposal) -> list[str]:
    found = proposed.found[name]
    told = []
    if found.mark is not None:
        told.append(f"looks like {found.mark}: it names people directly")
    elif found.distinct_share > NEARLY_ALL and found.present > 10 and found.words < 4:
        told.append("nearly every row has a value of its own: it may identify")
    if name in proposed.tells:
        told.append(f"{proposed.tells[name]}: whoever sees it knows the other")
    if not proposed.guesses[name].classified:
        told.append("nothing tells what it means for privacy: you decide")
    return told


def schema_of(columns: list[JsonObject]) -> JsonObject:
    """The schema that says what was chosen for every column.

    >>> schema_of([{"name": "id", "choice": "person"}, {"name": "age", "choice": "recode",
    ...     "options": {"kind": "number"}}, {"name": "sex", "choice": "drop", "options": {}}])
    {'person': 'id', 'others': 'refuse', 'columns': {'age': {'kind': 'number'}, 'sex': {'role':
    'drop'}}}
    """
    people = [one["name"] for one in columns if one["choice"] == "person"]
    if len(people) > 1:
        raise BadInput(
            "two columns say whose row it is", where="columns", remedy="choose one of them"
        )
    stated: dict[str, object] = {"person": people[0]} if people else {}
    stated["others"] = "refuse"
    stated["columns"] = {
        one["name"]: _line(one["choice"], one.get("options") or {})
        for one in columns
        if one["choice"] != "person"
    }
    return stated


def _line(choice: str, options: JsonValues) -> dict[str, object]:
    """A column of the schema."""
    choose("choice", choice, CHOICES)
    given = {name: value for name, value in options.items() if name not in ("role", "kind")}
    kind = options.get("kind", "category")
    if choice == "text":
        return {"kind": "text"}
    if choice == "drop":
        return {"role": "drop"}
    if choice == "publish":
        return {"role": "insensitive", "kind": kind if kind != "text" else "category"}
    kind = "category" if kind == "text" else kind
    role = {} if ROLES[choice] == "quasi" else {"role": ROLES[choice]}
    return {"kind": kind, **role, **given}


def save_schema(project: Path, columns: list[JsonObject], table: pl.DataFrame) -> None:
    """Keeps the schema of a table, if it says something of every column of it."""
    missing = set(table.columns) ^ {one["name"] for one in columns}
    if missing:
        raise BadInput(
            f"{len(missing)} columns have no choice, or are not in the table",
            where="columns",
            remedy="say of every column what becomes of it",
        )
    stated = schema_of(columns)
    as_schema(stated)
    write_private(project / SCHEMA, as_yaml(stated).encode())
