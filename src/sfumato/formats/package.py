"""Office files: zip archives of parts, of which a release keeps those that are understood.

Word and Excel name their parts in `[Content_Types].xml` and link them in files of relations. What
a release does not keep is taken out with its entry and its links. Times, notes and leftovers of
the old archive are not kept.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Collection, Mapping
from posixpath import dirname, join, normpath

from sfumato.core.errors import BadInput
from sfumato.formats.markup import Token, edited_tag, replaced, tokens
from sfumato.formats.packing import TIMES, require_size

TYPES = "[Content_Types].xml"
MOST = 1 << 31  # bytes that an archive may hold once it is unpacked
_SPACES = (
    *("http://schemas.openxmlformats.org/", "http://schemas.microsoft.com/"),
    *("http://purl.oclc.org/ooxml/", "urn:schemas-microsoft-com:", "http://www.w3.org/"),
    *("http://schemas.libreoffice.org/", "http://docs.oasis-open.org/", "http://purl.org/dc/"),
)
_DAMAGED = (
    *(zipfile.BadZipFile, KeyError, NotImplementedError, OSError, RuntimeError, EOFError),
    *(ValueError, struct.error, zlib.error),  # of entries that lie about places and sizes
)


def parts_of(raw: bytes, place: str, kind: str) -> dict[str, bytes]:
    """The parts of an archive by their names; a protected or damaged one is refused."""
    remedy = f"save it as .{kind} again (older formats and protected files are not read)"
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            names = archive.namelist()
            content = sum(one.file_size for one in archive.infolist())
            require_size(content, min(len(raw), MOST // TIMES), place)
            if len({one.casefold() for one in names}) < len(names):
                raise zipfile.BadZipFile
            return {one: archive.read(one) for one in names if not one.endswith("/")}
    except BadInput:
        raise
    except _DAMAGED:
        problem = f"is no .{kind} file, or damaged"
        raise BadInput(problem, where=place, remedy=remedy) from None


def is_known(space: str) -> bool:
    """Whether a namespace is one of the office formats; those of others are people's own.

    >>> is_known("http://schemas.openxmlformats.org/wordprocessingml/2006/main"), is_known("urn:a")
    (True, False)
    """
    return not space or space.startswith(_SPACES)


def local(token: Token) -> str:
    """An element's name without its namespace."""
    return token.name.rpartition(" ")[2]


def relations_of(part: str) -> str:
    """The name of the part that holds the relations of another.

    >>> relations_of("xl/workbook.xml"), relations_of("")
    ('xl/_rels/workbook.xml.rels', '_rels/.rels')
    """
    folder, _, name = part.rpartition("/")
    return join(folder, f"_rels/{name}.rels")


def relations(parts: Mapping[str, bytes], part: str, place: str) -> dict[str, tuple[str, str]]:
    """What a part links to: the last word of the kind and the part's name, by the link's id."""
    found: dict[str, tuple[str, str]] = {}
    for token in tokens(parts.get(relations_of(part), b"<a/>"), place, spaces=True):
        if token.kind == "open" and local(token) == "Relationship":
            stated = token.attributes
            kind = stated.get("Type", "").rpartition("/")[2]
            found[stated.get("Id", "")] = (kind, _target(part, stated))
    return found


def _target(part: str, stated: Mapping[str, str]) -> str:
    if stated.get("TargetMode") == "External":
        return ""
    return normpath(join("/", dirname(part), stated.get("Target", ""))).lstrip("/")


def without(
    raw: bytes,
    place: str,
    gone: Callable[[list[str], Token], bool],
    edits: Collection[tuple[int, int, bytes]] = (),
) -> bytes:
    """XML without some elements and without comments and instructions; `edits` outside them.

    `gone` is asked with the names of the elements around and the tag of each.

    >>> without(b"<a><!-- x --><b>1</b><c/></a>", "a.xml", lambda path, tag: tag.name == "b")
    b'<a><c/></a>'
    """
    taken: list[tuple[int, int]] = []
    path: list[str] = []
    begin: list[int | None] = []
    for token in tokens(raw, place, spaces=True):
        if token.kind == "open":
            inside = bool(begin) and begin[-1] is not None
            is_gone = not inside and gone(path, token)
            begin.append(begin[-1] if inside else token.start if is_gone else None)
            path.append(local(token))
        elif token.kind == "close":
            path.pop()
            started = begin.pop()
            if started is not None and (not begin or begin[-1] is None):
                taken.append((started, token.stop))
        elif token.kind in ("comment", "instruction") and (not begin or begin[-1] is None):
            taken.append((token.start, token.stop))
    made = [one for one in edits if not any(a <= one[0] < b for a, b in taken)]
    return replaced(raw, [*made, *((a, b, b"") for a, b in taken)])


_THEMES = {"Office Theme", "Office", "Office 2007 - 2010", "Office 2013 - 2022", "LibreOffice"}
_SCHEMES = ("theme", "clrScheme", "fontScheme", "fmtScheme", "custClr", "extraClrScheme")


def plain_theme(raw: bytes, place: str) -> bytes:
    """A theme without the names that people gave it, and without remarks.

    >>> plain_theme(b'<theme name="Dr. Marlow"><!-- x --></theme>', "a.xlsx")
    b'<theme name=""></theme>'
    """
    edits = []
    for token in tokens(raw, place, spaces=True):
        if token.kind == "open" and local(token) in _SCHEMES:
            tag = raw[token.start : token.stop]
            edits.append((token.start, token.stop, edited_tag(tag, _unnamed)))

    def gone(path: list[str], tag: Token) -> bool:
        return local(tag) == "extLst" or not is_known(tag.name.rpartition(" ")[0])

    return without(raw, place, gone, edits)


def _unnamed(name: str, value: str) -> str | None:
    if name.startswith("xmlns"):
        return value if is_known(value) else None
    return "" if name == "name" and value not in _THEMES else value


def packed(
    raw: bytes, parts: Mapping[str, bytes], kept: Callable[[str], bool], place: str
) -> bytes:
    """The archive with some parts replaced and those that are not `kept` taken out."""
    with zipfile.ZipFile(io.BytesIO(raw)) as old:
        stay = [one for one in old.infolist() if one.filename == TYPES or kept(one.filename)]
        names = {one.filename for one in stay}
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as new:
            for info in stay:
                content = parts.get(info.filename)
                content = old.read(info) if content is None else content
                if info.filename == TYPES or info.filename.endswith(".rels"):
                    content = _linked(info.filename, content, names, place)
                fresh = zipfile.ZipInfo(info.filename)
                fresh.compress_type = info.compress_type
                new.writestr(fresh, content)
    return out.getvalue()


def _linked(name: str, raw: bytes, names: Collection[str], place: str) -> bytes:
    """A list of types or relations without the parts that are gone and what is outside."""
    part = ""
    if name != TYPES:
        folder, _, own = name.rpartition("_rels/")
        part = join(folder, own.removesuffix(".rels"))

    endings = {one.rpartition(".")[2] for one in names}

    def gone(path: list[str], tag: Token) -> bool:
        stated = tag.attributes
        if local(tag) == "Override":
            return stated.get("PartName", "").lstrip("/") not in names
        if local(tag) == "Default":
            return stated.get("Extension", "") not in endings
        if local(tag) != "Relationship":
            return False
        return not is_known(stated.get("Type", "")) or _target(part, stated) not in names

    return without(raw, place, gone)
