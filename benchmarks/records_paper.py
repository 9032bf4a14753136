"""The paper's tables 6 and 7 and its figures 2, 3 and 5 redone on the blogs, with ours beside them.

    python benchmarks/records_paper.py [DATA [RESULTS]]

Prints classes and their sizes for all entity types (Table 6) and for GPE only (Table 7), splits by
lambda (Figure 2), loss against k (Figure 3) and loss per entity type at lambda 0.2 (Figure 5), and
draws the figures into RESULTS (default: benchmarks/results). Tables 8 and 9 and Figure 4 are of the
Hotel Reviews, which are not among the data.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from records_speed import blogs

import sfumato as sf

KS = (2, 3, 4, 5, 10, 20, 50)
IN_TABLES = (3, 4, 5, 10, 20)
LAMBDAS = (0.0, 0.3, 0.5, 0.8, 1.0)
PAPER = {  # Table 6 and 7: classes at k = 5
    "all": {"gdf": 1078, 0.0: 2971, 0.3: 3023, 0.5: 2979, 0.8: 2987, 1.0: 2964},
    "GPE": {"gdf": 129, 0.0: 703, 0.3: 2994, 0.5: 2970, 0.8: 2970, 1.0: 2964},
}
Loss = dict[str, float]


def runs() -> dict[str, dict[str, Any]]:
    """Every line of the tables: the paper's, then what it names as future work."""
    named: dict[str, dict[str, Any]] = {"gdf": {"partitioner": "gdf"}}
    named |= {f"lambda {one}": {"relational_weight": one} for one in LAMBDAS}
    named["clusters"] = {"partitioner": "clusters"}
    named["lambda 0.0, generalized"] = {"relational_weight": 0.0, "terms": "generalize"}
    named["clusters, generalized"] = {"partitioner": "clusters", "terms": "generalize"}
    return named


def measured(frame: Any, schema: Any, found: Any, ks: Any, **options: Any) -> dict[int, Loss]:
    releases = sf.anonymize(frame, schema, k=list(ks), recognizer=found, **options)
    return {k: dict(release.loss) for k, release in releases.items()}


def table(title: str, figures: dict[str, dict[int, Loss]]) -> None:
    print(f"\n{title}\n{'':26}" + "".join(f"{f'k={k}':>9}" for k in IN_TABLES))
    for name, by_k in figures.items():
        counts = "".join(f"{by_k[k]['classes']:9,.0f}" for k in IN_TABLES)
        sizes = "".join(f"{by_k[k]['mean_class_size']:9.2f}" for k in IN_TABLES)
        print(f"{name:20} count {counts}\n{'':20} size  {sizes}")


def losses(title: str, part: str, figures: dict[str, dict[int, Loss]]) -> list[dict[str, Any]]:
    print(f"\n{title}\n{'':26}" + "".join(f"{f'k={k}':>9}" for k in KS))
    for name, by_k in figures.items():
        print(f"{name:26}" + "".join(f"{by_k[k][part]:9.4f}" for k in KS))
    return [
        {"k": k, "loss": loss[part], "run": name}
        for name, by_k in figures.items()
        for k, loss in by_k.items()
    ]


def chart(rows: list[dict[str, Any]], x: str, y: str, series: str, mark: str) -> dict[str, Any]:
    scale = {"type": "log"} if x == "k" else {"zero": True}
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "data": {"values": rows},
        "mark": {"type": mark, **({"point": True} if mark == "line" else {})},
        "encoding": {
            "x": {"field": x, "type": "quantitative", "scale": scale},
            "y": {"field": y, "type": "quantitative", "scale": {"zero": mark == "bar"}},
            "color": {"field": series, "type": "nominal"},
        },
        "width": 480,
        "height": 300,
    }


def draw(folder: Path, name: str, specification: dict[str, Any]) -> None:
    import vl_convert

    folder.mkdir(parents=True, exist_ok=True)
    svg = vl_convert.vegalite_to_svg(specification)
    (folder / name).write_text(svg, encoding="utf-8")
    print(f"drew {folder / name}", flush=True)


def main() -> None:
    data = Path(
        sys.argv[1] if len(sys.argv) > 1 else os.environ.get("SFUMATO_DATA", "../shared/data")
    )
    results = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(__file__).parent / "results"
    frame, schema, terms = blogs(data)
    gpe = {**schema, "entity_types": ["GPE"]}
    for number, kind, described in ((6, "all", schema), (7, "GPE", gpe)):
        figures = {
            name: measured(frame, described, terms, KS, **options)
            for name, options in runs().items()
        }
        table(
            f"Table {number}: blogs, {kind} entity types; the paper at k=5: {PAPER[kind]}", figures
        )
        for part, letter in (("NCP_A", "a"), ("NCP_X", "b")):
            rows = losses(f"Figure 3{letter}, {kind}: {part} against k", part, figures)
            name = f"records_figure_3{letter}_{kind}.svg"
            draw(results, name, chart(rows, "k", "loss", "run", "line"))
    print("\nFigure 2: splits at k=5, relational and textual")
    splits = []
    for tenths in range(11):
        loss = measured(frame, schema, terms, [5], relational_weight=tenths / 10)[5]
        relational, textual = loss["splits_relational"], loss["splits_textual"]
        print(f"lambda {tenths / 10}: {relational:6,.0f} {textual:6,.0f}", flush=True)
        splits.append({"lambda": tenths / 10, "splits": relational, "on": "relational"})
        splits.append({"lambda": tenths / 10, "splits": textual, "on": "textual"})
    draw(results, "records_figure_2.svg", chart(splits, "lambda", "splits", "on", "bar"))
    by_type = measured(frame, schema, terms, KS, relational_weight=0.2)
    rows = [
        {"k": k, "loss": value, "entity type": name.removeprefix("NCP_X:")}
        for k, loss in by_type.items()
        for name, value in loss.items()
        if name.startswith("NCP_X:")
    ]
    print(
        "\nFigure 5: loss per entity type, lambda 0.2\n" + " " * 12 + "".join(f"{k:9}" for k in KS)
    )
    for label in sorted({row["entity type"] for row in rows}):
        of_type = [row["loss"] for row in rows if row["entity type"] == label]
        print(f"{label:12}" + "".join(f"{one:9.4f}" for one in of_type))
    draw(results, "records_figure_5.svg", chart(rows, "k", "loss", "entity type", "line"))


if __name__ == "__main__":
    main()
