"""A schema proposed for a table, with the reasons beside every line."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..core.numbers import percent
from ..core.printed_form import by_sizes
from . import hints
from .cells import BRACKETS
from .derived_columns import FOR_EACH, DerivedColumn, derived
from .evidence import ALL, Evidence, evidence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import polars as pl

FREE_TEXT_WORDS = 4
FEW = 20
MANY = 0.9  # nearly every row has a value of its own
_UNKNOWN = "quasi to be safe: say insensitive if nobody else can know it"
_HEADER = """\
# Proposed from the table's names and counts; read every line before you use it.
# role: quasi (recoded), sensitive (kept; see l and t), insensitive (kept), drop (left out).
"""


@dataclass(frozen=True, slots=True)
class Guess:
    """What is proposed for one column: its options as in YAML, and why."""

    options: Mapping[str, object]
    reasons: tuple[str, ...]
    classified: bool = True
    """Whether something tells what the column means for privacy; else somebody must say it."""

    __repr__ = by_sizes

    @property
    def role(self) -> str:
        """The role that is proposed."""
        return str(self.options.get("role", "quasi"))


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is proposed for a table: whose rows, every other column, and which tells which."""

    table: pl.DataFrame
    person: str | None
    found: Mapping[str, Evidence]
    guesses: Mapping[str, Guess]
    tells: Mapping[str, DerivedColumn]
    others: str | None = None

    __repr__ = by_sizes

    @property
    def unclassified(self) -> list[str]:
        """The columns of which nothing tells what they mean for privacy."""
        return [name for name, one in self.guesses.items() if not one.classified]

    def with_role(self, name: str, role: str) -> Proposal:
        """The proposal with the role that somebody chose for a column.

        >>> import polars as pl
        >>> made = propose(pl.DataFrame({"age": ["36", "24"], "ward": ["a", "b"]}))
        >>> made.unclassified, made.with_role("ward", "insensitive").unclassified
        (['ward'], [])
        """
        old = self.guesses[name]
        options = {key: value for key, value in old.options.items() if key != "role"}
        if role == "drop":
            options = _dropped(options)
        elif role != "quasi":
            options["role"] = role
        if options["kind"] == "text" and role == "sensitive":
            options["kind"] = "category"
        made = Guess(options, (*old.reasons[:-1], f"{role}, as chosen"))
        return replace(self, guesses={**self.guesses, name: made})

    def yaml(self) -> str:
        """The schema, its reasons as comments. Values are shown only where a scale needs them."""
        return _HEADER + "\n".join(_lines(self)) + "\n"


def guess(table: pl.DataFrame) -> str:
    """A schema as YAML, its reasons as comments. Values are shown only where a scale needs them.

    Cost: O(cells), and O(rows log rows) for pairs of columns.

    >>> import polars as pl
    >>> people = pl.DataFrame({"id": ["1", "2", "3"], "age": ["36", "24", "36"]})
    >>> print(guess(people))
    # Proposed ...
    person: id  # 3 distinct values in 3 rows; the name says so
    columns:
      age: {kind: number}  # 2 distinct values in 3 rows (67%); numbers; others may know it
    # 1 of 3 people (33%) are the only ones with their values in these columns.
    """
    return propose(table).yaml()


def propose(table: pl.DataFrame, person: str | None = None) -> Proposal:
    """What names, counts and forms of values say of a table; `person` where somebody said it."""
    found = {name: evidence(table[name]) for name in table.columns}
    person = _person(found) if person is None else person
    guesses = {
        name: _column(name, table[name], one) for name, one in found.items() if name != person
    }
    tells = _tells(table, guesses)
    for name, one in tells.items():
        if guesses[name].classified and guesses[name].role != "sensitive":
            continue
        guesses[name] = _derived(guesses[name], one)
    if not any(one.options.get("kind") == "text" for one in guesses.values()):
        guesses = {name: _without_entities(one) for name, one in guesses.items()}
    return Proposal(table, person, found, guesses, tells)


def _tells(table: pl.DataFrame, guesses: Mapping[str, Guess]) -> dict[str, DerivedColumn]:
    """The columns that tell another which stays hidden: what is dropped tells nobody anything."""
    plain = [name for name, one in guesses.items() if one.options["kind"] not in ("text", "set")]
    shown = [name for name in plain if guesses[name].role != "drop"]
    hidden = [name for name in plain if guesses[name].role in ("quasi", "drop")]
    hidden.sort(key=lambda name: not guesses[name].classified)
    found = {one.column: one for one in derived(table, shown, hidden)}
    for name, one in list(found.items()):  # of two that tell each other one is enough
        other = found.get(one.of)
        if other is not None and other.of == name and not guesses[name].classified:
            found.pop(one.of)
    return found


def _derived(old: Guess, told: DerivedColumn) -> Guess:
    """A column that tells another: left out if it is no more than the other in another form."""
    how = f"tells {told.of} ({told.how})"
    if old.role == "sensitive" or told.how == FOR_EACH:
        return replace(old, reasons=(*old.reasons, how), classified=False)
    return Guess(_dropped(old.options), (*old.reasons[:-1], how))


def _dropped(options: Mapping[str, object]) -> dict[str, object]:
    """The column left out: how it is read stays, for whoever wants it after all."""
    kept = ("kind", "format", "separator", "decimal")
    return {"role": "drop"} | {name: options[name] for name in kept if name in options}


def _lines(made: Proposal) -> Iterator[str]:
    table, person = made.table, made.person
    if person is None:
        yield "# No column says whose row it is: every row counts as a person of its own."
    else:
        one = made.found[person]
        each = f"; {one.rows / one.distinct:.3g} rows a person" if one.distinct < one.rows else ""
        yield f"person: {_yaml(person)}  # {_counts(one, False)}{each}; the name says so"
    if made.others is not None:
        yield f"others: {made.others}  # columns that stand in no line here"
    yield "columns:"
    for name, proposed in made.guesses.items():
        yield f"  {_yaml(name)}: {_yaml(proposed.options)}  # {'; '.join(proposed.reasons)}"
    relational = [
        name
        for name, proposed in made.guesses.items()
        if proposed.role == "quasi" and proposed.options["kind"] not in ("text", "set")
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
        return Guess(_dropped(options), (_counts(one), *reasons, why))
    if role != "quasi":
        options["role"] = role
    entities = hints.entities_of(name)
    if entities and options["kind"] not in ("text", "set"):
        options["entities"] = entities
    told = tuple(part for part in (_counts(one), *reasons, why) if part)
    return Guess(options, told, classified=why != _UNKNOWN)


def _kind(name: str, values: pl.Series, one: Evidence) -> tuple[dict[str, object], list[str]]:
    """The kind with its options, and the reasons for it."""
    code = re.fullmatch(hints.CODES, name, re.IGNORECASE) is not None
    if one.is_list:
        listed = values.dtype.is_nested()
        brackets: dict[str, object] = {} if listed else {"separator": BRACKETS}
        return {"kind": "set"} | brackets, ["lists of items" + ("" if listed else " in brackets")]
    if one.format is not None and not (one.format == "%Y%m%d" and code):
        date: dict[str, object] = {"kind": "date"}
        if one.format != "%Y-%m-%d":
            date["format"] = one.format
        if one.unreadable:
            date["unreadable"] = "missing"
        return date, ["dates" + (f", {one.unreadable:,} of another form" * bool(one.unreadable))]
    read = max(one.numbers, one.with_comma)
    if read >= ALL and not one.padded and not code:
        odd = round((1 - read) * one.present)
        number: dict[str, object] = {"kind": "number"}
        what = "numbers"
        if one.with_comma >= ALL:
            number["decimal"], what = ",", "numbers with a decimal comma"
        if odd:
            number["unreadable"] = "missing"
        return number, [what + (f", {odd:,} of another form" * bool(odd))]
    if _is_text(name, one):
        return {"kind": "text"}, [f"free text of {one.words:.0f} words on average"]
    if one.separator is not None:
        kind: dict[str, object] = {"kind": "set"}
        return kind | ({} if one.separator == ";" else {"separator": one.separator}), [
            f"several items a cell, {one.separator} between them"
        ]
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


def _is_text(name: str, one: Evidence) -> bool:
    """Whether cells are read, not counted: by their words, or by the column's name."""
    if one.distinct <= FEW and one.words < FREE_TEXT_WORDS:
        return False
    if one.words > 1.5 and hints.matches(name, hints.TEXT) is not None:
        return True
    if one.separator is not None:
        return False
    many = one.words >= FREE_TEXT_WORDS and one.distinct_share > 0.2
    return many or (one.sentences >= 0.1 and one.distinct > FEW)


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
    if kind == "date":
        return "quasi", "others may know a date"
    if one.distinct == 1 and not one.missing:
        return "insensitive", "the same in all rows: it tells nothing"
    if hints.matches(name, hints.PERSON) is not None and one.distinct_share > MANY:
        return "drop", "the name and its many values say an identifier"
    if one.distinct_share > MANY and one.present > 10 and kind == "category":
        return "drop", "nearly every row has a value of its own: an identifier"
    return "quasi", _UNKNOWN


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
