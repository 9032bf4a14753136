"""Risk before release: SUDA against its definition, populations, the model, and the command."""

from __future__ import annotations

import json
import stat
from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.cli.app import run
from sfumato.metrics.uniqueness import pitman_uniques

from ...oracles import risk as oracle

SCHEMA = {"person": "id", "columns": {"age": {"kind": "number"}, "sex": {}, "town": {}}}
ROWS = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from("fm"), st.sampled_from(["x", "y", None])),
    min_size=1,
    max_size=12,
)


def _table(rows: list[tuple[object, ...]]) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "id": list(range(len(rows))),
            "age": pl.Series([row[0] for row in rows], dtype=pl.Int64),
            "sex": pl.Series([row[1] for row in rows], dtype=pl.String),
            "town": pl.Series([row[2] for row in rows], dtype=pl.String),
        }
    )


@given(ROWS, st.integers(1, 3))
@settings(max_examples=80, deadline=None)
def test_scores_and_sizes_are_those_of_the_definition(
    rows: list[tuple[object, ...]], most: int
) -> None:
    found = sf.risk(_table(rows), SCHEMA, columns=most, k=2)
    by_record = dict(found.most_at_risk.select("record", "score").iter_rows())
    expected = oracle.scores(rows, most)  # type: ignore[arg-type]
    assert [by_record[i + 1] for i in range(len(rows))] == expected
    counted = Counter(Counter(rows).values())
    assert found.sizes == dict(sorted(counted.items()))
    assert found.unique == counted[1]
    assert found.below_k == counted[1]
    shares = sum(one["share_of_scores"] for one in found.contributions)
    assert shares == pytest.approx(1.0 if any(expected) else 0.0)


@given(ROWS, ROWS)
@settings(max_examples=60, deadline=None)
def test_a_population_is_counted(
    rows: list[tuple[object, ...]], others: list[tuple[object, ...]]
) -> None:
    found = sf.risk(_table(rows), SCHEMA, _table(others), k=2).population
    theirs, mine = Counter(others), Counter(rows)
    assert found is not None
    assert found.smallest == min(theirs[row] for row in rows)
    assert found.below_k == sum(theirs[row] < 2 for row in rows)
    assert found.absent == sum(theirs[row] == 0 for row in rows)
    presence = [mine[row] / max(theirs[row], 1) for row in mine]
    assert found.most_presence == pytest.approx(max(presence))


def test_people_with_several_rows_are_one() -> None:
    frame = _table([(1, "f", "x"), (2, "f", "x"), (1, "f", "x"), (2, "f", "x")])
    frame = frame.with_columns(id=pl.Series([1, 1, 2, 2]))
    found = sf.risk(frame, SCHEMA)
    assert found.people == 2
    assert found.unique == 0


def _pitman(theta: float, alpha: float, people: int) -> list[int]:
    """The class of each person, drawn one after the other by Pitman's process."""
    chance = np.random.default_rng(1)
    classes: list[int] = []
    sizes: list[int] = []
    for number in range(people):
        if chance.random() * (theta + number) < theta + alpha * len(sizes):
            classes.append(len(sizes))
            sizes.append(1)
            continue
        while True:
            one = classes[int(chance.integers(number))]
            if chance.random() * sizes[one] < sizes[one] - alpha:
                break
        classes.append(one)
        sizes[one] += 1
    return classes


def test_the_model_estimates_what_is_known() -> None:
    classes = _pitman(50.0, 0.6, 12_000)
    truth = sum(size == 1 for size in Counter(classes).values())
    sizes = np.array(list(Counter(classes[:3_000]).values()))
    assert pitman_uniques(sizes, len(classes)) == pytest.approx(truth, rel=0.15)
    assert pitman_uniques(np.array([5, 5]), 100) is None


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, schema = tmp_path / "people.csv", tmp_path / "schema.yaml"
    frame = _table([(30, "f", "x"), (30, "f", "x"), (41, "m", "y")])
    frame.write_csv(table)
    schema.write_text(json.dumps(SCHEMA))
    people, report = tmp_path / "people.risk.csv", tmp_path / "risk.html"
    given = ["risk", str(table), "--schema", str(schema), "-k", "2", "--population", str(table)]
    assert run([*given, "--people", str(people), "-o", str(report), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["unique"] == 1
    assert told["population"]["smallest"] == 1
    assert told["most_at_risk"][0]["record"] == 3
    assert stat.S_IMODE(people.stat().st_mode) == 0o600
    assert pl.read_csv(people)["record"].to_list()[0] == 3
    assert report.read_text().count("<figure>") == 3
    assert run(given) == 0
    assert "unique by these columns" in capsys.readouterr().err
    assert run([*given, "--population-size", "9"]) == 2


@pytest.mark.parametrize(
    ("asked", "where"),
    [({"columns": 0}, "columns"), ({"population_size": 1}, "population_size"), ({"k": 0}, "k")],
)
def test_what_cannot_be(asked: dict[str, int], where: str) -> None:
    with pytest.raises(sf.BadInput, match=where):
        sf.risk(_table([(1, "f", "x"), (2, "f", "x")]), SCHEMA, **asked)  # type: ignore[arg-type]


def test_a_population_without_a_column() -> None:
    with pytest.raises(sf.BadInput, match="town"):
        sf.risk(_table([(1, "f", "x")]), SCHEMA, _table([(1, "f", "x")]).drop("town"))
