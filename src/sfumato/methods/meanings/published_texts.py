"""The guarantee `published`: at least t base texts are mapped, by this method, to the very text.

A general word is the one of its group (`partition`), a group depends on its size alone, and sizes
depend on what is published of the words before. So every base text, whose distinct words stand
where distinct words stand and belong to the same groups, is published as the same text.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...core.errors import CannotBeMet
from ...core.memo import remembered
from ...core.numbers import power_of_two
from ...core.printed_form import by_sizes
from ...core.segments import segments
from .plan import UNKNOWN, Part, Rules
from .plausibility import cost
from .senses import UnmarkedWords

if TYPE_CHECKING:
    from .find import Mention
    from .partition import Tree

MOST = 1000  # documents whose senses are kept while a slider moves


@dataclass(frozen=True, slots=True)
class Group:
    """What one meaning of a document is published as: which partition, and which node of it.

    `left` is how many base values it has beside those that other words may have taken.
    """

    size: int
    many: bool
    general: int
    left: int


@dataclass(frozen=True, slots=True)
class PublishedPlan:
    """A document's mentions, the node of each, whether it is a plural, and the chosen groups."""

    mentions: Sequence[Mention]
    nodes: Sequence[int]
    plural: Sequence[bool]
    groups: Mapping[int, Group]
    parts: Sequence[Part]

    __repr__ = by_sizes

    def general(self, node: int) -> int:
        """The node that a meaning is published as."""
        return self.groups[node].general


NOTHING = PublishedPlan((), (), (), {}, ())
"""The plan of a document without mentions."""


def share(t: int, product: int, words: int) -> int:
    """How many base values each of the words left needs, if all have as many.

    >>> share(32, 1, 2), share(32, 9, 1), share(32, 40, 3)
    (6, 4, 1)
    """
    wanted = -(-t // product)
    found = max(1, math.ceil(math.exp(math.log(wanted) / words)) - 1)  # roots are rounded
    while found**words < wanted:
        found += 1
    return found


@dataclass(slots=True)
class OccupiedGroups:
    """Which groups the words before stand in, and what they leave of every group they meet."""

    tree: Tree
    before: list[tuple[int, bool, int]] = field(default_factory=list)
    _met: dict[tuple[int, bool], Counter[int]] = field(default_factory=dict)
    _least: dict[tuple[int, bool], float] = field(default_factory=dict)

    __repr__ = by_sizes

    def size_for(self, least: int, need: int, many: bool) -> int:
        """The least size whose groups all have so many base values beside those taken.

        It must not depend on the group that the word at hand belongs to: others must get the same.
        """
        size = least
        while self._fewest(size, many) < need:
            size += 1
        return size

    def left(self, size: int, many: bool, general: int) -> int:
        """The base values of a group beside those that words before it may have taken."""
        self._fewest(size, many)
        volume = self.tree.partition(size, many).volumes[general]
        return int(volume) - self._met[size, many][general]

    def add(self, size: int, many: bool, general: int) -> None:
        """One more word, published as this group."""
        self.before.append((size, many, general))
        for known in self._met:
            self._count(known, size, many, general)

    def _fewest(self, size: int, many: bool) -> float:
        key = size, many
        if key not in self._met:
            self._met[key], self._least[key] = Counter(), math.inf
            for group in self.before:
                self._count(key, *group)
        return self._least[key]

    def _count(self, known: tuple[int, bool], size: int, many: bool, general: int) -> None:
        partition, met = self.tree.partition(*known), self._met[known]
        for group in partition.meeting(self.tree.partition(size, many), general):
            met[group] += 1
            if group not in partition.short:
                left = int(partition.volumes[group]) - met[group]
                self._least[known] = min(self._least[known], left)


def plan_published(
    text: str,
    mentions: Sequence[Mention],
    rules: Rules,
    tree: Tree,
    t: Callable[[int], list[int]],
    where: str,
) -> PublishedPlan:
    """Chooses senses by unmarked words, and the group of every distinct meaning, in order.

    `t` gives the thresholds of so many segments. Segments end where unmarked text says so.
    Cost: O(text + words x groups that other sizes meet).
    """
    if not mentions:
        return NOTHING
    nodes, plural = remembered(
        *("senses", MOST, lambda: _sense_key(text, mentions, rules)),
        lambda: _senses(text, mentions, rules),
    )
    own = _own(mentions, nodes, rules)
    order = [node for node in own if node != UNKNOWN]
    stops = _stops(text, mentions, rules) if order else []
    limits = t(len(stops)) if stops else []
    inside: dict[int, dict[int, None]] = {}
    if len(stops) == 1:
        inside[0] = dict.fromkeys(order)
    elif stops:
        for mention, node in zip(mentions, nodes, strict=True):
            if node != UNKNOWN:
                inside.setdefault(bisect_right(stops, mention.start), {})[node] = None
    least = rules.min_volume
    many = {node for node, one in zip(nodes, plural, strict=True) if one}
    needs = [(node, own[node], node in many) for node in order]
    if rules.segment == "document":
        groups = _in_document(needs, limits[0] if limits else 1, tree, least)
    else:
        groups = _in_segments(needs, inside, limits, tree, least)
    for node, group in groups.items():
        if group.left < max(1, own[node]):
            raise CannotBeMet(
                f"a word has {max(group.left, 0)} base values beside the others, "
                f"it needs {max(1, own[node])}",
                where=where,
                remedy="lower its t, or use a larger ontology",
            )
    parts = [_part(number, inside[number], limits[number], groups) for number in sorted(inside)]
    for part in parts:
        if math.prod(groups[node].left for node in part.nodes) < part.t:
            raise CannotBeMet(
                f"{len(part.nodes)} known words reach "
                f"{power_of_two(part.log2_base_texts)} base texts, t is {part.t}",
                where=f"{where}, segment {part.number}",
                remedy="lower t, mark more words, or use larger segments or a larger ontology",
            )
    return PublishedPlan(mentions, nodes, plural, groups, parts)


def _stops(text: str, mentions: Sequence[Mention], rules: Rules) -> list[int]:
    """Where the segments end, whatever stands in the marked places."""
    if rules.segment == "document":  # which is as long as what is shown of it
        return [len(text)]
    return [stop for _, stop in segments(shown(text, mentions, "X"), rules.segment)]


def shown(text: str, mentions: Sequence[Mention], instead: str) -> str:
    """The text with every letter of its marked places replaced: what base texts have in common.

    >>> from sfumato.methods.meanings.find import Mention
    >>> shown("A cough.", [Mention(2, 7, (), ())], "X")
    'A XXXXX.'
    """
    pieces, at = [], 0
    for mention in mentions:
        pieces += [text[at : mention.start], instead * (mention.stop - mention.start)]
        at = mention.stop
    return "".join([*pieces, text[at:]])


Need = tuple[int, int, bool]  # a node, its own t, and whether it stands in the plural


def _in_document(order: Sequence[Need], t: int, tree: Tree, least: int) -> dict[int, Group]:
    """One after the other: each word leaves enough beside what the words before it may be."""
    groups: dict[int, Group] = {}
    taken, product = OccupiedGroups(tree), 1
    for at, (node, own, many) in enumerate(order):
        need = max(share(t, product, len(order) - at), own)
        size = taken.size_for(max(least, need), need, many)
        general = int(tree.partition(size, many).general[node])
        groups[node] = Group(size, many, general, taken.left(size, many, general))
        product *= max(1, groups[node].left)
        taken.add(size, many, general)
    return groups


def _in_segments(
    order: Sequence[Need],
    inside: Mapping[int, Mapping[int, None]],
    limits: Sequence[int],
    tree: Tree,
    least: int,
) -> dict[int, Group]:
    """The same, where the words of all other segments are known: they are subtracted too."""
    groups: dict[int, Group] = {}
    products = dict.fromkeys(inside, 1)
    waiting = {number: len(nodes) for number, nodes in inside.items()}
    others = len(order) - 1
    for node, own, many in order:
        here = [number for number, nodes in inside.items() if node in nodes]
        need = max(own, *(share(limits[n], products[n], waiting[n]) for n in here))
        size = max(least, need + others)
        partition = tree.partition(size, many)
        general = int(partition.general[node])
        groups[node] = Group(size, many, general, int(partition.volumes[general]) - others)
        for number in here:
            products[number] *= max(1, groups[node].left)
            waiting[number] -= 1
    return groups


def _part(number: int, nodes: Mapping[int, None], t: int, groups: Mapping[int, Group]) -> Part:
    bits = [math.log2(max(1, groups[node].left)) for node in nodes]
    return Part(
        number, t, tuple(nodes), cost(bits, math.log2(t), 0.5), math.fsum(bits), math.fsum(bits)
    )


def _own(mentions: Sequence[Mention], nodes: Sequence[int], rules: Rules) -> dict[int, int]:
    """The base values each meaning needs by itself, in order of first mention."""
    if not rules.t_words:
        return dict.fromkeys(nodes, 1)
    own: dict[int, int] = {}
    for mention, node in zip(mentions, nodes, strict=True):
        least = max((rules.t_words.get(key, 1) for key in mention.keys), default=1)
        own[node] = max(own.get(node, 1), least)
    return own


def _sense_key(text: str, mentions: Sequence[Mention], rules: Rules) -> Hashable:
    """What the senses of a document's words depend on."""
    sense = rules.sense if isinstance(rules.sense, str) else tuple(sorted(rules.sense.items()))
    return text, tuple(mentions), sense, rules.ontology.digest


def _senses(text: str, mentions: Sequence[Mention], rules: Rules) -> tuple[list[int], list[bool]]:
    """The sense of every mention, by unmarked words alone; one sense per document.

    A form that can mean one node only means it.
    """
    read = [rules.read(mention, text[mention.start : mention.stop]) for mention in mentions]
    chosen, open_ = [UNKNOWN] * len(mentions), dict[frozenset[int], list[int]]()
    for i, one in enumerate(read):
        if len(one.nodes) == 1:
            (chosen[i],) = one.nodes
        elif one.nodes:
            open_.setdefault(one.every, []).append(i)
    unmarked: UnmarkedWords | None = None
    for every, members in open_.items():
        shared = every.intersection(*(read[i].suiting for i in members)) or every
        candidates = [node for node in read[members[0]].nodes if node in shared]
        node = rules.given_sense(mentions[members[0]], list(read[members[0]].nodes))
        if node is None and rules.sense != "first" and len(candidates) > 1:
            if unmarked is None:
                unmarked = UnmarkedWords.of(text, [(one.start, one.stop) for one in mentions])
            node = rules.context.choose(candidates, unmarked.near(members))
        for i in members:
            chosen[i] = candidates[0] if node is None else node
    plural = [node != UNKNOWN and one.nodes[node] for node, one in zip(chosen, read, strict=True)]
    return chosen, plural
