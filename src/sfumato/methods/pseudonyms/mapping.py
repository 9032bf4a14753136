"""The mapping file: what stood where, encrypted and authenticated; it undoes a release.

The file is a line that names the format, a salt, a nonce, and AES-256-GCM over the compressed
mapping; the key comes from the steward's key by scrypt. Line, salt and nonce are authenticated
too: a file with one bit changed is refused.

A release written in parts has a mapping in frames, each compressed and encrypted by itself; the
nonce of a frame counts them and marks the last, so that none can be left out, added or moved.
"""

from __future__ import annotations

import hashlib
import io
import json
import secrets
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.corpus import Corpus
from ...core.errors import BadInput, NotVerified
from ...core.keys import key_bytes
from ...core.spans import Changes

if TYPE_CHECKING:
    from typing import BinaryIO

    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    from ...core.release import Release
    from ...core.values import Data, JsonObject, JsonValues

HEADER = b"sfumato mapping 1\n"
FRAMES = b"sfumato mapping 2\n"
SALT, NONCE, PREFIX = 16, 12, 7


def mapping_bytes(
    release: Release, key: bytes | str, files: Mapping[str, str] | None = None
) -> bytes:
    """The encrypted mapping of a release of `pseudonymize`; never twice the same bytes."""
    if release.verb != "pseudonymize":
        raise BadInput("only pseudonymize has a mapping", where="release")
    content = json.dumps({"documents": _documents(release), "files": dict(files or {})})
    return encrypt(zlib.compress(content.encode("utf-8", "surrogatepass")), key)


class MappingWriter:
    """The encrypted mapping of a release in parts, written to a stream as they come.

    >>> import io, sfumato as sf
    >>> stream, key = io.BytesIO(), "sixteen bytes or more"
    >>> parts = [sf.pseudonymize([text], key=key) for text in ("Dr. Ho", "Mr. Li")]
    >>> out = MappingWriter(stream, key)
    >>> for part in parts:
    ...     out.add(part)
    >>> out.close({})
    >>> undo([parts[0].data[0], parts[1].data[0]], stream.getvalue(), key)
    ['Dr. Ho', 'Mr. Li']
    """

    def __init__(self, stream: BinaryIO, key: bytes | str):
        self._stream = stream
        self._head = FRAMES + secrets.token_bytes(SALT) + secrets.token_bytes(PREFIX)
        self._cipher = _cipher(key, self._head[len(FRAMES) : len(FRAMES) + SALT])
        self._number = 0
        stream.write(self._head)

    def add(self, release: Release) -> None:
        """Writes the frame of the next part."""
        self._write({"documents": _documents(release)}, last=False)

    def close(self, files: Mapping[str, str]) -> None:
        """Writes the last frame, with the digests of the original's files."""
        self._write({"documents": [], "files": dict(files)}, last=True)

    def _write(self, content: Mapping[str, object], *, last: bool) -> None:
        raw = zlib.compress(json.dumps(content).encode("utf-8", "surrogatepass"))
        nonce = _frame_nonce(self._head, self._number, last)
        sealed = self._cipher.encrypt(nonce, raw, self._head)
        self._stream.write(len(sealed).to_bytes(4) + sealed)
        self._number += 1


def _documents(release: Release) -> list[Any]:
    """For every document of a release its digest, and what stood where."""
    before, after = release.sides.input.texts, Corpus.of(release.data).texts
    documents = []
    for number, (old, new) in enumerate(zip(before, after, strict=True)):
        places, shift = [], 0
        for change in release.changes.of_document(number):
            start = change.start + shift
            shift += len(change.replacement) - (change.stop - change.start)
            original = old[change.start : change.stop]
            places.append([start, start + len(change.replacement), original, change.reason])
        documents.append([_digest(new), places])
    return documents


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


def undo(texts: Data, mapping: str | Path | bytes, key: bytes | str) -> Data:
    """The originals of released texts, in the form these have; their order may have changed.

    A text that is not exactly one of the release is refused.
    """
    corpus = Corpus.of(texts)
    stated = read_mapping(mapping, key)
    documents = stated["documents"]
    by_digest: dict[str, list[object]] = {}
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


def read_mapping(mapping: str | Path | bytes, key: bytes | str) -> JsonObject:
    """A mapping as it was written; refused when it or the key is not the right one."""
    whole: dict[str, object] = {"documents": [], "files": {}}
    for frame in mapping_frames(mapping, key):
        whole["documents"] += frame["documents"]
        whole["files"] = frame.get("files", {})
    return whole


def mapping_frames(mapping: str | Path | bytes, key: bytes | str) -> Iterator[JsonObject]:
    """The frames of a mapping, one after another; one that was written whole is one frame."""
    with ExitStack() as stack:
        if isinstance(mapping, bytes):
            stream: BinaryIO = io.BytesIO(mapping)
        else:
            try:
                stream = stack.enter_context(Path(mapping).open("rb"))
            except OSError as problem:
                where = str(mapping)
                raise BadInput(f"cannot be read ({problem.strerror})", where=where) from None
        if stream.read(len(FRAMES)) != FRAMES:
            stream.seek(0)
            yield json.loads(zlib.decompress(decrypt(stream.read(), key)))
            return
        yield from _frames(stream, key)


def _frames(stream: BinaryIO, key: bytes | str) -> Iterator[JsonObject]:
    """The frames after the first line of a mapping; the last must be marked as such."""
    from cryptography.exceptions import InvalidTag

    head = FRAMES + stream.read(SALT + PREFIX)
    cipher = _cipher(key, head[len(FRAMES) : len(FRAMES) + SALT])
    size, number = stream.read(4), 0
    while True:
        sealed, following = stream.read(int.from_bytes(size)), stream.read(4)
        try:
            raw = cipher.decrypt(_frame_nonce(head, number, not following), sealed, head)
        except (InvalidTag, ValueError):
            raise _changed() from None
        yield json.loads(zlib.decompress(raw))
        if not following:
            return
        size, number = following, number + 1


def _frame_nonce(head: bytes, number: int, last: bool) -> bytes:
    return head[-PREFIX:] + number.to_bytes(4) + bytes([last])


def _cipher(key: bytes | str, salt: bytes) -> AESGCM:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM(_derived(key, salt))


def _changed() -> BadInput:
    return BadInput(
        "the mapping was changed, or the key is another one",
        where="mapping",
        remedy="give the file and the key of this release",
    )


def changes_of(
    stated: JsonValues, before: Sequence[str], after: Sequence[str], first: int = 0
) -> Changes:
    """The changes that a mapping states, if undoing them turns the release into the originals.

    `first` is the number of the first document, for messages.
    """
    sizes = len(stated["documents"]), len(before), len(after)
    if len(set(sizes)) > 1:
        raise NotVerified("mapping, original and release have {}, {} and {} texts".format(*sizes))
    found: list[tuple[int, int, int, str, str]] = []
    for number, (digest, places) in enumerate(stated["documents"]):
        if digest != _digest(after[number]):
            raise NotVerified("is not the text of the mapping", where=f"document {first + number}")
        if _restored(after[number], places) != before[number]:
            raise NotVerified("undone, it is another text", where=f"document {first + number}")
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
    head = HEADER + secrets.token_bytes(SALT) + secrets.token_bytes(NONCE)
    cipher = _cipher(key, head[len(HEADER) : len(HEADER) + SALT])
    return head + cipher.encrypt(head[-NONCE:], content, head)


def decrypt(content: bytes, key: bytes | str) -> bytes:
    """What was encrypted, refused when one bit differs."""
    from cryptography.exceptions import InvalidTag

    size = len(HEADER) + SALT + NONCE
    head = content[:size]
    if not head.startswith(HEADER) or len(content) < size + 16:
        raise BadInput("is no mapping file of this version", where="mapping")
    try:
        cipher = _cipher(key, head[len(HEADER) : len(HEADER) + SALT])
        return cipher.decrypt(head[-NONCE:], content[size:], head)
    except InvalidTag:
        raise _changed() from None


def _derived(key: bytes | str, salt: bytes) -> bytes:
    return hashlib.scrypt(key_bytes(key), salt=salt, n=1 << 15, r=8, p=1, maxmem=64 << 20, dklen=32)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _only(found: Sequence[object], number: int) -> Any:
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


def restored(text: str, document: Any) -> str | None:
    """The original of a text, by what a mapping has of it; None if it is another text.

    >>> restored("Dr. Eve", [_digest("Dr. Eve"), [[4, 7, "Ann", "PERSON"]]])
    'Dr. Ann'
    >>> restored("Dr. Flo", [_digest("Dr. Eve"), [[4, 7, "Ann", "PERSON"]]]) is None
    True
    """
    digest, places = document
    return _restored(text, places) if digest == _digest(text) else None


def _restored(text: str, places: list[Any]) -> str:
    pieces, at = [], 0
    for start, stop, original, *_ in places:
        pieces += [text[at:start], original]
        at = stop
    return "".join(pieces) + text[at:]
