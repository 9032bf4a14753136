"""Who is attacked with what: people in the release, people held out, and what is known of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from ..core.corpus import Corpus
from ..core.errors import BadInput
from ..core.labels import group_labels
from ..core.options import choose
from ..core.printed import by_sizes
from ..metrics.masked import HIDDEN
from ..metrics.words import Words
from .protocol import BACKGROUND, GIVEN, OUTSIDE, PART, SAMPLE, WORDS, Knows

if TYPE_CHECKING:
    from numpy.typing import NDArray

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


def people_of(groups: Any, documents: int) -> Whole:
    """The person of every document; without groups each document is a person's."""
    if groups is None:
        return np.arange(documents)
    return group_labels(groups, documents).astype(np.int64)


def scene(
    original: Sequence[str],
    released: Sequence[str],
    groups: Any = None,
    background: Any = BACKGROUND,
    *,
    hidden: str = HIDDEN,
    sample: int = SAMPLE,
    seed: int = 0,
) -> Scene:
    """Draws targets inside and outside the release, and takes what an attacker knows of them.

    `background` is `"another"` (one text of the person, which then is not in the release), `"part"`
    (50 words of the person's original text), or one text or None for each document. A fifth of the
    people, `sample` at most, is held out: their texts are not in what the attacker searches.
    Cost: O(n).
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
    documents = _drawn_documents(labels, original if given is None else given, background, rng)
    order = rng.permutation(sorted(documents))
    outside = order[: min(sample, int(OUTSIDE * len(order)))]
    inside = order[len(outside) : len(outside) + sample]
    gone = np.isin(labels, outside)
    if background == "another":
        gone[[documents[one] for one in inside.tolist()]] = True
    targets = np.concatenate([inside, outside]).astype(np.int64)
    texts = [
        (original if given is None else given)[documents[person]] for person in targets.tolist()
    ]
    held = ["" if away else one for one, away in zip(released, gone.tolist(), strict=True)]
    words = Words.of([*held, *texts], hidden)
    known = [words.of_document(len(held) + i) for i in range(len(targets))]
    if background == "part":
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
