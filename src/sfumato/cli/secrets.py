"""What the claims of `sanitize` are about, when its release is verified from files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..core.certificate import keyed_digest
from ..core.errors import BadInput
from ..formats.sequences import Shape, read_positions, require_one_case

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ..formats import Source


@dataclass(frozen=True, slots=True)
class Secret:
    """Where the sensitive and the implausible patterns, and what these are judged by, are told.

    `certificate` is the private one, or the public one, which holds none of them.
    """

    patterns: Path | None
    spans: str | None
    positions: str | None
    certificate: dict[str, Any]
    implausible: Path | None
    reference: str | None


def sequences(
    stated: dict[str, Any],
    before: Source,
    after: Source,
    secret: Secret,
    read: Callable[[str], Source],
) -> tuple[Any, Any, dict[str, Any]]:
    """Original, release and side inputs as `sanitize` had them."""
    parameters = stated["parameters"]
    shape = Shape(parameters["unit"], parameters["per_line"])
    if before.groups is not None and after.groups is not None:  # a person may have no event left
        found = dict(zip(after.groups, after.texts, strict=True))
        after = replace(after, texts=[found.get(person, "") for person in before.groups])
    original = shape.sequences(before)
    private = _held(stated, secret.certificate)
    if secret.patterns is not None or secret.spans is not None:
        preset = str(parameters.get("preset", "default"))
        private["patterns"] = read_patterns(shape, secret.patterns, secret.spans, before, preset)
    elif secret.positions is not None:
        private["patterns"] = _windows(original, secret.positions, parameters)
    elif "patterns" not in private:
        raise BadInput(
            "the claims speak of sensitive patterns",
            where="--patterns",
            remedy="name the file that holds them, the --spans or the --positions they came from, "
            "or give the --private-certificate (the same seed draws the same patterns)",
        )
    if secret.implausible is not None:
        private["implausible"] = shape.patterns(secret.implausible)
    if secret.reference is not None:
        reference = read_reference(shape, read(secret.reference), parameters["collection"])
        private["reference"] = reference
    for name in ("implausible", "reference"):
        if name in stated["hashes"] and name not in private:
            raise BadInput("a claim is about this", where=f"--{name}", remedy="name its file")
    return original, shape.sequences(after), private


def _held(stated: dict[str, Any], certificate: dict[str, Any]) -> dict[str, Any]:
    """The plain values of a private certificate, refused unless they are those of the release."""
    if certificate.get("certificate") != "private":
        if certificate is not stated:
            raise BadInput("is no private certificate", where="--private-certificate")
        return {}
    try:
        key, plain = bytes.fromhex(certificate["key"]), certificate["private"]
        names = [name for name in ("patterns", "implausible", "reference") if name in plain]
        theirs = all(
            stated["hashes"][name]["hmac-sha256"] == keyed_digest(key, plain[name])
            for name in names
        )
    except (KeyError, TypeError, ValueError):
        theirs = False
    if not theirs:
        raise BadInput(
            "the patterns in it are not those of the release",
            where="--private-certificate",
            remedy="give the one written with the release",
        )
    return {name: plain[name] for name in names}


def _windows(original: Any, positions: str, parameters: dict[str, Any]) -> list[Any]:
    """The windows of k symbols at some places."""
    collection, k = parameters["collection"], parameters["k"]
    found = []
    for place in read_positions(positions, collection):
        document, start = place if collection else (0, place)
        many = original if collection else [original]
        window = many[document][start : start + k] if 0 <= document < len(many) else ""
        if start < 0 or len(window) < k:
            raise BadInput(f"no window of {k} symbols stands there", where="--positions")
        found.append(window)
    return found


def read_reference(shape: Shape, source: Source, collection: bool) -> Any:
    """What implausible windows are judged by, in the form of the sequences."""
    is_one = source.is_single and not shape.per_line
    if not is_one and not collection:
        raise BadInput(
            f"expected one sequence, as the input is, found {len(source.texts)}",
            where="--reference",
            remedy="give a file of the input's form",
        )
    found = shape.sequences(source)
    return [found] if is_one and collection else found


def read_patterns(
    shape: Shape, patterns: Path | None, spans: str | None, source: Source, preset: str
) -> list[Any] | None:
    """The sensitive patterns of a file, of spans, or of both; None when neither is given."""
    if patterns is None and spans is None:
        return None
    listed = shape.patterns(patterns) if patterns is not None else []
    if spans is not None:
        from .spans import spans_with_role

        found = spans_with_role(spans, source, ["direct", "quasi"], preset)
        listed += [one for one in shape.patterns_of_spans(source, found) if one not in listed]
    if source.format == "fasta" and shape.unit == "character":
        require_one_case([*(text or "" for text in source.texts), *listed], source.place)
    return listed
