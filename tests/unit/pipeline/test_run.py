"""Policies run as a person runs them: each method alone and composed, in a clean folder."""

from __future__ import annotations

import json
import os
import stat
from importlib.resources import files

import pytest

from sfumato.claims import is_recounted
from support.commands import call

MARKER = "Zyxomme Quvril"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    notes = (files("sfumato.examples") / "clinic_notes.jsonl").read_bytes()
    (tmp_path / "notes.jsonl").write_bytes(notes)
    return tmp_path


def policy(folder, stages, name="release.yaml", **more):
    given = {
        "version": 1,
        "publish": "all",
        "input": {"path": "notes.jsonl", "columns": ["text"], "person": "patient_id"},
        "stages": stages,
        **more,
    }
    (folder / name).write_text(json.dumps(given), "utf-8")  # JSON is YAML
    return folder / name


def lines(folder):
    return [json.loads(line) for line in (folder / "data/notes.jsonl").read_text().splitlines()]


def terms(folder):
    words = [
        "Ward",
        "Clinic",
        "Nurse",
        "Night",
        "Doctor",
        "Visit",
        "fever",
        "cough",
        "sleep",
        "chest",
        "knees",
        "wrist",
        "ankle",
    ]
    (folder / "terms.txt").write_text("\n".join(words) + "\n")
    return "terms.txt"


def patterns(folder):
    (folder / "patterns.txt").write_text("pain\nchest\n")
    return "patterns.txt"


STAGES = {
    "suppress": lambda f: [{"verb": "suppress", "k": 5}],
    "redact": lambda f: [{"verb": "redact", "terms": terms(f), "k": 3}],
    "generalize": lambda f: [{"verb": "generalize", "t": 8, "words": ["pain", "fever", "cough"]}],
    "generalize what was found": lambda f: [
        {"verb": "generalize", "t": 8, "words": "recognised"},
        {"verb": "suppress", "k": 5},
    ],
    "sanitize": lambda f: [{"verb": "sanitize", "patterns": patterns(f), "length": 4}],
    "pseudonymize": lambda f: [{"verb": "pseudonymize"}],
    "suppress and hide": lambda f: [{"verb": "suppress", "k": 5, "hide": "recognised"}],
    "composed": lambda f: [
        {"verb": "pseudonymize"},
        {"verb": "generalize", "t": 8, "words": ["pain", "fever", "cough"]},
        {"verb": "redact", "terms": terms(f), "k": 3},
        {"verb": "suppress", "k": 5},
    ],
}


@pytest.mark.parametrize("method", STAGES)
def test_every_method_runs_from_a_policy(folder, method, capsys):
    path = policy(folder, STAGES[method](folder))
    assert call("run", path, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["verdicts"]
    assert all(verdict["holds"] for verdict in told["verdicts"])
    assert {one.name for one in (folder / "release").iterdir()} == {
        *("data", "certificate.json", "policy.yaml", "report.html", "SHA256SUMS")
    }
    private = folder / "release.private"
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    for parent, _, names in os.walk(private):
        for name in names:
            assert stat.S_IMODE(os.stat(os.path.join(parent, name)).st_mode) == 0o600, name
    original = [json.loads(line) for line in (folder / "notes.jsonl").read_text().splitlines()]
    released = lines(folder / "release")
    assert [one["patient_id"] for one in released] == [one["patient_id"] for one in original]
    assert any(a["text"] != b["text"] for a, b in zip(original, released, strict=True))
    counted = any(is_recounted(verdict["claim"]) for verdict in told["verdicts"])
    assert call("verify", "release") == (0 if counted else 2)  # alone nothing else can be judged
    assert call("verify", "notes.jsonl", "release") == 0
    assert not [name for name in os.listdir() if name.startswith(".")]


def test_suppress_counts_people_in_the_final_release(folder, capsys):
    stages = STAGES["composed"](folder)
    stages[-1]["guess"] = None  # every star counts: told from the release alone
    assert call("run", policy(folder, stages), "-q") == 0
    stated = json.loads((folder / "release/certificate.json").read_text())
    claim = next(c for c in stated["claims"] if c["name"] == "substring-k-anonymity")
    assert claim["parameters"]["strict"] is True
    assert claim["parameters"]["count"] == "groups"
    assert [stage["verb"] for stage in stated["stages"]] == [
        *("pseudonymize", "generalize", "redact", "suppress")
    ]
    people: dict[str, set[str]] = {}
    for line in lines(folder / "release"):
        for stretch in line["text"].split("★"):
            people.setdefault(stretch, set())
    for stretch in people:
        for line in lines(folder / "release"):
            if any(stretch in part for part in line["text"].split("★")):
                people[stretch].add(line["patient_id"])
    assert min(len(owners) for stretch, owners in people.items() if stretch) >= 5


def test_a_broken_claim_names_both_stages_and_writes_nothing(folder, capsys):
    stages = [{"verb": "suppress", "k": 5}, {"verb": "pseudonymize"}]
    text = "Seen by Dr. Ann Ho on 06/17/2021."
    rows = [{"patient_id": f"p{i}", "text": text} for i in range(6)]
    (folder / "notes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert call("run", policy(folder, stages)) == 4
    told = capsys.readouterr().err
    assert "stage 1 (suppress of text)" in told
    assert "stage 2 (pseudonymize of text)" in told
    assert not (folder / "release").exists()


def test_a_term_that_a_later_stage_writes_is_not_passed_over(folder, capsys):
    rows = [{"patient_id": f"p{i}", "text": "phantom limb pain today"} for i in range(6)]
    (folder / "notes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "terms.txt").write_text("pain\ngain\nrain\nmain\n")
    redact = {"verb": "redact", "terms": "terms.txt", "k": 2}
    general = {"verb": "generalize", "t": 3, "words": ["phantom limb pain"]}
    general["guarantee"] = "plausible"
    assert call("run", policy(folder, [general, redact]), "-q") == 0  # "pain" loses letters
    assert lines(folder / "release")[0]["text"] in ("*ain today", "p*in today", "pa*n today")
    (folder / "notes.jsonl").write_text(
        "".join(json.dumps({**row, "text": "a migraine today"}) + "\n" for row in rows)
    )
    (folder / "terms.txt").write_text("headache\nheadacre\n")
    general |= {"t": 2, "words": ["migraine"]}
    assert call("run", policy(folder, [redact, general]), "--overwrite") == 4
    told = capsys.readouterr().err
    assert "no-term-in-clear of stage 1 (redact of text)" in told
    assert "broken by stage 2 (generalize of text)" in told
    assert lines(folder / "release")[0]["text"].endswith("n today")  # the old release stands


def test_demanded_claims(folder, capsys):
    stages = STAGES["suppress"](folder)
    demand = [{"claim": "substring-k-anonymity", "k": 5, "count": "groups"}]
    assert call("run", policy(folder, stages, claims=demand), "-q") == 0
    demand = [{"claim": "substring-k-anonymity", "k": 6, "count": "groups"}]
    assert call("run", policy(folder, stages, claims=demand), "--overwrite") == 2
    assert "claims[0]" in capsys.readouterr().err
    demand = [{"claim": "term-k-anonymity", "k": 6}]  # no stage makes it: told before any work
    assert call("run", policy(folder, stages, claims=demand), "--overwrite") == 2
    assert "claims[0]" in capsys.readouterr().err
    demand = [{"claim": "nonsense"}]
    assert call("run", policy(folder, stages, claims=demand), "--overwrite") == 2


def test_repeatable_byte_for_byte(folder):
    (folder / "key").write_text("a key of more than sixteen bytes\n")
    path = policy(folder, STAGES["composed"](folder), key_file="key")
    assert call("run", path, "-q", "-o", "one") == 0
    assert call("run", path, "-q", "-o", "two") == 0
    assert (folder / "one/SHA256SUMS").read_bytes() == (folder / "two/SHA256SUMS").read_bytes()


def test_a_release_tells_no_secret(folder):
    rows = [{"patient_id": f"p{i}", "text": f"{MARKER} has pain"} for i in range(2)]
    rows += [{"patient_id": f"q{i}", "text": "Somebody has pain"} for i in range(6)]
    (folder / "notes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "key").write_text("a key of more than sixteen bytes\n")
    stages = [
        {"verb": "generalize", "t": 2, "words": [MARKER, "pain"]},
        {"verb": "suppress", "k": 5},
    ]
    assert call("run", policy(folder, stages, key_file="key"), "-q") == 0
    public = b"".join(p.read_bytes() for p in (folder / "release").rglob("*") if p.is_file())
    assert MARKER.encode() not in public
    assert b"more than sixteen" not in public
    assert str(folder).encode() not in public


def test_two_text_columns(folder):
    rows = [
        {"who": f"p{i}", "a": f"Visit {i} was fine", "b": f"Note {i} is short"} for i in range(6)
    ]
    (folder / "notes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    given = {
        "version": 1,
        "input": {"path": "notes.jsonl", "columns": ["a", "b"], "person": "who"},
        "stages": [{"verb": "suppress", "k": 5}],
    }
    (folder / "release.yaml").write_text(json.dumps(given))
    assert call("run", "release.yaml", "-q") == 0
    first = lines(folder / "release")[0]
    assert first == {"who": "p0", "a": "Visit ★ was fine", "b": "Note ★ is short"}
    assert call("verify", "release") == 0
    given["stages"] = [{"verb": "suppress", "k": 5, "columns": ["b"]}]
    (folder / "release.yaml").write_text(json.dumps(given))
    assert call("run", "release.yaml", "-q", "--overwrite") == 0
    assert lines(folder / "release")[0]["a"] == "Visit 0 was fine"


def test_folders_and_plain_texts(folder):
    (folder / "texts").mkdir()
    for i in range(5):
        (folder / f"texts/{i}.txt").write_text(f"The visit of number {i} was fine.\n")
    given = {"version": 1, "input": {"path": "texts"}, "stages": [{"verb": "suppress", "k": 5}]}
    (folder / "release.yaml").write_text(json.dumps(given))
    assert call("run", "release.yaml", "-q") == 0
    text = (folder / "release/data/texts/3.txt").read_text()
    assert text == "The visit of number ★ was fine.\n"
    assert call("verify", "release") == 0


def test_an_occupied_place_is_refused(folder, capsys):
    (folder / "release").mkdir()
    (folder / "release/mine").write_text("x")
    assert call("run", policy(folder, STAGES["suppress"](folder))) == 2
    assert (folder / "release/mine").exists()
    assert "--overwrite" in capsys.readouterr().err


def test_a_demanded_claim_is_demanded_of_every_text_column(folder, capsys):
    """A column that no stage works on is published as it is: its claim does not hold."""
    rows = [{"patient_id": i, "text": "calm", "more": f"{MARKER} {i}"} for i in range(6)]
    (folder / "notes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    given = {"path": "notes.jsonl", "columns": ["text", "more"], "person": "patient_id"}
    claim = {"claim": "substring-k-anonymity", "k": 2, "count": "groups"}
    stages = [{"verb": "suppress", "k": 2, "columns": ["text"]}]
    demanding = policy(folder, stages, input=given, claims=[claim])
    assert call("run", demanding) == 4
    assert "claims[0]: " in (told := capsys.readouterr().err)
    assert MARKER not in told
    assert not (folder / "release").exists()
    other = [*stages, {"verb": "pseudonymize", "columns": ["more"]}]
    assert call("run", policy(folder, other, input=given, claims=[claim])) == 4
    named = policy(folder, stages, input=given, claims=[claim | {"columns": ["text"]}])
    assert call("run", named, "-q") == 0


def test_a_renamed_input_and_another_encoding_are_not_taken_for_the_old_one(folder):
    """Results of an earlier run are used for the same name, format and encoding only."""
    (folder / "notes.csv").write_bytes("who,text\n1,né\n2,né\n".encode())
    stages = [{"verb": "suppress", "k": 2}]

    def released(name, **more):
        given = {"path": name, "columns": ["text"], "person": "who", **more}
        assert call("run", policy(folder, stages, input=given), "-q", "--overwrite") == 0
        return (folder / "release/data" / name).read_bytes()

    first = released("notes.csv")
    (folder / "same.csv").write_bytes((folder / "notes.csv").read_bytes())
    assert released("same.csv") == first
    released("same.csv", encoding="latin-1")
    loss = json.loads((folder / "release.private/figures.json").read_text())["loss"]
    assert loss["symbols"] == 6


def test_what_is_no_release_is_not_replaced(folder, capsys):
    (folder / "mine").mkdir()
    (folder / "mine/letters.txt").write_text("dear")
    path = policy(folder, [{"verb": "suppress", "k": 2}])
    assert call("run", path, "-q", "-o", "mine", "--overwrite") == 2
    assert "is not replaced" in capsys.readouterr().err
    assert (folder / "mine/letters.txt").read_text() == "dear"


def test_a_release_inside_its_input_is_refused_before_anything_is_made(folder, capsys):
    (folder / "texts").mkdir()
    (folder / "texts/a.txt").write_text("aa")
    path = policy(folder, [{"verb": "suppress", "k": 1}], input={"path": "texts"})
    assert call("run", path, "-q", "-o", "texts/out") == 2
    assert "mix with the input" in capsys.readouterr().err
    assert [one.name for one in (folder / "texts").iterdir()] == ["a.txt"]


def test_columns_that_no_stage_changes_are_told(folder):
    """The person column is in the release: who signs it is warned."""
    assert call("run", policy(folder, [{"verb": "suppress", "k": 2}]), "-q") == 0
    told = json.loads((folder / "release/certificate.json").read_text())["warnings"]
    assert "these columns are released as they are: note_id, patient_id, date" in told


def test_a_column_may_be_named_by_a_path(folder):
    """Its name is part of the name of the file that undoes the surrogates."""
    (folder / "notes.csv").write_text("who,a/b\n1,Seen by Dr. Ann Ho.\n2,calm\n")
    given = {"path": "notes.csv", "columns": ["a/b"], "person": "who"}
    assert call("run", policy(folder, [{"verb": "pseudonymize"}], input=given), "-q") == 0
    assert (folder / "release.private/mapping-1-a%2Fb.sfumato").is_file()


def test_the_file_that_is_published_is_the_one_that_was_judged(folder, monkeypatch, capsys):
    from sfumato.pipeline import run as running

    judge = running.judge_results

    def meddle(done):
        for data in (folder / "release.private/stages").glob("*/data/notes.jsonl"):
            data.write_bytes(data.read_bytes().replace("★".encode(), b"x"))
        return judge(done)

    monkeypatch.setattr(running, "judge_results", meddle)
    assert call("run", policy(folder, [{"verb": "suppress", "k": 5}])) == 4
    assert "is not what was judged" in capsys.readouterr().err
    assert not (folder / "release").exists()
