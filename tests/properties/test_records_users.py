"""Tables as people have them: gaps, mixed cells, many scripts, odd dates, many rows of one person.

Every release is verified, and its classes are counted here once more, over people, from the cells.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.errors import CannotBeMet
from support.commands import outcome

pytestmark = pytest.mark.filterwarnings("ignore")
LIMIT = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
TOWNS = [
    "Ulm",
    "Łódź",
    "東京",
    "القاهرة",
    "Αθήνα",
    "กรุงเทพ",
    "ulm ",
    "Ulm,Süd",
    "(x)",
    '"',
    "[1-2]",
]
CELLS = {
    "age": st.sampled_from(["7", "36", "36.0", "-1", "1e3", "0.1", "", None, "9007199254740991"]),
    "town": st.sampled_from([*TOWNS, "", None]),
    "flag": st.sampled_from(["True", "1", "true", "0", "", None, "nan", "NULL"]),
    "born": st.sampled_from(
        ["1999-12-31", "2000-02-29", "31.12.1999", "1999", "May 1999", "0001-01-01", "x", "", None]
    ),
    "empty": st.none(),
    "codes": st.sampled_from(["A|B", "B|A", "A", "|", "", None, "Ж|東"]),
}
SCHEMA = {
    "person": "who",
    "columns": {
        "age": {"kind": "number"},
        "town": {},
        "flag": {},
        "born": {"kind": "date", "unreadable": "missing"},
        "empty": {},
        "codes": {"kind": "set", "separator": "|"},
    },
}


@st.composite
def rows(draw):
    """Up to 60 people, one of them perhaps with many rows; each column full of gaps or not."""
    people = draw(st.integers(1, 60))
    owners = [*range(people), *[0] * draw(st.sampled_from([0, 1, 30]))]
    seed = draw(st.randoms(use_true_random=False))
    few = {name: draw(st.lists(cell, min_size=1, max_size=4)) for name, cell in CELLS.items()}
    seed.shuffle(owners)
    return pl.DataFrame(
        {
            "who": [f"p{one}" for one in owners],
            **{
                name: pl.Series([seed.choice(few[name]) for _ in owners], dtype=pl.String)
                for name in few
            },
        }
    )


def smallest_class(released):
    """The fewest people who show the same cells, and in all their rows together the same codes."""
    shown = defaultdict(lambda: (set(), set()))
    for row in released.rows(named=True):
        cells, codes = shown[row.pop("who")]
        codes.update(filter(None, (row.pop("codes") or "").split("|")))
        cells.add(tuple(map(str, row.values())))
    classes = Counter((frozenset(cells), frozenset(codes)) for cells, codes in shown.values())
    return min(classes.values())


@LIMIT
@given(rows(), st.integers(1, 50), st.sampled_from(["clusters", "mondrian"]))
def test_every_release_has_k_people_alike(frame, k, partitioner):
    people = frame["who"].n_unique()
    if people < k:
        with pytest.raises(CannotBeMet):
            sf.anonymize(frame, SCHEMA, k=k, partitioner=partitioner)
        return
    release = sf.anonymize(frame, SCHEMA, k=k, partitioner=partitioner)
    assert all(verdict.holds for verdict in sf.verify(frame, release))
    assert release.data.height == frame.height
    assert release.data["who"].n_unique() == people
    assert smallest_class(release.data) >= k


@LIMIT
@given(rows(), st.integers(2, 12), st.sampled_from([{"l": 2}, {"t": 0.3}]))
def test_demands_of_a_sensitive_column_with_gaps(frame, k, demanded):
    columns = {**SCHEMA["columns"], "flag": {"role": "sensitive"}}
    schema = {"person": "who", "columns": columns}
    try:
        release = sf.anonymize(frame, schema, k=k, **demanded)
    except CannotBeMet:
        return
    assert all(verdict.holds for verdict in sf.verify(frame, release))
    assert smallest_class(release.data.drop("flag")) >= k


@pytest.mark.parametrize(("people", "k"), [(1, 2), (4, 5), (49, 50)])
def test_fewer_people_than_k_end_with_code_3(people, k, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = "".join(f"p{i},{i},Ulm\n" * 3 for i in range(people))
    (tmp_path / "in.csv").write_text("who,age,town\n" + lines)
    columns = {"age": {"kind": "number"}, "town": {}}
    (tmp_path / "schema.yaml").write_text(json.dumps({"person": "who", "columns": columns}))
    done = outcome(f"anonymize in.csv --schema schema.yaml -k {k} -o out.csv")
    assert done.code == 3, done.told
    assert not (tmp_path / "out.csv").exists()
    assert "Ulm" not in done.told
