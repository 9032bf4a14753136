"""Files of other office programs, by suffix: what each is turned into, and released as."""

from __future__ import annotations

KINDS = {"odt": "docx", "rtf": "docx", "doc": "docx", "ods": "xlsx", "xls": "xlsx"}


def released_name(name: str) -> str:
    """The name of a file's release: of what LibreOffice reads, that of what it is turned into.

    >>> released_name("people.ods"), released_name("notes.jsonl")
    ('people.xlsx', 'notes.jsonl')
    """
    stem, dot, suffix = name.rpartition(".")
    return f"{stem}{dot}{KINDS.get(suffix.lower(), suffix)}"
