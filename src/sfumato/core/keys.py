"""The steward's key: as it is given, or as a file holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .errors import BadInput

if TYPE_CHECKING:
    from pathlib import Path

LEAST = 16
REMEDY = "make one with: head -c 32 /dev/urandom | base64"


def key_bytes(key: bytes | str) -> bytes:
    """A key as bytes, long enough.

    >>> len(key_bytes("0123456789abcdef"))
    16
    """
    if not isinstance(key, bytes | str):
        raise BadInput(f"expected bytes or text, found {type(key).__name__}", where="key")
    raw = key.encode() if isinstance(key, str) else key
    if len(raw) < LEAST:
        problem = f"expected at least {LEAST} bytes, found {len(raw)}"
        raise BadInput(problem, where="key", remedy=REMEDY)
    return raw


def read_key(path: Path | None) -> bytes | None:
    """The key of a file, if one is named."""
    if path is None:
        return None
    try:
        key = path.read_bytes().strip()
    except OSError as problem:
        raise BadInput(f"the key cannot be read ({problem.strerror})", where=str(path)) from None
    if len(key) < LEAST:
        found = f"expected a key of at least {LEAST} bytes, found {len(key)}"
        raise BadInput(found, where=str(path), remedy=REMEDY)
    return key
