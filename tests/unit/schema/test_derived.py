"""Columns that tell others are found; columns that are merely alike are not."""

from __future__ import annotations

import random
from datetime import date, timedelta

import polars as pl
import pytest

from sfumato.core.errors import BadInput
from sfumato.schema import as_schema
from sfumato.schema.cells import in_brackets
from sfumato.schema.derived_columns import derived
from sfumato.schema.table import check_table

DRAWN = random.Random(7)
DAYS = [date(1950, 1, 1) + timedelta(days=DRAWN.randrange(20_000)) for _ in range(200)]
HEIGHTS = [150 + DRAWN.randrange(50) for _ in range(200)]


@pytest.mark.parametrize(
    ("column", "other", "how"),
    [
        ([f"{(date(2024, 1, 1) - one).days} days" for one in DAYS], None, "in its order"),
        ([str((date(2024, 1, 1) - one).days // 365) for one in DAYS], None, "in its order"),
        ([one.strftime("%d.%m.%Y") for one in DAYS], None, "in its order"),
        ([one.isoformat() + " " for one in DAYS], None, "the same values"),
        (
            [f"code {i % 9}" for i in range(200)],
            [f"place {i % 9 * 3}" for i in range(200)],
            "one for one",
        ),
        (
            [f"street {i * 5 % 18}" for i in range(200)],
            [("Ulm", "Bonn", "Kiel")[i % 18 // 6] for i in range(200)],
            "one value of it for each",
        ),
    ],
)
def test_found(column, other, how):
    other = other or [one.isoformat() for one in DAYS]
    frame = pl.DataFrame({"told": other, "tells": column})
    (found,) = derived(frame, ["tells"], ["told"])
    assert (found.column, found.of, found.how) == ("tells", "told", how)


@pytest.mark.parametrize(
    "column",
    [
        [str(i) for i in range(200)],  # numbers of rows
        [str(one + DRAWN.randrange(30)) for one in HEIGHTS],  # what goes along
        [f"name {i}" for i in range(200)],  # every value once
        ["same"] * 200,
        [None] * 200,
        [("a", "b")[DRAWN.randrange(2)] for _ in HEIGHTS],
    ],
)
def test_not_found(column):
    frame = pl.DataFrame({"told": [str(one) for one in HEIGHTS], "tells": column})
    assert derived(frame, ["tells"], ["told"]) == []


def test_few_rows_are_an_accident():
    frame = pl.DataFrame({"sex": ["f", "m", "f", "m"], "ward": ["a", "b", "a", "b"]})
    assert derived(frame, ["ward"], ["sex"]) == []


@pytest.mark.parametrize(
    ("cells", "separator", "told"),
    [
        (["['a', 'b']", "['a']"], ";", "lists in brackets"),
        (["a|b", "a|c", "b|c"], ";", "most hold '|'"),
        (["a;b", "c"], "[]", "no lists in brackets"),
    ],
)
def test_sets_written_otherwise_are_refused(cells, separator, told):
    schema = as_schema({"columns": {"tags": {"kind": "set", "separator": separator}}})
    with pytest.raises(BadInput, match=told.replace("|", r"\|")):
        check_table(schema, pl.DataFrame({"tags": cells}))


def test_lists_in_brackets_are_released_as_lists():
    import sfumato as sf

    cells = ["['flu, bad', \"o'clock\"]", '["flu, bad", "x"]', "[ 'flu, bad' ]", "[]"] * 3
    schema = {"columns": {"tags": {"kind": "set", "separator": "[]"}}}
    frame = pl.DataFrame({"tags": cells})
    release = sf.anonymize(frame, schema, k=3)
    assert all(one.holds for one in sf.verify(frame, release))
    lists = in_brackets(release.data["tags"]).to_list()
    assert {item for one in lists for item in one} <= {"flu, bad", "o'clock", "x"}
    assert any(lists)
    assert release.data["tags"].str.contains(r"^\[.*\]$").all()
