"""What becomes of found spans by their label, named as Presidio's operators are.

`tag` writes the label with a keyed number, `hash` a keyed hash, `encrypt` what the key can read
again: one entity, one text. `mask` (stars) and `replace` (the label alone) give all entities of a
kind one text, and `keep` leaves them as they are: the claims of a release name these kinds.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, get_args

from ...core.errors import BadInput
from ...core.options import choose
from .surrogates import bracketed, folded

if TYPE_CHECKING:
    from .secret import Secret
    from .surrogates import SurrogateTable

Operator = Literal["tag", "mask", "hash", "encrypt", "replace", "keep"]
OPERATORS: tuple[str, ...] = get_args(Operator)
MASKS = "*****", "******"  # of one length, which tells nothing
HASHED = 24  # hexadecimal digits: no two of a billion entities are likely to share one
ENCRYPTED = "enc:"


def checked(operators: Mapping[str, str] | None) -> dict[str, str]:
    """The operators by label, refused where one is unknown.

    >>> checked({"PERSON": "mask"})
    {'PERSON': 'mask'}
    """
    if operators is None:
        return {}
    if not isinstance(operators, Mapping):
        raise BadInput("expected operators by label", where="operators")
    for label, operator in operators.items():
        if not isinstance(label, str) or not label:
            raise BadInput("a label is a text", where="operators", remedy="for instance PERSON")
        choose("operators", operator, OPERATORS)
    return {label: operators[label] for label in sorted(operators)}


def written(operator: str, label: str, text: str, drawn: SurrogateTable) -> str:
    """What stands for an entity under an operator, never the entity itself.

    >>> from .secret import Secret
    >>> from .surrogates import SurrogateTable
    >>> drawn = SurrogateTable(Secret(b"0123456789abcdef"))
    >>> written("mask", "PERSON", "Ann", drawn), written("replace", "PERSON", "Ann", drawn)
    ('*****', '[PERSON]')
    """
    if operator == "mask":
        return MASKS[folded(text) == folded(MASKS[0])]
    if operator == "replace":
        return f"[A {label}]" if folded(text) == folded(f"[{label}]") else f"[{label}]"
    if operator == "hash":
        return _hashed(drawn.secret, label, text)
    if operator == "encrypt":
        return _encrypted(drawn.secret, label, text)
    return drawn.surrogate(f"[{label}]", text, bracketed(label))


def _hashed(secret: Secret, label: str, text: str) -> str:
    """HMAC-SHA-256 under the key; entities that differ by case alone are one."""
    message = "\x00".join(("hash", label, text.casefold())).encode("utf-8", "surrogatepass")
    return hmac.new(secret.key, message, hashlib.sha256).hexdigest()[:HASHED]


def _cipher(secret: Secret) -> object:
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

    return AESSIV(hashlib.sha512(b"sfumato encrypt" + secret.key).digest())


def _encrypted(secret: Secret, label: str, text: str) -> str:
    """AES-SIV (RFC 5297): the same entity gives the same text, and the key reads it again."""
    cipher = _cipher(secret)
    content = text.casefold().encode("utf-8", "surrogatepass")
    sealed = cipher.encrypt(content, [label.encode()])  # type: ignore[attr-defined]
    return ENCRYPTED + base64.urlsafe_b64encode(sealed).decode().rstrip("=")


def decrypted(written: str, label: str, secret: Secret) -> str:
    """The entity, in lower case, that an encrypted text stands for.

    >>> from .secret import secret_of
    >>> from .surrogates import SurrogateTable
    >>> secret = secret_of("a key of sixteen bytes", 0)
    >>> decrypted(written_by("encrypt", "PERSON", "Ann Ho", secret), "PERSON", secret)
    'ann ho'
    """
    from cryptography.exceptions import InvalidTag

    body = written.removeprefix(ENCRYPTED)
    try:
        sealed = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))
        opened = _cipher(secret).decrypt(sealed, [label.encode()])  # type: ignore[attr-defined]
    except (InvalidTag, ValueError):
        raise BadInput(
            "was not encrypted by this key under this label", where="encrypted text"
        ) from None
    return bytes(opened).decode("utf-8", "surrogatepass")


def written_by(operator: str, label: str, text: str, secret: Secret) -> str:
    """What an operator writes for one entity by itself."""
    from .surrogates import SurrogateTable

    return written(operator, label, text, SurrogateTable(secret))
