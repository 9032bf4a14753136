"""Stars that a reader undoes: planted releases are rejected, whoever made them."""

from __future__ import annotations

from dataclasses import replace

import pytest

import sfumato as sf

STREETS = [
    "Ann lives in Pine Street now",
    "Bob lives in Pine Street now",
    "Eve lives in Elm Street now",
    "Flo lives in Elm Street now",
    "Gus saw a Pine",
    "Ida saw a Pine",
]


def judged(texts, shown, **options):
    release = sf.suppress(texts, k=2, **options)
    assert all(verdict.holds for verdict in sf.verify(texts, release))
    (verdict,) = sf.verify(texts, replace(release, data=shown))
    return verdict


def test_stars_on_blanks_are_rejected():
    """What the fewest stars of the paper's definition look like: every blank can be read."""
    shown = ["★★★ lives★in★Pine★Street now", *["★" * len(text) for text in STREETS[1:]]]
    # Two people share it, whatever is written over blanks.
    assert judged(STREETS, shown, strict=False).holds
    alone = ["Ann★lives in Pine Street now", *["★" * len(text) for text in STREETS[1:]]]
    verdict = judged(STREETS, alone)
    assert not verdict.holds
    assert "count 1" in verdict.reason


def test_a_word_that_can_be_guessed_is_written_back():
    texts = [f"{name} is in New York City today" for name in ("Ann", "Bob", "Eve", "Flo")]
    assert sf.suppress(texts, k=2).data[0] == "★★★ is in New York City today"
    shown = [text.replace("is", "★★") for text in texts]  # "Ann ★★ in": everybody writes "is"
    verdict = judged(texts, shown)
    assert not verdict.holds
    assert verdict.measured["read_back"] == 4


@pytest.mark.parametrize(
    "shown",
    [
        "Ann lives in Pi★★ Street now",
        "Ann lives in ★★★ Street now",
        "Ann lives in Pine Street",
        "Ann lives in Elm Street now",
        "Ann  lives in Pine Street now",
    ],
)
def test_other_changes_are_rejected(shown):
    verdict = judged(STREETS, [shown, *STREETS[1:]])
    assert not verdict.holds
    assert "other than by words starred whole" in verdict.reason


def test_a_separator_that_one_person_has_is_rejected():
    texts = ["so it is, yes", "so it is, yes", "so it is ~~> yes"]
    release = sf.suppress(texts, k=2)
    assert release.data[2] == "so it is     yes"
    assert release.counts["separators_blanked"] == 1
    verdict = judged(texts, texts)
    assert not verdict.holds
    assert "between two words" in verdict.reason
    assert sf.suppress(texts, k=2, keep="~>").data == texts


def test_spans_are_judged_word_by_word():
    texts = ["Ann has flu", "Bob has flu", "Eve has flu"]
    release = sf.suppress(texts, k=2, spans=[sf.Span(0, 0, 7)])
    assert release.data[0] == "★★★★★★★ flu"
    assert [verdict.holds for verdict in sf.verify(texts, release)] == [True, True]
    shown = ["★★★ has flu", *release.data[1:]]
    assert [v.holds for v in sf.verify(texts, replace(release, data=shown))] == [True, False]


def test_layout_and_brackets_survive():
    texts = [f"{name}:\n\t(born 1970)\n\n- has [flu]" for name in ("Ann", "Bob", "Eve")]
    release = sf.suppress(texts, k=3)
    assert release.data[0] == "★★★:\n\t(born 1970)\n\n- has [flu]"


def test_other_scripts():
    texts = ["彼はカナダに住む。", "妻はカナダに住む。", "彼はトルコに住む。", "妻はトルコに住む。"]
    release = sf.suppress(texts, k=2)
    assert all(verdict.holds for verdict in sf.verify(texts, release))
    assert all(text.endswith("。") for text in release.data)
    smiles = ["so 😀 ok", "so 😀 ok", "so 🦄 ok"]
    assert sf.suppress(smiles, k=2).data == ["so 😀 ok", "so 😀 ok", "so ★ ok"]


@pytest.mark.parametrize(
    ("options", "where"),
    [
        ({"guess": 0}, "guess"),
        ({"guess": 1.5}, "guess"),
        ({"guess": "0.5"}, "guess"),
        ({"guess": 0.123456789}, "guess"),
        ({"guess": 0.4, "align": "character"}, "guess"),
        ({"guess": 0.4, "cover": "word"}, "guess"),
        ({"keep": "a"}, "keep"),
        ({"reach": 0}, "reach"),
        ({"reach": 2, "guess": None}, "reach"),
        ({"public": ["x"], "guess": None}, "public"),
    ],
)
def test_what_does_not_go_together_is_refused(options, where):
    with pytest.raises(sf.BadInput) as caught:
        sf.suppress(["a b", "a b"], k=2, **options)
    assert caught.value.where == where


def test_the_reader_is_none_where_words_are_not_starred_whole():
    assert sf.suppress("abra", k=2, align="character").parameters["guess"] is None
    assert sf.suppress("abra", k=1, cover="word").parameters["guess"] is None
    assert sf.suppress("abra", k=1).parameters["guess"] == 0.5


def test_reach():
    texts = ["a b c", "c a b", "b c a", "x a b"]
    assert sf.suppress(texts, k=2, reach=1).data == ["a b c", "c a b", "b c a", "★ a b"]
    claim = sf.suppress(texts, k=2, reach=1).claims[0]
    assert "phrase of at most 1 words" in claim.statement
    assert claim.parameters["reach"] == 1
