"""`sfumato new`: a policy begun from a file, or from options alone."""

from __future__ import annotations

import json as json_module
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ..core.errors import BadInput
from ..core.printed_form import by_sizes

if TYPE_CHECKING:
    from ..pipeline.begin import Begun

# What is shown of a begun policy before it is written: each gives lines. What a choice costs on
# the steward's own data belongs here.
SHOWN: list[Callable[[Begun], Iterable[str]]] = [lambda begun: begun.notes]


@dataclass(frozen=True, slots=True)
class PolicyRequest:
    """What the options say of the new policy."""

    __repr__ = by_sizes

    person: str | None
    k: int | None
    roles: dict[str, str]
    rest: str | None
    rows_are_people: bool
    recognizer: str | None
    format: str | None
    delimiter: str | None
    no_header: bool
    encoding: str
    output: str
    columns: list[str]
    stages: list[str]
    spans: str | None
    schema: str | None
    files: dict[str, str]

    @property
    def is_stated(self) -> bool:
        """Whether somebody said what is done to which columns, so that nothing is guessed."""
        return bool(self.columns or self.stages or self.schema or self.spans or self.files)


def several(given: str | None) -> list[str]:
    """Names with commas.

    >>> several("note, plan")
    ['note', 'plan']
    """
    return [one.strip() for one in (given or "").split(",") if one.strip()]


def roles_of(given: list[str]) -> dict[str, str]:
    """Columns and their roles.

    >>> roles_of(["ward=quasi", "a=b=drop"])
    {'ward': 'quasi', 'a=b': 'drop'}
    """
    pairs = [one.rpartition("=") for one in given]
    if any(not name for name, _, _ in pairs):
        remedy = "for instance --role ward=insensitive"
        raise BadInput("expected COLUMN=ROLE", where="--role", remedy=remedy)
    return {name: role for name, _, role in pairs}


def places(file: str | None, input: str | None, policy: str) -> tuple[str | None, str]:
    """What is released, and where the policy goes.

    >>> places("people.csv", None, "release.yaml"), places("new.yaml", "people.csv", "release.yaml")
    (('people.csv', 'release.yaml'), ('people.csv', 'new.yaml'))
    """
    if file is not None and (file == "-" or file.lower().endswith((".yaml", ".yml"))):
        return input, file
    if file is not None and input is not None:
        remedy = "name it once; --policy says where the policy goes"
        raise BadInput("two files to release are named", where="--input", remedy=remedy)
    return file if input is None else input, policy


def write(
    asked: PolicyRequest, path: str | None, target: str, *, overwrite: bool, json: bool
) -> None:
    """Asks for what is open, and writes the policy with its schema, both or none."""
    from .. import formats
    from ..pipeline.begin import is_table

    is_terminal = sys.stdin.isatty()
    if path is None:
        if not is_terminal:
            raise BadInput("no input", where="FILE", remedy="name the file to release")
        path = str(typer.prompt("File or folder to release", err=True))
    at = Path(target)
    schema = at.with_name(f"{at.stem}.schema.yaml")
    for place in (at, schema) if target != "-" and not overwrite else ():
        formats.require_free(place)
    if not asked.is_stated and not is_terminal and not Path(path).exists():
        raise BadInput("no such file or folder", where=path, remedy="check the path")
    if asked.is_stated or not Path(path).exists():
        begun = _drafted(asked, path, is_terminal)
    else:
        if target == "-" and is_table(path, asked.format):
            remedy = "name the policy: its schema stands beside it"
            raise BadInput("a policy with a schema is two files", where="-", remedy=remedy)
        begun = _guessed(asked, path, at, schema.name, is_terminal)
    if target == "-":
        typer.echo(begun.policy, nl=False)
        return
    if not json:
        begun = _with_reach(begun, at.parent, is_terminal)
    with formats.atomic_files(overwrite=overwrite) as group:
        group.protect(Path(path))
        for place, text in ((at, begun.policy), (schema, begun.schema)):
            if text is not None:
                with group.open(place) as stream:
                    stream.write(text.encode())
        group.commit()
    if json:
        typer.echo(json_module.dumps({"policy": target} | _schema(begun, schema)))
        return
    for lines in SHOWN:
        for line in lines(begun):
            typer.echo(line, err=True)
    written = target if begun.schema is None else f"{target} and {schema}"
    typer.echo(f"written: {written}. Read, then: sfumato policy check {target}", err=True)


def _with_reach(begun: Begun, folder: Path, is_terminal: bool) -> Begun:
    """Shows what each reach costs on these texts, then asks for it."""
    from ..pipeline.reach_cost import reach_costs, told, with_reach

    costs = reach_costs(begun.policy, folder)
    for line in told(costs):
        typer.echo(line, err=True)
    if not costs or not is_terminal:
        return begun
    said = str(typer.prompt("reach (1, 2, 3 or none)", "none", err=True)).strip().lower()
    if said in ("", "none"):
        return begun
    if not said.isdigit() or int(said) < 1:
        raise BadInput("expected a whole number from 1 on, or none", where="reach")
    return replace(begun, policy=with_reach(begun.policy, int(said)))


def _schema(begun: Begun, schema: Path) -> dict[str, str]:
    return {} if begun.schema is None else {"schema": str(schema)}


def _guessed(asked: PolicyRequest, path: str, at: Path, schema: str, is_terminal: bool) -> Begun:
    """A policy from the file, with questions where there is somebody to answer them."""
    from ..formats.form import form
    from ..formats.packing import split_name
    from ..pipeline.begin import begin, is_table

    suffix, packing = split_name(Path(path).name)
    name = f"{suffix}.{packing}" if packing else suffix
    format = form(asked.format, name, asked.delimiter, not asked.no_header, None)
    given = replace(asked, k=_k(asked.k, is_terminal))
    table = not Path(path).is_dir() and is_table(path, format)
    if table and is_terminal and asked.person is None and not asked.rows_are_people:
        given = _whose(given, path, format)
    return begin(
        Path(path),
        at.parent,
        k=given.k or 5,
        person=given.person,
        roles=given.roles,
        rest=given.rest,
        rows_are_people=given.rows_are_people,
        recognizer=given.recognizer,
        format=format,
        encoding=given.encoding,
        output=given.output,
        schema_file=schema,
        ask=_role if is_terminal else None,
    )


def _whose(asked: PolicyRequest, path: str, format: str | None) -> PolicyRequest:
    """Asks whose rows they are, where no name tells."""
    from ..formats.table import read_table
    from ..schema.guess import propose

    if propose(read_table(path, format=format, encoding=asked.encoding).frame).person is not None:
        return asked
    said = typer.prompt(
        "Column that says whose record it is (none: no person has two rows)", "", err=True
    )
    return replace(asked, person=said) if said else replace(asked, rows_are_people=True)


def _role(name: str, reasons: str, proposed: str) -> str:
    """Asks for the role of a column."""
    typer.echo(f"{name}: {reasons}", err=True)
    question = f"{name}: quasi, sensitive, insensitive or drop"
    return str(typer.prompt(question, proposed, err=True)).strip()


def _k(given: int | None, is_terminal: bool) -> int:
    from ..pipeline.draft import GUIDANCE

    if given is not None or not is_terminal:
        return 5 if given is None else given
    typer.echo(GUIDANCE, err=True)
    return int(typer.prompt("k", 5, type=int, err=True))


def _drafted(asked: PolicyRequest, path: str, is_terminal: bool) -> Begun:
    """A policy from what was said alone: the file may not be there yet."""
    from ..pipeline.begin import Begun
    from ..pipeline.draft import draft

    if is_terminal and not asked.is_stated:
        asked = _questions(asked)
    text = draft(
        path,
        leave=_leaving(asked, path, is_terminal),
        columns=asked.columns,
        person=asked.person or None,
        stages=asked.stages or ["suppress"],
        k=_k(asked.k, is_terminal),
        recognizer=asked.recognizer,
        spans=asked.spans,
        schema=asked.schema,
        files=asked.files,
        output=asked.output,
        attacks="all",
    )
    return Begun(text, None, ())


def _leaving(asked: PolicyRequest, path: str, is_terminal: bool) -> list[str] | None:
    """The columns beside the texts that leave as they are: somebody says so of each."""
    from ..pipeline.begin import columns_beside, is_table
    from ..pipeline.verbs import table_verbs

    if Path(path).is_dir() or not is_table(path, asked.format):
        return None
    roles = dict(asked.roles)
    stages = asked.stages or ["suppress"]
    if Path(path).exists() and not table_verbs(stages):
        others = columns_beside(path, asked.columns, asked.format, asked.encoding)
        left = [name for name in others if name not in roles and name != asked.person]
        if is_terminal:
            told = "no stage is about it; insensitive: it leaves as it is"
            roles |= {name: _role(name, told, "drop") for name in left}
        elif left:
            raise BadInput(
                f"columns without a role: {', '.join(left)}",
                where=path,
                remedy="say of each that it may leave as it is (--role NAME=insensitive), or leave "
                "--columns and --stages out: then every column gets a role in a schema",
            )
    if asked.rest is not None or any(role != "insensitive" for role in roles.values()):
        problem = "the stages named change texts alone, and no other column"
        remedy = "leave --columns and --stages out: then every column gets a role in a schema"
        raise BadInput(problem, where="--role", remedy=remedy)
    return [*([asked.person] if asked.person else []), *roles]


def _questions(asked: PolicyRequest) -> PolicyRequest:
    """What a policy needs, asked one by one."""
    from ..methods import METHODS
    from ..pipeline.verbs import needed_options, table_verbs

    columns = several(typer.prompt("Text columns, with commas (none: plain text)", "", err=True))
    person = asked.person or typer.prompt(
        "Column that says whose record it is (none)", "", err=True
    )
    stages = several(typer.prompt("Stages in order", "suppress", err=True))
    schema, files = None, {}
    if table_verbs(stages):
        schema = typer.prompt("Schema (sfumato schema guess proposes one)", err=True)
    for verb in (one for one in dict.fromkeys(stages) if one in METHODS):
        for name in needed_options(verb):
            files[name] = typer.prompt(f"File of {name} for {verb}", err=True)
    return replace(asked, columns=columns, person=person, stages=stages, schema=schema, files=files)
