"""Recognised terms and own values laid over each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .places import Places

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .own_values import OwnValues

    Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class OverlaidPlaces:
    """Recognised places and own values, none overlapping.

    `own` is a number into the own values, -1 at recognised places; `hidden` places become their
    type. `inside` has the recognised places with own values in them: place, own value.
    """

    places: Places
    own: Numbers
    hidden: NDArray[np.bool_]
    inside: list[tuple[int, int]]


def overlaid(found: Places, own: OwnValues) -> OverlaidPlaces:
    """The places of both, those that overlap made one.

    What a recogniser found stays what it is, unless an own value contains it and more; with a value
    of a dropped column in it, it becomes its type. Own values that overlap each other, and none of
    them all, become the type of the longest.
    Cost: a sort of the places.
    """
    none = np.full(len(found), -1, np.int64)
    if not len(own):
        return OverlaidPlaces(found, none, np.zeros(len(found), bool), [])
    names = list(dict.fromkeys([*found.names, *(one.label for one in own.columns)]))
    label_of = np.array([names.index(one.label) for one in own.columns], np.int32)
    documents = np.concatenate((found.documents, own.documents))
    starts = np.concatenate((found.starts, own.starts))
    stops = np.concatenate((found.stops, own.stops))
    labels = np.concatenate((found.labels, label_of[own.column]))
    numbers = np.concatenate((none, np.arange(len(own))))
    hides = np.array([one.is_hidden for one in own.columns], bool)
    hidden = np.concatenate((np.zeros(len(found), bool), hides[own.column]))
    # By place; longer ones, recognised ones and hidden ones first.
    order = np.lexsort((~hidden, numbers >= 0, -stops, starts, documents))
    documents, starts, stops = documents[order], starts[order], stops[order]
    labels, numbers, hidden = labels[order], numbers[order], hidden[order]
    # A group goes on while the next one starts before the last of the group stops.
    ends = np.maximum.accumulate((documents << 32) + stops)
    firsts = np.flatnonzero(np.append(True, (documents[1:] << 32) + starts[1:] >= ends[:-1]))
    inside: list[tuple[int, int]] = []
    chosen = firsts.copy()
    last = np.append(firsts[1:], len(documents))
    for group in np.flatnonzero(last - firsts > 1).tolist():
        low, high = int(firsts[group]), int(last[group])
        at, is_one = _governing(starts[low:high], stops[low:high], numbers[low:high])
        chosen[group] = low + at
        if not is_one or hidden[low:high].any():
            hidden[low + at] = True
        if numbers[low + at] < 0:
            inside += [(group, one) for one in numbers[low:high].tolist() if one >= 0]
    ends = ends[last - 1] - (documents[firsts] << 32)
    places = Places(documents[firsts], starts[firsts], ends, labels[chosen], tuple(names))
    return OverlaidPlaces(places, numbers[chosen], hidden[chosen], inside)


def _governing(starts: Numbers, stops: Numbers, numbers: Numbers) -> tuple[int, bool]:
    """Which of overlapping places says what they are, and whether the others are parts of it."""
    is_whole = (starts == starts.min()) & (stops == stops.max())
    if is_whole.any() and (numbers[is_whole] >= 0).all():
        return int(np.flatnonzero(is_whole)[0]), True
    recognized = np.flatnonzero(numbers < 0)
    if len(recognized):
        return int(recognized[np.argmax((stops - starts)[recognized])]), True
    return int(np.argmax(stops - starts)), False
