"""The XML of the i2b2 de-identification tasks: the text, and a tag for every span."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.sax.saxutils import quoteattr

from ..core.errors import BadInput
from ..core.spans import Span

# Our label -> the task's tag and TYPE; other labels become OTHER with the label as TYPE.
TAGS = {
    "PERSON": ("NAME", "PATIENT"),
    "OCCUPATION": ("PROFESSION", "PROFESSION"),
    "ORG": ("LOCATION", "ORGANIZATION"),
    "ADDRESS": ("LOCATION", "STREET"),
    "LOCATION": ("LOCATION", "CITY"),
    "COUNTRY": ("LOCATION", "COUNTRY"),
    "POSTCODE": ("LOCATION", "ZIP"),
    "AGE": ("AGE", "AGE"),
    "DATE": ("DATE", "DATE"),
    "PHONE": ("CONTACT", "PHONE"),
    "FAX": ("CONTACT", "FAX"),
    "EMAIL": ("CONTACT", "EMAIL"),
    "URL": ("CONTACT", "URL"),
    "IP": ("CONTACT", "IPADDR"),
    "SSN": ("ID", "SSN"),
    "MRN": ("ID", "MEDICALRECORD"),
    "INSURANCE": ("ID", "HEALTHPLAN"),
    "ACCOUNT": ("ID", "ACCOUNT"),
    "LICENSE": ("ID", "LICENSE"),
    "VEHICLE": ("ID", "VEHICLE"),
    "DEVICE": ("ID", "DEVICE"),
    "NATIONAL_ID": ("ID", "IDNUM"),
}
LABELS = {kind: label for label, (_, kind) in TAGS.items()} | {
    "DOCTOR": "PERSON",
    "USERNAME": "PERSON",
    "HOSPITAL": "ORG",
    "STATE": "LOCATION",
    "LOCATION-OTHER": "LOCATION",
    "BIOID": "NATIONAL_ID",
}
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def read(content: bytes, document: int, place: str) -> tuple[str, list[Span]]:
    """The text of one document and its spans. Declarations of entities are refused.

    >>> page = write([Span(0, 0, 3, "PERSON")], "Ann has flu.")
    >>> read(page, 0, "a.xml")[1]
    [Span(document=0, start=0, stop=3, label='PERSON', score=1.0, why='i2b2')]
    """
    from xml.etree import ElementTree

    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        raise BadInput("declares a document type or entities", where=place, remedy="remove them")
    try:
        root = ElementTree.fromstring(content)  # noqa: S314 (no declarations, see above)
    except ElementTree.ParseError as problem:
        raise BadInput(
            "is not well-formed XML", where=f"{place}, line {problem.position[0]}"
        ) from None
    text, found = root.findtext("TEXT") or "", []
    for tag in root.iterfind("TAGS/*"):
        try:
            start, stop = int(tag.attrib["start"]), int(tag.attrib["end"])
        except (KeyError, ValueError):
            raise BadInput("a tag lacks start or end", where=place) from None
        kind = tag.attrib.get("TYPE", tag.tag)
        found.append(Span(document, start, stop, LABELS.get(kind, kind), why="i2b2"))
    return text, found


def write(spans: Sequence[Span], text: str) -> bytes:
    """One document with its spans as i2b2 XML.

    >>> b"<NAME id=" in write([Span(0, 0, 3, "PERSON")], "Ann has flu.")
    True
    """
    if _FORBIDDEN.search(text) or "\r" in text:
        raise BadInput(
            "the text has a control symbol or a carriage return, which XML does not keep",
            where="i2b2",
            remedy="export JSONL or brat",
        )
    tags = []
    for number, span in enumerate(spans):
        tag, kind = TAGS.get(span.label, ("OTHER", span.label))
        shown = quoteattr(text[span.start : span.stop], {"\n": " "})
        tags.append(
            f'<{tag} id="P{number}" start="{span.start}" end="{span.stop}" text={shown} '
            f'TYPE={quoteattr(kind)} comment="" />\n'
        )
    body = text.replace("]]>", "]]]]><![CDATA[>")
    return (
        '<?xml version="1.0" encoding="UTF-8" ?>\n<deIdi2b2>\n'
        f"<TEXT><![CDATA[{body}]]></TEXT>\n<TAGS>\n{''.join(tags)}</TAGS>\n</deIdi2b2>\n"
    ).encode()
