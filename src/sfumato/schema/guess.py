"""A schema proposed for a table, with the reasons beside every line."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..core.numbers import percent
from ..core.printed import by_sizes
from . import hints
from .evidence import ALL, Evidence, evidence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import polars as pl

FREE_TEXT_WORDS = 4
FEW = 20
MANY = 0.9  # nearly every row has a value of its own
_HEADER = """\
# Proposed from the table's names and counts; read every line before you use it.
# role: quasi (recoded), sensitive (kept; see l and t), insensitive (kept), drop (left out).
"""


@dataclass(frozen=True, slots=True)
class Guess:
    """What is proposed for one column: its options as in YAML, and why."""

    options: Mapping[str, object]
    reasons: tuple[str, ...]

    __repr__ = by_sizes


def guess(table: pl.DataFrame) -> str:
    """A schema as YAML, its reasons as comments. Values are shown only where a scale needs them.

    Cost: O(cells).

    >>> import polars as pl
    >>> people = pl.DataFrame({"id": ["1", "2", "3"], "age": ["36", "24", "36"]})
    >>> print(guess(people))
    # Proposed ...
    person: id  # 3 distinct values in 3 rows; the name says so
    columns:
      age: {kind: number}  # 2 distinct values in 3 rows (67%); numbers; others may know it
    # 1 of 3 people (33%) are the only ones with their values in these columns.
    """
    proposed = proposal(table)
    lines = _lines(table, proposed.person, proposed.found, proposed.columns)
    return _HEADER + "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is proposed for a table: the person column, every other one, and what was counted."""

    person: str | None
    columns: Mapping[str, Guess]
    found: Mapping[str, Evidence]

    __repr__ = by_sizes


def proposal(table: pl.DataFrame) -> Proposal:
    """What `guess` writes down, as values.

    >>> import polars as pl
    >>> found = proposal(pl.DataFrame({"id": ["1", "2", "3"], "age": ["36", "24", "36"]}))
    >>> found.person, dict(found.columns["age"].options)
    ('id', {'kind': 'number'})
    """
    found = {name: evidence(table[name]) for name in table.columns}
    person = _person(found)
    guesses = {
        name: _column(name, table[name], one) for name, one in found.items() if name != person
    }
    if not any(one.options.get("kind") == "text" for one in guesses.values()):
        guesses = {name: _without_entities(one) for name, one in guesses.items()}
    return Proposal(person, guesses, found)


def _lines(
    table: pl.DataFrame,
    person: str | None,
    found: Mapping[str, Evidence],
    guesses: Mapping[str, Guess],
) -> Iterator[str]:
    if person is None:
        yield "# No column says whose row it is: every row counts as a person of its own."
    else:
        one = found[person]
        each = f"; {one.rows / one.distinct:.3g} rows a person" if one.distinct < one.rows else ""
        yield f"person: {_yaml(person)}  # {_counts(one, False)}{each}; the name says so"
    yield "columns:"
    for name, proposed in guesses.items():
        yield f"  {_yaml(name)}: {_yaml(proposed.options)}  # {'; '.join(proposed.reasons)}"
    relational = [
        name
        for name, proposed in guesses.items()
        if proposed.options.get("role", "quasi") == "quasi"
        and proposed.options["kind"] not in ("text", "set")
    ]
    if relational and table.height:
        alone, people = unique_people(table, relational, person)
        yield (
            f"# {alone:,} of {people:,} people ({percent(alone / people)}) are the only ones with "
            "their values in these columns."
        )


def unique_people(table: pl.DataFrame, columns: list[str], person: str | None) -> tuple[int, int]:
    """How many people share their values with nobody, and how many people there are.

    >>> import polars as pl
    >>> unique_people(pl.DataFrame({"id": [1, 1, 2], "age": [3, 3, 4]}), ["age"], "id")
    (2, 2)
    """
    import polars as pl

    rows = table.select(columns if person is None else [person, *columns])
    if person is not None:
        rows = rows.group_by(person).agg(
            pl.col(columns).cast(pl.String).unique().sort().str.join("\n")
        )
    sizes = rows.group_by(columns).len()["len"]
    return int((sizes == 1).sum()), rows.height


def _person(found: Mapping[str, Evidence]) -> str | None:
    ranked = []
    for place, (name, one) in enumerate(found.items()):
        rank = hints.matches(name, hints.PERSON)
        if rank is None or one.missing or one.distinct < 2 or one.format or one.words > 1.5:
            continue
        if one.distinct_share > 0.02 or rank < 2:
            ranked.append((rank, place, name))
    return min(ranked)[2] if ranked else None


def _column(name: str, values: pl.Series, one: Evidence) -> Guess:
    options, reasons = _kind(name, values, one)
    role, why = _role(name, one, str(options["kind"]))
    if role == "drop":
        return Guess({"role": "drop"} | {"kind": options["kind"]}, (_counts(one), *reasons, why))
    if role != "quasi":
        options["role"] = role
    entities = hints.entities_of(name)
    if entities and options["kind"] not in ("text", "set"):
        options["entities"] = entities
    return Guess(options, tuple(part for part in (_counts(one), *reasons, why) if part))


def _kind(name: str, values: pl.Series, one: Evidence) -> tuple[dict[str, object], list[str]]:
    """The kind with its options, and the reasons for it."""
    code = re.fullmatch(hints.CODES, name, re.IGNORECASE) is not None
    if one.is_list:
        return {"kind": "set"}, ["lists of items"]
    if one.format is not None and not (one.format == "%Y%m%d" and code):
        date: dict[str, object] = {"kind": "date"}
        if one.format != "%Y-%m-%d":
            date["format"] = one.format
        if one.unreadable:
            date["unreadable"] = "missing"
        return date, ["dates" + (f", {one.unreadable:,} of another form" * bool(one.unreadable))]
    if one.numbers >= ALL and not one.padded and not code:
        odd = round((1 - one.numbers) * one.present)
        number: dict[str, object] = {"kind": "number"}
        if odd:
            number["unreadable"] = "missing"
        return number, ["numbers" + (f", {odd:,} of another form" * bool(odd))]
    if one.separator is not None:
        kind: dict[str, object] = {"kind": "set"}
        return kind | ({} if one.separator == ";" else {"separator": one.separator}), [
            f"several items a cell, {one.separator} between them"
        ]
    if one.words >= FREE_TEXT_WORDS and one.distinct_share > 0.2:
        return {"kind": "text"}, [f"free text of {one.words:.0f} words on average"]
    if one.length is not None and 3 <= one.length <= 12 and one.whole >= ALL:
        lengths = [one.length - 1, one.length - 3] if one.length > 3 else [one.length - 1]
        return {"kind": "category", "hierarchy": {"prefixes": lengths}}, [
            f"codes of {one.length} digits: the first ones generalise"
        ]
    if one.distinct <= FEW:
        scale = hints.scale_of([str(value) for value in values.drop_nulls().unique().to_list()])
        if scale is not None:
            return {"kind": "ordered", "order": scale}, ["a known scale"]
    return {"kind": "category"}, []


def _role(name: str, one: Evidence, kind: str) -> tuple[str, str]:
    if one.mark is not None:
        return "drop", f"looks like {one.mark}: a direct identifier"
    if hints.matches(name, hints.DIRECT) is not None and kind != "number":
        return "drop", "the name says a direct identifier"
    if one.present == 0:
        return "drop", "empty"
    if kind == "text":
        return "quasi", "its terms are found by a recogniser"
    if hints.matches(name, hints.SENSITIVE) is not None:
        return "sensitive", "the name says a secret: give l or t"
    if hints.matches(name, hints.KNOWN) is not None:
        return "quasi", "others may know it"
    if one.distinct == 1 and not one.missing:
        return "insensitive", "the same in all rows: it tells nothing"
    if hints.matches(name, hints.PERSON) is not None and one.distinct_share > MANY:
        return "drop", "the name and its many values say an identifier"
    if one.distinct_share > MANY and one.present > 10 and kind == "category":
        return "drop", "nearly every row has a value of its own: an identifier"
    return "quasi", "quasi to be safe: say insensitive if nobody else can know it"


def _without_entities(one: Guess) -> Guess:
    return replace(one, options={k: v for k, v in one.options.items() if k != "entities"})


def _counts(one: Evidence, share: bool = True) -> str:
    missing = f", {one.missing:,} missing" if one.missing else ""
    part = f" ({percent(one.distinct_share)})" if share and one.present and not one.is_list else ""
    what = "items" if one.is_list else "values"
    return f"{one.distinct:,} distinct {what} in {one.rows:,} rows{part}{missing}"


_PLAIN = re.compile(r"[A-Za-z_][\w-]*")


def _yaml(value: object) -> str:
    """A value in YAML's flow style."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_yaml(k)}: {_yaml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_yaml, value)) + "]"
    if isinstance(value, str) and not _PLAIN.fullmatch(value):
        return json.dumps(value, ensure_ascii=False)
    return str(value)
