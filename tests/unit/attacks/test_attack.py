"""Attacks succeed on raw data, fail on a good release, and notice a planted leak."""

from __future__ import annotations

import json
import random

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.attacks.explanations import OF_TABLES, OF_TEXTS
from sfumato.attacks.run import NAMES, applicable

SENTENCES = (
    "seen today in the clinic with pain and fever",
    "no change since the last visit in spring",
    "takes the same tablets in the morning",
    "sleeps well and walks every day",
    "next visit in four weeks or earlier",
)


def clinic(people: int = 120, notes: int = 2, seed: int = 1) -> tuple[list[str], list[str]]:
    """Notes that share their sentences; each person has a name of their own."""
    rng = random.Random(seed)
    texts, groups = [], []
    for person in range(people):
        for _ in range(notes):
            first, second = rng.sample(SENTENCES, 2)
            texts.append(f"{first}. Patient name{person:03}x. {second}.")
            groups.append(f"p{person}")
    return texts, groups


TEXTS, GROUPS = clinic()
BY_NAME = ["linkage-rare", "linkage-words", "membership", "singling-out-word"]


@pytest.mark.parametrize("name", BY_NAME)
def test_an_attack_succeeds_on_raw_data_and_not_on_a_release(name):
    raw = sf.attack(TEXTS, TEXTS, [name], GROUPS)[0]
    assert raw.success > 0.9
    assert raw.is_above_control
    release = sf.suppress(TEXTS, k=5, groups=GROUPS)
    after = sf.attack(TEXTS, release, [name], GROUPS)[0]
    assert after.success < 0.2
    assert not after.is_above_control


@pytest.mark.parametrize("name", ["linkage-rare", "linkage-words", "singling-out-word"])
def test_a_planted_leak_is_noticed(name):
    release = sf.suppress(TEXTS, k=5, groups=GROUPS).data
    leaking = [one if i % 3 else TEXTS[i] for i, one in enumerate(release)]
    kept = sf.attack(TEXTS, release, [name], GROUPS)[0]
    leaked = sf.attack(TEXTS, leaking, [name], GROUPS)[0]
    assert leaked.success > kept.success + 0.1


@pytest.mark.parametrize("background", ["another", "part", TEXTS])
def test_every_background_gives_a_linkage(background):
    found = sf.attack(TEXTS, TEXTS, ["linkage-words"], GROUPS, background)[0]
    assert found.success > 0.9
    assert found.control is not None
    assert found.control < 0.2


def test_people_held_out_are_not_in_what_is_searched():
    from sfumato.attacks.scene import scenes

    watched = scenes(TEXTS, TEXTS, GROUPS, "part").folds[0]
    outside = watched.targets[watched.members :]
    seen = watched.people[watched.codes != 0]
    assert len(outside) == 24
    assert not np.isin(outside, seen).any()
    assert np.isin(watched.targets[: watched.members], seen).all()


def test_pairs_of_common_words_still_single_out():
    """What suppress does not protect: the combination of words that are common each."""
    rng = random.Random(3)
    words = [f"w{i}" for i in range(60)]
    texts = [" ".join(rng.sample(words, 6)) for _ in range(120)]
    release = sf.suppress(texts, k=5)
    single, pair = sf.attack(texts, release, ["singling-out-word", "singling-out-pair"])
    assert single.success < 0.1
    assert pair.success > 0.3


def test_no_pair_singles_out_where_k_people_show_every_pair():
    """The attacker has the whole release: in a part of it a pair that k share may be one's."""
    rng = random.Random(3)
    words = [f"w{i}" for i in range(20)]
    texts = [" ".join(rng.sample(words, 6)) for _ in range(120)]
    release = sf.suppress(texts, k=5, knows=2, common=1.0)
    single, pair = sf.attack(texts, release, ["singling-out-word", "singling-out-pair"])
    assert release.loss["unsuppressed_ratio"] > 0.1
    assert (single.success, pair.success) == (0, 0)


def test_stars_are_guessed_from_context_and_controls_do_without_the_release():
    texts = ["the cat sat on the mat", "the dog sat on the log"] * 30
    release = [text[:5] + "★" + text[6:] if i < 6 else text for i, text in enumerate(texts)]
    found = sf.attack(texts, release, ["reconstruction-symbols"])[0]
    assert found.trials == 6
    assert found.success == 1.0
    assert found.control == 1.0  # others' texts tell it as well
    assert found.baseline < 0.5
    alone = ["qzxw", *["abcd"] * 9]
    assert sf.attack(alone, ["qz★w", *alone[1:]], ["reconstruction-symbols"])[0].success == 0.0


def test_public_text_helps_to_fill_stars_in():
    texts = ["xaqby", "mmmmm", "nnnnn", "ooooo"]
    release = ["xa★by", *texts[1:]]
    name = ["reconstruction-symbols"]
    without = sf.attack(texts, release, name)[0]
    with_public = sf.attack(texts, release, name, public=["xaqby"])[0]
    assert (without.success, with_public.success) == (0.0, 1.0)


HOMES = [f"{who} lives in {street} Street and likes it" for who, street in zip(
    ("Ann", "Bob", "Eve", "Flo", "Gus", "Hal"), ("Elm", "Oak", "Elm", "Oak", "Elm", "Oak"),
    strict=True)]  # fmt: skip


def test_stars_over_blanks_are_read_through():
    release = [home.replace(" ", "★") for home in HOMES]
    found = sf.attack(HOMES, release, ["reconstruction"])[0]
    assert (found.success, found.detail["only_blanks"]) == (1.0, 1.0)
    assert found.detail["letters_of_fewer"] == 1.0  # every name is one person's


def test_words_are_written_back_where_others_tell_them():
    release = [home.replace("lives", "★★★★★") for home in HOMES]
    found = sf.attack(HOMES, release, ["reconstruction"])[0]
    assert (found.success, found.detail["words_restored"]) == (1.0, 1.0)
    names = ["★★★" + home[3:] for home in HOMES]
    found = sf.attack(HOMES, names, ["reconstruction"])[0]
    assert (found.success, found.detail["only_blanks"]) == (0.0, 0.0)
    assert sf.attack(HOMES, sf.suppress(HOMES, k=3), ["reconstruction"])[0].success == 0.0


def test_a_copy_of_the_passage_tells_what_a_star_hides():
    passage = "one two three four five six seven eight nine"
    texts = [passage, f"{passage} ten", *(f"four {i} six" for i in range(9))]
    release = [passage.replace("five", "★★★★"), *texts[1:]]
    found = sf.attack(texts, release, ["reconstruction"])[0]
    assert found.success == 1.0


def test_linkage_attacks_what_is_read_through():
    rng = random.Random(5)
    words = [f"w{i}" for i in range(40)]
    texts = [" ".join(rng.choices(words, k=30)) for _ in range(60)]
    release = [text.replace(" ", "★") for text in texts]
    found = sf.attack(texts, release, ["linkage-rare"])[0]
    assert found.detail["read_through"] > 0.9
    assert found.success == found.detail["read_through"] > found.detail["as_it_stands"]


def test_inversions_are_wrapped():
    texts = ["our crew left", "our crew left", "a craw bled"]
    release = sf.redact(texts, ["crew", "craw"], k=2)
    assert "redact-inversion" in applicable(texts, release)
    found = sf.attack(texts, release, ["redact-inversion"])[0]
    assert (found.trials, found.baseline, found.control) == (3, 0.5, pytest.approx(2 / 3))
    text = "aabaaacbcbbbaabbacaab" * 3
    for method, success in (("tfs", 1.0), ("tpm", 0.0)):
        hidden = sf.sanitize(text, ["baaa", "bbaa"], method)
        found = sf.attack(text, hidden)[0]
        assert found.name == "sanitize-inversion"
        assert found.success >= success
        assert (found.control is not None) == (found.trials > 0)


def test_results_are_deterministic_and_without_text():
    first = [one.as_dict() for one in sf.attack(TEXTS, TEXTS, None, GROUPS, seed=4)]
    second = [one.as_dict() for one in sf.attack(TEXTS, TEXTS, None, GROUPS, seed=4)]
    assert first == second
    assert "name0" not in json.dumps(first)
    assert {one["name"] for one in first} <= set(NAMES)


def test_empty_and_tiny_inputs_give_results():
    for texts in ([], [""], ["a"], ["a", "b"]):
        for one in sf.attack(texts, texts):
            assert 0 <= one.low <= one.success <= one.high <= 1


@pytest.mark.parametrize(
    "call",
    [
        lambda: sf.attack(["a"], ["a", "b"]),
        lambda: sf.attack(["a"], ["a"], ["telepathy"]),
        lambda: sf.attack(["a"], ["a"], groups=["x", "y"]),
        lambda: sf.attack(["a"], ["a"], background="everything"),
        lambda: sf.attack(["a"], ["a"], background=["x", "y"]),
        lambda: sf.attack(["a"], ["a"], sample=0),
        lambda: sf.attack(["a"], ["bb"], ["reconstruction"]),
        lambda: sf.attack(["a"], ["a"], ["redact-inversion"]),
        lambda: sf.attack(3, ["a"]),
    ],
)
def test_what_cannot_be_attacked_is_refused(call):
    with pytest.raises(sf.BadInput):
        call()


@pytest.mark.parametrize("many", [0, 3, 10**6])
def test_lists_added_one_by_one_or_together_give_the_same_matches(many, monkeypatch):
    from sfumato.attacks import linkage
    from sfumato.attacks.scene import scenes

    words = ["red", "wine", "old", "cars", "flu", "tea", "sea", "ice"]
    texts = [" ".join(words[(i * j) % 8] for j in range(1, 6)) for i in range(40)]
    watched = scenes(texts, texts, background=texts, sample=30).folds[0]
    usual = linkage.matches_by_words(watched)
    monkeypatch.setattr(linkage, "MANY", many)
    found = linkage.matches_by_words(watched)
    assert found.best == pytest.approx(usual.best)
    assert found.second == pytest.approx(usual.second)


def test_the_background_is_the_same_whatever_the_data_and_is_named():
    """One text of a person or two, grouped or not: always a part, unless another is asked for."""
    singles, people = clinic(60, 1)
    for texts, groups in ((TEXTS, GROUPS), (TEXTS, None), (singles, people)):
        for one in sf.attack(texts, texts, ["linkage-words", "membership"], groups):
            assert one.background == "50 words of a text of the person"
            assert one.control_of == "people held out of the data"
    asked = sf.attack(TEXTS, TEXTS, ["linkage-words"], GROUPS, "another")[0]
    assert asked.background == "another text of the person, which is not in the release"
    assert sf.attack(TEXTS, TEXTS, ["linkage-words"], GROUPS, TEXTS)[0].background.endswith("given")
    swept = sf.sweep(TEXTS, values=[2], attacks=["linkage-words"], groups=GROUPS)
    alone = sf.attack(TEXTS, sf.suppress(TEXTS, 2, groups=GROUPS), ["linkage-words"], GROUPS)
    assert swept.points[0].attacks == tuple(alone)
    assert swept.as_dict()["known"]["linkage-words"]["background"].startswith("50 words")
    assert "50 words" in swept.csv()


def test_too_few_people_have_no_control():
    few = sf.attack(TEXTS[:6], TEXTS[:6], ["linkage-words"], GROUPS[:6])[0]
    assert few.trials == 3
    assert few.verdict == "no control"
    nobody = sf.attack(TEXTS[::2], TEXTS[::2], ["linkage-words"], GROUPS[::2], "another")[0]
    assert nobody.verdict == "no trials"


def shuffled(texts, released, groups, seed):
    order = random.Random(seed).sample(range(len(texts)), len(texts))
    return [[one[i] for i in order] for one in (texts, released, groups)]


@pytest.mark.parametrize("background", ["part", "another", TEXTS])
def test_the_order_of_records_changes_no_figure(background):
    """Neither who is held out nor who wins a tie may depend on how a file is sorted."""
    release = sf.suppress(TEXTS, k=3, groups=GROUPS).data
    figures = []
    for seed in range(4):
        texts, released, groups = shuffled(TEXTS, release, GROUPS, seed)
        known = background
        if not isinstance(background, str):
            known = shuffled(TEXTS, background, GROUPS, seed)[1]
        figures.append(sf.attack(texts, released, None, groups, known))
    assert all(one == figures[0] for one in figures)


def test_few_people_are_held_out_in_turn():
    """Sixty people: who of them sets the bar is no lottery, because everybody helps to."""
    rng = random.Random(5)
    words = [f"w{i}" for i in range(30)]
    texts = [" ".join(rng.choices(words, k=12)) for _ in range(60)]
    found = [sf.attack(texts, texts, ["linkage-words"], seed=seed)[0] for seed in range(8)]
    assert {one.trials for one in found} == {60}
    assert {one.control_trials for one in found} == {60}
    shares = [one.success for one in found]
    assert max(shares) - min(shares) < 0.25


def test_a_tie_counts_as_often_as_chance_is_right():
    texts = ["red wine", "red wine", "old cars", "new bikes", "big boats", "low tides"]
    [found] = sf.attack(texts, texts, ["linkage-words"])
    assert found.detail["nearest_right"] == pytest.approx((4 + 2 * 0.5) / 6)


def test_a_large_crowd_is_held_out_once():
    from sfumato.attacks.scene import scenes

    texts = [f"word{i}" for i in range(100)]
    found = scenes(texts, texts, sample=20)
    assert len(found.folds) == 1
    assert found.members == 20
    few = scenes(texts, texts, sample=50)
    assert len(few.folds) == 2
    assert few.members == 50


def test_every_attack_is_explained_and_named_in_the_help():
    assert set(OF_TEXTS) == set(NAMES)
    table = pl.DataFrame({"a": [1]})
    with pytest.raises(sf.BadInput) as refused:
        sf.attack(table, table, ["whisper"])
    assert all(name in str(refused.value) for name in OF_TABLES)
