"""Damaged files of every kind that is read: an error of this package, soon, without their text."""

from __future__ import annotations

import tempfile
import time
import warnings
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from adversarial.search import SECRET
from fuzz.mutations import EXAMPLES, damaged
from fuzz.seeds import PARSERS
from sfumato.core.errors import SfumatoError

SECONDS = 10  # of CPU, of what takes milliseconds: a hang, on whatever machine


def attempt(name: str, content: bytes, *, header: bytes = b"") -> bool:
    """Reads a file; whether it could be read. Anything but an error of this package is raised."""
    begun = time.process_time()
    told = _told(name, content)
    assert time.process_time() - begun < SECONDS
    # The names of a table's columns are told, so its first line must be as it was.
    assert SECRET not in told or not content.startswith(header)
    return not told


def _told(name: str, content: bytes) -> str:
    """What the error says, or nothing."""
    parser = PARSERS[name]
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(folder, parser.name)
        path.write_bytes(content)
        try:
            parser.read(path)
        except SfumatoError as problem:
            return str(problem)
    return ""


@pytest.mark.parametrize("name", PARSERS)
def test_the_good_file_is_read(name, tmp_path):
    assert attempt(name, PARSERS[name].seed(tmp_path))


@pytest.mark.parametrize("name", PARSERS)
def test_damaged_files(name, tmp_path):
    seed = PARSERS[name].seed(tmp_path)
    header = seed.split(b"\n", 1)[0] if "csv" in name else b""

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        print_blob=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(damaged(seed))
    @example(b"")
    @example(b"\0")
    @example(seed[: len(seed) // 2])
    @example(seed + seed)
    @example(seed.replace(SECRET.encode(), b"\xff\xfe"))
    def read(content: bytes) -> None:
        attempt(name, content, header=header)

    read()


@pytest.mark.parametrize("name", PARSERS)
def test_any_bytes(name):
    @settings(
        max_examples=max(5, EXAMPLES // 4), deadline=None, suppress_health_check=list(HealthCheck)
    )
    @given(
        st.one_of(
            st.binary(max_size=200),
            st.text(max_size=100).map(lambda one: one.encode("utf-8", "surrogatepass")),
        )
    )
    def read(content: bytes) -> None:
        attempt(name, content, header=b"who,town,text")

    read()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"UTF-8", b"TF-8"),
        (b'start="12"', b'start="' + b"9" * 5000 + b'"'),
        (b"<deIdi2b2>", b'<!DOCTYPE a [<!ENTITY b "c">]><deIdi2b2>'),
    ],
)
def test_annotations_that_fuzzing_found(old, new, tmp_path):
    seed = PARSERS["i2b2 spans"].seed(tmp_path)
    assert old in seed
    assert not attempt("i2b2 spans", seed.replace(old, new))
