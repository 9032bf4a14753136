"""What the page needs to know of this version: verbs with their options, from the declarations."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, get_args

from ..core.method import options_of
from ..methods import methods
from ..pipeline.draft import GUIDANCE
from .columns import CHOICES, KINDS

if TYPE_CHECKING:
    from ..core.method import Method, Option
    from ..core.values import JsonObject
    from .settings import Settings

RECOGNIZERS = ("en", "rules-en", "names-en", "lists-en", "rules-es")


def described(settings: Settings) -> JsonObject:
    """The version, the limits, the verbs."""
    limits = settings.limits
    return {
        "version": version("sfumato"),
        "limits": {"upload": limits.upload, "rows": limits.rows, "unpacked": limits.unpacked},
        "days": settings.days,
        "folder": str(settings.folder),
        "choices": CHOICES,
        "kinds": KINDS,
        "recognizers": RECOGNIZERS,
        "guidance": GUIDANCE,
        "verbs": _verbs(),
    }


@cache
def _verbs() -> list[dict[str, object]]:
    return [_verb(one) for one in methods()]


def _verb(one: Method) -> dict[str, object]:
    return {
        "verb": one.verb,
        "summary": one.summary,
        "help": one.help,
        "takes": one.takes,
        "only_hides": one.only_hides,
        "swept": None if one.swept is None else one.swept.option,
        "options": [_option(option) for option in options_of(one.options, "policy")],
    }


def _option(one: Option) -> dict[str, object]:
    kinds = {int: "whole", float: "number", bool: "flag", str: "text"}
    found = next(
        (kinds[part] for part in (one.type, *get_args(one.type)) if part in kinds), "other"
    )
    about = one.about
    return {
        "name": one.name,
        "kind": "file" if about.is_file else "choice" if one.choices else found,
        "choices": [choice for choice in one.choices if choice not in about.also],
        "default": one.default if isinstance(one.default, (int, float, str, bool)) else None,
        "needed": about.needed,
        "least": about.least,
        "most": about.most,
        "help": about.help,
    }
