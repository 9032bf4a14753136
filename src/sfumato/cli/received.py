"""A release folder judged on the command line."""

from __future__ import annotations

import json as json_module
from pathlib import Path

import typer

from ..core.errors import NotVerified


def is_release(path: str) -> bool:
    """Whether this is a release folder."""
    return any((Path(path) / name).is_file() for name in ("SHA256SUMS", "certificate.json"))


def judge(first: str, second: str | None, private: Path | None, *, json: bool, quiet: bool) -> None:
    """Judges `FOLDER`, or `ORIGINAL FOLDER`; exits with 4 when a claim does not hold."""
    from ..pipeline.received import receive

    folder, original = (first, None) if second is None else (second, first)
    found = receive(folder, original, private)
    if json:
        outcome = {
            "verdicts": [verdict.as_dict() for verdict in found.verdicts],
            "not_judged": [{"claim": claim, "why": why} for claim, why in found.not_judged],
        }
        typer.echo(json_module.dumps(outcome, ensure_ascii=False))
    elif not quiet:
        for verdict in found.verdicts:
            word = "verified" if verdict.holds else "NOT VERIFIED"
            typer.echo(f"{word}  {verdict.claim.statement}", err=True)
        for claim, why in found.not_judged:
            typer.echo(f"not judged  {claim}: {why}", err=True)
        typer.echo(f"every file of {folder} is the one that was certified", err=True)
    for verdict in found.verdicts:
        if not verdict.holds:
            if json:
                raise typer.Exit(NotVerified.exit_code)
            raise NotVerified(f"{verdict.claim.name}: {verdict.reason}", where=verdict.where)
