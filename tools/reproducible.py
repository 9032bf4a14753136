"""Whether two builds of the wheel are the same bytes: `python tools/reproducible.py`."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent


def built(folder: Path) -> Path:
    """A wheel made in a folder of its own, from a copy of what git has."""
    source = folder / "source"
    source.mkdir()
    archive = subprocess.run(
        ["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True
    ).stdout
    subprocess.run(["tar", "x", "-C", str(source)], input=archive, check=True)
    stamp = subprocess.run(
        ["git", "log", "-1", "--format=%ct"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.strip()
    flags = f"-ffile-prefix-map={folder}=/build"
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", folder, source],
        check=True,
        env={**os.environ, "SOURCE_DATE_EPOCH": stamp, "CXXFLAGS": flags},
    )
    return next(folder.glob("*.whl"))


def contents(wheel: Path) -> dict[str, str]:
    """The hash of every file of a wheel."""
    with zipfile.ZipFile(wheel) as packed:
        return {one: hashlib.sha256(packed.read(one)).hexdigest() for one in packed.namelist()}


def main() -> int:
    """Builds twice and compares: 0 where the wheels are the same."""
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        wheels = [built(Path(folder)) for folder in (one, two)]
        if wheels[0].read_bytes() == wheels[1].read_bytes():
            print("the same bytes:", hashlib.sha256(wheels[0].read_bytes()).hexdigest())
            return 0
        first, second = map(contents, wheels)
        for name in sorted(first.keys() | second.keys()):
            if first.get(name) != second.get(name):
                print("differs:", name)
        return 1


if __name__ == "__main__":
    sys.exit(main())
