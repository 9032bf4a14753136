"""Two releases of the same people, in the hands of somebody who has this code.

In small worlds every original is released twice, the second time under another k or t or by
another verb and with the first release named (`--previous`). The originals that give this very
pair are what the attacker cannot tell apart. A pair whose claims say k or t with fewer is broken;
where a second release cannot be safe the run must have refused.
"""

from __future__ import annotations

import itertools
import json
import shutil
from collections import defaultdict
from pathlib import Path

import pytest

from adversarial.worlds import BASE, INNER, LINKS, run_policy

pytestmark = pytest.mark.filterwarnings("ignore")
TERMS = ["crew", "craw", "draw", "drew", "brew", "grow"]
REDACT = {"verb": "redact", "terms": "terms.txt"}


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ontology.csv").write_text(LINKS)
    (tmp_path / "terms.txt").write_text("\n".join(TERMS) + "\n")
    return tmp_path


def released(texts, stages, folder, *options):
    """What everybody sees of a run, or nothing where it refused; another code is a failure."""
    code = run_policy(texts, stages, folder, *options)
    assert code in (0, 3), code
    if code == 3:
        return None
    data = Path(folder, "data", "notes.jsonl").read_text().splitlines()
    stated = json.loads(Path(folder, "certificate.json").read_text())
    told = {name: stated.get(name) for name in ("claims", "verdicts", "together", "counts", "loss")}
    return [json.loads(one)["text"] for one in data], told


def pairs(candidates, first, second, *, private=True):
    """The originals, by the two releases that each gives, and how many were refused."""
    groups, refused = defaultdict(list), 0
    for texts in candidates:
        one = released(texts, first, "one")
        if not private:
            shutil.rmtree("one.private")
        two = one and released(texts, second, "two", "--previous", "one")
        if two is None:
            refused += 1
        else:
            groups[json.dumps([one, two])].append(texts)
    return groups, refused


def term(text):
    return text.split()[1]


@pytest.mark.parametrize("private", [True, False])
@pytest.mark.parametrize("second", [2, 3])
def test_terms_of_two_lists_stay_as_many_as_the_weaker_promised(place, second, private):
    """The same k gives the same strings; another k is refused where they narrow each other.

    Of `grow`, both k make the same string of other terms: what is the same may narrow too.
    """
    candidates = [[f"the {one} left"] for one in TERMS]
    verb = REDACT | {"k": 2}
    groups, refused = pairs(candidates, [verb], [verb | {"k": second}], private=private)
    assert len(candidates) == refused + sum(map(len, groups.values()))
    assert (refused > 0) == (second != 2)
    for group in groups.values():
        assert len({term(texts[0]) for texts in group}) >= 2


@pytest.mark.parametrize(("first", "second"), [(2, 2), (2, 4), (4, 2), (3, 3)])
def test_general_words_of_two_releases_stay_as_many_as_the_weaker_promised(place, first, second):
    candidates = [[f"has {one}"] for one in [*BASE, *INNER, "thing"]]
    verb = {"verb": "generalize", "ontology": "ontology.csv"}
    groups, _ = pairs(candidates, [verb | {"t": first}], [verb | {"t": second}])
    assert groups
    assert min(map(len, groups.values())) >= min(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [({"k": 2}, {"k": 3}), ({"k": 3}, {"k": 2}), ({"k": 2}, {"k": 2, "reach": 1})],
)
def test_no_word_that_both_hide_is_determined_by_the_pair(place, first, second):
    """What neither shows may be any of several words; what either shows two people have."""
    candidates = [list(one) for one in itertools.product(["ann", "bob", "cat"], repeat=3)]
    verb = {"verb": "suppress"}
    groups, _ = pairs(candidates, [verb | first], [verb | second])
    hidden = 0
    for pair, group in groups.items():
        (one, _), (two, _) = json.loads(pair)
        for person in range(3):
            if "★" in one[person] and "★" in two[person]:
                hidden += 1
                assert len({texts[person] for texts in group}) > 1
            else:
                shown = group[0][person]
                assert min(texts.count(shown) for texts in group) >= 2
    assert hidden
    assert groups
