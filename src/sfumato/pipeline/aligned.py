"""An earlier release without its private folder, aligned with the input it was made of.

`suppress` and `redact` with a mark for each symbol keep the length: the two texts are read position
by position. Other stages write words of other lengths: the longest common subsequence of words
tells what stands unchanged, read from both ends; what either reading keeps counts as shown. Nothing
is guessed about whose text it was: a release that fits several documents is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.claims import Claim
from ..core.corpus import Corpus
from ..core.errors import BadInput
from ..core.release import Release
from ..core.spans import Change, Changes
from ..verification.trace import Piece, Trace
from . import received
from .earlier import Earlier, Taken
from .run import read_input
from .stages import steps_of

if TYPE_CHECKING:
    from ..formats import Source
    from .stages import Step

_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
BESIDE = "put its private folder beside it: only that tells where its texts stood"


@dataclass(frozen=True, slots=True)
class _Stages:
    """What is public of the stages of one column: their steps, settings and claims."""

    steps: tuple[Step, ...]
    stated: tuple[Mapping[str, Any], ...]

    def masks(self, *verbs: str) -> str:
        chosen = (one["parameters"] for one in self.stated if one["verb"] in verbs)
        return "".join(str(one.get("mask", "")) for one in chosen)

    @property
    def verbs(self) -> list[str]:
        return [str(one["verb"]) for one in self.stated]

    @property
    def in_step(self) -> bool:
        """Whether every stage keeps the length of a text."""
        return all(
            one["verb"] in ("suppress", "redact")
            and len(str(one["parameters"]["mask"])) == 1
            and not one["parameters"].get("collapse")
            for one in self.stated
        )


def read(
    folder: Path, stated: Mapping[str, Any], sources: Mapping[str | None, Source]
) -> dict[str | None, Earlier]:
    """The columns of an earlier release, from what is public and the texts it was made of."""
    written = received.published_policy(folder, stated)
    data = folder / "data" / Path(written.policy.input.path).name
    found: dict[str | None, list[int]] = {}
    steps = steps_of(written.policy)
    for number, step in enumerate(steps):
        if step.stage.verb in ("anonymize", "sanitize"):
            problem = f"texts that {step.stage.verb} changed cannot be aligned with the original"
            raise BadInput(problem, where=str(folder), remedy=BESIDE)
        found.setdefault(step.column, []).append(number)
    result = {}
    for column, numbers in found.items():
        if column not in sources:
            continue
        stages = _Stages(
            tuple(steps[i] for i in numbers), tuple(stated["stages"][i] for i in numbers)
        )
        released = read_input(written, data, column)
        if not stages.in_step:
            _require_same_size(folder, found, sources)
        result[column] = _column(folder, stages, released, sources[column])
    return result


def _require_same_size(
    folder: Path, columns: Mapping[str | None, Any], sources: Mapping[str | None, Source]
) -> None:
    """The figures say how many symbols the originals had: edited ones cannot be aligned."""
    try:
        told = json.loads((folder / "figures.json").read_bytes())["loss"]["symbols"]
    except (OSError, ValueError, KeyError, TypeError):
        told = None
    here = [sources[column].texts for column in columns if column in sources]
    if told != sum(len(text or "") for texts in here for text in texts):
        raise BadInput(
            "was made of other texts than this input, or of more or fewer of them, and its stages "
            "write words of other lengths",
            where=str(folder),
            remedy=BESIDE,
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
    masks = stages.masks("suppress", "redact")
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


def _taken(stages: _Stages, traces: Sequence[Trace]) -> tuple[Taken, ...]:
    """The stages with the changes that are theirs by what stands there."""
    verbs = stages.verbs
    given: dict[int, list[Change]] = {number: [] for number in range(len(verbs))}
    for document, trace in enumerate(traces):
        owner = [_writer(piece, stages) for piece in trace.pieces]
        so_far = Trace()
        for number in range(len(verbs)):
            mine = [p for p, one in zip(trace.pieces, owner, strict=True) if one == number]
            changes = [Change(document, *so_far.image(p.start, p.stop), p.text, "") for p in mine]
            given[number] += changes
            so_far = so_far.then(changes)
    return tuple(
        Taken(step, _public_release(stated, given[number]))
        for number, (step, stated) in enumerate(zip(stages.steps, stages.stated, strict=True))
    )


def _writer(piece: Piece, stages: _Stages) -> int:
    """Which stage wrote a piece: told by its mask, else one that writes words.

    Where several may have written it, one whose claim is undone if the word is shown.
    """
    verbs = stages.verbs
    for verb in ("redact", "suppress"):
        if any(symbol in stages.masks(verb) for symbol in piece.text):
            return verbs.index(verb)
    words = (verb for verb in ("generalize", "pseudonymize", "redact") if verb in verbs)
    return verbs.index(next(words, verbs[0]))


def _public_release(stated: Mapping[str, Any], changes: Sequence[Change]) -> Release:
    return Release(
        stated["verb"],
        [],
        tuple(map(Claim.of, stated["claims"])),
        Changes.of(changes),
        {},
        stated["parameters"],
    )
