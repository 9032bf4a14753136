"""`sf.review`: what a recogniser found, looked at and decided in a notebook or by a script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from ..core.corpus import Corpus
from ..core.errors import BadInput
from ..core.printed_form import by_sizes
from ..core.spans import Span
from ..recognizers import recognizer as by_name
from ..recognizers import review as review_files
from ..recognizers.overlaps import resolve
from ..recognizers.uncertain_places import uncertain
from .beside import BESIDE
from .review_lines import listed_places, review_file

if TYPE_CHECKING:
    from ..core.values import Data, JsonObject
    from ..recognizers.combine import Recognizer

SHOWN, SYMBOLS = 5, 1200
# Tints over the page's own colours, so that light and dark notebooks both stay legible.
STYLE = (
    ".sfumato mark{background:rgba(224,168,0,.35);color:inherit;border-radius:2px}"
    ".sfumato mark.reject{background:none;text-decoration:line-through}"
)


@dataclass(frozen=True, slots=True)
class Place:
    """A place to decide: what was found there, and `accept` or `reject`."""

    span: Span
    found: bool
    decision: str

    __repr__ = by_sizes

    @property
    def label(self) -> str:
        """What it is."""
        return self.span.label


@dataclass(slots=True, eq=False)
class Review(Sequence[Place]):
    """Places in texts, the most doubtful first; deciding gives a new review.

    A notebook shows it as a page with keys. What is decided there changes this review itself.
    """

    texts: Sequence[str]
    places: tuple[Place, ...]
    first: tuple[Place, ...] | None = None
    """The places before anything was decided on the page."""
    said: list[JsonObject] = field(default_factory=list)
    """What was decided on the page."""

    __repr__ = by_sizes

    def __len__(self) -> int:
        return len(self.places)

    @overload
    def __getitem__(self, index: int) -> Place: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Place]: ...
    def __getitem__(self, index: int | slice) -> Place | Sequence[Place]:
        return self.places[index]

    def accept(self, *numbers: int) -> Review:
        """The review with these places accepted."""
        return self._decided(numbers, decision="accept")

    def reject(self, *numbers: int) -> Review:
        """The review with these places rejected."""
        return self._decided(numbers, decision="reject")

    def relabel(self, number: int, label: str) -> Review:
        """The review with a place accepted under another label."""
        span = replace(self.places[number].span, label=label)
        return self._decided([number], decision="accept", span=span)

    def add(self, document: int, start: int, stop: int, label: str) -> Review:
        """The review with a place that was missed."""
        if not 0 <= document < len(self.texts) or not 0 <= start < stop <= len(
            self.texts[document]
        ):
            raise BadInput("lies outside the text", where=f"document {document}")
        place = Place(Span(document, start, stop, label, 1.0, "added"), False, "accept")
        return Review(self.texts, (*self.places, place))

    @property
    def spans(self) -> list[Span]:
        """What is accepted, for every verb."""
        return resolve([one.span for one in self.places if one.decision == "accept"])

    def save(self, path: str | Path) -> None:
        """Writes the review file, which holds people's texts: for its owner alone."""
        listed = [one for one in self.places if one.found or one.decision == "accept"]
        listed.sort(key=lambda one: (one.span.document, one.span.start))
        rejected = frozenset(i for i, one in enumerate(listed) if one.decision == "reject")
        content = review_files.write([one.span for one in listed], self.texts, rejected=rejected)
        target = Path(path)
        target.touch(mode=0o600)
        target.chmod(0o600)
        target.write_bytes(content)

    def _decided(self, numbers: Sequence[int], **told: Any) -> Review:
        places = list(self.places)
        for number in numbers:
            places[number] = replace(places[number], **told)
        return Review(self.texts, tuple(places))

    def open(self) -> None:
        """Opens the page with keys in a browser, where no notebook shows it."""
        import os
        import tempfile
        import webbrowser

        handle, path = tempfile.mkstemp(".html", "sfumato-review-")  # for its owner alone
        address = escape(BESIDE.address(self))
        page = f'<!doctype html><meta http-equiv="refresh" content="0;url={address}">'
        with os.fdopen(handle, "w") as stream:  # a token on a command line is everybody's
            stream.write(page)
        webbrowser.open(Path(path).as_uri())

    def decide(self, decisions: Sequence[JsonObject]) -> JsonObject:
        """Takes what was decided on the page, in place of what was decided there before."""
        listed = list(self.texts)
        first = self.first if self.first is not None else self.places
        content = review_file(first, listed, decisions)
        left = review_files.read(content, listed, "review")
        now = {(one.document, one.start, one.stop): one for one in left}
        places = []
        for one in first:
            span = now.pop((one.span.document, one.span.start, one.span.stop), None)
            told = one.span if span is None else span
            places.append(Place(told, one.found, "reject" if span is None else "accept"))
        places += [Place(one, False, "accept") for one in now.values()]
        self.first, self.places, self.said = first, tuple(places), list(decisions)
        return {"decided": len(decisions)}

    def as_places(self) -> JsonObject:
        """What the page shows."""
        first = self.first if self.first is not None else self.places
        listed = listed_places(first, self.texts)
        return {
            "column": None,
            "documents": len(self.texts),
            "places": listed,
            "labels": sorted({str(one[3]) for one in listed}),
            "decisions": self.said,
        }

    def _repr_html_(self) -> str:
        """The page with keys, and below it the same as a list."""
        frame = (
            f'<iframe title="Review" src="{escape(BESIDE.address(self))}" '
            'style="width:100%;height:44rem;border:1px solid #8886;border-radius:8px"></iframe>'
        )
        other = (
            "<small>Is the frame empty? It needs a browser on the machine of the notebook's "
            "kernel, and a cell that was run just now.</small>"
        )
        return f"{frame}{other}<details><summary>As a list</summary>{self.as_list()}</details>"

    def as_list(self) -> str:
        """The documents of the most doubtful places as HTML, each place with its number."""
        documents = list(dict.fromkeys(one.span.document for one in self.places))[:SHOWN]
        shown = "".join(
            f'<p style="white-space:pre-wrap"><b>{number}</b> {self._marked(number)}</p>'
            for number in documents
        )
        return (
            f'<div class="sfumato"><style>{STYLE}</style><b>review of {len(self.texts)} texts: '
            f"{len(self.places)} places, the most doubtful first</b>{shown}"
            "<small>review.reject(3), review.relabel(3, 'CITY'), review.add(0, 4, 9, 'CITY'); "
            "review.spans go to every verb</small></div>"
        )

    def _marked(self, document: int) -> str:
        text, at, pieces = self.texts[document], 0, []
        mine = [(i, one) for i, one in enumerate(self.places) if one.span.document == document]
        for number, one in sorted(mine, key=lambda pair: pair[1].span.start):
            span = one.span
            if span.start < at or span.start >= SYMBOLS:
                continue
            inside = escape(text[span.start : span.stop])
            pieces.append(escape(text[at : span.start]))
            kind = "" if one.decision == "accept" else ' class="reject"'
            label = f"{number} {escape(span.label)}"
            pieces.append(f"<mark{kind}>{inside}<sub>{label}</sub></mark>")
            at = span.stop
        rest = text[at : max(at, SYMBOLS)]
        return "".join(pieces) + escape(rest) + ("…" if len(text) > at + len(rest) else "")


def review(texts: Data, recognizer: str | Recognizer = "en") -> Review:
    """What a recogniser finds and nearly finds in texts, the most doubtful first, to be decided.

    What it found counts as accepted, what it nearly found as rejected, until somebody decides. A
    notebook shows a page with keys, served on this machine alone, and what is decided there is in
    `.spans` at once. `.open()` shows the page in a browser.

    >>> found = review(["Dr. Ann Ho saw a 49-year-old man."], recognizer="rules-en")
    >>> sorted(place.label for place in found)
    ['AGE', 'GENDER', 'PERSON']
    >>> [span.label for span in found.reject(*range(len(found))).spans]
    []
    """
    listed = list(Corpus.of(texts).texts)
    find = by_name(recognizer) if isinstance(recognizer, str) else recognizer
    doubts = uncertain(find, listed, sum(map(len, listed)) + 1)
    places = (Place(one.span, one.found, "accept" if one.found else "reject") for one in doubts)
    return Review(listed, tuple(places))
