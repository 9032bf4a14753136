"""Learn from my review: a model of the project's own, measured on documents held out."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import BadInput
from ..recognizers import recognizer
from ..recognizers.learn import FOLDS, learn
from . import policies, reviewing
from .places import REVIEW, write_private

if TYPE_CHECKING:
    from ..core.progress import Progress
    from ..core.values import Data, JsonObject
    from ..recognizers.learnt_recognizer import LearntRecognizer
    from .reading import InputLimits

MODEL = "learnt.model"
BASES = ("en", "names-en", "rules-en", "rules-es")
SHOWN = 40  # places that differ


def work(
    project: Path, results: Path, allowed: InputLimits, progress: Progress, folds: int = FOLDS
) -> JsonObject:
    """Trains on the review, and tells what is found now that was not, and the other way round."""
    if not (project / REVIEW).is_file():
        raise BadInput("nothing was reviewed yet", where="review", remedy="decide some places")
    this = reviewing.found(project)
    named = policies.read(project).policy.recognizer or "en"
    base = named if named in BASES else "en"
    texts = this.source.filled
    groups = this.source.groups
    model = learn(
        *(project / REVIEW, base),
        texts=texts,
        groups=groups,
        partial=True,
        folds=min(folds, FOLDS),
        progress=progress,
    )
    progress("comparing", 0.9)
    write_private(project / MODEL, model.as_bytes())
    before, after = recognizer(base)(texts), model(texts)
    old = {(one.document, one.start, one.stop): one.label for one in before}
    new = {(one.document, one.start, one.stop): one.label for one in after}
    gained = sorted(new.keys() - old.keys())
    lost = sorted(old.keys() - new.keys())
    return {
        "model": MODEL,
        "base": base,
        **_measured(model),
        "gained": _counted(gained, new),
        "lost": _counted(lost, old),
        "gained_places": [[*place, new[place]] for place in gained[:SHOWN]],
        "lost_places": [[*place, old[place]] for place in lost[:SHOWN]],
    }


def _counted(places: list[tuple[int, int, int]], labels: dict[Data, str]) -> dict[str, int]:
    return dict(Counter(labels[place] for place in places).most_common())


def _measured(model: LearntRecognizer) -> dict[str, object]:
    """What was found in documents that were held out."""
    if model.report is None:
        return {}
    labels = {
        label: {
            "marked": one.marked,
            "recall": one.recall,
            "recall_of_base": one.by_base / one.marked if one.marked else None,
            "precision": one.precision,
        }
        for label, one in model.report.labels.items()
    }
    return {"documents": model.report.documents, "labels": labels}
