"""The base values of general words, counted by walking the links of an ontology."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from ..core.claims import Claim, Verdict
from ..core.letters import is_wordlike
from ..core.printed_form import by_sizes
from ..ontologies import Ontology, key_of
from .singular_forms import singular_forms

KEPT = 60  # letters of a phrase whose keys are kept


class Violation(Exception):
    """A reason and a place; never the user's text."""

    def verdict(self, claim: Claim) -> Verdict:
        """What is judged by it."""
        return Verdict(claim, False, *self.args)


@dataclass(frozen=True)
class Domains:
    """The base values of general words, by walking down the links."""

    ontology: Ontology
    reading: str
    frequencies: Mapping[str, float] | None
    _below: dict[int, frozenset[int]] = field(default_factory=dict)
    _values: dict[tuple[int, int], frozenset[int]] = field(default_factory=dict)
    _bits: dict[tuple[int, int], tuple[float, float, int]] = field(default_factory=dict)

    __repr__ = by_sizes

    def below(self, node: int) -> frozenset[int]:
        """All nodes below one, itself included."""
        found = self._below.get(node)
        if found is None:
            seen, waiting = {node}, [node]
            while waiting:
                for child in self.ontology.children(waiting.pop()):
                    if child not in seen:
                        seen.add(child)
                        waiting.append(child)
            found = self._below[node] = frozenset(seen)
        return found

    def others(self, node: int, general: int) -> frozenset[int]:
        """What could have stood where `general` stands for `node`, by the claim's reading."""
        path = self.ontology.path(node)
        steps = path.index(general) if self.reading == "level" and general in path else 0
        key = general, steps
        if key not in self._values:
            if self.reading == "leaves":
                below = self.below(general)
                self._values[key] = frozenset(n for n in below if not self.ontology.children(n))
            else:
                layer = {general}
                for _ in range(steps):
                    layer = {child for above in layer for child in self.ontology.children(above)}
                self._values[key] = frozenset(layer)
        return self._values[key]

    def bits(self, node: int, general: int) -> tuple[float, float, int]:
        """The entropy, log2 of the number without the node's own hyponyms, and the number."""
        if (node, general) not in self._bits:
            self._bits[node, general] = self._counted(node, general)
        return self._bits[node, general]

    def _counted(self, node: int, general: int) -> tuple[float, float, int]:
        if node == general:
            return 0.0, 0.0, 1
        others = self.others(node, general)
        own = len(others & self.below(node) - {node})
        size = len(others) + (node not in others)
        if self.frequencies is None:
            return math.log2(size), math.log2(size - own), size
        counts = [1.0 + self._extra.get(value, 0.0) for value in others | {node}]
        total = math.fsum(counts)
        entropy = -math.fsum(count / total * math.log2(count / total) for count in counts)
        return entropy, math.log2(size - own), size

    @cached_property
    def _extra(self) -> dict[int, float]:
        """What a node was counted; a word's count is shared by its senses."""
        found: dict[int, float] = {}
        for key, count in (self.frequencies or {}).items():
            senses = self.ontology.senses(key)
            for node in senses:
                found[node] = found.get(node, 0.0) + count / len(senses)
        return found


@dataclass(frozen=True, slots=True)
class MarkedPlace:
    """A marked place of the original: its meaning and the general one; None if masked or kept."""

    start: int
    stop: int
    node: int | None
    general: int | None


def keys_of(phrase: str) -> tuple[str, ...]:
    """The phrase as it is looked up, and with its first or last words in the singular.

    >>> keys_of("Soft drugs")
    ('soft drugs', 'soft drug')
    """
    return _kept_keys(phrase) if len(phrase) <= KEPT else _keys(phrase)


@lru_cache(maxsize=1 << 16)
def _kept_keys(phrase: str) -> tuple[str, ...]:
    return _keys(phrase)


def _keys(phrase: str) -> tuple[str, ...]:
    words: list[str] = []
    for word in key_of(phrase).split():  # between letters of scripts without blanks, blanks go
        if words and not is_wordlike(words[-1][-1]) and not is_wordlike(word[0]):
            words[-1] += word
        else:
            words.append(word)
    forms = [words]
    for at in range(len(words)):
        forms += [[*words[:at], one, *words[at + 1 :]] for one in singular_forms(words[at])]
    return tuple(dict.fromkeys(" ".join(some) for some in forms))
