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


def told(*command: str) -> str:
    """What git says."""
    done = subprocess.run(["git", *command], cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def built(folder: Path, commit: str) -> Path:
    """A wheel made in a folder of its own, from a copy of a commit."""
    source = folder / "source"
    source.mkdir()
    archive = subprocess.run(
        ["git", "archive", commit], cwd=ROOT, check=True, capture_output=True
    ).stdout
    subprocess.run(["tar", "x", "-C", str(source)], input=archive, check=True)
    stamp = told("log", "-1", "--format=%ct", commit)
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
        commit = told("rev-parse", "HEAD")  # once: another commit may come between the builds
        wheels = [built(Path(folder), commit) for folder in (one, two)]
        if wheels[0].read_bytes() == wheels[1].read_bytes():
            print("the same bytes:", hashlib.sha256(wheels[0].read_bytes()).hexdigest())
            return 0
        first, second = map(contents, wheels)
        for name in sorted(first.keys() | second.keys()):
            if first.get(name) != second.get(name):
                print("differs:", name)
        if first == second:
            print("the files are the same, their order or times differ")
        return 1


if __name__ == "__main__":
    sys.exit(main())
