"""Texts rewritten in place: what each sensitive place becomes, and the texts with it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from ...core.labels import placeholder
from ...core.printed_form import by_sizes
from ...core.spans import Changes, GatheredStrings
from ...kernels.places import sentence_starts, splice
from .articles import with_articles
from .generalize import General, generalized
from .recode import MISSING
from .terms import QUASI, ROLE_NAMES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...ontologies import Ontology
    from .recode import RecodedColumn
    from .terms import Terms
    from .view import Relational

OUTCOMES = ("suppressed", "kept", "generalised", "replaced", "outlier")
SUPPRESSED, KEPT, GENERALIZED, REPLACED, OUTLIER = range(5)
NOTHING = -1  # is written: what stood at the place stays


@dataclass(frozen=True, slots=True, eq=False)
class Fates:
    """What becomes of every place, and what each person's terms lose by it."""

    outcomes: NDArray[np.int8]
    words: dict[int, General]  # places that a more general word replaces
    pair_losses: NDArray[np.float64]  # of each distinct (person, item)


def fates(
    terms: Terms,
    classes: NDArray[np.int32],
    sizes: NDArray[np.int64],
    ontology: Ontology | None,
    roots: Sequence[int] | None = None,
) -> Fates:
    """A term is kept if every person of the class has it, else generalised, else suppressed.

    `roots` are the leaves of each entity type, where these are not all people (`generalized`).
    Paper: section 4.2, Example of recoding. Cost: a sort of the people's terms.
    """
    items = max(len(terms.item_forms), 1)
    owners = classes[terms.pair_people].astype(np.int64)
    keys = owners * items + terms.pair_items
    seen, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
    # An outlier's class is -1, which has no size of its own.
    shared = counts == np.where(seen < 0, -1, sizes[np.maximum(seen // items, 0)])
    is_shared = shared[inverse]
    losses = np.where(is_shared, 0.0, 1.0)
    place_owners = classes[terms.people].astype(np.int64)
    at = np.searchsorted(seen, place_owners * items + terms.item)
    at = np.minimum(at, max(len(seen) - 1, 0))
    quasi = terms.roles == QUASI
    outcomes = np.full(len(terms.places), SUPPRESSED, np.int8)
    if len(seen):
        outcomes[quasi & shared[at]] = KEPT
    words: dict[int, General] = {}
    if ontology is not None:
        found = generalized(terms, ontology, classes, sizes, is_shared, roots)
        words = _general_words(terms, classes, found, outcomes, losses)
    outcomes[place_owners < 0] = OUTLIER
    return Fates(outcomes, words, losses)


def _general_words(
    terms: Terms,
    classes: NDArray[np.int32],
    found: dict[tuple[int, int], General],
    outcomes: NDArray[np.int8],
    losses: NDArray[np.float64],
) -> dict[int, General]:
    words: dict[int, General] = {}
    candidates = np.flatnonzero((terms.roles == QUASI) & (outcomes == SUPPRESSED))
    for at in candidates.tolist():
        general = found.get((int(classes[terms.people[at]]), int(terms.item[at])))
        if general is not None:
            outcomes[at] = GENERALIZED
            words[at] = general
    for pair, (person, item) in enumerate(
        zip(terms.pair_people.tolist(), terms.pair_items.tolist(), strict=True)
    ):
        general = found.get((int(classes[person]), item))
        if general is not None and losses[pair]:
            losses[pair] = general.loss
    return words


@dataclass(frozen=True, slots=True, eq=False)
class RewrittenTexts:
    """The new texts, the changes that lead to them, and the table of all places."""

    texts: list[str]
    changes: Changes
    table: pl.DataFrame
    kept: pl.DataFrame

    __repr__ = by_sizes


def rewrite(
    texts: list[str],
    terms: Terms,
    found: Fates,
    columns: Sequence[Relational],
    recoded: Sequence[RecodedColumn],
    classes: NDArray[np.int32],
    text_columns: Sequence[str],
) -> RewrittenTexts:
    """Every text with its places replaced, everything else as before.

    Cost: O(text).
    """
    places, outcomes = terms.places, found.outcomes.copy()
    starts, stops = places.starts.copy(), places.stops.copy()
    words: dict[str, int] = {}  # all that is written anywhere, numbered
    written = _types(terms, outcomes, words)
    reasons = {name: number for number, name in enumerate(places.names)}
    why = places.labels.copy()
    begins = _begins(texts, terms, list(found.words))
    for at, general in found.words.items():
        word = general.word[:1].upper() + general.word[1:] if at in begins else general.word
        written[at] = words.setdefault(word, len(words))
        told = f"{places.names[why[at]]}: generalised"
        why[at] = reasons.setdefault(told, len(reasons))
    cells = [one.cells.cast(pl.String).to_list() for one in recoded]
    labels = [column.labels.to_list() for column in columns]
    replaced = np.zeros(len(places), bool)
    for at, (number, match) in terms.matches.items():
        if outcomes[at] == OUTLIER:
            continue
        column, of_class = columns[number], int(classes[terms.people[at]])
        cell = cells[number][of_class] or ""
        if column.described.kind == "set":
            says_it = recoded[number].shares(
                of_class, int(terms.people[at]), match.code, len(column.labels)
            )
        else:
            says_it = _says_no_more(column, match.told, labels[number][match.code], cell)
        if says_it:
            outcomes[at], written[at] = KEPT, NOTHING
            continue
        outcomes[at] = REPLACED
        if column.described.kind != "set":  # a set's item becomes its type
            written[at] = words.setdefault(cell, len(words))
        starts[at], stops[at] = places.starts[at] + match.start, places.starts[at] + match.stop
        told = f"{places.names[why[at]]}: redundant with {columns[number].name}"
        why[at] = reasons.setdefault(told, len(reasons))
        replaced[at] = True
    chosen = np.flatnonzero((written >= 0) & (replaced | ~_as_before(terms, written, words)))
    where = places.documents[chosen], starts[chosen], stops[chosen]
    where, new, reason = with_articles(
        texts, places, chosen, where, written[chosen], words, why[chosen], reasons
    )
    news = list(words)
    told_why = GatheredStrings(list(reasons), reason)
    changes = Changes(*where, GatheredStrings(news, new), told_why)
    table = _table(terms, outcomes, written, news, text_columns, found.words)
    return RewrittenTexts(
        splice(texts, *where, new, news),
        changes,
        table,
        _kept(terms, table, changes, new, outcomes, written, news),
    )


def _types(terms: Terms, outcomes: NDArray[np.int8], words: dict[str, int]) -> NDArray[np.int32]:
    """The placeholder of its entity type for every suppressed place."""
    places = terms.places
    number = [words.setdefault(placeholder(name), len(words)) for name in places.names]
    result = np.full(len(places), NOTHING, np.int32)
    chosen = np.flatnonzero(outcomes == SUPPRESSED)
    result[chosen] = np.array(number, np.int32)[places.labels[chosen]]
    return result


def _begins(texts: list[str], terms: Terms, chosen: Sequence[int]) -> set[int]:
    """Which of these places begin a sentence."""
    at = np.array(chosen, np.int64)
    large = sentence_starts(texts, terms.places.documents[at], terms.places.starts[at])
    return set(at[large.astype(bool)].tolist())


def _as_before(
    terms: Terms, written: NDArray[np.int32], words: dict[str, int]
) -> NDArray[np.bool_]:
    """Whether what is written at a place is what stood there."""
    spelt = {one: number for number, one in enumerate(terms.spellings) if one in words}
    same = np.fromiter((spelt.get(word, -1) for word in words), np.int64, len(words))
    result: NDArray[np.bool_] = np.append(same, -1)[written] == terms.spelt
    return result


def _says_no_more(column: Relational, told: int, value: str | None, cell: str) -> bool:
    """Whether a repeated value is no more exact than the recoded cell."""
    if cell == (value or ""):
        return True
    if column.described.kind != "date":
        return False
    core = cell.removesuffix(MISSING)
    known = 2 if re.fullmatch(r"\d{4}-\d{2}", core) else 1 if re.fullmatch(r"\d{4}", core) else 0
    return told <= known


def _table(
    terms: Terms,
    outcomes: NDArray[np.int8],
    written: NDArray[np.int32],
    words: list[str],
    text_columns: Sequence[str],
    general: Mapping[int, General],
) -> pl.DataFrame:
    """All sensitive places: where, what, which role, what became of them, what was lost."""
    losses = np.isin(outcomes, (SUPPRESSED, OUTLIER)).astype(np.float64)
    for at, one in general.items():
        losses[at] = one.loss
    places, width = terms.places, max(len(text_columns), 1)
    named = pl.Series(text_columns or [""], dtype=pl.String)
    # The last one is nothing, which -1 means.
    replacements = pl.Series([*words, None], dtype=pl.String)
    return pl.DataFrame(
        {
            "row": places.documents // width,
            "column": named.gather(places.documents % width),
            "start": places.starts,
            "stop": places.stops,
            "label": pl.Series(places.names or [""], dtype=pl.String).gather(places.labels),
            "term": terms.forms,
            "role": pl.Series(ROLE_NAMES).gather(terms.roles),
            "outcome": pl.Series(OUTCOMES).gather(outcomes),
            "replacement": replacements.gather(np.where(written < 0, len(words), written)),
            "loss": losses,
            "own": terms.own,
        }
    )


def _kept(
    terms: Terms,
    table: pl.DataFrame,
    changes: Changes,
    new: NDArray[np.int32],
    outcomes: NDArray[np.int8],
    written: NDArray[np.int32],
    words: list[str],
) -> pl.DataFrame:
    """The terms that stay legible, with their places in the released texts."""
    sizes = np.fromiter(map(len, words), np.int64, len(words))
    grown = sizes[new] - (changes.stops - changes.starts)
    total = np.concatenate(([0], np.cumsum(grown)))
    legible = np.flatnonzero((outcomes == KEPT) | (outcomes == GENERALIZED))
    document, begin = terms.places.documents[legible], terms.places.starts[legible]
    # All changes of the same document that end at or before the term have moved it.
    keys = changes.documents * (1 << 32) + changes.starts
    before = total[np.searchsorted(keys, document * (1 << 32) + begin)]
    before = before - total[np.searchsorted(keys, document * (1 << 32))]
    lengths = terms.places.stops[legible] - begin
    general = outcomes[legible] == GENERALIZED
    lengths[general] = sizes[written[legible[general]]]
    chosen = table[legible]
    return chosen.select("row", "column").with_columns(
        start=pl.Series(begin + before),
        stop=pl.Series(begin + before + lengths),
        term=chosen["term"],
        label=chosen["label"],
    )
