"""Public and private certificates of a release.

The public one holds parameters, counts, claims, verdicts and loss, the plain SHA-256 of the
release, and keyed hashes of everything else: a plain hash of an input or of a pattern list would
let anyone confirm a guess. The private one adds the key and the plain values.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping
from numbers import Integral
from typing import TYPE_CHECKING, Any

from .corpus import Corpus

if TYPE_CHECKING:
    from .claims import Verdict
    from .release import Release

FORMAT = 1


def certificate(
    release: Release, verdicts: tuple[Verdict, ...], *, private: bool, key: bytes
) -> dict[str, Any]:
    """Writes the certificate of a release as plain JSON values."""
    digests = {"release": digest(release.data).digest()}
    digests |= {name: digest(value).digest() for name, value in release.private.items()}
    return certificate_of(release, verdicts, digests, private=private, key=key)


def certificate_of(
    release: Release,
    verdicts: tuple[Verdict, ...],
    digests: Mapping[str, bytes],
    *,
    private: bool,
    key: bytes,
) -> dict[str, Any]:
    """The same, when the digests of the release and its private values are known."""
    from importlib.metadata import version

    hashes: dict[str, Any] = {"release": {"sha256": digests["release"].hex()}}
    for name in release.private:
        hashes[name] = {"hmac-sha256": keyed(key, digests[name])}
        if private:
            hashes[name]["sha256"] = digests[name].hex()
    result: dict[str, Any] = {
        "certificate": "private" if private else "public",
        "format": FORMAT,
        "sfumato": version("sfumato"),
        "verb": release.verb,
        "parameters": dict(release.parameters) if private else public(release.parameters),
        "counts": dict(release.counts),
        "claims": [claim.as_dict() for claim in release.claims],
        "verdicts": [verdict.as_dict() for verdict in verdicts],
        "loss": dict(release.loss),
        "not_protected": list(release.not_protected),
        "warnings": list(release.warnings),
        "hashes": hashes,
    }
    if private:
        result["key"] = key.hex()
        result["private"] = {
            name: _values(value)
            for name, value in release.private.items()
            if name != "input"  # the original itself stays where it is; its hash suffices
        }
    return {name: _plain(value) for name, value in result.items()}


def public(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as they may be published: of a recogniser's file its name, not where it lies.

    >>> public({"k": 5, "recognizer": "rules-en+/home/ann/rules.yaml"})
    {'k': 5, 'recognizer': 'rules-en+rules.yaml'}
    """
    stated, named = dict(parameters), parameters.get("recognizer")
    if isinstance(named, str):
        stated["recognizer"] = "+".join(one.strip().split("/")[-1] for one in named.split("+"))
    return stated


def sealed(stated: Mapping[str, Any], key: bytes) -> dict[str, Any]:
    """A certificate with hashes of itself: one that anyone can check, one under the key.

    >>> seal_holds(sealed({"verb": "suppress"}, b"key"), b"key")
    True
    """
    body = _body(stated)
    seal = {"sha256": hashlib.sha256(body).hexdigest(), "hmac-sha256": keyed(key, body)}
    return {**stated, "seal": seal}


def seal_holds(stated: Mapping[str, Any], key: bytes | None) -> bool:
    """Whether a certificate is as it was sealed; with the key, also by whom.

    >>> seal_holds({**sealed({"k": 5}, b"key"), "k": 2}, None)
    False
    """
    seal, body = stated.get("seal"), _body(stated)
    if not isinstance(seal, Mapping) or seal.get("sha256") != hashlib.sha256(body).hexdigest():
        return False
    return key is None or seal.get("hmac-sha256") == keyed(key, body)


def _body(stated: Mapping[str, Any]) -> bytes:
    """A certificate without its seal, in the one form that is hashed."""
    plain = json.loads(json.dumps({name: stated[name] for name in stated if name != "seal"}))
    return json.dumps(plain, sort_keys=True).encode()


def _values(value: Any) -> list[Any]:
    """A private value as it is written: sequences of strings as such, else its strings."""
    if isinstance(value, list) and all(
        isinstance(one, (list, tuple)) and all(isinstance(part, str) for part in one)
        for one in value
    ):
        return [list(one) for one in value]
    return list(parts(value))


def _plain(value: Any) -> Any:
    """A value as JSON has it: whole numbers of numpy are numbers too."""
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, Integral) and not isinstance(value, bool):
        return int(value)
    return value


def digest(value: Any) -> hashlib._Hash:
    """SHA-256 over the strings of a value, each preceded by its length.

    >>> digest(["ab", "c"]).hexdigest() == digest(["a", "bc"]).hexdigest()
    False
    """
    result = hashlib.sha256()
    add_to(result, value)
    return result


def add_to(result: hashlib._Hash, value: Any) -> None:
    """Carries a digest on by the strings of a further value."""
    for text in parts(value):
        data = text.encode("utf-8", "surrogatepass")
        result.update(b"%d:" % len(data))
        result.update(data)


def keyed_digest(key: bytes, value: Any) -> str:
    """HMAC-SHA-256, under the steward's key, of the digest of a value."""
    return keyed(key, digest(value).digest())


def keyed(key: bytes, digest: bytes) -> str:
    """HMAC-SHA-256 of a digest, under the steward's key.

    >>> keyed(b"one key", b"digest") == keyed(b"another", b"digest")
    False
    """
    return hmac.new(key, digest, hashlib.sha256).hexdigest()


def parts(value: Any) -> Iterable[str]:
    """The strings a value consists of, in order; of other scalars their printed form."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Corpus):
        return value.texts
    if isinstance(getattr(value, "digest", None), str):
        return [value.digest]  # an ontology: its own hash stands for it
    if isinstance(value, Mapping):
        return (part for key in value for part in (str(key), *parts(value[key])))
    columns = _columns(value)
    if columns is not None:
        return (part for name, cells in columns for part in (name, *map(str, cells)))
    try:
        return Corpus.of(value).texts
    except ValueError:
        return (str(element) for element in value)


def _columns(value: Any) -> list[tuple[str, list[Any]]] | None:
    """The columns of a frame of pandas, Polars or Arrow; None when it is none."""
    library = type(value).__module__.partition(".")[0]
    if library == "polars" and hasattr(value, "get_columns"):
        return [(column.name, column.to_list()) for column in value.get_columns()]
    if library == "pandas" and hasattr(value, "columns"):
        return [(str(name), value[name].tolist()) for name in value.columns]
    if library == "pyarrow" and hasattr(value, "column_names"):
        return [(name, value[name].to_pylist()) for name in value.column_names]
    return None
