"""Damaged files of other offices, which LibreOffice reads: an error of this package, or texts."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from adversarial.search import SECRET
from fuzz.mutations import EXAMPLES, TOKENS, edited
from sfumato import formats
from sfumato.core.errors import SfumatoError

OFFICE = shutil.which("soffice") or shutil.which("libreoffice")
KINDS = {"odt": "docx", "rtf": "docx", "doc": "docx", "ods": "xlsx", "xls": "xlsx"}
CASES = max(1, EXAMPLES // 40)  # each starts a program
pytestmark = pytest.mark.skipif(OFFICE is None, reason="LibreOffice is not installed")


@pytest.fixture(scope="module")
def seeds(tmp_path_factory):
    """A good file of each kind, made by LibreOffice, with the secret in it."""
    folder = tmp_path_factory.mktemp("offices")
    (folder / "a.txt").write_text(f"Seen again: {SECRET} is well.\n")
    (folder / "a.csv").write_text(f"who,text\np,{SECRET} is well\nq,calm\n")
    profile = (folder / "profile").as_uri()
    for kind, to in KINDS.items():
        source = folder / ("a.txt" if to == "docx" else "a.csv")
        command = [OFFICE, f"-env:UserInstallation={profile}", "--headless", "--convert-to", kind]
        command += ["--outdir", str(folder / "made"), str(source)]
        subprocess.run(command, capture_output=True, timeout=180, check=True)
    return {kind: (folder / "made" / f"a.{kind}").read_bytes() for kind in KINDS}


def _damaged(seed: bytes, drawn: random.Random) -> bytes:
    kinds = ["cut", "drop", "put", "twice", "flip"]
    edits = [
        (
            drawn.choice(kinds),
            drawn.randrange(1 << 16),
            drawn.randrange(1, 40),
            drawn.choice(TOKENS),
        )
        for _ in range(drawn.randrange(1, 6))
    ]
    return edited(seed, edits)


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_files(kind, seeds, tmp_path):
    path = Path(tmp_path, f"a.{kind}")
    given = {"text_column": "text"} if KINDS[kind] == "xlsx" else {}
    for case in range(CASES):
        path.write_bytes(_damaged(seeds[kind], random.Random(f"{kind} {case}")))
        try:
            found = formats.read(str(path), **given)
        except SfumatoError as problem:
            assert SECRET not in str(problem), case  # noqa: PT017
        else:
            assert found.texts is not None
