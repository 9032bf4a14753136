"""A single file that a verb released, judged by its certificate.

Without the original: the certificate's form, wording and seal, the release's bytes, and the claims
that the release alone can show.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..claims import Side, kind
from ..core.claims import Claim, Verdict
from ..core.errors import NotVerified
from ..core.release import Sides
from ..verification import is_on_release
from . import hashes, parts
from .certificate import check_seal, seal_first
from .mapping import LEFT, with_mapping
from .sequences import sequences, shape_of
from .sides import sides_for, term_lists
from .verdicts import ReceivedVerdicts, judged, reworded

if TYPE_CHECKING:
    from ..formats import Source
    from .certificate import Certificate
    from .inputs import Inputs

SHUFFLED = "the rows were shuffled: it needs the --private-certificate or the --key-file"
# Formats whose texts are read without the name of a column.
PLAIN = ("txt", "text", "lines", "fa", "fasta", "fna", "xml", "ann")


def judge_file(given: Inputs) -> ReceivedVerdicts:
    """Judges every claim that can be with what is given; the seal is asked where all is well."""
    certificate = given.read_certificate()
    if not certificate.claims:
        raise NotVerified(
            "the certificate claims nothing, so there is nothing to verify",
            where=str(certificate.path),
        )
    with seal_first(certificate, given.key):
        found = _judged(certificate, given)
    if found.holds:
        check_seal(certificate, given.key)
    return found


def _judged(certificate: Certificate, given: Inputs) -> ReceivedVerdicts:
    """Judges it the way that its kind of data and what is given allow."""
    has_more = given.original is not None or given.schema is not None
    if certificate.is_of_table and has_more:
        return _table(certificate, given)
    if parts.fit(certificate, given):
        return _in_parts(certificate, given)
    if given.original is None:
        return _alone(certificate, given)
    return _with_original(certificate, given, given.original)


def _table(certificate: Certificate, given: Inputs) -> ReceivedVerdicts:
    from .tables import tables

    hashes.check_files(certificate, given.release)
    found = tables(certificate, given)
    release = certificate.released(found.release, found.sides)
    verdicts = judged(found.original, release, certificate)
    reasons = {"nothing-else-changed": SHUFFLED} if found.is_unmatched else {}
    return ReceivedVerdicts.of(certificate, verdicts, certificate.claims, reasons)


def _in_parts(certificate: Certificate, given: Inputs) -> ReceivedVerdicts:
    hashes.check_files(certificate, given.release)
    if given.original is None:
        wrong = reworded(certificate.claims)
        parts.check_release(certificate, given)
        return ReceivedVerdicts.of(certificate, wrong, certificate.claims)
    release = certificate.released([], Sides(**term_lists(certificate, given)))
    verdicts = reworded(certificate.claims) or parts.judge_claims(certificate, given, release)
    return ReceivedVerdicts.of(certificate, verdicts)


def _with_original(certificate: Certificate, given: Inputs, path: str) -> ReceivedVerdicts:
    """Texts and sequences with the original, whole."""
    of_sequences = certificate.is_of_sequences
    events = certificate.parameters.get("unit") == "event"
    before = given.read(path, certificate)
    after = given.read(given.release, certificate, groups=events, empty=of_sequences)
    hashes.check_files(certificate, given.release)
    original: object = before.data
    data: object = after.data
    if of_sequences:
        original, data, sides = sequences(certificate, given, before, after)
    else:
        sides = sides_for(certificate, given, before)
    hashed = replace(sides, input=original).given()
    hashes.check_original(certificate, before, hashed, given.key)
    release = certificate.released(data, sides)
    left, undone = list[Claim](), list[Verdict]()
    if Side.CHANGES in certificate.needed:
        release, left, undone = with_mapping(release, before, after, given)
    verdicts = [*judged(original, release, certificate), *undone]
    if all(verdict.holds for verdict in verdicts):  # otherwise the verdicts tell more
        hashes.check_text(certificate, data)
    return ReceivedVerdicts.of(certificate, verdicts, left, {claim.name: LEFT for claim in left})


def _alone(certificate: Certificate, given: Inputs) -> ReceivedVerdicts:
    """What the release by itself shows, once its bytes are the certified ones."""
    known = hashes.check_files(certificate, given.release)
    wanted = not known or any(map(is_on_release, certificate.claims))
    readable = not (known and _needs_column(given.release, given.format))
    verdicts = reworded(certificate.claims)
    if given.text_column or (wanted and readable):
        after = given.read(given.release, certificate)
        verdicts = _on_release(certificate, given, after)
    return ReceivedVerdicts.of(certificate, verdicts, certificate.claims)


def _on_release(certificate: Certificate, given: Inputs, after: Source) -> list[Verdict]:
    """The verdicts that the texts of the release alone allow."""
    data: object = after.data
    sides = Sides(groups=after.groups or ())
    if certificate.is_of_sequences:
        shape = shape_of(certificate)
        data = shape.sequences(after)
        if given.patterns is not None:
            sides = replace(sides, patterns=shape.patterns(given.patterns))
    hashes.check_text(certificate, data)
    missing = {Side.PATTERNS} if given.patterns is None else set()
    missing |= {Side.GROUPS} if after.groups is None else set()
    can = tuple(
        claim
        for claim in filter(is_on_release, certificate.claims)
        if not kind(claim.name).sides(claim.parameters) & missing
    )
    wrong = reworded(certificate.claims)
    if wrong or not can:
        return wrong
    release = certificate.released(data, sides)
    return judged(None, replace(release, claims=can), certificate)


def _needs_column(release: str, format: str | None) -> bool:
    """Whether the texts of a release cannot be read without the name of their column."""
    name = (format or Path(release).name).lower().removesuffix(".gz").removesuffix(".zst")
    return not name.endswith(PLAIN) and not Path(release).is_dir()
