"""What the whole command `suppress` takes: reading, counting, verifying, writing.

`sf.suppress(memory=...)` speaks of counting alone. Of a command the allowance is that of the
process, so what cannot be done within it is refused before the work (docs/beyond-memory.md).
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from typing import TYPE_CHECKING

from ...core.allowance import Room
from ...core.errors import BadInput
from ...core.options import check_memory

if TYPE_CHECKING:
    from ...formats import Dataset
    from .method import Options

PROGRAM = 90_000_000
"""Python, its modules and the C++ core."""
READ = 3
"""What reading takes, at least, for a byte of the file: the bytes and the texts."""
DOCUMENT = 600
"""Lines, labels and strings of a document, beside its text."""
HELD = 6
"""What stays while symbols are counted, for each: the file, the texts, the release, the changes."""
PIECE = 90
"""What verification against the reader takes for a word, or for what stands between two."""
VERIFIED = {"character": 18, "grapheme": 64, "word": 18}
"""What the peak takes for a symbol without a reader. All are more than was seen on blog posts."""
TEXTS = 5
"""What stays for a letter of English where arrays lie in files (see `_of_texts`)."""
PASS = 1
"""What the machine that counts stretches has at least for a symbol: then it takes some ten passes
at worst."""
SMALL = 48_000_000
"""What arrays that are too small for a file take together, at least."""
ON_DISK = 40
"""Bytes on the disk for a symbol, at most, where arrays lie in files."""
SHARE = 256
"""The part of the allowance from which on an array lies in a file."""
BATCH = 1000


def require_readable(options: Options, size: int) -> None:
    """Refuses a file of so many bytes that would not even be read within the allowance."""
    memory = check_memory(options.memory)
    if memory is not None and memory < PROGRAM + READ * size:
        raise _too_little(PROGRAM + SMALL + (TEXTS + PASS) * size, "about")


def room(options: Options, source: Dataset) -> Room:
    """How the command stays within its allowance; what it cannot do within it is refused."""
    memory = check_memory(options.memory)
    if memory is None:
        return Room(None)
    texts = source.filled
    symbols = sum(map(len, texts)) + len(texts)
    fixed = PROGRAM + DOCUMENT * len(texts)
    several = len(options.k) if isinstance(options.k, list) else 1
    held = fixed + several * HELD * symbols + _wide(texts)
    if options.guess is None:
        in_memory = held + (VERIFIED[options.unit] - HELD) * symbols
    else:
        in_memory = held + PIECE * _pieces(texts)
    if memory >= in_memory:
        return Room(str(max(1, memory - held)))
    held = fixed + SMALL + _of_texts(texts, several)
    least = held + PASS * symbols
    if memory < least or sys.platform != "linux":
        raise _too_little(least if sys.platform == "linux" else in_memory)
    _require_disk(symbols)
    left = memory - held
    # Against the reader words are counted in memory, whose arrays are files: stars are the same.
    counting = str(left) if options.guess is None else None
    return Room(counting, left, max(1 << 20, memory // SHARE))


def _require_disk(symbols: int) -> None:
    """Refuses what has no room where spill files go."""
    folder = tempfile.gettempdir()
    if shutil.disk_usage(folder).free < ON_DISK * symbols:
        raise BadInput(
            f"spill files may take {-(-ON_DISK * symbols // 1_000_000)}MB, and the disk has less",
            where="the folder for spill files",
            remedy="free some, name another folder (TMPDIR), or give more memory",
        )


def _pieces(texts: list[str]) -> int:
    """How many words the texts have, and stretches between them."""
    from ...kernels.text import token_starts

    batches = (texts[i : i + BATCH] for i in range(0, len(texts), BATCH))
    return sum(len(token_starts(some, "token").starts) for some in batches)


def _wide(texts: list[str]) -> int:
    """What texts take, twice, beyond two bytes a symbol: a release has its mask in them."""
    return 2 * sum(max(0, sys.getsizeof(text) - 2 * len(text) - 80) for text in texts)


def _of_texts(texts: list[str], several: int) -> int:
    """What texts take where arrays lie in files.

    That is the file, the texts, as many releases as there are k, each with a mask of two bytes or
    more, and the texts once more as bytes for the certificate.
    """
    taken = 0
    for text in texts:
        size = sys.getsizeof(text)
        written = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
        taken += 2 * written + size + several * max(2 * len(text) + 80, size)
    return taken


def _too_little(least: int, how: str = "at least") -> BadInput:
    return BadInput(
        "reading, counting, verifying and writing take more memory than that",
        where="memory",
        remedy=f"give {how} {-(-least // 1_000_000)}MB, or less text",
    )
