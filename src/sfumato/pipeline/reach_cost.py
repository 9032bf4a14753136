"""What each `reach` of a new policy's `suppress` costs on the steward's own texts."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import BadInput, CannotBeMet
from ..core.printed_form import by_sizes
from .policy import PolicyFile, parse
from .verbs import options_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..methods.substrings.method import Options
    from .verbs import Stage

REACHES: tuple[int | None, ...] = (1, 2, 3, None)
MOST = 2_000_000  # symbols of the texts that are tried: what more would tell is not waited for
FINDS = {1: "rare words", 2: "rare words and pairs", 3: "rare phrases of up to three words"}


@dataclass(frozen=True, slots=True)
class ReachCost:
    """The share of letters and digits that a reach stars, of so many texts of all."""

    __repr__ = by_sizes

    reach: int | None
    share: float
    tried: int
    texts: int


def reach_costs(policy: str, folder: Path) -> list[ReachCost]:
    """What reach 1, 2, 3 and none cost, where the policy's first `suppress` leaves it open.

    Tried on the input as it is, of large ones on the first texts; empty where it cannot be told.
    Cost: that of `suppress` for each.
    """
    stated = parse(policy)
    stage = next((one for one in stated.stages if hasattr(one, "reach")), None)
    if stage is None or stage.reach is not None or options_in(stage).guess is None:
        return []
    try:
        texts, groups, every = _input(PolicyFile(stated, folder), stage)
        return _tried(texts, groups, every, options_in(stage))
    except (BadInput, CannotBeMet, OSError):
        return []  # what is wrong is told where the policy is checked


def told(costs: Sequence[ReachCost]) -> list[str]:
    """The costs in lines, the reach that each is for first.

    >>> told([ReachCost(1, 0.11, 50, 50), ReachCost(None, 0.4, 50, 50)])[1:]
    ['  1     11%  rare words', '  none  40%  rare phrases of any length']
    """
    if not costs:
        return []
    one = costs[0]
    of = "your texts" if one.tried == one.texts else f"the first {one.tried} of {one.texts} texts"
    lines = [f"reach: the longest phrase that must be shared. What is starred of {of}, and hidden:"]
    for one in costs:
        hides = "rare phrases of any length" if one.reach is None else FINDS[one.reach]
        lines.append(f"  {one.reach or 'none':<4}  {one.share:.0%}  {hides}")
    return lines


def with_reach(policy: str, reach: int) -> str:
    """The policy's text with a reach for its `suppress`, and for what it demands of that.

    >>> with_reach("stages:\\n- verb: suppress\\n  k: 5\\n", 2)
    'stages:\\n- verb: suppress\\n  reach: 2\\n  k: 5\\n'
    """
    lines = []
    for line in policy.splitlines(keepends=True):
        lines.append(line)
        if line.strip() in ("- verb: suppress", "- claim: substring-k-anonymity"):
            lines.append(f"{' ' * (line.index('-') + 2)}reach: {reach}\n")
    return "".join(lines)


def _input(written: PolicyFile, stage: Stage) -> tuple[list[str], list[str] | None, int]:
    """The first texts of the stage's first column, whose they are, and how many there are."""
    from .inputs import read_input

    given = written.policy.input
    columns = getattr(stage, "columns", None) or given.columns or [None]
    source = read_input(written, written.path(given.path), columns[0])
    texts, size, count = source.filled, 0, 0
    while count < len(texts) and size < MOST:
        size += len(texts[count])
        count += 1
    groups = None if source.groups is None else list(source.groups[:count])
    return texts[:count], groups, len(texts)


def _tried(
    texts: list[str], groups: list[str] | None, every: int, options: Options
) -> list[ReachCost]:
    from ..methods.substrings.suppress import suppress

    letters = sum(symbol.isalnum() for text in texts for symbol in text)
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for reach in REACHES:
            release = suppress(
                texts, options.k, groups=groups, reach=reach, collapse=options.collapse
            )
            share = float(release.loss["suppressed"]) / max(1, letters)
            found.append(ReachCost(reach, min(1.0, share), len(texts), every))
    return found
