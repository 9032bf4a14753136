"""The lowest versions that pyproject.toml allows, installed together, with a part of the tests.

    python tools/lowest.py [--wheel FILE] [TEST ...]

An environment of its own gets every dependency of the package, and of the extras that tests need
most, in the lowest version which its bound allows and the index has; then the wheel of
what git has, and tests.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

from reproducible import built, told

ROOT = Path(__file__).parent.parent
EXTRAS = ("parquet", "office", "pdf")
TESTS = (
    *("tests/properties/test_suppress.py", "tests/properties/test_records_formats.py"),
    *("tests/unit/cli/test_suppress.py", "tests/unit/cli/test_anonymize.py"),
    *("tests/unit/formats/test_formats.py", "tests/unit/formats/test_sheet_tables.py"),
    *("tests/unit/formats/test_documents.py", "tests/unit/pipeline/test_begin.py"),
)
BOUND = re.compile(r"([A-Za-z0-9_.-]+)(?:\[[^\]]*\])?>=([0-9.]+)")


def bounds() -> dict[str, str]:
    """The lowest version of every dependency.

    >>> bounds()["numpy"]
    '1.26'
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    stated = [*project["dependencies"], *(one for name in EXTRAS for one in extras[name])]
    found = (BOUND.match(one) for one in stated)
    return {one[1]: one[2] for one in found if one is not None}


def lowest(pip: list[str], name: str, bound: str) -> str:
    """The lowest version of the index that is no lower than a bound."""
    told = subprocess.run([*pip, "index", "versions", name], capture_output=True, text=True)
    listed = re.search(r"Available versions: (.*)", told.stdout)
    versions = listed[1].split(", ") if listed else [bound]
    allowed = [one for one in versions if _numbers(one) >= _numbers(bound)]
    return min(allowed, key=_numbers)


def _numbers(version: str) -> tuple[int, ...]:
    found = tuple(int(one) for one in re.findall(r"\d+", version))
    return found + (0,) * (6 - len(found))


def main() -> int:
    """Installs, and runs the tests; the exit code is theirs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tests", nargs="*", default=TESTS)
    parser.add_argument("--wheel", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        venv.create(folder / "env", with_pip=True)
        python = str(folder / "env" / "bin" / "python")
        pip = [python, "-m", "pip", "--disable-pip-version-check"]
        pins = [f"{one}=={lowest(pip, one, bound)}" for one, bound in bounds().items()]
        print(*pins, sep="\n", flush=True)
        tools = ["pytest", "hypothesis", "python-docx", "jsonschema"]
        subprocess.run([*pip, "install", "-q", *pins, *tools], check=True)
        wheel = given.wheel or built(folder, told("rev-parse", "HEAD"))
        subprocess.run([*pip, "install", "-q", "--no-deps", str(wheel)], check=True)
        command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *given.tests]
        return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
