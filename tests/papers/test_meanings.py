"""Jiang, Murugesan, Clifton and Si, "t-Plausibility: Semantic Preserving Text Sanitization"."""

from __future__ import annotations

import math
from functools import partial

import pytest

import sfumato as sf
from oracles import meanings as oracle
from sfumato.methods.meanings.exact import exact_smallest, exact_uniform
from sfumato.methods.meanings.exhaustive import esearch_prune, uep
from sfumato.methods.meanings.ladders import ladder_of_node, ladder_of_volumes
from sfumato.methods.meanings.lub import lub_search
from sfumato.methods.meanings.plausibility import cost
from sfumato.metrics.meanings import similarity
from sfumato.ontologies import key_of, volume, wordnet
from sfumato.ontologies.csv import parse_csv

plausible = partial(sf.generalize, guarantee="plausible")  # the guarantee of the paper

WORDS = ["Sacramento", "marijuana", "lumbar pain", "liver cancer"]
FIGURE_1A = "A Sacramento resident purchased marijuana for the lumbar pain caused by liver cancer."

# Figure 2 with the volumes of the examples: state capital 4, capital 32, and 2 for the others.
LINKS = [
    ("Sacramento", "state capital"),
    *((f"state capital {i}", "state capital") for i in range(2, 5)),
    ("state capital", "capital"),
    *((f"capital {i}", "capital") for i in range(5, 33)),
    ("marijuana", "controlled substance"),
    ("ecstasy", "controlled substance"),
    ("controlled substance", "drug"),
    ("lumbar pain", "pain"),
    ("migraine", "pain"),
    ("liver cancer", "carcinoma"),
    ("lung cancer", "carcinoma"),
]
FIGURE_2 = parse_csv("child,parent\n" + "\n".join(",".join(link) for link in LINKS), "Figure 2")
PARENTS = {child: [parent] for child, parent in LINKS}


def figure_2_ladders():
    return [ladder_of_node(FIGURE_2, FIGURE_2.senses(key_of(w))[0], "leaves") for w in WORDS]


def test_volumes_of_figure_2():
    assert [ladder.volumes for ladder in figure_2_ladders()] == [
        (1, 4, 32),
        (1, 2, 2),
        (1, 2),
        (1, 2),
    ]


def test_example_1_domain_of_two_general_words():
    """Section III-A, Example 1: {controlled_substance, pain} has four base texts."""
    domains = [
        oracle.base_values(PARENTS, word, 1, "leaves") for word in ("marijuana", "lumbar pain")
    ]
    assert oracle.base_texts(domains) == {
        ("marijuana", "lumbar pain"),
        ("marijuana", "migraine"),
        ("ecstasy", "lumbar pain"),
        ("ecstasy", "migraine"),
    }
    assert math.prod(ladder.volumes[1] for ladder in figure_2_ladders()[1:3]) == 4


def test_example_2_the_optimum_of_t_pat_ties():
    """Section IV: {capital} and {state capital, drug, pain, carcinoma} both have |D| = 32."""
    ladders = figure_2_ladders()
    assert math.prod(x.volumes[j] for x, j in zip(ladders, (2, 0, 0, 0), strict=True)) == 32
    assert math.prod(x.volumes[j] for x, j in zip(ladders, (1, 1, 1, 1), strict=True)) == 32
    assert oracle.least_volume([ladder.volumes for ladder in ladders], 32) == 32
    # Of the two the one of lower uniform cost.
    assert esearch_prune(ladders, 32) == exact_smallest(ladders, 32) == (1, 1, 1, 1)


def test_example_3_entropies_and_costs():
    """Section IV-A: H(state_capital) = 2, H = 5, costs of about 2.34 (printed 2.33) and 0.09."""
    ladders = figure_2_ladders()
    assert ladders[0].entropies[1] == 2
    assert sum(ladder.entropies[1] for ladder in ladders) == 5
    assert cost([5, 0, 0, 0], 5, 0.5) == pytest.approx((15 / 4) ** 2 / 8 + 3 / 8 * (5 / 4) ** 2)
    assert cost([5, 0, 0, 0], 5, 0.5) == pytest.approx(2.34, abs=0.005)
    assert cost([2, 1, 1, 1], 5, 0.5) == pytest.approx((3 / 4) ** 2 / 8 + 3 / 8 * (1 / 4) ** 2)
    assert cost([2, 1, 1, 1], 5, 0.5) == pytest.approx(0.09, abs=0.005)
    for search in (uep, exact_uniform, lub_search):
        assert search(ladders, 5.0, 0.5) == (1, 1, 1, 1)


@pytest.mark.parametrize("objective", ["uniform", "smallest"])
@pytest.mark.parametrize("search", ["exact", "exhaustive", "lub"])
def test_figure_1c_with_figure_2(objective, search):
    release = plausible(
        FIGURE_1A, t=32, words=WORDS, ontology=FIGURE_2, objective=objective, search=search
    )
    assert release.data == (
        "A state capital resident purchased controlled substance for the pain caused by carcinoma."
    )
    assert release.loss["cost"] == (
        pytest.approx(0.09375) if objective == "uniform" else pytest.approx(32)
    )
    assert [verdict.holds for verdict in sf.verify(FIGURE_1A, release)] == [True]


@pytest.mark.parametrize("objective", ["uniform", "smallest"])
@pytest.mark.parametrize("search", ["exact", "exhaustive", "lub"])
def test_sentence_of_the_conclusion(objective, search):
    """Section VII, "using all approaches": t = 10, alpha = 0.5, WordNet; the sense by context."""
    note = "Uses marijuana for phantom limb pain"
    release = plausible(
        note,
        t=10,
        words=["marijuana", "phantom limb pain"],
        objective=objective,
        search=search,
        alpha=0.5,
    )
    assert release.data == "Uses soft drug for pain"
    assert sf.verify(note, release)[0].holds


def test_the_level_reading_does_not_give_that_sentence():
    """3 x 3 = 9 < 10 base texts when base values stand at the level of the word."""
    note = "Uses marijuana for phantom limb pain"
    words = ["marijuana", "phantom limb pain"]
    release = plausible(note, t=10, words=words, volume="level")
    assert release.data != "Uses soft drug for pain"
    assert plausible(note, t=9, words=words, volume="level").data == "Uses soft drug for pain"
    assert release.claims[0].parameters["volume"] == "level"


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_min_volume_1_is_the_paper_and_leaves_words_as_they_are():
    note = "From Sacramento with marijuana"
    release = plausible(
        note, t=56, words=["sacramento", "marijuana"], objective="smallest", min_volume=1
    )
    assert release.data == "From state capital with marijuana"
    assert "1 marked words stay as they are" in release.warnings
    assert sf.verify(note, release)[0].holds


def test_utility_of_the_example_with_tuberculosis():
    """Section VI-D: the paper's 0.75 against 0.5; the true cosines are 0.866 and 0.707."""
    ours, suppressed = similarity([1], [(1, 2)]), similarity([1], [(1, 0)])
    assert (ours.paper, suppressed.paper) == (pytest.approx(0.75), pytest.approx(0.5))
    d = {"diagnose": 1.0, "tb": 1.0}
    general = {"diagnose": 1.0, "tb": 0.5, "bird flu": 0.5}
    assert ours.cosine == pytest.approx(oracle.cosine(d, general)) == pytest.approx(0.866, abs=1e-3)
    assert suppressed.cosine == pytest.approx(oracle.cosine(d, {"diagnose": 1.0}))
    assert suppressed.cosine == pytest.approx(0.707, abs=1e-3)


@pytest.mark.parametrize(
    ("word", "sense", "general", "level", "leaves"),
    [
        ("marijuana", 1, "soft drug", 3, 5),
        ("phantom limb pain", 0, "pain", 3, 3),
        ("sacramento", 0, "state capital", 56, 56),
        ("sacramento", 0, "capital", 248, 254),
        ("lumbar pain", 0, "backache", 1, 1),
        ("lumbar pain", 0, "ache", 7, 9),
        ("lumbar pain", 0, "pain", 8, 55),
        ("liver cancer", 0, "liver disease", 4, 7),
        ("liver cancer", 0, "disease", 202, 459),
    ],
)
def test_volumes_of_wordnet(word, sense, general, level, leaves):
    table = wordnet()
    node = table.senses(word)[sense]
    distance = next(j for j, n in enumerate(table.path(node)) if general in table.words(n))
    assert volume(table, node, distance, "level") == level
    assert volume(table, node, distance, "leaves") == leaves


def test_lub_starts_where_the_print_would_end_unset():
    """A word without a level of log(t)/m takes its root; the others make up for it."""
    ladders = [ladder_of_volumes([1]), ladder_of_volumes([1, 2, 64])]
    assert lub_search(ladders, 5.0, 0.5) == (0, 2)
    assert lub_search(ladders, 7.0, 0.5) is None
