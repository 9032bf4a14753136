"""Linkage by a few terms: the attacker knows all columns of somebody, and m of the terms.

He looks among the people whose cells are the target's, and takes one of those who show most of
what he knows, as it is or as the more general word that the release writes for it.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from ..core.errors import BadInput
from ..core.release import Release
from ..schema import as_schema
from ..schema.frames import as_polars
from ..verification.records_view import people, signatures
from .protocol import SAMPLE
from .result import AttackResult

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.values import Data

    Items = list[set[str]]
    Words = dict[str, set[str]]

KNOWN = 2  # terms, where the release says nothing else


def linkage_terms(
    original: Data,
    release: Data,
    knows: int | None = None,
    trials: int = SAMPLE,
    seed: int = 0,
) -> AttackResult:
    """How often a person is found by all columns and some terms (by default as many as `knows`).

    Cost: O(terms) and O(trials x people of a class).
    """
    if not isinstance(release, Release) or release.sides.terms is None:
        raise BadInput(
            "this attack needs a release of a table with texts",
            where="linkage-terms",
            remedy="give what sf.anonymize returned",
        )
    known = int(knows or release.parameters.get("knows") or KNOWN)  # type: ignore[call-overload]
    whose, class_of = _people(original, release)
    own, shown, words = _terms(release, whose)
    members: dict[int, list[int]] = defaultdict(list)
    for person, number in enumerate(class_of.tolist()):
        members[number].append(person)
    whoever: dict[str, list[int]] = defaultdict(list)
    for person, items in enumerate(shown):
        for item in items:
            whoever[item].append(person)
    showing = {item: np.array(whose_it_is) for item, whose_it_is in whoever.items()}
    draw = np.random.default_rng(seed)
    able = np.array([i for i, one in enumerate(own) if one], np.int64)
    chosen = draw.permutation(able)[:trials]
    chances = []
    for person in chosen.tolist():
        held = sorted(own[person])
        told = draw.permutation(len(held))[:known]
        facts = [words[held[i]] for i in told.tolist()]
        scores = np.zeros(len(own), np.int64)
        for fact in facts:
            hit = np.zeros(len(own), bool)
            for word in fact & showing.keys():
                hit[showing[word]] = True
            scores += hit
        of_peers = scores[members[int(class_of[person])]]
        best = of_peers == of_peers.max()
        chances.append(float(scores[person] == of_peers.max()) / float(best.sum()))
    right = int((draw.random(len(chances)) < np.array(chances)).sum())
    everybody = len(own)
    return AttackResult.of(
        "linkage-terms",
        right,
        len(chances),
        baseline=1 / everybody if everybody else 0.0,
        unit="person",
        background=f"all columns and {known} terms of the person",
        detail={
            "expected": float(np.mean(chances)) if chances else 0.0,
            "worst": max(chances, default=0.0),
        },
    )


def _people(original: Data, release: Release) -> tuple[dict[int, int], NDArray[np.int64]]:
    """The person of every row of the original that was released, and the class of each person."""
    schema, before = as_schema(release.sides.of_table.schema), as_polars(original)
    after, rows = as_polars(release.data), np.asarray(release.sides.rows)
    labels = pl.Series(rows) if schema.person is None else people(before[schema.person])[rows]
    persons = (labels.rank("dense").cast(pl.Int64) - 1).alias("person")
    single = [after[name] for name in schema.relational if schema.columns[name].kind != "set"]
    table = signatures(single, persons).sort("person")
    by = [name for name in table.columns if name != "person"]
    if by:
        numbers = table.select(pl.struct(by).rank("dense")).to_series().to_numpy()
    else:
        numbers = np.zeros(table.height, np.int64)
    whose = dict(zip(rows.tolist(), persons.to_list(), strict=True))
    return whose, numbers.astype(np.int64)


def _terms(release: Release, whose: dict[int, int]) -> tuple[Items, Items, Words]:
    """What people have, what the release shows of it, and what is written for each term."""
    count = max(whose.values(), default=-1) + 1
    own: Items = [set() for _ in range(count)]
    shown: Items = [set() for _ in range(count)]
    words: Words = defaultdict(set)
    assert release.sides.places is not None
    places = release.sides.places.filter(pl.col("role") == "quasi")
    names = ("row", "column", "label", "term", "outcome", "replacement")
    for row, column, label, term, outcome, new in places.select(names).unique().iter_rows():
        if row not in whose:
            continue
        key = f"{column}\x1e{label}\x1e{term}"
        own[whose[row]].add(key)
        words[key].add(key)
        if outcome == "kept":
            shown[whose[row]].add(key)
        elif outcome == "generalised":
            general = f"{column}\x1e{label}\x1e{new.casefold()}"
            shown[whose[row]].add(general)
            words[key].add(general)
    return own, shown, words
