"""Numbers drawn by a key: HMAC-SHA-256 of what they stand for.

Surrogates are published, so a list of pass-phrases could be tried on them: the key is stretched by
scrypt first. Its salt is the same for all, since the same key must give the same surrogates.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field

from ...core.certificate import stretch
from ...core.keys import key_bytes

SALT = b"sfumato pseudonyms"


@dataclass(frozen=True, slots=True)
class Secret:
    """The key of a run; what it draws for one thing is the same in every run.

    >>> secret = Secret(b"0123456789abcdef")
    >>> secret.draw("PERSON", "ann", 0) == secret.draw("PERSON", "ann", 0)
    True
    """

    key: bytes = field(repr=False)

    def draw(self, kind: str, thing: str, attempt: int) -> int:
        """A number of 256 bits for a thing; another attempt gives another number."""
        message = "\x00".join((kind, thing, str(attempt))).encode("utf-8", "surrogatepass")
        return int.from_bytes(hmac.digest(self.key, message, "sha256"))


def secret_of(key: bytes | str | None, seed: int, *, stretched: bool = True) -> Secret:
    """The secret a key and a seed make; without a key a new one is drawn.

    Without `stretched`, as releases with certificates of format 1 were made.

    >>> secret_of("short", 0)
    Traceback (most recent call last):
        ...
    sfumato.core.errors.BadInput: key: expected at least 16 bytes, found 5; make one with:
    head -c 32 /dev/urandom | base64
    """
    raw = key_bytes(key) if key is not None else secrets.token_bytes(32)
    if key is not None and stretched:
        raw = stretch(raw, SALT)
    return Secret(hmac.new(raw, b"sfumato pseudonyms %d" % seed, hashlib.sha256).digest())
