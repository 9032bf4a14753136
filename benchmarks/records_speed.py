"""How fast people are made k-anonymous, and what is lost by it.

    python benchmarks/records_speed.py [DATA] [--rows N]

DATA has people_4000, blogs and adult (default: SFUMATO_DATA or ../shared/data). CPU seconds and
peak memory; N synthetic rows of relational data (default 10 million, 0 leaves them out).
rx-anon's own code, 4,000 people, k = 5, partition and recoding: lambda 0 323 s, 0.5 288 s, 1
13.8 s, GDF 53 s. The paper on the blogs: 1.8 to 15 hours, 25 GB.
ARX on Adult: 0.34 s, 3,783 classes.
"""

from __future__ import annotations

import argparse
import io
import os
import resource
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import zstandard
from tables import Row, record

import sfumato as sf
from sfumato.metrics import records as metrics
from sfumato.schema import as_schema

QUASI = ("age", "education", "marital-status", "occupation", "sex", "native-country")
RUNS = (
    ("mondrian, lambda 0", {"partitioner": "mondrian", "relational_weight": 0.0}),
    ("mondrian, lambda 0.5", {"partitioner": "mondrian", "relational_weight": 0.5}),
    ("mondrian, lambda 1", {"partitioner": "mondrian", "relational_weight": 1.0}),
    ("gdf", {"partitioner": "gdf"}),
    ("clusters, lambda 0.5", {"effort": "quick"}),
    ("clusters and search", {}),
    ("clusters, generalize", {"effort": "quick", "terms": "generalize"}),
    (
        "clusters, lambda 0, generalize",
        {"effort": "quick", "terms": "generalize", "relational_weight": 0.0},
    ),
)


THEIRS = {
    "people_4000, mondrian, lambda 0": "323 s",
    "people_4000, mondrian, lambda 0.5": "288 s",
    "people_4000, mondrian, lambda 1": "13.8 s",
    "people_4000, gdf": "53 s",
    "blogs, mondrian, lambda 0": "15 h 19 min, 2,971 classes",
    "blogs, mondrian, lambda 0.5": "11 h 04 min, 2,979 classes",
    "blogs, mondrian, lambda 1": "1 h 49 min, 2,964 classes",
    "blogs, gdf": "10 h 25 min, 1,078 classes",
}


def unpacked(path: Path) -> pl.DataFrame:
    with path.open("rb") as file:
        raw = zstandard.ZstdDecompressor().stream_reader(file).read()
    return pl.read_csv(io.BytesIO(raw), infer_schema=False)


def people(data: Path) -> tuple[pl.DataFrame, dict[str, Any], pl.DataFrame]:
    """The synthetic people with their terms, every entity type quasi-identifying."""
    terms = unpacked(data / "people_4000_terms.csv.zst")
    return unpacked(data / "people_4000.csv.zst"), schema_of(terms["entity_type"], None), terms


def blogs(data: Path) -> tuple[pl.DataFrame, dict[str, Any], pl.DataFrame]:
    """The bloggers with the entities found in their posts."""
    terms = pl.read_parquet(data / "blogs_terms.parquet")
    return unpacked(data / "blogs.csv.zst"), schema_of(terms["label"], "%d,%B,%Y"), terms


def schema_of(labels: pl.Series, format: str | None) -> dict[str, Any]:
    dates = {"kind": "date", "unreadable": "missing"} | ({"format": format} if format else {})
    columns = {"gender": {}, "age": {"kind": "number"}, "topic": {}, "sign": {}, "date": dates}
    return {
        "person": "id",
        "columns": {**columns, "text": {"kind": "text"}},
        "entities": dict.fromkeys(labels.unique().sort().to_list(), "quasi"),
    }


def timed(
    rows: list[Row], name: str, frame: pl.DataFrame, schema: Any, **options: Any
) -> sf.Release:
    """Keeps a row of what one release took and lost."""
    start = time.process_time()
    release = sf.anonymize(frame, schema, **options)
    seconds = time.process_time() - start
    loss, peak = release.loss, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    row: Row = {
        "run": name,
        "CPU s": f"{seconds:.2f}",
        "memory": f"{peak / 1e3:.1f} GB",
        "classes": f"{loss['classes']:,.0f}",
        "NCP_A": f"{loss['NCP_A']:.4f}",
        "NCP_X": f"{loss['NCP_X']:.4f}",
        "theirs": THEIRS.get(name, ""),
    }
    print(row, flush=True)
    rows.append(row)
    return release


def own_values(data: Path) -> None:
    """How many places people's own values add to those of the recogniser."""
    frame, schema, terms = blogs(data)
    frame, terms = frame[:4000], terms.filter(pl.col("row") < 4000)
    release = sf.anonymize(frame, schema, k=5, recognizer=terms, own_values="words")
    own = release.sides.terms["own"].is_not_null()
    print(f"own values in 4,000 posts: {own.sum()} places beside {(~own).sum():,} recognised ones")


def adult(data: Path, rows: list[Row]) -> None:
    folder = data / "adult"
    frame = pl.read_csv(folder / "adult.csv", separator=";", infer_schema=False)
    files = {name: {"hierarchy": str(folder / f"adult_hierarchy_{name}.csv")} for name in QUASI}
    theirs = as_schema({"columns": {**files, "age": {"kind": "number", **files["age"]}}})
    released = pl.read_csv(folder / "arx_local_k5.csv", separator=";", infer_schema=False)
    sizes = metrics.class_sizes(released, theirs)
    loss = metrics.ncp(frame, released, theirs).relational
    theirs_row = {"run": "Adult, ARX's local recoding, measured", "classes": f"{len(sizes):,}"}
    rows.append(theirs_row | {"NCP_A": f"{loss:.4f}"})
    ours = as_schema({"columns": {**files, "age": {"kind": "number"}}})
    for name, schema in (("ages by hierarchy", theirs), ("ages as ranges", ours)):
        for partitioner, block in (("mondrian", None), ("clusters", 350), ("clusters", 20_000)):
            options = {"partitioner": partitioner, "block": block, "effort": "quick"}
            options["relational_weight"] = 1.0
            title = f"Adult, {name}, {partitioner}" + (f" {block}" if block else "")
            release = timed(rows, title, frame, schema, k=5, **options)
            again, _ = metrics.measure(frame, release)
            assert abs(again.relational - release.loss["NCP_A"]) < 1e-9


def synthetic(count: int, rows: list[Row]) -> None:
    chance = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "age": chance.integers(0, 100, count),
            "income": chance.lognormal(10, 1, count).round(-2),
            "region": pl.Series([f"r{i:03}" for i in range(400)]).gather(
                chance.integers(0, 400, count)
            ),
            "job": pl.Series([f"j{i:02}" for i in range(60)]).gather(chance.integers(0, 60, count)),
        }
    )
    numbers = {name: {"kind": "number"} for name in ("age", "income")}
    schema = {"columns": {**numbers, "region": {}, "job": {}}}
    timed(rows, f"{count:,} rows, mondrian", frame, schema, k=5, partitioner="mondrian")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", nargs="?", default=os.environ.get("SFUMATO_DATA", "../shared/data"))
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--tables", action="store_true", help="only Adult and the synthetic rows")
    chosen = parser.parse_args()
    data, rows = Path(chosen.data), list[Row]()
    for title, read in (("people_4000", people), ("blogs", blogs)) if not chosen.tables else ():
        frame, schema, terms = read(data)
        sf.anonymize(frame[:50], schema, k=2, recognizer=terms.clear())  # imports and warms up
        for name, options in RUNS:
            timed(rows, f"{title}, {name}", frame, schema, k=5, recognizer=terms, **options)
    if not chosen.tables:
        own_values(data)
    adult(data, rows)
    if chosen.rows:
        synthetic(chosen.rows, rows)
    if chosen.tables or not chosen.rows:  # no whole table
        return
    record(
        "records_speed",
        rows,
        part="anonymize",
        title="How fast people are made k-anonymous, and what is lost by it: k = 5",
        note="""Terms are given. Theirs: rx-anon's own code on the 4,000 people, the paper's times
        and classes on the blogs (all posts; here first posts of up to 3,000 letters). Memory is
        the highest of the process so far.""",
    )


if __name__ == "__main__":
    main()
