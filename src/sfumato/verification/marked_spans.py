"""Words to generalise that were listed as spans: they, and nothing else, may have changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .base_values import Domains, MarkedPlace, Violation, keys_of

if TYPE_CHECKING:
    from ..claims.meanings import MeaningParameters


def by_document(places: Sequence[Sequence[int]] | None) -> dict[int, list[tuple[int, int]]] | None:
    """Places (start, stop) of each document; None where none were listed."""
    if places is None:
        return None
    found: dict[int, list[tuple[int, int]]] = {}
    for document, start, stop in places:
        found.setdefault(document, []).append((start, stop))
    return found


def to_mask(
    old: str, spans: Sequence[tuple[int, int]], given: MeaningParameters, domains: Domains
) -> list[tuple[int, int]]:
    """The listed spans that the ontology lacks, which must be masked, in order."""
    if given.unknown != "suppress":
        return []
    return sorted(
        (start, stop)
        for start, stop in spans
        if not any(domains.ontology.senses(key) for key in keys_of(old[start:stop]))
    )


def with_masks(old: str, hidden: Sequence[tuple[int, int]], mask: str) -> str:
    """The text with these places masked."""
    for start, stop in reversed(hidden):
        old = old[:start] + mask + old[stop:]
    return old


def in_original(
    place: tuple[int, int], hidden: Sequence[tuple[int, int]], mask: str
) -> tuple[int, int]:
    """A place of the text with masks as a place of the text it was."""
    start, stop = place
    for low, high in hidden:
        if low >= start:
            break
        start, stop = start + high - low - len(mask), stop + high - low - len(mask)
    return start, stop


def must_be_spans(
    old: str,
    spans: Sequence[tuple[int, int]],
    found: Sequence[MarkedPlace],
    i: int,
    given: MeaningParameters,
    domains: Domains,
) -> None:
    """What was changed lies in a listed span; one that the ontology lacks is masked."""
    for place in found:
        if not any(start <= place.start and place.stop <= stop for start, stop in spans):
            raise Violation("a word outside the listed spans was changed", f"document {i}")
    masked = {(place.start, place.stop) for place in found if place.node is None}
    for start, stop in to_mask(old, spans, given, domains):
        if (start, stop) not in masked:
            where = f"document {i}, offsets {start} to {stop}"
            raise Violation("a listed span that the ontology lacks is legible", where)
