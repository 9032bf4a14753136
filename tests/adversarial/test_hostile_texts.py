"""Odd symbols in every format that can hold them, through every verb of the command line.

Whatever stands in a text, a command releases and verifies it, or refuses it with an exit code of
its own. No message holds the text, and of a refusal nothing is left.
"""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable
from email.message import EmailMessage
from html import escape

import pytest

from adversarial.letters import document
from adversarial.letters import p as paragraph
from adversarial.test_hostile import ODD
from support.commands import outcome

pytestmark = pytest.mark.filterwarnings("ignore")
MARK = "Zyxommequvril"  # beside the odd symbols, so that a message that quotes them is seen


def jsonl(texts: list[str]) -> bytes:
    rows = ({"who": f"p{i}", "text": text} for i, text in enumerate(texts))
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def jsonl_plain(texts: list[str]) -> bytes:
    rows = ({"who": f"p{i}", "text": text} for i, text in enumerate(texts))
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def json_whole(texts: list[str]) -> bytes:
    rows = [{"who": f"p{i}", "text": text} for i, text in enumerate(texts)]
    return json.dumps(rows).encode()


def table(texts: list[str]) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(["who", "text"])
    writer.writerows((f"p{i}", text) for i, text in enumerate(texts))
    return out.getvalue().encode()


def plain(texts: list[str]) -> bytes:
    return "\n".join(texts).encode()


def parquet(texts: list[str]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    out = io.BytesIO()
    pq.write_table(pa.table({"who": [f"p{i}" for i in range(len(texts))], "text": texts}), out)
    return out.getvalue()


def page(texts: list[str]) -> bytes:
    body = "".join(f"<p>{escape(text)}</p>" for text in texts)
    return f"<html><meta charset='utf-8'><body>{body}</body></html>".encode()


def letter(texts: list[str]) -> bytes:
    return document("".join(paragraph(escape(text)) for text in texts))


def mail(texts: list[str]) -> bytes:
    made = EmailMessage()
    made["Subject"], made["From"] = "calm", "a@example.org"
    made.set_content("\n".join(texts))
    return made.as_bytes()


FORMATS: dict[str, tuple[str, Callable[[list[str]], bytes], str]] = {
    "jsonl": ("jsonl", jsonl, "--text-column text"),
    "jsonl, symbols as they are": ("jsonl", jsonl_plain, "--text-column text"),
    "json": ("json", json_whole, "--text-column [].text"),
    "csv": ("csv", table, "--text-column text"),
    "text": ("txt", plain, ""),
    "parquet": ("parquet", parquet, "--text-column text"),
    "html": ("html", page, ""),
    "docx": ("docx", letter, ""),
    "mail": ("eml", mail, ""),
}
VERBS = {
    "suppress": "suppress in.{0} {1} -k 2 -o out.{0}",
    "redact": "redact in.{0} {1} --terms terms.txt -k 2 -o out.{0}",
    "generalize": "generalize in.{0} {1} -t 2 -o out.{0}",
    "pseudonymize": "pseudonymize in.{0} {1} --key-file key -o out.{0}",
    "recognize": "recognize in.{0} {1} -o out.jsonl",
}


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("form", FORMATS)
def test_every_format_and_verb(form, verb, folder):
    ending, write, read = FORMATS[form]
    released = 0
    for kind, odd in ODD.items():
        texts = [f"{MARK} calm {text}" for text in odd]
        try:
            content = write(texts)
        except (UnicodeEncodeError, ValueError):
            continue  # this format cannot hold them
        (folder / f"in.{ending}").write_bytes(content)
        given = {path.name for path in folder.iterdir()}
        done = outcome(VERBS[verb].format(ending, read))
        assert done.code in (0, 2, 3), (kind, done.told)
        assert MARK not in done.told
        assert "Traceback" not in done.told
        left = {path.name for path in folder.iterdir()} - given
        assert bool(left) == (done.code == 0), kind
        released += done.code == 0
        for name in left:
            (folder / name).unlink()
    assert released >= 3


EXPRESSIONS = ["(a+)+$", "(a|aa)*b", "(.*)*x", "([a-z]+)*[0-9]", "(?:a?){30}a{30}"]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expressions_that_take_for_ever_elsewhere(expression, folder):
    """A user's own expression on a text made for it: RE2 takes it in one pass, or refuses it."""
    rule = f"name: own\nrules:\n  - {{label: CODE, expression: '{expression}'}}\n"
    (folder / "own.yaml").write_text(rule)
    (folder / "in.txt").write_text("a" * 50_000 + "!")
    done = outcome("pseudonymize in.txt --recognizer own.yaml --key-file key -o out.txt")
    assert done.code in (0, 2), done.told
    assert "Traceback" not in done.told


def packed(depth: int) -> bytes:
    """A zip in a zip in a zip; the innermost has 256 megabytes of nothing."""
    content = io.BytesIO()
    with (
        zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as inner,
        inner.open("in.jsonl", "w", force_zip64=True) as part,
    ):
        for _ in range(256):
            part.write(b"\0" * (1 << 20))
    for _ in range(depth):
        outer = io.BytesIO()
        with zipfile.ZipFile(outer, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("in.zip", content.getvalue())
        content = outer
    return content.getvalue()


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_a_zip_within_a_zip_is_refused(depth, folder):
    (folder / "in.zip").write_bytes(packed(depth))
    given = {path.name for path in folder.iterdir()}
    done = outcome("suppress in.zip -k 2 -o out.zip")
    assert done.code == 2, done.told
    assert {path.name for path in folder.iterdir()} == given


def test_a_letter_with_a_part_of_zeros_is_refused(folder):
    """What unpacks to 128 MiB although the document is a page."""
    out = io.BytesIO(document(paragraph("calm")))
    with (
        zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED, compresslevel=9) as archive,
        archive.open("word/media/zeros.bin", "w", force_zip64=True) as part,
    ):
        for _ in range(128):
            part.write(b"\0" * (1 << 20))
    (folder / "in.docx").write_bytes(out.getvalue())
    given = {path.name for path in folder.iterdir()}
    done = outcome("pseudonymize in.docx --key-file key -o out.docx")
    assert done.code == 2, done.told
    assert {path.name for path in folder.iterdir()} == given


NAMES = ["Sm\u200bith", "Sm\u00adith", "S\u2060mith", "Smi\ufeffth", "\u202eSmith\u202c"]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_with_unseen_symbols_is_found(name, folder):
    """A zero-width blank or a soft hyphen inside a listed name hides it from nobody."""
    (folder / "own.yaml").write_text("name: own\ndeny: {PERSON: [Smith]}\n")
    (folder / "in.txt").write_text(f"Seen by {name} today.\n")
    done = outcome("pseudonymize in.txt --recognizer own.yaml --key-file key -o out.txt")
    assert done.code == 0, done.told
    shown = (folder / "out.txt").read_text()
    assert name not in shown
    assert "ith" not in shown.replace("with", "")
    terms = ["Smith", "Smyth", "Stith"]
    (folder / "names.txt").write_text("\n".join(terms) + "\n")
    done = outcome("redact in.txt --terms names.txt -k 3 -o redacted.txt")
    assert done.code == 0, done.told
    assert name not in (folder / "redacted.txt").read_text()
