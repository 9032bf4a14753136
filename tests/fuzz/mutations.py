"""Damaged files: what hypothesis does to a good one, and how often (SFUMATO_FUZZ)."""

from __future__ import annotations

import os

from hypothesis import strategies as st

EXAMPLES = int(os.environ.get("SFUMATO_FUZZ", "40"))  # of each parser; `make nightly` gives more
TOKENS = [
    *(b'"', b"'", b",", b";", b"\t", b"\n", b"\r", b"\r\n", b"\0", b"\\", b"{", b"}", b"[", b"]"),
    *(
        b":",
        b"- ",
        b"&",
        b"*a",
        b"<",
        b">",
        b"/>",
        b"<![CDATA[",
        b"]]>",
        b"<!--",
        b"&#0;",
        b"=",
        b">x",
    ),
    *(b"null", b"true", b"1e999", b"-1", b"NaN", b"\\ud800", b"\\u0000", b"\xff", b"\xfe\xff"),
    *(b"\xef\xbb\xbf", b"\xed\xa0\x80", "\u2028".encode(), "\u202e".encode(), "\u200b".encode()),
    *("😀".encode(), b"9" * 30, b"(" * 40, b"[" * 3000, b"!!python/object:os.system", b"<<: *a"),
]
_edits = st.tuples(
    st.sampled_from(["cut", "drop", "put", "twice", "flip"]),
    st.integers(0, 1 << 16),
    st.integers(1, 40),
    st.sampled_from(TOKENS),
)


def edited(seed: bytes, edits: list[tuple[str, int, int, bytes]]) -> bytes:
    """A file with edits made one after another.

    >>> edited(b"a,b", [("put", 1, 1, b";"), ("drop", 0, 1, b"")])
    b';,b'
    """
    for kind, place, size, token in edits:
        at = place % (len(seed) + 1)
        if kind == "cut":
            seed = seed[:at]
        elif kind == "drop":
            seed = seed[:at] + seed[at + size :]
        elif kind == "put":
            seed = seed[:at] + token + seed[at:]
        elif kind == "twice":
            seed = seed[: at + size] + seed[at:]
        else:
            seed = (
                seed[:at] + bytes([seed[at] ^ (1 << size % 8)]) + seed[at + 1 :]
                if seed[at:]
                else seed
            )
    return seed


def damaged(seed: bytes) -> st.SearchStrategy[bytes]:
    """The file with one to six edits."""
    return st.lists(_edits, min_size=1, max_size=6).map(lambda edits: edited(seed, edits))
