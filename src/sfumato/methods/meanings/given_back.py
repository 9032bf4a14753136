"""What is given back although it was marked, and hides in no group that is published.

A word that is legible elsewhere because many write it cannot stand behind a general word: it would
be legible there too. Such a group has fewer base values than it claims, so that a string is given
back only where none of its meanings belongs to a group that some text is published with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ...recognizers.give_back import given_back
from .find import mention_of_span, nodes_of
from .published_texts import PublishedPlan

if TYPE_CHECKING:
    from ...core.spans import Span
    from ...recognizers.give_back import Returned
    from .partition import Tree
    from .plan import Plan

    Plans = list[Plan | PublishedPlan]


def returned(
    spans: Sequence[Span],
    texts: Sequence[str],
    k: int,
    planned: Callable[[Sequence[Span]], Plans],
    tree: Tree | None,
) -> tuple[list[Span], Returned, Plans]:
    """The spans that stay marked, what is given back, and the plan of every document.

    Cost: a plan for each time that something more must stay hidden.
    """
    hidden: set[str] = set()
    while True:
        kept, back = given_back(spans, texts, k, hidden=hidden)
        plans = planned(kept)
        told = set() if tree is None else _told(back, plans, tree)
        if not told:
            return kept, back, plans
        hidden |= told


def _told(back: Returned, plans: Plans, tree: Tree) -> set[str]:
    """The strings with a meaning in a group that is published."""
    groups = {
        (group.size, group.many, group.general)
        for plan in plans
        if isinstance(plan, PublishedPlan)
        for group in plan.groups.values()
    }
    return {
        string
        for _, string in back
        if any(
            tree.partition(size, many).general[node] == general
            for node in nodes_of(mention_of_span(string, 0, len(string)), tree.ontology)
            for size, many, general in groups
        )
    }
