"""Charts: Vega-Lite dictionaries in one style, drawn as SVG by vl-convert (extra `report`).

Every chart is small enough for a telephone and uses only the colours of `COLOURS`, so that a page
can give each another value in the dark (see report.css).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..core.errors import NotInstalled

if TYPE_CHECKING:
    from ..core.values import JsonValues

COLOURS = {
    "ink": "#2b2822",
    "faint": "#6d6656",
    "line": "#ddd6c6",
    "first": "#a8452e",
    "second": "#2f6f79",
    "third": "#b98a24",
    "good": "#2c6b45",
    "control": "#948c7b",
    "halo": "#ffffff",
}
PAPER = "#fffdf8"  # behind a figure that stands alone, on pages that may be dark
SERIES = [COLOURS[name] for name in ("first", "second", "third", "faint")]
WIDTH, HEIGHT = 300, 180
ROOM = 0.06  # of the width, between the names of two values
FONT = "Helvetica, Arial, Liberation Sans, sans-serif"  # of one width on every machine
SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"  # a name, never fetched

# Pages forbid inline styles; what they say here is not needed.
_STYLE = re.compile(r' style="[^"]*"')

Spec = dict[str, Any]


class Chart(Spec):
    """A Vega-Lite dictionary that a notebook draws and `.svg()` renders.

    >>> chart = framed(data={"values": []}, mark={"type": "bar"})
    >>> chart["mark"]["type"], chart.svg().startswith("<svg")
    ('bar', True)
    """

    def svg(self) -> str:
        """The chart as SVG without script, style or font file; no network.

        Cost: 0.1 to 0.5 s for the first chart of a process, some milliseconds for each other.
        """
        try:
            import vl_convert
        except ImportError:
            raise NotInstalled(
                "charts are drawn by vl-convert",
                where="plot",
                remedy="pip install 'sfumato[report]'",
            ) from None
        return _STYLE.sub("", vl_convert.vegalite_to_svg(dict(self)))

    def _repr_svg_(self) -> str:
        return self.svg()


def framed(**parts: object) -> Chart:
    """A chart with the frame that all have in common."""
    axis = {
        "labelColor": COLOURS["faint"],
        "titleColor": COLOURS["faint"],
        "gridColor": COLOURS["line"],
        "domainColor": COLOURS["line"],
        "tickColor": COLOURS["line"],
        "titleFontWeight": "normal",
        "labelFontSize": 11,
        "titleFontSize": 11,
        "labelLimit": 150,
    }
    words = {"labelColor": COLOURS["ink"], "labelFontSize": 11, "title": None}
    config = {
        "background": None,
        "font": FONT,
        "view": {"stroke": None},
        "axis": axis,
        "legend": {**words, "orient": "top", "labelLimit": 200},
    }
    return Chart({"$schema": SCHEMA, "width": WIDTH, **parts, "config": config})


def tradeoff(rows: Sequence[JsonValues], parameter: str, width: int = WIDTH) -> Chart:
    """Success of attacks against loss, a line for each; their controls dashed, the knee ringed.

    A row has `attack`, `loss`, `success`, `low`, `high`, `control`, `value` (of the parameter) and
    `knee`, which is that of the first attack. Values stand above the plot, where there is room.

    >>> row = {"attack": "linkage", "loss": 0.1, "success": 0.2, "low": 0.1, "high": 0.3,
    ...        "control": 0.05, "value": 5, "knee": True}
    >>> tradeoff([row], "k")["layer"][-1]["data"]["values"]
    [{'loss': 0.1, 'name': 'k = 5'}]
    """
    first = rows[0]["attack"] if rows else None
    ringed = [row for row in rows if row["knee"] and row["attack"] == first]
    percent = {"tickCount": 5, "format": "~%"}
    x = {"field": "loss", "type": "quantitative", "title": "loss", "axis": percent}
    y: Spec = {"type": "quantitative", "title": "success", "axis": percent}
    y |= {"scale": {"zero": True}}
    by_loss = {"order": {"field": "loss", "type": "quantitative"}}
    colour: Spec = {"field": "attack", "type": "nominal", "sort": None, "scale": {"range": SERIES}}
    colour |= {"legend": {"symbolOpacity": 1, "symbolType": "circle", "columns": 2}}
    success, low, control = ({**y, "field": name} for name in ("success", "low", "control"))
    words = {"type": "text", "fontSize": 11, "color": COLOURS["ink"]}
    return framed(
        width=width,
        height=round(0.6 * width),
        data={"values": list(rows)},
        layer=[
            _layer({"type": "rule", "opacity": 0.4, "strokeWidth": 3}, x, low, colour,
                   y2={"field": "high"}),
            _layer({"type": "line", "strokeDash": [3, 3], "opacity": 0.8}, x, control, colour,
                   **by_loss),
            _layer({"type": "line", "strokeWidth": 2}, x, success, colour, **by_loss),
            _layer({"type": "point", "filled": True, "size": 30, "opacity": 1}, x, success, colour),
            {
                **_layer({"type": "point", "size": 170, "strokeWidth": 2, "opacity": 1}, x, success,
                         colour),
                "data": {"values": ringed},
            },
            {
                **_layer({**words, "dx": 24, "dy": -9, "text": "knee"}, x, success),
                "data": {"values": ringed},
            },
            {
                **_layer(words, x, {"value": -9}, text={"field": "name", "type": "nominal"}),
                "data": {"values": _named(rows, parameter)},
            },
        ],
    )  # fmt: skip


def _layer(mark: Spec, x: Spec, y: Spec, colour: Spec | None = None, **more: object) -> Spec:
    encoding = {"x": x, "y": y, **({} if colour is None else {"color": colour}), **more}
    return {"mark": mark, "encoding": encoding}


def _named(rows: Sequence[JsonValues], parameter: str) -> list[Spec]:
    """The values that are named at their loss: the knee, then those far enough from the others."""
    places = {row["loss"]: row["value"] for row in rows}
    apart = ROOM * (max(places, default=0.0) - min(places, default=0.0))
    shown: list[float] = [row["loss"] for row in rows if row["knee"]][:1]
    for loss in sorted(places):
        if all(abs(loss - other) >= apart for other in shown) and loss not in shown:
            shown.append(loss)
    shown.sort()
    names = [f"{parameter} = {places[loss]}" for loss in shown[:1]]
    names += [str(places[loss]) for loss in shown[1:]]
    return [{"loss": loss, "name": name} for loss, name in zip(shown, names, strict=True)]
