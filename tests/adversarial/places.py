"""Every place of every format where a secret may stand."""

from __future__ import annotations

import base64
import csv
import gzip
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from adversarial.books import BOOKS
from adversarial.letters import DOCUMENTS, MAILS, WEB
from adversarial.search import SECRET
from sfumato.formats.pdf import made as plain_pdf

Expected = Literal["hidden", "hidden or refused", "stays", "name stays"]
"""What is promised of a place. What stays may stand in the released data and nowhere else; a name
that stays also where the released files are listed."""


Rows = list[dict[str, str]]


@dataclass(frozen=True)
class Place:
    """A place: how the input is written, how it is read, and what is promised of the secret."""

    name: str
    input: str
    write: Callable[[Path], None]
    expected: Expected = "hidden"
    options: str = "--text-column text"
    people: str = "--group-column who"

    @property
    def output(self) -> str:
        """The release's name: of a folder none has a dot."""
        _, dot, ending = Path(self.input).name.partition(".")
        return f"out{dot}{ending}"


PLAIN = "The patient was seen for asthma and chest pain."
TEXT = f"The patient {SECRET} was seen for asthma and chest pain."
TEXTS = [PLAIN, PLAIN, TEXT, PLAIN, PLAIN, PLAIN]
ROWS = [
    {"who": f"p{i}", "town": "Ulm", "text": text} for i, text in enumerate(TEXTS)
]  # the secret stands in the third text, and in the place under trial
ESCAPED = "".join(f"\\u{ord(letter):04x}" for letter in SECRET)
ENTITIES = "".join(f"&#{ord(letter)};" for letter in SECRET)


def fields(
    rows: list[dict[str, str]], quoting: int = csv.QUOTE_MINIMAL, separator: str = ","
) -> str:
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, list(rows[0]), delimiter=separator, quoting=quoting)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def lines(rows: list[dict[str, object]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def third(**more: str) -> list[dict[str, str]]:
    """The rows, with other values in the third."""
    return [{**row, **more} if i == 2 else row for i, row in enumerate(ROWS)]


def put(name: str, content: str | bytes) -> Callable[[Path], None]:
    raw = content.encode() if isinstance(content, str) else content

    def write(folder: Path) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)

    return write


def file(name: str, ending: str, content: str | bytes, *given: str, **more: str) -> Place:
    return Place(name, f"in.{ending}", put(f"in.{ending}", content), *given, **more)


def all_put(contents: dict[str, str]) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        for name, content in contents.items():
            put(name, content)(folder)

    return write


def all_bytes(contents: dict[str, bytes]) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        for name, content in contents.items():
            put(name, content)(folder)

    return write


SECRET_HEADER = [{(SECRET if k == "town" else k): v for k, v in row.items()} for row in ROWS]
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
NAKED = {"options": "", "people": ""}
LINES = "".join(text + "\n" for text in TEXTS)
SHORT = {f"p{i}.txt": text for i, text in enumerate(TEXTS)}
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
START = TEXT.index(SECRET)
STOP = START + len(SECRET)


def brat(annotations: str, of: str = "p2") -> Callable[[Path], None]:
    notes = {f"in/{name}": text for name, text in SHORT.items()}
    empty = {f"in/p{i}.ann": "" for i in range(6)}
    return all_put(
        {**notes, **empty, f"in/{of}.ann": annotations, "in/annotation.conf": "[entities]\n"}
    )


PARTS = f"{START} {START + 3};{STOP - 3} {STOP}"
T1 = f"T1\tPERSON {START} {STOP}\t{SECRET}\n"
BRAT = [
    Place("brat text", "in", brat(""), **NAKED),
    Place("brat quote", "in", brat(T1), **NAKED),
    Place(
        "brat parts",
        "in",
        brat(f"T1\tPERSON {PARTS}\t{SECRET}\n"),
        **NAKED,
    ),
    Place("brat note", "in", brat(f"{T1}#1\tAnnotatorNotes T1\tcalled {SECRET}\n"), **NAKED),
    Place("brat reference", "in", brat(f"{T1}N1\tReference T1 DB:1\t{SECRET}\n"), **NAKED),
    Place("brat value", "in", brat(f"{T1}A1\tName T1 {SECRET}\n"), **NAKED),
    Place("brat other line", "in", brat(f"{T1}{SECRET}\n"), **NAKED),
    Place("brat relation", "in", brat(f"{T1}R1\tIs Arg1:T1 Arg2:T1\t{SECRET}\n"), **NAKED),
    Place("brat type", "in", brat(f"T1\t{SECRET} {START} {STOP}\t{SECRET}\n"), **NAKED),
    Place(
        "brat note of another text",
        "in",
        brat(f"#1\tAnnotatorNotes T1\t{SECRET}\n", "p0"),
        "stays",
        **NAKED,
    ),
]
TAG = f'<NAME id="P0" start="{START}" end="{STOP}" text="{SECRET}" TYPE="DOCTOR" comment="" />'


def i2b2(tags: str = TAG, text: str = TEXT, head: str = "", tail: str = "", root: str = "") -> str:
    return (
        f'<?xml version="1.0" encoding="UTF-8" ?>\n{head}<deIdi2b2{root}>\n<TEXT>{text}</TEXT>\n'
        f"<TAGS>\n{tags}\n</TAGS>\n{tail}</deIdi2b2>\n"
    )


I2B2_FILES = {
    "i2b2 text": i2b2(""),
    "i2b2 cdata": i2b2("", f"<![CDATA[{TEXT}]]>"),
    "i2b2 two cdata": i2b2("", f"<![CDATA[{TEXT[:30]}]]><![CDATA[{TEXT[30:]}]]>"),
    "i2b2 entities": i2b2("", TEXT.replace(SECRET, ENTITIES)),
    "i2b2 tag": i2b2(),
    "i2b2 tag with apostrophes": i2b2(TAG.replace('"', "'")),
    "i2b2 tag with entities": i2b2(TAG.replace(SECRET, ENTITIES)),
    "i2b2 tag with > in a value": i2b2(TAG.replace('comment=""', f'comment="a > {SECRET}"')),
    "i2b2 comment attribute": i2b2(TAG.replace('comment=""', f'comment="{SECRET}"')),
    "i2b2 type attribute": i2b2(TAG.replace("DOCTOR", SECRET)),
    "i2b2 id attribute": i2b2(TAG.replace('"P0"', f'"{SECRET}"')),
    "i2b2 attribute with a colon": i2b2(TAG.replace("comment=", f'x="{SECRET}" comment=')),
    "i2b2 content of a tag": i2b2(TAG.replace(" />", f">{SECRET}</NAME>")),
    "i2b2 name of a tag": i2b2(TAG.replace("<NAME", f"<{SECRET}")),
    "i2b2 text between tags": i2b2(f"{TAG}\n{SECRET}"),
    "i2b2 cdata between tags": i2b2(f"{TAG}\n<![CDATA[{SECRET}]]>"),
    "i2b2 comment between tags": i2b2(f"{TAG}\n<!-- {SECRET} -->"),
    "i2b2 instruction between tags": i2b2(f"{TAG}\n<?note {SECRET}?>"),
    "i2b2 comment before": i2b2(head=f"<!-- {SECRET} -->\n"),
    "i2b2 comment behind": i2b2(tail=f"<!-- {SECRET} -->\n"),
    "i2b2 instruction": i2b2(head=f"<?note {SECRET}?>\n"),
    "i2b2 attribute of the root": i2b2(root=f' by="{SECRET}"'),
    "i2b2 other element": i2b2(tail=f"<META>{SECRET}</META>\n"),
    "i2b2 other attribute": i2b2(tail=f'<META by="{SECRET}"/>\n'),
}
I2B2 = [
    Place(name, "in.xml", put("in.xml", content), "hidden or refused", **NAKED)
    for name, content in I2B2_FILES.items()
]


def named_gzip(
    content: bytes, name: bytes = b"", comment: bytes = b"", extra: bytes = b""
) -> bytes:
    """A gzip file with the fields of RFC 1952 that hold words."""
    flags = (8 if name else 0) | (16 if comment else 0) | (4 if extra else 0)
    head = b"\x1f\x8b\x08" + bytes([flags]) + b"\0\0\0\0\x00\xff"
    head += len(extra).to_bytes(2, "little") + extra if extra else b""
    head += (name + b"\0" if name else b"") + (comment + b"\0" if comment else b"")
    return head + gzip.compress(content, mtime=0)[10:]


def zst(content: bytes, skipped: bytes = b"") -> bytes:
    import zstandard

    frame = b"\x50\x2a\x4d\x18" + len(skipped).to_bytes(4, "little") + skipped if skipped else b""
    return frame + zstandard.compress(content)


WORD = SECRET.encode()
RAW = fields(ROWS).encode()
PACKED = [
    file("gz", "csv.gz", gzip.compress(RAW)),
    file("gz name", "csv.gz", named_gzip(RAW, name=WORD)),
    file("gz comment", "csv.gz", named_gzip(RAW, comment=WORD)),
    file("gz extra field", "csv.gz", named_gzip(RAW, extra=b"AB" + b"\x0d\x00" + WORD)),
    file("gz two members", "csv.gz", gzip.compress(RAW[:50]) + gzip.compress(RAW[50:])),
    file("zst", "jsonl.zst", zst(lines(ROWS).encode())),
    file("zst skipped frame", "jsonl.zst", zst(lines(ROWS).encode(), WORD)),
]


def parquet(**how: object) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        rows = how.get("rows", ROWS)
        table = pa.Table.from_pylist(rows)
        if how.get("dictionary"):
            words = table["text"].combine_chunks().dictionary_encode()
            table = table.set_column(table.column_names.index("text"), "text", words)
        if how.get("large"):
            words = table["text"].cast(pa.large_string())
            table = table.set_column(table.column_names.index("text"), "text", words)
        table = table.replace_schema_metadata(how.get("metadata"))
        pq.write_table(table, folder / "in.parquet", compression=how.get("compression", "snappy"))

    return write


PARQUET = [
    Place("parquet column", "in.parquet", parquet()),
    Place("parquet unpacked", "in.parquet", parquet(compression="none")),
    Place("parquet large strings", "in.parquet", parquet(large=True)),
    Place("parquet dictionary", "in.parquet", parquet(dictionary=True), "hidden or refused"),
    Place("parquet other column", "in.parquet", parquet(rows=third(town=SECRET)), "stays"),
    Place("parquet name of a column", "in.parquet", parquet(rows=SECRET_HEADER), "stays"),
    Place("parquet metadata", "in.parquet", parquet(metadata={"by": SECRET}), "stays"),
]


def arrow(ending: str = "arrow", **how: object) -> Callable[[Path], None]:
    """An Arrow file; dictionaries, notes of the table and of a field, packed buffers."""

    def write(folder: Path) -> None:
        import pyarrow as pa
        import pyarrow.feather as feather

        table = pa.Table.from_pylist(how.get("rows", ROWS))
        at = table.column_names.index("text")
        words = table["text"].combine_chunks()
        if how.get("dictionary"):
            words = words.dictionary_encode()
        field = pa.field("text", words.type, metadata=how.get("field"))
        table = table.set_column(at, field, words).replace_schema_metadata(how.get("metadata"))
        packed = how.get("compression", "uncompressed")
        feather.write_feather(table, str(folder / f"in.{ending}"), compression=packed)

    return write


ARROW = [
    Place("arrow column", "in.arrow", arrow()),
    Place("feather packed", "in.feather", arrow("feather", compression="lz4")),
    Place("ipc packed", "in.ipc", arrow("ipc", compression="zstd")),
    Place("arrow dictionary", "in.arrow", arrow(dictionary=True), "hidden or refused"),
    Place("arrow note of a field", "in.arrow", arrow(field={"by": SECRET}), "hidden or refused"),
    Place("arrow other column", "in.arrow", arrow(rows=third(town=SECRET)), "stays"),
    Place("arrow name of a column", "in.arrow", arrow(rows=SECRET_HEADER), "stays"),
    Place("arrow metadata", "in.arrow", arrow(metadata={"by": SECRET}), "stays"),
]
BOX = b"".join(
    b"From a@example.org Mon Jan  1 00:00:00 2024\n" + one + b"\n"
    for one in (MAILS["mail body"], MAILS["mail other header"])
)
MAILBOX = [
    file("mailbox", "mbox", BOX, "hidden or refused", **NAKED),
    file(
        "mailbox line between",
        "mbox",
        BOX.replace(b"From a@example.org", b"From " + SECRET.encode(), 1),
        "hidden or refused",
        **NAKED,
    ),
]


def resource(i: int, text: str) -> dict[str, object]:
    """A note of FHIR, with the secret in elements of many kinds."""
    return {
        "resourceType": "Observation",
        "id": f"{SECRET}-{i}",
        "meta": {"source": SECRET},
        "text": {"status": "generated", "div": f"<div>{SECRET}</div>"},
        "identifier": [{"system": "urn:mrn", "value": SECRET}],
        "subject": {"reference": f"Patient/p{i}", "display": SECRET},
        "extension": [{"url": "x", "valueString": SECRET}],
        "code": {"coding": [{"code": "8480-6"}], "text": SECRET},
        "note": [{"text": text, "authorString": SECRET}],
        "unheardOf": SECRET,
    }


FHIR = [
    Place(
        "fhir bundle",
        "in.json",
        all_put(
            {
                "in.json": json.dumps(
                    {
                        "resourceType": "Bundle",
                        "type": "collection",
                        "entry": [{"resource": resource(i, one)} for i, one in enumerate(TEXTS)],
                    }
                ),
                "rules.yaml": "key_file: key\n",
            }
        ),
        "hidden or refused",
        options="--format fhir:rules.yaml",
        people="",
    )
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
