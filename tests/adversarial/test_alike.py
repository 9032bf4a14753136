"""Records that are meant to be alike are alike in bytes: quotes, escapes, order, shared strings.

Each case writes the same kind of record in several ways. Where the released cells say the same, no
byte may tell which of the ways it was.
"""

from __future__ import annotations

import io
import json
import re
import zipfile

import pytest

from adversarial.books import SHEET, STRINGS, changed, made
from adversarial.known import case
from support.commands import outcome

# No two of them share a letter, so that nothing of them stays legible.
WORDS = [letter * 12 for letter in "bdfgh"]
COMMA, QUOTE, SLASH = "jjjjjj,kkkkk", 'qqqqqq"vvvvv', "wwwwww/xxxxx"


def escaped(text):
    return "".join(f"\\u{ord(letter):04x}" for letter in text)


def csv_texts():
    cells = [WORDS[0], f'"{WORDS[1]}"', f'"{COMMA}"', '"qqqqqq""vvvvv"', WORDS[2]]
    return "kind,text\n" + "".join(f"a,{cell}\n" for cell in cells), [*WORDS[:3], COMMA, QUOTE]


def jsonl_texts():
    words = [*WORDS[:3], SLASH, "é" * 12, "ü" * 12]
    written = [words[0], escaped(words[1]), words[2][:3] + escaped(words[2][3:])]
    written += [SLASH.replace("/", "\\/"), escaped(words[4]), words[5]]
    return "".join(f'{{"kind": "a", "text": "{cell}"}}\n' for cell in written), words


def json_texts():
    text, words = jsonl_texts()
    return "[\n" + ",\n".join(text.splitlines()) + "\n]\n", words


def plain(text):
    """The changed records of a text file: those that are not the shared one."""
    return [line.rstrip(",") for line in text.splitlines() if re.search("[★*]|2605", line)]


TEXTS = {
    "alike csv texts": ("csv", csv_texts, "--text-column text"),
    "alike jsonl texts": ("jsonl", jsonl_texts, "--text-column text"),
    "alike json texts": ("json", json_texts, "--text-column [].text"),
}
VERBS = {
    "suppress": "suppress in.{} {} -k 3 --guess none -o out.{}",
    "redact": "redact in.{} {} --terms terms.txt --direct words.txt -k 2 -o out.{}",
}


@pytest.mark.parametrize(
    ("texts", "verb"), [case(TEXTS[name], name, verb) for name in TEXTS for verb in VERBS]
)
def test_texts_hidden_alike_have_the_same_bytes(texts, verb, folder):
    ending, write, read = texts
    content, words = write()
    (folder / f"in.{ending}").write_text(content)
    (folder / "words.txt").write_text("".join(word + "\n" for word in words))
    done = outcome(VERBS[verb].format(ending, read, ending))
    assert done.code == 0, done.told
    found = plain((folder / f"out.{ending}").read_text())
    assert len(found) == len(words)
    assert len(set(found)) == 1


def shared_and_inline(parts):
    """One of the texts stands in its own cell, another in two runs."""
    strings = parts[STRINGS].decode()
    items = re.findall(r"<si>.*?</si>", strings)
    number = next(i for i, one in enumerate(items) if WORDS[1] in one)
    cell, inline = f't="s"><v>{number}</v>', f't="inlineStr"><is><t>{WORDS[1]}</t></is>'
    parts[SHEET] = parts[SHEET].decode().replace(cell, inline).encode()
    runs = f"<r><t>{WORDS[2][:4]}</t></r><r><t>{WORDS[2][4:]}</t></r>"
    parts[STRINGS] = strings.replace(f"<t>{WORDS[2]}</t>", runs).encode()


BOOKS = {
    "alike xlsx shared strings": lambda parts: None,
    "alike xlsx inline and rich strings": shared_and_inline,
}


@pytest.mark.parametrize(
    ("change", "verb"), [case(BOOKS[name], name, verb) for name in BOOKS for verb in VERBS]
)
def test_cells_hidden_alike_have_the_same_bytes(change, verb, folder):
    rows = [{"kind": "a", "text": word} for word in (*WORDS, WORDS[0])]
    (folder / "in.xlsx").write_bytes(changed(made(rows), change))
    (folder / "words.txt").write_text("".join(word + "\n" for word in WORDS))
    done = outcome(VERBS[verb].format("xlsx", "--text-column text", "xlsx"))
    assert done.code == 0, done.told
    with zipfile.ZipFile(folder / "out.xlsx") as book:
        sheet = book.read(SHEET).decode()
        items = re.findall(r"<si\b.*?</si>|<si/>", book.read(STRINGS).decode())
    cells = re.findall(r'<c r="B[2-9]"(.*?)</c>', sheet)
    assert len(cells) == 6
    assert len(set(cells)) == 1
    hidden = [one for one in items if re.search("[★*]", one)]
    assert len(hidden) <= 1  # more would tell how many different texts there were


SECRETS = {"CDATA": "<![CDATA[{}]]>", "plain": "{}", "entities": "{}"}


@pytest.mark.parametrize(
    ("written", "verb"), [case(SECRETS, "alike i2b2 texts", verb) for verb in VERBS]
)
def test_files_hidden_alike_have_the_same_bytes(written, verb, folder):
    (folder / "in").mkdir()
    for i, (name, form) in enumerate(written.items()):
        text = WORDS[i]
        if name == "entities":
            text = "".join(f"&#{ord(letter)};" for letter in text)
        body = f"<a><TEXT>{form.format(text)}</TEXT><TAGS></TAGS></a>\n"
        (folder / "in" / f"{i}.xml").write_text(body)
    (folder / "words.txt").write_text("".join(word + "\n" for word in WORDS))
    done = outcome(VERBS[verb].format("", "", "").replace("in. ", "in ").replace("out.", "out"))
    assert done.code == 0, done.told
    found = {path.read_bytes() for path in (folder / "out").iterdir()}
    assert len(found) == 1


HEAD = "who,age,sex,note\n"
LINE = '{{"who": "{0}", "age": {1}, "sex": {2}, "note": {3}}}\n'
SCHEMA = {
    "person": "who",
    "person_number": False,
    "columns": {
        "age": {"kind": "number"},
        "sex": {"kind": "category"},
        "note": {"kind": "text"},
    },
}
RULES = 'name: own\ndeny: {PERSON: ["Ho, Ann", "Bob Li", "Cy Day", "Di Roe"]}\n'
QUIET = '"calm"'


def records(*rows):
    return "".join(LINE.format(f"p{i}", *row) for i, row in enumerate(rows))


TABLES = {
    "alike csv changed cells": HEAD
    + 'p0,30,m,calm\np1,"31",m,calm\np2,32,m,calm\np3,"33",m,calm\n',
    "alike csv kept cells": HEAD + 'p0,30,m,calm\np1,31,"m",calm\np2,32,m,calm\np3,33,"m",calm\n',
    "alike csv missing cells": HEAD + 'p0,30,,calm\np1,31,"",calm\np2,32,,calm\np3,33,"",calm\n',
    "alike csv notes": HEAD
    + 'p0,30,m,"Saw Ho, Ann."\np1,31,m,Saw Bob Li.\np2,32,m,"Saw Cy Day."\np3,33,m,Saw Di Roe.\n',
    "alike csv line ends": HEAD + "p0,30,m,calm\r\np1,31,m,calm\np2,32,m,calm\np3,33,m,calm\r\n",
    "alike jsonl numbers": records(
        ("30", '"m"', QUIET),
        ('"31"', '"m"', QUIET),
        ("32.0", '"m"', QUIET),
        ("3.3e1", '"m"', QUIET),
    ),
    "alike jsonl kept cells": records(
        *((str(30 + i), f'"{escaped("m") if i % 2 else "m"}"', QUIET) for i in range(4))
    ),
    "alike jsonl missing cells": records(
        ("30", '""', QUIET), ("31", "null", QUIET), ("32", '""', QUIET), ("33", "null", QUIET)
    ).replace('"sex": null, ', "", 1),
    "alike jsonl notes": records(
        ("30", '"m"', f'"Saw {escaped("Ho, Ann")}."'),
        ("31", '"m"', '"Saw Bob Li."'),
        ("32", '"m"', f'"{escaped("Saw")} Cy Day."'),
        ("33", '"m"', '"Saw Di Roe."'),
    ),
    "alike jsonl order of keys": records(*((str(30 + i), '"m"', QUIET) for i in range(3)))
    + '{"sex": "m", "note": "calm", "age": 33, "who": "p3"}\n',
    "alike jsonl blanks": records(*((str(30 + i), '"m"', QUIET) for i in range(3)))
    + '{"who":"p3","age":33,"sex":"m","note":"calm"}\n',
}
ALIKE = {*TEXTS, *BOOKS, *TABLES, "alike i2b2 texts"}
RUNS = ("mondrian", "clusters", "run")


@pytest.mark.parametrize(
    ("content", "action"), [case(TABLES[name], name, run) for name in TABLES for run in RUNS]
)
def test_records_of_a_class_have_the_same_bytes(content, action, folder):
    ending = "jsonl" if content.startswith("{") else "csv"
    (folder / f"in.{ending}").write_bytes(content.encode())
    (folder / "schema.yaml").write_text(json.dumps(SCHEMA))
    (folder / "own.yaml").write_text(RULES)
    release = {
        "version": 1,
        "input": {"path": f"in.{ending}", "columns": ["note"], "person": "who"},
        "schema": "schema.yaml",
        "recognizer": "own.yaml",
        "stages": [{"verb": "anonymize", "k": 4}],
    }
    (folder / "release.yaml").write_text(json.dumps(release))
    if action == "run":
        done, data = outcome("run release.yaml -o out"), folder / "out/data" / f"in.{ending}"
    else:
        line = f"anonymize in.{ending} --schema schema.yaml -k 4 --recognizer own.yaml"
        done = outcome(f"{line} --partitioner {action} -o out.{ending}")
        data = folder / f"out.{ending}"
    assert done.code == 0, done.told
    found = io.BytesIO(data.read_bytes()).readlines()
    found = found[1:] if ending == "csv" else found
    assert len(found) == 4
    assert len(set(found)) == 1
