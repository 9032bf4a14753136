"""Privacy against loss over a range of one parameter, in one run."""

from __future__ import annotations

import csv
import inspect
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..attacks.protocol import BACKGROUND, SAMPLE
from ..attacks.run import attack
from ..core.errors import BadInput
from ..core.method import options_of
from ..core.options import choose
from ..methods import method, methods
from ..metrics.masked_symbols import masked
from .evaluate import evaluate
from .plot import PAPER, Chart, tradeoff

if TYPE_CHECKING:
    from ..attacks.result import AttackResult
    from ..core.method import Method
    from ..core.progress import Progress
    from ..core.release import Release
    from ..core.values import Data, JsonObject

WIDE = 440  # of a figure that stands alone


def verbs() -> list[str]:
    """The verbs with a parameter to vary."""
    return [one.verb for one in methods() if one.swept is not None]


@dataclass(frozen=True, slots=True)
class Point:
    """One value of the parameter: what the release costs, and what attacks achieve on it."""

    value: object
    loss: float
    attacks: tuple[AttackResult, ...]
    measures: Mapping[str, float]

    def row(self) -> JsonObject:
        """One line of the table."""
        line = {"value": self.value, "loss": self.loss}
        for one in self.attacks:
            line |= {
                f"{one.name} success": one.success,
                f"{one.name} low": one.low,
                f"{one.name} high": one.high,
                f"{one.name} control": one.control,
            }
        return line | dict(self.measures)


@dataclass(frozen=True, slots=True)
class Sweep:
    """The points of a sweep in the order of their values, and the value at the knee.

    `knee` is that of the first attack's success against loss, as the function `knee` defines it;
    None where the intervals of all its points overlap, so that it may fall by chance alone.
    """

    verb: str
    parameter: str
    points: tuple[Point, ...]
    knee: object

    def known(self) -> dict[str, dict[str, str | None]]:
        """For each attack what the attacker knows, and whose attack the control is."""
        return {
            one.name: {"background": one.background, "control of": one.control_of}
            for one in self.points[0].attacks
        }

    def csv(self) -> str:
        """The table, a line for each value, the knee marked."""
        told = {
            f"{name} {what}": words
            for name, both in self.known().items()
            for what, words in both.items()
        }
        rows = [{**one.row(), "knee": int(one.value == self.knee), **told} for one in self.points]
        stream = io.StringIO()
        writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return stream.getvalue()

    def curves(self) -> list[JsonObject]:
        """One curve for each measure: its points are pairs of value and number."""
        names = [name for name in self.points[0].row() if name != "value"]
        known = {f"{name} success": told for name, told in self.known().items()}
        return [
            {
                "parameter": self.parameter,
                "measure": name,
                "label": self.verb,
                "points": [[one.value, one.row()[name]] for one in self.points],
                "knee": self.knee,
                **known.get(name, {}),
            }
            for name in names
        ]

    def as_dict(self) -> JsonObject:
        """The sweep as plain JSON values."""
        return {
            "verb": self.verb,
            "parameter": self.parameter,
            "knee": self.knee,
            "known": self.known(),
            "points": [one.row() for one in self.points],
            "curves": self.curves(),
        }

    def figure(self) -> Chart:
        """Success against loss as a Vega-Lite dictionary, every value named, the knee ringed."""
        rows = [
            {
                "attack": one.name,
                "loss": point.loss,
                "success": one.success,
                "low": one.low,
                "high": one.high,
                "value": point.value,
                "control": one.control if one.control is not None else one.baseline,
                "knee": point.value == self.knee,
            }
            for point in self.points
            for one in point.attacks
        ]
        chart = tradeoff(rows, self.parameter, WIDE)
        known = dict.fromkeys(one.background for one in self.points[0].attacks)
        subtitle = [
            "dashed: people who are not in the data (or guessing)",
            *(f"known: {words}" for words in known),
        ]
        title = f"{self.verb}: what attacks achieve against what {self.parameter} costs"
        titled = {"title": {"text": title, "subtitle": subtitle, "fontSize": 12}}
        return Chart({**chart, **titled, "background": PAPER})

    def svg(self) -> str:
        """The figure drawn; needs the extra `report`."""
        return self.figure().svg()


def sweep(
    data: Data,
    verb: str = "suppress",
    values: Sequence[object] | None = None,
    parameter: str | None = None,
    *,
    attacks: Iterable[str] | None = None,
    groups: Data = None,
    background: Data = BACKGROUND,
    gold: object = None,
    sample: int = SAMPLE,
    seed: int = 0,
    progress: Progress | None = None,
    **options: object,
) -> Sweep:
    """Releases the data for every value of one parameter, and measures loss and attacks on each.

    `verb` is one that has a parameter to vary (all but pseudonymize); `options` go to it (`terms`,
    `patterns`, `schema`, ...). Several k of suppress share one suffix array; these are nested.
    Loss is the share of the original's symbols that the release does not show as they stood; for
    sanitize, changes of frequencies and separators for each symbol; for anonymize, NCP. With `gold`
    each point also has precision and recall.
    Cost: as the verb and the attacks for each value.

    >>> notes = [f"{name} has flu." for name in ("Ann", "Bob", "Ann", "Eve")] * 3
    >>> found = sweep(notes, values=[2, 4], attacks=["singling-out-word"])
    >>> [(point.value, round(point.loss, 2)) for point in found.points]
    [(2, 0.0), (4, 0.12)]
    """
    choose("verb", verb, verbs())
    usual = method(verb).swept
    assert usual is not None
    parameter = parameter or usual.option
    chosen = list(usual.values if values is None else values)
    if not chosen or (values is None and parameter != usual.option):
        raise BadInput("no values given", where="values", remedy="give at least one")
    names = tuple(usual.attacks if attacks is None else attacks)
    points = []
    for number, (value, release) in enumerate(
        _releases(data, method(verb), parameter, chosen, groups, seed, options)
    ):
        found = attack(data, release, names, groups, background, seed, sample=sample)
        measures = {} if gold is None else _against_gold(data, release, gold)
        points.append(Point(value, loss_of(data, release), tuple(found), measures))
        if progress is not None:
            progress("sweep", (number + 1) / len(chosen))
    return Sweep(verb, parameter, tuple(points), _knee_of(points))


def _releases(
    data: Data,
    method: Method,
    parameter: str,
    values: Sequence[object],
    groups: Data,
    seed: int,
    options: Mapping[str, object],
) -> Iterator[tuple[object, Release]]:
    call = method.call()
    known = inspect.signature(call).parameters
    if "groups" in known:
        options = {"groups": groups, **options}
    several = [one.name for one in options_of(method.options) if one.about.nested]
    if parameter in several:
        yield from call(data, **{**options, parameter: values, "seed": seed}).items()
        return
    for value in values:
        try:
            yield value, call(data, **{**options, parameter: value, "seed": seed})
        except TypeError:
            raise BadInput(
                "the verb has no such parameter, or lacks one it needs",
                where=method.verb,
                remedy="give what it is made with, for instance terms or patterns",
            ) from None


def loss_of(data: Data, release: Release) -> float:
    """What the release costs, from 0 (nothing) upward.

    >>> import sfumato as sf
    >>> loss_of("abracadabra", sf.suppress("abracadabra", k=2, align="character")) * 11
    2.0
    """
    of_method = method(release.verb).loss
    if of_method is not None:
        return of_method(release)
    flags = masked(data, release)
    symbols = sum(map(len, flags))
    return sum(int(one.sum()) for one in flags) / symbols if symbols else 0.0


def _against_gold(data: Data, release: Release, gold: object) -> dict[str, float]:
    found = evaluate(data, release, gold)
    assert found.tokens is not None
    assert found.entities is not None
    return {
        "precision": found.tokens.precision,
        "recall": found.tokens.recall,
        "direct recall": found.entities.direct_recall,
        "quasi recall": found.entities.quasi_recall,
    }


def _knee_of(points: Sequence[Point]) -> object:
    """The value at the knee of the first attack; None where its success falls by chance alone."""
    if not points or not points[0].attacks:
        return None
    first = [one.attacks[0] for one in points]
    if max(one.low for one in first) <= min(one.high for one in first):
        return None
    at = knee([(one.loss, one.attacks[0].success) for one in points])
    return None if at is None else points[at].value


def knee(points: Sequence[tuple[float, float]]) -> int | None:
    """The knee of success against loss: the point farthest below the line between the curve's ends.

    `points` are pairs of loss and success; axes are scaled to 0..1. From the knee on more loss buys
    less privacy than before. None where no point lies below the line.
    Cost: O(points log points).

    >>> knee([(0.0, 1.0), (0.1, 0.3), (0.5, 0.1), (1.0, 0.0)])
    1
    """
    order = sorted(range(len(points)), key=lambda i: points[i][0])
    if len(points) < 3:
        return None
    (x0, y0), (x1, y1) = points[order[0]], points[order[-1]]
    low, high = min(y for _, y in points), max(y for _, y in points)
    if x1 == x0 or high == low:
        return None
    below = [
        (y0 + (y1 - y0) * ((x - x0) / (x1 - x0)) - y) / (high - low)
        for x, y in (points[i] for i in order)
    ]
    best = max(range(len(order)), key=lambda i: below[i])
    return order[best] if below[best] > 1e-9 else None
