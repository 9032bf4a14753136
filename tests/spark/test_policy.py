"""Policies on the cluster: the release of one machine, judged there, resumed, refused alike."""

from __future__ import annotations

import csv
import json
import random

import pytest

import sfumato as sf
from spark.clusters import worker_lost

pytestmark = pytest.mark.filterwarnings("ignore")
NAMES = ["Ann Ho", "Dr. Edwin Marlow", "Maria Garcia", "Bob Stone"]
STAGES = """
- {verb: pseudonymize}
- {verb: redact, terms: terms.txt, k: 2}
- {verb: suppress, k: 3, reach: 1}
"""


@pytest.fixture
def place(tmp_path):
    choice = random.Random(1)
    rows = [
        {
            "n": str(i),
            "note": f"{choice.choice(NAMES)} was seen on 0{choice.randint(1, 9)}/11/2020 with "
            f"{choice.choice(['flu', 'gout', 'a cough'])}. The crew of the ship said so.",
            "who": f"p{choice.randrange(12)}",
        }
        for i in range(40)
    ]
    rows[5]["note"] = None
    (tmp_path / "notes.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))
    (tmp_path / "terms.txt").write_text("crew\nship\nshop\ncrow\n")
    (tmp_path / "key").write_text("thirty-two bytes of a secret key")
    return tmp_path


def policy(place, stages, more=""):
    path = place / "release.yaml"
    path.write_text(
        "version: 1\nkey_file: key\nrecognizer: rules-en\npublish: all\n"
        "input: {path: notes.jsonl, columns: [note], person: who}\n"
        f"stages:{stages}{more}"
    )
    return path


def texts(folder):
    data = folder / "data" / "notes.jsonl"
    parts = sorted(data.iterdir()) if data.is_dir() else [data]
    return [json.loads(line)["note"] for one in parts for line in one.read_text().splitlines()]


def engine(session):
    return sf.SparkEngine(session, blocks=2)


def run_killed(path, folder, chosen, monkeypatch):
    """A run that is killed where `suppress` begins."""
    from sfumato.engines import spark_suppress

    class Killed(BaseException):
        pass

    def killed(*_):
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(spark_suppress, "run", killed)
        with pytest.raises(Killed):
            sf.run(path, folder, engine=chosen)


def test_a_policy_gives_the_release_of_one_machine(session, place, monkeypatch):
    path = policy(place, STAGES, "claims: [{claim: substring-k-anonymity, k: 2, reach: 1}]\n")
    here = sf.run(path, place / "here")
    # Killed in the last stage: what was finished stays, and nothing has a name yet.
    run_killed(path, place / "there", engine(session), monkeypatch)
    assert not (place / "there").exists()
    there = sf.run(path, place / "there", engine=engine(session))
    assert there.reused == 2
    assert texts(there.folder) == texts(here.folder)
    assert texts(there.folder)[5] is None
    for name in ("claims", "verdicts", "demanded", "counts", "loss", "columns", "warnings"):
        assert there.told[name] == here.told[name], name
    *_, last = here.figures["stages"]
    apart = {name: last["loss"].pop(name) for name in ("guess_rate", "legible_in_copies")}
    assert set(apart) == {"guess_rate", "legible_in_copies"}  # Spark does not count these
    assert there.figures["stages"] == here.figures["stages"]
    names = {one.name for one in there.folder.iterdir()}
    assert names == {one.name for one in here.folder.iterdir()}
    _verified(session, place, there)


def test_a_worker_killed_within_a_stage_changes_nothing(cluster, session, place):
    """In the second stage: the first is kept, and no release is there."""
    path = policy(place, STAGES[STAGES.index("- {verb: redact") - 1 :])
    stages, kept = place / "there.private" / "stages", []

    def first_is_kept():
        kept[:] = [one for one in stages.glob("*") if one.name[:1] != "."]
        return bool(kept)

    here = sf.run(path, place / "here")
    with worker_lost(cluster, session, first_is_kept):
        there = sf.run(path, place / "there", engine=engine(session))
    assert len(kept) == 1, "it was killed after the stages"
    assert texts(there.folder) == texts(here.folder)
    assert there.told["verdicts"] == here.told["verdicts"]


def _verified(session, place, run):
    """By whoever has the folder, with the original too, and by the steward stage for stage."""
    part = run.folder / "data" / "notes.jsonl" / "part-00000.jsonl"
    original, chosen = place / "notes.jsonl", engine(session)
    nowhere = place / "nowhere"
    with pytest.raises(sf.BadInput, match="private"):
        sf.verify(run.folder, private=nowhere, engine=chosen)
    with pytest.raises(sf.BadInput, match="Spark"):
        sf.verify(run.folder)
    everything = sf.verify(run.folder, original=original, engine=chosen)
    assert [one.claim.name for one in everything] == [one["claim"] for one in run.told["verdicts"]]
    assert all(one.holds for one in everything)
    run.private.rename(nowhere)
    (counted,) = sf.verify(run.folder, engine=chosen)
    assert counted.holds
    assert counted.measured["smallest_count"] >= 3
    content = part.read_text()
    part.write_text(content.replace("seen", "sean", 1))
    with pytest.raises(sf.NotVerified, match="changed"):
        sf.verify(run.folder, engine=chosen)


def test_a_stage_that_breaks_another_is_named_and_nothing_is_written(session, place):
    (place / "bad.txt").write_text("cr\n")
    path = policy(
        place,
        """
- {verb: redact, terms: terms.txt, k: 2}
- {verb: sanitize, patterns: bad.txt, method: delete, tau: 1}
""",
    )
    told = []
    for output, chosen in (("here", None), ("there", engine(session))):
        with pytest.raises(sf.NotVerified) as refused:
            sf.run(path, place / output, engine=chosen)
        told.append(refused.value.problem)
        assert not (place / output).exists()
    assert told[0] == told[1]
    assert "stage 2" in told[1]


def test_a_table_by_a_policy(session, place):
    choice = random.Random(2)
    cells = [(choice.randint(20, 60), choice.choice("abc")) for _ in range(60)]
    (place / "people.csv").write_text(
        "age,kind\n" + "".join(f"{age},{kind}\n" for age, kind in cells)
    )
    (place / "people.yaml").write_text("columns: {age: {kind: number}, kind: {kind: category}}\n")
    path = place / "release.yaml"
    path.write_text(
        "{version: 1, engine: spark, key_file: key, schema: people.yaml, "
        "input: {path: people.csv}, stages: [{verb: anonymize, k: 4}]}"
    )
    here = sf.run(path, place / "here", engine="local")
    there = sf.run(path, place / "there", engine=engine(session))
    parts = sorted((there.folder / "data/people.csv").iterdir())
    header, *_ = parts[0].read_text().splitlines()
    found = [line for one in parts for line in one.read_text().splitlines() if line != header]
    assert [header, *found] == (here.folder / "data/people.csv").read_text().splitlines()
    assert [one["holds"] for one in there.told["verdicts"]] == [True] * len(here.told["verdicts"])


TABLE = """
version: 1
key_file: key
recognizer: rules-en
schema: people.yaml
input: {path: people.csv, columns: [note], person: who}
stages:
- {verb: anonymize, k: 3}
- {verb: suppress, k: 4, columns: [note]}
claims: [{claim: k-anonymity, k: 3}, {claim: substring-k-anonymity, k: 4, count: groups}]
attacks: all
"""
PEOPLE = """
person: who
own_values: all
columns:
  age: {kind: number, entities: [AGE]}
  kind: {kind: category}
  note: {kind: text}
"""


def table_texts(folder):
    data = folder / "data" / "people.csv"
    parts = sorted(data.iterdir()) if data.is_dir() else [data]
    return [row for one in parts for row in csv.DictReader(one.read_text().splitlines())]


def test_stages_after_anonymize(session, place, monkeypatch):
    """As on one machine, until every class shows its terms alike; killed, and gone on."""
    choice = random.Random(3)
    said = ["seen on 05/14/2004", "called from 617-555-0101", "of the crew", "was well"]
    rows = [
        {
            "who": f"p{i % 24}",
            "age": 20 + i % 24,
            "kind": "abc"[i % 3],
            "note": f"Aged {20 + i % 24}, {choice.choice(said)}, {choice.choice(said)}.",
        }
        for i in range(36)
    ]
    with (place / "people.csv").open("w", encoding="utf-8", newline="") as written:
        table = csv.DictWriter(written, list(rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    (place / "people.yaml").write_text(PEOPLE)
    path = place / "release.yaml"
    path.write_text(TABLE)
    here = sf.run(path, place / "here")
    chosen = sf.SparkEngine(session)
    run_killed(path, place / "there", chosen, monkeypatch)
    there = sf.run(path, place / "there", engine=chosen)
    assert table_texts(there.folder) == table_texts(here.folder)
    for name in ("claims", "verdicts", "demanded", "counts", "columns"):
        assert there.told[name] == here.told[name], name
    (note,) = set(there.told["warnings"]) - set(here.told["warnings"])
    assert "attacks: not tried on Spark" in note
    verdicts = sf.verify(there.folder, original=place / "people.csv", engine=chosen)
    assert [one.holds for one in verdicts] == [True] * 3
    assert any("became their entity types" in one for one in there.told["warnings"])


@pytest.mark.parametrize(
    ("stages", "where"),
    [
        ("\n- {verb: suppress, k: 3}\n- {verb: redact, terms: terms.txt}\n", "stages[0]"),
        ("\n- {verb: redact, terms: terms.txt}\n- {verb: pseudonymize}\n", "stages[1]"),
        ("\n- {verb: suppress, k: 3, hide: recognised}\n", "stages[0].hide"),
    ],
)
def test_what_a_policy_on_spark_refuses(place, stages, where):
    """Before Spark is started."""
    with pytest.raises(sf.BadInput, match="Spark") as refused:
        sf.run(policy(place, stages), place / "there", engine="spark")
    assert refused.value.where == where
    assert not (place / "there").exists()


def test_anonymize_takes_the_table_first(place):
    (place / "people.yaml").write_text(PEOPLE)
    (place / "people.csv").write_text("who,age,kind,note\n")
    first = "stages:\n- {verb: redact, terms: terms.txt}\n- {verb: anonymize, k: 3}\n"
    path = place / "release.yaml"
    path.write_text(TABLE[: TABLE.index("stages:")] + first)
    with pytest.raises(sf.BadInput, match="first") as refused:
        sf.run(path, place / "there", engine="spark")
    assert refused.value.where == "stages[1]"
