from __future__ import annotations

import json

import pytest

import sfumato as sf
from sfumato.core.spans import Gold
from sfumato.metrics.masked_symbols import masked

TEXTS = ["Ann Ho, 44, has flu. Ann rests.", "Bob Li has flu."]
GOLD = [
    [
        {"start": 0, "end": 6, "label": "PERSON", "id_type": "DIRECT", "entity_id": "e1"},
        {"start": 21, "end": 24, "label": "PERSON", "id_type": "DIRECT", "entity_id": "e1"},
        {"start": 8, "end": 10, "label": "AGE", "id_type": "QUASI"},
    ],
    [{"start": 0, "end": 6, "label": "PERSON", "id_type": "DIRECT"}],
]


def test_an_entity_counts_only_when_all_its_mentions_are_masked():
    half = ["★★★ ★★, 44, has flu. Ann rests.", "★★★ ★★ has flu."]
    whole = ["★★★ ★★, 44, has flu. ★★★ rests.", "★★★ ★★ has flu."]
    first, second = (sf.evaluate(TEXTS, data, GOLD).entities for data in (half, whole))
    assert (first.direct_recall, second.direct_recall) == (0.5, 1.0)
    assert first.quasi_recall == second.quasi_recall == 0.0
    assert first.mention_recall == 0.5


def test_information_content_weighs_what_was_masked_for_nothing():
    rare = sf.evaluate(TEXTS, [TEXTS[0].replace("rests", "★★★★★"), "★★★ ★★ has flu."], GOLD)
    common = sf.evaluate(TEXTS, [TEXTS[0].replace("flu", "★★★"), "★★★ ★★ has flu."], GOLD)
    assert rare.entities.precision == common.entities.precision
    assert rare.entities.weighted_precision < common.entities.weighted_precision


def test_replaced_words_are_found_with_and_without_the_changes():
    release = sf.pseudonymize(
        ["Dr. Ann Ho saw Mr. Li on 06/17/2021."], key="a key of sixteen bytes"
    )
    text = ["Dr. Ann Ho saw Mr. Li on 06/17/2021."]
    by_changes, by_words = masked(text, release)[0], masked(text, release.data)[0]
    assert (by_words <= by_changes).all()
    assert by_words[4:7].all()


def test_gold_comes_as_spans_dictionaries_or_presidio():
    release = ["★★★ ★★, ★★, has flu. ★★★ rests.", "★★★ ★★ has flu."]
    spans = [
        sf.Span(document, one["start"], one["end"], one["label"])
        for document, some in enumerate(GOLD)
        for one in some
    ]
    presidio = [
        [{"entity_type": one["label"], "start": one["start"], "end": one["end"]} for one in some]
        for some in GOLD
    ]
    marked = [
        Gold(one.document, one.start, one.stop, one.label, role="quasi" if i == 2 else "direct")
        for i, one in enumerate(spans)
    ]
    for gold in (GOLD, spans, presidio, marked):
        found = sf.evaluate(TEXTS, release, gold)
        assert (found.tokens.recall, found.entities.direct_recall) == (1.0, 1.0)
        assert found.entities.quasi_recall == 1.0


def test_a_classifier_learns_less_from_a_release_without_words():
    texts = [f"{'wine and bread' if i % 2 else 'cars and roads'} number {i}" for i in range(200)]
    labels = ["food" if i % 2 else "travel" for i in range(200)]
    kept = sf.evaluate(texts, sf.suppress(texts, k=5), labels=labels).downstream
    gone = sf.evaluate(texts, ["★" * len(text) for text in texts], labels=labels).downstream
    assert kept.released == kept.original == 1.0
    assert gone.released < 0.7
    assert gone.classes == 2


def test_an_evaluation_is_plain_json_without_text():
    found = sf.evaluate(TEXTS, TEXTS, GOLD, labels=["a", "b"])
    content = json.dumps(found.as_dict())
    assert "Ann" not in content
    assert json.loads(content)["tokens"]["recall"] == 0.0
    assert json.loads(content)["masked_share"] == 0.0


@pytest.mark.parametrize(
    "call",
    [
        lambda: sf.evaluate(["a"], ["a", "b"], []),
        lambda: sf.evaluate(["a"], ["a"], [[{"start": 0}]]),
        lambda: sf.evaluate(["a"], ["a"], [[{"start": 0, "end": 9, "label": "X"}]]),
        lambda: sf.evaluate(["a"], ["a"], [[], []]),
        lambda: sf.evaluate(["a"], ["a"], "gold"),
        lambda: sf.evaluate(["a"], ["a"], 7),
        lambda: sf.evaluate(["a"], ["a"], [sf.Span(3, 0, 1, "X")]),
        lambda: sf.evaluate(["a"], ["a"], [[]], share=1.5),
        lambda: sf.evaluate(["a"], ["a"], labels=["x", "y"]),
    ],
)
def test_what_cannot_be_evaluated_is_refused(call):
    with pytest.raises(sf.BadInput):
        call()
