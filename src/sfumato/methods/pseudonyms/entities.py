"""What all documents together tell of the entities in them, and the surrogates that follow.

Surrogates depend on all entities of a release (no two share one, and the variants of a name stay
variants), but not on the order of the documents: what is learned is a set. So documents may come
in parts, once to learn and once to replace.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ...core.printed_form import by_sizes
from .dates import DAY_FIRST, day_first_votes, shifted
from .lists import PARTICLES, TITLES
from .names import WORD, People, email, name_word, person, place
from .operators import written
from .surrogates import SHAPES, SurrogateTable, bracketed, crowded_forms, folded, form, tag

if TYPE_CHECKING:
    from ...core.spans import Span
    from .secret import Secret

Dates = Literal["shift", "keep", "label"]

PLACES = frozenset(("ORG", "ORGANIZATION", "LOCATION", "ADDRESS", "GPE", "LOC", "FAC"))
MOST_DAYS = 364
LABELLED = "[DATE]", "[A DATE]"
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
            "NATIONALITY",
            "TIME",
            "DURATION",
            "MONEY",
        ),
        *("CARDINAL", "ORDINAL", "QUANTITY", "PERCENT", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW"),
        "LANGUAGE",
    )
)


@dataclass(slots=True)
class Entities:
    """The different entities seen so far, with the label and language they were first seen in.

    >>> from ...core.spans import Span
    >>> entities = Entities()
    >>> entities.learn(["Dr. Ho", "Dr. Ho"], [Span(0, 4, 6, "PERSON"), Span(1, 4, 6, "PERSON")])
    >>> list(entities.spanish)
    [('PERSON', 'Ho')]
    """

    spanish: dict[tuple[str, str], bool] = field(default_factory=dict)
    people: set[tuple[str, bool]] = field(default_factory=set)
    day_first: int = 0

    __repr__ = by_sizes

    def learn(
        self, texts: Sequence[str], spans: Iterable[Span], operators: Container[str] = ()
    ) -> None:
        """Takes up what was found in some documents; labels with operators are no exceptions."""
        for span in spans:
            if span.label in STAY and span.label not in operators:
                continue
            text = texts[span.document][span.start : span.stop]
            if span.label == "DATE" and span.label not in operators:
                self.day_first += day_first_votes([text])
                continue
            is_spanish = _spanish(span)
            self.spanish.setdefault((span.label, text), is_spanish)
            if span.label == "PERSON":
                self.people.add((text, is_spanish))


@dataclass(frozen=True, slots=True)
class Surrogates:
    """What stands for each entity; entities are served in the order of their normal forms."""

    secret: Secret
    given: dict[tuple[str, str], str]
    day_first: int

    __repr__ = by_sizes

    @classmethod
    def of(
        cls, entities: Entities, secret: Secret, operators: Mapping[str, str] | None = None
    ) -> Surrogates:
        """Draws the surrogates of all entities. Cost: O(m log m) for m different ones."""
        drawn, people = SurrogateTable(secret), People.of(entities.people)
        operators = operators or {}
        drawn.found.update((label, folded(text)) for label, text in entities.spanish)
        for word in sorted(_words(name for name, _ in entities.people)):
            name_word(word, people, drawn)
        crowded = crowded_forms(entities.spanish)
        given = {
            (label, text): written(operators[label], label, text, drawn)
            if label in operators
            else _tag(label, text, drawn)
            if (label, form(text)) in crowded
            else _surrogate(label, text, entities.spanish[label, text], people, drawn)
            for label, text in sorted(entities.spanish)
        }
        return cls(secret, _whatever_case(given), entities.day_first)

    def replacements(
        self, texts: Sequence[str], spans: Sequence[Span], owners: Sequence[str], dates: Dates
    ) -> list[str]:
        """What stands for each span; the dates of one owner move together."""
        result = []
        days: dict[str, int] = {}
        for span in spans:
            text = texts[span.document][span.start : span.stop]
            if (span.label, text) in self.given:
                result.append(self.given[span.label, text])
            elif span.label == "DATE" and dates == "shift":
                owner = owners[span.document]
                if owner not in days:
                    days[owner] = self._days(owner)
                result.append(self._shifted(text, days[owner], span))
            else:
                result.append(text if dates == "keep" else _label(text))
        return result

    def _days(self, owner: str) -> int:
        """By how many days an owner's dates move: never by none."""
        days = self.secret.draw("days", owner, 0) % (2 * MOST_DAYS) - MOST_DAYS
        return days + (days >= 0)

    def _shifted(self, text: str, days: int, span: Span) -> str:
        """The date some days later; a label if it cannot be read, or its form shows no day."""
        language = span.why[6:8] if span.why.startswith("rules-") else ""
        day_first = self.day_first > 0 or (self.day_first == 0 and language in DAY_FIRST)
        moved = shifted(text, days, day_first, language)
        return _label(text) if moved is None or folded(moved) == folded(text) else moved


def _label(date: str) -> str:
    """The label for a date; another one for what is written like the label."""
    return LABELLED[folded(date) == folded(LABELLED[0])]


def _surrogate(label: str, text: str, spanish: bool, people: People, drawn: SurrogateTable) -> str:
    """What stands for an entity: never the entity itself, a tag if nothing else is left."""
    spare = bracketed(label)
    if label == "EMAIL":
        return email(text, people, drawn)
    if label != "PERSON" and label not in PLACES:
        return drawn.surrogate(label, text, SHAPES.get(label) or tag(label), spare)
    made = person(text, people, drawn) if label == "PERSON" else place(text, spanish, drawn)
    return made if folded(made) != folded(text) else drawn.surrogate(f"[{label}]", text, spare)


def _tag(label: str, text: str, drawn: SurrogateTable) -> str:
    return drawn.surrogate(label, text, bracketed(label))


def _whatever_case(given: dict[tuple[str, str], str]) -> dict[tuple[str, str], str]:
    """The same with one surrogate for what differs in case alone.

    Case tells how a word is read ("the UK" ends in what may be a state, "the uk" does not), but an
    entity is the same in any case. The variant in mixed case decides, then the first.

    >>> both = {("LOCATION", "the UK"): "[LOCATION-0a]", ("LOCATION", "the uk"): "the ashby"}
    >>> sorted(set(_whatever_case(both).values()))
    ['[LOCATION-0a]']
    """
    first: dict[tuple[str, str], str] = {}
    for (label, text), made in sorted(
        given.items(), key=lambda one: (one[0][1].isupper() or one[0][1].islower(), one[0])
    ):
        first.setdefault((label, text.casefold()), made)
    return {
        (label, text): made
        if (same := first[label, text.casefold()]).casefold() == made.casefold()
        else same
        for (label, text), made in given.items()
    }


def _words(names: Iterable[str]) -> set[str]:
    """All the words of people's names that need a surrogate, so that sorting serves them."""
    return {
        plain
        for name in names
        for word in WORD.finditer(name)
        if len(plain := word[0].rstrip(".").casefold()) > 1 and plain not in TITLES | PARTICLES
    }


def _spanish(span: Span) -> bool:
    return span.why.startswith("rules-es")
