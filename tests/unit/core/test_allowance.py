"""What work may take is known within, and forgotten after."""

from __future__ import annotations

from dataclasses import replace

import pytest

import sfumato as sf
from sfumato.core.allowance import allowance, allowed
from sfumato.verification import verify


def test_an_allowance_ends_with_its_work():
    with allowed(7):
        assert allowance().memory == 7
    with pytest.raises(KeyError), allowed(7):
        raise KeyError
    assert allowance().memory is None


@pytest.mark.parametrize("options", [{"guess": None}, {"guess": None, "unit": "word"}])
def test_verdicts_within_an_allowance_are_those_without_and_tell_how_far_they_are(options):
    notes = [f"patient {i} has asthma and a cough, came on day {i % 3}" for i in range(40)]
    release = sf.suppress(notes, k=5, **options)
    seen = []
    assert verify(notes, release, memory=1, progress=seen.append) == verify(notes, release)
    assert seen
    assert seen == sorted(seen)
    altered = release.data.copy()
    altered[7] = notes[7]
    wrong = replace(release, data=altered)
    (found,) = verify(notes, wrong, memory=1)
    assert not found.holds
    assert found == verify(notes, wrong)[0]
