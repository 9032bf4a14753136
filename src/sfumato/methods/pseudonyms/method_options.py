"""What `pseudonymize` may be told, with its bounds: the declaration and the verb read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ...core.method import option
from ...core.printed_form import by_sizes


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What `pseudonymize` may be told."""

    __repr__ = by_sizes

    dates: Literal["shift", "keep", "label"] = option(
        "shift", "shift: by a secret number of days for each group; keep; label."
    )
    operators: dict[str, str] | None = option(
        None,
        "What becomes of a label, LABEL=OPERATOR; repeatable: tag, mask, hash, encrypt, replace,"
        " keep.",
        flag="--operator",
    )
    give_back: int | None = option(
        None,
        "A quasi-identifier that so many people (or texts) write stays as it is.",
        least=2,
        most=1_000_000,
    )
    mapping: str | None = option(
        None, "The encrypted file that undoes the release.", is_file=True, faces=("command",)
    )
