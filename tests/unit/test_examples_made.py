"""The files of the tutorials are what their script makes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sfumato.cli.demo import EXAMPLES
from support.commands import call

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "src" / "sfumato" / "examples"


def test_same_script_same_bytes(tmp_path):
    code = (
        "import sys, pathlib; sys.path.insert(0, 'tools'); import make_examples as made;"
        f"made.FOLDER = pathlib.Path({str(tmp_path)!r}); made.main()"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
    made = sorted(path.name for path in tmp_path.iterdir())
    others = ("clinic", "notes")  # made by scripts of their own
    assert made == sorted(n for key, names in EXAMPLES.items() if key not in others for n in names)
    for name in made:
        assert (tmp_path / name).read_bytes() == (FOLDER / name).read_bytes()


@pytest.mark.parametrize("example", EXAMPLES)
def test_raw_files_are_written_by_name(example, tmp_path):
    assert call("demo", "--raw", tmp_path, "--example", example, "-q") == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(EXAMPLES[example])


def test_an_unknown_example_is_refused(tmp_path):
    assert call("demo", "--raw", tmp_path, "--example", "weather", "-q") == 2
