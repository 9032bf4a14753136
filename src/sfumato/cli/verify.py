"""`sfumato verify`: checks a release against its certificate and its original."""

from __future__ import annotations

import json as json_module
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..core.claims import Claim
from ..core.errors import BadInput, NotVerified, SfumatoError
from ..formats.sequences import Shape
from ..verification import is_on_release
from . import certified, options

if TYPE_CHECKING:
    from ..core.claims import Verdict
    from ..core.release import Release
    from ..formats import Source

NEEDS = "it needs the original, and what the claim is about"


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
        Path | None, typer.Option(help="The mapping of pseudonymize: is it undone by it?")
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
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Checks every claim of a certificate; exits with 4 when one does not hold.

    Without ORIGINAL: the certificate's form, wording and seal, the release's bytes, and the claims
    that the release alone can show.

    Example: sfumato verify notes.jsonl out.jsonl --certificate out.jsonl.certificate.json
    --text-column text --group-column patient_id
    """
    from .. import formats
    from . import received
    from .publish import read_key
    from .verify_inputs import (
        LEFT,
        judged_pseudonyms,
        listed_spans,
        own_thresholds,
        side_inputs,
        term_lists,
    )
    from .verify_stream import Files, can, check_release, verify_parts

    original, release = (None, first) if second is None else (first, second)
    if received.is_release(release):
        found_by = (terms, spans, recognizer)
        received.judge(first, second, private, schema, found_by, json=json, quiet=quiet)
        return
    certificate = certificate or Path(f"{release}.certificate.json")
    if not certificate.exists():
        raise BadInput(
            "no such certificate",
            where=str(certificate),
            remedy="name the release's certificate with --certificate, or give a release folder",
        )
    stated, key = certified.read_certificate(certificate), read_key(key_file)
    if not stated["claims"]:
        raise NotVerified(
            "the certificate claims nothing, so there is nothing to verify", where=str(certificate)
        )
    if stated["verb"] == "anonymize" and (original is not None or schema is not None):
        from .verify_records import tables

        with certified.seal_first(stated, certificate, key):
            certified.check_files(stated, release)
            held = stated
            if private_certificate is not None:
                held = certified.read_certificate(private_certificate)
            found_by, reading = (terms, spans, recognizer), (format, encoding)
            given, data, side = tables(stated, held, (original, release), schema, found_by, reading)
            judged = released(stated, data, side)
            verdicts = _judged(given, judged, certificate)
        if all(verdict.holds for verdict in verdicts):
            certified.check_seal(stated, certificate, key)
        _tell(verdicts, judged, release, claims_in(stated), {}, json=json, quiet=quiet)
        return
    events = stated["parameters"].get("unit") == "event"
    read = partial(
        formats.read,
        text_column=text_column,
        format="events" if events else format,
        encoding=encoding,
    )
    left: list[Claim] = []
    extra: list[Verdict] = []
    files = Files(original, release, text_column, group_column, format, encoding)
    with certified.seal_first(stated, certificate, key):
        if spans is None and can(stated, files, stream, mapping):
            certified.check_files(stated, release)
            lists = term_lists(stated, terms, direct, None, None) if original is not None else {}
            judged = released(stated, [], lists)
            verdicts = certified.reworded(judged.claims)
            if original is None:
                check_release(stated, files)
            elif not verdicts:
                verdicts = verify_parts(stated, files, judged, mapping, key)
        elif original is None:
            after = _release_alone(stated, release, read, bool(text_column), format, group_column)
            verdicts, judged = _on_release(stated, after, patterns, certificate)
        else:
            before = read(original, group_column=group_column)
            after = read(
                release,
                group_column=group_column if events else None,
                empty=stated["verb"] == "sanitize",
            )
            certified.check_files(stated, release)
            if stated["verb"] == "sanitize":
                from .secrets import Secret, sequences

                held = stated
                if private_certificate is not None:
                    held = certified.read_certificate(private_certificate)
                secret = Secret(patterns, spans, positions, held, implausible, reference)
                also = partial(read, group_column=group_column)
                given, data, side = sequences(stated, before, after, secret, also)
            else:
                given, data = before.data, after.data
                side = {"groups": before.groups, **side_inputs(ontology, frequencies)}
                side |= own_thresholds(stated, t_word or [])
                side |= term_lists(stated, terms, direct, spans, before)
                side |= listed_spans(stated, spans, before)
            certified.check_original(stated, before, {"input": given, **side}, key)
            judged = released(stated, data, side)
            if stated["verb"] == "pseudonymize":
                judged, left, extra = judged_pseudonyms(judged, before, after, mapping, key_file)
            verdicts = [*_judged(given, judged, certificate), *extra]
            if all(verdict.holds for verdict in verdicts):  # otherwise the verdicts tell more
                certified.check_text(stated, data)
    if all(verdict.holds for verdict in verdicts):
        certified.check_seal(stated, certificate, key)
    reasons = {claim.name: LEFT[claim.name] for claim in left}
    waiting = [claim for claim in claims_in(stated) if original is None or claim in left]
    _tell(verdicts, judged, release, waiting, reasons, json=json, quiet=quiet)


def _judged(original: Any, judged: Release, certificate: Path) -> list[Verdict]:
    """The verdicts on claims whose wording is their own."""
    from ..verification import verify

    try:
        verdicts = verify(original, judged)
        return certified.reworded(judged.claims) or verdicts
    except SfumatoError:
        raise
    except (KeyError, TypeError, ValueError):
        raise certified.damaged(certificate) from None


def _release_alone(
    stated: dict[str, Any],
    release: str,
    read: Callable[..., Source],
    named: bool,
    format: str | None,
    group_column: str | None,
) -> Source | None:
    """The release's texts where they are needed, once its bytes are the certified ones."""
    known = certified.check_files(stated, release)
    wanted = not known or any(map(is_on_release, claims_in(stated)))
    if named or (wanted and not (known and _needs_column(release, format))):
        return read(release, group_column=group_column)
    return None


def _tell(
    verdicts: list[Verdict],
    judged: Release,
    release: str,
    waiting: list[Claim],
    reasons: dict[str, str],
    *,
    json: bool,
    quiet: bool,
) -> None:
    """Says what was found; leaves with 4 when a claim does not hold."""
    from . import show

    known = [verdict.claim.name for verdict in verdicts]
    holds = all(verdict.holds for verdict in verdicts)
    unjudged = [claim for claim in waiting if claim.name not in known and holds]
    if json:
        rows = [verdict.as_dict() for verdict in verdicts]
        for claim in unjudged:
            reason = reasons.get(claim.name, NEEDS)
            rows.append({"claim": claim.name, "holds": None, "reason": reason})
        typer.echo(json_module.dumps(rows, ensure_ascii=False))
    elif not quiet:
        show.summary([judged], [verdicts], [release], done="judged")
        for claim in unjudged:
            reason = reasons.get(claim.name, NEEDS)
            show.console().print(f"not judged: {claim.name}; {reason}")
    for verdict in verdicts:
        if not verdict.holds:
            if json:  # the verdicts were printed, and are all there is to say
                raise typer.Exit(NotVerified.exit_code)
            raise NotVerified(f"{verdict.claim.name}: {verdict.reason}", where=verdict.where)


def _needs_column(release: str, format: str | None) -> bool:
    """Whether the texts of a release cannot be read without the name of their column."""
    name = format or Path(release).name
    return (
        not name.lower()
        .removesuffix(".gz")
        .removesuffix(".zst")
        .endswith(("txt", "text", "lines", "fa", "fasta", "fna", "xml", "ann"))
        and not Path(release).is_dir()
    )


def _on_release(
    stated: dict[str, Any], after: Source | None, patterns: Path | None, certificate: Path
) -> tuple[list[Verdict], Release]:
    """The verdicts that the release alone allows, and what was judged."""
    if after is None:
        judged = released(stated, "", {"groups": ()})
        return certified.reworded(judged.claims), judged
    data, private = after.data, dict[str, Any](groups=after.groups or ())
    if stated["verb"] == "sanitize":
        shape = Shape(stated["parameters"]["unit"], stated["parameters"]["per_line"])
        data = shape.sequences(after)
        private |= {"patterns": shape.patterns(patterns)} if patterns is not None else {}
    certified.check_text(stated, data)
    judged = released(stated, data, private)
    can = tuple(
        claim
        for claim in judged.claims
        if is_on_release(claim)
        and (claim.name != "pattern-free" or patterns is not None)
        and (claim.parameters.get("count") != "groups" or after.groups is not None)
    )
    wrong = certified.reworded(judged.claims)
    if wrong or not can:
        return wrong, judged
    return _judged(None, replace(judged, claims=can), certificate), judged


def claims_in(stated: dict[str, Any]) -> list[Claim]:
    """The claims that a certificate states."""
    return [Claim.of(claim) for claim in stated["claims"]]


def released(stated: dict[str, Any], data: Any, private: dict[str, Any]) -> Release:
    """The release that a certificate and a file describe."""
    from ..core.release import Release
    from ..core.spans import Changes

    claims = claims_in(stated)
    by_group = any(claim.parameters.get("count") == "groups" for claim in claims)
    if by_group and private.get("groups") is None:
        raise BadInput(
            "the claim counts groups",
            where="--group-column",
            remedy="name the column that holds them",
        )
    return Release(
        stated["verb"],
        data,
        tuple(claims),
        Changes.of(),
        stated["loss"],
        stated["parameters"],
        stated["counts"],
        private=private,
    )
