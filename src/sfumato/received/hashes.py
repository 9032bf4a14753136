"""Whether bytes, texts and inputs are those a certificate speaks of, by their hashes.

Bytes and texts of a release anyone can compare. With the key, or a private certificate, also
whether original and side inputs are those of the release.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.certificate import digest, key_under, keyed
from ..core.errors import BadInput, NotVerified

if TYPE_CHECKING:
    import hashlib

    from ..core.values import Data
    from ..formats import Source
    from .certificate import Certificate


def check_files(certificate: Certificate, release: str) -> bool:
    """Refuses a release whose bytes are not those that were certified; False: none are stated."""
    from ..formats import file_digests

    if not certificate.files or release == "-":
        return False
    if not Path(release).exists():
        raise BadInput("no such file or folder", where=release, remedy="check the path")
    if sorted(file_digests(release).values()) != sorted(certificate.files.values()):
        raise NotVerified(
            "the release's bytes are not the certified ones", where=release, remedy="it was changed"
        )
    return True


def check_text(certificate: Certificate, data: Data) -> None:
    """Refuses released texts that are not those that were certified."""
    check_digest(certificate, digest(data))


def check_digest(certificate: Certificate, found: hashlib._Hash) -> None:
    """The same, when the hash of the texts is known."""
    if found.hexdigest() != certificate.text_hash:
        raise NotVerified("the released text is not the certified one", remedy="it was changed")


def check_original(
    certificate: Certificate, source: Source, given: Mapping[str, object], key: bytes | None
) -> None:
    """Refuses another original than the release's: by its counts, and by hashes where possible.

    `given` are the input and the side inputs as the verb had them.
    """
    found = {"documents": len(source.texts), "symbols": sum(map(len, source.filled))}
    needed = {name: value for name, value in given.items() if name in certificate.hashes}
    check_known(certificate, source.place, found, digests_of(needed), key)


def digests_of(given: Mapping[str, object]) -> dict[str, hashlib._Hash]:
    """The hashes of what there is of the inputs."""
    return {name: digest(value) for name, value in given.items() if value is not None}


def check_known(
    certificate: Certificate,
    place: str,
    found: Mapping[str, int],
    digests: Mapping[str, hashlib._Hash],
    key: bytes | None,
) -> None:
    """Refuses another original, when its counts and hashes are known."""
    counts = certificate.counts
    for name in ("documents", "symbols") if "documents" in counts else ():
        if counts.get(name, found[name]) != found[name]:
            raise _another("input", place, f": {found[name]:,} {name}, not {counts[name]:,}")
    key = key or certificate.key
    under = key_under(key, certificate.body) if key else b""
    for name, found_digest in digests.items():
        expected = certificate.hashes.get(name)
        if expected is None:
            continue
        if key and keyed(under, found_digest.digest()) != expected.keyed:
            raise _another(name, place, " (or the key is another one)")
        if expected.plain not in (None, found_digest.hexdigest()):
            raise _another(name, place, "")


def _another(name: str, place: str, detail: str) -> NotVerified:
    what = "original" if name == "input" else name
    verb = "are" if what.endswith("s") else "is"
    return NotVerified(
        f"the {what} {verb} not what the release was made of{detail}",
        where=place if name in ("input", "groups") else None,
        remedy="give those of this release",
    )
