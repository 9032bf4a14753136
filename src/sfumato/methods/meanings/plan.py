"""What becomes of one document: senses, one ladder per meaning, and a level for each."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ...core.errors import BadInput, CannotBeMet
from ...core.numbers import power_of_two
from ...core.printed_form import by_sizes
from ...core.segments import Segment, segments
from .exact import exact_smallest, exact_uniform
from .exhaustive import Levels, esearch_prune, uep
from .find import Mention, fitting, is_name, nodes_of
from .ladders import Ladder, ladder_of_node
from .lub import lub_search
from .plausibility import TOLERANCE, Frequencies, cost, own_hyponyms
from .realize import general_word
from .senses import Context, Surroundings

if TYPE_CHECKING:
    from ...ontologies import Ontology, Volume
    from .options import Objective, Search

UNKNOWN = -1
LARGEST_COST = 10**300  # of |D|, which may exceed what a number can hold


@dataclass(frozen=True, slots=True)
class ReadForm:
    """The nodes that a written form may mean, each with its number, and those that suit it."""

    nodes: dict[int, bool]
    suiting: list[int]  # its capitals
    every: frozenset[int]

    __repr__ = by_sizes


@dataclass(frozen=True, slots=True)
class Rules:
    """How words are read and levels are chosen; the same for every document."""

    ontology: Ontology
    volume: Volume
    objective: Objective
    search: Search
    alpha: float
    min_volume: int
    sense: Literal["context", "first"] | Mapping[str, int]
    segment: Segment
    t_words: Mapping[str, int]
    frequencies: Frequencies | None
    context: Context
    _ladders: dict[int, Ladder] = field(default_factory=dict, repr=False)
    _general: dict[tuple[int, int], str] = field(default_factory=dict, repr=False)
    _read: dict[str, ReadForm] = field(default_factory=dict, repr=False)
    _names: dict[tuple[int, str], bool] = field(default_factory=dict, repr=False)
    _own: dict[tuple[int, int], int] = field(default_factory=dict, repr=False)
    _found: dict[tuple[tuple[tuple[int, int], ...], int], Levels | None] = field(
        default_factory=dict, repr=False
    )

    __repr__ = by_sizes

    def ladder(self, node: int) -> Ladder:
        """The ladder of a node, made once."""
        found = self._ladders.get(node)
        if found is None:
            made = ladder_of_node(self.ontology, node, self.volume, self.frequencies)
            found = self._ladders[node] = made.raised(self.min_volume)
        return found

    def general_word(self, node: int, level: int) -> str:
        """What a node is called at a level, looked up once."""
        if (node, level) not in self._general:
            above = self.ladder(node).nodes[level]
            self._general[node, level] = general_word(self.ontology, above, node)
        return self._general[node, level]

    def read(self, mention: Mention, written: str) -> ReadForm:
        """All nodes of a mention with its number, and those that suit its capitals; found once."""
        found = self._read.get(written)
        if found is None:
            if len(self._read) > 1 << 16:
                self._read.clear()
            nodes = nodes_of(mention, self.ontology)
            suit = fitting(list(nodes), mention, written, self.ontology)
            found = self._read[written] = ReadForm(nodes, suit, frozenset(nodes))
        return found

    def is_name(self, node: int, mention: Mention) -> bool:
        """Whether the mention is a name or abbreviation with capitals of its own, found once."""
        key = node, mention.keys[0]
        if key not in self._names:
            self._names[key] = is_name(node, mention, self.ontology)
        return self._names[key]

    def given_sense(self, mention: Mention, nodes: Sequence[int]) -> int | None:
        """The node of the number that was given for a word, None where none was."""
        if not isinstance(self.sense, Mapping):
            return None
        number = next((self.sense[key] for key in mention.keys if key in self.sense), None)
        if number is None:
            return None
        if not 1 <= number <= len(nodes):
            raise BadInput(f"expected 1 to {len(nodes)}, found {number}", where="sense of a word")
        return nodes[number - 1]

    def own_hyponyms(self, node: int, level: int) -> int:
        """How many base values at a level are hyponyms of the word, counted once."""
        if (node, level) not in self._own:
            distance = self.ontology.path(node).index(self.ladder(node).nodes[level])
            self._own[node, level] = own_hyponyms(self.ontology, node, distance, self.volume)
        return self._own[node, level]

    def levels(self, factors: Sequence[tuple[int, int]], t: int) -> Levels | None:
        """The levels of (node, floor) pairs for one threshold; equal texts are searched once."""
        key = tuple(factors), t
        if key not in self._found:
            if len(self._found) > 1 << 16:
                self._found.clear()
            ladders = [self.ladder(node).from_level(floor) for node, floor in factors]
            self._found[key] = self._search(ladders, t)
        return self._found[key]

    def _search(self, ladders: Sequence[Ladder], t: int) -> Levels | None:
        log_t = math.log2(t)
        if self.search == "lub":
            alpha = 1.0 if self.objective == "smallest" else self.alpha
            return lub_search(ladders, log_t, alpha)
        # With alpha = 1 only |D| counts, and whole numbers are the faster way to it.
        if self.objective == "smallest" or (self.alpha == 1 and self.frequencies is None):
            smallest = exact_smallest if self.search == "exact" else esearch_prune
            return smallest(ladders, t)
        uniform = exact_uniform if self.search == "exact" else uep
        return uniform(ladders, log_t, self.alpha)


@dataclass(frozen=True, slots=True)
class Part:
    """One segment with marked words: its number, threshold, and the meanings in it."""

    number: int
    t: int
    nodes: tuple[int, ...]
    cost: float
    log2_base_texts: float
    log2_without_hyponyms: float


@dataclass(frozen=True, slots=True)
class Plan:
    """A document's mentions, the node of each, whether it is a plural, and the chosen levels."""

    mentions: Sequence[Mention]
    nodes: Sequence[int]
    plural: Sequence[bool]
    levels: Mapping[int, int]
    parts: Sequence[Part]
    rules: Rules

    def general(self, node: int) -> int:
        """The node that a meaning becomes."""
        return self.rules.ladder(node).nodes[self.levels[node]]


def plan_document(
    text: str, mentions: Sequence[Mention], rules: Rules, t: Callable[[int], list[int]], where: str
) -> Plan:
    """Chooses senses and levels. Equal meanings get one level; the strictest segment decides.

    `t` gives the thresholds of so many segments. Paper: Section V for segments.
    """
    nodes, plural = _senses(text, mentions, rules)
    floors = _floors(mentions, nodes, rules, where)
    spans = segments(text, rules.segment) if mentions else []
    stops = [stop for _, stop in spans]
    limits = t(len(spans)) if spans else []
    parts: dict[int, dict[int, None]] = {}
    for mention, node in zip(mentions, nodes, strict=True):
        if node != UNKNOWN:
            number = bisect_right(stops, mention.start)
            parts.setdefault(number, {})[node] = None
    levels = dict(floors)
    while True:
        for number, inside in parts.items():
            chosen = rules.levels([(node, floors[node]) for node in inside], limits[number])
            if chosen is None:
                raise _cannot(where, number, rules, inside, limits[number])
            for node, level in zip(inside, chosen, strict=True):
                levels[node] = max(levels[node], level)
        # Volumes grow with the level, entropies of frequencies need not: then again from here.
        short = [
            n for n in parts if _entropy(parts[n], levels, rules) < math.log2(limits[n]) - TOLERANCE
        ]
        if not short:
            break
        floors = dict(levels)
    made = [_part(number, parts[number], limits[number], levels, rules) for number in sorted(parts)]
    return Plan(mentions, nodes, plural, levels, made, rules)


def _senses(text: str, mentions: Sequence[Mention], rules: Rules) -> tuple[list[int], list[bool]]:
    """One sense per document for equal words, by the text around all their mentions."""
    read = [rules.read(mention, text[mention.start : mention.stop]) for mention in mentions]
    groups: dict[frozenset[int], list[int]] = {}
    for i, one in enumerate(read):
        groups.setdefault(one.every, []).append(i)
    chosen = [UNKNOWN] * len(mentions)
    surroundings: Surroundings | None = None
    for every, members in groups.items():
        if not every:
            continue
        shared = every.intersection(*(read[i].suiting for i in members)) or every
        candidates = [node for node in read[members[0]].nodes if node in shared]
        node = rules.given_sense(mentions[members[0]], list(read[members[0]].nodes))
        if node is None and rules.sense != "first" and len(candidates) > 1:
            places = [(mentions[i].start, mentions[i].stop) for i in members]
            if surroundings is None:
                surroundings = Surroundings.of(text)
            node = rules.context.choose(candidates, surroundings.near(places))
        for i in members:
            chosen[i] = candidates[0] if node is None else node
    plural = [node != UNKNOWN and one.nodes[node] for node, one in zip(chosen, read, strict=True)]
    return chosen, plural


def _floors(
    mentions: Sequence[Mention], nodes: Sequence[int], rules: Rules, where: str
) -> dict[int, int]:
    """The lowest level each meaning may have: by `min_volume`, and by its own t."""
    floors = {node: rules.ladder(node).floor for node in nodes if node != UNKNOWN}
    for mention, node in zip(mentions, nodes, strict=True):
        least = max((rules.t_words.get(key, 1) for key in mention.keys), default=1)
        if node == UNKNOWN or least == 1:
            continue
        ladder = rules.ladder(node)
        if max(ladder.volumes) < least:
            raise CannotBeMet(
                f"a word reaches {max(ladder.volumes)} base values, its own t is {least}",
                where=f"{where}, offsets {mention.start} to {mention.stop}",
                remedy="lower its t",
            )
        floors[node] = max(floors[node], ladder.raised(least).floor)
    return floors


def _entropy(nodes: Mapping[int, None], levels: Mapping[int, int], rules: Rules) -> float:
    return math.fsum(rules.ladder(node).entropies[levels[node]] for node in nodes)


def _part(
    number: int, nodes: Mapping[int, None], t: int, levels: Mapping[int, int], rules: Rules
) -> Part:
    ladders = [(node, rules.ladder(node), levels[node]) for node in nodes]
    entropies = [ladder.entropies[j] for _, ladder, j in ladders]
    volumes = [ladder.volumes[j] for _, ladder, j in ladders]
    if rules.objective == "uniform":
        here = cost(entropies, math.log2(t), rules.alpha)
    else:
        product = math.prod(volumes)
        here = float(min(product, LARGEST_COST))
    own = [rules.own_hyponyms(node, j) for node, _, j in ladders]
    without = math.fsum(math.log2(v - less) for v, less in zip(volumes, own, strict=True))
    return Part(number, t, tuple(nodes), here, math.fsum(map(math.log2, volumes)), without)


def _cannot(
    where: str, number: int, rules: Rules, nodes: Mapping[int, None], t: int
) -> CannotBeMet:
    most = math.fsum(max(rules.ladder(node).entropies) for node in nodes)
    return CannotBeMet(
        f"{len(nodes)} known words reach {power_of_two(most)} base texts at most, t is {t}",
        where=f"{where}, segment {number}",
        remedy="lower t, mark more words, or use larger segments",
    )
