"""An attacker who has the release, its certificate and this code, and runs it on every candidate.

In small worlds all originals are tried. Those that give this very release with this very public
certificate are what the attacker cannot tell apart: a claim of k or t with fewer of them is broken.
"""

from __future__ import annotations

import contextlib
import itertools
from collections import Counter, defaultdict
from dataclasses import replace

import polars as pl
import pytest

import sfumato as sf
from adversarial.rerun import alike
from adversarial.worlds import BASE, INNER, LINKS

pytestmark = pytest.mark.filterwarnings("ignore")
TERMS = ["crew", "craw", "draw", "drew", "cr", "dr", "ox", "oxen"]


@pytest.fixture
def ontology(tmp_path):
    (tmp_path / "ontology.csv").write_text(LINKS)
    return tmp_path / "ontology.csv"


@pytest.mark.parametrize("t", [2, 3, 4, 5])
def test_as_many_words_are_published_alike_as_generalize_claims(t, ontology):
    world = [[f"has {word}"] for word in [*BASE, *INNER, "thing"]]
    groups = alike(world, lambda one: sf.generalize(one, t, ontology=ontology))
    assert sum(map(len, groups)) == len(world)
    assert min(map(len, groups)) >= t


@pytest.mark.parametrize("t", [2, 4])
def test_as_many_pairs_of_words_are_published_alike_as_generalize_claims(t, ontology):
    words = [*BASE, *INNER, "thing"]
    world = [[f"{one}, then {two}"] for one in words for two in words]
    groups = alike(world, lambda one: sf.generalize(one, t, ontology=ontology))
    assert min(map(len, groups)) >= t


@pytest.mark.parametrize("t", [2, 3, 4, 6])
def test_a_word_with_nothing_above_it_is_one_of_t(t, tmp_path):
    """Of several trees, one with a single word: masks stand for as many as general words do."""
    (tmp_path / "ontology.csv").write_text(LINKS + "desk,chattel\npair,set\nkit,set\nx1,\n")
    words = [*BASE, *INNER, "thing", "desk", "chattel", "pair", "kit", "set", "x1"]
    world = [[f"has an {word}"] for word in words]
    groups = alike(world, lambda one: sf.generalize(one, t, ontology=tmp_path / "ontology.csv"))
    assert sum(map(len, groups)) == len(world)
    assert min(map(len, groups)) >= t


def test_a_mask_in_place_of_a_known_word_is_rejected(ontology):
    """As version 0.1 wrote it: stars where the ontology's top word stood, and nowhere else."""
    release = sf.generalize("has thing", 4, ontology=ontology)
    assert release.data == "has thing"  # as of five others
    (change,) = release.changes
    (mark,) = release.sides.marks
    for general in (mark[4], -1, len(release.sides.ontology)):
        node = -1 if general == -1 else mark[3]
        old = replace(
            release,
            data="has ★",
            changes=type(release.changes).of([replace(change, replacement="★")]),
            sides=replace(release.sides, marks=[(*mark[:3], node, general)]),
        )
        assert not sf.verify("has thing", old)[0].holds
    alone = replace(old, sides=type(old.sides)(ontology=release.sides.ontology))
    assert not sf.verify("has thing", alone)[0].holds


@pytest.mark.parametrize("k", [2, 3, 4])
def test_as_many_terms_are_published_alike_as_redact_claims(k):
    world = [[f"the {one} and {two}"] for one in TERMS for two in TERMS]
    groups = alike(world, lambda one: sf.redact(one, TERMS, k))
    assert sum(map(len, groups)) == len(world)
    for group in groups:
        for place in (1, 3):
            assert len({one[0].split()[place] for one in group}) >= k


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("k", [2])
def test_no_starred_word_is_determined_by_the_method(k, strict):
    """A word that the world has beside three others of its length may be any of several."""
    words = ["ann", "bob", "cat", "dog"]
    world = [list(one) for one in itertools.product(words, repeat=3)]
    groups = alike(world, lambda one: sf.suppress(one, k, strict=strict))
    tried = 0
    for group in groups:
        shown = sf.suppress(group[0], k, strict=strict).data
        for place, text in enumerate(shown):
            if "★" in text:
                tried += 1
                assert len({one[place] for one in group}) > 1
            else:
                assert shown.count(text) >= k
    assert tried > 2


AGES = ([1, 2, 3, 4], [1, 1, 2, 3], [1, 1, 2, 2])
SCHEMA = {"columns": {"age": {"kind": "number"}, "result": {"role": "sensitive"}}}
KEYS = [bytes([one]) * 16 for one in range(5)]


def minimality(ages, **options):
    """Results that may give each release, people's ages being known, and the key if it is one."""
    keys = options.pop("keys", KEYS)
    groups = defaultdict(list)
    for results in itertools.product("ynm", repeat=4):
        table = pl.DataFrame({"age": ages, "result": list(results)})
        for key in keys:
            with contextlib.suppress(sf.SfumatoError):
                release = sf.anonymize(table, SCHEMA, k=2, l=2, key=key, **options)
                groups[str(sorted(release.data.rows()))].append(results)
    assert groups
    return groups.values()


def fewest_results(groups):
    return min(len({one[person] for one in group}) for group in groups for person in range(4))


@pytest.mark.parametrize("ages", AGES)
def test_who_knows_all_ages_and_runs_the_method_again_learns_nobodys_result(ages):
    """The minimality attack on l = 2, by somebody who lacks the key."""
    groups = minimality(ages)
    assert fewest_results(groups) >= 2
    for group in groups:  # nor is one likelier than its share in the class
        for person in range(4):
            counts = Counter(one[person] for one in group)
            assert max(counts.values()) <= 0.85 * len(group)


def test_classes_that_were_chosen_by_the_results_tell_them():
    """What `strata="chosen"` loses less costs this, and its claim says so."""
    groups = minimality([1, 2, 3, 4], strata="chosen", keys=KEYS[:1])
    assert fewest_results(groups) == 1
    table = pl.DataFrame({"age": [1, 1, 2, 3], "result": list("yyyn")})
    chosen = sf.anonymize(table, SCHEMA, k=2, l=2, strata="chosen")
    drawn = sf.anonymize(table, SCHEMA, k=2, l=2)
    assert any("runs the method again" in one for one in chosen.not_protected)
    assert any("runs the method again" in one for one in chosen.claims[1].assumptions)
    assert not any("runs the method again" in one for one in drawn.not_protected)
    assert drawn.claims[1].assumptions == ()


def test_releases_for_several_k_tell_no_more_than_the_weakest():
    """Intersected, nested releases are the one with the smallest k."""
    texts = [f"{name} has {ill}" for name in ("ann", "bob", "cy") for ill in ("flu", "flu", "gout")]
    releases = sf.suppress(texts, k=[2, 3, 5])
    for weak, strong in itertools.pairwise(sorted(releases)):
        for one, two in zip(releases[weak].data, releases[strong].data, strict=True):
            assert all(b in (a, "★") for a, b in zip(one, two, strict=True))


def test_two_releases_of_a_list_under_one_k_are_the_same():
    """Another seed shows no other part of a term, another key of `anonymize` no other cell."""
    texts = [f"the {one} left" for one in TERMS]
    data = [sf.redact(texts, TERMS, 2, seed=seed).data for seed in range(3)]
    assert data[0] == data[1] == data[2]
    table = pl.DataFrame({"age": [1, 2, 3, 4, 5, 6], "result": list("ynynyn")})
    rows = [
        sorted(sf.anonymize(table, SCHEMA, k=2, seed=0, key=key * 16).data.rows())
        for key in (b"a", b"b")
    ]
    assert rows[0] == rows[1]
