"""Two releases of the same people, in the hands of somebody who has this code.

In small worlds every original is released twice, the second time under another k or t or by
another verb and with the first release named (`--previous`). The originals that give this very
pair are what the attacker cannot tell apart. A pair whose claims say k or t with fewer is broken;
where a second release cannot be safe the run must have refused.
"""

from __future__ import annotations

import itertools
import json
import random
import shutil
from collections import defaultdict
from pathlib import Path

import pytest

from adversarial.worlds import BASE, INNER, LINKS, run_policy
from support.commands import call

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


def persons(people, stages, folder, *options):
    """A run of a policy on one text a person, by label; the exit code and the texts."""
    lines = (json.dumps({"who": who, "text": text}) + "\n" for who, text in people.items())
    Path("notes.jsonl").write_text("".join(lines))
    given = {"path": "notes.jsonl", "columns": ["text"], "person": "who"}
    policy = {"version": 1, "publish": "all", "input": given, "stages": stages}
    Path("release.yaml").write_text(json.dumps(policy))
    code = call("run", "release.yaml", "-q", "-o", folder, *options)
    if code:
        return code, None
    data = Path(folder, "data", "notes.jsonl").read_text().splitlines()
    return code, [json.loads(one)["text"] for one in data]


@pytest.mark.parametrize("collapse", [False, True])
def test_what_two_releases_show_of_a_text_is_counted_as_one_text(place, collapse):
    """`ann bob` in one and `bob cat` in the other are `ann bob cat`, which one person wrote."""
    verb = {"verb": "suppress", "k": 2, "collapse": collapse}
    first = {"p0": "ann bob cat", "p1": "ann bob", "p2": "ann bob", "p3": "dog", "p4": "dog"}
    code, texts = persons(first, [verb], "one")
    assert code == 0
    assert texts[0].startswith("ann bob ★")
    second = {"p0": "ann bob cat", "p5": "bob cat", "p6": "bob cat"}
    assert persons(second, [verb], "alone")[1][0].endswith("★ bob cat")
    assert persons(second, [verb], "two", "--previous", "one")[0] == 3


@pytest.mark.parametrize("collapse", [False, True])
def test_who_is_removed_leaves_what_the_first_release_showed_of_others(place, collapse):
    """What two wrote is starred when one of them is gone; the first release shows it of both."""
    verb = {"verb": "suppress", "k": 2, "collapse": collapse}
    people = {"p0": "ann bob", "p1": "ann bob", "p2": "cat dog", "p3": "cat dog"}
    assert persons(people, [verb], "one") == (0, list(people.values()))
    del people["p0"]
    code, texts = persons(people, [verb], "two", "--previous", "one")
    assert code == 0
    assert set(texts[0]) <= {"★", " "}
    assert texts[1:] == ["cat dog", "cat dog"]


def tables(rows, stages, folder, *options, person="id"):
    """A run of a policy on a table, by its rows; the exit code and the released bytes."""
    names = ["id", "age", "note"] if person else ["age", "note"]
    lines = [",".join(one if person else one[1:]) for one in rows]
    Path("people.csv").write_text("\n".join([",".join(names), *lines]) + "\n")
    Path("key").write_text("k" * 32)
    columns = {"age": {"kind": "number"}, "note": {"kind": "text"}}
    schema = {"columns": columns, **({"person": person} if person else {})}
    Path("schema.yaml").write_text(json.dumps(schema))
    given = {"path": "people.csv", "columns": ["note"]} | ({"person": person} if person else {})
    policy = {"version": 1, "input": given, "schema": "schema.yaml", "stages": stages}
    Path("table.yaml").write_text(json.dumps(policy | {"key_file": "key"}))
    code = call("run", "table.yaml", "-q", "-o", folder, *options)
    return code, Path(folder, "data", "people.csv").read_bytes() if code == 0 else b""


def people(first, last, seed=0):
    chance = random.Random(seed)
    words = ["came late", "was tired", "came early"]
    return [
        (f"p{i}", str(chance.randint(20, 60)), chance.choice(words)) for i in range(first, last)
    ]


TABLE = {"verb": "anonymize", "k": 3}
TEXTS = {"verb": "suppress", "k": 3}


@pytest.mark.parametrize("person", ["id", None])
def test_the_same_table_in_another_order_is_the_same_release(place, person):
    """Byte for byte: whoever has both has one. What is edited is somebody who was not there."""
    rows = people(0, 30)
    code, first = tables(rows, [TABLE], "one", person=person)
    assert code == 0
    random.Random(1).shuffle(rows)
    second = tables(rows, [TABLE], "two", "--previous", "one", person=person)
    assert second == (0, first)
    if person is None:
        rows[3] = (rows[3][0], "61", rows[3][2])
        assert tables(rows, [TABLE], "three", "--previous", "one", person=None)[0] == 3


def test_new_people_alone_may_have_texts_that_other_stages_changed(place):
    """Nobody's texts stand in both; where somebody's would, or nobody knows, it is refused."""
    stages = [TABLE, TEXTS]
    assert tables(people(0, 30), stages, "one")[0] == 0
    assert tables(people(30, 60, 1), stages, "two", "--previous", "one")[0] == 0
    other = [(one[0].upper() + " ", *one[1:]) for one in people(29, 60, 1)]
    assert tables(other, stages, "three", "--previous", "one")[0] == 2
    assert tables(people(30, 60, 1), stages, "four", "--previous", "one", person=None)[0] == 2
    shutil.rmtree("one.private")
    assert tables(people(30, 60, 1), stages, "five", "--previous", "one")[0] == 2
