"""The examples of Maeda, Suzuki and Nakamura, Fast Text Anonymization using k-anonymity."""

from __future__ import annotations

import io
import random
from collections import Counter

import pytest
import zstandard

import sfumato as sf
from sfumato.attacks.terms import invert
from sfumato.methods.terms import Pattern

# Section 3 names the words crew, draw, crawl, docs, cram, clew and cell.
WORDS = ["crew", "draw", "crawl", "docs", "cram", "clew", "cell"]


def test_section_3_crew_has_14_patterns_with_stars_and_itself():
    patterns = sf.TermDictionary(WORDS, min_matches=1).patterns("crew")
    listed = "*rew c*ew cr*w cre* **ew c**w cr** *r*w *re* c*e* ***w c*** *r** **e*"  # Section 3
    assert " ".join(sorted({p.text for p in patterns} - {"crew"})) == " ".join(
        sorted(listed.split(" "))
    )
    assert len(patterns) == 2**4 - 1


def test_table_2_has_13_of_them_because_c_ew_is_left_out():
    words = [*WORDS, "craw", "brew", "cred", "crez"]  # so that the rows of one star have company
    patterns = {p.text: p for p in sf.TermDictionary(words).patterns("crew")}
    assert patterns["cr*w"] == Pattern("cr*w", matches=2, redacted=1)
    assert patterns["*rew"] == Pattern("*rew", matches=2, redacted=1)
    assert patterns["cre*"] == Pattern("cre*", matches=3, redacted=1)
    assert patterns["c*ew"] == Pattern("c*ew", matches=2, redacted=1)  # clew; not in Table 2


def test_step_1_2_terms_of_other_lengths_do_not_count():
    words = sf.TermDictionary(WORDS, min_matches=1)
    first = {p.text: p.matches for p in words.patterns("crew")}["c***"]
    assert first == 4  # crew, cram, clew, cell; crawl has another length


def test_step_3_the_fewest_characters_are_redacted():
    words = sf.TermDictionary([word for word in WORDS if len(word) == 4])
    assert words.publish("crew", k=2, guarantee="matching") == "c*ew"
    assert words.publish("crew", k=3, guarantee="matching") == "c***"
    assert sf.redact("The crew and a cell.", words, 3, "matching").data == "The c*** and a c***."


def test_the_hole_in_the_guarantee():
    """cr*w matches crew and craw, but craw may be published as c*aw: then cr*w means crew."""
    words = sf.TermDictionary(["crew", "craw", "chaw", "claw"])
    matching = {w: words.publish(w, 2, "matching") for w in words.terms}
    assert matching["crew"] == "cr*w"
    assert matching["craw"] == "c*aw"
    assert list(matching.values()).count("cr*w") == 1
    published = [words.publish(w, 2) for w in words.terms]
    assert all(published.count(string) >= 2 for string in published)


@pytest.mark.data
def test_on_a_real_list_matching_is_inverted_and_published_is_not(data_folder):
    """A list like that of Section 4.1, a part of it."""
    with (data_folder / "ja_terms.tsv.zst").open("rb") as file:
        lines = io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(file), "utf-8")
        listed = [line.partition("\t")[0] for line in lines]
    terms = random.Random(0).sample(listed, 60_000)
    words = sf.TermDictionary(terms)
    mask = "\ue000"
    strings = {
        guarantee: list(sf.redact("", words, 5, guarantee, mask=mask).sides.published)
        for guarantee in ("matching", "published")
    }
    assert invert(strings["matching"], 5).exposed_share > 0.1
    assert invert(strings["published"], 5).exposed == 0
    stars = {name: Counter("".join(made))[mask] for name, made in strings.items()}
    assert stars["matching"] <= stars["published"] <= 1.15 * stars["matching"]
