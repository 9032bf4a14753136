"""`plot`: the charts of a release, for notebooks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..core.corpus import Corpus
from ..core.errors import BadInput
from ..core.release import Release
from ..methods import method
from . import charts

if TYPE_CHECKING:
    from ..core.values import Data, JsonObject
    from ..judging.plot import Chart
    from ..judging.sweep import Sweep

# The first of these that a release knows is its loss.
MEASURES = ("suppressed_ratio", "suppressed", "redacted_share", "cost", "ncp", "replaced")


def plot(release: Data, measure: str | None = None) -> Chart:
    """A Vega-Lite chart of a release, several releases, a sweep, or attacks, as reports show it.

    One release: how much of each document was changed; of records, how many classes there are of
    which size. A sweep: success of its attacks against loss with the knee ringed (see `sweep`), or
    a `measure` against its parameter. Releases by k, as `suppress(texts, k=[2, 5])` gives them: the
    loss, or another `measure` of `.loss`, against k.
    The results of `attack`: success beside control and guessing.
    Cost: O(changes).

    >>> import sfumato as sf
    >>> notes = ["Ann has flu.", "Bob has flu.", "Eve has flu."]
    >>> sf.plot(sf.suppress(notes, k=3))["data"]["values"][5]
    {'from': 0.25, 'to': 0.3, 'documents': 3}
    >>> sf.plot(sf.suppress(notes, k=[2, 3]), measure="suppressed")["data"]["values"][1]["y"]
    9.0
    """
    if isinstance(release, Release) and release.sides.classes is not None:
        return charts.class_sizes(_class_sizes(release))
    if isinstance(release, Release):
        return charts.changed_shares(_shares(release))
    if hasattr(release, "curves"):
        return _of_sweep(release, measure)
    if isinstance(release, Mapping) and release:
        if all(isinstance(one, Release) for one in release.values()):
            return charts.curves([_curve(release, measure)])
    elif isinstance(release, Sequence) and release and all(map(_is_attack, release)):
        return charts.attacks([one.as_dict() for one in release])
    found = type(release).__name__
    raise BadInput(
        f"expected a release, releases by k, a sweep, or the results of attacks, found {found}",
        where="plot",
    )


def _of_sweep(sweep: Sweep, measure: str | None) -> Chart:
    if measure is None and sweep.points[0].attacks:
        figure: Chart = sweep.figure()
        return figure
    wanted = measure or "loss"
    found = [one for one in sweep.curves() if one["measure"] == wanted]
    if not found:
        names = ", ".join(one["measure"] for one in sweep.curves())
        raise BadInput(f"the sweep has no such measure (it has: {names})", where="measure")
    return charts.curves(found)


def _is_attack(one: object) -> bool:
    return hasattr(one, "success") and hasattr(one, "as_dict")


def _curve(releases: Mapping[object, Release], measure: str | None) -> JsonObject:
    first = next(iter(releases.values()))
    chosen = measure or next((name for name in MEASURES if name in first.loss), None)
    if chosen is None or chosen not in first.loss:
        raise BadInput(
            f"the releases have no such measure (they have: {', '.join(first.loss)})",
            where="measure",
        )
    points = sorted((k, float(one.loss[chosen])) for k, one in releases.items())
    swept = method(first.verb).swept
    name = "k" if swept is None else swept.option
    return {
        "parameter": name,
        "measure": chosen,
        "label": first.verb,
        "points": points,
    }


def _class_sizes(release: Release) -> dict[str, int]:
    """How many classes of how many people a release of records has."""
    sides = release.sides.of_table
    pairs = zip(sides.classes, sides.person_of_row, strict=True)
    people = Counter(number for number, _ in {(int(number), int(who)) for number, who in pairs})
    return {str(size): count for size, count in sorted(Counter(people.values()).items())}


def _documents(release: Release, data: Data) -> Sequence[Sequence[object]]:
    """The documents of a release: texts, or sequences of any symbols."""
    if isinstance(data, Sequence) and not isinstance(data, str):
        if release.parameters.get("collection") is False:
            return [data]
        if not all(isinstance(one, str) for one in data):
            return list(data)
    return Corpus.of(data).texts


def _shares(release: Release) -> list[float]:
    """Of each document, the share of its symbols that was changed."""
    import numpy as np

    original = release.data if release.sides.input is None else release.sides.input
    lengths = np.array([max(len(one), 1) for one in _documents(release, original)])
    changed = np.zeros(len(lengths))
    changes = release.changes
    np.add.at(changed, changes.documents, changes.stops - changes.starts)
    return [float(share) for share in np.minimum(changed / lengths, 1.0)]
