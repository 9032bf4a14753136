"""The verb `pseudonymize`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.corpus import Corpus
from ...core.engine import elsewhere, is_elsewhere
from ...core.labels import group_labels, label_form
from ...core.loss import Loss
from ...core.method import check_options
from ...core.options import check_run
from ...core.release import Release, Sides
from ...core.spans import Changes
from ...recognizers import spans_of
from ...recognizers.give_back import given_back
from ...recognizers.installed_recognizers import DEFAULT
from ...recognizers.weekdays import with_weekdays
from .claims import NOT_PROTECTED, claims_of
from .entities import LABELLED, STAY, Dates, Entities, Surrogates
from .method_options import Options
from .operators import checked
from .secret import secret_of

if TYPE_CHECKING:
    from ...core.progress import Progress
    from ...core.spans import Span
    from ...core.values import Data, JsonObject, JsonValues
    from ...recognizers.give_back import Returned


def pseudonymize(
    texts: Data,
    recognizer: object = None,
    key: bytes | str | None = None,
    dates: Dates = "shift",
    groups: Data = None,
    *,
    operators: Mapping[str, str] | None = None,
    give_back: int | None = None,
    engine: object = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Release:
    """Replaces what a recogniser found by surrogates: one entity, one surrogate, everywhere.

    `recognizer` is a name (`"en"`, the default; `"en+en_core_web_sm"`), a recogniser,
    or spans. Surrogates depend on the `key` (at least 16 bytes); without one a new key is drawn,
    and no other run agrees with this one. Dates move by a secret number of days, one for each of
    the `groups` (for instance patients), else for each text. A quasi-identifier that `give_back`
    people write stays as it is. `operators` say what becomes of a label: tag, mask, hash, encrypt,
    replace or keep (`{"PHONE": "mask"}`). Claims no anonymity.
    Cost: O(n) beside the recogniser.

    >>> notes = ["Dr. Ann Ho saw Mr. Li on 06/17/2021.", "Seen by Dr. Ho."]
    >>> release = pseudonymize(notes, key="a key of sixteen bytes")
    >>> "Ho" in " ".join(release.data), release.claims[0].name
    (False, 'consistent-pseudonyms')
    """
    if is_elsewhere(engine):
        made: Release = elsewhere("pseudonymize", locals())
        return made
    corpus = Corpus.of(texts)
    check_options(Options, {"dates": dates, "give_back": give_back})
    check_run(engine, seed, progress)
    labels = (
        np.arange(len(corpus.texts)) if groups is None else group_labels(groups, len(corpus.texts))
    )
    stories = None if groups is None else labels.tolist()
    spans = spans_of(recognizer, corpus.texts, progress, stories)
    spans, back = given_back(spans, corpus.texts, give_back, stories)
    told = checked(operators)
    entities = Entities()
    entities.learn(corpus.texts, spans, told)
    surrogates = Surrogates.of(entities, secret_of(key, seed), told)
    parameters = {"recognizer": shown(recognizer), "dates": dates, "seed": seed}
    if give_back is not None:
        parameters["give_back"] = give_back
    if told:
        parameters["operators"] = told
    owners = owners_of(groups, labels)
    return released(corpus, groups, spans, surrogates, owners, parameters, back)


def released(
    corpus: Corpus,
    groups: Data,
    spans: list[Span],
    surrogates: Surrogates,
    owners: list[str],
    parameters: JsonObject,
    back: Returned | None = None,
) -> Release:
    """The release of some documents, when the surrogates of all are settled."""
    texts = corpus.texts
    stay = _stay(parameters)
    if _dates(parameters) == "shift":
        # A weekday that stays beside a moved date would tell by how many days, modulo seven.
        spans = with_weekdays(texts, spans)
    found = [span for span in spans if span.label not in stay]
    replaced = surrogates.replacements(texts, found, owners, parameters["dates"])
    kept = [
        (span, new)
        for span, new in zip(found, replaced, strict=True)
        if new != texts[span.document][span.start : span.stop]
    ]
    return _release(corpus, groups, spans, kept, parameters, back)


def _release(
    corpus: Corpus,
    groups: Data,
    spans: list[Span],
    kept: list[tuple[Span, str]],
    parameters: Mapping[str, object],
    back: Returned | None,
) -> Release:
    """The release with these replacements."""
    dates = [new for span, new in kept if span.label == "DATE"]
    unread = sum(new in LABELLED for new in dates)
    shift = _dates(parameters) == "shift"
    loss = {
        "replaced": len(kept),
        "dates_shifted": len(dates) - unread if shift else 0,
        "dates_unread": unread if shift else 0,
    }
    stay = sorted(_stay(parameters) | ({"DATE"} if _dates(parameters) == "keep" else set()))
    places = [(span.document, span.start, span.stop, span.label) for span in spans]
    return Release(
        verb="pseudonymize",
        data=corpus.rebuild(_applied(corpus.texts, kept)),
        claims=claims_of(
            {**parameters, "dates": _dates(parameters)}, stay, grouped=groups is not None
        ),
        changes=_changes(kept),
        loss=Loss(loss),
        parameters=parameters,
        counts={
            "documents": len(corpus.texts),
            "symbols": sum(map(len, corpus.texts)),
            "spans": len(spans),
        },
        not_protected=NOT_PROTECTED,
        warnings=(),
        sides=Sides(
            input=corpus,
            spans=places,
            groups=groups,
            given_back=back if "give_back" in parameters else None,
        ),
    )


def _stay(parameters: JsonValues) -> frozenset[str]:
    """The labels that are left alone: those that stay anyway, but with operators as they say."""
    operators = parameters.get("operators", {})
    kept = {label for label, operator in operators.items() if operator == "keep"}
    return frozenset((STAY - operators.keys()) | kept)


def _dates(parameters: JsonValues) -> str:
    """What becomes of dates: as an operator says, which moves none."""
    operator = parameters.get("operators", {}).get("DATE")
    if operator is None:
        return str(parameters["dates"])
    return "keep" if operator == "keep" else "label"


def owners_of(groups: Data, labels: Data) -> list[str]:
    """Whose dates move together: the group by its own name, so that other runs agree."""
    if groups is None:
        return [f"document {number}" for number in labels]
    try:
        names = Corpus.of(groups, "groups").texts
    except ValueError:  # not texts: numbers, for instance
        names = [str(name) for name in groups]
    return [f"group {label_form(name)}" for name in names]


def _changes(kept: list[tuple[Span, str]]) -> Changes:
    def array(values: Iterable[int]) -> Any:
        return np.fromiter(values, np.int64, len(kept))

    return Changes(
        array(span.document for span, _ in kept),
        array(span.start for span, _ in kept),
        array(span.stop for span, _ in kept),
        [new for _, new in kept],
        [span.label for span, _ in kept],
    )


def _applied(texts: list[str], kept: list[tuple[Span, str]]) -> list[str]:
    pieces: list[list[str]] = [[] for _ in texts]
    at = [0] * len(texts)
    for span, new in kept:
        text = texts[span.document]
        pieces[span.document] += [text[at[span.document] : span.start], new]
        at[span.document] = span.stop
    return [
        "".join(parts) + text[start:] for parts, text, start in zip(pieces, texts, at, strict=True)
    ]


def shown(recognizer: object) -> str:
    """The recogniser for the certificate."""
    if recognizer is None or isinstance(recognizer, str):
        return recognizer or DEFAULT
    return "given"
