"""What a pseudonymised release claims, and what it does not protect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...claims import kind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...core.claims import Claim

NAMES = ("consistent-pseudonyms", "no-found-span", "only-spans-changed")
NOT_PROTECTED = (
    "anonymity: whoever holds the key or the mapping can undo the release",
    "what no recogniser found, and everything around the surrogates",
    "how often, where and together with whom an entity occurs",
    "ages, gender, countries, occupations, diagnoses, times and amounts: they stay",
    "titles, kinds of places and states: they stay in what replaces a name",
    "by chance a surrogate is the name of somebody else, who may occur in the data",
)


def names(options: Mapping[str, object]) -> tuple[str, ...]:
    """One surrogate for each entity, and nothing else changed, whatever the options."""
    return NAMES


def claims_of(dates: str, stay: Sequence[str], *, grouped: bool) -> tuple[Claim, ...]:
    """The claims of a release in which spans of all kinds but those that `stay` are replaced."""
    consistent, replaced, only = map(kind, NAMES)
    return (
        consistent.claim({"dates": dates, "groups": grouped}),
        replaced.claim({"stay": list(stay)}),
        only.claim({"spans": True}),
    )
