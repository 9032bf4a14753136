"""`sfumato policy`: policies checked, described and begun."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import Annotated

import typer

from . import options

app = typer.Typer(
    name="policy",
    help="Checks and drafts policies (release.yaml), and prints their JSON schema.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.command("check")
def check_policy(
    policy: Annotated[Path, typer.Argument(metavar="POLICY", help="The policy to check.")],
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Checks a policy and the files it names; what is wrong is told by its place in the YAML.

    Example: sfumato policy check release.yaml
    """
    from ..pipeline import check as checks

    found = checks.check_policy(policy)
    if json:
        typer.echo(json_module.dumps(found))
    elif not quiet:
        for line in found["stages"]:
            typer.echo(line)
        for note in found["notes"]:
            typer.echo(f"note: {note}")
        typer.echo(f"{policy}: the policy can be run")


@app.command("json")
def schema() -> None:
    """Prints the JSON schema of policies, for editors and other programs.

    Example: sfumato policy json > release.schema.json
    """
    from ..pipeline.policy import json_schema

    typer.echo(json_module.dumps(json_schema(), indent=2))


@app.command("new")
def new(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE",
            help="The file or folder to release; a name that ends in .yaml says, beside --input, "
            "where the policy goes, - prints it.",
        ),
    ] = None,
    input: Annotated[str | None, typer.Option(help="The file or folder to release.")] = None,
    policy: Annotated[
        str, typer.Option(help="Where the policy goes; its schema stands beside it.")
    ] = "release.yaml",
    role: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=ROLE",
            help="What a column is: quasi, sensitive, insensitive or drop; repeatable.",
        ),
    ] = None,
    rest: Annotated[
        str | None, typer.Option(help="The role of all columns whose role is unknown.")
    ] = None,
    rows_are_people: Annotated[
        bool, typer.Option("--rows-are-people", help="No person has two rows of the table.")
    ] = False,
    columns: Annotated[
        str | None, typer.Option(help="The columns that hold text, with commas [default: a guess].")
    ] = None,
    person: Annotated[
        str | None, typer.Option(help="The column that says whose record it is.")
    ] = None,
    stages: Annotated[
        str | None, typer.Option(help="The verbs in order, with commas [default: a guess].")
    ] = None,
    k: Annotated[
        int | None, typer.Option("-k", help="How many people share all that is legible.")
    ] = None,
    recognizer: Annotated[
        str | None,
        typer.Option(help="en, rules-es, a YAML file of rules, a .model, a spaCy pipeline."),
    ] = None,
    spans: Annotated[
        str | None, typer.Option(help="A review file in place of a recogniser.")
    ] = None,
    schema: Annotated[
        str | None, typer.Option(help="The schema of the table for anonymize.")
    ] = None,
    terms: Annotated[str | None, typer.Option(help="The list of terms for redact.")] = None,
    patterns: Annotated[
        str | None, typer.Option(help="The sensitive patterns for sanitize.")
    ] = None,
    format: options.Format = None,
    delimiter: options.Delimiter = None,
    no_header: options.NoHeader = False,
    encoding: options.Encoding = "utf-8",
    output: Annotated[str, typer.Option("-o", "--output", help="The release folder.")] = "release",
    overwrite: options.Overwrite = False,
    json: options.Json = False,
) -> None:
    """Drafts a policy and its schema for a file; on a terminal it asks about what it cannot tell.

    A column of unknown role is never published: without a terminal it is refused by name.

    Example: sfumato new people.csv --role grade=quasi --role codes=drop -k 5
    """
    from . import new_policy as begun

    asked = begun.PolicyRequest(
        person=person,
        k=k,
        roles=begun.roles_of(role or []),
        rest=rest,
        rows_are_people=rows_are_people,
        recognizer=recognizer,
        format=format,
        delimiter=delimiter,
        no_header=no_header,
        encoding=encoding,
        output=output,
        columns=begun.several(columns),
        stages=begun.several(stages),
        spans=spans,
        schema=schema,
        files={name: one for name, one in (("terms", terms), ("patterns", patterns)) if one},
    )
    path, target = begun.places(file, input, policy)
    begun.write(asked, path, target, overwrite=overwrite, json=json)
