"""What is written in a document: general words, articles that agree with them, and masks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...core.errors import BadInput
from ...core.printed_form import by_sizes
from ...core.spans import Change
from ...ontologies.articles import article_by_place
from .plan import UNKNOWN, Plan, Rules
from .published_texts import Group, PublishedPlan, shown
from .realize import Places, article_change, realize

if TYPE_CHECKING:
    from ...core.values import JsonValues
    from .partition import Tree


@dataclass(frozen=True, slots=True)
class Writer:
    """How a plan becomes changes; `tree` is that of the guarantee `published`."""

    rules: Rules
    tree: Tree | None
    parameters: JsonValues
    _groups: dict[tuple[int, bool, int], tuple[str | None, str]] = field(
        default_factory=dict, repr=False
    )

    __repr__ = by_sizes

    def changes(self, text: str, document: int, plan: Plan | PublishedPlan) -> list[Change]:
        """What is replaced in one document, in order."""
        if isinstance(plan, PublishedPlan):
            return self._published(text, document, plan)
        return self._plausible(text, document, plan)

    def _published(self, text: str, document: int, plan: PublishedPlan) -> list[Change]:
        """What is written depends on the group, the number and the place, on nothing hidden."""
        result: list[Change] = []
        if not plan.mentions:
            return result
        places = Places(shown(text, plan.mentions, "_"))
        before = 0
        for mention, node, plural in zip(plan.mentions, plan.nodes, plan.plural, strict=True):
            start, stop = mention.start, mention.stop
            if node == UNKNOWN:
                here = self._masked(document, start, stop)
            else:
                general, reason = self._general(plan.groups[node])
                word = self.parameters["mask"]
                if general is not None:
                    word = places.write(start, before, general, plural=plural)
                here = [Change(document, start, stop, word, reason)]
            if here:  # of masks too: the article that a hidden word needs would tell of it
                article = article_by_place(text, document, start, before, here[0].replacement)
                result += here if article is None else [article, *here]
            before = stop
        return result

    def _general(self, group: Group) -> tuple[str | None, str]:
        """What a group is called, None for the pool, and the reason of a change to it; kept."""
        assert self.tree is not None
        key = group.size, group.many, group.general
        found = self._groups.get(key)
        if found is None:
            partition = self.tree.partition(group.size, group.many)
            is_pool = group.general == self.tree.pool
            found = self._groups[key] = (
                None if is_pool else partition.word(group.general),
                f"one of {partition.volumes[group.general]} base values",
            )
        return found

    def _plausible(self, text: str, document: int, plan: Plan) -> list[Change]:
        """The general word takes the number and the capitals of what it replaces."""
        result: list[Change] = []
        for mention, node, plural in zip(plan.mentions, plan.nodes, plan.plural, strict=True):
            place = mention.start, mention.stop
            if node == UNKNOWN:
                result += self._masked(document, *place)
                continue
            level = plan.levels[node]
            if level == 0:
                continue
            general = self.rules.general_word(node, level)
            proper = self.rules.is_name(node, mention)
            word = realize(text, *place, general, plural=plural, proper=proper)
            article = article_change(text, document, mention.start, text[slice(*place)], word)
            if article is not None and (not result or result[-1].stop <= article.start):
                result.append(article)
            volume = self.rules.ladder(node).volumes[level]
            result.append(Change(document, *place, word, f"level {level}, {volume} base values"))
        return result

    def _masked(self, document: int, start: int, stop: int) -> list[Change]:
        unknown = self.parameters["unknown"]
        if unknown == "fail":
            raise BadInput(
                "the ontology lacks a marked word",
                where=f"document {document}, offsets {start} to {stop}",
                remedy="use unknown='suppress' or 'keep', or another ontology",
            )
        if unknown == "keep":
            return []
        return [Change(document, start, stop, self.parameters["mask"], "unknown word")]


def changed(text: str, changes: Sequence[Change]) -> str:
    """A text with its changes.

    >>> changed("an ache", [Change(0, 0, 2, "a", ""), Change(0, 3, 7, "pain", "")])
    'a pain'
    """
    pieces, at = [], 0
    for change in changes:
        pieces += [text[at : change.start], change.replacement]
        at = change.stop
    return "".join([*pieces, text[at:]])
