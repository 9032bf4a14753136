"""What is published at a place of a redacted text, whatever the script, k and the words around."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.attacks.terms import rerun
from sfumato.core.spans import Changes


def holds(original, release):
    return all(verdict.holds for verdict in sf.verify(original, release))


LETTERS = st.sampled_from(
    ["abc", "aeio ", "東京都大西", "ﾊﾞガ", "กขค", "Mu\u0308e\u0301", "ab\u200b-", "אבג", "🙂a"]
)


@st.composite
def worlds(draw):
    """Lists and texts as users have them: any script, k from 1 to 50, missing and empty ones."""
    letters = draw(LETTERS)
    k = draw(st.sampled_from([1, 2, 3, 5, 10, 50]))
    size = draw(st.integers(k, 3 * k + 6))
    terms = draw(
        st.lists(st.text(letters, min_size=1, max_size=6), min_size=size, max_size=size + 20)
    )
    words = [*terms, "an ", "a ", ". ", "\n", " ", "l'", "x"]
    pieces = st.lists(st.sampled_from(words), max_size=12).map("".join)
    texts = draw(st.lists(st.one_of(pieces, st.none(), st.just("")), max_size=4))
    return k, [*terms, None, ""], texts


@settings(max_examples=100, deadline=None)
@given(worlds(), st.booleans(), st.booleans(), st.sampled_from(["shared", "star"]))
def test_releases_of_any_script_verify_with_and_without_their_changes(
    world, whole_words, fold_case, rare_lengths
):
    k, terms, given_texts = world
    texts = [text or "" for text in given_texts]
    options = {"whole_words": whole_words, "fold_case": fold_case, "rare_lengths": rare_lengths}
    try:
        release = sf.redact(texts, terms, k, **options)
    except (sf.CannotBeMet, sf.BadInput):
        return
    assert holds(texts, release)
    assert holds(texts, replace(release, changes=Changes.of([])))  # from files alone


JOBS = ["beekeeper", "gamekeeper", "goalkeeper", "innkeeper", "barkeeper", "shopkeeper"]
FRENCH = ["infirmier", "boulanger", "avocat", "ouvrier", "berger", "notaire", "artiste"]


@pytest.mark.parametrize(
    ("text", "terms", "k", "telling"),
    [
        ("The man there is an innkeeper now.", JOBS, 3, ("is a ", "is an ")),
        ("An innkeeper came to see the others.", JOBS, 3, ("A *", "An *")),
        ("Il travaille chez l'avocat dans la ville.", FRENCH, 3, ("chez ** ", "chez l'")),
        ("Il travaille chez le boulanger de la ville.", FRENCH, 3, ("chez ** ", "chez le ")),
    ],
)
def test_the_word_before_a_place_tells_no_first_sound(text, terms, k, telling):
    release = sf.redact(text, terms, k)
    written, told = telling
    assert written in release.data
    assert told not in release.data
    for one in (release, replace(release, changes=Changes.of([]))):
        assert holds(text, one)
        spoilt = replace(one, data=release.data.replace(written, told, 1), changes=Changes.of([]))
        assert not holds(text, spoilt)


@pytest.mark.parametrize("guarantee", ["published", "matching"])
@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize(
    ("text", "telling"),
    [
        ("She met an Alder near an innkeeper there.", ("met a ", "met an ")),
        ("An 'Elm' is there, and he was an Alder.", ("A '", "An '")),
        ("Elle habite chez l'Alder dans la ville.", ("chez ** ", "chez l'")),
        ("Elle habite chez le  Elm dans la ville.", ("chez ** ", "chez le ")),
    ],
)
def test_the_word_before_a_direct_identifier_tells_no_first_sound(text, telling, k, guarantee):
    names = ["Alder", "Elm"]
    at = [text.index(name) for name in names if name in text]
    inside = [sf.Span(0, start + 1, start + 3) for start in at]
    written, told = telling
    for direct in (names, inside):
        release = sf.redact(text, JOBS, k, guarantee=guarantee, direct=direct)
        assert written in release.data
        assert told not in release.data
        for one in (release, replace(release, changes=Changes.of([]))):
            assert holds(text, one)
            spoilt = release.data.replace(written, told, 1)
            assert not holds(text, replace(one, data=spoilt, changes=Changes.of([])))


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["an", "a", "An", "Alder", "Elm", "innkeeper", "beekeeper", "'", "met", ".", "l'", "le"]
        ),
        max_size=12,
    ),
    st.sampled_from([" ", "  ", "\n"]),
    st.sampled_from([1, 2, 3]),
)
def test_words_before_direct_identifiers_are_verified(words, blank, k):
    text = blank.join([*words, "as it was said of the others there."]).replace("l'" + blank, "l'")
    release = sf.redact(text, JOBS, k, direct=["Alder", "Elm"])
    assert not re.search(r"\b[Aa]n\s+'?\*", release.data)
    assert holds(text, release)
    assert holds(text, replace(release, changes=Changes.of([])))


def test_an_article_stays_where_every_candidate_takes_it():
    text = "He was an engineer and an engraver, as one is."
    release = sf.redact(text, ["engineer", "engraver", "engrafer", "enginear"], 2)
    assert release.data.count(" an ") == 2
    german = "Das hängt an Irene Weber und so weiter."
    assert " an " in sf.redact(german, ["Irene", "Marie", "Maria"], 2).data


def test_a_place_that_is_starred_whole_is_shared_by_its_length():
    """北東 has no companion before 京: it is starred, as others of its length would be."""
    chance = random.Random(3)
    letters = "北東京西海山川大"
    terms = sorted(
        {"".join(chance.choices(letters, k=chance.choice([2, 2, 3]))) for _ in range(60)}
    )
    texts = ["".join(chance.choices(letters + "のは", k=30)) for _ in range(40)]
    release = sf.redact(texts, terms, 3)
    starred = [one for one in release.changes if one.reason.startswith("starred whole")]
    assert starred
    assert holds(texts, release)
    assert holds(texts, replace(release, changes=Changes.of([])))
    found = rerun(release, 10_000)
    assert found.exposed == 0


def test_a_legible_overlap_that_two_candidates_have_is_rejected():
    text, terms = "彼は東京都へ", ["東京", "西京", "京都", "大阪", "大海", "海山"]
    release = sf.redact(text, terms, 2)
    strings = {
        "東京": "*京",
        "西京": "*京",
        "京都": "***",
        "大阪": "大*",
        "大海": "大*",
        "海山": "***",
    }
    sides = replace(release.sides, published=[strings[term] for term in release.sides.terms])
    planted = replace(release, sides=sides, changes=Changes.of([]))
    assert not holds(text, replace(planted, data="彼は*京都へ"))
    assert holds(text, replace(planted, data="彼は*京*へ"))


@pytest.mark.parametrize("terms", [["ab", "cd"], ["abc", "xyz", "a", "b"], ["abc", "d"]])
def test_strings_of_stars_alone_verify_from_files_alone(terms):
    text = " ".join([*terms, "and", *reversed(terms)])
    for rare_lengths in ("shared", "star"):
        release = sf.redact(text, terms, 2, rare_lengths=rare_lengths)
        assert holds(text, replace(release, changes=Changes.of([])))
