"""What generalised words are worth: similarity, entropy and information, against suppression."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..core.corpus import Corpus
from ..ontologies import Ontology, volume
from ..ontologies.protocol import WORD

if TYPE_CHECKING:
    from ..core.release import Release


@dataclass(frozen=True, slots=True)
class Similarity:
    """How similar a release is to its original: the true cosine, and as the paper divides."""

    cosine: float
    paper: float


def similarity(kept: Sequence[float], generalized: Sequence[tuple[float, int]]) -> Similarity:
    """Cosine of the frequency vectors; a general word shares its weight among its base values.

    `kept` are the frequencies of untouched words, `generalised` (frequency, volume) pairs; a
    suppressed word has volume 0. Base values of different words are taken as different. The paper
    divides both vectors by the norm of the original, so that its figures are lower.

    Paper: Section VI-D. Cost: O(words).

    >>> similarity([1], [(1, 2)])  # Diagnose, TB -> infectious disease
    Similarity(cosine=0.8660254037844386, paper=0.75)
    >>> similarity([1], [(1, 0)])  # Diagnose, TB -> *
    Similarity(cosine=0.7071067811865476, paper=0.5)
    """
    original = math.fsum(f * f for f in kept) + math.fsum(f * f for f, _ in generalized)
    if original == 0:
        return Similarity(1.0, 1.0)
    # v base values of weight f / v each: the same sum is the product and the squared norm.
    shared = math.fsum(f * f for f in kept) + math.fsum(f * f / v for f, v in generalized if v)
    return Similarity(math.sqrt(shared / original), shared / original)


@dataclass(frozen=True, slots=True)
class WordEntropies:
    """H of every generalised word, in bits, and how uniform they are."""

    values: tuple[float, ...]
    mean: float
    variance: float
    largest: float


def word_entropies(volumes: Sequence[int]) -> WordEntropies:
    """The entropies of general words whose base values are equally likely.

    Paper: equation (2); the variance and the maximum are Figures 3(d) and 3(e).

    >>> word_entropies([4, 2, 2, 2]).variance
    0.1875
    """
    values = tuple(map(math.log2, volumes))
    if not values:
        return WordEntropies((), 0.0, 0.0, 0.0)
    mean = math.fsum(values) / len(values)
    variance = math.fsum((h - mean) ** 2 for h in values) / len(values)
    return WordEntropies(values, mean, variance, max(values))


def information_lost(ontology: Ontology, node: int, general: int) -> float:
    """The information content, in bits, that a word loses when it becomes a general one.

    The content of a node is -log2 of the share of all leaves that stand below it.

    >>> from sfumato.ontologies import wordnet
    >>> sacramento = wordnet().senses("sacramento")[0]
    >>> round(information_lost(wordnet(), sacramento, wordnet().path(sacramento)[1]), 2)
    5.81
    """
    return math.log2(ontology.leaves(general) / ontology.leaves(node))


def measure(release: Release) -> Mapping[str, float]:
    """Measures of a release of `generalize`, beside what plain suppression would have kept.

    Every word of the original counts as often as it occurs; equal words of a document have one
    frequency. Cost: O(text).

    >>> import sfumato as sf
    >>> note = "Uses marijuana for phantom limb pain"
    >>> words = ["marijuana", "phantom limb pain"]
    >>> release = sf.generalize(note, t=10, words=words, guarantee="plausible")
    >>> {name: round(value, 2) for name, value in measure(release).items()}
    {'cosine': 0.8, 'cosine_suppressed': 0.71, 'similarity_paper': 0.63,
     'similarity_suppressed_paper': 0.5, 'entropy_mean': 1.95, 'entropy_variance': 0.14,
     'entropy_max': 2.32, 'information_lost': 2.58}
    """
    ontology = release.sides.ontology
    assert ontology is not None
    texts = Corpus.of(release.sides.input).texts
    reading = release.parameters.get("volume", "leaves")
    by_document: dict[int, list[tuple[int, int, int, int]]] = {}
    for document, *mark in release.sides.marks or ():
        start, stop, node, general = mark
        by_document.setdefault(document, []).append((start, stop, node, general))
    kept: list[float] = []
    changed: list[tuple[float, int]] = []
    volumes: list[int] = []
    lost: list[float] = []
    for i, text in enumerate(texts):
        marks = by_document.get(i, [])
        kept += _kept(text, [(start, stop) for start, stop, _, _ in marks])
        for (node, general), count in Counter((n, g) for _, _, n, g in marks if n >= 0).items():
            if general == len(ontology):  # masked, as all that no general word stands for
                changed.append((count, 0))
                continue
            size = volume(ontology, node, ontology.path(node).index(general), reading)  # type: ignore[arg-type]
            changed.append((count, size))
            volumes.append(size)
            lost.append(information_lost(ontology, node, general))
        changed += [(1, 0)] * sum(n < 0 for _, _, n, _ in marks)
    ours = similarity(kept, changed)
    suppressed = similarity(kept, [(count, 0) for count, _ in changed])
    entropies = word_entropies(volumes)
    return {
        "cosine": ours.cosine,
        "cosine_suppressed": suppressed.cosine,
        "similarity_paper": ours.paper,
        "similarity_suppressed_paper": suppressed.paper,
        "entropy_mean": entropies.mean,
        "entropy_variance": entropies.variance,
        "entropy_max": entropies.largest,
        "information_lost": math.fsum(lost),
    }


def _kept(text: str, marked: Sequence[tuple[int, int]]) -> list[float]:
    """The frequencies of the words outside the marked places."""
    counts: Counter[str] = Counter()
    for match in WORD.finditer(text):
        if not any(start <= match.start() < stop for start, stop in marked):
            counts[match.group().casefold()] += 1
    return [float(count) for count in counts.values()]
