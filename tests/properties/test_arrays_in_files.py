"""Releases and verdicts are the same where every array lies in a file and passes are tiny."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.kernels import _core, checks, spill
from sfumato.verification import verify

pytestmark = [
    pytest.mark.filterwarnings("ignore::UserWarning"),
    pytest.mark.skipif(sys.platform != "linux", reason="arrays lie in files on Linux only"),
]

words = st.sampled_from(["flu", "asthma", "Ann", "Ho", "喘息", "ärger", "😀", "(12)", "-", "a,b"])
documents = st.lists(words, max_size=9).map(" ".join) | st.text("ab ", max_size=9)
options = st.fixed_dictionaries(
    {"guess": st.sampled_from([0.5, 0.2, None])},
    optional={
        "strict": st.booleans(),
        "collapse": st.booleans(),
        "mask": st.sampled_from(["★", "[..]"]),
        "unit": st.sampled_from(["character", "word"]),
    },
)


# Thousands of files are made and gone: where there is one, in a folder that is no disk.
FOLDER = "/dev/shm" if Path("/dev/shm").is_dir() else None


@contextmanager
def in_files(least: int = 200):
    with spill.arrays_in_files(least, FOLDER), checks.arrays_in_files(least, FOLDER):
        yield


@st.composite
def asked(draw):
    texts = draw(st.lists(documents, min_size=1, max_size=60))
    people = draw(st.integers(1, 60))
    groups = [f"p{i % people}" for i in range(len(texts))] if draw(st.booleans()) else None
    most = len(set(groups)) if groups else len(texts)
    given = draw(options)
    if given["guess"] is not None:
        given.pop("unit", None)
    return texts, {"k": draw(st.integers(1, min(50, most))), "groups": groups, **given}


@given(asked(), st.integers(1, 3000))
@settings(max_examples=50)
def test_releases_and_verdicts_are_the_same(asked, memory):
    texts, given_options = asked
    free = sf.suppress(texts, **given_options)
    expected = verify(texts, free)
    with in_files():
        bound = sf.suppress(texts, **given_options)
        found = verify(texts, bound, memory=memory)
    assert bound.data == free.data
    assert [*bound.changes] == [*free.changes]
    assert dict(bound.counts) == dict(free.counts)
    assert found == expected
    assert all(verdict.holds for verdict in found)


@given(asked(), st.data(), st.integers(1, 3000))
@settings(max_examples=50)
def test_what_was_altered_is_judged_alike(asked, data, memory):
    texts, given_options = asked
    release = sf.suppress(texts, **given_options)
    at = data.draw(st.integers(0, len(texts) - 1))
    altered = list(release.data)
    altered[at] = data.draw(st.sampled_from([texts[at], texts[at] + "x", altered[at][:-1]]))
    wrong = replace(release, data=altered)
    expected = verify(texts, wrong)
    with in_files():
        assert verify(texts, wrong, memory=memory) == expected


def test_a_planted_name_is_found():
    notes = [f"patient came because of asthma and was sent home on day {i % 4}" for i in range(80)]
    notes[33] += " Brzezinski"
    for guess in (None, 0.5):
        release = sf.suppress(notes, k=5, guess=guess)
        assert "Brzezinski" not in release.data[33]
        shown = replace(release, data=[*release.data[:33], notes[33], *release.data[34:]])
        with in_files():
            (found,) = verify(notes, shown, memory=1)
        assert not found.holds
        assert "document 33" in str(found.where)


def test_arrays_lie_in_files_within_and_are_given_back():
    held = _core.stored_bytes()
    with spill.arrays_in_files(1000):
        small, large = np.ones(10), np.ones(1000)
        assert _core.stored_bytes() == held + large.nbytes
        large = np.resize(large, 3000)
        numbers = np.fromiter(range(5000), np.int64)
        zeros = np.zeros(2000)
    outside = np.ones(1000)
    assert _core.stored_bytes() >= held + 8 * (3000 + 5000 + 2000)
    assert small.sum() + large.sum() + numbers[-1] + zeros.sum() + outside.sum() == 10 + 8999 + 0
    del large, numbers, zeros
    assert _core.stored_bytes() == held


def test_an_array_that_grows_in_place_keeps_its_numbers():
    with spill.arrays_in_files(100):
        some = np.arange(100)
        some.resize(10_000, refcheck=False)
        assert some[:100].tolist() == list(range(100))
        assert not some[100:].any()
        some.resize(5, refcheck=False)
    assert some.tolist() == list(range(5))


def test_a_folder_that_takes_no_file_is_refused(tmp_path):
    with pytest.raises(sf.BadInput, match="no file"), spill.arrays_in_files(1, tmp_path / "none"):
        raise AssertionError
