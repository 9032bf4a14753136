"""A release against gold spans and against a task: what was protected, what was kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..core.corpus import Corpus
from ..core.errors import BadInput
from ..metrics.downstream import Downstream, downstream
from ..metrics.entities import EntityScores, entity_scores
from ..metrics.masked_symbols import marks_of, masked, texts_of
from ..metrics.tokens import EXEMPT, SHARE, TokenScores, token_scores
from ..recognizers.gold import gold_of

if TYPE_CHECKING:
    from ..core.values import Data, JsonObject


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What was measured; None is what was not asked for. Numbers only.

    `masked_share` is the share of the original's symbols that the release does not show.
    """

    masked_share: float
    tokens: TokenScores | None = None
    entities: EntityScores | None = None
    downstream: Downstream | None = None

    def as_dict(self) -> JsonObject:
        """The evaluation as plain JSON values."""
        parts = {
            "tokens": self.tokens,
            "entities": self.entities,
            "downstream": self.downstream,
        }
        measured = {name: part.as_dict() for name, part in parts.items() if part is not None}
        return {"masked_share": self.masked_share, **measured}


def evaluate(
    original: Data,
    release: Data,
    gold: object = None,
    *,
    share: float = SHARE,
    exempt: str = EXEMPT,
    preset: str = "default",
    reference: Data = None,
    labels: object = None,
    groups: Data = None,
    mask: str | None = None,
    seed: int = 0,
) -> Evaluation:
    """Measures a release against gold spans, and by a classifier trained on it.

    `gold` are spans, or for each document a list of dictionaries (start, end, label; id_type and
    entity_id where known). Tokens as in the substrings paper: protected is one with more than
    `share` of its symbols masked, borders are the `exempt` symbols. Entities as in the Text
    Anonymization Benchmark; `reference` texts give the information content of words (default: the
    original). With `labels`, one for each document, a classifier is trained on the release and
    tested on the originals of other people (`groups`).
    Cost: O(n).

    >>> result = evaluate(["Ann has flu", "Bob has flu"], ["★★★ has flu", "Bob has flu"],
    ...                   [[{"start": 0, "end": 3, "label": "PERSON"}]] * 2)
    >>> result.tokens.recall, result.tokens.precision, result.entities.direct_recall
    (0.5, 1.0, 0.5)
    """
    if not isinstance(share, (int, float)) or not 0 <= share < 1:
        raise BadInput("expected a share from 0 to below 1", where="share")
    before, after = texts_of(original, release)
    flags = masked(original, release, mask)
    symbols = sum(map(len, before))
    tokens = entities = None
    if gold is not None:
        marked = gold_of(gold, before, preset)
        identifying = [one for one in marked if one.role != "keep"]
        tokens = token_scores(before, flags, identifying, share, exempt)
        known = None if reference is None else Corpus.of(reference, "reference").texts
        entities = entity_scores(before, flags, marked, known)
    task = None
    if labels is not None:
        hidden = marks_of(release, mask)
        task = downstream(before, after, labels, groups, hidden=hidden, seed=seed)
    share_masked = sum(int(one.sum()) for one in flags) / symbols if symbols else 0.0
    return Evaluation(share_masked, tokens, entities, task)
