"""An earlier release without its private folder, aligned with the input it was made of.

`suppress` and `redact` with a mark for each symbol keep the length: the two texts are read position
by position. Other stages write words of other lengths: the longest common subsequence of words
tells what stands unchanged, read from both ends; what either reading keeps counts as shown. Nothing
is guessed about whose text it was: a release that fits several documents is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...core.certificate import text_digest
from ...core.corpus import Corpus
from ...core.errors import BadInput
from ...core.printed_form import by_sizes
from ...core.release import Release
from ...core.spans import Change, Changes
from ...methods import method
from ...received.folder import read_folder
from ...verification.trace import Piece, Trace
from .earlier import Earlier

if TYPE_CHECKING:
    from ...formats import Source
    from ...received.certificate import Certificate, Stage

_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
BESIDE = "put its private folder beside it: only that tells where its texts stood"


@dataclass(frozen=True, slots=True)
class _Stages:
    """What is public of the stages of one column: their settings and claims."""

    stated: tuple[Stage, ...]

    __repr__ = by_sizes

    @property
    def masks(self) -> str:
        """What stands for symbols that were hidden where they stood."""
        return "".join(_mask(one) for one in self.stated)

    @property
    def in_step(self) -> bool:
        """Whether every stage keeps the length of a text."""
        return all(
            method(one.verb).keeps_places
            and len(str(one.parameters["mask"])) == 1
            and not one.parameters.get("collapse")
            for one in self.stated
        )


def read(path: Path, sources: Mapping[str | None, Source], key: bytes) -> dict[str | None, Earlier]:
    """The columns of an earlier release, from what is public and the texts it was made of."""
    folder = read_folder(path)
    if folder.is_shuffled:
        problem = "its files have numbers for names, and only the steward knows which is whose"
        raise BadInput(problem, where=str(path), remedy=BESIDE)
    found: dict[str | None, list[Stage]] = {}
    for stage in folder.certificate.stages:
        declared = method(stage.verb)
        if declared.takes_table or declared.takes_sequences:
            problem = f"texts that {stage.verb} changed cannot be aligned with the original"
            raise BadInput(problem, where=str(path), remedy=BESIDE)
        found.setdefault(stage.column, []).append(stage)
    result = {}
    for column, stated in found.items():
        if column not in sources:
            continue
        stages = _Stages(tuple(stated))
        released = folder.source(folder.data, column)
        if not stages.in_step:
            given = [sources.get(one) for one in found]
            _require_same_input(path, folder.certificate, given, key)
        result[column] = _column(path, stages, released, sources[column])
    return result


def _require_same_input(
    folder: Path, certificate: Certificate, columns: Sequence[Source | None], key: bytes
) -> None:
    """Edited texts cannot be aligned: the keyed hash tells whether these are the earlier ones."""
    texts = [one.data for one in columns if one is not None]
    found = bytes.fromhex(text_digest(texts))
    if len(texts) < len(columns) or not certificate.hashed_under(key, "input", found):
        raise BadInput(
            "was made of other texts than this input, or with another key, and its stages write "
            "words of other lengths",
            where=str(folder),
            remedy=f"{BESIDE}; or name the key it was made with (key_file)",
        )


def _column(folder: Path, stages: _Stages, released: Source, source: Source) -> Earlier:
    texts = list(Corpus.of(released.data).texts)
    originals = list(Corpus.of(source.data).texts)
    if stages.in_step:
        matches = _matched(texts, released.groups, originals, source.groups, stages, folder)
    elif len(texts) == len(originals) and released.groups == source.groups:
        matches = list(range(len(texts)))
    else:
        problem = "has other records than this input, and its stages write words of other lengths"
        raise BadInput(problem, where=str(folder), remedy=BESIDE)
    align = _in_step if stages.in_step else _by_words
    traces = [Trace() for _ in texts]
    for i, place in enumerate(matches):
        if place >= 0:
            traces[place] = align(originals[i], texts[place])
    return Earlier(folder.name, texts, released.groups, [], _taken(stages, traces), traces, matches)


def _matched(
    texts: Sequence[str],
    owners: Sequence[str] | None,
    originals: Sequence[str],
    people: Sequence[str] | None,
    stages: _Stages,
    folder: Path,
) -> list[int]:
    """For every document of the input, its place in the release, or -1: it must be the only one.

    In the order of the file where all fit so; else by person and text.
    """
    masks = stages.masks
    known = owners is not None and people is not None
    same = len(texts) == len(originals) and (not known or owners == people)
    if same and all(fits(old, new, masks) for old, new in zip(originals, texts, strict=True)):
        return list(range(len(texts)))
    waiting: dict[tuple[str, int], list[int]] = {}
    for place, text in enumerate(texts):
        owner = owners[place] if known and owners is not None else ""
        waiting.setdefault((owner, len(text)), []).append(place)
    result, taken = [], dict[int, str]()
    for i, original in enumerate(originals):
        owner = people[i] if known and people is not None else ""
        places = [
            place
            for place in waiting.get((owner, len(original)), ())
            if fits(original, texts[place], masks)
        ]
        free = [place for place in places if place not in taken]
        legible = any(symbol not in masks for place in places for symbol in texts[place])
        others = {taken[place] for place in places if place in taken} - {original}
        if legible and (others or len({texts[place] for place in places}) > 1):
            raise BadInput(
                f"document {i} fits several documents of the earlier release, or one that another "
                "fits too",
                where=str(folder),
                remedy=BESIDE,
            )
        result.append(free[0] if free else -1)
        if free:
            taken[free[0]] = original
    return result


def fits(original: str, released: str, masks: str) -> bool:
    """Whether a text is the other with masks over some of its symbols.

    >>> fits("crew", "cr*w", "*★"), fits("crow", "cr*x", "*★")
    (True, False)
    """
    return len(original) == len(released) and all(
        new == old or new in masks for old, new in zip(original, released, strict=True)
    )


def _in_step(original: str, released: str) -> Trace:
    """Position by position."""
    pieces, at = list[Piece](), 0
    while at < len(original):
        stop = at
        while stop < len(original) and released[stop] != original[stop]:
            stop += 1
            if stop < len(original) and released[stop] != released[at]:
                break  # another mark: another stage
        if stop > at:
            pieces.append(Piece(at, stop, released[at:stop]))
        at = max(stop, at + 1)
    return Trace(tuple(pieces))


def _by_words(original: str, released: str) -> Trace:
    """By the longest common subsequence of words, read from both ends."""
    old, new = _WORDS.findall(original), _WORDS.findall(released)
    first = _changed(old, new)
    size = len(original)
    again = [
        Piece(size - piece.stop, size - piece.start, "")
        for piece in _changed([w[::-1] for w in old[::-1]], [w[::-1] for w in new[::-1]])
    ]
    if Trace(tuple(first)).applied(original) != released:
        raise BadInput("a released text cannot be aligned with its original", remedy=BESIDE)
    hidden = np.zeros(size, bool)
    for piece in again:
        hidden[piece.start : piece.stop] = True
    result: list[Piece] = []
    for piece in first:
        if hidden[piece.start : piece.stop].all():
            result.append(piece)
        else:  # another alignment keeps some of it: these symbols count as shown
            edges = np.flatnonzero(np.diff(hidden[piece.start : piece.stop], prepend=0, append=0))
            result += [
                Piece(piece.start + a, piece.start + b, "")
                for a, b in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
            ]
    return Trace(tuple(result))


def _changed(old: Sequence[str], new: Sequence[str]) -> list[Piece]:
    """The stretches of a text that another has not, with what it has in their place."""
    from rapidfuzz.distance import Indel

    pieces: list[Piece] = []
    ends = np.cumsum([0, *map(len, old)]).tolist()
    for code in Indel.opcodes(old, new):
        if code.tag == "equal":
            continue
        start, stop = ends[code.src_start], ends[code.src_end]
        text = "".join(new[code.dest_start : code.dest_end])
        if pieces and pieces[-1].stop == start:
            last = pieces.pop()
            start, text = last.start, last.text + text
        pieces.append(Piece(start, stop, text))
    return pieces


def _taken(stages: _Stages, traces: Sequence[Trace]) -> tuple[Release, ...]:
    """The stages with the changes that are theirs by what stands there."""
    given: dict[int, list[Change]] = {number: [] for number in range(len(stages.stated))}
    for document, trace in enumerate(traces):
        owner = [_writer(piece, stages) for piece in trace.pieces]
        so_far = Trace()
        for number in range(len(stages.stated)):
            mine = [p for p, one in zip(trace.pieces, owner, strict=True) if one == number]
            changes = [Change(document, *so_far.image(p.start, p.stop), p.text, "") for p in mine]
            given[number] += changes
            so_far = so_far.then(changes)
    return tuple(
        _public_release(stated, given[number]) for number, stated in enumerate(stages.stated)
    )


def _writer(piece: Piece, stages: _Stages) -> int:
    """Which stage wrote a piece: told by its mask, else one that writes words.

    Where several may have written it, one whose claim is undone if the word is shown.
    """
    found = [(number, one, method(one.verb)) for number, one in enumerate(stages.stated)]
    for number, one, _ in sorted(found, key=lambda each: each[2].only_hides):
        if any(symbol in _mask(one) for symbol in piece.text):
            return number
    writers = [each for each in found if not each[2].only_hides] or found
    return min(writers, key=lambda each: (each[2].keeps_places, not each[2].claims_replaced))[0]


def _mask(stage: Stage) -> str:
    """What a stage that leaves every symbol in its place writes over the hidden ones."""
    return str(stage.parameters.get("mask", "")) if method(stage.verb).keeps_places else ""


def _public_release(stage: Stage, changes: Sequence[Change]) -> Release:
    return Release(
        verb=stage.verb,
        data=[],
        claims=stage.claims,
        changes=Changes.of(changes),
        loss={},
        parameters=stage.parameters,
    )
