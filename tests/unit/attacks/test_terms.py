"""Inverting the dictionary, and guessing by context."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import sfumato as sf
from sfumato.attacks.terms import guess_by_context, invert, invert_release
from sfumato.core.release import Sides

# craw has two words at one star; crew's best pattern is matched by craw, which takes another.
WORDS = ["crew", "craw", "clew", "claw", "slaw", "flaw"]


def test_matching_can_be_inverted_and_published_cannot():
    random.seed(3)
    words = {"".join(random.choices("abcd", k=5)) for _ in range(200)}
    dictionary = sf.TermDictionary(words)
    for k in (2, 5):
        strings = {
            guarantee: [dictionary.publish(word, k, guarantee) for word in words]
            for guarantee in ("matching", "published")
        }
        assert invert(strings["matching"], k).exposed_share > 0
        assert invert(strings["published"], k).exposed == 0
        assert invert(strings["published"], k).fewest >= k


def test_a_release_is_inverted_by_its_own_map():
    release = sf.redact("a crew", WORDS, k=2, guarantee="matching")
    found = invert_release(release)
    assert found.strings >= 1
    assert found.exposed_terms <= len(WORDS)
    with pytest.raises(sf.BadInput):
        invert_release(replace(release, sides=Sides()))


def test_context_tells_what_stands_there():
    texts = ["the ship's crew sailed"] * 3 + ["a bird's craw bled"] * 3
    found = guess_by_context(sf.redact(texts, ["crew", "craw"], k=2))
    assert (found.guessed, found.right, found.chance) == (6, 6, 0.5)


def test_without_other_documents_there_is_no_evidence():
    found = guess_by_context(sf.redact(["the ship's crew sailed"], ["crew", "craw"], k=2))
    assert (found.guessed, found.right) == (1, 0)  # craw comes first in the order of ties


def test_nothing_replaced_is_nothing_guessed():
    assert guess_by_context(sf.redact(["none"], ["crew", "craw"], k=2)).right_share == 0


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_running_generalize_again_finds_t_base_texts_of_published_texts():
    texts = ["Had tuberculosis and leprosy.", "A dental procedure", "nothing", "two headaches"]
    words = ["tuberculosis", "leprosy", "dental procedure", "headache"]
    found = {}
    for guarantee in ("published", "plausible"):
        release = sf.generalize(texts, t=16, words=words, guarantee=guarantee)
        (found[guarantee],) = sf.attack(texts, release, ["generalize-inversion"])
    assert found["published"].success == 0
    assert found["published"].trials == 3
    assert found["published"].detail["fewest_base_texts"] >= 16
    assert found["plausible"].success > 0


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_running_generalize_again_knows_the_frequencies(tmp_path):
    few, many = ["ant", "bee", "cat", "dog"], ["fir", "elm", "oak", "yew", "ash", "ivy"]
    rows = [f"{one},small" for one in few] + [f"{one},large" for one in [*many, "small"]]
    ontology = tmp_path / "things.csv"
    ontology.write_text("\n".join(["child,parent", *rows]))
    common = dict.fromkeys(["ant", *many], 1000.0) | {"bee": 1.0, "cat": 1.0, "dog": 1.0}
    options = {"words": [*few, *many], "ontology": ontology, "guarantee": "plausible"}
    plain = sf.generalize("an ant came", t=3, **options)
    weighed = sf.generalize("an ant came", t=3, frequencies=common, **options)
    assert (plain.data, weighed.data) == ("a small came", "a large came")
    (found,) = sf.attack("an ant came", weighed, ["generalize-inversion"])
    assert found.detail["fewest_base_texts"] >= 1  # the text itself is one
