"""`sfumato-verify-staged`: the hook of pre-commit, which verifies what is to be committed."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from .publish import PUBLIC

FOLDER = "certificate.json"


def main(arguments: Sequence[str] | None = None) -> int:
    """Verifies the release of every certificate that is named; the worst exit code.

    A file's certificate stands beside it (`out.csv.certificate.json`), a folder's in it.
    """
    from .app import run

    worst = 0
    for named in sys.argv[1:] if arguments is None else arguments:
        worst = max(worst, run(["verify", release_of(named), "-q"]))
    return worst


def release_of(certificate: str) -> str:
    """The release that a certificate belongs to.

    >>> release_of("data/out.csv.certificate.json"), release_of("release/certificate.json")
    ('data/out.csv', 'release')
    """
    path = Path(certificate)
    if path.name == FOLDER:
        return str(path.parent)
    return certificate.removesuffix(PUBLIC)
