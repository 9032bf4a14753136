"""What somebody with the release, all columns of all people and this code learns from classes.

Classes of k-anonymity (`clusters`, default effort) are chosen by quasi-identifiers alone. The
attacker runs the method on every table that may be the original, and looks at what else could tell
who is who: the order of rows, person numbers, the ends of ranges, the public figures.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter, defaultdict

import polars as pl
import pytest

import sfumato as sf
from adversarial.test_public_folder import KEY, told_apart

pytestmark = pytest.mark.filterwarnings("ignore")
SCHEMA = {"columns": {"age": {"kind": "number"}, "result": {"role": "sensitive"}}}
AGES = ([1, 2, 3, 4], [1, 1, 2, 3], [1, 2, 2, 7, 8, 9], [1, 5, 5, 6, 6, 9])
KEYS = [bytes([one]) * 16 for one in range(120)]
OUT = "out.csv"


def table(ages, results):
    return pl.DataFrame({"age": ages, "result": list(results)})


@pytest.mark.parametrize("ages", AGES)
@pytest.mark.parametrize("k", [2, 3])
def test_the_choice_of_classes_tells_nobodys_result(ages, k):
    """Every distribution of the results of a class over its people gives the same release."""
    if len(ages) < k:
        return
    groups = defaultdict(list)
    for results in itertools.product("yn", repeat=len(ages)):
        release = sf.anonymize(table(ages, results), SCHEMA, k=k, key=KEYS[0])
        groups[str(sorted(release.data.rows()))].append(results)
    plain = sf.anonymize(table(ages, "y" * len(ages)), SCHEMA, k=k, key=KEYS[0], shuffle=False)
    cells = plain.data["age"].to_list()
    for group in groups.values():
        for person, cell in enumerate(cells):
            members = [i for i, other in enumerate(cells) if other == cell]
            share = Counter(group[0][i] for i in members)["y"] / len(members)
            assert sum(one[person] == "y" for one in group) == share * len(group)


def test_rows_stand_in_no_order_that_tells_who_is_who():
    """Each of a class's people is as often in each of its rows, over the keys: 4 s.d. at most."""
    found = Counter()
    for key in KEYS:
        release = sf.anonymize(table([1, 1, 1, 8, 9, 9], "abcdef"), SCHEMA, k=3, key=key)
        found.update((i, result) for i, result in enumerate(release.data["result"].to_list()))
    assert len(found) == 36
    for count in found.values():  # of 120 rows a sixth, binomial
        assert abs(count - 20) <= 4 * (120 * 5 / 36) ** 0.5


def test_a_person_number_tells_neither_row_nor_class():
    people = pl.DataFrame({"who": list("abcdef"), "age": [1, 1, 1, 8, 9, 9]})
    schema = {"person": "who", "columns": {"age": {"kind": "number"}}}
    found = Counter()
    for key in KEYS:
        release = sf.anonymize(people, schema, k=3, key=key, shuffle=False)
        found.update(enumerate(map(str, release.data["who"].to_list())))
    assert len(found) == 36
    for count in found.values():
        assert abs(count - 20) <= 4 * (120 * 5 / 36) ** 0.5


def test_public_figures_tell_no_more_than_the_data(tmp_path):
    """The certificate beside a release is the same for all originals with that release."""
    columns = {"age": {"kind": "number"}, "town": {}, "result": {"role": "sensitive"}}
    world = []
    for ages in itertools.product((1, 2, 3), repeat=3):
        rows = "".join(f"{age},Ulm,y\n" for age in (*ages, 2))
        world.append(
            {
                "in.csv": "age,town,result\n" + rows,
                "schema.yaml": json.dumps({"columns": columns}),
                "key": KEY,
            }
        )
    command = f"anonymize @in.csv -o @{OUT} --schema @schema.yaml -k 2 --no-shuffle --key-file @key"
    apart, groups = told_apart(tmp_path / "world", world, command.split(), OUT)
    assert any(sum(map(len, group.values())) > 1 for group in groups.values())
    assert apart == []


def candidates(ages, person, schema):
    """The ages of a person that give the release, when all others' are known."""
    told = {}
    for age in range(18, 45):
        tried = [*ages[:person], age, *ages[person + 1 :]]
        frame = pl.DataFrame({"age": [str(one) for one in tried]})
        release = sf.anonymize(frame, {"columns": {"age": schema}}, k=3, key=KEYS[0])
        told[age] = sorted(release.data.rows())
    return [age for age in told if told[age] == told[ages[person]]]


def test_the_ends_of_a_range_are_somebodys():
    """Who knows all others of a class learns who stands at its ends; a hierarchy's nodes hide it.

    docs/methods/anonymize.md says so under what is not protected.
    """
    ages = [20, 21, 22, 40, 41, 42]
    assert candidates(ages, 0, {"kind": "number"}) == [20]
    assert candidates(ages, 1, {"kind": "number"}) == [20, 21, 22]
    assert candidates(ages, 0, {"hierarchy": {"prefixes": [1]}}) == [*range(20, 30)]
