"""The paper's tables 6 and 7 and its figures 2, 3 and 5 redone on the blogs, with ours beside them.

    python benchmarks/records_paper.py [DATA [FIGURES]]

Records, for all entity types and for GPE only, classes and their sizes (Tables 6 and 7), splits by
lambda (Figure 2), NCP_A and NCP_X against k (Figure 3) and the loss per entity type at lambda 0.2
(Figure 5), and draws the figures into FIGURES (default: docs/figures). Tables 8 and 9 and Figure 4
are of the Hotel Reviews, which are not among the data. Two processes read the table once each, and
partition and recode it for every k; texts are not written.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from records_speed import blogs
from tables import FIGURES, Row, record

from sfumato.methods.records.losses import losses
from sfumato.methods.records.options import SensitiveDemand, checked
from sfumato.methods.records.read_table import prepare
from sfumato.methods.records.rewrite import fates
from sfumato.ontologies import wordnet
from sfumato.schema import as_schema

KS = (2, 3, 5, 10, 20, 50)
LAMBDAS = (0.0, 0.3, 0.5, 0.8, 1.0)
PAPER = {  # Tables 6 and 7: classes at k = 5
    "all": {"gdf": 1078, 0.0: 2971, 0.3: 3023, 0.5: 2979, 0.8: 2987, 1.0: 2964},
    "GPE": {"gdf": 129, 0.0: 703, 0.3: 2994, 0.5: 2970, 0.8: 2970, 1.0: 2964},
}
DEMANDED = SensitiveDemand(None, "distinct", 1.0, None)
Loss = dict[str, float]
Losses = dict[str, dict[int, Loss]]


@dataclass
class Figures:
    """By run and k; by lambda at k = 5; by k at lambda 0.2."""

    lines: Losses = field(default_factory=dict)
    splits: dict[float, Loss] = field(default_factory=dict)
    types: dict[int, Loss] = field(default_factory=dict)
    seconds: float = 0.0


def runs() -> dict[str, dict[str, dict[str, Any]]]:
    """Every line of the tables: the paper's, and what it names as future work."""
    paper: dict[str, dict[str, Any]] = {"gdf": {"partitioner": "gdf"}}
    paper |= {f"lambda {one}": {"weight": one} for one in LAMBDAS}
    clusters = {"partitioner": "clusters", "weight": 0.5}
    ours: dict[str, dict[str, Any]] = {
        "clusters": clusters,
        "clusters, generalize": {**clusters, "ontology": wordnet()},
        "clusters, lambda 0.0, generalize": {
            "partitioner": "clusters",
            "weight": 0.0,
            "ontology": wordnet(),
        },
        "lambda 0.0, generalize": {"weight": 0.0, "ontology": wordnet()},
    }
    return {"paper": paper, "ours": ours}


class Blogs:
    """The blogs, read once; partitions are kept, since terms are recoded in two ways."""

    def __init__(self, data: Path, kind: str) -> None:
        frame, schema, terms = blogs(data)
        chosen = {} if kind == "all" else {"entity_types": [kind]}
        self.prepared = prepare(frame, as_schema({**schema, **chosen}), terms, DEMANDED, None)
        self.grouped: dict[tuple[Any, ...], tuple[Any, ...]] = {}

    def measured(
        self, k: int, partitioner: str = "mondrian", weight: float = 0.5, ontology: Any = None
    ) -> Loss:
        """The loss of one release, from its classes and what becomes of cells and terms."""
        prepared, key = self.prepared, (k, partitioner, weight)
        if key not in self.grouped:
            options = checked(
                prepared.schema,
                *key[1:],
                "corrected",
                "quick",
                None,
                0.0,
                "suppress",
                DEMANDED,
                None,
            )
            self.grouped[key] = prepared.grouped(k, options)
        partition, sizes, recoded, found = self.grouped[key]
        if ontology is not None and prepared.terms is not None:
            found = fates(prepared.terms, partition.classes, sizes, ontology)
        return losses(partition, sizes, prepared.columns, recoded, {}, prepared.terms, found)


def redone(data: Path, kind: str, whose: str) -> Figures:
    """What one process measures: lines of the tables, and the splits and types of the paper."""
    source, result = Blogs(data, kind), Figures()
    for name, options in runs()[whose].items():
        result.lines[name] = {k: source.measured(k, **options) for k in KS}
        print(f"{kind}, {name}: {time.process_time():.0f} CPU s", file=sys.stderr, flush=True)
    if whose == "paper":
        for tenths in range(11):
            result.splits[tenths / 10] = source.measured(5, weight=tenths / 10)
        result.types = {k: source.measured(k, weight=0.2) for k in KS}
    result.seconds = time.process_time()
    return result


def keep(name: str, title: str, lines: dict[str, list[str]], note: str = "") -> None:
    """Records a table with a row for each run and a column for each k."""
    rows: list[Row] = [
        {"run": run} | {f"k = {k}": value for k, value in zip(KS, values, strict=True)}
        for run, values in lines.items()
    ]
    command = "python benchmarks/records_paper.py"
    record(name, rows, part="anonymize", title=title, note=note, command=command)


def chart(rows: list[dict[str, Any]], x: str, y: str, series: str, mark: str) -> dict[str, Any]:
    """Lines against k on a logarithmic axis, or stacked bars for every lambda."""
    bars = mark == "bar"
    across = {"type": "ordinal"} if bars else {"type": "quantitative", "scale": {"type": "log"}}
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "data": {"values": rows},
        "mark": {"type": mark, **({} if bars else {"point": True})},
        "encoding": {
            "x": {"field": x, **across, **({} if bars else {"axis": {"values": list(KS)}})},
            "y": {"field": y, "type": "quantitative", "scale": {"zero": bars}},
            "color": {"field": series, "type": "nominal", "sort": None},
        },
        "width": 480,
        "height": 300,
    }


def draw(folder: Path, name: str, specification: dict[str, Any]) -> None:
    import vl_convert

    folder.mkdir(parents=True, exist_ok=True)
    svg = vl_convert.vegalite_to_svg(specification)
    (folder / name).write_text(svg, encoding="utf-8")


def show_lines(figures: Losses, kind: str, folder: Path) -> None:
    """Table 6 or 7 and Figure 3."""
    number = 6 if kind == "all" else 7
    theirs = ", ".join(
        f"{run if run == 'gdf' else f'lambda {run}'} {classes:,}"
        for run, classes in PAPER[kind].items()
    )
    keep(
        f"records_paper_classes_{kind.lower()}",
        f"Table {number}: classes (mean size) on the blogs, {kind} entity types",
        {
            name: [f"{one['classes']:,.0f} ({one['mean_class_size']:.2f})" for one in by_k.values()]
            for name, by_k in figures.items()
        },
        f"The paper has at k = 5: {theirs}.",
    )
    for part, letter in (("NCP_A", "a"), ("NCP_X", "b")):
        keep(
            f"records_paper_{part.lower()}_{kind.lower()}",
            f"Figure 3{letter}: {part} against k on the blogs, {kind} entity types",
            {name: [f"{one[part]:.3f}" for one in by_k.values()] for name, by_k in figures.items()},
            """0 is nothing lost, 1 is everything. gdf and lambda are the paper's ways of forming
            classes, clusters are ours; generalize makes terms more general where it can. The
            paper's figure prints no numbers.""",
        )
        rows = [
            {"k": k, part: one[part], "run": name}
            for name, by_k in figures.items()
            for k, one in by_k.items()
        ]
        name = f"records_3{letter}_{kind.lower()}.svg"
        draw(folder, name, chart(rows, "k", part, "run", "line"))


def show_splits(splits: dict[float, Loss], kind: str, folder: Path) -> None:
    """Figure 2."""
    rows, kept = [], []
    for weight, loss in splits.items():
        relational, textual = loss["splits_relational"], loss["splits_textual"]
        kept.append(
            {
                "lambda": weight,
                "on columns": f"{relational:,.0f}",
                "on terms": f"{textual:,.0f}",
            }
        )
        rows.append({"lambda": weight, "splits": relational, "on": "relational"})
        rows.append({"lambda": weight, "splits": textual, "on": "textual"})
    record(
        f"records_paper_splits_{kind.lower()}",
        kept,
        part="anonymize",
        title=f"Figure 2: splits at k = 5 on the blogs, {kind} entity types",
        note="""How often Mondrian split a class on a column and on a term. Lambda weighs columns
        against texts. The paper's figure prints no numbers.""",
        command="python benchmarks/records_paper.py",
    )
    name = f"records_2_{kind.lower()}.svg"
    draw(folder, name, chart(rows, "lambda", "splits", "on", "bar"))


def show_types(by_k: dict[int, Loss], folder: Path) -> None:
    """Figure 5."""
    names = [name for name in by_k[KS[0]] if name.startswith("NCP_X:")]
    lines = {name.removeprefix("NCP_X:"): [by_k[k][name] for k in KS] for name in names}
    keep(
        "records_paper_types",
        "Figure 5: NCP_X per entity type on the blogs, Mondrian, lambda 0.2",
        {name: [f"{one:.3f}" for one in values] for name, values in lines.items()},
        """Loss of the texts' terms by entity type: 0 keeps all, 1 hides all. The paper's figure
        prints no numbers.""",
    )
    rows = [
        {"k": k, "NCP_X": value, "entity type": name}
        for name, values in lines.items()
        for k, value in zip(KS, values, strict=True)
    ]
    draw(folder, "records_5.svg", chart(rows, "k", "NCP_X", "entity type", "line"))


def main() -> None:
    data = Path(
        sys.argv[1] if len(sys.argv) > 1 else os.environ.get("SFUMATO_DATA", "../shared/data")
    )
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else FIGURES
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=spawn) as pool:
        jobs = {
            (kind, whose): pool.submit(redone, data, kind, whose)
            for kind in PAPER
            for whose in ("ours", "paper")
        }
        for kind in PAPER:
            paper, ours = jobs[kind, "paper"].result(), jobs[kind, "ours"].result()
            show_lines(paper.lines | ours.lines, kind, folder)
            show_splits(paper.splits, kind, folder)
            if kind == "all":
                show_types(paper.types, folder)
            print(f"\n{kind}: {paper.seconds + ours.seconds:.0f} CPU s", flush=True)


if __name__ == "__main__":
    main()
