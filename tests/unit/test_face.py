"""The public face stays light and complete."""

from __future__ import annotations

import subprocess
import sys

import pytest

import sfumato as sf
from sfumato.methods import METHODS

HEAVY = ["numpy", "polars", "pandas", "pyarrow", "rich", "typer", "pydantic", "spacy", "pyspark"]


def modules_after(code: str) -> set[str]:
    result = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(result.stdout.split())


def test_import_loads_nothing_heavy():
    assert not modules_after("import sfumato") & set(HEAVY)


def test_help_loads_no_numbers_and_no_frames():
    loaded = modules_after("from sfumato.cli.app import run; run(['--help'])")
    assert not loaded & {"numpy", "polars", "pandas", "pyarrow", "rich.console"}


def test_every_public_name_is_there():
    for name in sf.__all__:
        assert getattr(sf, name) is not None
    assert dir(sf) == sorted(sf.__all__)
    assert {*sf._HOME, *METHODS} == set(sf.__all__)


def test_verify_stays_the_function_when_its_package_is_imported():
    code = "import sfumato.verification.substrings, sfumato; assert callable(sfumato.verify)"
    modules_after(code)


def test_unknown_names_are_attribute_errors():
    with pytest.raises(AttributeError):
        _ = sf.nothing_of_that_name
