"""The charts of reports and notebooks, as Vega-Lite dictionaries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ..attacks.explanations import title
from ..core.plain_words import plain
from ..judging.plot import COLOURS, HEIGHT, SERIES, Chart, Spec, framed, tradeoff
from .attack_verdict import ABOVE, BELOW, NEAR, PERHAPS, in_words

if TYPE_CHECKING:
    from ..core.values import JsonValues

STEP = 26
MOST_BARS = 30
CONTROL = "control"
VERDICTS = {
    ABOVE: COLOURS["first"],
    PERHAPS: COLOURS["third"],
    NEAR: COLOURS["second"],
    BELOW: COLOURS["second"],
    CONTROL: COLOURS["control"],
}


def curves(given: Sequence[JsonValues]) -> Chart:
    """A measure against a parameter, a line for each method, the value at a sweep's knee marked.

    >>> curve = {"parameter": "k", "measure": "loss", "label": "suppress",
    ...          "points": [[2, 0.1], [5, 0.2]], "knee": 5}
    >>> curves([curve])["data"]["values"][1]
    {'x': 5, 'y': 0.2, 'series': 'suppress', 'knee': True}
    """
    values = [
        {"x": x, "y": y, "series": one.get("label", ""), "knee": x == one.get("knee")}
        for one in given
        for x, y in one["points"]
        if y is not None
    ]
    several = len({value["series"] for value in values}) > 1
    colour: Spec = {"value": COLOURS["first"]}
    if several:
        colour = {"field": "series", "type": "nominal", "scale": {"range": SERIES}}
    xs = list(dict.fromkeys(value["x"] for value in values))
    x_axis: Spec = {"grid": False, "labelOverlap": True}
    scale: Spec = {}
    kind = "ordinal"  # methods, for instance
    if all(isinstance(x, int | float) for x in xs):
        wide = bool(xs) and min(xs) > 0 and max(xs) >= 20 * min(xs)
        kind, scale = "quantitative", {"type": "log" if wide else "linear", "zero": False}
        scale |= {"nice": False}
        x_axis |= {"values": sorted(xs) if len(xs) <= 10 else None}
    encoding = {
        "x": {
            "field": "x",
            "type": kind,
            "sort": None,
            "title": plain(given[0]["parameter"]) if given else None,
            "scale": scale,
            "axis": x_axis,
        },
        "y": {
            "field": "y",
            "type": "quantitative",
            "title": plain(given[0]["measure"]) if given else None,
            "scale": {"zero": True},
            "axis": {"tickCount": 5, **_format(value["y"] for value in values)},
        },
        "color": colour,
    }
    only_knee = [{"filter": "datum.knee"}]
    return framed(
        height=HEIGHT,
        data={"values": values},
        encoding=encoding,
        layer=[
            {"mark": {"type": "line", "strokeWidth": 2}},
            {"mark": {"type": "point", "filled": True, "size": 30, "opacity": 1}},
            {
                "transform": only_knee,
                "mark": {"type": "point", "size": 150, "strokeWidth": 2, "opacity": 1},
            },
            {
                "transform": only_knee,
                "mark": {"type": "text", "dy": -14, "fontSize": 11, "text": "knee"},
            },
        ],
    )


def swept(given: Sequence[JsonValues]) -> Chart | None:
    """Privacy against loss, from the curves of one sweep; None where they do not tell both.

    >>> loss = {"parameter": "k", "measure": "loss", "points": [[2, 0.1], [5, 0.2]], "knee": 5}
    >>> success = {**loss, "measure": "linkage success", "points": [[2, 0.9], [5, 0.4]]}
    >>> rows = swept([loss, success])["data"]["values"]
    >>> [(row["value"], row["loss"], row["success"], row["knee"]) for row in rows]
    [(2, 0.1, 0.9, False), (5, 0.2, 0.4, True)]
    """
    told = {one["measure"]: dict(one["points"]) for one in given}
    names = [name.removesuffix(" success") for name in told if name.endswith(" success")]
    if "loss" not in told or not names:
        return None
    rows = [
        {
            "attack": name,
            "loss": loss,
            "value": value,
            "knee": value == given[0].get("knee"),
            **{
                part: told.get(f"{name} {part}", {}).get(value)
                for part in ("success", "low", "high", "control")
            },
        }
        for value, loss in told["loss"].items()
        for name in names
    ]
    return tradeoff(rows, plain(given[0]["parameter"]))


def class_sizes(sizes: Mapping[str, int]) -> Chart:
    """How many equivalence classes there are of each size; wide ranges in steps.

    >>> class_sizes({"5": 12, "6": 3})["data"]["values"]
    [{'size': 5, 'classes': 12}, {'size': 6, 'classes': 3}]
    """
    counted = {int(size): count for size, count in sizes.items()}
    low, high = min(counted, default=0), max(counted, default=0) + 1
    step = -(-(high - low) // MOST_BARS)
    values = [
        {
            "from": start,
            "to": start + step,
            "classes": sum(counted.get(size, 0) for size in range(start, start + step)),
        }
        for start in range(low, high, step)
    ]
    if step == 1:  # every size has a bar of its own, named below it
        named = [{"size": one["from"], "classes": one["classes"]} for one in values]
        return _bars_of_sizes(named)
    return _histogram(values, "people in a class", "classes", whole=True)


def _bars_of_sizes(values: Sequence[Mapping[str, int]]) -> Chart:
    size = {"field": "size", "type": "ordinal", "title": "people in a class"}
    count: Spec = {"tickCount": 5, "tickMinStep": 1, "format": "~s"}
    return framed(
        height=HEIGHT,
        data={"values": values},
        mark={"type": "bar", "color": COLOURS["second"]},
        encoding={
            "x": {**size, "axis": {"labelAngle": 0, "labelOverlap": True}},
            "y": {"field": "classes", "type": "quantitative", "axis": count},
        },
    )


def changed_shares(shares: Iterable[float]) -> Chart:
    """How many documents had which share of their symbols changed, in twenty steps.

    >>> changed_shares([0.0, 0.01, 0.5])["data"]["values"][0]
    {'from': 0.0, 'to': 0.05, 'documents': 2}
    """
    counts = [0] * 20
    for share in shares:
        counts[min(int(share * 20), 19)] += 1
    values = [
        {"from": i / 20, "to": (i + 1) / 20, "documents": count} for i, count in enumerate(counts)
    ]
    return _histogram(values, "share of the document that was changed", "documents", whole=False)


def bars(losses: Mapping[str, float], measure: str) -> Chart:
    """One bar for each name, the longest first.

    >>> [bar["name"] for bar in bars({"age": 0.2, "town": 0.4}, "loss")["data"]["values"]]
    ['town', 'age']
    """
    ordered = sorted(losses.items(), key=lambda item: (-item[1], item[0]))[:MOST_BARS]
    return framed(
        height={"step": STEP},
        data={"values": [{"name": name, "value": value} for name, value in ordered]},
        mark={"type": "bar", "color": COLOURS["second"], "height": {"band": 0.6}},
        encoding={
            "y": {"field": "name", "type": "nominal", "sort": None, "axis": _names()},
            "x": {
                "field": "value",
                "type": "quantitative",
                "title": plain(measure),
                "scale": {"domain": [0, max([1.0, *losses.values()])]},
                "axis": {"tickCount": 5, **_format(losses.values())},
            },
        },
    )


def attacks(results: Sequence[JsonValues]) -> Chart:
    """Success of each attack, coloured by its verdict, and of its control; guessing is a tick.

    >>> result = {"name": "linkage", "success": 0.1, "low": 0.05, "high": 0.2, "baseline": 0.02,
    ...           "control": 0.1, "control_low": 0.04, "control_high": 0.2, "trials": 60}
    >>> [bar["who"] for bar in attacks([result])["data"]["values"]]
    ['near the control', 'control']
    """
    values = []
    for one in results:
        name = title(str(one["name"]))
        for who, prefix in ((in_words(one), ""), (CONTROL, "control_")):
            value = one["success"] if not prefix else one.get("control")
            if value is None:
                continue
            low, high = one.get(prefix + "low"), one.get(prefix + "high")
            bar = {"name": name, "who": who, "value": value, "low": low, "high": high}
            values.append({**bar, "side": who == CONTROL})
    guesses = [
        {"name": title(str(one["name"])), "guess": one["baseline"]}
        for one in results
        if one.get("baseline") is not None
    ]
    side = {"field": "side", "type": "nominal", "sort": None}
    seen = list(dict.fromkeys(bar["who"] for bar in values))
    scale = {"domain": seen, "range": [VERDICTS.get(who, COLOURS["faint"]) for who in seen]}
    legend = {"symbolType": "square", "columns": 2}
    colour = {"field": "who", "type": "nominal", "scale": scale, "legend": legend}
    axis = {"tickCount": 4, "format": "~%"}
    success = {"field": "value", "type": "quantitative", "title": "success", "axis": axis}
    names = {"field": "name", "type": "nominal", "sort": None, "axis": _names()}
    interval = {"x": {"field": "low", "type": "quantitative"}, "x2": {"field": "high"}}
    chart = framed(
        height={"step": STEP - 9, "for": "offset"},
        data={"values": values},
        encoding={"y": names},
        layer=[
            {
                "mark": {"type": "bar"},
                "encoding": {"x": success, "yOffset": side, "color": colour},
            },
            *(
                {
                    "mark": {"type": "rule", "color": COLOURS[name], "strokeWidth": width},
                    "encoding": {**interval, "yOffset": side},
                }
                for name, width in (("halo", 4), ("ink", 1.5))  # legible on bars too
            ),
            {
                "data": {"values": guesses},
                "mark": {
                    "type": "tick",
                    "color": COLOURS["ink"],
                    "thickness": 2.5,
                    "size": 1.4 * STEP,
                },
                "encoding": {"x": {"field": "guess", "type": "quantitative"}},
            },
        ],
    )
    chart["config"]["axis"] |= {"labelFontSize": 13, "titleFontSize": 13, "labelLimit": 190}
    chart["config"]["legend"] |= {"labelFontSize": 13}
    return chart


def _histogram(values: Sequence[Mapping[str, float]], x: str, y: str, *, whole: bool) -> Chart:
    axis: Spec = {"grid": False, "format": "d" if whole else "~%", "labelOverlap": True}
    binned = {"binned": True}
    edges: Spec = {
        "x": {"field": "from", "type": "quantitative", "bin": binned, "title": x, "axis": axis}
    }
    if values:
        edges["x"]["scale"] = {"domain": [values[0]["from"], values[-1]["to"]], "nice": False}
        if whole:
            axis["tickMinStep"] = 1
    return framed(
        height=HEIGHT,
        data={"values": values},
        mark={"type": "bar", "color": COLOURS["second"], "binSpacing": 1},
        encoding={
            **edges,
            "x2": {"field": "to"},
            "y": {
                "field": y,
                "type": "quantitative",
                "title": y,
                "axis": {"tickCount": 5, "tickMinStep": 1, "format": "~s"},
            },
        },
    )


def _names() -> Spec:
    words = {"labelColor": COLOURS["ink"], "labelPadding": 6}
    return {"title": None, "domain": False, "ticks": False, **words}


def _format(values: Iterable[float]) -> Spec:
    """Shares as percentages, other numbers shortened."""
    listed = list(values)
    return {"format": "~%" if listed and max(listed) <= 1 and min(listed) >= 0 else "~s"}
