"""The Text Anonymization Benchmark's measures, with corpus frequencies in place of a neural model.

Paper: Pilán et al., "The Text Anonymization Benchmark (TAB)", Computational Linguistics 48(4),
2022, Section 5. Privacy: recall of direct identifiers and of quasi-identifiers, by entity: one
mention left legible gives the entity away. Utility: precision, each masked word weighted by its
information content, so that masking a telling word costs more than masking a frequent one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from math import log2
from typing import TYPE_CHECKING

import numpy as np

from .masked_symbols import flags_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.spans import Gold

    Flags = NDArray[np.bool_]

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class EntityScores:
    """Entity recall by role, mention recall, and precision plain and weighted.

    A share without anything to count is 1.
    """

    direct_recall: float
    quasi_recall: float
    direct_entities: int
    quasi_entities: int
    mention_recall: float
    mentions: int
    token_recall: float
    precision: float
    weighted_precision: float

    def as_dict(self) -> dict[str, float]:
        """Name -> number."""
        return asdict(self)


def entity_scores(
    texts: Sequence[str],
    masked: Sequence[Flags],
    gold: Iterable[Gold],
    reference: Sequence[str] | None = None,
) -> EntityScores:
    """TAB's measures of a release. `reference` gives the frequencies, by default the texts.

    A mention is masked when none of its letters and digits is legible, an entity when all its
    mentions in a document are. A word (a run of letters and digits) is masked when one of its
    letters is. Cost: O(n).

    >>> from sfumato.core.spans import Gold
    >>> gold = [Gold(0, 0, 3, "PERSON", role="direct"), Gold(0, 8, 11, "PERSON", role="direct")]
    >>> masked = [np.array([symbol == "★" for symbol in "★★★ and Ann has ★★★"])]
    >>> scores = entity_scores(["Ann and Ann has flu"], masked, gold)
    >>> scores.direct_recall, scores.mention_recall, scores.precision
    (0.0, 0.5, 0.5)
    """
    mentions = [one for one in gold if one.role in ("direct", "quasi")]
    letters = [flags_of([m.span() for m in _WORD.finditer(text)], len(text)) for text in texts]
    legible = [known & ~hidden for known, hidden in zip(letters, masked, strict=True)]
    entities: dict[tuple[int, str, str], tuple[set[str], bool]] = {}
    hidden_mentions = 0
    for one in mentions:
        is_hidden = not legible[one.document][one.start : one.stop].any()
        hidden_mentions += is_hidden
        name = one.entity or texts[one.document][one.start : one.stop].casefold()
        key = one.document, name, "" if one.entity else one.label
        roles, before = entities.get(key, (set(), True))
        entities[key] = roles | {one.role}, before and is_hidden
    found = {"direct": [0, 0], "quasi": [0, 0]}
    for roles, is_hidden in entities.values():
        counts = found["direct" if "direct" in roles else "quasi"]
        counts[0] += is_hidden
        counts[1] += 1
    words = _words(texts, masked, mentions, information(reference or texts))
    return EntityScores(
        _share(*found["direct"]),
        _share(*found["quasi"]),
        found["direct"][1],
        found["quasi"][1],
        _share(hidden_mentions, len(mentions)),
        len(mentions),
        *words,
    )


def information(texts: Iterable[str]) -> dict[str, float]:
    """Every word's information content: -log2 of its share of all words, one added to each count.

    The empty word stands for all that never occur.

    >>> content = information(["to be or not to be"])
    >>> round(content["to"], 2), round(content["not"], 2), round(content[""], 2)
    (1.87, 2.46, 3.46)
    """
    counts = Counter(word for text in texts for word in _WORD.findall(text.casefold()))
    total = counts.total() + len(counts) + 1
    return {word: -log2((count + 1) / total) for word, count in [*counts.items(), ("", 0)]}


def _words(
    texts: Sequence[str],
    masked: Sequence[Flags],
    mentions: Sequence[Gold],
    content: dict[str, float],
) -> tuple[float, float, float]:
    """Recall of the words of mentions; precision of masked words, plain and weighted."""
    spans: dict[int, list[tuple[int, int]]] = {}
    for one in mentions:
        spans.setdefault(one.document, []).append((one.start, one.stop))
    wanted = both = hidden = 0
    weight = right_weight = 0.0
    for number, (text, flags) in enumerate(zip(texts, masked, strict=True)):
        marked = flags_of(spans.get(number, []), len(text))
        hidden_before = np.concatenate([[0], np.cumsum(flags)]).tolist()
        marked_before = np.concatenate([[0], np.cumsum(marked)]).tolist()
        for match in _WORD.finditer(text):
            start, stop = match.span()
            is_hidden = hidden_before[stop] > hidden_before[start]
            is_wanted = marked_before[stop] > marked_before[start]
            wanted += is_wanted
            both += is_wanted and is_hidden
            if is_hidden:
                hidden += 1
                value = content.get(match.group().casefold(), content[""])
                weight += value
                right_weight += value if is_wanted else 0.0
    weighted = right_weight / weight if weight else 1.0
    return _share(both, wanted), _share(both, hidden), weighted


def _share(some: int, of: int) -> float:
    return some / of if of else 1.0
