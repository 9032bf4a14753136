"""The attacker of `test_red_team`, against the settings that change what is claimed.

Every original of a small world is released; those with the same public files cannot be told apart.
What each setting promises must be true of every such group, or of what anybody counts in the
release.
"""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from dataclasses import replace

import polars as pl
import pytest

import sfumato as sf
from adversarial.rerun import KEY, alike
from adversarial.worlds import BASE, INNER, LINKS

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def ontology(tmp_path):
    (tmp_path / "ontology.csv").write_text(LINKS)
    return tmp_path / "ontology.csv"


def marked(words):
    """Texts of one word each, and the word as a span."""
    texts = [f"has {one}" for one in words]
    return texts, [sf.Span(i, 4, len(text), "LOCATION") for i, text in enumerate(texts)]


@pytest.mark.parametrize(("t", "k"), [(2, 2), (2, 3), (4, 2)])
def test_what_is_given_back_is_behind_no_general_word(t, k, ontology):
    """Had it stood there, it would be legible there."""

    def verb(words):
        texts, spans = marked(words)
        return sf.generalize(texts, t, words=spans, ontology=ontology, give_back=k)

    world = [list(one) for one in itertools.product(["flu", "cold", "asthma", "cough"], repeat=3)]
    groups, hidden, legible = alike(world, verb), 0, 0
    assert sum(map(len, groups)) == len(world)
    for group in groups:
        shown = verb(group[0]).data
        for place in range(3):
            words = {one[place] for one in group}
            if shown[place] == f"has {group[0][place]}":
                legible += 1
                assert shown.count(shown[place]) >= k
            else:
                hidden += 1
                assert len(words) >= t
    assert hidden
    assert legible


def test_a_base_value_that_was_given_back_is_rejected(ontology):
    """As version 0.2 gave it back: two have it in clear, so the third has the other word."""
    texts, spans = marked(["flu", "flu", "cold"])
    whole = sf.generalize(texts, 2, words=spans, ontology=ontology, give_back=2)
    assert whole.data == ["has infection"] * 3
    fair = sf.generalize(texts, 2, words=spans[2:], ontology=ontology, give_back=2)
    assert fair.data == [*texts[:2], "has infection"]  # nobody marked the others
    assert all(one.holds for one in sf.verify(texts, fair))
    old = replace(fair, sides=replace(fair.sides, given_back=[("LOCATION", "flu")]))
    verdicts = {one.claim.name: one for one in sf.verify(texts, old)}
    assert verdicts["given-back"].holds
    assert verdicts["t-plausibility"].reason == "a base value was given back elsewhere"


@pytest.mark.parametrize("segment", ["sentence", "paragraph"])
@pytest.mark.parametrize("t", [2, 3])
def test_every_segment_has_as_many_words_whatever_the_others_have(t, segment, ontology):
    """The words of the other segments are known to this attacker."""
    between = ". Then " if segment == "sentence" else "\n\nThen "
    every = [*BASE, *INNER, "thing"]
    world = [[f"Has {one}{between}{two}."] for one in every for two in every if one != two]

    def verb(texts):
        return sf.generalize(texts, t, ontology=ontology, segment=segment)

    def words(texts):
        return re.match(rf"Has (.*?){re.escape(between)}(.*)\.", texts[0]).groups()

    groups = alike(world, verb)
    assert sum(map(len, groups)) == len(world)
    for group in groups:
        pairs = list(map(words, group))
        for one, two in pairs:
            assert len({first for first, second in pairs if second == two}) >= t
            assert len({second for first, second in pairs if first == one}) >= t


def pieces(original, release):
    """What stood in place of every change of a document, in order."""
    return [original[one.start : one.stop] for one in release.changes.of_document(0)]


@pytest.mark.parametrize("number", range(4))
def test_terms_that_overlap_have_k_candidates_at_every_place(number):
    """Three letters that need no blank between words: terms may begin and end anywhere."""
    chance = random.Random(number)
    letters = "北東京"
    every = ["".join(one) for n in (1, 2, 3) for one in itertools.product(letters, repeat=n)]
    terms = chance.sample(every, 7)
    world = ["".join(one) for n in range(1, 6) for one in itertools.product(letters, repeat=n)]

    def verb(text):
        return sf.redact(text, terms, 2)

    groups = alike(world, verb)
    tried = 0
    for group in groups:
        if min(map(len, group)) > 3:
            continue  # longer candidates are not in this world
        made = [pieces(one, verb(one)) for one in group]
        for place in range(len(made[0])):
            tried += 1
            assert len({one[place] for one in made if place < len(one)}) >= 2
    assert tried


@pytest.mark.parametrize("rare", ["shared", "star"])
@pytest.mark.parametrize("k", [2, 3])
def test_terms_beside_direct_identifiers_have_k_candidates(k, rare):
    terms = ["crew", "craw", "draw", "drew", "ann lee", "ann"]
    names = ["ann", "lee"]
    words = [*terms[:4], *names, "has"]
    world = [f"{one} {two}" for one in words for two in words]

    def verb(text):
        return sf.redact(text, terms, k, direct=names, rare_lengths=rare)

    groups = alike(world, verb)
    tried = 0
    for group in groups:
        shown = verb(group[0]).data
        assert not re.search(r"\b(ann|lee|crew|craw|draw|drew)\b", shown)
        for place in (0, 1):
            if group[0].split()[place] in terms[:4]:
                tried += 1
                assert len({one.split()[place] for one in group}) >= k
    assert tried


@pytest.mark.parametrize("k", [2, 3])
def test_matching_strings_are_matched_by_k_terms(k):
    """The paper's guarantee: counted by the definition, terms of rare lengths as pooled."""
    terms = ["crew", "craw", "draw", "drew", "cr", "dr", "ox", "oxen", "cow", "cob", "rob"]
    for term in terms:
        release = sf.redact(term, terms, k, guarantee="matching", rare_lengths="star")
        pattern = re.compile(release.data.replace("*", "."))
        assert sum(pattern.fullmatch(one) is not None for one in terms) >= k


WORDS = ["ann", "bob", "cat"]
SETTINGS = {
    "default": {},
    "reach 1": {"reach": 1},
    "reach 2": {"reach": 2},
    "in the original": {"strict": False},
    "certain guesses": {"guess": 1.0},
    "any guess": {"guess": 0.1},
    "knows one": {"knows": 1, "common": 0.6},
    "knows two": {"knows": 2, "common": 0.6, "reach": 1},
    "copies once": {"copies": "once"},
    "collapsed": {"collapse": True},
    "paper": {"guess": None},
    "paper, in the release": {"guess": None, "strict": True},
    "words": {"unit": "word"},
}


def phrases(text, reach):
    """The legible phrases of a release's text, by its words, of so many words at most."""
    for stretch in re.split("★[★ ]*", text):
        words = stretch.split()
        for size in range(1, min(reach, len(words)) + 1):
            yield from {" ".join(words[i : i + size]) for i in range(len(words) - size + 1)}


@pytest.mark.parametrize("name", SETTINGS)
def test_whoever_counts_in_a_release_finds_k_texts_or_none(name):
    """By the words of its claim; and what is public beside the data tells no more than the data."""
    given, k = SETTINGS[name], 2
    lines = [" ".join(one) for one in itertools.product(WORDS, repeat=2)]
    world = [list(one) for one in itertools.product(lines, repeat=3)]
    chance = random.Random(0)
    seen, shown_at_all = {}, 0
    for texts in chance.sample(world, 120):
        release = sf.suppress(texts, k, **given)
        assert all(one.holds for one in sf.verify(texts, release))
        stated = release.certificate(key=KEY)
        stated.pop("hashes")
        assert seen.setdefault(tuple(release.data), stated) == stated
        counted = release.data if release.claims[0].parameters["strict"] else texts
        reach = given.get("reach", 99)
        for text in release.data:
            for phrase in phrases(text, reach):
                shown_at_all += 1
                holds = re.compile(rf"(?<!\w){phrase}(?!\w)")
                assert sum(holds.search(one) is not None for one in counted) >= k
        if "knows" in given:
            must_hide_sets(release.data, k, given["knows"], given["common"])
    assert shown_at_all
    assert len(seen) > 3


def must_hide_sets(data, k, knows, common):
    shown = [set(re.findall(r"\w+", text)) for text in data]
    counts = Counter(word for one in shown for word in one)
    rare = {w for w, n in counts.items() if not (n > common * len(data) and n >= k)}
    for one in shown:
        for size in range(1, knows + 1):
            for known in itertools.combinations(sorted(one & rare), size):
                assert sum(set(known) <= other for other in shown) >= k


SCHEMA = {
    "person": "who",
    "person_number": False,
    "columns": {
        "age": {"kind": "number"},
        "sex": {"kind": "category"},
        "note": {"kind": "text"},
    },
}
PEOPLE = [(age, sex, f"Saw {town}.") for age in (30, 40) for sex in "mf" for town in ("Ulm", "Rom")]


@pytest.mark.parametrize("partitioner", ["clusters", "mondrian", "gdf"])
@pytest.mark.parametrize("terms", ["suppress", "generalize"])
def test_people_with_texts_are_alike_and_nothing_beside_tells_them_apart(partitioner, terms):
    """Every table of four people: rows of a class are the same, also what their notes show."""
    given = {"terms": terms, "recognizer": towns, "key": KEY}
    chance, seen = random.Random(1), {}
    world = list(itertools.combinations_with_replacement(PEOPLE, 4))
    for people in chance.sample(world, 40):
        table = pl.DataFrame(
            [(f"p{i}", *one) for i, one in enumerate(people)],
            schema=["who", "age", "sex", "note"],
            orient="row",
        )
        release = sf.anonymize(table, SCHEMA, 2, partitioner, **given)
        assert all(one.holds for one in sf.verify(table, release))
        rows = sorted(release.data.rows())
        assert min(Counter(rows).values()) >= 2
        stated = release.certificate(key=KEY)
        for keyed in ("hashes", "key_stretching", "release_sha256"):
            stated.pop(keyed, None)
        assert seen.setdefault(str(rows), stated) == stated
        again = sf.anonymize(table.reverse(), SCHEMA, 2, partitioner, **given)
        assert sorted(again.data.rows()) == rows  # the order of the input is not told
    assert len(seen) > 4


def towns(texts, *_, **__):
    return [
        sf.Span(i, found.start(), found.end(), "LOCATION")
        for i, text in enumerate(texts)
        for found in re.finditer("Ulm|Rom", text)
    ]


WHERE = ["Ulm", "Rom", "Bonn"]
SEEN = [" ".join(some) for size in (0, 1, 2) for some in itertools.combinations(WHERE, size)]


def places(texts):
    expression = re.compile("|".join(WHERE))
    return [
        sf.Span(i, one.start(), one.end(), "LOCATION")
        for i, text in enumerate(texts)
        for one in expression.finditer(text)
    ]


@pytest.mark.parametrize("partitioner", ["clusters", "mondrian"])
@pytest.mark.parametrize("knows", [1, 2])
def test_who_knows_columns_and_terms_finds_k_people_or_nobody(knows, partitioner):
    """Tables of a small world; equal releases have equal certificates, whatever was withheld.

    That a row has a placeholder at all is not protected, and said to be.
    """
    schema = {**SCHEMA, "columns": {"age": {"kind": "number"}, "note": {"kind": "text"}}}
    chance, seen, shown = random.Random(knows), {}, 0
    for _ in range(25):
        people = [(chance.choice([30, 31, 60]), f"saw {chance.choice(SEEN)}.") for _ in range(6)]
        table = pl.DataFrame(
            [(f"p{i}", *one) for i, one in enumerate(people)],
            schema=["who", "age", "note"],
            orient="row",
        )
        k = chance.choice([2, 3])
        given = {"recognizer": places, "knows": knows, "key": KEY}
        release = sf.anonymize(table, schema, k, partitioner, **given)
        assert all(one.holds for one in sf.verify(table, release))
        assert any("placeholders" in one for one in release.not_protected)
        rows = sorted(release.data.select("age", "note").rows())
        for age in {age for age, _ in rows}:
            told = [set(re.findall("|".join(WHERE), note)) for other, note in rows if other == age]
            assert len(told) >= k
            for one in told:
                shown += len(one)
                for known in itertools.combinations(sorted(one), min(knows, len(one))):
                    assert sum(set(known) <= other for other in told) >= k
        stated = release.certificate(key=KEY)
        for keyed in ("hashes", "key_stretching", "release_sha256"):
            stated.pop(keyed, None)
        assert seen.setdefault(str((k, rows)), stated) == stated
    assert shown
