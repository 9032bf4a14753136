"""The paper's appendix on the blogs: Tables 10 to 13 and Figures 6 and 14.

    python benchmarks/records_blogs.py [all|GPE]

Classes with their mean size and standard deviation for every k (k = 4 among them), splits on
columns and terms by lambda and k, loss of the texts by entity type for GDF and every lambda,
distinct terms, and CPU seconds for classes and recoding. Texts are not written.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import polars as pl
import records_printed as printed
from records_paper import Blogs
from records_speed import unpacked
from tables import DATA, Row, draw, record

KS = (2, 3, 4, 5, 10, 20, 50)
RUNS: dict[str, dict[str, Any]] = {
    "GDF": {"partitioner": "gdf"},
    **{f"lambda {one}": {"weight": one} for one in (0.0, 0.2, 0.4, 0.5, 0.8, 1.0)},
}
TITLE = "Blogs, {} entity types: "


def distinct_terms() -> None:
    """Table 10."""
    terms = pl.read_parquet(DATA / "blogs_terms.parquet")
    texts = unpacked(DATA / "blogs.csv.zst")["text"]
    forms = [
        texts[row][start:stop].casefold()
        for row, start, stop in terms.select("row", "start", "stop").iter_rows()
    ]
    counted = (
        terms.with_columns(term=pl.Series(forms)).group_by("label").agg(pl.col("term").n_unique())
    )
    record(
        "records_blogs_terms",
        [
            {"entity type": label, "ours": n, "paper": printed.TERMS.get(label, [""])[0]}
            for label, n in sorted(counted.iter_rows())
        ],
        part="anonymize",
        title="Blogs: distinct terms by entity type (the paper's Table 10)",
        note="Found by spaCy's en_core_web_sm in the first posts of up to 3,000 letters; the paper "
        "read all posts, and has MAIL 3,225, PHONE 442, POSTCODE 739 and URL 29,297 besides.",
    )


def main() -> None:
    kind = sys.argv[1] if len(sys.argv) > 1 else "all"
    source, theirs = Blogs(DATA, kind), printed.classes("blogs", kind)
    classes: list[Row] = []
    splits: list[Row] = []
    types: list[Row] = []
    times: list[Row] = []
    for name, options in RUNS.items():
        row: Row = {"run": name}
        began = time.process_time()
        for k in KS:
            lost = source.measured(k, **options)
            mean, deviation = lost["mean_class_size"], lost["sd_class_size"]
            row[f"k={k}"] = f"{lost['classes']:,.0f} ({mean:.2f} ± {deviation:.2f})"
            if name != "GDF":
                told = {part: int(lost[f"splits_{part}"]) for part in ("relational", "textual")}
                splits.append({"lambda": name.removeprefix("lambda "), "k": k, **told})
            losses = (
                (of.removeprefix("NCP_X:"), value)
                for of, value in lost.items()
                if of.startswith("NCP_X:")
            )
            types += [
                {"run": name, "k": k, "type": of, "NCP_X": float(value)} for of, value in losses
            ]
        classes.append(row)
        if name in theirs:
            classes.append(
                {"run": f"{name}, paper"} | {f"k={k}": theirs[name][k] for k in KS},
            )
        source.grouped.clear()
        times.append(
            {
                "run": name,
                "ours, CPU s": round(time.process_time() - began, 1),
                "paper, h:min:s": printed.TIMES[name][kind == "GPE"],
            }
        )
        print(row, times[-1], flush=True)
    low, part = kind.lower(), "anonymize"
    title = TITLE.format(kind)
    table = "12" if kind == "all" else "13"
    record(
        f"records_blogs_{low}",
        classes,
        part=part,
        title=f"{title}classes (mean size ± standard deviation) by k (the paper's Table {table})",
        note=f"""Classes are groups of people who look alike in the release. The paper's Table
        {6 if kind == "all" else 7} has some of the same rows. The texts differ: here are first
        posts of up to 3,000 letters, the paper has all posts.""",
    )
    record(
        f"records_blogs_splits_{low}",
        splits,
        part=part,
        title=f"{title}splits on columns and on terms (the paper's Figure 6)",
        note="Lambda weighs columns against texts: 0 splits on terms alone, 1 on columns alone. "
        "The paper's figure prints no numbers.",
    )
    record(
        f"records_blogs_time_{low}",
        times,
        part=part,
        title=f"{title}CPU seconds for all seven k (the paper's Table 11)",
        note="Classes and recoding, terms found before. The paper has all posts, here are the "
        "first ones of up to 3,000 letters.",
    )
    if kind == "all":
        wide = [
            {"run": name, "entity type": of}
            | {
                f"k={one['k']}": round(one["NCP_X"], 3)
                for one in types
                if (one["run"], one["type"]) == (name, of)
            }
            for name in RUNS
            for of in dict.fromkeys(one["type"] for one in types)
        ]
        record(
            "records_blogs_types",
            wide,
            part=part,
            title="Blogs: loss of the texts by entity type (the paper's Figures 5a and 14)",
            note="""NCP_X: 0 keeps every term of the type, 1 hides all. The paper's figures print no
            numbers.""",
        )
        for name in ("GDF", "lambda 0.2"):
            chosen = [one for one in types if one["run"] == name]
            draw(
                f"records_blogs_types_{name.lower().replace(' ', '_').replace('.', '')}",
                chosen,
                "k",
                "NCP_X",
                "type",
            )
        distinct_terms()


if __name__ == "__main__":
    main()
