"""What a benchmark measured, kept as a table that says where it came from.

`record` prints the rows and writes them to docs/results/NAME.csv, below lines with the title, the
command and what a reader must know; `tools/make_results.py` makes docs/results.md from those files.
SFUMATO_RESULTS names another folder, for runs that are to be looked at and not kept.
"""

from __future__ import annotations

import csv
import os
import platform
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import zstandard

ROOT = Path(__file__).parents[1]
DATA = Path(os.environ.get("SFUMATO_DATA", ROOT.parent / "shared" / "data"))
RESULTS = Path(os.environ.get("SFUMATO_RESULTS", ROOT / "docs" / "results"))
FIGURES = RESULTS.parent / "figures"
Row = dict[str, Any]


def text_of(name: str, symbols: int = -1) -> str:
    """The beginning of one of the collections of SFUMATO_DATA."""
    with zstandard.open(DATA / name, "rt", encoding="utf-8") as file:
        return str(file.read(symbols))


def record(
    name: str,
    rows: Sequence[Row],
    *,
    part: str,
    title: str,
    note: str = "",
    command: str = "",
    listed: bool = True,
) -> None:
    """Prints the rows and keeps them; `part` is the heading they stand under in docs/results.md.

    A table that is too long to read is not `listed`: the page has its file and its pictures.
    """
    print(f"\n{title}", flush=True)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    cells = [columns, *([shown(row.get(name, "")) for name in columns] for row in rows)]
    widths = [max(len(line[i]) for line in cells) for i in range(len(columns))]
    for line in cells:
        print("  ".join(one.ljust(width) for one, width in zip(line, widths, strict=True)).rstrip())
    RESULTS.mkdir(parents=True, exist_ok=True)
    said = command or f"python benchmarks/{Path(sys.argv[0]).name} {shlex.join(sys.argv[1:])}"
    about = {
        "part": part,
        "title": title,
        "command": said.strip(),
        "note": " ".join(note.split()),
        "listed": "" if listed else "no",
        "made": f"Python {platform.python_version()}, {os.cpu_count()} cores",
    }
    with (RESULTS / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
        file.writelines(f"# {key}: {value}\n" for key, value in about.items() if value)
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows(cells)


def shown(value: Any) -> str:
    """A cell as it is printed and kept: four digits that count."""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    return f"{value:,}" if type(value) is int and abs(value) >= 10_000 else str(value)


def draw(
    name: str, rows: Sequence[Row], x: str, y: str, by: str, *, log: bool = False, height: int = 220
) -> None:
    """A line for every value of `by`, as docs/results/NAME.svg."""
    import vl_convert

    scale: dict[str, Any] = {"type": "log", "nice": False} if log else {"zero": True}
    axes = {
        axis: {"field": field, "type": "quantitative", "scale": scale, "axis": {"format": "~s"}}
        for axis, field in (("x", x), ("y", y))
    }
    spec = {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "width": 420,
        "height": height,
        "data": {"values": [row for row in rows if row.get(y) not in (None, "")]},
        "mark": {"type": "line", "point": {"size": 30}},
        "encoding": axes | {"color": {"field": by, "type": "nominal", "sort": None, "title": None}},
        "config": {"legend": {"orient": "bottom", "columns": 4, "symbolType": "stroke"}},
    }
    svg = vl_convert.vegalite_to_svg(spec)
    (RESULTS / f"{name}.svg").write_text(str(svg), encoding="utf-8")


def draw_panels(
    name: str, rows: Sequence[Row], x: str, y: str, by: str, *, beside: str = ""
) -> None:
    """A small picture for every value of `by`, on logarithmic axes they share; `beside` in grey."""
    import vl_convert

    def line(field: str, mark: dict[str, Any]) -> dict[str, Any]:
        axes = {
            axis: {
                "field": one,
                "type": "quantitative",
                "scale": {"type": "log", "nice": False},
                "axis": {"format": "~g", "title": title, "values": [10.0**i for i in range(-3, 7)]},
            }
            for axis, one, title in (("x", x, x), ("y", field, y))
        }
        return {"mark": {"type": "line"} | mark, "encoding": axes}

    grey = [line(beside, {"color": "#bbb", "strokeWidth": 1})] if beside else []
    spec = {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "data": {"values": list(rows)},
        "facet": {
            "field": by,
            "type": "nominal",
            "sort": list(dict.fromkeys(row[by] for row in rows)),
            "title": None,
        },
        "columns": 4,
        "spec": {"width": 130, "height": 90, "layer": [*grey, line(y, {"point": {"size": 25}})]},
    }
    svg = vl_convert.vegalite_to_svg(spec)
    (RESULTS / f"{name}.svg").write_text(str(svg), encoding="utf-8")
