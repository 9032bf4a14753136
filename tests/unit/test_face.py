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


SMALL = {
    "redact": ["--terms", "terms.txt", "-k", "2"],
    "suppress": ["-k", "2"],
}
# What reads other formats, frames, lists of names, schemas and charts.
UNUSED = [
    *("polars", "pandas", "pyarrow", "yaml", "lxml", "openpyxl", "re2", "ahocorasick_rs"),
    *("spacy", "pyspark", "phonenumbers", "ssl", "xml.etree.ElementTree"),
    *("sfumato.formats.fhir", "sfumato.formats.docx", "sfumato.formats.xlsx"),
    *("sfumato.recognizers.scan", "sfumato.recognizers.names", "sfumato.reports.charts"),
    *("sfumato.attacks.run", "sfumato.schema"),
]


@pytest.mark.parametrize("verb", SMALL)
def test_a_small_command_loads_nothing_that_it_does_not_need(verb, tmp_path):
    (tmp_path / "terms.txt").write_text("Ann Ho\nBob Li\nEve Oz\nTom Fu\n")
    notes = ["Ann Ho has flu.", "Bob Li has flu.", "Eve Oz has flu."]
    (tmp_path / "notes.lines").write_text("\n".join(notes))
    given = [verb, "notes.lines", *SMALL[verb], "-o", "out.lines", "-q"]
    code = f"import os; os.chdir({str(tmp_path)!r}); from sfumato.cli.app import run; "
    loaded = modules_after(f"{code}assert run({given!r}) == 0")
    assert loaded.intersection(UNUSED) == set()


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
