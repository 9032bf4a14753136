"""How much is lost on Adult by each way of forming classes, beside ARX's local recoding.

    python benchmarks/records_loss.py [DATA] [--quick] [--demands] [--thorough]

DATA has adult (default: SFUMATO_DATA or ../shared/data). Every NCP is measured anew from the
released cells by one formula; CPU seconds of the whole call beside it. ARX's output is there for
k = 5 with ages by its hierarchy; its other figures are quoted. `least` is the lower bound that a
release states. With l and t: the sensitive column is salary-class. --quick leaves thorough out;
--thorough has it for l and t, too, which takes minutes.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from typing import Any

import polars as pl

import sfumato as sf
from sfumato.metrics import records as metrics
from sfumato.schema import Schema, as_schema

QUASI = ("age", "education", "marital-status", "occupation", "sex", "native-country")
QUOTED = {(5, "ranges"): 0.0369, (10, "hierarchy"): 0.0565, (10, "ranges"): 0.0569}
RUNS: dict[str, dict[str, Any]] = {
    "Mondrian": {"partitioner": "mondrian"},
    "clusters": {"effort": "quick"},
    "default": {},
    "thorough": {"effort": "thorough"},
}
DEMANDED: dict[str, dict[str, Any]] = {
    "Mondrian": {"partitioner": "mondrian"},
    "chosen, quick": {"strata": "chosen", "effort": "quick"},
    "chosen": {"strata": "chosen"},
    "drawn, quick": {"effort": "quick"},
    "drawn": {},
}
AT_LENGTH: dict[str, dict[str, Any]] = {
    "chosen, thorough": {"strata": "chosen", "effort": "thorough"},
    "drawn, thorough": {"effort": "thorough"},
}
DEMANDS: tuple[dict[str, Any], ...] = (
    {"t": 0.2},
    {"l": 1.5, "diversity": "entropy"},
    {"l": 2},
    {"l": 2, "c": 4.0, "diversity": "recursive"},
)


def schemas(folder: Path) -> dict[str, Schema]:
    """Ages by ARX's hierarchy, and as ranges; the other five columns by theirs."""
    files = {name: {"hierarchy": str(folder / f"adult_hierarchy_{name}.csv")} for name in QUASI}
    secret = {"salary-class": {"role": "sensitive"}}
    return {
        "hierarchy": as_schema({"columns": {**files, "age": {"kind": "number", **files["age"]}}}),
        "ranges": as_schema({"columns": {**files, "age": {"kind": "number"}}}),
        "sensitive": as_schema({"columns": {**files, "age": {"kind": "number"}, **secret}}),
    }


def run(frame: pl.DataFrame, schema: Schema, **options: Any) -> tuple[sf.Release, float, float]:
    """The release, its loss measured anew, and the CPU seconds."""
    start = time.process_time()
    release = sf.anonymize(frame, schema, relational_weight=1.0, **options)
    seconds = time.process_time() - start
    return release, metrics.measure(frame, release)[0].relational, seconds


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", nargs="?", default=os.environ.get("SFUMATO_DATA", "../shared/data"))
    parser.add_argument("--quick", action="store_true", help="leave thorough out")
    parser.add_argument("--demands", action="store_true", help="only l and t")
    parser.add_argument("--thorough", action="store_true", help="thorough for l and t, too")
    chosen = parser.parse_args()
    folder = Path(chosen.data) / "adult"
    frame = pl.read_csv(folder / "adult.csv", separator=";", infer_schema=False)
    arx = pl.read_csv(folder / "arx_local_k5.csv", separator=";", infer_schema=False)
    described = schemas(folder)
    measured = metrics.ncp(frame, arx, described["hierarchy"]).relational
    runs = {name: one for name, one in RUNS.items() if name != "thorough" or not chosen.quick}
    print("NCP (CPU s)                ARX  " + "".join(f"{name:>16}" for name in runs) + "   least")
    for k in () if chosen.demands else (5, 10):
        for ages in ("hierarchy", "ranges"):
            cells, least = [], 0.0
            for options in runs.values():
                release, lost, seconds = run(frame, described[ages], k=k, **options)
                cells.append(f"{lost:.4f} ({seconds:5.1f})")
                least = float(release.loss["NCP_least"])
            theirs = QUOTED.get((k, ages), measured)
            row = "".join(f"{cell:>16}" for cell in cells)
            print(f"k = {k:2}, ages: {ages:10} {theirs:.4f}  {row}  {least:.4f}", flush=True)
    for demanded in DEMANDS:
        title = ", ".join(f"{name} = {value}" for name, value in demanded.items())
        for name, options in (DEMANDED | (AT_LENGTH if chosen.thorough else {})).items():
            release, lost, seconds = run(frame, described["sensitive"], k=5, **demanded, **options)
            sizes = metrics.class_sizes(release.data, described["sensitive"])
            print(
                f"k = 5, {title:40} {name:16} {lost:.4f} ({seconds:5.1f})  "
                f"{len(sizes):,} classes, largest {max(sizes):,}",
                flush=True,
            )


if __name__ == "__main__":
    main()
