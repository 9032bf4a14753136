"""The dictionary of terms: what it is made of, what it saves, what additions change."""

from __future__ import annotations

import stat
from collections import Counter
from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from oracles import terms as oracle
from sfumato.methods.terms import Pattern, dictionary_file
from sfumato.methods.terms.term_list import TermList

WORDS = ["crew", "craw", "draw", "drew", "crawl", "drawl", "brawl"]


@pytest.mark.parametrize(
    "given",
    [
        WORDS,
        tuple(WORDS),
        set(WORDS),
        iter(WORDS),
        [*WORDS, "crew", "", None],
        pd.Series([*WORDS, None]),
        pl.Series(WORDS),
        pa.array(WORDS),
        np.array(WORDS),
    ],
    ids=lambda given: type(given).__name__,
)
def test_every_kind_of_list_gives_the_same_dictionary(given):
    words = sf.TermDictionary(given)
    assert len(words) == len(WORDS)
    assert sorted(words.terms) == sorted(WORDS)
    assert all(word in words for word in WORDS)
    assert "docs" not in words


def test_a_file_has_one_term_a_line(tmp_path):
    path = tmp_path / "words.txt"
    path.write_bytes("\ufeffcrew\r\n\r\n craw \ndraw\ndrew".encode())
    assert list(sf.TermDictionary(path).terms) == ["craw", "crew", "draw", "drew"]
    assert list(sf.TermDictionary(str(path)).terms) == ["craw", "crew", "draw", "drew"]
    path.write_bytes(b"caf\xe9")
    with pytest.raises(sf.BadInput, match="byte 3"):
        sf.TermDictionary(path)


@settings(max_examples=150)
@given(
    st.lists(st.text("abé𝒳\ud800", min_size=1, max_size=4), min_size=1, max_size=10, unique=True),
    st.integers(1, 3),
)
def test_patterns_are_the_definition(terms, least):
    words = sf.TermDictionary(terms, min_matches=least)
    for term in terms:
        found = {p.text: (p.matches, p.redacted) for p in words.patterns(term)}
        assert found == oracle.dictionary(term, terms, least)


def test_patterns_are_an_immutable_sequence():
    patterns = sf.TermDictionary(WORDS).patterns("crew")
    assert patterns[-1] == list(patterns)[-1]
    assert list(patterns[1:3]) == list(patterns)[1:3]
    assert Pattern("cr*w", 2, 1) in patterns
    with pytest.raises(TypeError):
        patterns[0] = patterns[1]
    order = [(p.redacted, p.matches) for p in patterns]
    assert order == sorted(order)


@settings(max_examples=60)
@given(
    st.lists(st.text("ab", min_size=6, max_size=6), min_size=2, max_size=7, unique=True),
    st.integers(2, 4),
)
def test_of_long_terms_the_minimal_star_sets_are_listed(ends, least):
    head = "x" * 34
    terms = [head + end for end in ends]
    words = sf.TermDictionary(terms, min_matches=least)
    for end, term in zip(ends, terms, strict=True):
        found = {
            frozenset(i - 34 for i, letter in enumerate(p.text) if letter == "*")
            for p in words.patterns(term)
        }
        short = oracle.minimal_star_sets("x" + end, ["x" + other for other in ends], least)
        assert found == {frozenset(i - 1 for i in stars) for stars in short}
        sizes = [p.redacted for p in words.patterns(term)]
        assert sizes == sorted(sizes)


def test_one_near_neighbour_of_a_long_term_is_found_at_once():
    words = sf.TermDictionary(["a" * 40, "a" * 39 + "b"])
    assert list(words.patterns("a" * 40)) == [Pattern("a" * 39 + "*", 2, 1)]
    assert words.publish("a" * 40, k=2) == "a" * 39 + "*"
    assert words.tradeoff("a" * 40).rows() == [(0, 1), (1, 2)]


def test_one_character_terms():
    words = sf.TermDictionary(["a", "b", "c"])
    assert list(words.patterns("a")) == []
    assert words.publish("a", k=2) == "*"
    assert words.publish("a", k=1) == "a"


def test_rare_lengths_share_one_string_or_are_starred():
    words = sf.TermDictionary([*WORDS, "a", "bb", "longest"])
    assert {words.publish(w, k=3) for w in ("a", "bb", "longest")} == {"***"}
    assert words.publish("longest", k=3, rare_lengths="star") == "*" * 7
    assert words.publish("crawl", k=3) == "*rawl"


def test_fewer_than_k_terms_cannot_be_met():
    with pytest.raises(sf.CannotBeMet) as caught:
        sf.TermDictionary(["crew", "craw"]).publish("crew", k=3)
    assert caught.value.exit_code == 3


@settings(max_examples=100)
@given(
    st.lists(st.text("ab", min_size=1, max_size=4), min_size=4, max_size=12, unique=True),
    st.lists(st.text("abc", min_size=1, max_size=4), max_size=12, unique=True),
    st.sampled_from(["published", "matching"]),
    st.sampled_from(["shared", "star"]),
)
def test_added_terms_change_no_string(terms, more, guarantee, rare_lengths):
    words = sf.TermDictionary(terms)
    before = {term: words.publish(term, 2, guarantee, rare_lengths) for term in terms}
    try:
        larger = words.add(more)
    except sf.CannotBeMet:
        return
    every = sorted({*terms, *more})
    after = {term: larger.publish(term, 2, guarantee, rare_lengths) for term in every}
    assert {term: after[term] for term in terms} == before
    text = " ".join(every)
    release = sf.redact(text, larger, 2, guarantee, rare_lengths=rare_lengths)
    assert all(verdict.holds for verdict in sf.verify(text, release))
    if guarantee == "published" and rare_lengths == "shared":
        assert min(Counter(after.values()).values()) >= 2


def test_saved_and_loaded(tmp_path):
    path = tmp_path / "words.dictionary"
    words = sf.TermDictionary([*WORDS, "\ud800x", "é"], min_matches=3, fold_case=True)
    strings = {term: words.publish(term, k=2) for term in words.terms}
    words.publish("crew", k=3, guarantee="matching")
    words.save(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    loaded = sf.TermDictionary.load(path)
    assert list(loaded.terms) == list(words.terms)
    assert (loaded.min_matches, loaded.folding) == (3, words.folding)
    assert isinstance(loaded.terms.classes[0].base, np.memmap)
    assert {term: loaded.publish(term, k=2) for term in loaded.terms} == strings
    text = "A CREW and a crawl."
    assert sf.redact(text, loaded, k=2).data == sf.redact(text, words, k=2).data
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == path.read_bytes()


def test_an_old_file_whose_terms_are_not_composed_is_refused(tmp_path, monkeypatch):
    """Version 0.1 kept decomposed letters, which are found no more: they must not stay in clear."""
    dumps = dictionary_file.json.dumps
    monkeypatch.setattr(
        dictionary_file.json, "dumps", lambda header: dumps({**header, "composed": False})
    )
    for terms, is_usual in (
        (["Jose\u0301", "Jana\u0301"], False),
        (["Jos\u00e9", "Jan\u00e9"], True),
    ):
        words = sf.TermDictionary(["x", "y"])
        words.terms = TermList.of(terms)
        words.save(tmp_path / "words")
        if is_usual:
            assert list(sf.TermDictionary.load(tmp_path / "words").terms) == sorted(terms)
            continue
        with pytest.raises(sf.BadInput, match="decomposed"):
            sf.TermDictionary.load(tmp_path / "words")


def test_a_damaged_file_is_refused(tmp_path):
    path = tmp_path / "words.dictionary"
    sf.TermDictionary(WORDS).save(path)
    content = bytearray(path.read_bytes())
    for at in (20, 70, len(content) - 1):
        broken = bytearray(content)
        broken[at] ^= 1
        path.write_bytes(broken)
        with pytest.raises(sf.BadInput, match="damaged"):
            sf.TermDictionary.load(path)
    for other in (b"", b"no dictionary at all" * 9):
        path.write_bytes(other)
        with pytest.raises(sf.BadInput):
            sf.TermDictionary.load(path)
    with pytest.raises(sf.BadInput):
        sf.TermDictionary.load(tmp_path / "absent")


def test_tradeoff_of_the_list():
    words = sf.TermDictionary(["".join(letters) for letters in product("abc", repeat=3)])
    frame = words.tradeoff(ks=[2, 3, 50])
    assert frame["k"].to_list() == [2, 2, 3, 3]
    assert frame.filter(pl.col("k") == 3)["stars"].to_list() == [27, 27]
    assert frame.filter(pl.col("k") == 3)["mean_sharers"].to_list()[0] == 3
    chart = words.tradeoff_plot(ks=[2])
    assert chart["encoding"]["x"]["field"] == "k"
    assert len(chart["data"]["values"]) == 2


def test_masks():
    words = sf.TermDictionary(WORDS)
    assert words.publish("crew", k=2, mask="★").count("★") == 1
    for mask in ("c", "", "**"):
        with pytest.raises(sf.BadInput):
            words.publish("crew", k=2, mask=mask)
    with pytest.raises(sf.BadInput, match="document 1"):
        sf.redact(["a", "b*"], words, k=2)
    assert sf.redact(["a", "b*"], words, k=2, mask=["*", "★"]).parameters["mask"] == "★"


def test_a_term_that_begins_with_a_combining_mark_is_refused():
    """The mark is part of the letter before it and stands nowhere by itself."""
    for term in ("\u0301", "\u0308M"):
        with pytest.raises(sf.BadInput, match="begins with a combining mark") as refused:
            sf.redact(["e\u0301"], ["e\u0301", term], k=1)
        assert "terms, term 2" in str(refused.value)
