"""Hiding more in a suppressed release, so that it and earlier ones together keep their claim.

What an earlier release shows is public for ever; only what this release alone shows can be hidden.
Stretches of the texts read together that too few people share lose such symbols, then this release
is counted again by itself, until both counts hold. In the worst case this release shows nothing
that an earlier one does not show, which is as safe as the earlier one was.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...claims.substrings import LegibleParameters
from ...core.errors import CannotBeMet
from ...core.spans import Changes, Same
from ..verbs import counts_legible
from .joint_disclosure import HOLE, Column, JointText, as_read

if TYPE_CHECKING:
    from ...core.claims import Claim
    from ...core.release import Release
    from ...core.values import JsonObject
    from ..steps import StageResult


def adapted(column: Column) -> Column:
    """The column with as many symbols hidden in its last stage as all releases together need."""
    claim, last = column.claim(), column.done[-1]
    counts = counts_legible(last.release.verb) and _one_mark_a_symbol(last.release)
    if claim is None or not counts:
        return column
    while True:
        hidden = _too_rare(column, claim)
        if not hidden:
            return column
        texts = _starred(_texts(column), hidden, _suppressed(last).mask)
        texts = _counted_again(texts, last)
        done = replace(column.done[-1], release=_released(last, texts))
        column = replace(column, done=(*column.done[:-1], done))


def key_of(last: StageResult, previous: Sequence[str]) -> str:
    """The key of an adapted result: that of the stage, and the earlier releases."""
    told = "\n".join([last.key, *previous])
    return hashlib.sha256(told.encode()).hexdigest()


def _one_mark_a_symbol(release: Release) -> bool:
    read = LegibleParameters.read(release.parameters)
    return len(read.mask) == 1 and not read.collapse


def _suppressed(last: StageResult) -> LegibleParameters:
    """By what the last stage starred."""
    return LegibleParameters.read(last.release.parameters)


def _texts(column: Column) -> list[str]:
    from ...core.corpus import Corpus

    return list(Corpus.of(column.done[-1].release.data).texts)


def _too_rare(column: Column, claim: Claim) -> dict[int, set[int]]:
    """Symbols of this release, by document, that make a stretch rare and that only it shows."""
    from ...methods.substrings.suppress import suppress

    shown = as_read(column, claim)
    given = LegibleParameters.of(claim)
    by_word, by_place = given.unit == "word", given.count == "occurrences"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        found = suppress(
            [one.text for one in shown],
            given.k,
            "occurrences" if by_place else "groups",
            None if by_place else [one.label for one in shown],
            unit="word" if by_word else "character",
            align="word" if by_word else "character",
            mask=HOLE,
            keep=given.keep or None,
            strict=True,
            guess=given.guess,
            reach=given.reach,
        )
    mild: dict[int, set[int]] = {}
    whole: dict[int, set[int]] = {}
    rare = False
    for one, text in zip(shown, found.data, strict=True):
        for start, stop in _rare_stretches(one.text, text):
            rare = True
            ours = (np.flatnonzero(one.ours[start:stop]) + start).tolist()
            if by_word:  # what stands between words is not counted
                ours = [place for place in ours if one.text[place].isalnum()]
            _add(whole, one, ours)
            _add(mild, one, [place for place in ours if text[place] == HOLE])
    if rare and not any(whole.values()):
        raise CannotBeMet(
            "what earlier releases show is shared by too few people, and nothing this release "
            "hides can change that; nothing was written",
            remedy=_remedy(column),
        )
    return mild if any(mild.values()) else whole if rare else {}


def _remedy(column: Column) -> str:
    aligned = [one.name for one in column.earlier if one.aligned is not None]
    if aligned:
        return (
            f"put the private folder of {', '.join(aligned)} beside it: without it, whatever may "
            "stand unchanged in it counts as shown"
        )
    return "their readers must be trusted, or this release not be made"


def _rare_stretches(before: str, after: str) -> list[tuple[int, int]]:
    """The legible stretches that lost a symbol."""
    result, at = [], 0
    for stretch in before.split(HOLE):
        stop = at + len(stretch)
        if HOLE in after[at:stop]:
            result.append((at, stop))
        at = stop + 1
    return result


def _add(found: dict[int, set[int]], one: JointText, places: Sequence[int]) -> None:
    if len(places):
        mine = (int(one.places[place]) for place in places)
        found.setdefault(one.document, set()).update(place for place in mine if place >= 0)


def _starred(texts: list[str], hidden: Mapping[int, set[int]], mask: str) -> list[str]:
    result = list(texts)
    for document, places in hidden.items():
        text = result[document]
        result[document] = "".join(
            mask if place in places else symbol for place, symbol in enumerate(text)
        )
    return result


def _counted_again(texts: list[str], last: StageResult) -> list[str]:
    """The stage's own claim after more was hidden: what lost its crowd is hidden too."""
    from ...core.corpus import Corpus
    from ...methods.substrings.suppress import suppress

    stated = _suppressed(last)
    if stated.guess is not None:
        return _counted_against_reader(texts, last)
    groups = last.source.groups if stated.count == "groups" else None
    names = ("count", "unit", "align", "min_run", "run_price", "cover")
    chosen: JsonObject = {name: last.release.parameters[name] for name in names}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        found = suppress(
            [text.replace(stated.mask, HOLE) for text in texts],
            stated.k,
            groups=groups,
            keep=stated.keep or None,
            mask=HOLE,
            strict=True,
            guess=None,
            **chosen,
        )
    return [text.replace(HOLE, stated.mask) for text in Corpus.of(found.data).texts]


def _counted_against_reader(texts: list[str], last: StageResult) -> list[str]:
    """The same against a reader: of the original, with what is hidden already as spans."""
    from ...core.corpus import Corpus
    from ...core.spans import Span
    from ...methods.substrings.suppress import suppress

    parameters, mask = last.release.parameters, _suppressed(last).mask
    before = last.source.filled
    spans = [
        Span(document, start, stop)
        for document, (old, new) in enumerate(zip(before, texts, strict=True))
        for start, stop in _runs([b == mask != a for a, b in zip(old, new, strict=True)])
    ]
    names = ("k", "count", "min_run", "run_price", "keep", "mask", "strict", "guess", "reach")
    groups = last.source.groups if _suppressed(last).count == "groups" else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        chosen: JsonObject = {name: parameters[name] for name in names}
        chosen |= {name: parameters[name] for name in ("knows", "common") if name in parameters}
        found = suppress(before, groups=groups, spans=spans, **chosen)
    return list(Corpus.of(found.data).texts)


def _runs(flags: Sequence[bool]) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], np.array(flags, bool), [False]])))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def _released(last: StageResult, texts: list[str]) -> Release:
    """The stage's release with these texts."""
    before = last.source.filled
    mask = _suppressed(last).mask
    documents, starts, stops, shown = [], [], [], []
    for number, (old, new) in enumerate(zip(before, texts, strict=True)):
        for start, stop in _runs([b != a for a, b in zip(old, new, strict=True)]):
            documents.append(number)
            starts.append(start)
            stops.append(stop)
            shown.append(new[start:stop])
    sizes = np.array([text.count(mask) for text in shown], np.int64)
    changes = Changes(
        np.array(documents, np.int64),
        np.array(starts, np.int64),
        np.array(stops, np.int64),
        shown,
        Same("rarer than k, alone or with earlier releases", len(starts)),
    )
    symbols, suppressed = sum(map(len, before)), int(sizes.sum())
    loss = {
        "suppressed": suppressed,
        "unsuppressed_ratio": 1 - suppressed / symbols if symbols else 1.0,
        "runs": len(starts),
        "suppressed_for_earlier": suppressed - int(last.release.loss["suppressed"]),
    }
    data: object = texts[0] if last.source.is_single else texts
    return replace(last.release, data=data, changes=changes, loss=loss)
