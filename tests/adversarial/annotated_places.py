"""Places of annotated texts: brat and i2b2."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from adversarial.place import (
    ENTITIES,
    NAKED,
    SHORT,
    TEXT,
    Place,
    all_put,
    put,
)
from adversarial.search import SECRET

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
