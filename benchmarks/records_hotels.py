"""The paper's experiments on hotels, on one review a hotel: its Tables 8 to 11, 14 and 15.

    python benchmarks/records_hotels.py [--recognizer NAME]

hotel_reviews_one_per_hotel.csv.zst has one review for each of 1,492 hotels; the paper has all
reviews of 1,475. So classes compare with the paper's, distinct terms (Table 10) and times (Table
11) do not. Name and address identify the hotel; seven numbers, a date, nationality and days since
the review are quasi-identifiers; both reviews are text. Beside the paper's partitioners stand
clusters and two from the literature (records_compared.py): relaxed Mondrian and global recoding.
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import records_printed as printed
from records_compared import global_recoding, relaxed_mondrian
from records_paper import DEMANDED, chart, draw
from records_speed import unpacked
from tables import DATA, RESULTS, Row, record
from tables import draw as lines

from sfumato.kernels.records import Partition
from sfumato.methods.records.losses import losses
from sfumato.methods.records.options import checked
from sfumato.methods.records.read_table import prepare
from sfumato.methods.records.recode import recode
from sfumato.methods.records.rewrite import fates
from sfumato.recognizers import spans_of
from sfumato.schema import as_schema

if TYPE_CHECKING:
    from sfumato.methods.records.prepared_table import PreparedTable

SPACY = "en_core_web_sm"
KS = (2, 3, 4, 5, 10, 20, 50)
TEXTS = ("Negative_Review", "Positive_Review")
NUMBERS = (
    *("Additional_Number_of_Scoring", "Average_Score", "Total_Number_of_Reviews"),
    *("Total_Number_of_Reviews_Reviewer_Has_Given", "Reviewer_Score", "lat", "lng"),
)
RUNS: dict[str, dict[str, Any]] = {
    "GDF": {"partitioner": "gdf"},
    **{f"lambda {one}": {"weight": one} for one in (0.0, 0.3, 0.5, 0.8, 1.0)},
    "clusters": {"partitioner": "clusters"},
    "clusters, lambda 0": {"partitioner": "clusters", "weight": 0.0},
    "relaxed Mondrian": {"classes": relaxed_mondrian},
    "global recoding": {"classes": global_recoding},
}
Measured = dict[tuple[str, str, int], dict[str, float]]


def hotels() -> tuple[pl.DataFrame, dict[str, Any]]:
    """The reviews, and what their columns are."""
    columns: dict[str, Any] = {name: {"kind": "number"} for name in NUMBERS}
    columns |= {name: {"kind": "text"} for name in TEXTS}
    columns["Review_Date"] = {"kind": "date", "format": "%m/%d/%Y"}
    columns |= {name: {} for name in ("Reviewer_Nationality", "days_since_review")}
    left = (
        "Hotel_Address",
        "Tags",
        *(f"Review_Total_{one}_Word_Counts" for one in ("Negative", "Positive")),
    )
    columns |= {name: {"role": "drop"} for name in left}
    return unpacked(DATA / "hotel_reviews_one_per_hotel.csv.zst"), {
        "person": "Hotel_Name",
        "columns": columns,
    }


def found_in(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """Where the recogniser finds terms: row, start, stop, label, column."""
    rows: list[dict[str, Any]] = []
    for column in TEXTS:
        for one in spans_of(name, frame[column].to_list()):
            place = {"row": one.document, "start": one.start, "stop": one.stop}
            rows.append({**place, "label": one.label, "column": column})
    return pl.DataFrame(rows)


def distinct_terms(frame: pl.DataFrame, terms: pl.DataFrame, recognizer: str) -> None:
    """Table 10."""
    texts = {name: frame[name].to_list() for name in TEXTS}
    forms = [
        texts[column][row][start:stop].casefold()
        for row, start, stop, column in terms.select("row", "start", "stop", "column").iter_rows()
    ]
    counted = (
        terms.with_columns(term=pl.Series(forms))
        .group_by("label", "column")
        .agg(pl.col("term").n_unique())
    )
    rows: list[Row] = []
    for label in sorted(set(counted["label"])):
        row: Row = {"entity type": label}
        for column in TEXTS:
            one = counted.filter((pl.col("label") == label) & (pl.col("column") == column))
            row[f"{column}, ours"] = int(one["term"].sum())
        for column, told in zip(TEXTS, printed.TERMS.get(label, ("", "", ""))[1:], strict=True):
            row[f"{column}, paper"] = told
        rows.append(row)
    record(
        "records_hotels_terms",
        rows,
        part="anonymize",
        title="Hotels: distinct terms by entity type (the paper's Table 10)",
        note=f"Found by {recognizer} in one review a hotel; the paper read all 512,126 reviews.",
    )


def measured(prepared: PreparedTable, k: int, options: dict[str, Any]) -> dict[str, float]:
    """The loss of one release, and its CPU seconds for classes and recoding."""
    began = time.process_time()
    if "classes" in options:
        partition = Partition(options["classes"](prepared.columns, prepared.count, k))
        sizes = np.bincount(partition.classes)
        recoded = [recode(column, partition.classes, len(sizes)) for column in prepared.columns]
        fate = None
        if prepared.terms is not None:
            fate = fates(prepared.terms, partition.classes, sizes, None)
    else:
        chosen = checked(
            *(prepared.schema, options.get("partitioner", "mondrian"), options.get("weight", 0.5)),
            *("corrected", "quick", None, 0.0, "suppress", DEMANDED, None),
        )
        partition, sizes, recoded, fate = prepared.grouped(k, chosen)
    seconds = time.process_time() - began
    lost = losses(partition, sizes, prepared.columns, recoded, {}, prepared.terms, fate)
    plain = {name: float(value() if callable(value) else value) for name, value in lost.items()}
    return {**plain, "sd": float(np.std(sizes)), "seconds": seconds}


def show_classes(found: Measured, kind: str) -> None:
    """Tables 14 and 15, of which Tables 8 and 9 are rows."""
    rows: list[Row] = []
    theirs = printed.classes("hotels", kind)
    for name in RUNS:
        row: Row = {"run": name}
        for k in KS:
            one = found[kind, name, k]
            row[f"k={k}"] = (
                f"{one['classes']:,.0f} ({one['mean_class_size']:.2f} ± {one['sd']:.2f})"
            )
        rows.append(row)
        if name in theirs:
            rows.append({"run": f"{name}, paper"} | {f"k={k}": theirs[name][k] for k in KS})
    record(
        f"records_hotels_{kind.lower()}",
        rows,
        part="anonymize",
        title=f"Hotels, {kind} entity types: classes (mean size ± standard deviation) by k "
        f"(the paper's Table {14 if kind == 'all' else 15})",
        note=f"The paper's Table {8 if kind == 'all' else 9} has some of the same rows. It has "
        "1,475 hotels with all their reviews, here are 1,492 with one. Relaxed Mondrian and global "
        "recoding look at columns alone.",
    )


def show_losses(found: Measured) -> None:
    """Figures 4, 11, 12 and 13."""
    rows: list[Row] = [
        {"entity types": kind, "run": name, "loss of": part}
        | {f"k={k}": round(found[kind, name, k][part], 3) for k in KS}
        for kind in ("all", "GPE")
        for name in RUNS
        for part in ("NCP_A", "NCP_X")
    ]
    record(
        "records_hotels_loss",
        rows,
        part="anonymize",
        title="Hotels: loss of columns and texts by k (the paper's Figures 4, 11 to 13)",
        note="""NCP_A: how much of the columns is lost, NCP_X: of the texts' terms; 0 is nothing, 1
        everything. The paper's figures print no numbers.""",
    )
    for part in ("NCP_A", "NCP_X"):
        points = [
            {"k": k, part: found["all", name, k][part], "run": name} for name in RUNS for k in KS
        ]
        draw(
            RESULTS,
            f"records_hotels_loss_{part.lower()}.svg",
            chart(points, "k", part, "run", "line"),
        )


def show_times(found: Measured) -> None:
    """Table 11."""
    rows: list[Row] = []
    for name in RUNS:
        row: Row = {"run": name}
        for kind, told in zip(("all", "GPE"), printed.TIMES.get(name, ("",) * 4)[2:], strict=True):
            spent = sum(found[kind, name, k]["seconds"] for k in KS)
            row |= {f"{kind}: ours, CPU s": round(spent, 2), f"{kind}: paper, h:min:s": told}
        rows.append(row)
    record(
        "records_hotels_time",
        rows,
        part="anonymize",
        title="Hotels: CPU seconds for all seven k (the paper's Table 11)",
        note="Classes and recoding, terms found before. The paper has all reviews of a hotel, "
        "here is one.",
    )


def show_types(found: Measured) -> None:
    """Figures 5b, 15 and 16, the two kinds of review together."""
    names = [name for name in found["all", "GDF", KS[0]] if name.startswith("NCP_X:")]
    record(
        "records_hotels_types",
        [
            {"run": run, "entity type": name.removeprefix("NCP_X:")}
            | {f"k={k}": f"{found['all', run, k][name]:.3f}" for k in KS}
            for run in RUNS
            for name in names
            if run.startswith(("GDF", "lambda"))
        ],
        part="anonymize",
        title="Hotels: loss of the texts by entity type (the paper's Figures 5b, 15 and 16)",
        note="""NCP_X: 0 keeps every term of the type, 1 hides all. Negative and positive reviews
        are taken together; the paper draws each. Its figures print no numbers.""",
    )
    points = [
        {"k": k, "NCP_X": found["all", "lambda 0.3", k][name], "type": name.removeprefix("NCP_X:")}
        for name in names
        for k in KS
    ]
    lines("records_hotels_types_lambda_03", points, "k", "NCP_X", "type")


def show_splits(found: Measured) -> None:
    """Figure 7, of which k = 5 is Figure 2b."""
    rows: list[Row] = [
        {"entity types": kind, "lambda": name.removeprefix("lambda "), "k": k}
        | {part: int(found[kind, name, k][f"splits_{part}"]) for part in ("relational", "textual")}
        for kind in ("all", "GPE")
        for name in RUNS
        if name.startswith("lambda")
        for k in (2, 5, 10, 50)
    ]
    record(
        "records_hotels_splits",
        rows,
        part="anonymize",
        title="Hotels: splits on columns and on terms by lambda and k (the paper's Figure 7)",
        note="""How often Mondrian split a class on a column (relational) and on a term (textual).
        Lambda weighs columns against texts. The paper's figure prints no numbers.""",
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--recognizer", default=SPACY)
    given = parser.parse_args()
    frame, schema = hotels()
    terms = found_in(frame, given.recognizer)
    distinct_terms(frame, terms, given.recognizer)
    schema["entities"] = dict.fromkeys(sorted(set(terms["label"])), "quasi")
    found: Measured = {}
    for kind in ("all", "GPE"):
        only = {} if kind == "all" else {"entity_types": [kind]}
        prepared = prepare(frame, as_schema({**schema, **only}), terms, DEMANDED, None)
        for name, options in RUNS.items():
            for k in KS:
                found[kind, name, k] = measured(prepared, k, options)
            print(kind, name, f"{time.process_time():.0f} CPU s", flush=True)
        show_classes(found, kind)
    show_losses(found)
    show_times(found)
    show_types(found)
    show_splits(found)


if __name__ == "__main__":
    main()
