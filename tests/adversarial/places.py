"""Every place of every format where a secret may stand."""

from __future__ import annotations

import base64
import csv
import json

from adversarial.annotated_places import BRAT, I2B2
from adversarial.books import BOOKS
from adversarial.letters import DOCUMENTS, MAILS, WEB
from adversarial.packed_places import ARROW, FHIR, MAILBOX, PACKED, PARQUET
from adversarial.place import (
    ENTITIES,
    ESCAPED,
    NAKED,
    PLAIN,
    ROWS,
    SECRET_HEADER,
    SHORT,
    TEXT,
    TEXTS,
    Place,
    all_bytes,
    all_put,
    fields,
    file,
    lines,
    put,
    third,
)
from adversarial.search import SECRET
from sfumato.formats.pdf import made as plain_pdf

CSV = [
    file("csv unquoted", "csv", fields(ROWS)),
    file("csv quoted", "csv", fields(ROWS, csv.QUOTE_ALL)),
    file("csv quotes, commas and line ends", "csv", fields(third(text=f'A, "{SECRET}"\n, B'))),
    file("csv semicolons", "csv", fields(ROWS, separator=";")),
    file("csv byte order mark", "csv", "\ufeff" + fields(ROWS)),
    file("csv alone in its cell", "csv", fields(third(text=SECRET))),
    file(
        "csv utf-16",
        "csv",
        fields(ROWS).encode("utf-16"),
        options="--text-column text --encoding utf-16",
    ),
    file("csv other column", "csv", fields(third(town=SECRET)), "stays"),
    file("csv person", "csv", fields(third(who=SECRET)), "stays"),
    file("csv header", "csv", fields(SECRET_HEADER), "stays"),
    file("tsv", "tsv", fields(ROWS, separator="\t")),
    file(
        "csv without header",
        "csv",
        fields(ROWS).split("\n", 1)[1],
        options="--text-column column_3 --no-header",
        people="--group-column column_1",
    ),
    file(
        "csv bars",
        "csv",
        fields(ROWS, separator="^"),
        options="--text-column text --delimiter ^",
    ),
    Place(
        "csv two columns",
        "in.csv",
        put("in.csv", fields([{**row, "plan": row["text"]} for row in ROWS])),
        options="--text-column text --text-column plan",
    ),
]
NESTED = [{"who": row["who"], "note": [{"text": row["text"], "kind": "visit"}]} for row in ROWS]
PATH = {"options": "--text-column note[].text"}
TWICE = '{"who": "p9", "text": "' + SECRET + '", "text": "' + PLAIN + '"}\n'
JSON_LINES = [
    file("jsonl value", "jsonl", lines(ROWS)),
    file("jsonl escapes", "jsonl", lines(ROWS).replace(SECRET, ESCAPED)),
    file("jsonl escaped key", "jsonl", lines(ROWS).replace('"text"', '"te\\u0078t"')),
    file("jsonl path", "jsonl", lines(NESTED), **PATH),
    file("jsonl other value", "jsonl", lines(third(town=SECRET)), "stays"),
    file("jsonl other key", "jsonl", lines([{**row, SECRET: "1"} for row in ROWS]), "stays"),
    file(
        "jsonl nested other", "jsonl", lines([{**r, "x": [{"y": SECRET}]} for r in ROWS]), "stays"
    ),
    file("jsonl person", "jsonl", lines(third(who=SECRET)), "stays"),
    file("jsonl same key twice", "jsonl", lines(ROWS) + TWICE, "hidden or refused"),
    file(
        "jsonl other key twice",
        "jsonl",
        lines(third(town="Bonn")).replace('"town": "Bonn"', f'"town": "{SECRET}", "town": "Ulm"'),
        "stays",
    ),
]


def attachment(text: str, **more: str) -> dict[str, object]:
    data = base64.b64encode(text.encode()).decode()
    return {"content": [{"attachment": {"contentType": "text/plain", "data": data, **more}}]}


OF_DATA = {"options": "--text-column content[].attachment.data", "people": ""}
WHOLE = json.dumps({"entry": ROWS}, indent=1)
OF_ENTRY = {"options": "--text-column entry[].text", "people": "--group-column entry[].who"}
JSON = [
    file("json value", "json", WHOLE, **OF_ENTRY),
    file("json escapes", "json", WHOLE.replace(SECRET, ESCAPED), **OF_ENTRY),
    file("json other", "json", json.dumps({"entry": ROWS, "by": SECRET}), "stays", **OF_ENTRY),
    file("attachment", "jsonl", lines([attachment(text) for text in TEXTS]), **OF_DATA),
    file(
        "attachment title",
        "jsonl",
        lines([attachment(text, title=SECRET) for text in TEXTS]),
        "stays",
        **OF_DATA,
    ),
]
LINES = "".join(text + "\n" for text in TEXTS)
TEXT_FILES = [
    file("txt", "txt", LINES, **NAKED),
    file("txt byte order mark", "txt", "\ufeff" + LINES.replace("\n", "\r\n"), **NAKED),
    file("txt utf-16", "txt", LINES.encode("utf-16"), options="--encoding utf-16", people=""),
    file("lines", "lines", LINES, **NAKED),
    Place("folder", "in", all_put({f"in/{name}": text for name, text in SHORT.items()}), **NAKED),
    Place(
        "folder name of a file",
        "in",
        all_put({f"in/{SECRET if i == 2 else i}.txt": text for i, text in enumerate(TEXTS)}),
        "name stays",
        **NAKED,
    ),
    Place(
        "folder name of a folder",
        "in",
        all_put({f"in/{SECRET}/{i}.txt": text for i, text in enumerate(TEXTS)}),
        "name stays",
        **NAKED,
    ),
    Place(
        "folder numbered",
        "in",
        all_put({f"in/{SECRET if i == 2 else i}.txt": text for i, text in enumerate(TEXTS)}),
        options="--number-files",
        people="",
    ),
]
LETTERS = SECRET.upper()
PROTEIN = ["ACDEFGHIKLMN", f"ACDEFG{LETTERS}HIKLMN", "ACDEFGHIKLMN", "ACDEFGHIKLMN"]


def fasta(head: str = "seq", sequences: list[str] = PROTEIN) -> str:
    return "".join(f">{head}{i}\n{one}\n" for i, one in enumerate(sequences))


FASTA = [
    file("fasta sequence", "fasta", fasta(), **NAKED),
    file("fasta header", "fasta", fasta(SECRET, ["ACDEFGHIKLMN"] * 4), "stays", **NAKED),
]
CLICKS = [("u1", "home"), ("u1", SECRET), ("u1", "pay"), ("u2", "home"), ("u2", "pay")]
EVENTS = [
    file(
        "events",
        "csv",
        "user,text,at\n" + "".join(f"{user},{page},1\n" for user, page in CLICKS),
        options="--text-column text --format events",
        people="--group-column user",
    ),
    file(
        "events other column",
        "csv",
        f"user,text,at\nu1,home,1\nu1,pay,{SECRET}\nu2,home,2\nu2,pay,1\n",
        options="--text-column text --format events",
        people="--group-column user",
    ),
]


EVENT = '<event><string key="concept:name" value="{}"/><date key="time" value="{}"/></event>'


def xes(inside: str = "", about: str = "", event: str = "pay", when: str = "1") -> str:
    traces = [
        f'<trace><string key="concept:name" value="p{i}"/>{about if i == 2 else ""}'
        + EVENT.format("home", "1")
        + EVENT.format(event if i == 2 else "pay", when)
        + "</trace>"
        for i in range(6)
    ]
    return f'<?xml version="1.0"?><log>{inside}{"".join(traces)}</log>'


ATTRIBUTE = f'<string key="by" value="{SECRET}"/>'
XES = [
    Place(name, "in.xes", put("in.xes", content), "hidden or refused", **NAKED)
    for name, content in {
        "xes event": xes(event=SECRET),
        "xes event with entities": xes(event=ENTITIES),
        "xes attribute of an event": xes(when=SECRET),
        "xes attribute of a trace": xes(about=ATTRIBUTE),
        "xes attribute of the log": xes(ATTRIBUTE),
        "xes global": xes(f'<global scope="event">{ATTRIBUTE}</global>'),
        "xes classifier": xes(f'<classifier name="{SECRET}" keys="{SECRET}"/>'),
        "xes comment": xes(f"<!-- {SECRET} -->"),
    }.items()
]
FOLDERS = [
    Place(
        f"folder of {ending}",
        "in",
        all_bytes({f"in/{i}.{ending}": one for i, one in enumerate(several)}),
        "hidden or refused",
        **NAKED,
    )
    for ending, several in {
        "docx": [DOCUMENTS["docx body"], DOCUMENTS["docx settings"], DOCUMENTS["docx properties"]],
        "html": [WEB["html text"], WEB["html comment"], WEB["html class"]],
        "eml": [MAILS["mail body"], MAILS["mail other header"], MAILS["mail picture attached"]],
        "pdf": [plain_pdf([PLAIN], "a.pdf"), plain_pdf([TEXT], "b.pdf"), plain_pdf([PLAIN], "c")],
    }.items()
]
RTF = rb"{\rtf1{\info{\author %b}}{\*\note %b} %b\par %b}" % (
    *(SECRET.encode(),) * 2,
    TEXT.encode(),
    PLAIN.encode() * 3,
)
CONVERTED = [file("rtf by way of LibreOffice", "rtf", RTF, "hidden or refused", **NAKED)]
WORKBOOKS = [
    Place(name, "in.xlsx", put("in.xlsx", content), expected)
    for name, (content, expected) in BOOKS(ROWS).items()
]
LETTERS_AND_MAIL = [
    Place(name, f"in.{ending}", put(f"in.{ending}", content), "hidden or refused", **NAKED)
    for ending, files in (("docx", DOCUMENTS), ("html", WEB), ("eml", MAILS))
    for name, content in files.items()
]
PDF = [
    Place(name, "in.pdf", put("in.pdf", content), "hidden or refused", **NAKED)
    for name, content in {
        "pdf text": plain_pdf([PLAIN, PLAIN, TEXT, PLAIN], "in.pdf"),
        "pdf properties": plain_pdf([PLAIN] * 4, "in.pdf").replace(
            b"/Root 1 0 R", b"/Root 1 0 R /Info << /Author (%b) >>" % SECRET.encode()
        ),
        "pdf after its end": plain_pdf([PLAIN] * 4, "in.pdf") + SECRET.encode(),
    }.items()
]
NAMES = [
    Place("name of the input", f"{SECRET}.csv", put(f"{SECRET}.csv", fields(third(text=TEXT)))),
]
PLACES = [
    *CSV,
    *JSON_LINES,
    *JSON,
    *TEXT_FILES,
    *FASTA,
    *EVENTS,
    *BRAT,
    *I2B2,
    *PACKED,
    *PARQUET,
    *WORKBOOKS,
    *LETTERS_AND_MAIL,
    *PDF,
    *ARROW,
    *MAILBOX,
    *FHIR,
    *XES,
    *FOLDERS,
    *CONVERTED,
    *NAMES,
]
