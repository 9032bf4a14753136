"""Data and charts of the string sanitization experiments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

import numpy as np
import zstandard
from tables import DATA, RESULTS

SEPARATOR = "§"

# The paper's minimum supports; number of patterns and k: the default first, then the range.
SETTINGS: dict[str, dict[str, Any]] = {
    "OLD": {"tau": 20, "patterns": [60, 30, 90, 120], "k": [4, 3, 5, 6], "rho": -0.5, "runs": 3},
    "TRU": {"tau": 10, "patterns": [20, 10, 30, 40], "k": [4, 3, 5, 6], "rho": -0.5, "runs": 3},
    "MSN": {"tau": 200, "patterns": [60, 30, 90, 120], "k": [4, 3, 5, 6], "rho": -5.0, "runs": 3},
    "DNA": {"tau": 20, "patterns": [50, 25, 75, 100], "k": [11, 7, 9, 13], "rho": -2.0, "runs": 3},
    "SYN": {"tau": 20, "patterns": [100, 50, 150, 200], "k": [4, 3, 5], "rho": -5.0, "runs": 3},
}


def load(name: str) -> str:
    """One of the paper's strings; MSN is all people's visits in one string, as the paper has it.

    SYN is a million uniformly random symbols over ten letters.
    """
    if name == "SYN":
        return random_string(1_000_000, 10)
    if name in ("OLD", "TRU"):
        return (DATA / f"{name.lower()}.txt").read_text("utf-8").rstrip("\n")
    if name == "DNA":
        packed = (DATA / "dna.txt.zst").read_bytes()
        return zstandard.ZstdDecompressor().stream_reader(packed).read().decode().strip()
    packed = (DATA / "msn.seq.zst").read_bytes()
    lines = zstandard.ZstdDecompressor().stream_reader(packed).read().decode().splitlines()
    visits = (line.split() for line in lines)
    return "".join(chr(96 + int(one)) for row in visits if row and row[0].isdigit() for one in row)


def random_string(n: int, letters: int, seed: int = 0) -> str:
    """SYN: uniformly random."""
    return (
        (np.random.default_rng(seed).integers(0, letters, n, dtype=np.uint8) + 97)
        .tobytes()
        .decode()
    )


def averaged(rows: Iterable[dict[str, Any]], by: list[str]) -> Iterator[dict[str, Any]]:
    """The mean of every number over the rows that agree in `by`."""
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in by), []).append(row)
    for key, some in groups.items():
        means = {
            name: float(np.mean([row[name] for row in some]))
            for name in some[0]
            if name not in by and name != "seed"
        }
        yield dict(zip(by, key, strict=True)) | means


def chart(
    name: str,
    rows: list[dict[str, Any]],
    x: str,
    y: str,
    *,
    scale: Literal["linear", "log", "symlog"] = "linear",
    zero: bool = True,
    columns: int = 3,
) -> None:
    """A line for every method, a panel for every data set, as docs/results/NAME.svg."""
    import vl_convert

    # Zero has no logarithm: symlog is linear up to 1 and shows it.
    scales: dict[str, Any] = {
        "linear": {"zero": zero},
        "log": {"type": "log"},
        "symlog": {"type": "symlog", "domain": {"unionWith": [0, 10]}},
    }
    powers = [0, 1, *(10**i for i in range(1, 12))]
    short = "format(datum.value, datum.value < 1000 ? '.3~r' : '~s')"
    axis: dict[str, Any] = {"labelExpr": short} | ({"tickCount": 4} if scale == "log" else {})
    if scale == "symlog":
        axis["values"] = powers
    panel = {
        "width": 230,
        "height": 170,
        "mark": {"type": "line", "point": {"size": 30}, "opacity": 0.85},
        "encoding": {
            "x": {
                "field": x,
                "type": "quantitative",
                "scale": {"zero": False, "padding": 10},
                "axis": {"format": "~s", "tickMinStep": 1 if x == "k" else 0, "tickCount": 5},
            },
            "y": {"field": y, "type": "quantitative", "scale": scales[scale], "axis": axis},
            "color": {"field": "method", "type": "nominal", "sort": None, "title": None},
            "strokeDash": {"field": "method", "type": "nominal", "sort": None, "title": None},
        },
    }
    order = list(dict.fromkeys([*SETTINGS, *(row["data"] for row in rows)]))
    spec = {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "data": {"values": rows},
        "facet": {"field": "data", "type": "nominal", "title": None, "sort": order},
        "columns": columns,
        "resolve": {"scale": {"x": "independent", "y": "independent"}},
        "spec": panel,
        "config": {"legend": {"orient": "bottom", "symbolType": "stroke", "symbolSize": 400}},
    }
    (RESULTS / f"{name}.svg").write_text(vl_convert.vegalite_to_svg(spec))
