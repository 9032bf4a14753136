"""`sfumato report`: a release as one HTML file for people."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..core.errors import BadInput
from . import options

if TYPE_CHECKING:
    from ..core.values import JsonObject

DATA, CERTIFICATE, FIGURES, POLICY = "data", "certificate.json", "figures.json", "policy.yaml"


def command(
    release: Annotated[
        Path,
        typer.Argument(metavar="RELEASE", help="A release folder, or the file that a verb wrote."),
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="The report, one HTML file.")
    ] = Path("report.html"),
    certificate: Annotated[
        Path | None,
        typer.Option(
            help="The public certificate "
            "[default: certificate.json of a folder, RELEASE.certificate.json of a file]."
        ),
    ] = None,
    figures: Annotated[
        list[Path] | None,
        typer.Option(
            help="Numbers to show beside a folder's figures.json: what attack, sweep, risk or "
            "evaluate write with --json; several times for several."
        ),
    ] = None,
    sample_records: Annotated[
        str | None,
        typer.Option(
            help="Also show these records before and after, counted from 1: 3,17. The report then "
            "holds original text and is private."
        ),
    ] = None,
    original: Annotated[
        Path | None, typer.Option(help="What the release was made of, for --sample-records.")
    ] = None,
    private: Annotated[
        Path | None,
        typer.Option(
            help="The private folder, for --sample-records: it knows which released record is "
            "which [default: the one beside the release folder]."
        ),
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(help="The columns shown of these records (CSV, TSV, JSONL): note,town."),
    ] = None,
    encoding: options.Encoding = "utf-8",
    overwrite: options.Overwrite = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Writes what was released, what is guaranteed and what is not as one HTML file.

    Example: sfumato report release-folder -o report.html
    """
    from .. import formats
    from ..received.certificate import read
    from ..received.hashes import check_files
    from ..reports.report import report
    from . import show
    from .sample import SampleRequest, sample_of

    silent = quiet or json
    data = release / DATA if (release / DATA).is_dir() else release
    stated = read(certificate or default_certificate(release))
    with show.working("compare the files with the certificate", silent):
        check_files(stated, str(data))
    own = [path for path in [release / FIGURES] if path.is_file()]
    numbers = read_figures(own + (figures or []))
    with show.working("read the sample", silent or sample_records is None):
        asked = SampleRequest(original, sample_records, columns, encoding, private)
        sample = sample_of(release, data, stated, asked)
    if sample and release.is_dir() and output.resolve().is_relative_to(release.resolve()):
        raise BadInput(
            "this report would show original text within the release",
            where=str(output),
            remedy="write it elsewhere; it is private",
        )
    with show.working("report", silent):
        page = report(
            stated.body,
            numbers,
            name=_name(release, data),
            policy=_policy(release),
            files=stated.files or formats.file_digests(data),
            sample=sample,
        )
    with formats.atomic_files(overwrite=overwrite) as files:
        files.protect(data)
        with files.open(output, private=bool(sample)) as stream:
            stream.write(page.encode("utf-8", "surrogatepass"))
        files.commit()
    if json:
        typer.echo(json_module.dumps({"output": str(output), "private": bool(sample)}))
    elif not quiet:
        typer.echo(f"written: {output}", err=True)
        if sample:
            typer.echo("private: it shows original text; do not publish it", err=True)


def default_certificate(release: Path) -> Path:
    """Where the certificate of a release stands unless told otherwise.

    >>> default_certificate(Path("out.jsonl")).name
    'out.jsonl.certificate.json'
    """
    inside = release / CERTIFICATE
    return inside if inside.is_file() else Path(f"{str(release).rstrip('/')}.{CERTIFICATE}")


def read_figures(paths: list[Path]) -> JsonObject:
    """The numbers of several files as one; what a bare list holds its fields tell."""
    result: dict[str, object] = {}
    for path in paths:
        try:
            found = json_module.loads(path.read_bytes())
        except OSError as problem:
            raise BadInput(f"cannot be read ({problem.strerror})", where=str(path)) from None
        except ValueError:
            raise BadInput("is no JSON", where=str(path)) from None
        for name, value in _named(found, path).items():
            earlier = result.get(name)
            together = isinstance(value, list) and isinstance(earlier, list)
            result[name] = earlier + value if together else value
    return result


def _named(found: object, path: Path) -> JsonObject:
    if isinstance(found, dict):
        return {"risk": found} if "sets_of_columns" in found else found
    if isinstance(found, list) and all(isinstance(one, dict) for one in found):
        for name, field in (("attacks", "success"), ("curves", "points")):
            if all(field in one for one in found):
                return {name: found}
    raise BadInput(
        "expected figures, attacks or curves as JSON",
        where=str(path),
        remedy="give what sfumato run, attack or sweep wrote",
    )


def _name(release: Path, data: Path) -> str:
    """What was released is called as its input was; a single file as it is called itself."""
    inside = sorted(path.name for path in data.iterdir()) if data != release else []
    return inside[0] if len(inside) == 1 else release.name


def _policy(release: Path) -> str | None:
    path = release / POLICY
    return path.read_text(encoding="utf-8") if path.is_file() else None
