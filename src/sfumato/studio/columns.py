"""What each column of a table is: proposed with reasons, chosen by the steward, kept as a schema.

Every column has one choice, and the schema names every column, so that none leaves unclassified.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.errors import BadInput
from ..core.options import choose
from ..pipeline.policy import as_yaml
from ..schema import as_schema
from ..schema.guess import proposal
from .places import SCHEMA, write_private

if TYPE_CHECKING:
    import polars as pl

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
LOOKED_AT = 20_000  # rows, and so many columns, in which one column may follow from another
MOST = 40
NEARLY_ALL = 0.9


def described(table: pl.DataFrame) -> list[dict[str, Any]]:
    """Every column: what is proposed, why, and what looks dangerous about it."""
    proposed = proposal(table)
    follows = followed(table, proposed)
    result = []
    for name in table.columns:
        if name == proposed.person:
            reasons = ["the name says whose row it is"]
            one = {"choice": "person", "options": {}, "reasons": reasons, "warnings": []}
        else:
            guess = proposed.columns[name]
            one = {
                "choice": _choice(guess.options),
                "options": dict(guess.options),
                "reasons": list(guess.reasons),
                "warnings": _warnings(name, proposed, follows.get(name)),
            }
        result.append({"name": name, **one})
    return result


def _choice(options: Mapping[str, object]) -> str:
    if options.get("kind") == "text" and options.get("role", "quasi") == "quasi":
        return "text"
    role = options.get("role", "quasi")
    return next(choice for choice, one in ROLES.items() if one == role and choice != "text")


def _warnings(name: str, proposed: Proposal, source: str | None) -> list[str]:
    found = proposed.found[name]
    told = []
    if found.mark is not None:
        told.append(f"looks like {found.mark}: it names people directly")
    elif found.distinct_share > NEARLY_ALL and found.present > 10 and found.words < 4:
        told.append("nearly every row has a value of its own: it may identify")
    if source is not None:
        told.append(f"follows from {source}: whoever sees one knows much of the other")
    return told


def followed(table: pl.DataFrame, proposed: Proposal) -> dict[str, str]:
    """Columns whose value follows from another column's, each with that column.

    >>> import polars as pl
    >>> rows = {"zip": ["1", "1", "2", "3"] * 3, "town": ["a", "a", "b", "b"] * 3}
    >>> table = pl.DataFrame(rows)
    >>> followed(table, proposal(table))
    {'town': 'zip'}
    """
    few = table.head(LOOKED_AT)
    names = [
        name
        for name, one in proposed.columns.items()
        if one.options.get("kind") not in ("text", "set")
        and proposed.found[name].distinct > 1
        and proposed.found[name].distinct_share < NEARLY_ALL
    ][:MOST]
    counts = {name: few[name].n_unique() for name in names}
    people = None if proposed.person is None else few[proposed.person].n_unique()
    result: dict[str, str] = {}
    for name in names:
        for other in names:
            fewer = counts[name] <= counts[other] and (other != result.get(name))
            if name == other or not fewer or counts[other] * 2 > few.height or counts[name] < 2:
                continue
            if people is not None and counts[other] * 2 > people:
                continue  # as good as the person: all follows from it
            if result.get(other) == name:
                continue
            if few.select(name, other).n_unique() == counts[other]:
                result[name] = other
                break
    return result


def schema_of(columns: list[dict[str, Any]]) -> dict[str, Any]:
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
    stated: dict[str, Any] = {"person": people[0]} if people else {}
    stated["others"] = "refuse"
    stated["columns"] = {
        one["name"]: _line(one["choice"], one.get("options") or {})
        for one in columns
        if one["choice"] != "person"
    }
    return stated


def _line(choice: str, options: Mapping[str, Any]) -> dict[str, Any]:
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


def save_schema(project: Path, columns: list[dict[str, Any]], table: pl.DataFrame) -> None:
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
