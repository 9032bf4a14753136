"""Mail: headers that people read and bodies are documents; a release is written anew.

Of a message's headers stay Subject, From, To, Cc, Bcc, Reply-To, Sender and Date, each as a text of
its own; all others (the way it took, its ids, programs, signatures) are not in the release. Bodies
of text and HTML are decoded from every transfer encoding and written in base64. Messages within a
message are read in the same way. Attachments of text are text; those of other kinds are refused,
because what is in them would be published unread.
"""

from __future__ import annotations

import base64
import email
import email.policy
import re
from collections.abc import Iterator, Sequence
from email.header import Header, decode_header, make_header
from email.message import Message
from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput
from sfumato.formats.html import Page, page_of
from sfumato.formats.source import Source

if TYPE_CHECKING:
    from sfumato.formats.source import Columns, Piece, Texts

HEADERS = ("Date", "From", "Sender", "Reply-To", "To", "Cc", "Bcc", "Subject")
_SEPARATOR = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))From [^\n]*\n")
_BETWEEN = b"From - Thu Jan  1 00:00:00 1970\n"
_DEEPEST = 20
_LINE_END = re.compile("[\r\n]")


class _Part:
    """A message or a part of one: its headers, and a body, a page or further parts."""

    def __init__(self) -> None:
        self.headers: list[tuple[str, int]] = []
        self.body: int | None = None
        self.page: Page | None = None
        self.first = 0
        """The number of the page's first text."""
        self.kind = "text/plain"
        self.parts: list[_Part] = []


def read(
    raw: bytes,
    place: str,
    *,
    format: str = "mail",
    text_column: Columns = None,
    group_column: str | None = None,
) -> Source:
    """The texts of a message (`.eml`), or of all messages of a mailbox (`.mbox`).

    >>> raw = b"From: Ann <ann@example.org>\\nX-Id: 7\\nSubject: ill\\n\\nI am ill.\\n"
    >>> source = read(raw, "a.eml")
    >>> source.texts
    ['Ann <ann@example.org>', 'ill', 'I am ill.\\n']
    >>> print(b"".join(source.pieces(["***", "ill", "I am ill.\\n"])).decode())
    From: ***
    Subject: ill
    MIME-Version: 1.0
    Content-Type: text/plain; charset="utf-8"
    Content-Transfer-Encoding: base64
    <BLANKLINE>
    SSBhbSBpbGwuCg==
    <BLANKLINE>
    """
    if text_column or group_column is not None:
        remedy = "leave out text_column and group_column"
        raise BadInput("a message has no columns", where=place, remedy=remedy)
    texts: list[str] = []
    home: list[int] = []
    messages: list[_Part] = []
    for number, one in enumerate(_messages(raw, format, place), 1):
        where = place if format == "mail" else f"{place}, message {number}"
        messages.append(_part(email.message_from_bytes(one), texts, where, 0))
        home += [number] * (len(texts) - len(home))
    if not texts:
        raise BadInput("no message with text is in this", where=place, remedy="give a mail file")

    def where_of(i: int) -> str:
        return f"{place}, message {home[i]}, text {i - home.index(home[i]) + 1}"

    def pieces(new: Texts) -> Iterator[Piece]:
        kept = [old if after is None else after for old, after in zip(texts, new, strict=True)]
        for one in messages:
            if format == "mbox":
                yield _BETWEEN
            yield _written(one, kept, place, "=_1")
            if format == "mbox":
                yield b"\n"

    def column(name: str) -> list[str | None]:
        raise BadInput("a message has no columns", where=place)

    groups = [str(number) for number in home] if format == "mbox" else None
    return Source(place, format, list(texts), groups, (), column, where_of, pieces)


def _messages(raw: bytes, format: str, place: str) -> list[bytes]:
    if format == "mail":
        return [raw]
    found = list(_SEPARATOR.finditer(raw))
    if not found:
        return []
    if raw[: found[0].start()].strip():
        remedy = "begin it with a line From ..., or give a single mail as .eml"
        raise BadInput("text stands before the first message", where=place, remedy=remedy)
    stops = [*(one.start() for one in found[1:]), len(raw)]
    return [
        re.sub(rb"(?m)^>(>*From )", rb"\1", raw[one.end() : stop])
        for one, stop in zip(found, stops, strict=True)
    ]


def _part(message: Message, texts: list[str], place: str, depth: int) -> _Part:
    """The texts of a message are added; what it is written from is given back."""
    if depth > _DEEPEST:
        raise BadInput("messages are nested too deeply", where=place, remedy="take them apart")
    part = _Part()
    for name in HEADERS:
        for value in message.get_all(name) or ():
            text = _header(value, place)
            if text:
                part.headers.append((name, len(texts)))
                texts.append(text)
    kind = message.get_content_type()
    if message.is_multipart():
        inner = message.get_payload()
        assert isinstance(inner, list)
        part.kind = kind if kind == "multipart/alternative" else "multipart/mixed"
        if kind == "message/rfc822":
            part.kind = kind
        part.parts = [_part(one, texts, place, depth + 1) for one in inner]  # type: ignore[arg-type]
        return part
    if not kind.startswith("text/"):
        problem = "an attachment of another kind than text, which is not read"
        raise BadInput(problem, where=place, remedy="take it out, or release it by itself")
    text = _body(message, place)
    if kind == "text/html":
        part.page, part.first, part.kind = page_of(text), len(texts), "text/html"
        texts += part.page.texts
    elif text:
        part.body = len(texts)
        texts.append(text)
    return part


def _header(value: object, place: str) -> str:
    """What a header says, decoded and on one line."""
    try:
        text = str(make_header(decode_header(str(value))))
    except (LookupError, ValueError):
        problem = "a header is not in the encoding that it names"
        raise BadInput(problem, where=place, remedy="repair or remove it") from None
    return " ".join(text.split())


def _body(message: Message, place: str) -> str:
    """The characters of a body, from its transfer encoding and its charset."""
    raw = message.get_payload(decode=True)
    assert isinstance(raw, bytes)
    stated = message.get_content_charset()
    try:
        return raw.decode(stated or "utf-8").replace("\r\n", "\n")
    except (LookupError, UnicodeDecodeError):
        problem = "a body is not in the charset that it names"
        remedy = "repair its charset"
        raise BadInput(problem, where=place, remedy=remedy) from None


def _written(part: _Part, texts: Sequence[str], place: str, boundary: str) -> bytes:
    """A part with its texts."""
    lines = []
    for name, number in part.headers:
        if _LINE_END.search(texts[number]):
            problem = "the new text of a header has a line end"
            raise BadInput(problem, where=place, remedy="choose another mask")
        is_plain = texts[number].isascii() and texts[number].isprintable()
        value = texts[number] if is_plain else Header(texts[number], "utf-8").encode()
        lines.append(f"{name}: {value}")
    lines.append("MIME-Version: 1.0")
    if part.kind == "message/rfc822":
        inner = b"".join(_written(one, texts, place, boundary + "m") for one in part.parts)
        lines.append("Content-Type: message/rfc822")
        return "\n".join([*lines, "", ""]).encode() + inner
    if part.kind.startswith("multipart/"):
        lines.append(f'Content-Type: {part.kind}; boundary="{boundary}"')
        pieces = [
            f"--{boundary}\n".encode() + _written(one, texts, place, f"{boundary}.{i}") + b"\n"
            for i, one in enumerate(part.parts)
        ]
        head = "\n".join([*lines, "", ""]).encode()
        return head + b"".join(pieces) + f"--{boundary}--\n".encode()
    lines.append(f'Content-Type: {part.kind}; charset="utf-8"')
    lines.append("Content-Transfer-Encoding: base64")
    return "\n".join([*lines, "", ""]).encode() + base64.encodebytes(_content(part, texts))


def _content(part: _Part, texts: Sequence[str]) -> bytes:
    if part.page is not None:
        count = len(part.page.texts)
        return part.page.written({i: texts[part.first + i] for i in range(count)})
    return b"" if part.body is None else texts[part.body].encode()
