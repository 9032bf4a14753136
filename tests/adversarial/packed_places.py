"""Places of packed files, tables of columns, mailboxes and FHIR."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

from adversarial.letters import MAILS
from adversarial.place import (
    NAKED,
    ROWS,
    SECRET_HEADER,
    TEXTS,
    Place,
    all_put,
    fields,
    file,
    lines,
    third,
)
from adversarial.search import SECRET


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
