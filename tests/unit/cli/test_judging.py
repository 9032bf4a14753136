"""attack, evaluate and sweep from the command line."""

from __future__ import annotations

import csv
import json
import sys

import pytest

from sfumato.cli.app import run

SECRET = "Zyxomme"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    records = []
    for person in range(40):
        for visit in range(2):
            name = SECRET if person == 7 else f"Name{person:02}x"
            text = f"{name} has {'flu' if visit else 'pain'} today."
            spans = [{"start": 0, "end": len(name), "label": "PERSON", "id_type": "DIRECT"}]
            record = {"id": f"p{person}", "text": text, "kind": str(visit), "spans": spans}
            records.append(record)
    lines = "".join(json.dumps(record) + "\n" for record in records)
    (tmp_path / "notes.jsonl").write_text(lines)
    columns = ["--text-column", "text", "--group-column", "id"]
    assert run(["suppress", "notes.jsonl", "-k", "5", *columns, "-o", "out.jsonl", "-q"]) == 0
    return columns


def test_attack_tells_numbers_and_no_text(files, capsys):
    for release in ("notes.jsonl", "out.jsonl"):
        assert run(["attack", "notes.jsonl", release, *files, "--json"]) == 0
    raw, after = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    names = [one["name"] for one in after]
    assert "linkage-rare" in names
    assert "reconstruction" in names
    at = names.index("linkage-rare")
    assert raw[at]["success"] > 0.9
    assert after[at]["success"] < 0.1
    assert SECRET not in json.dumps([raw, after])
    assert run(["attack", "notes.jsonl", "out.jsonl", *files, "--attacks", "membership"]) == 0
    assert "membership" in capsys.readouterr().err


def test_background_and_public_come_from_files(files, capsys):
    more = ["--background", "notes.jsonl", "--public", "notes.jsonl"]
    names = ["--attacks", "linkage-words,reconstruction", "--json"]
    assert run(["attack", "notes.jsonl", "out.jsonl", *files, *more, *names]) == 0
    linkage, stars = json.loads(capsys.readouterr().out)
    assert stars["name"] == "reconstruction-public"
    assert stars["trials"] > 0
    assert linkage["trials"] == 40


def test_inversions_from_the_certificate(files, tmp_path, capsys):
    (tmp_path / "terms.txt").write_text("\n".join(f"Name{i:02}x" for i in range(40)) + "\n")
    text = ["--text-column", "text"]
    made = ["--terms", "terms.txt", "-k", "2", "-o", "red.jsonl", "-q"]
    assert run(["redact", "notes.jsonl", *text, *made]) == 0
    given = ["--terms", "terms.txt", "--certificate", "red.jsonl.certificate.json"]
    only = ["--attacks", "redact-inversion", "--json"]
    assert run(["attack", "notes.jsonl", "red.jsonl", *text, *given, *only]) == 0
    assert json.loads(capsys.readouterr().out)[0]["detail"]["fewest_terms"] >= 2
    assert run(["attack", "notes.jsonl", "out.jsonl", *text, *given, *only]) == 4
    (tmp_path / "one.txt").write_text("aabaaacbcbbbaabbacaab\n")
    (tmp_path / "patterns.txt").write_text("baaa\nbbaa\n")
    made = ["--patterns", "patterns.txt", "--method", "tfs", "-o", "hid.txt", "-q"]
    assert run(["sanitize", "one.txt", *made]) == 0
    capsys.readouterr()
    given = ["--patterns", "patterns.txt", "--certificate", "hid.txt.certificate.json"]
    assert run(["attack", "one.txt", "hid.txt", *given, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["success"] == 1.0


def test_evaluate_against_gold_and_a_task(files, capsys):
    gold = ["--gold", "notes.jsonl", "--label-column", "kind"]
    assert run(["evaluate", "notes.jsonl", "out.jsonl", *files, *gold, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["entities"]["direct_recall"] == 1.0
    assert found["tokens"]["precision"] == 1.0
    assert found["downstream"]["released"] == 1.0
    assert run(["evaluate", "notes.jsonl", "out.jsonl", *files, *gold]) == 0
    assert "direct identifiers that are hidden (recall)" in capsys.readouterr().err
    wrong = ["--label-column", "none"]
    assert run(["evaluate", "notes.jsonl", "out.jsonl", *files, *wrong]) == 2


def test_sweep_writes_a_table_and_a_plot(files, tmp_path, capsys, monkeypatch):
    given = ["--values", "2,5", "--attacks", "singling-out-word", "--gold", "notes.jsonl"]
    made = ["-o", "sweep.csv", "--plot", "sweep.svg", "-q"]
    assert run(["sweep", "notes.jsonl", *files, *given, *made]) == 0
    rows = list(csv.DictReader((tmp_path / "sweep.csv").read_text().splitlines()))
    assert [row["value"] for row in rows] == ["2", "5"]
    assert (tmp_path / "sweep.svg").read_text().startswith("<svg")
    assert run(["sweep", "notes.jsonl", *files, *given, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["curves"]
    assert run(["sweep", "notes.jsonl", *files, *given]) == 0
    assert "singling-out-word" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    made[1], made[3] = "other.csv", "other.svg"
    assert run(["sweep", "notes.jsonl", *files, *given, *made]) == 5
    assert not (tmp_path / "other.csv").exists()


def test_tables_are_attacked_by_their_schema(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "raw.csv").write_text("age\n24\n36\n40\n50\n")
    (tmp_path / "out.csv").write_text("age\n[24-36]\n[24-36]\n[40-50]\n[40-50]\n")
    (tmp_path / "schema.yaml").write_text("columns: {age: {kind: number}}\n")
    given = ["--schema", "schema.yaml", "--attacks", "prosecutor", "--json"]
    assert run(["attack", "raw.csv", "out.csv", *given]) == 0
    assert json.loads(capsys.readouterr().out)[0]["success"] == 0.5
    assert run(["attack", "none.csv", "out.csv", *given]) == 2


def test_tables_are_swept_by_their_schema(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "raw.csv").write_text("age\n" + "".join(f"{20 + i}\n" for i in range(12)))
    (tmp_path / "schema.yaml").write_text("columns: {age: {kind: number}}\n")
    given = ["sweep", "raw.csv", "--method", "anonymize", "--values", "2,6", "--json"]
    assert run([*given, "--schema", "schema.yaml", "--attacks", "prosecutor"]) == 0
    curves = json.loads(capsys.readouterr().out)["curves"]
    assert any([value for value, _ in one["points"]] == [2, 6] for one in curves)
    assert run(given) == 2


def test_attack_and_run_attack_alike(tmp_path, monkeypatch, capsys):
    """Two text columns of a record are one text, not two of which one is known."""
    monkeypatch.chdir(tmp_path)
    rows = [f"p{i},saw room{i:03}x and left,liked floor{i:03}y a lot" for i in range(60)]
    (tmp_path / "in.csv").write_text("id,bad,good\n" + "\n".join(rows) + "\n")
    (tmp_path / "release.yaml").write_text(
        "{version: 1, input: {path: in.csv, columns: [bad, good], person: id}, "
        "stages: [{verb: suppress, k: 1}], attacks: [linkage-words]}"
    )
    assert run(["run", "release.yaml", "--json"]) == 0
    [told] = json.loads(capsys.readouterr().out)["attacks"]
    columns = ["--text-column", "bad", "--text-column", "good", "--group-column", "id"]
    only = ["--attacks", "linkage-words", "--json"]
    assert run(["attack", "in.csv", "release/data/in.csv", *columns, *only]) == 0
    [found] = json.loads(capsys.readouterr().out)
    assert found == told
    assert found["success"] > 0.9
    assert run(["attack", "in.csv", "release/data/in.csv", *columns, *only[:2]]) == 0
    shown = " ".join(capsys.readouterr().err.split())
    assert "knows 50 words of a text of the person; control: people held out" in shown
    assert "above" in shown


def test_a_run_fails_on_an_attack_that_succeeds_too_often(files, tmp_path, capsys):
    policy = (
        "{{version: 1, input: {{path: notes.jsonl, columns: [text], person: id}}, "
        "stages: [{{verb: suppress, k: {1}}}], attacks: {{singling-out-word: {{at_most: {0}}}, "
        "linkage-words: {{background: another}}}}}}"
    )
    (tmp_path / "strict.yaml").write_text(policy.format(-1, 2))
    assert run(["run", "strict.yaml"]) == 2
    (tmp_path / "leaking.yaml").write_text(policy.format(0.1, 1))
    capsys.readouterr()
    assert run(["run", "leaking.yaml"]) == 4
    assert "singling-out-word succeeds in 1.000" in capsys.readouterr().err
    assert not (tmp_path / "release").exists()
    assert not (tmp_path / "release.private").exists()
    (tmp_path / "good.yaml").write_text(policy.format(0.1, 2))
    assert run(["run", "good.yaml"]) == 0
    shown = capsys.readouterr().err
    assert "singling-out-word" in shown
    assert "10%" in shown
    told = json.loads((tmp_path / "release.private" / "figures.json").read_text())["attacks"]
    assert {one["name"]: one.get("at_most") for one in told} == {
        "singling-out-word": 0.1,
        "linkage-words": None,
    }
    assert run(["verify", "release", "-q"]) == 0


ATTACKED = {
    "texts": ("[text]", "{verb: suppress, k: 3}", "[linkage-rare, linkage-words, reconstruction]"),
    "two columns": ("[text, kind]", "{verb: suppress, k: 3}", "all"),
    "redacted": ("[text]", "{verb: redact, terms: terms.txt, k: 2}", "[redact-inversion]"),
    "limits": (
        "[text]",
        "{verb: suppress, k: 3}",
        "{linkage-words: {at_most: 0.9, background: another}, membership: {}}",
    ),
    "table": ("[text]", "{verb: anonymize, k: 3}, {verb: suppress, k: 3}", "all"),
}


@pytest.mark.parametrize("case", ATTACKED)
def test_a_release_folder_is_attacked_as_its_run_was(case, files, tmp_path, capsys):
    columns, stages, attacks = ATTACKED[case]
    (tmp_path / "terms.txt").write_text("".join(f"Name{i:02}x\n" for i in range(40)))
    (tmp_path / "schema.yaml").write_text(
        "person: id\nothers: drop\ncolumns: {kind: {kind: category}, text: {kind: text}}\n"
    )
    schema = "schema: schema.yaml, recognizer: en, " if case == "table" else ""
    (tmp_path / "release.yaml").write_text(
        f"{{version: 1, input: {{path: notes.jsonl, columns: {columns}, person: id}}, "
        f"{schema}publish: all, seed: 3, stages: [{stages}], attacks: {attacks}}}"
    )
    assert run(["run", "release.yaml", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["attacks"]
    assert told
    assert run(["attack", "notes.jsonl", "release", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == told
    assert run(["attack", "notes.jsonl", "release"]) == 0
    shown = " ".join(capsys.readouterr().err.split())
    assert all(one["background"] in shown for one in told)
    (tmp_path / "other.jsonl").write_text((tmp_path / "notes.jsonl").read_text()[:-200])
    assert run(["attack", "other.jsonl", "release"]) == 2
    assert run(["attack", "notes.jsonl", "release", "--text-column", "text"]) == 2


def test_a_release_folder_alone_is_attacked_alike(files, tmp_path, capsys):
    """Without the private folder the texts are the same, so the figures are."""
    (tmp_path / "release.yaml").write_text(
        "{version: 1, input: {path: notes.jsonl, columns: [text], person: id}, publish: all, "
        "stages: [{verb: suppress, k: 3}], attacks: [linkage-words, membership, reconstruction]}"
    )
    assert run(["run", "release.yaml", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["attacks"]
    (tmp_path / "release.private").rename(tmp_path / "elsewhere")
    only = ["--attacks", "linkage-words,membership,reconstruction", "--json"]
    assert run(["attack", "notes.jsonl", "release", *only]) == 0
    assert json.loads(capsys.readouterr().out) == told
    kept = ["--private", "elsewhere"]
    assert run(["attack", "notes.jsonl", "release", *kept, *only]) == 0
    assert json.loads(capsys.readouterr().out) == told


def test_a_shuffled_folder_needs_its_private_one(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "raw.csv").write_text("id,age\n" + "".join(f"p{i},{20 + i}\n" for i in range(24)))
    (tmp_path / "schema.yaml").write_text("person: id\ncolumns: {age: {kind: number}}\n")
    policy = (
        "{{version: 1, input: {{path: raw.csv, person: id}}, schema: schema.yaml, "
        "stages: [{{verb: anonymize, k: 3{}}}], attacks: [prosecutor, linkage], "
        "output: {{path: {}}}}}"
    )
    (tmp_path / "one.yaml").write_text(policy.format("", "one"))
    (tmp_path / "two.yaml").write_text(policy.format(", shuffle: false", "two"))
    told = {}
    for name in ("one", "two"):
        assert run(["run", f"{name}.yaml", "--json"]) == 0
        told[name] = json.loads(capsys.readouterr().out)["attacks"]
        assert run(["attack", "raw.csv", name, "--json"]) == 0
        assert json.loads(capsys.readouterr().out) == told[name]
        (tmp_path / f"{name}.private").rename(tmp_path / f"{name}.kept")
    assert told["one"] == told["two"]
    assert run(["attack", "raw.csv", "one"]) == 2
    assert "shuffled" in capsys.readouterr().err
    assert run(["attack", "raw.csv", "two", "--attacks", "prosecutor", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["success"] == told["two"][0]["success"]
