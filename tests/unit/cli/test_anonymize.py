"""`sfumato anonymize` from the command line."""

from __future__ import annotations

import json

import polars as pl
import pytest

from sfumato.cli.app import run

SCHEMA = """\
person: id
columns:
  age: {kind: number}
  ill: {role: sensitive}
  text: {kind: text}
entities: {GPE: quasi}
"""
ROWS = """\
id,age,ill,text
007,36,flu,"from Bonn, today"
007,36,flu,at home
8,24,cold,from Bonn
9,61,flu,from Ulm
10,58,cold,from Ulm
"""
TERMS = "id,entity_type,term\n007,GPE,Bonn\n8,GPE,Bonn\n9,GPE,Ulm\n10,GPE,Ulm\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.yaml").write_text(SCHEMA)
    (tmp_path / "in.csv").write_text(ROWS)
    (tmp_path / "terms.csv").write_text(TERMS)
    return tmp_path


def anonymize(*more: str) -> int:
    return run(["anonymize", "in.csv", "--schema", "s.yaml", "-k", "2", "-q", *more])


def test_a_table(folder):
    assert anonymize("--terms", "terms.csv", "-o", "out.csv") == 0
    lines = (folder / "out.csv").read_text().splitlines()
    assert lines[0] == "id,age,ill,text"
    expected = [
        '[24-36],flu,"from Bonn, today"',
        "[24-36],flu,at home",
        "[24-36],cold,from Bonn",
        "[58-61],flu,from Ulm",
        "[58-61],cold,from Ulm",
    ]
    assert sorted(line.split(",", 1)[1] for line in lines[1:]) == sorted(expected)
    again = "--overwrite", "--no-shuffle"
    assert anonymize("--terms", "terms.csv", "-o", "out.csv", *again) == 0
    lines = (folder / "out.csv").read_text().splitlines()
    assert [line.split(",", 1)[1] for line in lines[1:]] == expected
    certificate = json.loads((folder / "out.csv.certificate.json").read_text())
    assert [verdict["holds"] for verdict in certificate["verdicts"]] == [True, True]


def test_places_spans_and_json(folder, capsys):
    places = pl.DataFrame(
        {"row": [0, 2, 3, 4], "start": [5] * 4, "stop": [9, 9, 8, 8], "label": ["GPE"] * 4}
    )
    places.write_parquet(folder / "places.parquet")
    review = [
        {"document": row, "start": start, "stop": stop, "label": label}
        for row, start, stop, label in places.rows()
    ]
    (folder / "spans.jsonl").write_text("".join(json.dumps(one) + "\n" for one in review))
    for option in (["--terms", "places.parquet"], ["--spans", "spans.jsonl"]):
        assert anonymize(*option, "-o", "out.csv", "--json", "--overwrite") == 0
        assert json.loads(capsys.readouterr().out)
        assert "from Ulm" in (folder / "out.csv").read_text()


def test_several_files_and_values_of_k(folder):
    frame = pl.read_csv(folder / "in.csv", infer_schema=False)
    frame.select("id", "age", "ill").unique(maintain_order=True).write_csv(folder / "people.csv")
    frame.select("id", "text").write_csv(folder / "posts.csv")
    command = ["anonymize", "people.csv", "posts.csv", "--schema", "s.yaml", "-k", "2,4", "-q"]
    assert run([*command, "-o", "out.csv", "--terms", "terms.csv"]) == 0
    assert pl.read_csv(folder / "out.k2.csv").height == 5
    assert set(pl.read_csv(folder / "out.k4.csv")["age"]) == {"[24-61]"}


def test_jsonl_and_every_option(folder):
    rows = pl.read_csv(folder / "in.csv", infer_schema=False)
    rows.write_ndjson(folder / "in.jsonl")
    command = ["anonymize", "in.jsonl", "--schema", "s.yaml", "-k", "2", "-q", "-o", "out.jsonl"]
    command.append("--overwrite")
    command += ["--partitioner", "clusters", "--relational-weight", "0.8", "--l", "2"]
    command += ["--t", "0.9", "--terms", "terms.csv", "--unshared", "generalize"]
    command += ["--suppress-share", "0.1", "--cuts", "printed", "--seed", "3"]
    assert run(command) == 0
    assert len((folder / "out.jsonl").read_text().splitlines()) == 5


@pytest.mark.parametrize(
    ("more", "code"),
    [
        (["-k", "5", "-o", "out.csv"], 3),
        (["-k", "x", "-o", "out.csv"], 2),
        (["-o", "out.jsonl"], 2),
        (["-o", "in.csv"], 2),
        (["--terms", "absent.csv", "-o", "out.csv"], 2),
        (["--terms", "terms.csv", "--spans", "s.jsonl", "-o", "out.csv"], 2),
        (["--l", "3", "-o", "out.csv"], 3),
    ],
)
def test_failures_write_nothing(folder, more, code, capsys):
    before = sorted(path.name for path in folder.iterdir())
    assert anonymize(*more) == code
    assert sorted(path.name for path in folder.iterdir()) == before
    assert (folder / "in.csv").read_text() == ROWS
    assert "Bonn" not in capsys.readouterr().err


def test_rx_anons_configuration_is_read(folder):
    (folder / "rx.yaml").write_text(
        "parameters: {k: 2, strategy: mondrian, relational_weight: 1}\n"
        "attributes:\n"
        "  id: {anonymization_type: direct_identifier}\n"
        "  age: {type: numerical, anonymization_type: quasi_identifier}\n"
        "  text: {type: text, anonymization_type: text}\n"
        "entities: {native: [GPE]}\n"
    )
    command = ["anonymize", "in.csv", "--schema", "rx.yaml", "-q", "-o", "out.csv"]
    assert run([*command, "--terms", "terms.csv"]) == 0
    assert "[24-36]" in (folder / "out.csv").read_text()


def test_verify_judges_the_files(folder):
    private = ["--private-certificate", "private.json"]
    assert anonymize("--terms", "terms.csv", "-o", "out.csv", *private) == 0
    command = ["verify", "in.csv", "out.csv", "--certificate", "out.csv.certificate.json", "-q"]
    assert run([*command, "--schema", "s.yaml", "--terms", "terms.csv"]) == 2  # in which order?
    command += private
    assert run([*command, "--schema", "s.yaml", "--terms", "terms.csv"]) == 0
    assert run([*command, "--terms", "terms.csv"]) == 2
    assert run([*command, "--schema", "s.yaml"]) == 2
    spoilt = (folder / "out.csv").read_text().replace("[58-61]", "58", 1)
    (folder / "out.csv").write_text(spoilt)
    assert run([*command, "--schema", "s.yaml", "--terms", "terms.csv"]) == 4
    certificate = json.loads((folder / "out.csv.certificate.json").read_text())
    del certificate["hashes"]["files"]
    (folder / "out.csv.certificate.json").write_text(json.dumps(certificate))
    assert run([*command, "--schema", "s.yaml", "--terms", "terms.csv"]) == 4


def test_verify_with_people_left_out(folder):
    rows = "id,age\n" + "".join(f"{i},{age}\n" for i, age in enumerate([1, 2, 3, 90, 60, 61]))
    (folder / "in.csv").write_text(rows)
    (folder / "s.yaml").write_text("person: id\ncolumns: {age: {kind: number}}\n")
    options = ["--suppress-share", "0.2", "-o", "out.csv", "--private-certificate", "private.json"]
    assert anonymize(*options) == 0
    assert len((folder / "out.csv").read_text().splitlines()) == 6
    command = ["verify", "in.csv", "out.csv", "--certificate", "out.csv.certificate.json", "-q"]
    assert run([*command, "--schema", "s.yaml"]) == 2
    assert run([*command, "--schema", "s.yaml", "--private-certificate", "private.json"]) == 0


def test_the_order_is_drawn_under_the_key(folder, capsys):
    lines = "".join(f"{i},{20 + i},flu,\n" for i in range(60))
    (folder / "in.csv").write_text("id,age,ill,text\n" + lines.rstrip("\n"))  # no last line end
    (folder / "key").write_bytes(b"a key of sixteen bytes")
    (folder / "other").write_bytes(b"another one of them all")
    keyed = ["--key-file", "key"]
    assert anonymize("-o", "out.csv", *keyed) == 0
    made = (folder / "out.csv").read_bytes()
    assert anonymize("-o", "again.csv", *keyed) == 0
    assert (folder / "again.csv").read_bytes() == made
    assert anonymize("-o", "other.csv", "--key-file", "other") == 0
    assert (folder / "other.csv").read_bytes() != made
    assert anonymize("-o", "drawn.csv") == 0
    assert (folder / "drawn.csv").read_bytes() != made
    assert len(made.splitlines()) == 61
    assert not made.endswith(b"\n")
    verify = ["verify", "in.csv", "out.csv", "--schema", "s.yaml"]
    assert run([*verify, *keyed, "-q"]) == 0
    assert run([*verify, "--key-file", "other", "-q"]) == 4
    capsys.readouterr()
    assert run([*verify, "--json"]) == 0
    judged = {one["claim"]: one["holds"] for one in json.loads(capsys.readouterr().out)}
    assert judged == {"k-anonymity": True, "nothing-else-changed": None}


def test_without_the_order_kept_cells_are_still_compared(folder):
    again = "--overwrite", "--own-values", "none"
    assert anonymize("--terms", "terms.csv", "-o", "out.csv", *again) == 0
    certificate = json.loads((folder / "out.csv.certificate.json").read_text())
    del certificate["hashes"]["files"]
    certificate["parameters"]["recognizer"] = "rules-en"
    (folder / "out.csv.certificate.json").write_text(json.dumps(certificate))
    verify = ["verify", "in.csv", "out.csv", "--schema", "s.yaml", "-q"]
    spoilt = (folder / "out.csv").read_text().replace(",flu,", ",gout,", 1)
    (folder / "out.csv").write_text(spoilt)
    assert run(verify) == 4


def test_no_jsonl_line_ends_as_it_did(folder):
    lines = [f'{{"id": {i}, "age": {30 + i}, "ill": "flu", "text": "x{i}"}}' for i in range(8)]
    (folder / "in.jsonl").write_text("\r\n".join(lines[:4]) + "\r\n" + "\n".join(lines[4:]))
    command = ["anonymize", "in.jsonl", "--schema", "s.yaml", "-k", "2", "-q", "-o", "out.jsonl"]
    command.append("--overwrite")
    for _ in range(5):
        assert run(command) == 0
        made = (folder / "out.jsonl").read_bytes()
        assert [json.loads(line)["ill"] for line in made.splitlines()] == ["flu"] * 8
        ends = [line.endswith(b"\r\n") for line in made.splitlines(True)]
        assert ends == [True] * 7 + [False]  # the file has no line end at its end


@pytest.mark.parametrize("codes", [["a", "b"], "a", None, []])
def test_sets_that_are_lists_of_a_jsonl_file(codes, tmp_path):
    """Lists, beside single values, nothing and empty lists: one form for a class."""
    rows = [{"who": i, "age": 30 + i, "codes": ["a", "b"] if i else codes} for i in range(4)]
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    schema = tmp_path / "schema.yaml"
    schema.write_text(
        "person: who\nperson_number: false\ncolumns: {age: {kind: number}, codes: {kind: set}}\n"
    )
    out = tmp_path / "out.jsonl"
    assert run(["anonymize", str(path), "--schema", str(schema), "-k", "4", "-o", str(out)]) == 0
    shared = [code for code in ("a", "b") if code in (codes or [])]
    assert [json.loads(line) for line in out.read_text().splitlines()] == [
        {"age": "[30-33]", "codes": shared}
    ] * 4
