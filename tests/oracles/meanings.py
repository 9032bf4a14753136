"""t-plausibility, literally: base values by walking the links, all texts by enumeration."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product

Links = Mapping[str, Sequence[str]]  # child -> its parents, the first one first


def hypernym_path(links: Links, word: str) -> list[str]:
    path = [word]
    while links.get(path[-1]):
        path.append(links[path[-1]][0])
    return path


def generalizes(links: Links, word: str, general: str, steps: int | None = None) -> bool:
    """Whether some path leads from word up to general (in exactly so many steps, if given)."""
    if word == general and steps in (None, 0):
        return True
    if steps == 0:
        return False
    rest = None if steps is None else steps - 1
    return any(generalizes(links, parent, general, rest) for parent in links.get(word, ()))


def base_values(links: Links, word: str, level: int, reading: str) -> set[str]:
    """W(w^{+level}): the values that could have stood in the place of the word, and the word."""
    if level == 0:
        return {word}
    nodes = set(links) | {parent for parents in links.values() for parent in parents}
    inner = {parent for parents in links.values() for parent in parents}
    general = hypernym_path(links, word)[level]
    if reading == "level":
        return {node for node in nodes if generalizes(links, node, general, level)}
    return {word} | {n for n in nodes if n not in inner and generalizes(links, n, general)}


def base_texts(domains: Sequence[set[str]]) -> set[tuple[str, ...]]:
    """D: all texts that generalise to the general one."""
    return set(product(*domains))


def entropy(probabilities: Sequence[float]) -> float:
    return -sum(p * math.log2(p) for p in probabilities if p > 0)


def text_entropy(local: Sequence[Mapping[str, float]]) -> float:
    """H(d') from equations (3) and (4): over all base texts, words independent."""
    return entropy(
        [
            math.prod(p[word] for p, word in zip(local, text, strict=True))
            for text in product(*local)
        ]
    )


def cost(entropies: Sequence[float], log_t: float, alpha: float) -> float:
    m = len(entropies)
    first = alpha / m**2 * (sum(entropies) - log_t) ** 2
    return first + (1 - alpha) / m * sum((h - log_t / m) ** 2 for h in entropies)


def least_volume(volumes: Sequence[Sequence[int]], t: int) -> int | None:
    """The smallest |D| of at least t over all texts."""
    return min((p for p in map(math.prod, product(*volumes)) if p >= t), default=None)


def least_cost(rows: Sequence[Sequence[float]], log_t: float, alpha: float) -> float | None:
    """The least cost over all texts with H >= log t."""
    enough = (some for some in product(*rows) if math.fsum(some) >= log_t - 1e-9)
    return min((cost(some, log_t, alpha) for some in enough), default=None)


def cosine(first: Mapping[str, float], second: Mapping[str, float]) -> float:
    dot = sum(value * second.get(word, 0.0) for word, value in first.items())
    norms = [math.sqrt(sum(v * v for v in some.values())) for some in (first, second)]
    return dot / (norms[0] * norms[1]) if all(norms) else 0.0
