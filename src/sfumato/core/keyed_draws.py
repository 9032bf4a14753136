"""What is drawn under the steward's key: who lacks the key cannot draw it again.

Every purpose has a stream of its own: SHAKE-256 of an HMAC-SHA-256 under the key. Same key and
purpose, same stream.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import TYPE_CHECKING

from .errors import BadInput

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEAST_KEY = 16  # bytes
_WORD = 1 << 64


def steward_key(key: bytes | str | None) -> bytes:
    """The key as bytes; without one a new one is drawn.

    >>> steward_key("a key of sixteen bytes")
    b'a key of sixteen bytes'
    """
    if key is None:
        return secrets.token_bytes(32)
    if not isinstance(key, (bytes, str)):
        raise BadInput(f"expected bytes, found {type(key).__name__}", where="key")
    secret = key.encode() if isinstance(key, str) else bytes(key)
    if len(secret) < LEAST_KEY:
        raise BadInput(
            f"expected a key of at least {LEAST_KEY} bytes, found {len(secret)}",
            where="key",
            remedy="make one with secrets.token_bytes(32)",
        )
    return secret


def permutation(key: bytes, purpose: bytes, size: int) -> NDArray[np.int64]:
    """A permutation of 0 .. size - 1, all equally likely to who lacks the key.

    Fisher and Yates: of the i first places one is drawn for place i - 1. A word of 64 bits above
    the largest multiple of i would make small places likelier, so another is taken instead.
    Cost: O(size).

    >>> sorted(permutation(b"a key of sixteen bytes", b"rows", 5).tolist())
    [0, 1, 2, 3, 4]
    """
    import numpy as np

    bounds = np.arange(size, 1, -1, dtype=np.uint64)
    order = list(range(size))  # a list, whose elements change places five times as fast
    for place, drawn in enumerate(_drawn(key, purpose, bounds).tolist(), 1):
        order[-place], order[drawn] = order[drawn], order[-place]
    return np.array(order, np.int64)


def _drawn(key: bytes, purpose: bytes, bounds: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """For every bound a number below it, evenly."""
    import numpy as np

    drawn = np.zeros(len(bounds), np.uint64)
    open_ = np.arange(len(bounds))
    turn = 0
    while len(open_):
        words = _words(key, purpose, turn, len(open_))
        limits = bounds[open_]
        # The last of the words that make a whole number of rounds.
        last = np.uint64(_WORD - 1) - (np.uint64(_WORD - 1) % limits + np.uint64(1)) % limits
        fair = words <= last
        drawn[open_[fair]] = words[fair] % limits[fair]
        open_, turn = open_[~fair], turn + 1
    return drawn


def _words(key: bytes, purpose: bytes, turn: int, count: int) -> NDArray[np.uint64]:
    import numpy as np

    label = b"sfumato\0" + len(purpose).to_bytes(8, "big") + purpose + turn.to_bytes(8, "big")
    start = hmac.new(key, label, hashlib.sha256).digest()
    return np.frombuffer(hashlib.shake_256(start).digest(8 * count), np.dtype("<u8"))
