"""`sfumato verify`: what is found of a release, told on the terminal or to a program."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..core.errors import BadInput, NotVerified
from ..core.progress import stage
from . import options

if TYPE_CHECKING:
    from ..core.values import JsonObject
    from ..received.verdicts import ReceivedVerdicts


def command(
    first: Annotated[
        str,
        typer.Argument(
            metavar="[ORIGINAL]",
            help="What the release was made of; may be left out.",
            show_default=False,
        ),
    ],
    second: Annotated[
        str | None,
        typer.Argument(
            metavar="RELEASE", help="The release to judge: a file or a folder.", show_default=False
        ),
    ] = None,
    certificate: Annotated[
        Path | None,
        typer.Option(
            help="The release's certificate [default: RELEASE.certificate.json; a release folder "
            "has its own]."
        ),
    ] = None,
    private: Annotated[
        Path | None,
        typer.Option(help="The private folder of a release folder [default: beside it, if there]."),
    ] = None,
    text_column: options.TextColumn = None,
    group_column: options.GroupColumn = None,
    terms: options.Terms = None,
    direct: options.Direct = None,
    patterns: Annotated[
        Path | None, typer.Option(help="The sensitive patterns of `sanitize`, one a line.")
    ] = None,
    positions: Annotated[
        str | None, typer.Option(help="Or where they stand, as `sanitize` was told.")
    ] = None,
    private_certificate: Annotated[
        Path | None,
        typer.Option(help="Or the private certificate, which holds them (drawn ones, say)."),
    ] = None,
    implausible: Annotated[
        Path | None, typer.Option(help="The implausible patterns of `sanitize`, one a line.")
    ] = None,
    reference: Annotated[
        str | None, typer.Option(help="The reference of `sanitize`, if one was given.")
    ] = None,
    population: Annotated[
        str | None, typer.Option(help="The table of the population of anonymize, if one was given.")
    ] = None,
    format: options.Format = None,
    encoding: options.Encoding = "utf-8",
    ontology: Annotated[
        Path | None, typer.Option(help="The ontology of generalize, if it was not WordNet.")
    ] = None,
    frequencies: Annotated[
        Path | None, typer.Option(help="The word,count table of generalize, if one was given.")
    ] = None,
    t_word: Annotated[
        list[str] | None,
        typer.Option(help="The words' own thresholds of generalize, as they were given."),
    ] = None,
    spans: Annotated[
        str | None, typer.Option(help="The file of spans the release was made with, if one was.")
    ] = None,
    mapping: Annotated[
        Path | None, typer.Option(help="The mapping of pseudonymize: does it undo the release?")
    ] = None,
    key_file: Annotated[
        Path | None,
        typer.Option(
            help="The key of the certificate and the mapping: checks the seal and the hashes of "
            "the inputs."
        ),
    ] = None,
    schema: Annotated[
        Path | None, typer.Option(help="The schema of anonymize, a YAML file.")
    ] = None,
    recognizer: Annotated[
        str | None, typer.Option(help="The recogniser of anonymize, if one was named.")
    ] = None,
    stream: options.Stream = None,
    engine: Annotated[
        str, typer.Option(help="local, or spark for what Spark wrote (docs/scale.md).")
    ] = "local",
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Checks every claim of a certificate; exits with 4 when one does not hold.

    Without ORIGINAL: the certificate's form, wording and seal, the release's bytes, and the claims
    that the release alone can show. Where no claim could be judged, it exits with 2.

    Example: sfumato verify notes.jsonl out.jsonl --certificate out.jsonl.certificate.json
    --text-column text --group-column patient_id
    """
    from ..core.keys import read_key
    from ..engines import session_ended
    from ..pipeline.verify import judged
    from ..received.folder import is_release
    from ..received.inputs import Inputs
    from ..received.verdicts import nothing_judged
    from . import show

    original, release = (None, first) if second is None else (first, second)
    given = Inputs(
        release=release,
        original=original,
        certificate=certificate,
        private=private,
        private_certificate=private_certificate,
        key=read_key(key_file),
        schema=schema,
        terms=terms,
        direct=direct,
        spans=spans,
        recognizer=recognizer,
        patterns=patterns,
        positions=positions,
        implausible=implausible,
        reference=reference,
        population=population,
        ontology=ontology,
        frequencies=frequencies,
        t_words=_thresholds(t_word or []),
        mapping=mapping,
        text_column=text_column,
        group_column=group_column,
        format=format,
        encoding=encoding,
        stream=stream,
    )
    bar = show.spark_bar if engine == "spark" else show.progress_bar
    with session_ended(), bar(quiet or json) as progress, stage(progress, "read and verify"):
        found = judged(given, engine)
    tell = _tell_folder if is_release(release) else _tell_file
    tell(found, release, json=json, quiet=quiet)
    for verdict in found.verdicts:
        if not verdict.holds:
            if json:  # the verdicts were printed, and are all there is to say
                raise typer.Exit(NotVerified.exit_code)
            raise NotVerified(f"{verdict.claim.name}: {verdict.reason}", where=verdict.where)
    if not found.verdicts:
        if json:
            raise typer.Exit(BadInput.exit_code)
        raise nothing_judged(release)


def _thresholds(pairs: list[str]) -> JsonObject:
    """The thresholds of single words, as `generalize` takes them."""
    if not pairs:
        return {}
    from ..core.method import options_of
    from ..methods.meanings.method import Options
    from .parameters import value_of

    declared = next(one for one in options_of(Options) if one.name == "t_words")
    found = value_of(declared, pairs)
    return found if isinstance(found, dict) else {}


def _tell_file(found: ReceivedVerdicts, release: str, *, json: bool, quiet: bool) -> None:
    """What was found of a single file."""
    from ..core.release import Sides
    from . import show

    if json:
        rows: list[dict[str, object]] = [verdict.as_dict() for verdict in found.verdicts]
        rows += [{"claim": one, "holds": None, "reason": why} for one, why in found.not_judged]
        typer.echo(json_module.dumps(rows, ensure_ascii=False))
    elif not quiet:
        judged = found.certificate.released(None, Sides(groups=()))
        unjudged = list(found.not_judged)
        show.summary([judged], [found.verdicts], [release], "judged", unjudged)


def _tell_folder(found: ReceivedVerdicts, release: str, *, json: bool, quiet: bool) -> None:
    """What was found of a release folder."""
    if json:
        outcome = {
            "verdicts": [verdict.as_dict() for verdict in found.verdicts],
            "not_judged": [{"claim": claim, "why": why} for claim, why in found.not_judged],
        }
        typer.echo(json_module.dumps(outcome, ensure_ascii=False))
    elif not quiet:
        from rich.markup import escape

        from . import show

        table = show.pairs()
        show.add_verdicts(table, found.verdicts, found.not_judged)
        same = f"every file of {release} is the one that was certified"
        table.add_row("[green]files[/]", escape(same))
        show.print_parts(table)
