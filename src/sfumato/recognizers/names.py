"""Names in English text by the package's own tagger, and by its lists alone.

How they were made, from what, and what they find: docs/recognizers/names-en.md.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..core.arrays import read_arrays, write_arrays
from ..core.errors import BadInput
from ..core.spans import Span, quick_span
from ..kernels import tagger
from .growth import grown
from .legible import legible
from .mention_bounds import kept, stripped
from .overlaps import cover, resolve
from .rules import rules
from .story import follow
from .weekdays import with_weekdays

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.progress import Progress
    from ..core.values import JsonObject
    from .combine import Recognizer

DATA = Path(__file__).parent / "data"
WEIGHTS, LEXICON = b"SFNAMES2", b"SFLISTS2"
# In the order of the weights' labels; a new one goes to the end.
TYPES = ("PERSON", "LOCATION", "ORGANIZATION", "ADDRESS", "NATIONALITY", "OCCUPATION", "DATE")
# The lexicon's classes, by bit.
CLASSES = (
    *("GIVEN", "SURNAME", "CITY", "PLACE", "COUNTRY", "NATIONALITY", "ORGANIZATION"),
    *("ORGANIZATION_WORD", "STREET_WORD", "TITLE", "TIME", "PERSON_NOUN", "PLACE_NOUN"),
    *("GROUP_NOUN", "COMMON"),
)
# Words of these classes are no names by themselves.
USUAL = sum(
    1 << CLASSES.index(name)
    for name in ("COMMON", "TIME", "TITLE", "STREET_WORD", "ORGANIZATION_WORD", "PERSON_NOUN")
)
FROM = re.compile(r" (?:of|from|in|at) (?=[A-Z])")
# What rules know by check digits, by their shape or by the words before them.
EXACT = frozenset(
    (
        *("EMAIL", "URL", "PHONE", "IP", "IBAN", "CREDIT_CARD", "SSN", "NATIONAL_ID", "MRN"),
        *("ACCOUNT", "LICENSE", "INSURANCE", "VEHICLE", "DEVICE", "WALLET", "COORDINATES"),
        *("IDENTIFIER", "USERNAME"),
    )
)
NO_ADDRESS = frozenset(("EMAIL", "URL", "PHONE", "IP", "IBAN", "CREDIT_CARD", "SSN"))
FAR = 30 * tagger.UNIT  # a margin beyond which the score stays as it is
# How words are written, by bit, as the kernel tells it.
LOWER, TITLE_CASE, UPPER, MIXED = 2, 4, 8, 32


@dataclass(frozen=True, slots=True)
class Model:
    """Weights, the lexicon they were learnt with, and how much they lean towards finding."""

    types: tuple[str, ...]
    lexicon: tagger.Lexicon
    weights: tagger.Weights
    lean: float
    sha256: str


def write_weights(path: Path, weights: tagger.Weights, lean: float, lexicon: str) -> None:
    """Writes weights; `lexicon` is the hash of the one they belong to."""
    about = {"types": TYPES, "lean": lean, "lexicon": lexicon}
    write_arrays(path, WEIGHTS, about, weights.arrays)


def write_lexicon(path: Path, lexicon: tagger.Lexicon) -> None:
    """Writes a lexicon."""
    write_arrays(path, LEXICON, {"classes": CLASSES}, lexicon.arrays)


def read_lexicon(path: Path) -> tuple[tagger.Lexicon, str]:
    """The lexicon of a file, and its hash."""
    header, arrays = read_arrays(path, LEXICON, "lexicon of names")
    return tagger.Lexicon(arrays), str(header["sha256"])


def read_weights(path: Path, magic: bytes, what: str) -> tuple[JsonObject, tagger.Weights]:
    """What a file of weights tells of itself, and its weights, one row for each of its `types`."""
    header, arrays = read_arrays(path, magic, what)
    return header, tagger.Weights(len(header["types"]), arrays)


@cache
def english() -> Model:
    """The package's model of English names.

    Cost: about 4 ms, once.

    >>> english().types[0]
    'PERSON'
    """
    lexicon, digest = read_lexicon(DATA / "names-en.lexicon")
    header, weights = read_weights(DATA / "names-en.weights", WEIGHTS, "file of weights")
    if header["lexicon"] != digest:
        raise BadInput("weights and lexicon do not belong together", where="names-en")
    return Model(tuple(header["types"]), lexicon, weights, header["lean"], header["sha256"])


@dataclass(frozen=True, slots=True)
class Names:
    """A recogniser by the tagger: people, places, organisations, addresses, nationalities,
    occupations, dates.

    The score says how much likelier the mention is than plain text there, as the model sees it.
    A larger `lean` finds more and errs more; None is the model's own. Without a model it is the
    package's. With `story` a name that is certain is found wherever the document repeats it, in
    part or whole. Cost: O(n), above 3 MB/s.

    >>> texts = ["Please ask Maria Jensen of Oslo about it."]
    >>> [(span.label, texts[0][span.start : span.stop]) for span in Names()(texts)]
    [('PERSON', 'Maria Jensen'), ('LOCATION', 'Oslo')]
    """

    name: str = "names-en"
    lean: float | None = None
    model: Model | None = field(default=None, repr=False)
    story: bool = True

    def __call__(
        self,
        texts: Sequence[str],
        progress: Progress | None = None,
        groups: Sequence[Hashable] | None = None,
    ) -> list[Span]:
        """The spans of all documents; the names of a group are looked for in all its texts."""
        read = legible(texts)
        spans = self.tagged(read.texts, progress)
        if self.story:
            spans = follow(read.texts, spans, (self.model or english()).lexicon, USUAL, groups)
        return read.back(spans)

    def tagged(self, texts: list[str], progress: Progress | None = None) -> list[Span]:
        """What the tagger finds in texts as they are read, each document for itself."""
        model = self.model or english()
        lean = model.lean if self.lean is None else self.lean
        report = None if progress is None else lambda share: progress(self.name, share)
        found = tagger.tag(texts, model.lexicon, model.weights, None, lean, report)
        spans = kept(texts, mentioned(found, model.types, self.name))
        return list(_apart(texts, spans, model.lexicon))

    def leaning(self, more: float) -> Names:
        """The same, leaning more towards finding."""
        lean = (self.model or english()).lean if self.lean is None else self.lean
        return Names(self.name, lean + more, self.model, self.story)


def mentioned(found: tagger.Mentions, types: Sequence[str], name: str) -> list[Span]:
    """The spans of what the tagger found, under the name of a recognizer."""
    whys = [f"{name}: {label.lower()}" for label in types]
    scores = _scores()
    return [
        quick_span(
            document, start, stop, types[kind], scores[min(max(margin, -FAR), FAR)], whys[kind]
        )
        for document, start, stop, kind, margin in zip(
            *(column.tolist() for column in found), strict=True
        )
    ]


def score_of(margin: int) -> float:
    """Between 0 and 1: the logistic function of how much better a mention is than none.

    >>> score_of(0), score_of(96)
    (0.5, 0.95)
    """
    return round(1 / (1 + exp(-min(max(margin, -FAR), FAR) / tagger.UNIT)), 2)


@cache
def _scores() -> dict[int, float]:
    """The score of every margin that counts: a document has thousands."""
    return {margin: score_of(margin) for margin in range(-FAR, FAR + 1)}


def _bit(*names: str) -> int:
    return sum(1 << CLASSES.index(name) for name in names)


@dataclass(frozen=True, slots=True)
class Lists:
    """A recogniser by lists alone: nationalities, countries, cities, organisations that are no
    usual words, and a given name before a surname. Words must have capitals.

    Cost: O(n), about 19 MB/s.

    >>> texts = ["The German office in Ouagadougou, Burkina Faso"]
    >>> [(span.label, texts[0][span.start : span.stop]) for span in Lists()(texts)]
    [('NATIONALITY', 'German'), ('LOCATION', 'Ouagadougou'), ('LOCATION', 'Burkina Faso')]
    """

    name: str = "lists-en"
    score: float = 0.5
    model: Model | None = field(default=None, repr=False)

    def __call__(self, texts: Sequence[str], progress: Progress | None = None) -> list[Span]:
        """The spans of all documents."""
        texts = list(texts)
        lexicon = (self.model or english()).lexicon
        found = tagger.listed(texts, lexicon, TITLE_CASE | UPPER | MIXED, LOWER)
        spans = [
            quick_span(document, start, stop, label, self.score, f"{self.name}: {label.lower()}")
            for label, chosen in _chosen(found.classes)
            for document, start, stop in zip(
                *(column[chosen].tolist() for column in found[:3]), strict=True
            )
        ]
        pairs = _pairs(texts, found)
        spans += [
            quick_span(int(found.documents[i]), int(found.starts[i]), int(found.stops[i + 1]),
                       "PERSON", self.score, f"{self.name}: given name and surname")
            for i in pairs
        ]  # fmt: skip
        if progress is not None:
            progress(self.name, 1.0)
        return resolve(spans)


@dataclass(frozen=True, slots=True)
class English:
    """Rules, names and lists together; nothing that one of them finds is lost to another.

    Cost: O(n), the sum of the three.

    >>> texts = ["Call Maria Jensen, a Norwegian nurse: 713-524-9968"]
    >>> [(span.label, texts[0][span.start : span.stop]) for span in English()(texts)]
    [('PERSON', 'Maria Jensen'), ('NATIONALITY', 'Norwegian'), ('PHONE', '713-524-9968')]
    """

    name: str = "en"
    model: Model | None = field(default=None, repr=False)
    story: bool = True
    lean: float | None = None
    region: str | None = None  # where telephone numbers without a country are from

    def __call__(
        self,
        texts: Sequence[str],
        progress: Progress | None = None,
        groups: Sequence[Hashable] | None = None,
    ) -> list[Span]:
        """The spans of all documents, none overlapping another; a group's texts are one story."""
        read = legible(texts)
        by_rules = rules("en", self.region)(read.texts, progress)
        tagged = Names(lean=self.lean, model=self.model).tagged(read.texts, progress)
        listed = Lists(model=self.model)(read.texts, progress)
        around = _around(read.texts, tagged, by_rules)
        joined = grown(read.texts, cover([*by_rules, *around, *listed]))
        found = with_weekdays(read.texts, joined)
        if self.story:
            lexicon = (self.model or english()).lexicon
            found = follow(read.texts, found, lexicon, USUAL, groups)
        return read.back(found)

    def leaning(self, more: float) -> English:
        """The same, whose tagger leans more towards finding."""
        lean = (self.model or english()).lean if self.lean is None else self.lean
        return English(self.name, self.model, self.story, lean + more, self.region)


def _around(
    texts: Sequence[str], tagged: Sequence[Span], by_rules: Sequence[Span]
) -> Iterator[Span]:
    """What the tagger found, cut where a rule knows a number or an address of the net."""
    exact: dict[int, list[Span]] = {}
    for span in by_rules:
        if span.label in EXACT:
            exact.setdefault(span.document, []).append(span)
    for span in tagged:
        start = span.start
        text = texts[span.document]
        for one in exact.get(span.document, ()):
            if one.stop <= start or span.stop <= one.start:
                continue
            if span.label == "ADDRESS" and one.label not in NO_ADDRESS:
                continue
            yield from stripped(text, span, start, one.start)
            start = max(start, one.stop)
        yield from [span] if start == span.start else stripped(text, span, start, span.stop)


def _apart(texts: Sequence[str], spans: Sequence[Span], lexicon: tagger.Lexicon) -> Iterator[Span]:
    """The spans; of "Maria Jensen of Oslo" the person and the place, if lists tell them."""
    places = {at: cut for at, one in enumerate(spans) if (cut := _from_a_place(texts, one))}
    pairs = [
        (text[one.start : a], text[b : one.stop])
        for at, (a, b) in places.items()
        for one in (spans[at],)
        for text in (texts[one.document],)
    ]
    told = {
        at
        for at, (name, place) in zip(places, pairs, strict=True)
        if _on(lexicon, name.split()[-1], "SURNAME", "GIVEN")
        and _on(lexicon, place, "CITY", "PLACE", "COUNTRY")
    }
    for at, span in enumerate(spans):
        if at in told:
            first, second = places[at]
            yield replace(span, stop=first)
            yield replace(span, start=second, label="LOCATION")
        else:
            yield span


def _from_a_place(texts: Sequence[str], span: Span) -> tuple[int, int] | None:
    """Where the name of "Maria Jensen of Oslo" ends and the place begins."""
    if span.label != "PERSON":
        return None
    found = FROM.search(texts[span.document], span.start, span.stop)
    if found is None or " " not in texts[span.document][span.start : found.start()]:
        return None
    return found.span()


def _on(lexicon: tagger.Lexicon, phrase: str, *classes: str) -> bool:
    """Whether a phrase as a whole is on one of the lists."""
    listed = tagger.listed([phrase], lexicon)
    whole = (listed.starts == 0) & (listed.stops == len(phrase))
    return bool((listed.classes[whole] & _bit(*classes)).any())


def named(name: str) -> Recognizer:
    """One of the recognisers of this module by its name.

    >>> named("names-en")
    Names(name='names-en', lean=None, story=True)
    """
    found: dict[str, Recognizer] = {"en": English(), "names-en": Names(), "lists-en": Lists()}
    return found[name]


def _chosen(classes: NDArray[np.uint16]) -> list[tuple[str, NDArray[np.bool_]]]:
    """Which listed phrases with capitals are mentions by themselves, by label."""
    usual = classes & _bit("COMMON", "TITLE", "TIME", "STREET_WORD", "ORGANIZATION_WORD") > 0
    person = classes & _bit("GIVEN", "SURNAME") > 0
    nation = classes & _bit("NATIONALITY") > 0
    country = classes & _bit("COUNTRY") > 0
    place = (classes & _bit("CITY") > 0) & ~person
    organisation = (classes & _bit("ORGANIZATION") > 0) & ~person & ~place & ~country
    unusual = ~usual
    return [
        ("NATIONALITY", unusual & nation & ~country),
        ("LOCATION", unusual & (country | place) & ~nation),
        ("ORGANIZATION", unusual & organisation & ~nation),
    ]


def _pairs(texts: list[str], found: tagger.ListedPhrases) -> list[int]:
    """Where a given name and a surname follow each other; the given name is no usual word."""
    usual = found.classes & _bit("COMMON", "TIME") > 0
    given = ~usual & (found.classes & _bit("GIVEN") > 0)
    surname = found.classes & _bit("SURNAME") > 0
    near = (found.documents[1:] == found.documents[:-1]) & (
        found.starts[1:] == found.stops[:-1] + 1
    )
    places = np.flatnonzero(given[:-1] & surname[1:] & near)
    return [i for i in places.tolist() if texts[found.documents[i]][found.stops[i]] == " "]
