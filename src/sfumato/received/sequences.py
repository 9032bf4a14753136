"""What the claims of `sanitize` are about: its sequences, and the patterns they conceal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.certificate import key_under, keyed_digest
from ..core.errors import BadInput
from ..core.release import Sides
from ..formats.sequences import Shape, read_positions

if TYPE_CHECKING:
    from ..core.values import Data, JsonObject
    from ..formats import Source
    from .certificate import Certificate
    from .inputs import Inputs

HELD = ("patterns", "implausible", "reference")  # by private certificates


def shape_of(certificate: Certificate) -> Shape:
    """How the texts became sequences; where nothing is said (Spark), each is one of characters."""
    said = certificate.parameters
    return Shape(said.get("unit", "character"), said.get("per_line", False))


def sequences(
    certificate: Certificate, given: Inputs, before: Source, after: Source
) -> tuple[Data, Data, Sides]:
    """Original, release and side inputs as `sanitize` had them."""
    parameters, shape = certificate.parameters, shape_of(certificate)
    if before.groups is not None and after.groups is not None:  # a person may have no event left
        found = dict(zip(after.groups, after.texts, strict=True))
        after = replace(after, texts=[found.get(person, "") for person in before.groups])
    original = shape.sequences(before)
    private = _held(certificate, given)
    if given.patterns is not None or given.spans is not None:
        private["patterns"] = _patterns(certificate, given, shape, before)
    elif given.positions is not None:
        private["patterns"] = _windows(original, given.positions, parameters)
    elif "patterns" not in private:
        raise BadInput(
            "the claims speak of sensitive patterns",
            where="--patterns",
            remedy="name the file that holds them, the --spans or the --positions they came from, "
            "or give the --private-certificate (the same seed draws the same patterns)",
        )
    if given.implausible is not None:
        private["implausible"] = shape.patterns(given.implausible, before)
    if given.reference is not None:
        from ..methods.patterns.method import reference_of

        source = given.read(given.reference, certificate)
        private["reference"] = reference_of(shape, source, parameters["collection"])
    for name in ("implausible", "reference"):
        if name in certificate.hashes and name not in private:
            raise BadInput("a claim is about this", where=f"--{name}", remedy="name its file")
    return original, shape.sequences(after), Sides(**private)


def _held(certificate: Certificate, given: Inputs) -> JsonObject:
    """The plain values of a private certificate, refused unless they are those of the release."""
    held = given.held(certificate)
    if not held.is_private:
        if held is not certificate:
            raise BadInput("is no private certificate", where="--private-certificate")
        return {}
    names = [name for name in HELD if name in held.private]
    try:
        under = key_under(held.key or b"", certificate.body)
        theirs = held.key is not None and all(
            certificate.hashes[name].keyed == keyed_digest(under, held.private[name])
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
    return {name: held.private[name] for name in names}


def _windows(original: Data, positions: str, parameters: Any) -> list[Any]:
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


def _patterns(
    certificate: Certificate, given: Inputs, shape: Shape, source: Source
) -> list[Any] | None:
    """The sensitive patterns of a file, of spans, or of both, as the verb had them."""
    from ..core.method import MethodInput
    from ..methods.patterns.method import Options, patterns_of
    from ..recognizers.files import spans_with_role

    path, spans = given.patterns, given.spans
    preset = str(certificate.parameters.get("preset", "default"))
    told = MethodInput(
        options=Options(patterns=None if path is None else str(path)),
        data=source,
        file=lambda name: None if name is None else Path(name),
        reviewed=None
        if spans is None
        else lambda roles: spans_with_role(spans, source, roles, preset),
    )
    return patterns_of(told, shape)
