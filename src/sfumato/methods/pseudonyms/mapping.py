"""The mapping file: what stood where, encrypted and authenticated; it undoes a release.

The file is a line that names the format, a salt, a nonce, and AES-256-GCM over the compressed
mapping; the key comes from the steward's key by scrypt. Line, salt and nonce are authenticated
too: a file with one bit changed is refused.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.corpus import Corpus
from ...core.errors import BadInput, NotVerified
from ...core.spans import Changes
from .secret import key_bytes

if TYPE_CHECKING:
    from ...core.release import Release

HEADER = b"sfumato mapping 1\n"
SALT, NONCE = 16, 12


def mapping_bytes(
    release: Release, key: bytes | str, files: Mapping[str, str] | None = None
) -> bytes:
    """The encrypted mapping of a release of `pseudonymize`; never twice the same bytes."""
    if release.verb != "pseudonymize":
        raise BadInput("only pseudonymize has a mapping", where="release")
    before, after = release.private["input"].texts, Corpus.of(release.data).texts
    documents = []
    for number, (old, new) in enumerate(zip(before, after, strict=True)):
        places, shift = [], 0
        for change in release.changes.of_document(number):
            start = change.start + shift
            shift += len(change.replacement) - (change.stop - change.start)
            original = old[change.start : change.stop]
            places.append([start, start + len(change.replacement), original, change.reason])
        documents.append([_digest(new), places])
    content = json.dumps({"documents": documents, "files": dict(files or {})})
    return encrypt(zlib.compress(content.encode("utf-8", "surrogatepass")), key)


def save_mapping(release: Release, path: str | Path, key: bytes | str) -> None:
    """Writes the encrypted mapping of a release, readable by its owner only.

    >>> import sfumato as sf, tempfile
    >>> release = sf.pseudonymize("Dr. Ann Ho, 06/17/2021", key="sixteen bytes or more")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_mapping(release, Path(folder, "map"), "sixteen bytes or more")
    ...     undo(release.data, Path(folder, "map"), "sixteen bytes or more")
    'Dr. Ann Ho, 06/17/2021'
    """
    content = mapping_bytes(release, key)
    target = Path(path)
    target.touch(0o600)
    target.chmod(0o600)
    target.write_bytes(content)


def undo(texts: Any, mapping: str | Path | bytes, key: bytes | str) -> Any:
    """The originals of released texts, in the form these have; their order may have changed.

    A text that is not exactly one of the release is refused.
    """
    corpus = Corpus.of(texts)
    stated = read_mapping(mapping, key)
    documents = stated["documents"]
    by_digest: dict[str, list[Any]] = {}
    for digest, places in documents:
        by_digest.setdefault(digest, []).append(places)
    same_order = len(documents) == len(corpus.texts)
    result = []
    for number, text in enumerate(corpus.texts):
        digest = _digest(text)
        if same_order and documents[number][0] == digest:
            places = documents[number][1]
        else:
            places = _only(by_digest.get(digest, []), number)
        result.append(_restored(text, places))
    return corpus.rebuild(result)


def read_mapping(mapping: str | Path | bytes, key: bytes | str) -> dict[str, Any]:
    """A mapping as it was written; refused when it or the key is not the right one."""
    if not isinstance(mapping, bytes):
        try:
            mapping = Path(mapping).read_bytes()
        except OSError as problem:
            where = str(mapping)
            raise BadInput(f"cannot be read ({problem.strerror})", where=where) from None
    stated: dict[str, Any] = json.loads(zlib.decompress(decrypt(mapping, key)))
    return stated


def changes_of(stated: Mapping[str, Any], before: Sequence[str], after: Sequence[str]) -> Changes:
    """The changes that a mapping states, if undoing them turns the release into the originals."""
    sizes = len(stated["documents"]), len(before), len(after)
    if len(set(sizes)) > 1:
        raise NotVerified("mapping, original and release have {}, {} and {} texts".format(*sizes))
    found: list[tuple[int, int, int, str, str]] = []
    for number, (digest, places) in enumerate(stated["documents"]):
        if digest != _digest(after[number]):
            raise NotVerified("is not the text of the mapping", where=f"document {number}")
        if _restored(after[number], places) != before[number]:
            raise NotVerified("undone, it is another text", where=f"document {number}")
        shift = 0
        for start, stop, original, label in places:
            low = start + shift
            found.append((number, low, low + len(original), after[number][start:stop], label))
            shift += len(original) - (stop - start)
    documents, starts, stops = np.array([one[:3] for one in found], np.int64).reshape(-1, 3).T
    return Changes(documents, starts, stops, [one[3] for one in found], [one[4] for one in found])


def encrypt(content: bytes, key: bytes | str) -> bytes:
    """Content under a key, authenticated.

    >>> decrypt(encrypt(b"secret", "0123456789abcdef"), "0123456789abcdef")
    b'secret'
    """
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    head = HEADER + secrets.token_bytes(SALT) + secrets.token_bytes(NONCE)
    cipher = AESGCM(_derived(key, head))
    return head + cipher.encrypt(head[-NONCE:], content, head)


def decrypt(content: bytes, key: bytes | str) -> bytes:
    """What was encrypted, refused when one bit differs."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    size = len(HEADER) + SALT + NONCE
    head = content[:size]
    if not head.startswith(HEADER) or len(content) < size + 16:
        raise BadInput("is no mapping file of this version", where="mapping")
    try:
        return AESGCM(_derived(key, head)).decrypt(head[-NONCE:], content[size:], head)
    except InvalidTag:
        raise BadInput(
            "the mapping was changed, or the key is another one",
            where="mapping",
            remedy="give the file and the key of this release",
        ) from None


def _derived(key: bytes | str, head: bytes) -> bytes:
    salt = head[len(HEADER) : len(HEADER) + SALT]
    return hashlib.scrypt(key_bytes(key), salt=salt, n=1 << 15, r=8, p=1, maxmem=64 << 20, dklen=32)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _only(found: list[Any], number: int) -> Any:
    if not found:
        raise BadInput(
            "this text is not one of the release",
            where=f"document {number}",
            remedy="undo the release as it was written",
        )
    if any(places != found[0] for places in found):
        raise BadInput(
            "several originals became this text, and the order of the documents has changed",
            where=f"document {number}",
            remedy="undo the whole release in its order",
        )
    return found[0]


def _restored(text: str, places: list[Any]) -> str:
    pieces, at = [], 0
    for start, stop, original, *_ in places:
        pieces += [text[at:start], original]
        at = stop
    return "".join(pieces) + text[at:]
