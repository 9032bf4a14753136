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
"""What stays while symbols are counted, for each: the file, the texts, the symbols' numbers."""
VERIFIED = {"reader": 34, "character": 18, "grapheme": 64, "word": 18}
"""What the peak, which is in verification, takes for a symbol: more than was seen on blog posts."""


def require_readable(options: Options, size: int) -> None:
    """Refuses a file of so many bytes that would not even be read within the allowance."""
    memory = check_memory(options.memory)
    if memory is not None and memory < PROGRAM + READ * size:
        raise _too_little(PROGRAM + VERIFIED[_unit(options)] * size, "about")


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
    least = fixed + VERIFIED[_unit(options)] * symbols + _wide(texts)
    if memory < least:
        raise _too_little(least)
    return str(max(1, memory - fixed - HELD * symbols - _wide(texts)))


def _unit(options: Options) -> str:
    return options.unit if options.guess is None else "reader"


def _wide(texts: list[str]) -> int:
    """What texts take, twice, beyond two bytes a symbol: a release has its mask in them."""
    return 2 * sum(max(0, sys.getsizeof(text) - 2 * len(text) - 80) for text in texts)


def _too_little(least: int, how: str = "at least") -> BadInput:
    return BadInput(
        "reading, counting, verifying and writing take more memory than that",
        where="memory",
        remedy=f"give {how} {-(-least // 1_000_000)}MB, or less text",
    )
