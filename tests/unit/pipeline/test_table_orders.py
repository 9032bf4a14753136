"""`anonymize` before, between and after other stages: every claim judged on the final table."""

from __future__ import annotations

import csv
import io
import json

import pytest

from support.commands import call
from support.table_policies import released_rows as rows
from support.table_policies import table_policy

SCHEMA = {"person": "id", "columns": {"age": {"kind": "number"}, "note": {"kind": "text"}}}
TOWNS = ["Boston", "Boston", "Boston", "Denver", "Denver", "Denver", "Boston", "Denver"]
DOCTORS = ["Ann Ames", "Ann Ames", "Bob Bell", "Ann Ames", "Bob Bell", "Ann Ames", "Kim Kay", "X"]
NOTE = "{doctor} saw the patient in {town}. The crew had gin. {rare} came."


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["id", "age", "note", "ward"])
    spans = []
    for i, (town, doctor) in enumerate(zip(TOWNS, DOCTORS, strict=True)):
        note = NOTE.format(doctor=doctor, town=town, rare="Zyxommequi"[i:])
        rows.writerow([f"p{i}", (20 if town == "Boston" else 60) + i, note, f"{doctor} ward"])
        for label, term in (("PERSON", doctor), ("LOCATION", town)):
            at = note.index(term)
            line = {"document": i, "start": at, "stop": at + len(term), "label": label}
            spans.append(json.dumps(line) + "\n")
    (tmp_path / "people.csv").write_text(out.getvalue())
    (tmp_path / "schema.yaml").write_text(json.dumps(SCHEMA))
    (tmp_path / "spans.jsonl").write_text("".join(spans))
    (tmp_path / "key").write_text("k" * 32)
    (tmp_path / "terms.txt").write_text("crew\ndrew\nbrew\ngrew\n")
    return tmp_path


def policy(place, *stages, **more):
    return table_policy(place, *stages, **{"key_file": "key", **more})


TABLE = {"verb": "anonymize", "k": 3}
REDACT = {"verb": "redact", "terms": "terms.txt", "k": 2}
GENERALIZE = {"verb": "generalize", "words": ["gin"], "t": 4}
ORDERS = {
    "redact, anonymize": (REDACT, TABLE),
    "pseudonymize, anonymize, redact, suppress": (
        *({"verb": "pseudonymize"}, TABLE, REDACT),
        {"verb": "suppress", "k": 3},
    ),
    "anonymize, generalize": (TABLE, GENERALIZE),
    "generalize, anonymize, suppress": (GENERALIZE, TABLE, {"verb": "suppress", "k": 3}),
    "anonymize, pseudonymize, redact": (TABLE, {"verb": "pseudonymize"}, REDACT),
    "suppress, anonymize, suppress": (
        *({"verb": "suppress", "k": 3}, TABLE),
        {"verb": "suppress", "k": 3},
    ),
    "anonymize, suppress what was recognised": (
        TABLE,
        {"verb": "suppress", "k": 2, "hide": "recognised"},
    ),
}


@pytest.mark.parametrize("name", ORDERS)
def test_every_order(place, name, capsys):
    (place / "key").write_bytes(b"a key of sixteen bytes")
    claims = [{"claim": "k-anonymity", "k": 3}]
    path = policy(place, *ORDERS[name], claims=claims, key_file="key")
    assert call("policy", "check", path) == 0
    assert call("run", path, "-q") == 0, capsys.readouterr().err
    stated = json.loads((place / "release/certificate.json").read_text())
    assert [one["verb"] for one in stated["stages"]] == [one["verb"] for one in ORDERS[name]]
    assert all(one["holds"] for one in stated["verdicts"])
    text = (place / "release/data/people.csv").read_text()
    assert not any(f"{doctor} saw" in text for doctor in DOCTORS)
    notes = [one["note"] for one in rows(place)]
    if name == "anonymize, pseudonymize, redact":  # a class is renamed as one
        towns = {(one["age"], one["note"].split(" in ")[1].split(".")[0]) for one in rows(place)}
        assert len(towns) == len({age for age, _ in towns})
        assert "Boston" not in text
    elif ORDERS[name][0] is TABLE and len(ORDERS[name]) == 2 and "hide" not in ORDERS[name][1]:
        assert sum("Boston" in note for note in notes) == 4
    if REDACT in ORDERS[name]:
        assert "crew" not in text
    if GENERALIZE in ORDERS[name]:
        assert " gin" not in text
    capsys.readouterr()
    counted = any(stage["verb"] == "suppress" for stage in ORDERS[name])
    assert call("verify", "release") == (0 if counted else 2)  # alone nothing else can be judged
    assert call("verify", "people.csv", "release", "--json") == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert told["not_judged"] == []
    assert call("run", path, "-q", "-o", "again") == 0
    again = (place / "again/data/people.csv").read_bytes()
    assert again == (place / "release/data/people.csv").read_bytes()
    assert call("run", path, "--sample", "1.0", "--json") == 0
    assert all(one[1] for one in json.loads(capsys.readouterr().out)["verdicts"])


def test_rows_that_are_left_out(place):
    """Claims made before rows were left out hold for what is released, counted anew."""
    text = (place / "people.csv").read_text().replace("p7,67", "p7,900")
    (place / "people.csv").write_text(text)
    table = {**TABLE, "suppress_share": 0.2}
    path = policy(place, REDACT, table, {"verb": "suppress", "k": 2})
    assert call("run", path, "-q") == 0
    assert len(rows(place)) < len(TOWNS)
    assert call("verify", "people.csv", "release") == 0


def test_a_column_that_the_table_leaves_alone(place):
    """Pseudonyms of another column, then the table, then redacted notes."""
    given = {"path": "people.csv", "columns": ["note", "ward"], "person": "id"}
    (place / "rules.yaml").write_text(
        "rules:\n  - {label: PERSON, expression: '(Ann Ames|Bob Bell|Kim Kay)'}\n"
        "  - {label: LOCATION, expression: '(Boston|Denver)'}\n"
    )
    stages = ({"verb": "pseudonymize", "columns": ["ward"]}, TABLE, {**REDACT, "columns": ["note"]})
    path = policy(place, *stages, input=given, spans=None, recognizer="rules.yaml")
    assert call("run", path, "-q") == 0
    wards = [one["ward"] for one in rows(place)]
    assert not any(doctor in ward for ward in wards for doctor in DOCTORS[:7])
    assert sorted(map(wards.count, set(wards))) == [1, 1, 2, 4]
    public = "".join(path.read_text() for path in sorted((place / "release").glob("*.*")))
    assert "rules.yaml" in public
    assert str(place) not in public  # where the rules lie is nobody's business
    assert call("verify", "people.csv", "release") == 0


def test_a_stage_that_parts_a_class_withdraws_the_term(place, monkeypatch, capsys):
    """Boston becomes other words for one person of the class: a type for all, or rejected."""
    import sfumato.methods.meanings.generalize as verb
    from sfumato.pipeline import withdraw

    plain = verb.generalize

    def uneven(given, **options):
        from dataclasses import replace

        import numpy as np

        release = plain(given, **options)
        texts = list(given)
        place = next((i for i, text in enumerate(texts) if "in Boston" in text), None)
        if place is None:
            return release
        at = texts[place].index("Boston")
        texts[place] = texts[place].replace("Boston", "Massachusetts")
        changes = type(release.changes)(
            np.array([place]), np.array([at]), np.array([at + 6]), ["Massachusetts"], ["planted"]
        )
        return replace(release, data=texts, changes=changes, claims=())

    monkeypatch.setattr(verb, "generalize", uneven)
    path = policy(place, TABLE, GENERALIZE)
    assert call("run", path, "-q") == 0
    released = [one["note"] for one in rows(place)]
    assert sum("Denver" in note for note in released) == 4
    assert not any("Boston" in note or "Massachusetts" in note for note in released)
    monkeypatch.setattr(withdraw, "parted", lambda *given: set())
    assert call("run", path, "-o", "other") == 4
    told = capsys.readouterr().err
    assert "k-anonymity of stage 1 (anonymize)" in told
    assert "broken by stage 2 (generalize of note)" in told
    assert not (place / "other").exists()


def test_a_sample_is_of_whole_people(place, capsys):
    """Two rows a person: the sample has both or none, and writes nothing."""
    lines = (place / "people.csv").read_text().splitlines()
    doubled = [lines[0], *(line for line in lines[1:] for _ in range(2))]
    (place / "people.csv").write_text("\n".join(doubled) + "\n")
    (place / "spans.jsonl").unlink()
    stages = ({"verb": "anonymize", "k": 2}, {"verb": "suppress", "k": 2})
    path = policy(place, *stages, spans=None, recognizer="rules-en")
    assert call("run", path, "--sample", "60%", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert 0 < told["persons"] < 8
    assert told["documents"] == 2 * told["persons"]
    assert not (place / "release").exists()
    assert not (place / "release.private").exists()
    assert call("run", path, "--sample", "1%", "--json") == 0
    assert json.loads(capsys.readouterr().out)["persons"] == 2  # k of them at least
