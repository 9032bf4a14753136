"""A release folder judged on the command line."""

from __future__ import annotations

import json as json_module
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ..core.errors import NotVerified

if TYPE_CHECKING:
    from ..pipeline.received import Received


def is_release(path: str) -> bool:
    """Whether this is a release folder."""
    return any((Path(path) / name).is_file() for name in ("SHA256SUMS", "certificate.json"))


def judge(
    first: str,
    second: str | None,
    private: Path | None,
    schema: Path | None,
    found_by: tuple[Path | None, str | None, str | None],
    *,
    json: bool,
    quiet: bool,
) -> None:
    """Judges `FOLDER`, or `ORIGINAL FOLDER`; exits with 4 when a claim does not hold.

    With a schema the classes of a table are counted without the original; `found_by` are files of
    terms and of spans and the name of a recogniser, which say what the released texts show.
    """
    from ..pipeline.received import receive

    folder, original = (first, None) if second is None else (second, first)
    found = receive(folder, original, private)
    if original is None and schema is not None:
        found = _counted(found, Path(folder), schema, found_by)
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


def _counted(
    found: Received,
    folder: Path,
    schema: Path,
    found_by: tuple[Path | None, str | None, str | None],
) -> Received:
    """What the released table alone can show; only where no later stage wrote over its texts."""
    from ..pipeline.received import published_policy
    from ..verification import verify
    from .verify import released
    from .verify_records import tables

    stage = found.certificate["stages"][-1]
    if stage["verb"] != "anonymize":
        return found
    given = published_policy(folder, found.certificate).policy.input
    data, reading = folder / "data" / Path(given.path).name, (given.read_as, given.encoding)
    _, frame, side = tables(stage, {}, (None, str(data)), schema, found_by, reading)
    verdicts = verify(None, released(stage, frame, side))
    names = {verdict.claim.name for verdict in verdicts}
    left = tuple(one for one in found.not_judged if one[0] not in names)
    return replace(found, verdicts=(*verdicts, *found.verdicts), not_judged=left)
