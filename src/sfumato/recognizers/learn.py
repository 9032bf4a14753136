"""Learning from review: what a person accepted, rejected and added, on top of a base.

Weights are learnt of hashed features. No feature tells a word that is on no public list and stands
outside the marks in fewer than `RARE` documents, and none stands in fewer documents than that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ..core.errors import BadInput
from ..core.options import check_kinds
from ..core.printed_form import by_sizes
from ..kernels import tagger
from .learnt_recognizer import (
    AS_BASE,
    MOST_TYPES,
    NONE,
    LearntRecognizer,
    Setting,
    base_of,
    hints_of,
)
from .names import english
from .overlaps import require_inside, resolve
from .reviewed_texts import ReviewedTexts, reviewed_of
from .roles import KEEP

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.progress import Progress
    from ..core.spans import Span

RARE = 3  # documents
EPOCHS, RATE, L1, L2 = 6, 0.2, 0.3, 0.3
FOLDS = 4
# What held-out documents choose among: how much a model leans towards finding.
LEANS = (-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0)
BETA = 2.0  # a mention that is missed counts more than letters in vain
PRICE = 0.01  # the share of right letters that may be lost for mentions that are found
MANY = 40  # documents; fewer cannot tell small differences
CLEAR = 0.05  # by so much must few documents be better without something of their base


@dataclass(frozen=True, slots=True)
class LabelScore:
    """Of one label: mentions marked and wholly found, letters found and right."""

    marked: int = 0
    found: int = 0
    by_base: int = 0
    letters: int = 0
    right: int = 0

    @property
    def recall(self) -> float:
        """The share of marked mentions all of whose symbols were found, under any label."""
        return self.found / self.marked if self.marked else 1.0

    @property
    def precision(self) -> float:
        """The share of symbols found under this label that lie in some mention."""
        return self.right / self.letters if self.letters else 1.0

    @property
    def weighted(self) -> float:
        """The F measure of both, which counts what is missed more."""
        both = BETA**2 * self.precision + self.recall
        return (1 + BETA**2) * self.precision * self.recall / both if both else 0.0

    def plus(self, other: LabelScore) -> LabelScore:
        """The sum of both."""
        return LabelScore(
            self.marked + other.marked,
            self.found + other.found,
            self.by_base + other.by_base,
            self.letters + other.letters,
            self.right + other.right,
        )


@dataclass(frozen=True, slots=True)
class Report:
    """What was found in documents that were not learnt from, by label."""

    documents: int
    folds: int
    labels: Mapping[str, LabelScore]

    __repr__ = by_sizes

    @property
    def all(self) -> LabelScore:
        """All labels together."""
        total = LabelScore()
        for one in self.labels.values():
            total = total.plus(one)
        return total


def learn(
    reviewed: object,
    base: str = "names-en",
    *,
    texts: Sequence[str] | None = None,
    groups: Sequence[Hashable] | None = None,
    text_column: str = "text",
    partial: bool = False,
    folds: int = FOLDS,
    seed: int = 0,
    progress: Progress | None = None,
) -> LearntRecognizer:
    """A recogniser learnt from reviewed texts, on top of a base (a recogniser's name, or `none`).

    `reviewed` is a file of records with `text` and `spans`, a review file or spans (then `texts`
    are what they belong to), or a folder of brat. What is not marked in a reviewed text is none;
    with `partial` what the base finds and no line speaks of counts as accepted. `.report` tells
    what was found of documents that were held out (`folds` times; 0: not measured). The documents
    of one of the `groups` are held out together. The fifteen most frequent labels are learnt.
    Held-out documents choose how much the model leans towards finding, and whether it corrects the
    base (fewer than forty only if that is clearly better) or only adds to it. What finds less than
    the base there, or has one point fewer of its letters right, is not taken; if nothing is better
    the base stays as it is.
    Cost: seconds for 200 notes, `folds` + 1 times.

    >>> from sfumato import Span
    >>> texts = [f"Seen by team {name}." for name in ("Red", "Blue", "Green", "Grey")] * 5
    >>> spans = [Span(i, 13, len(text) - 1, "TEAM") for i, text in enumerate(texts)]
    >>> ward = learn(spans, "none", texts=texts, folds=2)
    >>> [(span.start, span.label) for span in ward(["Seen by team Pink."])]
    [(13, 'TEAM')]
    """
    check_kinds(whole={"folds": folds, "seed": seed}, flag={"partial": partial})
    given = reviewed_of(reviewed, texts, text_column)
    if len(given.texts) < 2 * RARE:
        raise BadInput(
            f"expected at least {2 * RARE} reviewed documents, found {len(given.texts)}",
            where="reviewed",
        )
    model = base_of(base)
    empty = LearntRecognizer(base, (), tagger.Weights(1, {}))
    found = [] if model is None else empty.based(given.texts, progress)
    require_inside(found, list(given.texts))
    if partial:
        given = replace(given, spans=_with_base(given, found))
    types = _types(given.spans, found)
    if not types:
        raise BadInput("nothing is marked, and the base finds nothing", where="reviewed")
    study = _Study(given.texts, resolve(given.spans), found, types, base, seed)
    tried = study.held_out(_parts(folds, len(given.texts)), groups, progress)
    setting = chosen(tried)
    learnt = study.learnt(np.arange(len(given.texts)), progress).set_to(setting)
    return replace(learnt, report=tried[setting] if folds else None)


def _parts(folds: int, documents: int) -> int:
    """How often documents are held out: a choice needs it even where nothing is to be measured, and
    few documents can spare few of them.
    """
    return min(max(folds, 10), documents) if documents < MANY else folds or 2


def _settings(based: bool, documents: int) -> list[Setting]:
    """What is tried: to add to a base, to correct it if documents are many, or neither."""
    if not based:
        return [Setting(lean) for lean in LEANS]
    added = [lean for lean in LEANS if lean <= 0 or documents >= MANY]
    return [*(Setting(lean, True) for lean in added), *map(Setting, LEANS), AS_BASE]


def chosen(tried: Mapping[Setting, Report]) -> Setting:
    """The setting that finds most and errs least of those that are no worse than the base.

    >>> base, more = LabelScore(10, 6, 6, 100, 80), LabelScore(10, 8, 6, 100, 85)
    >>> worse = LabelScore(10, 9, 6, 100, 70)
    >>> said = {AS_BASE: base, Setting(0.0, True): more, Setting(2.0, True): worse}
    >>> chosen({one: Report(9, 3, {"A": score}) for one, score in said.items()}).lean
    0.0
    """
    base = tried[AS_BASE].all if AS_BASE in tried else LabelScore(1, 0, 0, 1, 0)
    able = {
        setting: score
        for setting, report in tried.items()
        for score in (report.all,)
        if score.recall >= base.recall and score.precision >= base.precision - PRICE
    }
    few = any(report.documents < MANY for report in tried.values()) and AS_BASE in tried

    def worth(setting: Setting) -> tuple[float, float]:
        less = CLEAR if few and not setting.adds else 0.0
        return able[setting].weighted - less, -abs(setting.lean)  # of equals, what was learnt

    return max(able, key=worth)


def _with_base(given: ReviewedTexts, found: Sequence[Span]) -> list[Span]:
    """The marks, and what the base found where no line speaks of it."""
    spoken: dict[int, list[tuple[int, int]]] = {}
    for document, start, stop in given.spoken:
        spoken.setdefault(document, []).append((start, stop))
    return [
        *given.spans,
        *(
            span
            for span in found
            if not any(a < span.stop and span.start < b for a, b in spoken.get(span.document, ()))
        ),
    ]


def _types(spans: Sequence[Span], found: Sequence[Span]) -> tuple[str, ...]:
    """The labels to learn: the most frequent of the marks, then of what the base hides."""
    marked = Counter(span.label for span in spans)
    others = Counter(
        span.label for span in found if span.label not in marked and span.label not in KEEP
    )
    order = [label for label, _ in (*marked.most_common(), *others.most_common())]
    return tuple(order[:MOST_TYPES])


@dataclass(frozen=True, slots=True)
class _Study:
    texts: Sequence[str]
    spans: list[Span]
    found: list[Span]
    types: tuple[str, ...]
    base: str
    seed: int

    __repr__ = by_sizes

    def learnt(
        self, documents: NDArray[np.int64], progress: Progress | None = None
    ) -> LearntRecognizer:
        """The model of some documents."""
        report = None if progress is None else lambda share: progress("learn", share)
        marks = hints_of(_of(self.spans, documents), self.types)
        weights = tagger.train(
            [self.texts[i] for i in documents.tolist()],
            english().lexicon,
            len(self.types),
            tagger.Marks(*marks[:4]),
            hints=hints_of(_of(self.found, documents), self.types),
            hide=True,
            epochs=EPOCHS,
            rate=RATE,
            l1=L1,
            l2=L2,
            rare=RARE,
            seed=self.seed,
            progress=report,
        )
        return LearntRecognizer(self.base, self.types, weights)

    def held_out(
        self, folds: int, groups: Sequence[Hashable] | None, progress: Progress | None
    ) -> dict[Setting, Report]:
        """What each fold's model finds in the documents it was not learnt from, by setting."""
        count = len(self.texts)
        fold = _folds(count, folds, groups, self.seed)
        settings = _settings(self.base != NONE, count)
        scores: dict[Setting, dict[str, LabelScore]] = {setting: {} for setting in settings}
        for number in range(folds):
            out = np.flatnonzero(fold == number)
            if not len(out) or len(out) == count:
                continue
            model = self.learnt(np.flatnonzero(fold != number), progress)
            texts = [self.texts[i] for i in out.tolist()]
            hinted, marked = _of(self.found, out), _of(self.spans, out)
            for setting, labels in scores.items():
                found = [
                    span
                    for span in model.set_to(setting).tagged(texts, hinted)
                    if span.label in self.types or span.label not in KEEP
                ]
                for label, one in measured(texts, marked, found, hinted).items():
                    labels[label] = labels.get(label, LabelScore()).plus(one)
        return {
            setting: Report(count, folds, dict(sorted(labels.items())))
            for setting, labels in scores.items()
        }


def _of(spans: Sequence[Span], documents: NDArray[np.int64]) -> list[Span]:
    """The spans of some documents, which are numbered anew."""
    numbers = {document: number for number, document in enumerate(documents.tolist())}
    return [
        replace(span, document=numbers[span.document]) for span in spans if span.document in numbers
    ]


def _folds(
    count: int, folds: int, groups: Sequence[Hashable] | None, seed: int
) -> NDArray[np.int64]:
    """The fold of every document; those of a group are together."""
    if groups is None:
        groups = range(count)
    if len(groups) != count:
        raise BadInput(f"expected {count}, one for each text, found {len(groups)}", where="groups")
    numbers: dict[Hashable, int] = {}
    of_group = np.array([numbers.setdefault(one, len(numbers)) for one in groups], np.int64)
    shuffled = np.random.default_rng(seed).permutation(len(numbers))
    return shuffled[of_group] % folds


def measured(
    texts: Sequence[str], marked: Sequence[Span], found: Sequence[Span], base: Sequence[Span] = ()
) -> dict[str, LabelScore]:
    """What was found of marked mentions, and how much of what was found is right, by label.

    >>> from sfumato import Span
    >>> one = measured(["Ann saw Bo."], [Span(0, 0, 3, "A")], [Span(0, 0, 6, "A")])["A"]
    >>> one.recall, one.precision
    (1.0, 0.5)
    """
    covered, held, by_base = (_covered(texts, spans) for spans in (found, marked, base))
    labels: dict[str, LabelScore] = {}

    def add(label: str, one: LabelScore) -> None:
        labels[label] = labels.get(label, LabelScore()).plus(one)

    for span in marked:
        place = slice(span.start, span.stop)
        whole = bool(covered[span.document][place].all())
        add(span.label, LabelScore(1, whole, bool(by_base[span.document][place].all())))
    for span in found:
        right = int(held[span.document][span.start : span.stop].sum())
        add(span.label, LabelScore(letters=span.stop - span.start, right=right))
    return labels


def _covered(texts: Sequence[str], spans: Sequence[Span]) -> list[NDArray[np.bool_]]:
    result = [np.zeros(len(text), bool) for text in texts]
    for span in spans:
        result[span.document][span.start : span.stop] = True
    return result
