"""Releases of `suppress` judged alone and word by word: planted ones are rejected."""

from __future__ import annotations

from dataclasses import replace

import pytest

import sfumato as sf
from sfumato.verification.reader import filled
from sfumato.verification.substrings import check_substrings

pytestmark = pytest.mark.filterwarnings("ignore")
PAIRS = ["Ann likes tea", "Bob likes tea", "Ann likes rum", "Bob likes rum"]


def test_words_that_are_common_make_no_common_sequence():
    """Each word stands in two texts, the three together in one."""
    release = sf.suppress(PAIRS, k=2, unit="word", guess=None)
    assert all(verdict.holds for verdict in sf.verify(PAIRS, release))
    (verdict,) = sf.verify(PAIRS, replace(release, data=PAIRS))
    assert not verdict.holds
    assert verdict.measured["smallest_count"] == 1


@pytest.mark.parametrize("whole", [True, False])
def test_alone_a_release_is_counted_in_itself(whole):
    release = sf.suppress(PAIRS, k=2, reach=1)
    (claim,) = release.claims
    shown = release if whole else replace(release, data=["Ann ★★★★★ ★★★", *release.data[1:3], ""])
    alone = check_substrings(claim, None, shown)
    assert alone.holds is whole
    assert set(alone.measured) - {"violations"} == {"smallest_count", "stretches"}


def test_holes_of_a_second_text_are_its_own():
    """A word with a hole is starred in the text that has the hole, and in no other."""
    texts = ["Ann sees Eve now", "Bob sees Flo now", "Gus sees Eve now", "Ida sees Flo now"]
    release = sf.suppress(texts, k=2, reach=1)
    (claim,) = release.claims
    shown = [texts[0], texts[1].replace("Flo", "★★★"), *texts[2:]]
    read = filled(claim, texts, shown, None, [])
    assert read[0] == texts[0]
    assert read[2:] == texts[2:]
    assert read[1] in (shown[1], texts[1])
