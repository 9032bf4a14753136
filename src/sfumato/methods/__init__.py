"""The methods, one folder each; no method imports another.

`METHODS` is the registry: a new method is its folder with `method.py`, its claims and their check,
and one line here.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ..core.errors import BadInput
from ..core.load import load

if TYPE_CHECKING:
    from ..core.method import Method

METHODS = {
    "suppress": "substrings",
    "redact": "terms",
    "generalize": "meanings",
    "sanitize": "patterns",
    "pseudonymize": "pseudonyms",
    "anonymize": "records",
}


@cache
def method(verb: str) -> Method:
    """The declaration of a verb.

    >>> method("suppress").takes
    'texts'
    """
    if verb not in METHODS:
        raise BadInput("no such verb", where="verb", remedy=f"one of {', '.join(METHODS)}")
    found: Method = load(f"methods.{METHODS[verb]}.method:METHOD")
    return found


def find(verb: str) -> Method | None:
    """The declaration of a verb; None where there is none of that name.

    >>> find("whisper") is None
    True
    """
    return method(verb) if verb in METHODS else None


def methods() -> tuple[Method, ...]:
    """All declarations, in the order of the registry."""
    return tuple(map(method, METHODS))


def givers_of(claim: str) -> list[str]:
    """The verbs that can give a claim.

    >>> givers_of("pattern-free")
    ['sanitize']
    """
    return [one.verb for one in methods() if claim in one.can_claim]
