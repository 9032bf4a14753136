"""Claims of stages judged on the last stage's text, by steps that are made by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

import sfumato as sf
from sfumato.core.spans import Change, Changes
from sfumato.verification.composed_claims import Step, hides, judge_stages, written_places

pytestmark = pytest.mark.filterwarnings("ignore")
TERMS = ["crew", "craw", "draw", "drew"]
TEXTS = ["the crew saw a drew today", "nothing here", "craw"]


def changed(texts, *changes):
    """Texts with changes (document, start, stop, text) made in them, from the last on."""
    made = list(texts)
    for d, start, stop, new in sorted(changes, reverse=True):
        made[d] = made[d][:start] + new + made[d][stop:]
    return made


def later(before, *changes, mask="★", name="later", **more):
    """A stage without claims that makes such changes of the texts before it."""
    made = sf.suppress(before, 1, guess=None)
    listed = [Change(*one, "") for one in sorted(changes)]
    release = replace(
        made,
        data=changed(before, *changes),
        changes=Changes.of(listed),
        claims=(),
        parameters={"mask": mask},
    )
    return Step(name, before, release, **more)


def redacted():
    return Step("redact", TEXTS, sf.redact(TEXTS, TERMS, 2))


def judged(*steps):
    """Of every claim of the first stage: whether it holds in the end, and what broke it."""
    found = [one for one in judge_stages(steps) if one.step == 0]
    return {one.verdict.claim.name: (one.verdict.holds, one.broken_by) for one in found}


def test_places_that_were_written_are_those_of_the_release():
    listed = [
        Change(0, 2, 4, "longer", ""),
        Change(0, 6, 9, "", ""),
        Change(0, 10, 11, "x", ""),
        Change(2, 1, 1, "in", ""),
        Change(2, 3, 5, "y", ""),
    ]
    release = replace(sf.suppress("a b", 1), changes=Changes.of(listed))
    assert written_places(release) == [(0, 2, 8), (0, 10, 10), (0, 11, 12), (2, 1, 3), (2, 5, 6)]


@pytest.mark.parametrize(
    ("old", "new", "holds"),
    [
        ("crew", "cr*w", True),
        ("crew", "****", True),
        ("crew", "★", True),
        ("crew", "", False),
        ("crew", "cr*", False),
        ("crew", "cr*ww", False),
        ("crew", "craw", False),
        ("a-b", "a b", True),
        ("a1b", "a b", False),
        ("a b", "a★b", True),
        ("a\tb", "a b", False),
    ],
)
def test_what_only_hides(old, new, holds):
    assert hides(old, new, "*★") is holds


def test_what_a_later_stage_hides_is_counted_and_the_claims_hold():
    first = redacted()
    start, stop = written_places(first.release)[0][1:]
    second = later(first.texts, (0, start, start + 1, "★"))
    found = [one.verdict for one in judge_stages([first, second]) if one.step == 0]
    assert all(one.holds for one in found)
    assert found[0].measured["hidden_later"] == 1
    whole = later(first.texts, (0, start, stop, "★"))
    assert all(held for held, _ in judged(first, whole).values())


def test_what_a_later_stage_writes_over_another_is_found_with_its_stage():
    first = redacted()
    start, stop = written_places(first.release)[1][1:]  # of the second term, behind the first
    none = later(first.texts, (0, 0, 3, "★★★"))
    wrong = later(none.texts, (0, start, stop, "boat"))
    more = later(wrong.texts, (1, 0, 7, "★"))
    found = judged(first, none, wrong, more)
    assert set(found.values()) == {(False, 2), (True, None)}
    assert all(held for held, _ in judged(first, none).values())


def test_an_entity_type_over_the_whole_of_it_stands_for_it():
    first = redacted()
    start, stop = written_places(first.release)[0][1:]
    label = (0, start, stop, "[PERSON]")
    assert all(held for held, _ in judged(first, later(first.texts, label, types=True)).values())
    assert not all(held for held, _ in judged(first, later(first.texts, label)).values())
    part = (0, start, stop - 1, "[PERSON]")
    parted = judged(first, later(first.texts, part, types=True))
    assert not all(held for held, _ in parted.values())


def test_what_stands_before_a_hidden_place_may_have_grown():
    """Places are followed through every stage, not taken as they were."""
    first = redacted()
    grown = later(first.texts, (0, 0, 3, "what is called the"))
    shift = len("what is called the") - 3
    start, stop = (one + shift for one in written_places(first.release)[0][1:])
    hidden = later(grown.texts, (0, start, stop, "★"))
    assert all(held for held, _ in judged(first, grown, hidden).values())
    wrong = later(grown.texts, (0, start, stop, "boat"))
    assert not all(held for held, _ in judged(first, grown, wrong).values())


@pytest.mark.parametrize("term", ["crew", "drew"])
def test_a_term_that_a_later_stage_writes_is_found(term):
    first = redacted()
    wrong = later(first.texts, (1, 0, 7, term))
    found = judged(first, wrong)
    assert {name for name, (held, _) in found.items() if not held} == {"no-term-in-clear"}


def test_changes_that_do_not_give_the_text_are_found():
    first = redacted()
    second = later(first.texts, (1, 0, 7, "★"))
    told = replace(second.release, data=[*second.texts[:2], "other"])
    found = judged(first, replace(second, release=told))
    assert not any(held for held, _ in found.values())


def test_what_was_counted_is_counted_again_where_documents_were_dropped():
    texts = ["flu now", "flu now", "flu then", "flu then"]
    first = Step("suppress", texts, sf.suppress(texts, 2))
    assert first.texts == texts
    none = later(texts)
    assert all(held for held, _ in judged(first, none).values())
    emptied = later(texts, (1, 0, 7, ""), dropped=True)
    assert not all(held for held, _ in judged(first, emptied).values())
