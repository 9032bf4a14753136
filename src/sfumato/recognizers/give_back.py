"""What many people write identifies nobody: it may stay legible although a recogniser found it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from .roles import ROLES

if TYPE_CHECKING:
    from ..core.spans import Span

# A kind of thing and how it is written, for everything that is given back.
Returned = list[tuple[str, str]]


def given_back(
    spans: Sequence[Span],
    texts: Sequence[str],
    k: int | None,
    owners: Sequence[Hashable] | None = None,
    role: Callable[[str], str] = lambda label: ROLES.get(label, "quasi"),
    *,
    hidden: AbstractSet[str] = frozenset(),
) -> tuple[list[Span], Returned]:
    """The spans that stay found, and what is given back.

    A string is given back if it was found as a quasi-identifier in the texts of at least k owners
    (texts without `owners`) and nowhere as a direct identifier, and is none of those `hidden`.
    Cost: O(spans).

    >>> from ..core.spans import Span
    >>> texts = ["in Rome", "to Rome", "in Pisa"]
    >>> found, back = given_back([Span(i, 3, 7, "LOCATION") for i in range(3)], texts, 2)
    >>> [texts[span.document] for span in found], back
    (['in Pisa'], [('LOCATION', 'Rome')])
    """
    if k is None:
        return list(spans), []
    whose: dict[str, set[Hashable]] = {}
    direct: set[str] = set()
    for span in spans:
        string = texts[span.document][span.start : span.stop]
        if role(span.label) == "direct":
            direct.add(string)
        elif role(span.label) == "quasi":
            owner = span.document if owners is None else owners[span.document]
            whose.setdefault(string, set()).add(owner)
    shared = {string for string, who in whose.items() if len(who) >= k} - direct - hidden
    kept, back = [], set()
    for span in spans:
        string = texts[span.document][span.start : span.stop]
        if string in shared and role(span.label) == "quasi":
            back.add((span.label, string))
        else:
            kept.append(span)
    return kept, sorted(back)
