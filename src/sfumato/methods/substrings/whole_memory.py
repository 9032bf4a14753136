"""What the whole command `suppress` takes: reading, counting, verifying, writing.

`sf.suppress(memory=...)` speaks of counting alone. Of a command the allowance is that of the
process, so what cannot be done within it is refused before the work (docs/beyond-memory.md).
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

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
"""What stays while symbols are counted, for each: the file, the texts, the release."""
PIECE = 90
"""What verification against the reader takes for a word, or for what stands between two."""
VERIFIED = {"character": 10, "grapheme": 64, "word": 18}
"""What the peak takes, at least, for a symbol without a reader, more than was seen on blog posts.

Half of what is above HELD is for the stretches, the other half for the machine that counts them: it
takes as many passes as it must."""
USUAL = 43
"""The same against the reader where words are as long as in English."""
BATCH = 1000


def require_readable(options: Options, size: int) -> None:
    """Refuses a file of so many bytes that would not even be read within the allowance."""
    memory = check_memory(options.memory)
    if memory is not None and memory < PROGRAM + READ * size:
        usual = USUAL if options.guess is not None else VERIFIED[options.unit]
        raise _too_little(PROGRAM + usual * size, "about")


def left_for_counting(options: Options, source: Dataset) -> str | None:
    """What of the allowance is left for counting, as the option says it; None: no allowance.

    Refuses what the command cannot do within it.
    """
    memory = check_memory(options.memory)
    if memory is None:
        return None
    texts = source.filled
    symbols = sum(map(len, texts)) + len(texts)
    fixed = PROGRAM + DOCUMENT * len(texts)
    several = len(options.k) if isinstance(options.k, list) else 1
    held = fixed + several * HELD * symbols + _wide(texts)
    if options.guess is None:
        least = held + (VERIFIED[options.unit] - HELD) * symbols
    else:
        least = held + PIECE * _pieces(texts)
    if memory < least:
        raise _too_little(least)
    return str(max(1, memory - held))


def _pieces(texts: list[str]) -> int:
    """How many words the texts have, and stretches between them."""
    from ...kernels.text import token_starts

    batches = (texts[i : i + BATCH] for i in range(0, len(texts), BATCH))
    return sum(len(token_starts(some, "token").starts) for some in batches)


def _wide(texts: list[str]) -> int:
    """What texts take, twice, beyond two bytes a symbol: a release has its mask in them."""
    return 2 * sum(max(0, sys.getsizeof(text) - 2 * len(text) - 80) for text in texts)


def _too_little(least: int, how: str = "at least") -> BadInput:
    return BadInput(
        "reading, counting, verifying and writing take more memory than that",
        where="memory",
        remedy=f"give {how} {-(-least // 1_000_000)}MB, or less text",
    )
