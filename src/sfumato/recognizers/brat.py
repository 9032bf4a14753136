"""brat standoff: one `.ann` beside each text, a line `T1<tab>LABEL start stop<tab>text` a span."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..core.errors import BadInput
from ..core.spans import Span

_LINE = re.compile(r"T[^\t]*\t(\S+) ([0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*)(?:\t(.*))?")


def read(content: bytes, document: int, place: str, text: str | None = None) -> list[Span]:
    """The text-bound annotations of one document; the parts of a broken span are spans each.

    An annotation that quotes another text than `text` has there is refused.

    >>> read(b"T1\\tPERSON 0 3\\tAnn\\n#1\\tnote\\n", 0, "a.ann")
    [Span(document=0, start=0, stop=3, label='PERSON', score=1.0, why='brat')]
    """
    found = []
    try:
        lines = content.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError:
        raise BadInput("is not UTF-8", where=place) from None
    for number, line in enumerate(lines, 1):
        if not line.startswith("T"):
            continue
        match = _LINE.fullmatch(line.rstrip("\r"))
        if match is None:
            raise BadInput("expected T, label, start, stop", where=f"{place}, line {number}")
        parts = [tuple(map(int, part.split())) for part in match[2].split(";")]
        if text is not None and match[3] is not None:
            quoted = " ".join(text[start:stop] for start, stop in parts)
            if quoted.split() != match[3].split():
                raise BadInput(
                    f"document {document} has another text there",
                    where=f"{place}, line {number}",
                    remedy="give the annotations of this text",
                )
        for start, stop in parts:
            found.append(Span(document, start, stop, match[1], why="brat"))
    return found


def write(spans: Sequence[Span], text: str) -> bytes:
    """The annotations of one document; line ends inside a span are shown as spaces.

    >>> write([Span(0, 0, 3, "PERSON")], "Ann has flu.")
    b'T1\\tPERSON 0 3\\tAnn\\n'
    """
    lines = []
    for number, span in enumerate(spans, 1):
        shown = re.sub(r"[\r\n\t]", " ", text[span.start : span.stop])
        label = re.sub(r"\s+", "_", span.label) or "ENTITY"
        lines.append(f"T{number}\t{label} {span.start} {span.stop}\t{shown}\n")
    return "".join(lines).encode("utf-8", "surrogatepass")
