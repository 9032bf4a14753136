"""The XML of the i2b2 de-identification tasks: the text, and a tag for every span."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from ..core.errors import BadInput
from ..core.spans import Span

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

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
    except (LookupError, ValueError):  # an encoding that nobody knows, or of several bytes
        raise BadInput("is in no known encoding", where=place, remedy="save it as UTF-8") from None
    text, tags = _parts(root, place)
    found = []
    for tag in tags:
        start, stop = tag.attrib.get("start", ""), tag.attrib.get("end", "")
        if not all(one.isascii() and one.isdecimal() and len(one) < 20 for one in (start, stop)):
            raise BadInput("a tag lacks start or end", where=place, remedy="repair the tag")
        if not int(start) <= int(stop) <= len(text):
            raise BadInput("a tag's places are not in the text", where=place, remedy="repair it")
        kind = tag.attrib.get("TYPE", tag.tag)
        found.append(Span(document, int(start), int(stop), LABELS.get(kind, kind), why="i2b2"))
    return text, found


def _parts(root: Element, place: str) -> tuple[str, list[Element]]:
    """The text and the tags; refuses a file with other elements or with texts elsewhere."""
    texts, groups = root.findall("TEXT"), root.findall("TAGS")
    tags = [tag for group in groups for tag in group]
    beside = [
        root.text,
        *(one.tail for one in root.iter()),
        *(one.text for one in (*groups, *tags)),
    ]
    known = len(texts) == 1 and len(groups) <= 1 and len(root) == len(texts) + len(groups)
    if not known or len(texts[0]) or any(map(len, tags)) or "".join(filter(None, beside)).strip():
        raise BadInput(
            "expected one TEXT with nothing but text in it, and one TAGS of empty elements",
            where=place,
            remedy="give the files of the i2b2 tasks; other XML is not read",
        )
    return texts[0].text or "", tags


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
