"""The attack on generalised words: the method is run again on every base text.

The attacker knows the ontology, the method, its parameters, the marked places, and nothing of what
stood there. A text is exposed when fewer than t base texts are published as it is.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice, product
from typing import TYPE_CHECKING

from ..core.corpus import Corpus
from ..core.errors import CannotBeMet
from ..core.printed_form import by_sizes
from ..core.release import released_texts
from ..core.spans import Span
from ..ontologies.inflection import plural

if TYPE_CHECKING:
    from ..core.release import Release
    from ..ontologies import Ontology

TRIES = 2_000  # base texts that are tried of one document
FORMS = 200  # words that are tried in one place


@dataclass(frozen=True, slots=True)
class Rerun:
    """How many documents were tried, how many are exposed, and the fewest base texts of one."""

    documents: int
    exposed: int
    fewest: int


def rerun(release: Release, sample: int) -> Rerun:
    """Runs the method on base texts of every document (at most `sample` of them).

    Base texts have one word of the ontology for each meaning of the document, below what was
    written there. They are tried until t are found that are published as the text, or there is no
    other.
    Cost: some ten runs of the method for every base text that is needed.

    >>> import sfumato as sf
    >>> words = ["dental procedure"]
    >>> for guarantee in ("published", "plausible"):
    ...     found = rerun(sf.generalize("Dental procedure", words=words, guarantee=guarantee), 1)
    ...     found.exposed, found.fewest
    (0, 32)
    (1, 1)
    """
    marks: dict[int, list[Sequence[int]]] = {}
    for document, *rest in release.sides.marks or ():
        marks.setdefault(document, []).append(rest)
    tried = [i for i, some in marks.items() if any(mark[2] >= 0 for mark in some)][:sample]
    texts, released = Corpus.of(release.sides.input).texts, released_texts(release)
    counts = [_Document(release, texts[i], released[i], marks[i]).sharers() for i in tried]
    t = _threshold(release)
    few = [count for count in counts if count < t]
    return Rerun(len(counts), len(few), min(counts, default=0))


def _threshold(release: Release) -> int:
    t: object = release.parameters["t"]
    return int(t) if isinstance(t, int) else 1


@dataclass(frozen=True)
class _Document:
    release: Release
    text: str
    released: str
    marks: Sequence[Sequence[int]]

    __repr__ = by_sizes

    def sharers(self) -> int:
        """How many base texts, t at most, are published as the document is.

        Words that can be exchanged singly are put together first; then whatever else there is.
        """
        t = _threshold(self.release)
        choices = self._choices()
        alone = [
            list(islice(filter(partial(self._keeps, node), choices[node]), t)) for node in choices
        ]
        found: set[tuple[int, ...]] = set()
        for chosen in islice(chain(product(*alone), product(*choices.values())), TRIES):
            if len(found) >= t:
                break
            if chosen not in found and len(set(chosen)) == len(chosen):
                words = dict(zip(choices, chosen, strict=True))
                found |= {chosen} if self._alike(words) else set()
        return len(found)

    def _choices(self) -> dict[int, list[int]]:
        """For each meaning of the document those that could have stood in its place."""
        ontology = self.release.sides.ontology
        assert ontology is not None
        general = {mark[2]: mark[3] for mark in self.marks if mark[2] >= 0}
        return {node: _below(ontology, above, node) for node, above in general.items()}

    def _keeps(self, node: int, other: int) -> bool:
        """Whether the text is published alike with another meaning in one's place."""
        return self._alike({mark[2]: mark[2] for mark in self.marks} | {node: other})

    def _alike(self, words: Mapping[int, int]) -> bool:
        ontology = self.release.sides.ontology
        assert ontology is not None
        return self._published(*self._with(words, ontology)) == self.released

    def _published(self, base: str, places: Sequence[tuple[int, int]]) -> str | None:
        from ..methods.meanings.generalize import generalize

        given = self.release.parameters
        names = ("objective", "search", "alpha", "volume", "min_volume", "unknown", "segment")
        options: dict[str, object] = {name: given[name] for name in names if name in given}
        options["guarantee"], options["mask"] = given["guarantee"], given["mask"]
        if given["sense"] != "given":
            options["sense"] = given["sense"]
        if self.release.sides.frequencies is not None:  # they are public
            options["frequencies"] = dict(self.release.sides.frequencies)
        spans = [Span(0, *place) for place in places]
        ontology = self.release.sides.ontology
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            try:
                made = generalize(base, given["t"], spans, ontology=ontology, **options)  # type: ignore[arg-type]
            except CannotBeMet:
                return None
        return str(made.data)

    def _with(
        self, words: Mapping[int, int], ontology: Ontology
    ) -> tuple[str, list[tuple[int, int]]]:
        pieces, places, at, size = [], [], 0, 0
        for start, stop, node, _ in self.marks:
            own = self.text[start:stop]
            if node >= 0 and words[node] != node:
                several = own.casefold() not in map(str.casefold, ontology.words(node))
                word = ontology.words(words[node])[0]
                own = plural(word) if several and own.casefold().endswith("s") else word
            pieces += [self.text[at:start], own]
            size += start - at
            places.append((size, size + len(own)))
            size += len(own)
            at = stop
        return "".join([*pieces, self.text[at:]]), places


def _below(ontology: Ontology, general: int, node: int) -> list[int]:
    """The node, and those that stand below what was written for it, near ones first."""
    found = [node]
    if general == len(ontology):  # masked: whatever has too few base values above it
        tops = [one for one in range(len(ontology)) if not ontology.parents(one)]
        waiting = sorted(tops, key=lambda one: (ontology.leaves(one), one))
    else:
        waiting = [general, *ontology.children(general)]
    for one in waiting:  # which grows
        if len(found) >= FORMS:
            break
        if one not in found:
            found.append(one)
        waiting += ontology.children(one)
    return found
