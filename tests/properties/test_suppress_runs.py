"""One mask for a run of stars, strict releases by themselves, and texts of several releases."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.oracles import reader as oracle
from tests.support.commands import call

import sfumato as sf
from sfumato.core.claims import Claim
from sfumato.core.errors import BadInput, CannotBeMet
from sfumato.verification import reader, verify

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
WORDS = ("a", "bb", "cc", "dd", "eee")
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join), min_size=2, max_size=5)


def test_a_run_of_stars_has_one_mask():
    notes = ["Ann Ho has flu. Rest.", "Bob Li has flu. Rest.", "Eve Oz has flu. Rest."]
    release = sf.suppress(notes, k=3, collapse=True, mask="[…]")
    assert release.data == ["[…] has flu. Rest."] * 3
    assert [(c.start, c.stop) for c in release.changes] == [(0, 6)] * 3
    assert verify(notes, release)[0].holds


def test_masks_that_could_lie_in_two_ways_stand_for_a_word_each():
    """x a y a w z with a legible: the first mask may hide x, or x a y."""
    notes = ["xx a yy a ww zz", "a b zz", "zz a b", "a zz", "zz a"]
    release = sf.suppress(notes, k=4, collapse=True, strict=False)
    assert release.data[0] == "★ a ★ a ★ zz"
    assert verify(notes, release)[0].holds


def test_a_mask_over_a_part_of_a_word_or_over_nothing_is_rejected():
    notes = ["Ann has flu", "Bob has flu", "Eve has flu"]
    release = sf.suppress(notes, k=3, collapse=True, strict=False)
    for planted in ("★n has flu", "Ann★ has flu", "★ has flu★", "★ has", "★ flu has"):
        assert not verify(notes, replace(release, data=[planted, *release.data[1:]]))[0].holds
    assert verify(notes, replace(release, data=["★", *release.data[1:]]))[0].holds


@settings(max_examples=150, deadline=None)
@given(TEXTS, st.booleans(), st.sampled_from([None, 1, 2]))
def test_a_strict_release_is_counted_alone(texts, collapse, reach):
    try:
        releases = sf.suppress(texts, [1, 2, 3], strict=True, collapse=collapse, reach=reach)
    except CannotBeMet:
        assume(False)
    for release in releases.values():
        [judged] = verify(texts, release)
        assert judged.holds
        assert judged.measured["read_back"] == 0
        assert [verdict.holds for verdict in verify(None, release)] == [True]


def test_a_strict_release_with_starred_spans_takes_the_original():
    notes = ["Ann has flu", "Bob has flu", "Eve has flu"]
    release = sf.suppress(notes, 3, strict=True, spans=[sf.Span(0, 8, 11)])
    assert all(verdict.holds for verdict in verify(notes, release))
    with pytest.raises(BadInput):
        verify(None, release)


def test_a_rare_word_in_a_strict_release_is_found_without_the_original():
    notes = ["Ann has flu", "Bob has flu", "Eve has flu"]
    release = sf.suppress(notes, k=3, strict=True)
    planted = replace(release, data=["Ann has flu", *release.data[1:]])
    assert not verify(None, planted)[0].holds


@settings(max_examples=150, deadline=None)
@given(TEXTS, st.data())
def test_texts_with_holes_as_a_reader_has_them(texts, data):
    documents = [text.split() for text in texts]
    stars = [tuple(data.draw(st.booleans()) for _ in one) for one in documents]
    known = oracle.Reader(documents, list(range(len(texts))), Fraction(1, 2), True)
    claim = Claim("", "", {"guess": 0.5, "mask": "■", "keep": "", "collapse": False})
    shown = [_holed(words, flags) for words, flags in zip(documents, stars, strict=True)]
    labels = np.arange(len(texts), dtype=np.int32)
    found = reader.filled(claim, [" ".join(words) for words in documents], shown, labels, [])
    left = [known.read(d, flags) for d, flags in enumerate(stars)]
    assert found == [_holed(words, flags) for words, flags in zip(documents, left, strict=True)]


def _holed(words, flags):
    return " ".join("■" * len(w) if f else w for w, f in zip(words, flags, strict=True))


def test_a_share_given_by_hand_is_refused_where_words_are_not_starred_whole(tmp_path):
    (tmp_path / "a.txt").write_text("abracadabra\nabracadabra\n")
    command = ["suppress", str(tmp_path / "a.txt"), "-k", "2", "-o", str(tmp_path / "out.txt")]
    assert call(*command, "--align", "character", "--guess", "0.5") == 2
    assert call(*command, "--cover", "longest-first", "--guess", "0.5") == 2
    assert call(*command, "--keep", "ab", "--guess", "0.5") == 2
    assert call(*command, "--align", "character") == 0
    with pytest.raises(BadInput):
        sf.suppress("abracadabra", 2, align="character", guess=0.5)
