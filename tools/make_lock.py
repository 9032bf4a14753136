"""The lock file of development and CI: `python tools/make_lock.py`.

`requirements-dev.lock` has every package that `.[dev]` brings, with its version and the hashes of
all its files, so that every machine installs the same bytes:
`pip install --require-hashes -r requirements-dev.lock`, then `pip install --no-deps -e .`.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parent.parent
LOCK = ROOT / "requirements-dev.lock"
LINK = re.compile(r'href="[^"]*/([^"/#]+)#sha256=([0-9a-f]{64})"')
INDEX = "https://pypi.org/simple"


def resolved(report: Path | None = None) -> dict[str, tuple[str, set[str]]]:
    """Name, version and hashes of every package that pip would install."""
    if report is None:
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder, "report.json")
            command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed"]
            command += ["-q", "--report", str(made), f"{ROOT}[dev]"]
            subprocess.run(command, check=True)
            return resolved(made)
    found = {}
    for one in json.loads(report.read_text("utf-8"))["install"]:
        name = normal(one["metadata"]["name"])
        hashes = one["download_info"].get("archive_info", {}).get("hashes", {})
        if name != "sfumato":
            found[name] = one["metadata"]["version"], set(hashes.values())
    return found


def normal(name: str) -> str:
    """A name as indexes write it.

    >>> normal("Ahocorasick_RS")
    'ahocorasick-rs'
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def all_hashes(name: str, version: str) -> set[str]:
    """The hashes of all files of a version, for every machine and Python."""
    with urllib.request.urlopen(f"{INDEX}/{name}/", timeout=60) as page:
        links = LINK.findall(page.read().decode("utf-8"))
    start = re.compile(rf"{name.replace('-', '[-_.]+')}-{re.escape(version)}(-|\.tar|\.zip)", re.I)
    return {digest for file, digest in links if start.match(file)}


def main() -> None:
    """Writes the lock file."""
    report = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    lines = ["# Made by tools/make_lock.py from pyproject.toml; see there how it is used.\n"]
    for name, (version, hashes) in sorted(resolved(report).items()):
        try:
            hashes |= all_hashes(name, version)
        except OSError:
            print(f"{name}: not in the index; the hash of this machine's file alone")
        each = "".join(f" \\\n    --hash=sha256:{one}" for one in sorted(hashes))
        lines.append(f"{name}=={version}{each}\n")
    LOCK.write_text("".join(lines), "utf-8")
    print(f"{len(lines) - 1} packages")


if __name__ == "__main__":
    main()
