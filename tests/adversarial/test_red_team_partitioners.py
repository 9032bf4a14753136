"""Tables without texts, by somebody who has the release, its certificate and this code.

Every partitioner, with k alone and with l or t. Known to the attacker are the quasi-identifiers of
everybody; run again is every distribution of the sensitive values. Where classes are chosen by
quasi-identifiers alone, a release must not tell how the values of a class are distributed over its
people; with l or t, nobody's value may be told by which classes were made.
"""

from __future__ import annotations

import ast
import itertools
import json
import random
import re
from collections import Counter, defaultdict

import polars as pl
import pytest

import sfumato as sf
from adversarial.rerun import KEY
from support.commands import call

pytestmark = pytest.mark.filterwarnings("ignore")
PARTITIONERS: dict[str, dict[str, object]] = {
    "clusters": {"partitioner": "clusters"},
    "quick clusters": {"partitioner": "clusters", "effort": "quick"},
    "thorough clusters": {"partitioner": "clusters", "effort": "thorough"},
    "mondrian": {"partitioner": "mondrian"},
    "mondrian as published": {"partitioner": "mondrian", "cuts": "printed"},
    "some left out": {"partitioner": "clusters", "suppress_share": 0.2},
    "gdf": {"partitioner": "gdf"},
}
SCHEMA = {
    "columns": {
        "age": {"kind": "number"},
        "sex": {"kind": "set"},  # gdf splits on the terms of sets
        "result": {"role": "sensitive"},
    }
}
WORLDS = {
    "four": ([1, 2, 8, 9], "mmff"),
    "equal": ([1, 1, 2, 2, 9], "mmmmm"),
    "odd one": ([1, 2, 3, 4, 50], "mfmfm"),
}
KEYS = [bytes([one]) * 16 for one in range(4)]


def table(world, results):
    ages, sexes = WORLDS[world]
    return pl.DataFrame({"age": ages, "sex": list(sexes), "result": list(results)})


def stated(release):
    """The certificate without what only the key's holder can make."""
    found = release.certificate(key=KEY)
    for keyed in ("hashes", "key_stretching", "release_sha256"):
        found.pop(keyed, None)
    return json.dumps(found, sort_keys=True, default=str)


def every(world, letters, partitioner, **options):
    """Distributions of the results, by the released rows; and the certificates beside them."""
    groups, beside = defaultdict(list), defaultdict(set)
    for results in itertools.product(letters, repeat=len(WORLDS[world][0])):
        for key in options.get("keys", KEYS):
            given = {name: one for name, one in options.items() if name != "keys"}
            given |= PARTITIONERS[partitioner]
            try:
                release = sf.anonymize(table(world, results), SCHEMA, 2, key=key, **given)
            except sf.CannotBeMet:
                continue
            rows = str(sorted(release.data.rows()))
            groups[rows].append(results)
            beside[rows].add(stated(release))
    assert groups
    return groups, beside


SPLITTING = ("clusters", "thorough clusters")
"""Who puts people that are alike into several classes: which one into which is drawn by the key."""
KNOWN_CLASSES = [
    (partitioner, world)
    for partitioner, world in itertools.product(PARTITIONERS, WORLDS)
    if partitioner != "some left out" and not (partitioner in SPLITTING and world == "equal")
]


@pytest.mark.parametrize(("partitioner", "world"), KNOWN_CLASSES)
def test_classes_of_k_tell_nobodys_result(partitioner, world):
    """Each person has each value of the class in just its share of the originals that fit."""
    groups, beside = every(world, "yn", partitioner, keys=KEYS[:1])
    same = table(world, "y" * len(WORLDS[world][0]))
    plain = sf.anonymize(same, SCHEMA, 2, shuffle=False, **PARTITIONERS[partitioner])
    cells = plain.data.select("age", "sex").rows()
    assert min(Counter(cells).values()) >= 2
    for group in groups.values():
        for person, cell in enumerate(cells):
            members = [i for i, other in enumerate(cells) if other == cell]
            share = sum(group[0][i] == "y" for i in members) / len(members)
            assert sum(one[person] == "y" for one in group) == share * len(group)
    assert all(len(one) == 1 for one in beside.values())


@pytest.mark.parametrize("partitioner", SPLITTING)
def test_people_who_are_alike_may_each_be_in_either_class(partitioner):
    """Who lacks the key learns of two that are alike and apart what both classes tell together."""
    keys = [bytes([one]) * 16 for one in range(24)]
    groups, _ = every("equal", "yn", partitioner, keys=keys)
    for rows, group in groups.items():
        low, high = (
            Counter(result for age, _, result in ast.literal_eval(rows) if age == one)
            for one in ("[1-2]", "[2-9]")
        )
        shares = [one["y"] / one.total() for one in (low, high)]
        expected = [shares[0], shares[0], *[sum(shares) / 2] * 2, shares[1]]
        for person, share in enumerate(expected):
            found = sum(one[person] == "y" for one in group) / len(group)
            assert abs(found - share) < 0.25


DEMANDS = {"l": {"l": 2}, "t": {"t": 0.5}, "entropy": {"l": 1.5, "diversity": "entropy"}}


@pytest.mark.parametrize("demand", DEMANDS)
@pytest.mark.parametrize("partitioner", PARTITIONERS)
def test_classes_with_l_or_t_tell_nobodys_result(partitioner, demand):
    """The minimality attack, by somebody who lacks the key; nor do certificates tell more."""
    groups, beside = every("four", "ynm", partitioner, **DEMANDS[demand])
    assert all(len(one) == 1 for one in beside.values())
    if demand != "t":
        some = [{one[who] for one in group} for group in groups.values() for who in range(4)]
        assert min(map(len, some)) >= 2


def people(number):
    chance = random.Random(number)
    ages = [chance.randint(20, 60) for _ in range(24)]
    sexes, results = chance.choices("mf", k=24), chance.choices("yn", k=24)
    return pl.DataFrame({"age": ages, "sex": sexes, "result": results})


def released(frame, partitioner, key=KEYS[0], **people):
    columns = {name: one for name, one in SCHEMA["columns"].items() if name in frame.columns}
    schema = (
        {"columns": columns, **people, "person_number": False} if people else {"columns": columns}
    )
    release = sf.anonymize(frame, schema, 3, key=key, **PARTITIONERS[partitioner])
    return str(sorted(release.data.rows()))


@pytest.mark.parametrize("partitioner", PARTITIONERS)
def test_two_releases_of_a_table_under_other_keys_have_the_same_rows(partitioner):
    """Intersected they tell no more than one of them, if people have labels.

    Without labels the classes are the same; who is alike goes where the key says.
    """
    named = people(0).with_columns(id=pl.arange(24).cast(pl.String))
    assert len({released(named, partitioner, key, person="id") for key in KEYS}) == 1
    cells = [released(people(0).drop("result"), partitioner, key) for key in KEYS]
    assert len(set(cells)) == 1


@pytest.mark.parametrize("partitioner", PARTITIONERS)
def test_two_releases_of_a_table_whose_rows_were_ordered_otherwise_are_the_same(partitioner):
    """An export of the next day need not have the order of the first."""
    for number in range(30):
        given = people(number)
        assert released(given, partitioner) == released(given.reverse(), partitioner)


def test_people_who_are_alike_are_told_apart_by_nothing_but_the_key():
    """Two of an age go to two classes. Whose result goes where, all keys tell alike.

    A public order of the results would tell: with `n` before `y`, of all originals that fit a
    release most would have `y` where this test counts half.
    """
    ages = [1, 5, 5, 9]  # classes of two: one of age 5 in each
    found = defaultdict(Counter)
    for results in itertools.product("ny", repeat=4):
        for number in range(60):
            key = number.to_bytes(16, "big")
            frame = pl.DataFrame({"age": ages, "result": list(results)})
            release = sf.anonymize(frame, {"columns": {"age": {"kind": "number"}}}, 2, key=key)
            found[str(sorted(release.data.rows()))].update([results])
    one = found[str(sorted([("[1-5]", "n"), ("[1-5]", "y"), ("[5-9]", "n"), ("[5-9]", "y")]))]
    for person in range(4):
        count = sum(times for results, times in one.items() if results[person] == "y")
        assert abs(count - one.total() / 2) <= 4 * (one.total() / 4) ** 0.5


@pytest.mark.parametrize("partitioner", PARTITIONERS)
def test_a_policys_folder_tells_no_more_than_its_table(partitioner, tmp_path, monkeypatch):
    """Report, policy, certificate, names and sizes are those of every original with the table."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "schema.yaml").write_text(json.dumps(SCHEMA))
    policy = {
        "version": 1,
        "input": {"path": "people.csv"},
        "schema": "schema.yaml",
        "key_file": "key",
        "stages": [{"verb": "anonymize", "k": 2, "shuffle": False, **PARTITIONERS[partitioner]}],
    }
    (tmp_path / "release.yaml").write_text(json.dumps(policy))
    (tmp_path / "key").write_text("k" * 32)
    groups = defaultdict(set)
    for ages in itertools.product([1, 2], [1, 2], [8], [9]):
        rows = "".join(f"{age},m,y\n" for age in ages)
        (tmp_path / "people.csv").write_text("age,sex,result\n" + rows)
        assert call("run", "release.yaml", "-q", "-o", "out", "--overwrite") == 0
        told, data = public(tmp_path / "out")
        groups[data].add(told)
    assert all(len(one) == 1 for one in groups.values())
    assert len(groups) < 4


def public(folder):
    """Everything of a public folder, keyed hashes by their length; and its table."""
    told, data = [], ""
    for path in sorted(one for one in folder.rglob("*") if one.is_file()):
        text = re.sub(r"\b[0-9a-f]{24,}\b", lambda one: "x" * len(one[0]), path.read_text())
        told.append((path.relative_to(folder).as_posix(), path.stat().st_size, text))
        data = text if "data" in path.parts else data
    return json.dumps(told), data
