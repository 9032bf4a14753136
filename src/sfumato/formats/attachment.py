"""FHIR attachments: text in base64, with its type, its size and its hash beside it.

A text value named `data` that stands beside a `contentType` is such an attachment. It is decoded
for the work and encoded again, changed or not; `size` and `hash` (SHA-1) beside it are made anew,
because a hash of the original would let anyone confirm a guess.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput

from ..core.printed_form import by_sizes

if TYPE_CHECKING:
    from sfumato.formats.paths import PathValue, Value

_CHARSET = re.compile(r";\s*charset\s*=\s*\"?([^\s;\"]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Attachment:
    """The decoded text, and how the places that depend on it are written again."""

    text: str
    charset: str
    data: tuple[int, int]
    size: tuple[int, int] | None
    hash: tuple[int, int] | None

    __repr__ = by_sizes

    def edits(self, text: str) -> list[tuple[int, int, bytes]]:
        """Start, stop and new bytes of every place that depends on the text, in order."""
        raw = text.encode(self.charset)
        digest = base64.b64encode(hashlib.sha1(raw, usedforsecurity=False).digest())
        made = [(*self.data, b'"' + base64.b64encode(raw) + b'"')]
        if self.size is not None:
            made.append((*self.size, b"%d" % len(raw)))
        if self.hash is not None:
            made.append((*self.hash, b'"' + digest + b'"'))
        return sorted(made)


def attachment(found: PathValue, place: Callable[[int], int], where: str) -> Attachment | None:
    """The attachment a text value is, if it is one; `place` turns its offsets into the file's.

    >>> from sfumato.formats.paths import PathValue, members
    >>> line = '{"contentType": "text/plain", "size": 4, "data": "Y2FsbQ=="}'
    >>> holder = members(line, 0, (), "n")
    >>> one = attachment(PathValue(holder["data"], holder), int, "n.jsonl, line 1")
    >>> one.text, one.edits("★")
    ('calm', [(38, 39, b'3'), (49, 59, b'"4piF"')])
    """
    kind = found.holder.get("contentType")
    if kind is None or not isinstance(kind.value, str) or not isinstance(found.value.value, str):
        return None
    if found.holder.get("data") != found.value:
        return None
    if not kind.value.lower().startswith("text/"):
        raise BadInput(
            "an attachment of another type than text",
            where=where,
            remedy="take it out, or release it in another way: its content cannot be read here",
        )
    charset = _CHARSET.search(kind.value)
    name = charset[1] if charset else "utf-8"
    try:
        text = base64.b64decode(found.value.value, validate=True).decode(name)
    except (ValueError, LookupError):  # binascii.Error and UnicodeDecodeError are ValueErrors
        problem = "the attachment's data is not base64 of text in its charset"
        raise BadInput(problem, where=where, remedy="repair or remove it") from None

    def at(value: Value | None) -> tuple[int, int] | None:
        present = value is not None and value.value is not None
        return (place(value.start), place(value.stop)) if value and present else None

    data = place(found.value.start), place(found.value.stop)
    return Attachment(text, name, data, at(found.holder.get("size")), at(found.holder.get("hash")))
