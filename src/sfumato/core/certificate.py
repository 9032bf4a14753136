"""Public and private certificates of a release.

The public one holds claims, verdicts, the plain SHA-256 of the release, keyed hashes of everything
else (a plain hash of an input or of a pattern list would let anyone confirm a guess), and of
parameters, counts and loss those that `core.figures` declares. The private one holds all of them,
the key and the plain values.

A key may be a pass-phrase, and whoever has a hash under it can try a list of pass-phrases. So no
published hash is under the key itself: all are under what scrypt makes of it, with the parameters
and the salt that the certificate states. Certificates of format 1 had no such stretching.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from .certificate_model import Certificate, Hashes, StatedVerdict
from .corpus import Corpus
from .errors import BadInput, NotVerified
from .figures import published

if TYPE_CHECKING:
    import polars as pl

    from .claims import Verdict
    from .release import Release
    from .values import Data, JsonValues

FORMAT = 2
COST = {"n": 1 << 15, "r": 8, "p": 1}  # of scrypt: about 0.1 s and 32 MB for each guess of a key
MOST = {"n": 1 << 18, "r": 16, "p": 4}  # what a certificate of others may ask for
SALT = 16


def certificate(
    release: Release, verdicts: tuple[Verdict, ...], *, private: bool, key: bytes
) -> Certificate:
    """The certificate of a release."""
    if release.sides.engine is not None:
        raise BadInput(
            "a frame of Spark has no bytes to be certified",
            where="certificate",
            remedy="let the command line write the release: --engine spark",
        )
    digests = {"release": digest(release.data).digest()}
    digests |= {name: digest(value).digest() for name, value in release.sides.given().items()}
    return certificate_of(release, verdicts, digests, private=private, key=key)


def certificate_of(
    release: Release,
    verdicts: tuple[Verdict, ...],
    digests: Mapping[str, bytes],
    *,
    private: bool,
    key: bytes,
    stretched: Mapping[str, object] | None = None,
) -> Certificate:
    """The same, when the digests of the release and its private values are known.

    `stretched` says how the key is stretched where the certificate is part of another's.
    """
    whole = told_of(release, verdicts, digests, key, stretched)
    if not private:
        return published(whole)
    given = release.sides.given()
    hashes = {
        name: replace(one, plain=digests[name].hex()) if name in given else one
        for name, one in whole.hashes.items()
    }
    # The original itself stays where it is; its hash suffices.
    values = {name: _values(value) for name, value in given.items() if name != "input"}
    return replace(whole, hashes=hashes, key=key, private=values)


def told_of(
    release: Release,
    verdicts: tuple[Verdict, ...],
    digests: Mapping[str, bytes],
    key: bytes,
    stretched: Mapping[str, object] | None = None,
) -> Certificate:
    """All that a release tells of itself, with keyed hashes: what `published` chooses from."""
    from importlib.metadata import version

    how = stretching(digests["release"].hex()) if stretched is None else dict(stretched)
    under = key_under(key, {"format": FORMAT, "key_stretching": how})
    hashes = {"release": Hashes(plain=digests["release"].hex())}
    for name in release.sides.given():
        hashes[name] = Hashes(keyed=keyed(under, digests[name]))
    return Certificate(
        kind="private",
        format=FORMAT,
        version=version("sfumato"),
        verb=release.verb,
        parameters=release.parameters,
        counts=release.counts,
        claims=release.claims,
        verdicts=tuple(map(StatedVerdict.told, verdicts)),
        loss=release.loss,
        not_protected=release.not_protected,
        warnings=release.warnings,
        hashes=hashes,
        stretched=how,
    )


def stretching(release: str) -> dict[str, object]:
    """How the key of a release is stretched; `release` is the release's SHA-256.

    The salt is made from that hash, which is public: it differs from release to release, so that
    guesses made for one serve no other, and the same release has the same certificate.

    >>> stretching("00")["n"], len(stretching("00")["salt"])
    (32768, 32)
    """
    salt = hashlib.sha256(b"sfumato certificate " + release.encode()).digest()[:SALT]
    return {"function": "scrypt", **COST, "salt": salt.hex()}


def key_under(key: bytes, stated: JsonValues) -> bytes:
    """The key that the hashes of a certificate are under: stretched as the certificate says.

    Raises NotVerified where it says nothing that can be done. Cost: 0.1 s, once for each salt.

    >>> key_under(b"key", {"format": 1})
    b'key'
    """
    if stated.get("format") == 1:
        return key
    try:
        how = stated["key_stretching"]
        cost, salt = tuple(int(how[name]) for name in COST), bytes.fromhex(how["salt"])
        allowed = all(0 < found <= most for found, most in zip(cost, MOST.values(), strict=True))
        if how["function"] != "scrypt" or not allowed:
            raise ValueError
        return stretch(key, salt, *cost)
    except (KeyError, TypeError, ValueError):
        raise NotVerified(
            "the certificate does not say how its key is stretched",
            where="key_stretching",
            remedy="it was changed or damaged; fetch it again",
        ) from None


@lru_cache(maxsize=8)
def stretch(
    key: bytes, salt: bytes, n: int = COST["n"], r: int = COST["r"], p: int = COST["p"]
) -> bytes:
    """What scrypt makes of a key, so that each guess of a pass-phrase costs time and memory.

    >>> len(stretch(b"key", b"salt"))
    32
    """
    return hashlib.scrypt(key, salt=salt, n=n, r=r, p=p, maxmem=256 * n * r, dklen=32)


def sealed(stated: Mapping[str, object], key: bytes) -> dict[str, object]:
    """A certificate with hashes of itself: one that anyone can check, one under the key.

    >>> seal_holds(sealed({"format": 1, "verb": "suppress"}, b"key"), b"key")
    True
    """
    body = _body(stated)
    under = keyed(key_under(key, stated), body)
    return {**stated, "seal": {"sha256": hashlib.sha256(body).hexdigest(), "hmac-sha256": under}}


def seal_holds(stated: Mapping[str, object], key: bytes | None) -> bool:
    """Whether a certificate is as it was sealed; with the key, also by whom.

    Anybody can leave a seal out or make the plain hash anew: only the key tells who sealed it.

    >>> seal_holds({**sealed({"format": 1, "k": 5}, b"key"), "k": 2}, None)
    False
    """
    seal, body = stated.get("seal"), _body(stated)
    if not isinstance(seal, Mapping) or seal.get("sha256") != hashlib.sha256(body).hexdigest():
        return False
    if key is None:
        return True
    found = keyed(key_under(key, stated), body)
    return hmac.compare_digest(str(seal.get("hmac-sha256")).encode(), found.encode())


def _body(stated: Mapping[str, object]) -> bytes:
    """A certificate without its seal, in the one form that is hashed."""
    plain = json.loads(json.dumps({name: stated[name] for name in stated if name != "seal"}))
    return json.dumps(plain, sort_keys=True).encode()


def _values(value: object) -> list[object]:
    """A private value as it is written: sequences of strings as such, else its strings."""
    if isinstance(value, list) and all(
        isinstance(one, (list, tuple)) and all(isinstance(part, str) for part in one)
        for one in value
    ):
        return [list(one) for one in value]
    return list(parts(value))


def digest(value: object) -> hashlib._Hash:
    """SHA-256 over the strings of a value, each preceded by its length.

    >>> digest(["ab", "c"]).hexdigest() == digest(["a", "bc"]).hexdigest()
    False
    """
    result = hashlib.sha256()
    add_to(result, value)
    return result


def text_digest(columns: Sequence[object]) -> str:
    """SHA-256 of the texts of one column as any certificate has it; of several, of theirs.

    >>> text_digest(["abc"]) == digest("abc").hexdigest()
    True
    """
    each = [digest(column).hexdigest() for column in columns]
    return each[0] if len(each) == 1 else hashlib.sha256("\n".join(each).encode()).hexdigest()


def rows_of(frame: pl.DataFrame) -> list[str]:
    """Every row as one string, so that tables are hashed as texts are."""
    return [json.dumps(row, default=str, ensure_ascii=False) for row in frame.iter_rows()]


def add_to(result: hashlib._Hash, value: object) -> None:
    """Carries a digest on by the strings of a further value."""
    for text in parts(value):
        data = text.encode("utf-8", "surrogatepass")
        result.update(b"%d:" % len(data))
        result.update(data)


def keyed_digest(key: bytes, value: object) -> str:
    """HMAC-SHA-256, under the steward's key, of the digest of a value."""
    return keyed(key, digest(value).digest())


def keyed(key: bytes, digest: bytes) -> str:
    """HMAC-SHA-256 of a digest, under the steward's key.

    >>> keyed(b"one key", b"digest") == keyed(b"another", b"digest")
    False
    """
    return hmac.new(key, digest, hashlib.sha256).hexdigest()


def parts(value: Data) -> Iterable[str]:
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


def _columns(value: Data) -> list[tuple[str, list[object]]] | None:
    """The columns of a frame of pandas, Polars or Arrow; None when it is none."""
    library = type(value).__module__.partition(".")[0]
    if library == "polars" and hasattr(value, "get_columns"):
        return [(column.name, column.to_list()) for column in value.get_columns()]
    if library == "pandas" and hasattr(value, "columns"):
        return [(str(name), value[name].tolist()) for name in value.columns]
    if library == "pyarrow" and hasattr(value, "column_names"):
        return [(name, value[name].to_pylist()) for name in value.column_names]
    return None
