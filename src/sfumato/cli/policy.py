"""`sfumato policy`: policies checked, described and begun."""

from __future__ import annotations

import json as json_module
import sys
from pathlib import Path
from typing import Annotated

import typer

from ..core.errors import BadInput
from . import options

app = typer.Typer(
    name="policy",
    help="Checks, describes and begins policies (release.yaml).",
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
    target: Annotated[
        str, typer.Argument(metavar="POLICY", help="Where the policy goes; - prints it.")
    ] = "release.yaml",
    input: Annotated[str | None, typer.Option(help="The file or folder to release.")] = None,
    columns: Annotated[
        str | None, typer.Option(help="The columns that hold text, with commas.")
    ] = None,
    person: Annotated[
        str | None, typer.Option(help="The column that says whose record it is.")
    ] = None,
    stages: Annotated[
        str | None, typer.Option(help="The verbs in order, with commas [default: suppress].")
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
    output: Annotated[str, typer.Option("-o", "--output", help="The release folder.")] = "release",
    overwrite: options.Overwrite = False,
    json: options.Json = False,
) -> None:
    """Begins a policy: asks on a terminal what the options leave open, with guidance on k.

    Example: sfumato policy new --input notes.jsonl --columns text --person patient_id -k 5
    """
    from .. import formats
    from ..pipeline.draft import GUIDANCE, draft

    ask = sys.stdin.isatty()
    if input is None and not ask:
        raise BadInput("no input", where="--input", remedy="name the file to release")
    if ask and input is None:
        input = typer.prompt("File or folder to release", err=True)
        columns = columns or typer.prompt(
            "Text columns, with commas (none: plain text)", "", err=True
        )
        person = person or typer.prompt("Column that says whose record it is (none)", "", err=True)
        stages = stages or typer.prompt("Stages in order", "suppress", err=True)
        if "anonymize" in _several(stages):
            schema = schema or typer.prompt("Schema (sfumato schema guess proposes one)", err=True)
        if "redact" in _several(stages):
            terms = terms or typer.prompt("List of terms for redact", err=True)
        if "sanitize" in _several(stages):
            patterns = patterns or typer.prompt("Sensitive patterns for sanitize", err=True)
        if k is None:
            typer.echo(GUIDANCE, err=True)
            k = typer.prompt("k", 5, type=int, err=True)
    path = Path(target)
    if target != "-" and not overwrite:
        formats.require_free(path)
    files = {name: value for name, value in (("terms", terms), ("patterns", patterns)) if value}
    text = draft(
        input or "",
        columns=_several(columns),
        person=person or None,
        stages=_several(stages) or ["suppress"],
        k=5 if k is None else k,
        recognizer=recognizer,
        spans=spans,
        schema=schema,
        files=files,
        output=output,
    )
    if target == "-":
        typer.echo(text, nl=False)
        return
    with formats.atomic_files(overwrite=overwrite) as group:
        with group.open(path) as stream:
            stream.write(text.encode())
        group.commit()
    if json:
        typer.echo(json_module.dumps({"policy": target}))
        return
    typer.echo(f"{target}: see sfumato policy check, then sfumato run", err=True)


def _several(given: str | None) -> list[str]:
    return [one.strip() for one in (given or "").split(",") if one.strip()]
