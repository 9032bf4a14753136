"""brat folders: the `.ann` beside a text must not quote what the release hides.

Where all texts of a folder have their old lengths, the offsets stay right: what a T line quotes is
taken from the release; N lines (references to databases), # lines (notes people wrote), marks with
a value and whatever else is no plain line of brat are dropped, beside unchanged texts too; so are
lines whose types are words that a text of the folder hides.
Where a length differs, offsets are wrong, and the annotations of all documents are dropped: those
that stayed would show which texts did not change.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from sfumato.formats.hidden_words import words

_T = re.compile(r"(T[^\t]*\t\S+ )([0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*)(?:\t[^\r\n]*)?(\r?)")
# Relations, events, marks that are there or not, and sets of equals: names of types and of marks.
_ID = r"[TREAM][0-9]+"
_WITHOUT_TEXT = re.compile(
    rf"(?:R[0-9]+\t\S+(?: \S+:{_ID})+|E[0-9]+\t\S+:{_ID}(?: \S+:{_ID})*"
    rf"|[AM][0-9]+\t\S+ {_ID}|\*\t\S+(?: {_ID})+)[ \t]?\r?"
)


def released_annotations(raw: bytes, new: str, hidden: Collection[str] = ()) -> bytes:
    """The annotations of a document whose text has become another of the same length.

    >>> raw = b"T1\\tPERSON 0 3\\tAnn\\n#1\\tAnnotatorNotes T1\\tHo\\n"
    >>> released_annotations(raw, "*** is")
    b'T1\\tPERSON 0 3\\t***\\n'
    """
    kept = []
    for line in raw.decode("utf-8-sig", "replace").split("\n"):
        found = _T.fullmatch(line)
        stated = line if found is None else found[1]
        if hidden and not words(stated.replace("_", " ")).isdisjoint(hidden):
            continue
        if found is not None:
            kept.append(f"{found[1]}{found[2]}\t{_quoted(found[2], new)}{found[3]}")
        elif _WITHOUT_TEXT.fullmatch(line) or not line.strip():
            kept.append(line)
    return "\n".join(kept).encode()


def _quoted(places: str, text: str) -> str:
    pairs = (map(int, place.split()) for place in places.split(";"))
    shown = " ".join(text[start:stop] for start, stop in pairs)
    return re.sub(r"[\r\n\t]", " ", shown)
