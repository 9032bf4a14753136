"""Verbs that verify what they release, where they are asked to."""

from __future__ import annotations

import inspect
from functools import wraps
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from .core.release import Release
    from .core.values import Data


def verifying(verb: Callable[..., Any]) -> Callable[..., object]:
    """The verb with the option `verify`: every claim is checked, and a wrong release raises.

    >>> import sfumato as sf
    >>> sf.suppress("abracadabra", k=2, align="character", verify=True).data
    'abra★a★abra'
    """
    given = inspect.signature(verb)
    flag = inspect.Parameter("verify", inspect.Parameter.KEYWORD_ONLY, default=False)
    others = [one for name, one in given.parameters.items() if name != "verify"]

    @wraps(verb)
    def verb_and_verdicts(*arguments: object, verify: bool = False, **options: object) -> object:
        from .core.options import check_kinds

        check_kinds(flag={"verify": verify})
        made = verb(*arguments, **options)
        if verify:
            original = next(iter(given.bind(*arguments, **options).arguments.values()))
            for release in made.values() if isinstance(made, dict) else (made,):
                require_verified(original, release)
        return made

    verb_and_verdicts.__signature__ = given.replace(parameters=_placed(others, flag))  # type: ignore[attr-defined]
    return verb_and_verdicts


def _placed(others: list[inspect.Parameter], flag: inspect.Parameter) -> list[inspect.Parameter]:
    """The flag stands last, before options of any name."""
    catching = [one for one in others if one.kind is inspect.Parameter.VAR_KEYWORD]
    return [one for one in others if one not in catching] + [flag] + catching


def require_verified(original: Data, release: Release) -> None:
    """Raises NotVerified where a claim does not hold; says which, why and where, never the text."""
    from collections.abc import Mapping

    from .core.errors import NotVerified
    from .pipeline.verify import verify

    # Several frames were joined: what the verb took is the joined one.
    taken = release.sides.input if isinstance(original, Mapping) else original
    for verdict in verify(taken, release):
        if not verdict.holds:
            raise NotVerified(
                f"{verdict.claim.name} does not hold: {verdict.reason}",
                where=verdict.where,
                remedy="this is a mistake of the method; please report it",
            )
