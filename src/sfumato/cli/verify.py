"""`sfumato verify`: checks a release against its certificate and its original."""

from __future__ import annotations

import json as json_module
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..core.claims import Claim
from ..core.errors import BadInput, NotVerified, SfumatoError
from . import options

if TYPE_CHECKING:
    from ..core.claims import Verdict
    from ..core.release import Release


def command(
    original: Annotated[
        str,
        typer.Argument(
            metavar="ORIGINAL", help="What the release was made of; or a release folder by itself."
        ),
    ],
    release: Annotated[
        str | None, typer.Argument(metavar="RELEASE", help="The release to judge.")
    ] = None,
    certificate: Annotated[Path | None, typer.Option(help="The release's certificate.")] = None,
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
    key_file: Annotated[Path | None, typer.Option(help="The key of the mapping.")] = None,
    schema: Annotated[
        Path | None, typer.Option(help="The schema of anonymize: what each column is.")
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Checks every claim of a certificate; exits with 4 when one does not hold.

    Example: sfumato verify notes.jsonl out.jsonl --certificate out.jsonl.certificate.json
    --text-column text --group-column patient_id
    """
    from .. import formats
    from ..verification import verify
    from . import received, show
    from .verify_inputs import (
        LEFT,
        judged_pseudonyms,
        listed_spans,
        own_thresholds,
        side_inputs,
        term_lists,
    )

    if received.is_release(original if release is None else release):
        received.judge(original, release, private, json=json, quiet=quiet)
        return
    if release is None or certificate is None:
        raise BadInput(
            "no release or no certificate",
            where="verify",
            remedy="give ORIGINAL RELEASE --certificate C, or a release folder",
        )
    stated = read_certificate(certificate)
    if not stated["claims"]:
        raise NotVerified(
            "the certificate claims nothing, so there is nothing to verify", where=str(certificate)
        )
    if stated["verb"] == "anonymize":
        from .anonymize import judged_table

        check_files(stated, release)
        held = None if private_certificate is None else read_certificate(private_certificate)
        first, judged = judged_table(
            stated, original, release, schema, terms, spans, held, format, encoding
        )
        verdicts = verify(first, judged)
        if json:
            typer.echo(json_module.dumps([one.as_dict() for one in verdicts], ensure_ascii=False))
        elif not quiet:
            show.summary([judged], [verdicts], [release], done="judged")
        _require(verdicts, json)
        return
    events = stated["parameters"].get("unit") == "event"
    read = partial(
        formats.read,
        text_column=text_column,
        format="events" if events else format,
        encoding=encoding,
    )
    before = read(original, group_column=group_column)
    after = read(
        release,
        group_column=group_column if events else None,
        empty=stated["verb"] == "sanitize",
    )
    check_files(stated, release)
    left: list[Claim] = []
    extra: list[Verdict] = []
    if stated["verb"] == "sanitize":
        from .secrets import Secret, sequences

        held = stated if private_certificate is None else read_certificate(private_certificate)
        secret = Secret(patterns, spans, positions, held, implausible)
        first, second, side = sequences(stated, before, after, secret)
    else:
        first, second = before.data, after.data
        side = {"groups": before.groups, **side_inputs(ontology, frequencies)}
        side |= own_thresholds(stated, t_word or [])
        side |= term_lists(stated, terms, direct, spans, before)
        side |= listed_spans(stated, spans, before)
    judged = released(stated, second, side)
    if stated["verb"] == "pseudonymize":
        judged, left, extra = judged_pseudonyms(judged, before, after, mapping, key_file)
    try:
        verdicts = [*verify(first, judged), *extra]
    except SfumatoError:
        raise
    except (KeyError, TypeError, ValueError):
        raise _damaged(certificate) from None
    if all(verdict.holds for verdict in verdicts):  # otherwise the verdicts tell more
        check_text(stated, second)
    if json:
        shown = [verdict.as_dict() for verdict in verdicts]
        shown += [{"claim": one.name, "holds": None, "reason": LEFT[one.name]} for one in left]
        typer.echo(json_module.dumps(shown, ensure_ascii=False))
    elif not quiet:
        show.summary([judged], [verdicts], [release], done="judged")
        for one in left:
            show.console().print(f"not judged: {one.name}; {LEFT[one.name]}")
    _require(verdicts, json)


def _require(verdicts: list[Verdict], json: bool) -> None:
    for verdict in verdicts:
        if not verdict.holds:
            if json:  # the verdicts were printed, and are all there is to say
                raise typer.Exit(NotVerified.exit_code)
            raise NotVerified(f"{verdict.claim.name}: {verdict.reason}", where=verdict.where)


def read_certificate(path: Path) -> dict[str, Any]:
    """A certificate as it was written, refused when it is none."""
    try:
        stated: dict[str, Any] = json_module.loads(path.read_bytes())
        dictionaries = ("parameters", "counts", "loss", "hashes")
        if stated["format"] != 1 or not all(isinstance(stated[one], dict) for one in dictionaries):
            raise ValueError
        for name in (stated["verb"], stated["hashes"]["release"]["sha256"]):
            if not isinstance(name, str):
                raise ValueError
        for claim in stated["claims"]:
            Claim(claim["name"], claim["statement"], {**claim["parameters"]}, claim["assumptions"])
    except OSError as problem:
        raise BadInput(f"cannot be read ({problem.strerror})", where=str(path)) from None
    except (ValueError, KeyError, TypeError):
        raise _damaged(path) from None
    return stated


def _damaged(path: Path) -> BadInput:
    return BadInput(
        "is no certificate of this version, or damaged",
        where=str(path),
        remedy="give the one written with the release",
    )


def check_files(stated: dict[str, Any], release: str) -> None:
    """Refuses a release whose bytes are not those that were certified."""
    from ..formats import file_digests

    expected = stated["hashes"].get("files")
    if not expected or release == "-":
        return
    found = file_digests(release)
    if sorted(found.values()) != sorted(expected.values()):
        raise NotVerified(
            "the release's bytes are not the certified ones", where=release, remedy="it was changed"
        )


def check_text(stated: dict[str, Any], data: Any) -> None:
    """Refuses released texts that are not those that were certified."""
    from ..core.certificate import digest

    if digest(data).hexdigest() != stated["hashes"]["release"]["sha256"]:
        raise NotVerified("the released text is not the certified one", remedy="it was changed")


def released(stated: dict[str, Any], data: Any, private: dict[str, Any]) -> Release:
    """The release that a certificate and a file describe."""
    import numpy as np

    from ..core.release import Release
    from ..core.spans import Changes

    claims = tuple(
        Claim(claim["name"], claim["statement"], claim["parameters"], tuple(claim["assumptions"]))
        for claim in stated["claims"]
    )
    by_group = any(claim.parameters.get("count") == "groups" for claim in claims)
    if by_group and private.get("groups") is None:
        raise BadInput(
            "the claim counts groups",
            where="--group-column",
            remedy="name the column that holds them",
        )
    none = np.zeros(0, np.int64)
    return Release(
        stated["verb"],
        data,
        claims,
        Changes(none, none, none, [], []),
        stated["loss"],
        stated["parameters"],
        stated["counts"],
        private=private,
    )
