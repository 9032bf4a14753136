"""Who is attacked with what: people in the release, people held out, and what is known of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

import numpy as np

from ..core.corpus import Corpus
from ..core.errors import BadInput
from ..core.labels import group_labels
from ..core.options import choose
from ..core.printed_form import by_sizes
from ..metrics.masked_symbols import HIDDEN
from ..metrics.words import Words
from .protocol import BACKGROUND, GIVEN, OUTSIDE, PART, SAMPLE, WORDS, Knows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.values import Data

    Whole = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Scene:
    """The words of the release without the people held out, and of the background.

    `people` is the person of each legible place of the release (`codes`); `known` the words known
    of each target; targets before `members` are in the release, the others are not.
    """

    __repr__ = by_sizes

    codes: Whole
    people: Whole
    population: int
    targets: Whole
    known: list[Whole]
    members: int
    background: str


@dataclass(frozen=True, slots=True)
class Scenes:
    """The same people as several scenes, each of which holds out others of them.

    Few people held out once are a lottery: which of them sets the bar decides the figure. So
    everybody is held out in turn, as far as the sample reaches, and is attacked once where they
    are not.
    """

    __repr__ = by_sizes

    folds: tuple[Scene, ...]

    @property
    def members(self) -> int:
        """How many people are attacked."""
        return sum(one.members for one in self.folds)

    @property
    def population(self) -> int:
        """How many people the attacker chooses among; the most of all scenes."""
        return max(one.population for one in self.folds)

    @property
    def background(self) -> str:
        """What is known of people, in words."""
        return self.folds[0].background

    @property
    def words_known(self) -> float:
        """How many words are known of a person on average."""
        sizes = [len(known) for one in self.folds for known in one.known]
        return float(np.mean(sizes)) if sizes else 0.0


def people_of(groups: Data, documents: int) -> Whole:
    """The person of every document; without groups each document is a person's."""
    if groups is None:
        return np.arange(documents)
    return group_labels(groups, documents).astype(np.int64)


def scenes(
    original: Sequence[str],
    released: Sequence[str],
    groups: Data = None,
    background: Data = BACKGROUND,
    *,
    hidden: str = HIDDEN,
    sample: int = SAMPLE,
    seed: int = 0,
) -> Scenes:
    """Draws targets inside and outside the release, and takes what an attacker knows of them.

    `background` is `"another"` (one text of the person, which then is not in the release), `"part"`
    (50 words of the person's original text), or one text or None for each document. A fifth of the
    people, `sample` at most, is held out: their texts are not in what the attacker searches. Of few
    people another fifth is held out in each scene, until `sample` or everybody was.
    Cost: O(n) for each scene.
    """
    labels = people_of(groups, len(original))
    rng = np.random.default_rng(seed)
    given = None
    if not isinstance(background, str):
        given = Corpus.of(background, "background").texts
        if len(given) != len(original):
            raise BadInput(
                f"expected {len(original)} texts, one for each document, found {len(given)}",
                where="background",
            )
    else:
        choose("background", background, get_args(Knows))
    texts = original if given is None else given
    documents = _drawn_documents(labels, texts, background, rng)
    turns = _turns(rng.permutation(sorted(documents)), sample)
    return Scenes(
        tuple(
            _scene(texts, released, labels, background, documents, inside, outside, hidden, rng)
            for inside, outside in turns
        )
    )


def _turns(order: Whole, sample: int) -> list[tuple[Whole, Whole]]:
    """Who is attacked and who is held out in each scene; everybody is attacked once at most."""
    held = min(sample, int(OUTSIDE * len(order)))
    count = 1 if not held else max(1, min(len(order) // held, sample // held))
    block = np.arange(len(order)) // max(1, held)
    turn = np.where(block < count, block + 1, np.arange(len(order))) % count
    attacked = turn if count > 1 else np.where(block < (1 if held else 0), -1, 0)
    turns = []
    for number in range(count):
        inside = order[attacked == number][: -(-sample // count)]
        outside = order[number * held : (number + 1) * held]
        turns.append((inside.astype(np.int64), outside.astype(np.int64)))
    return turns


def _scene(
    texts: Sequence[str],
    released: Sequence[str],
    labels: Whole,
    background: Data,
    documents: dict[int, int],
    inside: Whole,
    outside: Whole,
    hidden: str,
    rng: np.random.Generator,
) -> Scene:
    """The release without the people held out, and what is known of these and of those inside."""
    gone = np.isin(labels, outside)
    if isinstance(background, str) and background == "another":
        gone[[documents[one] for one in inside.tolist()]] = True
    targets = np.concatenate([inside, outside])
    held = ["" if away else one for one, away in zip(released, gone.tolist(), strict=True)]
    of_targets = [texts[documents[person]] for person in targets.tolist()]
    words = Words.of([*held, *of_targets], hidden)
    known = [words.of_document(len(held) + i) for i in range(len(targets))]
    if isinstance(background, str) and background == "part":
        known = [_part(one, rng) for one in known]
    last = words.bounds[len(held)]
    people = labels[words.documents[:last]] if len(held) else np.zeros(0, np.int64)
    population = len(np.unique(labels[~gone]))
    told = WORDS[background] if isinstance(background, str) else GIVEN
    return Scene(words.codes[:last], people, population, targets, known, len(inside), told)


def _drawn_documents(
    labels: Whole, texts: Sequence[str], background: object, rng: np.random.Generator
) -> dict[int, int]:
    """For each person who can be a target, the document that is known."""
    of_person: dict[int, list[int]] = {}
    for document, person in enumerate(labels.tolist()):
        if texts[document]:
            of_person.setdefault(person, []).append(document)
    least = 2 if background == "another" else 1
    return {
        person: documents[int(rng.integers(len(documents)))]
        for person, documents in of_person.items()
        if len(documents) >= least
    }


def _part(codes: Whole, rng: np.random.Generator) -> Whole:
    start = int(rng.integers(max(1, len(codes) - PART + 1)))
    return codes[start : start + PART]
