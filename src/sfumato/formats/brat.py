"""brat folders: the `.ann` beside a changed text must not quote what the release hides.

Where a changed text has its old length, the offsets stay right: what a T line quotes is taken from
the release, and N lines (references to databases) and # lines (notes people wrote) are dropped.
Where the length differs, offsets are wrong and all annotations of the document are dropped. The
annotations of an unchanged text stay byte for byte.
"""

from __future__ import annotations

import re

_T = re.compile(r"(T[^\t]*\t\S+ )([0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*)(?:\t[^\r\n]*)?(\r?)")
_WITHOUT_TEXT = ("R", "E", "A", "M", "*")


def released_annotations(raw: bytes, old: str, new: str) -> bytes:
    """The annotations of a document whose text has become another.

    >>> raw = b"T1\\tPERSON 0 3\\tAnn\\n#1\\tAnnotatorNotes T1\\tHo\\n"
    >>> released_annotations(raw, "Ann is", "*** is")
    b'T1\\tPERSON 0 3\\t***\\n'
    """
    if old == new:
        return raw
    if len(old) != len(new):
        return b""
    kept = []
    for line in raw.decode("utf-8", "replace").split("\n"):
        found = _T.fullmatch(line)
        if found is not None:
            kept.append(f"{found[1]}{found[2]}\t{_quoted(found[2], new)}{found[3]}")
        elif line.startswith(_WITHOUT_TEXT) or not line.strip():
            kept.append(line)
    return "\n".join(kept).encode()


def _quoted(places: str, text: str) -> str:
    pairs = (map(int, place.split()) for place in places.split(";"))
    shown = " ".join(text[start:stop] for start, stop in pairs)
    return re.sub(r"[\r\n\t]", " ", shown)
