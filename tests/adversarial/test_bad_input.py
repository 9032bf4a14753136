"""Every command with every kind of bad file, and with parameters that make no sense.

What is said has the exit code of bad input (or of what cannot be met), says something, quotes no
text, and nothing is left. A few kinds are good input of some commands: then the command goes
through, and what it wrote is verified by itself.
"""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from adversarial.search import SECRET
from support.commands import outcome

pytestmark = pytest.mark.filterwarnings("ignore")
GOOD = "who,age,text\n" + "".join(
    f"p{i},{20 + i % 3},{SECRET} has asthma {i % 2}\n" for i in range(6)
)
KINDS: dict[str, bytes] = {
    "empty.csv": b"",
    "binary.csv": bytes(range(256)) * 20,
    "header.csv": b"who,age,text\n",
    "utf16.csv": GOOD.encode("utf-16"),
    "cut.csv.gz": gzip.compress(GOOD.encode() * 50, mtime=0)[:-9],
    "ragged.csv": f"{GOOD}p9,3\n{SECRET},1,2,3,4\n".encode(),
    "twice.csv": GOOD.replace("who,age", "text,age").encode(),
    "nul.csv": GOOD.replace("asthma", "a\0b").encode(),
    "nan.csv": GOOD.replace(",20,", ",NaN,").encode(),
    "inf.csv": GOOD.replace(",20,", ",1e999,").encode(),
    "bom.csv": b"\xef\xbb\xbf" + GOOD.encode(),
    "without_ending": GOOD.encode(),
    "cut.json": f'{{"{SECRET}": [1, 2'.encode(),
    "mixed.jsonl": b'{"text": "x"}\n{"text": 3}\n[1]\n',
    "tabs.yaml": f"version: 1\n\tinput: {SECRET}\n".encode(),
    "list.yaml": f"- {SECRET}\n- 2\n".encode(),
    "anchors.yaml": f"a: &a [{SECRET}, x]\nb: &b [*a, *a]\nc: [*b, *b]\n".encode(),
}
NAMES = (*KINDS, "folder.csv", "missing.csv", "circle")
BESIDE = {
    "good.csv": GOOD,
    "terms.txt": "asthma\ncough\nfever\n",
    "patterns.txt": "as\nth\n",
    "schema.yaml": "person: who\ncolumns: {age: {kind: number}, text: {role: drop}}\n",
}
TEXT = "--text-column text"
# {} is the bad file, {ending} its ending.
COMMANDS = {
    "suppress": f"suppress {{}} {TEXT} -k 2 -o out{{ending}}",
    "redact": f"redact {{}} {TEXT} --terms terms.txt -k 2 -o out{{ending}}",
    "generalize": f"generalize {{}} {TEXT} -t 2 -o out{{ending}}",
    "sanitize": f"sanitize {{}} {TEXT} --patterns patterns.txt -o out{{ending}}",
    "pseudonymize": f"pseudonymize {{}} {TEXT} -o out{{ending}}",
    "anonymize": "anonymize {} --schema schema.yaml -k 2 -o out{ending}",
    "recognize": f"recognize {{}} {TEXT} -o out.jsonl",
    "learn": f"learn {{}} --texts good.csv {TEXT} -o out.model",
    "risk": "risk {} --schema schema.yaml",
    "sweep": f"sweep {{}} {TEXT} --values 2,3 -o out.csv",
    "new": "new {} -o out.yaml",
    "policy new": "policy new {} -o out.yaml",
    "schema guess": "schema guess {} -o out.yaml",
    "policy check": "policy check {}",
    "schema check": "schema check {}",
    "run": "run {} -o out",
    "verify": "verify good.csv {}",
    "verify a folder": "verify {}",
    "certificate": "verify good.csv good.csv --certificate {}",
    "report": "report {}",
    "attack": f"attack good.csv {{}} {TEXT}",
    "evaluate": f"evaluate good.csv {{}} {TEXT}",
    "terms": f"redact good.csv {TEXT} --terms {{}} -k 2 -o out.csv",
    "patterns": f"sanitize good.csv {TEXT} --patterns {{}} -o out.csv",
    "schema": "anonymize good.csv --schema {} -k 2 -o out.csv",
    "spans": f"pseudonymize good.csv {TEXT} --spans {{}} -o out.csv",
    "ontology": f"generalize good.csv {TEXT} -t 2 --ontology {{}} -o out.csv",
    "key": f"suppress good.csv {TEXT} -k 2 --key-file {{}} -o out.csv",
}


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "1000")
    for name, content in BESIDE.items():
        Path(name).write_text(content)
    for name, raw in KINDS.items():
        Path(name).write_bytes(raw)
    Path("folder.csv").mkdir()
    Path("circle").symlink_to("circle")
    return tmp_path


def judged(line):
    """The exit code of a command; what it said and left is looked at."""
    before = set(os.listdir())
    done = outcome(line)
    assert done.code in (0, 2, 3, 4, 5), (line, done.told)
    assert SECRET not in done.told, line
    assert "Traceback" not in done.told, line
    made = set(os.listdir()) - before
    if done.code:
        assert done.told.startswith("sfumato: "), (line, done.told)
        assert not made, line
    for name in made:
        Path(name).unlink()
    assert Path("good.csv").read_text() == GOOD
    return done.code


@pytest.mark.parametrize("command", COMMANDS)
def test_a_bad_file_is_refused_or_released_whole(command, place):
    codes = {}
    for name in NAMES:
        ending = "".join(Path(name).suffixes) or ".txt"
        codes[name] = judged(COMMANDS[command].format(name, ending=ending))
    never = {"missing.csv", "circle", "folder.csv"}
    assert {name for name in never if codes[name] == 0} == set(), codes


SUPPRESS = f"suppress good.csv {TEXT} -o out.csv"
REDACT = f"redact good.csv {TEXT} --terms terms.txt -o out.csv"
ANONYMIZE = "anonymize good.csv --schema schema.yaml -o out.csv"
PARAMETERS = {
    2: [
        *(f"{SUPPRESS} -k {k}" for k in ("0", "-1", "nan", "1e9", "2.5", "''", "9" * 20)),
        *(f"{SUPPRESS} -k 2 --guess {one}" for one in ("nan", "-1", "2", "some")),
        *(f"{SUPPRESS} -k 2 --mask {one}" for one in ("a", "''", "' '", "7")),
        *(f"{SUPPRESS} -k 2 --memory {one}" for one in ("0", "1XB", "-1GB", "nan")),
        *(f"{SUPPRESS} -k 2 {one}" for one in ("--reach 0", "--knows 0", "--common nan")),
        *(f"{SUPPRESS} -k 2 {one}" for one in ("--encoding nope", "--group-column nope")),
        f"suppress good.csv {TEXT} -k 2 -o good.csv",
        f"suppress good.csv {TEXT} -k 2 -o nowhere/out.csv",
        f"suppress good.csv {TEXT} -k 2 -o folder.csv",
        "suppress good.csv --text-column nope -k 2 -o out.csv",
        *(f"{REDACT} -k {k}" for k in ("0", "nan")),
        f"{REDACT} -k 2 --mask ab",
        *(f"generalize good.csv {TEXT} -o out.csv -t {t}" for t in ("0", "nan", "1e99")),
        *(
            f"sanitize good.csv {TEXT} --patterns patterns.txt -o out.csv {one}"
            for one in ("--tau 0", "--length 0", "--method nope")
        ),
        *(f"{ANONYMIZE} -k {k}" for k in ("0", "nan")),
        *(f"{ANONYMIZE} -k 2 {one}" for one in ("-l 0", "-l 2", "-t nan", "-t 0.2", "--knows -1")),
        f"{ANONYMIZE} -k 2 --partitioner nope",
        "anonymize good.csv --schema schema.yaml -k 2 -o out.txt",
        f"sweep good.csv {TEXT} --values 0,1 -o out.csv",
        f"sweep good.csv {TEXT} --values '' -o out.csv",
        f"attack good.csv good.csv {TEXT} --attacks nope",
        "studio --port 99999",
    ],
    3: [
        f"{SUPPRESS} -k 7",
        f"{REDACT} -k 99",
        f"{ANONYMIZE} -k 7",
        f"generalize good.csv {TEXT} -o out.csv -t 99999999999",
    ],
}


@pytest.mark.parametrize("code", PARAMETERS)
def test_parameters_that_make_no_sense_are_refused(code, place):
    found = {line: judged(line) for line in PARAMETERS[code]}
    assert {line: one for line, one in found.items() if one != code} == {}
