"""Inference: a sensitive column predicted from what is known of a person and from the release.

The attacker knows the quasi-identifying columns and the texts of somebody. The model is trained on
the release: the sensitive values of the people whose cells cover the known ones, and a naive Bayes
of the words in released texts. It is tested on people who are in the release, and, trained on a
release made alike without them, on people who are not: what it finds out about those is general
knowledge, and no fault of the release.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from ..core.errors import BadInput, CannotBeMet
from ..core.printed_form import by_sizes
from ..schema.frames import as_polars
from ..verification.records_secrets import read_values
from .protocol import SAMPLE
from .records import fits_of, has_settings, made_alike
from .records_scene import Scene, scene_of
from .result import AttackResult

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.values import Data
    from ..schema import SchemaLike

WORD = re.compile(r"\w+")


def inference(
    original: Data,
    release: Data,
    schema: SchemaLike | None = None,
    sample: int = SAMPLE,
    seed: int = 0,
) -> AttackResult:
    """How often a sensitive value is predicted rightly; of several columns the one at most risk.

    Cost: O(sample x classes x columns + text), and anonymising once more for the control.
    """
    scene = scene_of(original, release, schema)
    names = [one for one in scene.schema.named("sensitive") if one in as_polars(original).columns]
    if not names:
        raise BadInput("the schema names no sensitive column", where="inference")
    people = scene.known.count
    draw = np.random.default_rng(seed)
    order = draw.permutation(people)
    held = order[: min(sample, people // 4)]
    inside = order[:sample]
    outside = _without(scene, release, held)
    results = []
    for name in names:
        truth = _values(scene, name)
        model = _Model.of(scene, name, truth)
        right = model.right(scene, inside, truth)
        control = None
        if outside is not None:
            taught = _Model.of(outside, name, _values(outside, name))
            control = taught.right(scene, held, truth), len(held)
        majority = Counter(truth).most_common(1)[0][1] / people if people else 0.0
        results.append(
            AttackResult.of(
                "inference",
                right,
                len(inside),
                baseline=majority,
                unit="person",
                background="all quasi-identifiers and texts of the person",
                control=control,
                control_of="people held out of the data",
                detail={"columns": len(names), "values": len(set(truth))},
            )
        )
    return max(results, key=lambda one: one.risk)


def _without(scene: Scene, release: Data, held: NDArray[np.int64]) -> Scene | None:
    """The scene of a release made alike without these people; None where none can be made."""
    given = dict(getattr(release, "parameters", {}))
    if not has_settings(given) or not len(held):
        return None
    out = np.zeros(scene.known.count, bool)
    out[held] = True
    try:
        alike = made_alike(scene, given, ~out[scene.known.of_row])
    except CannotBeMet:
        return None
    return scene_of(alike.sides.input, alike, None)


def _values(scene: Scene, name: str) -> list[str]:
    """What each person has: all distinct values together, as they are read."""
    read = read_values(scene.schema.columns[name], scene.before[name]).fill_null("")
    held: list[set[str]] = [set() for _ in range(scene.known.count)]
    for person, value in zip(scene.known.of_row.tolist(), read.to_list(), strict=True):
        held[person].add(value)
    return ["\x1f".join(sorted(one)) for one in held]


def _words(frame: pl.DataFrame, names: list[str], of_row: NDArray[np.int64]) -> list[set[str]]:
    found: list[set[str]] = [set() for _ in range(int(of_row.max(initial=-1)) + 1)]
    for name in names:
        texts = frame[name].cast(pl.String).fill_null("").to_list()
        for person, text in zip(of_row.tolist(), texts, strict=True):
            found[person].update(WORD.findall(text.casefold()))
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Model:
    """What a release teaches: the values of each class, and the words that go with each value."""

    scene: Scene
    values: list[str]
    by_class: NDArray[np.float64]
    counts: NDArray[np.float64]
    words: list[Counter[str]]

    __repr__ = by_sizes

    @classmethod
    def of(cls, scene: Scene, name: str, truth: list[str]) -> _Model:
        """Learns from the people of a release; their sensitive values stand in it."""
        values = sorted(set(truth))
        number = {value: i for i, value in enumerate(values)}
        codes = np.array([number[value] for value in truth], np.int64)
        by_class = np.zeros((len(scene.shown.sizes), len(values)))
        np.add.at(by_class, (scene.class_of, codes), 1.0)
        words: list[Counter[str]] = [Counter() for _ in values]
        texts = [one for one in scene.schema.texts if one in scene.after.columns]
        for person, said in enumerate(_words(scene.after, texts, scene.known.of_row)):
            words[codes[person]].update(said)
        return cls(scene, values, by_class, by_class.sum(axis=0), words)

    def right(self, target: Scene, chosen: NDArray[np.int64], truth: list[str]) -> int:
        """How many of the chosen people's values it predicts."""
        fits = fits_of(target, chosen, self.scene)
        votes = fits.astype(np.float64) @ self.by_class
        prior = self.counts / max(self.counts.sum(), 1.0)
        scores = np.log(votes + prior)
        texts = [one for one in target.schema.texts if one in target.before.columns]
        if texts:
            said = _words(target.before, texts, target.known.of_row)
            for at, person in enumerate(chosen.tolist()):
                scores[at] += self._told(said[person])
        found = scores.argmax(axis=1)
        return sum(
            self.values[int(one)] == truth[person]
            for one, person in zip(found, chosen.tolist(), strict=True)
        )

    def _told(self, said: set[str]) -> NDArray[np.float64]:
        """The log-likelihood of words under each value; words that no release shows say nothing."""
        result = np.zeros(len(self.values))
        for word in said:
            seen = [counted[word] for counted in self.words]
            if any(seen):
                result += [
                    log((one + 1.0) / (people + 2.0))
                    for one, people in zip(seen, self.counts.tolist(), strict=True)
                ]
        return result
