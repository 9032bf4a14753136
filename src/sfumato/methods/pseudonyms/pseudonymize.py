"""The verb `pseudonymize`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from ...core.claims import Claim
from ...core.corpus import Corpus, group_labels
from ...core.loss import Loss
from ...core.options import check_run, choose
from ...core.release import Release
from ...core.spans import Changes
from ...recognizers import spans_of
from .dates import day_first_votes, shifted
from .names import People, email, name_word, person, place
from .secret import Secret, secret_of
from .surrogates import SHAPES, Drawn, tag

if TYPE_CHECKING:
    from ...core.progress import Progress
    from ...core.spans import Span

Dates = Literal["shift", "keep", "label"]

PLACES = frozenset(("ORG", "LOCATION", "ADDRESS", "GPE", "LOC", "FAC"))
# Quasi-identifiers without a surrogate, and what is no identifier: they stay as they are.
STAY = frozenset(
    (
        *(
            "AGE",
            "GENDER",
            "COUNTRY",
            "OCCUPATION",
            "DIAGNOSIS",
            "RELATIVE",
            "NORP",
            "TIME",
            "DURATION",
            "MONEY",
        ),
        *("CARDINAL", "ORDINAL", "QUANTITY", "PERCENT", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW"),
        "LANGUAGE",
    )
)
MOST_DAYS = 364
STATEMENT = (
    "One entity has one surrogate and two entities of a kind never share one; within a group all "
    "full dates move by the same number of days. This is pseudonymisation and claims no anonymity."
)
NOT_PROTECTED = (
    "anonymity: whoever holds the key or the mapping can undo the release",
    "what no recogniser found, and everything around the surrogates",
    "how often, where and together with whom an entity occurs",
    "ages, gender, countries, occupations, diagnoses, times and amounts: they stay",
)


def pseudonymize(
    texts: Any,
    recognizer: Any = None,
    key: bytes | str | None = None,
    dates: Dates = "shift",
    groups: Any = None,
    *,
    engine: str | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Release:
    """Replaces what a recogniser found by surrogates: one entity, one surrogate, everywhere.

    `recognizer` is a name (`"rules-en"`, the default; `"rules-en+en_core_web_sm"`), a recogniser,
    or spans. Surrogates depend on the `key` (at least 16 bytes); without one a new key is drawn,
    and no other run agrees with this one. Dates move by a secret number of days, one for each of
    the `groups` (for instance patients), else for each text. Claims no anonymity.
    Cost: O(n) beside the recogniser.

    >>> notes = ["Dr. Ann Ho saw Mr. Li on 06/17/2021.", "Seen by Dr. Ho."]
    >>> release = pseudonymize(notes, key="a key of sixteen bytes")
    >>> "Ho" in " ".join(release.data), release.claims[0].name
    (False, 'consistent-pseudonyms')
    """
    corpus = Corpus.of(texts)
    choose("dates", dates, get_args(Dates))
    check_run(engine, seed, progress)
    labels = (
        np.arange(len(corpus.texts)) if groups is None else group_labels(groups, len(corpus.texts))
    )
    secret = secret_of(key, seed)
    spans = spans_of(recognizer, corpus.texts, progress)
    owners = _owners(groups, labels)
    found = [span for span in spans if span.label not in STAY]
    replaced = _Run(corpus.texts, secret, dates, owners).replacements(found)
    kept = [
        (span, new)
        for span, new in zip(found, replaced, strict=True)
        if new != corpus.texts[span.document][span.start : span.stop]
    ]
    parameters = {"recognizer": _shown(recognizer), "dates": dates, "seed": seed}
    dated = sum(span.label == "DATE" for span in found)
    return _release(corpus, groups, spans, kept, dated, parameters)


def _release(
    corpus: Corpus,
    groups: Any,
    spans: list[Span],
    kept: list[tuple[Span, str]],
    dated: int,
    parameters: dict[str, Any],
) -> Release:
    """The release with these replacements; `dated` dates were found."""
    moved = sum(span.label == "DATE" for span, _ in kept)
    shift = parameters["dates"] == "shift"
    loss = {
        "replaced": len(kept),
        "dates_shifted": moved if shift else 0,
        "dates_unread": dated - moved if shift else 0,
    }
    checked = {"dates": parameters["dates"], "groups": groups is not None}
    only = f"Nothing outside the {len(spans)} spans that were found or listed is changed."
    private = {
        "input": corpus,
        "spans": [(span.document, span.start, span.stop) for span in spans],
    }
    return Release(
        "pseudonymize",
        corpus.rebuild(_applied(corpus.texts, kept)),
        (
            Claim("consistent-pseudonyms", STATEMENT, checked),
            Claim("only-spans-changed", only, {"spans": len(spans)}),
        ),
        _changes(kept),
        Loss(loss),
        parameters,
        {"documents": len(corpus.texts), "symbols": sum(map(len, corpus.texts))},
        NOT_PROTECTED,
        (),
        private | ({"groups": groups} if groups is not None else {}),
    )


@dataclass(frozen=True, slots=True)
class _Run:
    """One run: the texts, the secret, and whose dates move together."""

    texts: list[str]
    secret: Secret
    dates: Dates
    owners: list[str]

    def replacements(self, spans: list[Span]) -> list[str]:
        """What stands for each span; entities are served in the order of their normal forms."""
        drawn = Drawn(self.secret)
        people = People.of(
            (self._text(span), _spanish(span)) for span in spans if span.label == "PERSON"
        )
        for word in sorted(_words(spans, self.texts)):
            name_word(word, people, drawn)
        numeric = [self._text(span) for span in spans if span.label == "DATE"]
        votes = day_first_votes(numeric)
        order = sorted(range(len(spans)), key=lambda i: (spans[i].label, self._text(spans[i])))
        result = [""] * len(spans)
        for i in order:
            span = spans[i]
            if span.label == "DATE":
                day_first = votes > 0 or (votes == 0 and _spanish(span))
                result[i] = self._date(span, day_first)
            else:
                result[i] = _surrogate(self._text(span), span, people, drawn)
        return result

    def _text(self, span: Span) -> str:
        return self.texts[span.document][span.start : span.stop]

    def _date(self, span: Span, day_first: bool) -> str:
        text = self._text(span)
        if self.dates == "keep":
            return text
        if self.dates == "label":
            return "[DATE]"
        number = self.secret.draw("days", self.owners[span.document], 0)
        days = number % (2 * MOST_DAYS) - MOST_DAYS
        moved = shifted(text, days + (days >= 0), day_first)
        return text if moved is None else moved


def _surrogate(text: str, span: Span, people: People, drawn: Drawn) -> str:
    if span.label == "PERSON":
        return person(text, people, drawn)
    if span.label == "EMAIL":
        return email(text, people, drawn)
    if span.label in PLACES:
        return place(text, _spanish(span), drawn)
    return drawn.surrogate(span.label, text, SHAPES.get(span.label) or tag(span.label))


def _words(spans: Iterable[Span], texts: list[str]) -> set[str]:
    """All the words of people's names that need a surrogate, so that sorting serves them."""
    from .lists import PARTICLES, TITLES
    from .names import WORD

    return {
        plain
        for span in spans
        if span.label == "PERSON"
        for word in WORD.finditer(texts[span.document][span.start : span.stop])
        if len(plain := word[0].rstrip(".").casefold()) > 1 and plain not in TITLES | PARTICLES
    }


def _spanish(span: Span) -> bool:
    return span.why.startswith("rules-es")


def _owners(groups: Any, labels: Any) -> list[str]:
    """Whose dates move together: the group by its own name, so that other runs agree."""
    if groups is None:
        return [f"document {number}" for number in labels]
    try:
        names = Corpus.of(groups, "groups").texts
    except ValueError:  # not texts: numbers, for instance
        names = [str(name) for name in groups]
    return [f"group {name}" for name in names]


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


def _shown(recognizer: Any) -> str:
    if recognizer is None or isinstance(recognizer, str):
        return recognizer or "rules-en"
    return "given"
