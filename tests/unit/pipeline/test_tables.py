"""`anonymize` from a policy, alone and with the net under it."""

from __future__ import annotations

import csv
import io
import json

import pytest

from support.commands import call
from support.table_policies import released_rows as rows
from support.table_policies import table_policy as policy

SCHEMA = {
    "person": "id",
    "columns": {"age": {"kind": "number"}, "note": {"kind": "text"}},
}
NOTES = [
    "Lives in Boston. Works as a nurse. {} came.",
    "Lives in Boston. Likes tea. {} came.",
    "Moved to Boston. Works as a nurse. {} came.",
    "Lives in Denver. Likes tea. {} came.",
    "Lives in Denver. Works as a nurse. {} came.",
    "Moved to Denver. Likes tea. {} came.",
]
NAMES = ["Zyxomme", "Quvril", "Braxil", "Ontwer", "Pilkad", "Wernog"]


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["id", "age", "note"])
    for i, (note, name) in enumerate(zip(NOTES, NAMES, strict=True)):
        rows.writerow([f"p{i}", 20 + 3 * i, note.format(name)])
    (tmp_path / "people.csv").write_text(out.getvalue())
    (tmp_path / "schema.yaml").write_text(json.dumps(SCHEMA))
    spans = []
    for i, note in enumerate(NOTES):
        for city in ("Boston", "Denver"):
            at = note.find(city)
            if at >= 0:
                line = {"document": i, "start": at, "stop": at + 6, "label": "LOCATION"}
                spans.append(json.dumps(line) + "\n")
    (tmp_path / "spans.jsonl").write_text("".join(spans))
    return tmp_path


def test_anonymize_alone(place, capsys):
    demand = [{"claim": "k-anonymity", "k": 3}]
    path = policy(place, {"verb": "anonymize", "k": 3}, claims=demand)
    assert call("run", path, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["claim"] for one in told["verdicts"]] == ["k-anonymity", "nothing-else-changed"]
    assert {one["age"] for one in rows(place)} == {"[20-26]", "[29-35]"}
    figures = json.loads((place / "release.private/figures.json").read_text())
    assert figures["class_sizes"] == {"3": 2}
    assert call("verify", "release") == 2  # without the schema nothing is judged
    assert call("verify", "people.csv", "release", "--json") == 0
    text = (place / "people.csv").read_text()
    (place / "people.csv").write_text(text.replace("tea", "ale", 1))
    capsys.readouterr()
    assert call("verify", "people.csv", "release") == 4
    assert "this original is not the one" in capsys.readouterr().err


def test_a_received_table_is_counted_without_the_original(place, capsys):
    path = policy(place, {"verb": "anonymize", "k": 3})
    assert call("run", path, "-q") == 0
    shown = [
        json.dumps({"document": i, "start": at, "stop": at + 6, "label": "LOCATION"}) + "\n"
        for i, one in enumerate(rows(place))
        if (at := max(one["note"].find("Boston"), one["note"].find("Denver"))) >= 0
    ]
    (place / "shown.jsonl").write_text("".join(shown))
    given = "release", "--schema", "schema.yaml", "--spans", "shown.jsonl"
    assert call("verify", *given, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["claim"] for one in told["verdicts"]] == ["k-anonymity"]
    assert [one["claim"] for one in told["not_judged"]] == ["nothing-else-changed"]
    first = json.loads(shown[0]) | {"stop": json.loads(shown[0])["stop"] + 1}
    (place / "shown.jsonl").write_text(json.dumps(first) + "\n")
    assert call("verify", *given) == 4
    assert "k-anonymity" in capsys.readouterr().err


def test_the_net_under_anonymize(place):
    """Names that no recogniser found are starred, and both claims hold for the final table."""
    (place / "key").write_bytes(b"a key of sixteen bytes")
    stages = {"verb": "anonymize", "k": 3}, {"verb": "suppress", "k": 3}
    path = policy(place, *stages, key_file="key")
    assert call("run", path, "-q") == 0
    released = rows(place)
    assert not any(name in one["note"] for one in released for name in NAMES)
    stated = json.loads((place / "release/certificate.json").read_text())
    assert {one["claim"] for one in stated["verdicts"]} == {
        *("k-anonymity", "nothing-else-changed", "substring-k-anonymity")
    }
    assert all(one["holds"] for one in stated["verdicts"])
    assert call("verify", "people.csv", "release") == 0
    assert call("run", path, "-q", "-o", "again") == 0
    again = (place / "again/data/people.csv").read_bytes()
    assert again == (place / "release/data/people.csv").read_bytes()


def test_a_kept_term_starred_for_one_becomes_its_type_for_the_class(place):
    """Boston stands for all of its class; where its surroundings are rare it gets starred."""
    notes = ["At Boston.", "At Boston.", "Zq Boston", "At Denver.", "At Denver.", "At Denver."]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["id", "age", "note"])
    spans = []
    for i, note in enumerate(notes):
        writer.writerow([f"p{i}", 20 if i < 3 else 60, note])
        line = {"document": i, "start": 3, "stop": 9, "label": "LOCATION"}
        spans.append(json.dumps(line) + "\n")
    (place / "people.csv").write_text(out.getvalue())
    (place / "spans.jsonl").write_text("".join(spans))
    alone = policy(place, {"verb": "anonymize", "k": 3})
    assert call("run", alone, "-q", "-o", "alone") == 0
    assert sum("Boston" in one["note"] for one in rows(place, "alone")) == 3
    suppress = {"verb": "suppress", "k": 2, "min_run": 8}
    assert call("run", policy(place, {"verb": "anonymize", "k": 3}, suppress), "-q") == 0
    released = [one["note"] for one in rows(place)]
    assert not any("Boston" in note for note in released)
    assert sum("Denver" in note for note in released) == 3
    stated = json.loads((place / "release.private/certificate.json").read_text())
    assert any("became their entity types" in one for one in stated["warnings"])
    assert all(one["holds"] for one in stated["verdicts"])


def test_an_own_value_that_gets_starred_becomes_its_type(place):
    """What the cell says stands for a person's own town; nobody else has these very words."""
    towns = ["Cork", "Lyon", "Graz", "Oslo", "Bonn", "Metz"]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["id", "age", "note"])
    spans = []
    for i, town in enumerate(towns):
        writer.writerow([f"p{i}", town, f"I live in {town} and my parcel is late."])
        line = {"document": i, "start": 10, "stop": 14, "label": "LOCATION"}
        spans.append(json.dumps(line) + "\n")
    (place / "people.csv").write_text(out.getvalue())
    (place / "spans.jsonl").write_text("".join(spans))
    town = {"kind": "category", "entities": ["LOCATION"]}
    schema = {"person": "id", "columns": {"age": town, "note": {"kind": "text"}}}
    (place / "schema.yaml").write_text(json.dumps(schema))
    table = {"verb": "anonymize", "k": 3}
    assert call("run", policy(place, table), "-q", "-o", "alone") == 0
    assert all("I live in (" in one["note"] for one in rows(place, "alone"))
    assert call("run", policy(place, table, {"verb": "suppress", "k": 5}), "-q") == 0
    sentence = "I live in [LOCATION] and my parcel is late."
    assert [one["note"] for one in rows(place)] == [sentence] * len(towns)
    assert call("verify", "people.csv", "release") == 0


def test_the_order_is_checked(place, capsys):
    """What cannot be combined is refused before any work, with the reason and what to do."""
    table = {"verb": "anonymize"}
    for stages, reason in (
        (
            (table, {"verb": "redact", "terms": "spans.jsonl"}, table),
            "stages[2]: anonymize stands",
        ),
        ((table, {"verb": "sanitize", "patterns": "spans.jsonl"}), "keeps the order of all symb"),
        (({"verb": "suppress", "columns": ["age"]}, table), "stages[0]: works on age"),
    ):
        given = {"path": "people.csv", "columns": ["note", "age"], "person": "id"}
        on_notes = [{"columns": ["note"]} | one if one is not table else one for one in stages]
        assert call("policy", "check", policy(place, *on_notes, input=given)) == 2
        assert reason in capsys.readouterr().err
    assert call("policy", "check", policy(place, {"verb": "suppress"}, table)) == 0
    assert "anonymize writes after suppress has counted" in capsys.readouterr().out
    given = json.loads((place / policy(place, {"verb": "anonymize"})).read_text())
    del given["schema"]
    (place / "release.yaml").write_text(json.dumps(given))
    assert call("policy", "check", "release.yaml") == 2
    assert "needs schema" in capsys.readouterr().err


def test_without_withdrawing_the_claim_is_rejected(place, monkeypatch, capsys):
    """The check is not the method: a term starred for one person alone is found out."""
    from sfumato.pipeline import withdraw

    monkeypatch.setattr(withdraw, "parted", lambda *given: set())
    notes = ["At Boston.", "At Boston.", "Zq Boston", "At Denver.", "At Denver.", "At Denver."]
    lines = [f"p{i},{20 if i < 3 else 60},{note}" for i, note in enumerate(notes)]
    (place / "people.csv").write_text("\n".join(["id,age,note", *lines]) + "\n")
    places = [{"document": i, "start": 3, "stop": 9, "label": "LOCATION"} for i in range(6)]
    (place / "spans.jsonl").write_text("".join(json.dumps(one) + "\n" for one in places))
    suppress = {"verb": "suppress", "k": 2, "min_run": 8}
    assert call("run", policy(place, {"verb": "anonymize", "k": 3}, suppress)) == 4
    told = capsys.readouterr().err
    assert "k-anonymity of stage 1 (anonymize)" in told
    assert "broken by stage 2 (suppress of note)" in told
    assert not (place / "release").exists()


def test_two_groupings_of_the_same_people(place, capsys):
    path = policy(place, {"verb": "anonymize", "k": 3, "partitioner": "mondrian"})
    assert call("run", path, "-q", "-o", "one") == 0
    assert call("run", path, "-q", "-o", "same", "--previous", "one") == 0
    stated = json.loads((place / "same.private/certificate.json").read_text())
    assert stated["together"][0]["smallest"] == 3
    shown = json.loads((place / "same/certificate.json").read_text())
    assert shown["together"] == [
        {"column": None, "releases": ["one"], "claims": [], "verdicts": []}
    ]
    text = (place / "people.csv").read_text()
    (place / "people.csv").write_text(text.replace("p0,20", "p0,90"))
    assert call("run", path, "-o", "two", "--previous", "one") == 3
    assert "told apart by all together" in capsys.readouterr().err
    assert not (place / "two").exists()


def test_policy_and_schema_mean_the_same_people(place, capsys):
    """Other people in the texts than in the columns: k would count something else in each."""
    stages = ({"verb": "anonymize", "k": 3}, {"verb": "suppress", "k": 2})
    for person in (None, "age"):
        given = {"path": "people.csv", "columns": ["note"], "person": person}
        path = policy(place, *stages, input=given)
        for command in ("check", "run"):
            begin = ("policy", "check") if command == "check" else ("run",)
            assert call(*begin, path) == 2
            assert "input.person: " in capsys.readouterr().err
    (place / "schema.yaml").write_text(json.dumps(SCHEMA | {"person_number": False}))
    assert call("run", policy(place, *stages)) == 2
    assert "person_number" in capsys.readouterr().err
    assert call("run", policy(place, stages[0]), "-q") == 0


def test_a_schema_that_drops_columns_needs_a_stage_that_does(place, capsys):
    """Without one they would stay, and so would their values in the texts."""
    columns = SCHEMA["columns"] | {"age": {"role": "drop"}}
    (place / "schema.yaml").write_text(json.dumps(SCHEMA | {"columns": columns}))
    path = policy(place, {"verb": "suppress", "k": 2})
    for begin in (("policy", "check"), ("run",)):
        assert call(*begin, path) == 2
        assert "schema: " in capsys.readouterr().err
    assert not (place / "release").exists()


def test_an_earlier_release_with_starred_texts_is_not_compared(place, capsys):
    table = {"verb": "anonymize", "k": 3}
    assert call("run", policy(place, table, {"verb": "suppress", "k": 2}), "-q", "-o", "one") == 0
    assert call("run", policy(place, table), "-q", "-o", "two", "--previous", "one") == 2
    assert "not compared" in capsys.readouterr().err
    assert call("run", policy(place, table), "-q", "-o", "two", "--previous", "absent") == 2
    assert "no such release folder" in capsys.readouterr().err
