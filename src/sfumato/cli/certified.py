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
from ..verification import STRICT

if TYPE_CHECKING:
    from ..formats import Source

OF_SANITIZE = frozenset(
    ("pattern-free", "order-kept", "frequency-kept", "no-lost", "no-implausible")
)
OF_ANONYMIZE = frozenset(("k-anonymity", "l-diversity", "t-closeness", "nothing-else-changed"))


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
            Claim(claim["name"], claim["statement"], {**claim["parameters"]}, claim["assumptions"])
    except OSError as problem:
        raise BadInput(f"cannot be read ({problem.strerror})", where=str(path)) from None
    except (ValueError, KeyError, TypeError):
        raise damaged(path) from None
    return stated


def damaged(path: Path) -> BadInput:
    """What is said of a file that is no certificate."""
    return BadInput(
        "is no certificate of this version, or damaged",
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
    if digest(data).hexdigest() != stated["hashes"]["release"]["sha256"]:
        raise NotVerified("the released text is not the certified one", remedy="it was changed")


def check_original(
    stated: dict[str, Any], source: Source, given: Mapping[str, Any], key: bytes | None
) -> None:
    """Refuses another original than the release's: by its counts, and by hashes where possible.

    `given` are the input and the side inputs as the verb had them.
    """
    counts = stated["counts"]
    found = {
        "documents": len(source.texts),
        "symbols": sum(len(text or "") for text in source.texts),
    }
    for name in ("documents", "symbols") if "documents" in counts else ():
        if counts.get(name, found[name]) != found[name]:
            raise _another("input", source.place, f": {found[name]:,} {name}, not {counts[name]:,}")
    key = key or bytes.fromhex(stated.get("key", ""))
    for name, value in given.items():
        expected = stated["hashes"].get(name, {})
        if value is None or not expected:
            continue
        plain = digest(value)
        if key and keyed(key, plain.digest()) != expected["hmac-sha256"]:
            raise _another(name, source.place, " (or the key is another one)")
        if expected.get("sha256", plain.hexdigest()) != plain.hexdigest():
            raise _another(name, source.place, "")


def _another(name: str, place: str, detail: str) -> NotVerified:
    what = "original" if name == "input" else name
    verb = "are" if what.endswith("s") else "is"
    return NotVerified(
        f"the {what} {verb} not what the release was made of{detail}",
        where=place if name in ("input", "groups") else None,
        remedy="give those of this release",
    )


def statement_of(claim: Claim) -> str | None:
    """The words of a claim, made anew from its name and parameters; None: not known here."""
    given: dict[str, Any] = dict(claim.parameters)
    made: tuple[Claim, ...] = ()
    if claim.name in STRICT or claim.name == "spans-hidden":
        from ..methods.substrings.claims import claims_of as of_suppress

        cover = "word" if claim.name == "word-k-anonymity" else "fewest"
        unstated = {"k": 0, "count": "documents", "unit": "character", "keep": "", "strict": False}
        made = of_suppress({**unstated, **given, "cover": cover}, given.get("spans"))
    elif claim.name in ("term-k-anonymity", "no-term-in-clear"):
        from ..methods.terms.claims import claims_of as of_redact

        made = of_redact(given, 0)
    elif claim.name == "t-plausibility":
        from ..methods.meanings.claims import claims_of as of_generalize

        made = of_generalize(given, given, 0)
    elif claim.name == "consistent-pseudonyms":
        from ..methods.pseudonyms.pseudonymize import STATEMENT

        return STATEMENT
    elif claim.name == "only-spans-changed":
        from ..methods.pseudonyms.pseudonymize import ONLY

        return ONLY.format(spans=given["spans"])
    elif claim.name in OF_SANITIZE:
        return _of_sanitize(claim, given)
    elif claim.name in OF_ANONYMIZE:
        from ..methods.records.claims import worded
        from ..verification.composed_records import STARRED

        alone = worded(claim.name, given)
        starred = alone + STARRED.get(claim.name, "")
        return starred if claim.statement == starred else alone
    return next((one.statement for one in made if one.name == claim.name), None)


def _of_sanitize(claim: Claim, given: dict[str, Any]) -> str | None:
    from ..methods.patterns.claims import claims_of

    for method in ("tfs", "pfs", "tm"):
        known = {"method": method, "tau": 1, "rho": None, **given}
        for one in claims_of(known, implausible=True):
            if one.name == claim.name and one.parameters.get("order") == given.get("order"):
                return one.statement
    return None


def reworded(claims: Iterable[Claim]) -> list[Verdict]:
    """A failed verdict for every claim that its certificate words otherwise than it is."""
    reason = "the certificate words this claim otherwise than its parameters: it was changed"
    return [
        Verdict(claim, False, reason)
        for claim in claims
        if statement_of(claim) not in (None, claim.statement)
    ]
