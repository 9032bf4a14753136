"""pyCANON's k, l and t beside ours, on Adult as `anonymize` makes it."""

from __future__ import annotations

import polars as pl
import pytest

import sfumato as sf
from sfumato.metrics.records import class_sizes
from sfumato.schema import as_schema
from sfumato.verification import records_secrets as secrets
from sfumato.verification.records import recounted
from sfumato.verification.records_view import View

QUASI = ["age", "education", "marital-status", "occupation", "sex", "native-country"]


@pytest.mark.data
@pytest.mark.filterwarnings("ignore")
def test_k_l_and_t_agree_on_adult(data_folder):
    anonymity = pytest.importorskip(
        "pycanon.anonymity",
        reason="pyCANON asks for an older typer than ours: install it without its dependencies "
        "(pip install --no-deps pycanon beartype tabulate); figures stand in docs/schema.md",
    )
    table = pl.read_csv(data_folder / "adult" / "adult.csv", separator=";", infer_schema=False)
    columns = {name: {"kind": "category"} for name in QUASI} | {"age": {"kind": "number"}}
    columns |= {"salary-class": {"kind": "category", "role": "sensitive"}}
    columns |= {name: {"role": "insensitive"} for name in ("race", "workclass")}
    schema = as_schema({"columns": columns})
    release = sf.anonymize(table, schema, k=5, l=2)
    frame = release.data.to_pandas()
    view = View.of(table, release)
    classes = recounted(view, release).select("class", "person").explode("person").sort("person")
    counts = secrets.votes(table["salary-class"], classes["class"])
    assert anonymity.k_anonymity(frame, QUASI) == class_sizes(release.data, schema).min()
    found = int(secrets.distinct_values(counts)["l"].min())
    assert anonymity.l_diversity(frame, QUASI, ["salary-class"]) == found
    entropy = float(secrets.entropies(counts)["l"].min())
    assert anonymity.entropy_l_diversity(frame, QUASI, ["salary-class"]) == int(entropy)
    closest = float(secrets.equal_distances(counts)["t"].max())
    assert anonymity.t_closeness(frame, QUASI, ["salary-class"]) == pytest.approx(closest)
