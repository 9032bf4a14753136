"""Inputs that are refused: what is said of them holds nothing of them, and nothing is left."""

from __future__ import annotations

import gzip

import pytest

from adversarial.annotated_places import T1, i2b2
from adversarial.known import case
from adversarial.packed_places import zst
from adversarial.place import ROWS, TEXT, fields, lines, put
from adversarial.search import SECRET, holds, leaks
from support.commands import outcome

TEXT_VERBS = {
    "suppress": "suppress {} {} -k 3 -o out{}",
    "redact": "redact {} {} --terms terms.txt -k 2 -o out{}",
    "sanitize": "sanitize {} {} --patterns secret.txt -o out{}",
    "pseudonymize": "pseudonymize {} {} -o out{}",
    "recognize": "recognize {} {} -o out.jsonl",
    "as JSON": "suppress {} {} -k 3 --json -o out{}",
    "to standard output": "suppress {} {} -k 3 -o -",
}
COLUMN = "--text-column text"
GOOD = fields(ROWS)
# Of each: the file's ending, its content and how it is read.
FILES = {
    "wrong csv: open quote": ("csv", f'who,text\np1,"{TEXT}\n', COLUMN),
    "wrong csv: quote inside": ("csv", f'who,text\np1,"{SECRET}" {SECRET}\n', COLUMN),
    "wrong csv: too many fields": ("csv", f"who,text\np1,{TEXT},{SECRET}\n", COLUMN),
    "wrong csv: too few fields": ("csv", f"who,text,x\np1,{SECRET}\n", COLUMN),
    "wrong csv: no header": ("csv", f"p1,{SECRET}\np2,calm\n", COLUMN),
    "wrong csv: name twice": ("csv", f"text,text\n{SECRET},{SECRET}\n", COLUMN),
    "wrong csv: other encoding": ("csv", GOOD.replace("asthma", "Ü").encode("latin-1"), COLUMN),
    "wrong csv: another encoding": ("csv", GOOD.encode("utf-16"), COLUMN),
    "wrong jsonl: open string": ("jsonl", '{"text": "' + TEXT, COLUMN),
    "wrong jsonl: no object": ("jsonl", f'"{SECRET}"\n', COLUMN),
    "wrong jsonl: other text": ("jsonl", '{"text": {"a": "' + SECRET + '"}}\n', COLUMN),
    "wrong jsonl: no value": ("jsonl", '{"text": ' + SECRET + "}\n", COLUMN),
    "wrong jsonl: more behind": ("jsonl", '{"text": "a"} ' + SECRET + "\n", COLUMN),
    "wrong jsonl: escape": ("jsonl", '{"text": "' + SECRET + '\\x"}\n', COLUMN),
    "wrong jsonl: path": ("jsonl", '{"text": "' + SECRET + '"}\n', "--text-column text[].a"),
    "wrong json: open": ("json", '{"text": "' + SECRET, COLUMN),
    "wrong json: other": ("json", '["' + SECRET + '"]', COLUMN),
    "wrong attachment": (
        "jsonl",
        '{"a": {"contentType": "text/plain", "data": "' + SECRET + '!"}}\n',
        "--text-column a.data",
    ),
    "wrong txt: encoding": ("txt", f"{SECRET} \xff".encode("latin-1"), ""),
    "wrong fasta": ("fasta", f"{SECRET}\nACGT\n", ""),
    "wrong gz": ("csv.gz", gzip.compress(GOOD.encode(), compresslevel=0)[:-20], COLUMN),
    "wrong gz: plain": ("csv.gz", GOOD, COLUMN),
    "wrong zst": ("jsonl.zst", zst(lines(ROWS).encode())[:-5], COLUMN),
    "wrong xlsx": ("xlsx", b"PK\x03\x04" + SECRET.encode(), COLUMN),
    "wrong parquet": ("parquet", b"PAR1" + SECRET.encode(), COLUMN),
    "wrong i2b2: open": ("xml", f"<a><TEXT>{SECRET}</TEXT>", ""),
    "wrong i2b2: entity": ("xml", f'<!DOCTYPE a [<!ENTITY b "{SECRET}">]>' + i2b2(), ""),
    "wrong i2b2: no text": ("xml", f"<a><b>{SECRET}</b></a>", ""),
    "wrong ending": (SECRET, TEXT, ""),
}
SPANS = '{"document": 0, "start": 0, "stop": 3, "label": "PERSON", "text": "' + SECRET + '"}\n'
GIVEN = "in.csv --text-column text -o out.csv"
# Of each: a list beside a good input, its content, and the command line.
LISTS = {
    "wrong spans": ("a.jsonl", SPANS, f"suppress {GIVEN} --spans a.jsonl"),
    "wrong spans: open": ("a.jsonl", SPANS[:-10], f"pseudonymize {GIVEN} --spans a.jsonl"),
    "wrong spans: label": (
        "a.jsonl",
        SPANS.replace('"PERSON"', f'"{SECRET}", "decision": "{SECRET}"'),
        f"pseudonymize {GIVEN} --spans a.jsonl",
    ),
    "wrong presidio": ("a.json", f'["{SECRET}"]', f"pseudonymize {GIVEN} --spans a.json"),
    "wrong brat": ("a/0.ann", T1, f"pseudonymize {GIVEN} --spans a"),
    "wrong i2b2 spans": ("a/0.xml", i2b2(), f"pseudonymize {GIVEN} --spans a"),
    "wrong terms: mask": ("a.txt", f"*{SECRET}\n", f"redact {GIVEN} --terms a.txt -k 1 --mask Z"),
    "wrong terms: few": ("a.txt", f"{SECRET}\n", f"redact {GIVEN} --terms a.txt -k 5"),
    "wrong patterns": ("a.txt", f"#{SECRET}\n", f"sanitize {GIVEN} --patterns a.txt"),
    "wrong patterns: length": (
        "a.txt",
        f"{SECRET}\n",
        f"sanitize {GIVEN} --patterns a.txt --length 99",
    ),
    "wrong implausible": (
        "a.txt",
        f"{SECRET}\n",
        f"sanitize {GIVEN} --patterns secret.txt --implausible a.txt --method tfs",
    ),
    "wrong ontology": ("a.csv", f'"{SECRET}\n', f"generalize {GIVEN} --ontology a.csv"),
    "wrong ontology: circle": (
        "a.csv",
        f"{SECRET},b\nb,{SECRET}\n",
        f"generalize {GIVEN} --ontology a.csv",
    ),
    "wrong words": (
        "a.txt",
        f"{SECRET}\n",
        f"generalize {GIVEN} --words-file a.txt --unknown fail --ontology ontology.csv",
    ),
    "wrong frequencies": (
        "a.csv",
        f"asthma,7\n{SECRET},{SECRET}\n",
        f"generalize {GIVEN} --frequencies a.csv",
    ),
    "wrong rules": (
        "a.yaml",
        f"rules: [{{label: A, expression: '({SECRET}'}}]\n",
        f"pseudonymize {GIVEN} --recognizer a.yaml",
    ),
    "wrong rules: no YAML": ("a.yaml", f"{SECRET}: [", f"pseudonymize {GIVEN} --recognizer a.yaml"),
    "wrong key": ("a", SECRET, f"suppress {GIVEN} --key-file a"),
    "wrong mapping": (
        "a",
        SECRET,
        f"pseudonymize {GIVEN} --undo --mapping a --key-file key",
    ),
    "wrong certificate": ("a.json", f'{{"{SECRET}": 1', "verify in.csv --certificate a.json"),
    "wrong policy": (
        "a.yaml",
        f"version: 1\ninput: {{path: in.csv}}\nstages: [{{verb: generalize, words: [[{SECRET}]]}}]",
        "run a.yaml",
    ),
    "wrong policy: own t": (
        "a.yaml",
        "version: 1\ninput: {path: in.csv}\n"
        f"stages: [{{verb: generalize, t_words: {{{SECRET}: {SECRET}}}}}]",
        "run a.yaml",
    ),
}
SCHEMA = "person: who\ncolumns: {{town: {}, text: {{role: drop}}}}\n"
# Of each: what the schema says of the column that holds the secret.
CELLS = {
    "wrong cell: number": "{kind: number}",
    "wrong cell: date": "{kind: date}",
    "wrong cell: ordered": "{kind: ordered, order: [low, high]}",
    "wrong cell: interval": "{kind: number, hierarchy: {intervals: [5, 10]}}",
    "wrong cell: tree": "{kind: category, hierarchy: {tree: {North: [Ulm]}}}",
}
WRONG = {*FILES, *LISTS, *CELLS}


def refused(folder, line):
    """Runs a command that must be refused, and searches what it said and left."""
    given = [path.name for path in folder.iterdir()]
    done = outcome(line)
    assert done.code in (2, 3, 4), done.told
    assert not holds(done.told.replace(f"in.{SECRET}", "INPUT").encode())
    assert leaks(folder, tuple(given)) == []
    assert {path.name for path in folder.iterdir()} == set(given)
    assert not list((folder.parent / "temporary").iterdir())


@pytest.mark.parametrize(
    ("wrong", "verb"), [case(FILES[name], name, verb) for name in FILES for verb in TEXT_VERBS]
)
def test_a_file_that_is_refused_is_not_quoted(wrong, verb, folder):
    ending, content, read = wrong
    put(f"in.{ending}", content)(folder)
    refused(folder, TEXT_VERBS[verb].format(f"in.{ending}", read, f".{ending}"))


@pytest.mark.parametrize(("wrong", "action"), [case(LISTS[name], name, "list") for name in LISTS])
def test_a_list_that_is_refused_is_not_quoted(wrong, action, folder):
    name, content, line = wrong
    (folder / "in.csv").write_text(GOOD)
    put(name, content)(folder)
    refused(folder, line)


@pytest.mark.parametrize(
    ("column", "action"), [case(CELLS[name], name, "anonymize") for name in CELLS]
)
def test_a_cell_that_is_refused_is_not_quoted(column, action, folder):
    rows = [{**row, "town": SECRET if i == 2 else "Ulm"} for i, row in enumerate(ROWS)]
    (folder / "in.csv").write_text(fields(rows))
    (folder / "schema.yaml").write_text(SCHEMA.format(column))
    refused(folder, "anonymize in.csv --schema schema.yaml -k 2 -o out.csv")


@pytest.mark.parametrize(
    "line",
    [
        "suppress in.csv --text-column text --group-column who -k 50 --strict -o out.csv",
        "anonymize in.csv --schema schema.yaml -k 50 -o out.csv",
        "generalize in.csv --text-column text -t 999 --words-file words.txt "
        "--ontology ontology.csv -o out.csv",
        "redact in.csv --text-column text --terms secret.txt -k 9 -o out.csv",
    ],
)
def test_what_cannot_be_met_is_not_quoted(line, folder):
    (folder / "in.csv").write_text(GOOD)
    (folder / "schema.yaml").write_text(SCHEMA.format("{kind: category}"))
    given = {path.name for path in folder.iterdir()}
    done = outcome(line)
    assert not holds(done.told.encode())
    assert leaks(folder, tuple(given)) == []
