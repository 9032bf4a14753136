"""Texts rewritten in place: what each sensitive place becomes, and the texts with it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from .generalise import General, generalised
from .recode import MISSING
from .terms import QUASI, ROLE_NAMES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...ontologies import Ontology
    from .recode import Recoded
    from .terms import Terms
    from .view import Relational

OUTCOMES = ("suppressed", "kept", "generalised", "replaced", "outlier")
SUPPRESSED, KEPT, GENERALISED, REPLACED, OUTLIER = range(5)


@dataclass(frozen=True, slots=True, eq=False)
class Fates:
    """What becomes of every place, and what each person's terms lose by it."""

    outcomes: NDArray[np.int8]
    words: dict[int, General]  # places that a more general word replaces
    pair_losses: NDArray[np.float64]  # of each distinct (person, item)


def fates(
    terms: Terms, classes: NDArray[np.int32], sizes: NDArray[np.int64], ontology: Ontology | None
) -> Fates:
    """A term is kept if every person of the class has it, else generalised, else suppressed.

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
        found = generalised(terms, ontology, classes, sizes, is_shared)
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
            outcomes[at] = GENERALISED
            words[at] = general
    for pair, (person, item) in enumerate(
        zip(terms.pair_people.tolist(), terms.pair_items.tolist(), strict=True)
    ):
        general = found.get((int(classes[person]), item))
        if general is not None and losses[pair]:
            losses[pair] = general.loss
    return words


@dataclass(frozen=True, slots=True, eq=False)
class Rewritten:
    """The new texts, the changes that lead to them, and the table of all places."""

    texts: list[str | None]
    documents: NDArray[np.int64]
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    replacements: list[str]
    reasons: list[str]
    table: pl.DataFrame
    kept: pl.DataFrame


def rewrite(
    texts: Sequence[str | None],
    terms: Terms,
    found: Fates,
    columns: Sequence[Relational],
    recoded: Sequence[Recoded],
    classes: NDArray[np.int32],
    text_columns: Sequence[str],
) -> Rewritten:
    """Every text with its places replaced, everything else as before.

    Cost: O(text).
    """
    places, outcomes = terms.places, found.outcomes.copy()
    starts, stops = places.starts.copy(), places.stops.copy()
    replacements = _types(texts, terms, outcomes)
    reasons = [places.names[label] for label in places.labels.tolist()]
    for at, general in found.words.items():
        replacements[at] = general.word
        reasons[at] += ": generalised"
    cells = [one.cells.cast(pl.String).to_list() for one in recoded]
    labels = [column.labels.to_list() for column in columns]
    for at, (number, match) in terms.matches.items():
        if outcomes[at] == OUTLIER:
            continue
        cell = cells[number][classes[terms.people[at]]] or ""
        if _says_no_more(columns[number], match.told, labels[number][match.code], cell):
            outcomes[at], replacements[at] = KEPT, None
            continue
        outcomes[at], replacements[at] = REPLACED, cell
        starts[at], stops[at] = places.starts[at] + match.start, places.starts[at] + match.stop
        reasons[at] += f": redundant with {columns[number].name}"
    is_changed = [
        new is not None and (new != raw or at in terms.matches)
        for at, (new, raw) in enumerate(zip(replacements, terms.raws, strict=True))
    ]
    chosen = np.flatnonzero(is_changed)
    changes = places.documents[chosen], starts[chosen], stops[chosen]
    news = [replacements[at] or "" for at in chosen.tolist()]
    table = _table(terms, outcomes, replacements, text_columns, found.words)
    return Rewritten(
        _spliced(texts, *changes, news),
        *changes,
        news,
        [reasons[at] for at in chosen.tolist()],
        table,
        _kept(table, changes, news, outcomes, replacements, text_columns),
    )


def _types(
    texts: Sequence[str | None], terms: Terms, outcomes: NDArray[np.int8]
) -> list[str | None]:
    """The entity type for every suppressed place, with a capital where a sentence starts."""
    places = terms.places
    small = [name.lower().replace("_", " ") for name in places.names]
    large = [name.capitalize() for name in small]
    result: list[str | None] = [None] * len(places)
    chosen = np.flatnonzero(outcomes == SUPPRESSED)
    columns = (one[chosen].tolist() for one in (places.documents, places.starts, places.labels))
    for at, document, start, label in zip(chosen.tolist(), *columns, strict=True):
        text = texts[document] or ""
        inside = start > 1 and text[start - 1] == " " and text[start - 2].isalnum()
        result[at] = small[label] if inside or not _starts_sentence(text, start) else large[label]
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


def _starts_sentence(text: str, start: int) -> bool:
    at = start - 1
    while at >= 0 and (text[at].isspace() or text[at] in "\"'“‘(["):
        at -= 1
    return at < 0 or text[at] in ".!?"


def _spliced(
    texts: Sequence[str | None],
    documents: NDArray[np.int64],
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    news: list[str],
) -> list[str | None]:
    """The texts with the new words at these places, which stand in order."""
    result = list(texts)
    last, text, position = -1, "", 0
    pieces: list[str] = []
    for document, start, stop, new in zip(
        documents.tolist(), starts.tolist(), stops.tolist(), news, strict=True
    ):
        if document != last:
            if pieces:
                result[last] = "".join(pieces) + text[position:]
            last, text, position, pieces = document, texts[document] or "", 0, []
        pieces.append(text[position:start])
        pieces.append(new)
        position = stop
    if pieces:
        result[last] = "".join(pieces) + text[position:]
    return result


def _table(
    terms: Terms,
    outcomes: NDArray[np.int8],
    replacements: list[str | None],
    text_columns: Sequence[str],
    words: Mapping[int, General],
) -> pl.DataFrame:
    """All sensitive places: where, what, which role, what became of them, what was lost."""
    losses = np.isin(outcomes, (SUPPRESSED, OUTLIER)).astype(np.float64)
    for at, general in words.items():
        losses[at] = general.loss
    places, width = terms.places, max(len(text_columns), 1)
    named = pl.Series(text_columns or [""], dtype=pl.String)
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
            "replacement": pl.Series(replacements, dtype=pl.String),
            "loss": losses,
        }
    )


def _kept(
    table: pl.DataFrame,
    changes: Sequence[NDArray[np.int64]],
    news: list[str],
    outcomes: NDArray[np.int8],
    replacements: list[str | None],
    text_columns: Sequence[str],
) -> pl.DataFrame:
    """The terms that stay legible, with their places in the released texts."""
    documents, starts, stops = changes
    grown = np.fromiter(map(len, news), np.int64, len(news)) - (stops - starts)
    total = np.concatenate(([0], np.cumsum(grown)))
    legible = np.flatnonzero((outcomes == KEPT) | (outcomes == GENERALISED))
    width = max(len(text_columns), 1)
    place = pl.Series(text_columns or [""], dtype=pl.String)
    number = {name: i for i, name in enumerate(place)}
    chosen = table[legible]
    columns = np.array([number[name] for name in chosen["column"]], np.int64)
    document = chosen["row"].to_numpy() * width + columns
    begin = chosen["start"].to_numpy()
    # All changes of the same document that end at or before the term have moved it.
    keys = documents * (1 << 32) + starts
    before = total[np.searchsorted(keys, document * (1 << 32) + begin)]
    before = before - total[np.searchsorted(keys, document * (1 << 32))]
    lengths = chosen["stop"].to_numpy() - begin
    general = outcomes[legible] == GENERALISED
    written = np.array([len(replacements[at] or "") for at in legible.tolist()], np.int64)
    return chosen.select("row", "column").with_columns(
        start=pl.Series(begin + before),
        stop=pl.Series(begin + before + np.where(general, written, lengths)),
        term=chosen["term"],
        label=chosen["label"],
    )
