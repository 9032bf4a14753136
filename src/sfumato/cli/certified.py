"""What a certificate alone lets anyone check: its form, its seal, its wording, the release's bytes.

With the key, or a private certificate, also whether original and side inputs are those of the
release.
"""

from __future__ import annotations

import json as json_module
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.certificate import digest, keyed, seal_holds
from ..core.claims import Claim, Verdict
from ..core.errors import BadInput, NotVerified
from ..pipeline.wording import is_reworded
from ..verification import STRICT

if TYPE_CHECKING:
    import hashlib

    from ..formats import Source


def read_certificate(path: Path) -> dict[str, Any]:
    """A certificate as it was written, refused when it is none."""
    try:
        stated: dict[str, Any] = json_module.loads(path.read_bytes())
        dictionaries = ("parameters", "counts", "loss", "hashes")
        if stated["format"] != 1 or not all(isinstance(stated[one], dict) for one in dictionaries):
            raise ValueError
        for name in (stated["verb"], stated["hashes"]["release"]["sha256"]):
            if not isinstance(name, str):
                raise ValueError
        for claim in stated["claims"]:
            Claim.of(claim)
            if claim["name"] in STRICT and not isinstance(claim["parameters"]["strict"], bool):
                raise ValueError
        numbers = [*stated["counts"].values(), *stated["loss"].values()]
        if not all(isinstance(one, int | float) for one in numbers):
            raise ValueError
        holding = all(verdict["holds"] is True for verdict in stated["verdicts"])
    except OSError as problem:
        raise BadInput(f"cannot be read ({problem.strerror})", where=str(path)) from None
    except (ValueError, KeyError, TypeError):
        raise damaged(path) from None
    if not holding:
        raise NotVerified("the certificate itself says that a claim does not hold", where=str(path))
    return stated


def damaged(path: Path) -> NotVerified:
    """What is said of a file that is no certificate."""
    return NotVerified(
        "the certificate is damaged, or is none of this version",
        where=str(path),
        remedy="give the one written with the release",
    )


def check_seal(stated: dict[str, Any], path: Path, key: bytes | None) -> None:
    """Refuses a certificate that is not as it was written; with the key, also a forged one."""
    if "seal" in stated and not seal_holds(stated, key):
        by = ", or the key is another one" if key and seal_holds(stated, None) else ""
        raise NotVerified(
            f"the certificate is not as it was written{by}",
            where=str(path),
            remedy="it was changed or damaged; fetch it again",
        )


@contextmanager
def seal_first(stated: dict[str, Any], path: Path, key: bytes | None) -> Iterator[None]:
    """When something is not as certified, first asks whether the certificate itself is."""
    try:
        yield
    except NotVerified:
        check_seal(stated, path, key)
        raise


def check_files(stated: dict[str, Any], release: str) -> bool:
    """Refuses a release whose bytes are not those that were certified; False: none are stated."""
    from ..formats import file_digests

    expected = stated["hashes"].get("files")
    if not expected or release == "-":
        return False
    if not Path(release).exists():
        raise BadInput("no such file or folder", where=release, remedy="check the path")
    found = file_digests(release)
    if sorted(found.values()) != sorted(expected.values()):
        raise NotVerified(
            "the release's bytes are not the certified ones", where=release, remedy="it was changed"
        )
    return True


def check_text(stated: dict[str, Any], data: Any) -> None:
    """Refuses released texts that are not those that were certified."""
    check_digest(stated, digest(data))


def check_digest(stated: dict[str, Any], found: hashlib._Hash) -> None:
    """The same, when the hash of the texts is known."""
    if found.hexdigest() != stated["hashes"]["release"]["sha256"]:
        raise NotVerified("the released text is not the certified one", remedy="it was changed")


def check_original(
    stated: dict[str, Any], source: Source, given: Mapping[str, Any], key: bytes | None
) -> None:
    """Refuses another original than the release's: by its counts, and by hashes where possible.

    `given` are the input and the side inputs as the verb had them.
    """
    found = {
        "documents": len(source.texts),
        "symbols": sum(len(text or "") for text in source.texts),
    }
    needed = {name: value for name, value in given.items() if stated["hashes"].get(name)}
    check_known(stated, source.place, found, digests_of(needed), key)


def digests_of(given: Mapping[str, Any]) -> dict[str, hashlib._Hash]:
    """The hashes of what there is of the inputs."""
    return {name: digest(value) for name, value in given.items() if value is not None}


def check_known(
    stated: dict[str, Any],
    place: str,
    found: Mapping[str, int],
    digests: Mapping[str, hashlib._Hash],
    key: bytes | None,
) -> None:
    """Refuses another original, when its counts and hashes are known."""
    counts = stated["counts"]
    for name in ("documents", "symbols") if "documents" in counts else ():
        if counts.get(name, found[name]) != found[name]:
            raise _another("input", place, f": {found[name]:,} {name}, not {counts[name]:,}")
    key = key or bytes.fromhex(stated.get("key", ""))
    for name, plain in digests.items():
        expected = stated["hashes"].get(name, {})
        if not expected:
            continue
        if key and keyed(key, plain.digest()) != expected["hmac-sha256"]:
            raise _another(name, place, " (or the key is another one)")
        if expected.get("sha256", plain.hexdigest()) != plain.hexdigest():
            raise _another(name, place, "")


def _another(name: str, place: str, detail: str) -> NotVerified:
    what = "original" if name == "input" else name
    verb = "are" if what.endswith("s") else "is"
    return NotVerified(
        f"the {what} {verb} not what the release was made of{detail}",
        where=place if name in ("input", "groups") else None,
        remedy="give those of this release",
    )


def reworded(claims: Iterable[Claim]) -> list[Verdict]:
    """A failed verdict for every claim that its certificate words otherwise than it is."""
    reason = "the certificate words this claim otherwise than its parameters: it was changed"
    return [Verdict(claim, False, reason) for claim in claims if is_reworded(claim)]
