"""A policy and its schema begun from the file that is to be released.

What names, counts and forms of values tell is proposed with the reason. What nothing tells somebody
must say: no column is published that is not classified.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from .. import formats
from ..core.errors import BadInput, CannotBeMet
from ..core.numbers import percent
from ..core.printed_form import by_sizes
from ..formats.form import form, form_of
from ..formats.packing import split_name
from ..formats.source import shown
from ..formats.table import SUFFIXES, read_table
from ..schema import hints
from ..schema.derived_columns import derived
from ..schema.guess import propose, unique_people
from ..schema.header import require_header
from ..schema.models import Role
from . import trial
from .begun_texts import languages_of, recognizer_for, told, usable_mask
from .inputs import beside
from .policy import PolicyFile, as_yaml, parse
from .verbs import new_stage

if TYPE_CHECKING:
    from ..core.values import Data, JsonObject
    from ..schema.derived_columns import DerivedColumn
    from ..schema.guess import Proposal

ROLES: tuple[str, ...] = get_args(Role)
Ask = Callable[[str, str, str], str]
"""Asks for the role of a column: its name, what is known of it, what is proposed."""

_HEADER = """\
# Drafted from the columns and counts of the file. Read every line, here and in the schema.
# Then: sfumato policy check tries the policy, sfumato run makes the release.
"""


@dataclass(frozen=True, slots=True)
class Begun:
    """A policy, and the schema of its table."""

    policy: str
    schema: str | None
    notes: tuple[str, ...]

    __repr__ = by_sizes


def is_table(path: str, format: str | None = None) -> bool:
    """Whether a file is a table with columns.

    >>> is_table("people.csv.gz"), is_table("note.txt"), is_table("-", "csv:|")
    (True, False, True)
    """
    said = form_of(format).format
    return split_name(Path(path).name if said is None else said)[0] in SUFFIXES


def begin(
    path: Path,
    folder: Path,
    *,
    k: int = 5,
    person: str | None = None,
    roles: Mapping[str, str] | None = None,
    rest: str | None = None,
    rows_are_people: bool = False,
    recognizer: str | None = None,
    format: str | None = None,
    encoding: str = "utf-8",
    output: str = "release",
    schema_file: str = "schema.yaml",
    ask: Ask | None = None,
) -> Begun:
    """A policy for a file, tried on its first records; paths are relative to `folder`.

    `roles` are those of columns that somebody classified, `rest` the role of all others that
    nothing tells. Columns that stay unclassified are asked for, or refused by name.
    """
    given: dict[str, object] = {"path": os.path.relpath(path, folder)}
    if format is not None:
        given["format"] = format
    if encoding != "utf-8":
        given["encoding"] = encoding
    if path.is_dir() or not is_table(str(path), format):
        return _of_documents(given, folder, k, output)
    table = read_table(str(path), format=format, encoding=encoding)
    frame = table.frame
    if table.format in ("csv", "tsv") and table.has_header and person is None and not roles:
        remedy = "if it names the columns, name one of them with --person or --role"
        require_header(frame, str(path), remedy)
    if not table.has_header:
        name = form_of(format).format or "csv"
        given["format"] = form(name, name, table.delimiter, False, None)
    made = replace(propose(frame, _person(frame, person)), others="refuse")
    made = _classified(made, dict(roles or {}), rest, ask, str(path))
    if made.person is None and not rows_are_people:
        raise BadInput(
            "no column says whose record it is",
            where=str(path),
            remedy="name it with --person, or say --rows-are-people if no person has two rows",
        )
    if not form_of(format).header and any(one.role == "drop" for one in made.guesses.values()):
        raise BadInput(
            "columns without names are to be dropped, and those behind them would change numbers",
            where=str(path),
            remedy="give the file a header line",
        )
    begun = _of_table(made, given, k, recognizer, output, schema_file)
    _require_people(made, k)
    _try(begun, folder)
    return begun


def columns_beside(
    path: str, texts: list[str], format: str | None, encoding: str = "utf-8"
) -> list[str]:
    """The columns of a table that hold none of the texts."""
    given: JsonObject = {"text_column": texts or None, "format": format, "encoding": encoding}
    if formats.streams(path, format):
        columns = next((one.columns for one in formats.read_chunks(path, **given)), ())
    else:
        columns = formats.read(path, **given).columns
    return beside(columns, texts)


def _person(frame: Data, said: str | None) -> str | None:
    if said is not None and said not in frame.columns:
        problem = f"no column is named {said!r} ({shown(frame.columns, said)})"
        raise BadInput(problem, where="--person", remedy="give the name of one")
    return said


def _classified(
    made: Proposal, roles: dict[str, str], rest: str | None, ask: Ask | None, place: str
) -> Proposal:
    """Every column with a role that something tells or somebody chose."""
    for name, role in roles.items():
        if name not in made.guesses:
            problem = f"no other column is named {name!r} ({shown(list(made.guesses), name)})"
            raise BadInput(problem, where="--role", remedy="give NAME=ROLE, the name as it stands")
        made = made.with_role(name, _role(role, "--role"))
    for name in made.unclassified:
        if rest is not None:
            made = made.with_role(name, _role(rest, "--rest", ("quasi", "drop")))
        elif ask is not None:
            one = made.guesses[name]
            made = made.with_role(name, _role(ask(name, "; ".join(one.reasons), one.role), name))
    left = made.unclassified
    if left:
        raise BadInput(
            f"columns without a role: {_names(made, left)}",
            where=place,
            remedy=f"give each a role, --role NAME=ROLE ({', '.join(ROLES)}), or all of them one "
            "with --rest drop or --rest quasi",
        )
    return made


def _role(said: str, where: str, roles: tuple[str, ...] = ROLES) -> str:
    if said not in roles:
        raise BadInput("no such role here", where=where, remedy=f"one of {', '.join(roles)}")
    return said


def _names(made: Proposal, names: list[str]) -> str:
    """The names; their numbers where the first line may be no header but a person's record."""
    columns = list(made.table.columns)
    lists = (hints.PERSON, hints.DIRECT, hints.KNOWN, hints.SENSITIVE)
    known = any(hints.matches(name, one) is not None for name in columns for one in lists)
    if known or "among" in shown(columns):
        return ", ".join(names)
    numbers = ", ".join(str(columns.index(name) + 1) for name in names)
    return f"numbers {numbers} (if the file has no header, say --no-header)"


def _of_table(
    made: Proposal,
    given: JsonObject,
    k: int,
    recognizer: str | None,
    output: str,
    schema_file: str,
) -> Begun:
    """`anonymize` on the table, and `suppress` on its texts as the net below."""
    texts = [
        name
        for name, one in made.guesses.items()
        if one.options["kind"] == "text" and one.role == "quasi"
    ]
    if texts:
        given["columns"] = texts
    if made.person is not None:
        given["person"] = made.person
    secrets = [name for name, one in made.guesses.items() if one.role == "sensitive"]
    table: dict[str, object] = {"verb": "anonymize", "k": k}
    claims: list[dict[str, object]] = [{"claim": "k-anonymity", "k": k}]
    if secrets:
        table["l"] = 2
        claims.append({"claim": "l-diversity", "l": 2})
    stages = [table]
    if texts:
        cells = [made.table[name].drop_nulls().to_list() for name in texts]
        stages.append(new_stage("suppress", k=k, **usable_mask(chain(*cells), given)))
        count = {"count": "groups"} if made.person is not None else {}
        claims.append({"claim": "substring-k-anonymity", "k": k, **count})
    stated: dict[str, object] = {"version": 1, "input": given, "schema": schema_file}
    languages = languages_of(made.table, texts)
    if texts:
        stated["recognizer"] = recognizer or recognizer_for(languages)
    stated |= {"stages": stages, "claims": claims, "attacks": "all"}
    named = _named(made)
    if named:
        stated["publish"] = [one.column for one in named]
    stated["output"] = {"path": output}
    text = _HEADER + as_yaml(stated)
    parse(text, "the new policy")
    notes = _notes(made, named, k)
    if texts and recognizer is None:
        notes.append(told(languages))
    return Begun(text, made.yaml(), tuple(notes))


def _named(made: Proposal) -> list[DerivedColumn]:
    """Columns that leave as they are and tell another, which somebody chose all the same."""
    roles = {
        role: [
            name
            for name, one in made.guesses.items()
            if one.role == role and one.options["kind"] not in ("text", "set")
        ]
        for role in ROLES
    }
    leaving, hidden = roles["sensitive"] + roles["insensitive"], roles["quasi"] + roles["drop"]
    return derived(made.table, leaving, hidden)


_DONE = {
    "quasi": "made alike (quasi)",
    "sensitive": "published as they are, protected by l (sensitive)",
    "insensitive": "published as they are (insensitive)",
    "drop": "left out (drop)",
}


def _notes(made: Proposal, named: list[DerivedColumn], k: int) -> list[str]:
    """What whoever reads the policy should know first."""
    by_role = {role: [n for n, one in made.guesses.items() if one.role == role] for role in ROLES}
    found = [f"{_DONE[role]}: {', '.join(names)}" for role, names in by_role.items() if names]
    plain = [name for name in by_role["quasi"] if made.guesses[name].options["kind"] != "text"]
    if plain:
        alone, people = unique_people(made.table, plain, made.person)
        found.append(
            f"today {alone:,} of {people:,} people ({percent(alone / max(people, 1))}) are the "
            "only ones with their values in the columns that are made alike"
        )
    found += [f"{one}, and is published as it is because you said so" for one in named]
    for name in by_role["sensitive"] + by_role["insensitive"]:
        rare = _rare(made, name, k)
        if rare:
            found.append(
                f"attention: {name} is published as it is, and {rare:,} of its values belong to "
                f"fewer than {k} people. Who knows such a value of somebody finds the record. "
                f"--role {name}=quasi protects it"
            )
    return found


def _rare(made: Proposal, name: str, k: int) -> int:
    """How many values of a column fewer than `k` people have."""
    import polars as pl

    table = made.table
    if table[name].dtype.is_nested():
        return 0
    whose = pl.Series("\0whose", range(table.height)) if made.person is None else table[made.person]
    pairs = pl.DataFrame({"value": table[name], "whose": whose}).drop_nulls().unique()
    return int((pairs.group_by("value").len()["len"] < k).sum())


def _require_people(made: Proposal, k: int) -> None:
    count = made.table.height
    if made.person is not None:
        count = made.table[made.person].n_unique()
    if count < k:
        raise CannotBeMet(
            f"k = {k} and {count} people", where="-k", remedy="give more people, or a smaller k"
        )


_DOCUMENTS = (
    "k counts documents here. Where a person has several, put them into a table with a column that "
    "says whose they are"
)


def _of_documents(given: JsonObject, folder: Path, k: int, output: str) -> Begun:
    """`suppress` on the texts of a file without columns, or of a folder."""
    from .draft import draft

    text = draft(given["path"], k=k, output=output, attacks="all")
    if "encoding" in given:
        place, format = folder / str(given["path"]), given.get("format")
        texts = formats.read(place, format=format, encoding=given["encoding"]).filled
        for mask in usable_mask(texts, given).values():
            text = text.replace("verb: suppress\n", f"verb: suppress\n  mask: {mask!r}\n", 1)
    stated = {key: value for key, value in given.items() if key != "path"}
    for key, value in stated.items():
        text = text.replace("input:\n", f"input:\n  {key}: {value!r}\n", 1)
    begun = Begun(_HEADER + text, None, (_DOCUMENTS,))
    _try(begun, folder)
    return begun


def _try(begun: Begun, folder: Path) -> None:
    """The stages on the first records, with the schema where it will stand."""
    policy = parse(begun.policy, "the new policy")
    with tempfile.TemporaryDirectory() as place:
        if begun.schema is not None:
            schema = Path(place, "schema.yaml")
            schema.write_text(begun.schema, "utf-8")
            policy = policy.model_copy(update={"schema_file": str(schema)})
        trial.try_policy(PolicyFile(policy, folder.resolve()))
