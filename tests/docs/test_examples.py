"""The example policies run, and their releases are accepted by whoever receives them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato.cli.app import run

FOLDER = Path(__file__).parents[2] / "examples"
EXAMPLES = sorted(FOLDER.glob("*.yaml"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_policies_run(path, tmp_path):
    assert run(["policy", "check", str(path), "-q"]) == 0
    assert run(["run", str(path), "-q", "-o", str(tmp_path / "release")]) == 0
    assert run(["verify", str(tmp_path / "release"), "-q"]) == 0


def test_there_are_examples():
    assert EXAMPLES
