"""`redact` against its definition, and its verification against planted violations."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from oracles import terms as oracle
from sfumato.core.letters import is_wordlike
from sfumato.methods.terms.folding import Folding, read
from sfumato.verification import term_places
from sfumato.verification.term_places import Reading

TERMS = st.lists(st.text("abcd", min_size=1, max_size=4), min_size=3, max_size=12, unique=True)
TEXTS = st.lists(st.text("abcd -", max_size=16), max_size=3)
REPLACED, MARKED = "quasi-identifier", "too few terms could stand there as its string"
GUARANTEES = st.sampled_from(["published", "matching"])


def holds(original, release):
    return all(verdict.holds for verdict in sf.verify(original, release))


@settings(max_examples=150)
@given(
    TEXTS,
    TERMS,
    st.integers(1, 4),
    GUARANTEES,
    st.sampled_from(["shared", "star"]),
    st.booleans(),
    st.lists(st.text("abc", min_size=1, max_size=3), max_size=2),
)
def test_redact_is_the_definition_and_is_verified(
    texts, terms, k, guarantee, rare_lengths, whole_words, direct
):
    words = sf.TermDictionary(terms)
    k = min(k, len(words))
    try:
        release = sf.redact(
            texts, words, k, guarantee, direct or None, rare_lengths, whole_words=whole_words
        )
    except sf.CannotBeMet:
        assert guarantee == "published"
        return
    published = dict(zip(words.terms, release.sides.published, strict=True))
    if guarantee == "published":
        counts = Counter(published.values())
        sizes = Counter(map(len, terms))
        for term, string in published.items():
            assert counts[string] >= k or (rare_lengths == "star" and sizes[len(term)] < k)
    for text, new, number in zip(texts, release.data, range(9), strict=False):
        changes = list(release.changes.of_document(number))
        rebuilt, at = "", 0
        for change in changes:
            rebuilt += text[at : change.start] + change.replacement
            at = change.stop
        assert rebuilt + text[at:] == new
        if guarantee == "matching" or k == 1:
            assert_is_the_definition(text, changes, published, direct, whole_words)
    assert holds(texts, release)


def assert_is_the_definition(text, changes, published, direct, whole_words):
    """Blanks aside, which the definition does not know."""
    if "  " in text:
        return
    same_length = {  # the definition stars a pooled term in place
        term: string if len(string) == len(term) and set(string) != {"*"} else "*" * len(term)
        for term, string in published.items()
    }
    in_place = list(text)
    for change in changes:
        masked = set(change.replacement) <= {"*"}
        size = change.stop - change.start
        in_place[change.start : change.stop] = "*" * size if masked else change.replacement
    wordlike = is_wordlike if whole_words else None
    assert "".join(in_place) == oracle.redact(text, same_length, direct, wordlike)


@pytest.mark.parametrize("seed", range(14))
def test_every_place_has_k_candidates_in_a_whole_world(seed):
    """The definition of `published`: with the text around fixed, k fills are released alike."""
    chance = random.Random(seed)
    k, edge = chance.choice([2, 2, 3]), chance.choice(["", "-", " "])
    size = 6 if not edge else 5
    terms = {"".join(chance.choices("abc", k=chance.choice([1, 2, 2, 3, 3]))) for _ in range(12)}
    direct = ["".join(chance.choices("abc", k=2))] if seed % 4 == 0 else None
    texts = oracle.all_texts("abc" + edge, size)
    try:
        release = sf.redact(texts, sorted(terms), k, direct=direct, whole_words=False)
    except sf.CannotBeMet:
        assert direct  # the pooled terms hold a direct identifier
        return
    fills = oracle.fills(texts, release.data)
    tried = 0
    for change in release.changes:
        text = texts[change.document]
        if len(text) <= size - 2 and change.reason in (REPLACED, MARKED):  # longer fills are there
            tried += 1
            around = text[: change.start], text[change.stop :], release.data[change.document]
            assert len(fills[around]) >= k
    assert tried


@pytest.mark.parametrize(
    "written",
    ["Pine Street", "Pine\nStreet", "Pine   Street", "Pine\u00a0Street", "Pi\u00adne Street"],
)
def test_blanks_of_any_kind_part_the_words_of_a_term(written):
    terms = ["Pine Street", "Pine Strand", "Oak Road", "Oak Roof"]
    text = f"He moved to {written}, then away."
    release = sf.redact(text, terms, 2)
    assert release.data == "He moved to Pine Str***, then away."
    assert holds(text, release)
    assert not holds(text, replace(release, data=text))


def test_composed_letters_and_broken_lines_are_read_through():
    for text, terms in (
        ("Bei Mu\u0308ller war er", ["M\u00fcller", "M\u00fcllar"]),
        ("彼は東\n京へ", ["東京", "東西"]),
    ):
        release = sf.redact(text, terms, 2, rare_lengths="star")
        assert "*" in release.data
        assert holds(text, release)
        assert not holds(text, replace(release, data=text))


def test_both_readings_of_a_text_are_one():
    chance = random.Random(0)
    letters = [
        "a",
        " ",
        "\n",
        "\u00ad",
        "é",
        "e\u0301",
        "東",
        "の",
        "\u3000",
        "\u200b",
        "ｶ",
        "ﾞ",
        "서",
        "B",
    ]
    for _ in range(1500):
        text = "".join(chance.choices(letters, k=chance.randint(0, 9)))
        case, width = chance.random() < 0.5, chance.random() < 0.5
        laid = read([text], Folding(case, width))
        seen, begins, _ = Reading("*", case, width, True).folded(text)
        assert "".join(map(chr, laid.points)) == seen
        starts = range(len(text)) if laid.starts is None else laid.starts.tolist()
        assert list(starts) == list(begins)[:-1]


def test_a_string_that_overlaps_give_away_is_not_published():
    """東西 cannot stand before 都 where 西都 is a term; the others can, and are starred alike."""
    terms = ["東京", "東西", "京都", "京大", "西都", "西京", "北海", "北山"]
    for text in ("彼は東京都へ", "彼は東西都へ", "京都東京都"):
        release = sf.redact(text, terms, 2)
        assert holds(text, release)


def test_no_more_terms_join_the_pool_than_it_lacks():
    terms = [f"{one}{two}am" for one in "bcdfgh" for two in "aeiou"]
    words = sf.TermDictionary([*terms, "elephants"])
    pooled = [term for term in words.terms if words.publish(term, 2) == "***"]
    assert len(pooled) == 2
    assert "elephants" in pooled


def test_a_place_that_too_few_could_have_is_rejected():
    text, terms = "彼は北東京都へ", ["北東", "北海", "東京", "東西", "海東"]
    release = sf.redact(text, terms, 2)
    assert holds(text, release)
    strings = {"東京": "東*", "東西": "東*", "北東": "北*", "北海": "北*", "海東": "***"}
    sides = replace(release.sides, published=[strings[term] for term in release.sides.terms])
    for data in ("彼は北*京都へ", "彼は北***へ"):  # 北海 would make 海東 begin inside it
        assert not holds(text, replace(release, data=data, sides=sides))


@settings(max_examples=200)
@given(TEXTS, TERMS, GUARANTEES, st.data())
def test_a_term_put_back_is_rejected(texts, terms, guarantee, data):
    release = sf.redact(texts, terms, 2, guarantee)
    spans = [c for c in release.changes if c.reason == "quasi-identifier"]
    if not spans:
        return
    change = data.draw(st.sampled_from(spans))
    shift = sum(
        len(c.replacement) - (c.stop - c.start)
        for c in release.changes.of_document(change.document)
        if c.start < change.start
    )
    texts_now = list(release.data)
    text, start = texts_now[change.document], change.start + shift
    old = texts[change.document][change.start : change.stop]
    texts_now[change.document] = text[:start] + old + text[start + len(change.replacement) :]
    if old != change.replacement:
        assert not holds(texts, replace(release, data=texts_now))


@settings(max_examples=200)
@given(TEXTS, TERMS, st.booleans())
def test_verification_finds_every_occurrence(texts, terms, whole_words):
    def is_border(text, at):
        inside = 0 < at < len(text) and is_wordlike(text[at - 1]) and is_wordlike(text[at])
        return not whole_words or not inside

    expected = {
        (number, at, at + len(term), term)
        for number, text in enumerate(texts)
        for term in terms
        for at in range(len(text))
        if text.startswith(term, at) and is_border(text, at) and is_border(text, at + len(term))
    }
    found = list(term_places.occurrences(texts, terms, Reading("*", False, False, whole_words)))
    assert {(one.document, one.start, one.stop, one.term) for one in found} == expected
    assert len(found) == len(expected)


@settings(max_examples=150)
@given(
    st.lists(st.text("aAbBｂ", max_size=8), max_size=3),
    st.lists(st.text("aAbBｂ", min_size=1, max_size=3), min_size=4, max_size=9),
    st.booleans(),
    st.booleans(),
)
def test_folding_is_verified(texts, terms, case, width):
    words = sf.TermDictionary(terms, fold_case=case, fold_width=width)
    if len(words) < 2:
        return
    release = sf.redact(texts, words, 2)
    assert holds(texts, release)


def test_half_width_sound_marks_are_found_and_put_in_place():
    terms = ["バナナ", "バナス"]
    release = sf.redact("食べるﾊﾞﾅﾅと", terms, 2, fold_width=True)
    assert release.data == "食べるバナ*と"
    assert [(c.start, c.stop) for c in release.changes] == [(3, 7)]
    assert holds("食べるﾊﾞﾅﾅと", release)


def test_the_dictionarys_own_letters_are_written():
    release = sf.redact("a BOSTON b", ["Boston", "Bostom"], 2, fold_case=True)
    assert release.data == "a Bosto* b"
    assert holds("a BOSTON b", release)


@pytest.mark.parametrize("guarantee", ["published", "matching"])
def test_planted_violations_are_rejected(guarantee):
    terms = ["crew", "craw", "draw", "drew", "slow", "slew"]
    texts = ["The crew drew.", "A slow craw by Ann."]
    release = sf.redact(texts, terms, 2, guarantee, direct=["Ann"])
    assert holds(texts, release)
    other = {"The cr*w dr*w.": "The cre* dr*w."}
    for broken in (
        ["The crew dr*w.", release.data[1]],
        [release.data[0].replace("The", "Thy"), release.data[1]],
        [release.data[0] + "!", release.data[1]],
        [release.data[0]],
        [release.data[0], release.data[1].replace("***", "A**")],
        [other.get(release.data[0], "The *rew dr*w."), release.data[1]],
    ):
        assert not holds(texts, replace(release, data=broken))


@pytest.mark.parametrize("spoilt", ["too few", "not covering", "missing"])
def test_a_false_map_is_rejected(spoilt):
    terms = ["craw", "crew", "draw", "drew"]
    release = sf.redact(["no terms here"], terms, 2)
    strings = list(release.sides.published)
    if spoilt == "too few":
        strings[0] = "c*aw"
    if spoilt == "not covering":
        strings[:2] = ["xr*w", "xr*w"]
    if spoilt == "missing":
        strings.pop()
    sides = replace(release.sides, published=strings)
    if spoilt == "missing":
        with pytest.raises(ValueError):
            sf.verify(["no terms here"], replace(release, sides=sides))
        return
    assert not holds(["no terms here"], replace(release, sides=sides))


def test_matching_is_recounted_from_the_list_alone():
    texts = ["The crew drew."]
    for k in (2, 3):
        release = sf.redact(texts, ["crew", "craw", "draw", "drew"], k, "matching")
        sides = replace(release.sides, published=None)
        assert holds(texts, replace(release, sides=sides))
        shorter = replace(sides, terms=["crew", "drew"])
        assert not holds(texts, replace(release, sides=shorter))


def test_rare_lengths_are_recounted_without_a_map():
    texts = ["The crew, a crawl, drew."]
    release = sf.redact(texts, ["crew", "craw", "draw", "drew", "crawl"], 2, "matching")
    assert release.data == ["The cr*w, a ***, dr*w."]
    sides = replace(release.sides, published=None)
    assert holds(texts, replace(release, sides=sides))
