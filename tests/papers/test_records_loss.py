"""Section 5.3 of Singhofer et al. on Table 5, and Adult as ARX recoded it."""

from __future__ import annotations

import polars as pl
import pytest

from papers.rx_anon_tables import SCHEMA, table_1, table_5
from sfumato.metrics.records import class_figures, class_sizes, measure, ncp


def test_table_5_has_the_loss_of_the_notes():
    loss, classes = measure(table_1(), table_5())
    assert round(loss.relational, 4) == 0.3681
    assert round(loss.textual, 4) == 0.4028
    assert round(loss.total, 4) == 0.3854
    assert loss.by_column["gender"] == 0
    assert loss.by_entity_type["person"] == 1
    assert classes.histogram == {2: 3}
    assert classes.discernibility == 12


def test_weights_of_the_parts():
    release = table_5()
    loss = ncp(table_1(), release.data, SCHEMA, release.sides.terms, weights=(3.0, 1.0))
    assert loss.total == pytest.approx((3 * loss.relational + loss.textual) / 4)


@pytest.mark.data
def test_arx_output_is_measured(data_folder):
    """3,783 classes and no row suppressed, as the data's README says of ARX's own output."""
    folder = data_folder / "adult"
    names = ["age", "education", "marital-status", "occupation", "sex", "native-country"]
    schema = {
        "columns": {
            name: {"hierarchy": str(folder / f"adult_hierarchy_{name}.csv")} for name in names
        }
    }
    before = pl.read_csv(folder / "adult.csv", separator=";", infer_schema=False)
    after = pl.read_csv(folder / "arx_local_k5.csv", separator=";", infer_schema=False)
    figures = class_figures(class_sizes(after, schema))
    assert figures.classes == 3783
    assert figures.smallest >= 5
    assert figures.people == 30162
    loss = ncp(before, after, schema)
    assert 0.0 < loss.relational < 0.2
    numbers = schema["columns"] | {"age": {"kind": "number"}}
    assert ncp(before, after, {"columns": numbers}).by_column["age"] > 0
