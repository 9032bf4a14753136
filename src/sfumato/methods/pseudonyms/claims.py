"""What a pseudonymised release claims, and what it does not protect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...claims import kind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...core.claims import Claim
    from ...core.values import JsonValues

ALWAYS = ("consistent-pseudonyms", "no-found-span", "only-spans-changed")
NAMES = (*ALWAYS, "given-back")
SHARED = frozenset(("mask", "replace"))  # operators that give all entities of a kind one text
NOT_PROTECTED = (
    "anonymity: whoever holds the key or the mapping can undo the release",
    "what no recogniser found, and everything around the surrogates",
    "how often, where and together with whom an entity occurs",
    "ages, gender, countries, occupations, diagnoses, times and amounts: they stay",
    "titles, kinds of places and states: they stay in what replaces a name",
    "by chance a surrogate is the name of somebody else, who may occur in the data",
)


def names(options: Mapping[str, object]) -> tuple[str, ...]:
    """One surrogate for each entity, and nothing else changed; what is given back is counted."""
    return ALWAYS if options.get("give_back") is None else NAMES


def claims_of(parameters: JsonValues, stay: Sequence[str], *, grouped: bool) -> tuple[Claim, ...]:
    """The claims of a release in which spans of all kinds but those that `stay` are replaced."""
    consistent, replaced, only = map(kind, ALWAYS)
    give_back, operators = parameters.get("give_back"), parameters.get("operators", {})
    exempt = {} if give_back is None else {"give_back": give_back}
    shared = [label for label, operator in operators.items() if operator in SHARED]
    one_text = {"one_text": shared} if shared else {}
    found = (
        consistent.claim({"dates": parameters["dates"], "groups": grouped, **one_text}),
        replaced.claim({"stay": list(stay), **exempt}),
        only.claim({"spans": True}),
    )
    if give_back is None:
        return found
    return (*found, kind("given-back").claim({"k": give_back, "groups": grouped}))
