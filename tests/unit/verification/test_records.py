"""Good releases of records are verified, spoilt ones are not: Table 5 of the paper, damaged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from papers.rx_anon_tables import COLUMNS, RECODED, spoilt, table_1, table_5, terms
from sfumato.core.claims import Claim
from sfumato.core.release import Release, Sides
from sfumato.core.spans import Changes, Same
from sfumato.schema import as_schema
from sfumato.verification.records_redundant import tells_more

NONE = Changes(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64), [], [])


def verdicts(release: Release, original: pl.DataFrame | None = None) -> dict[str, sf.Verdict]:
    original = table_1() if original is None else original
    return {one.claim.name: one for one in sf.verify(original, release)}


def holds(release: Release, original: pl.DataFrame | None = None) -> bool:
    return all(one.holds for one in verdicts(release, original).values())


@pytest.mark.parametrize("changes", [True, False])
def test_table_5_is_verified(changes):
    release = table_5() if changes else replace(table_5(), changes=NONE)
    found = verdicts(release)
    assert all(one.holds for one in found.values())
    assert found["k-anonymity"].measured == {
        "people": 6,
        "classes": 3,
        "smallest": 2,
        "largest": 2,
    }


@pytest.mark.parametrize("frame", ["pandas", "arrow"])
def test_other_frames_are_verified(frame):
    convert = pl.DataFrame.to_pandas if frame == "pandas" else pl.DataFrame.to_arrow
    release = replace(table_5(), data=convert(table_5().data))
    assert all(one.holds for one in sf.verify(convert(table_1()), release))


def exchanged(column: str, row: int, value: object) -> Release:
    release = table_5()
    values = release.data[column].to_list()
    values[row] = value
    return spoilt(release, **{column: values})


@pytest.mark.parametrize("column", COLUMNS[1:])
def test_one_exact_cell_breaks_k(column):
    """A recoded cell brought back makes its person alone."""
    rows = [i for i, row in enumerate(table_5().data[column]) if row != table_1()[column][i]]
    for row in rows:
        found = verdicts(exchanged(column, row, table_1()[column][row]))
        assert not found["k-anonymity"].holds


@pytest.mark.parametrize(
    ("column", "row", "cell"),
    [
        ("age", 0, "[24-35]"),
        ("age", 0, "[37-40]"),
        ("age", 0, None),
        ("age", 0, "young"),
        ("topic", 0, "(Student,Banking)"),
        ("topic", 0, "(Student,Educ)"),
        ("sign", 3, "Aries"),
        ("date", 3, "2004-06"),
        ("date", 4, "2005"),
        ("date", 0, "[2005-2006]"),
        ("date", 0, ""),
    ],
)
def test_a_cell_that_does_not_cover_is_rejected(column, row, cell):
    found = verdicts(exchanged(column, row, cell))["nothing-else-changed"]
    assert not found.holds
    assert found.where == f"{column}, record {row + 1}"


@pytest.mark.parametrize("changes", [True, False])
@pytest.mark.parametrize(
    ("row", "old", "new"),
    [
        (0, "location", "Mexico"),  # a term of one person of two
        (0, "person", "Pedro"),
        (0, "[24-36]", "36"),  # a redundant value
        (4, "UK", "location"),  # a term that the other person still shows
        (1, "quick", "slow"),  # text outside all terms
        (0, "name", "nane"),
        (3, "location", "a country of the north"),  # more than the other person shows
        (5, "Date", "Four days ago"),
    ],
)
def test_spoilt_texts_are_rejected(row, old, new, changes):
    release = table_5() if changes else replace(table_5(), changes=NONE)
    texts = release.data["text"].to_list()
    assert old in texts[row]
    texts[row] = texts[row].replace(old, new)
    assert not holds(spoilt(release, text=texts))


def test_a_change_that_changes_nothing_is_legible():
    """Stating a change whose replacement is the term itself does not hide the term."""
    release = table_5()
    changes = list(release.changes)
    replacements = [
        "Mexico" if change.replacement == "location" and change.document == 0 else replacement
        for change, replacement in zip(changes, release.changes.replacements, strict=True)
    ]
    texts = release.data["text"].to_list()
    texts[0] = texts[0].replace("location", "Mexico")
    lied = replace(
        spoilt(release, text=texts), changes=replace(release.changes, replacements=replacements)
    )
    found = verdicts(lied)
    assert found["nothing-else-changed"].holds
    assert not found["k-anonymity"].holds


def test_a_direct_identifier_in_clear_is_rejected():
    """Even when everybody of the class has it."""
    release = table_5()
    schema = as_schema(release.sides.schema.as_dict() | {"entities": {"job": "direct"}})
    lied = replace(release, sides=replace(release.sides, schema=schema))
    assert "direct" in verdicts(lied)["k-anonymity"].reason


def test_what_the_method_says_of_a_term_is_not_believed():
    release = table_5()
    lied = release.sides.terms.with_columns(outcome=pl.lit("suppressed"))
    texts = release.data["text"].to_list()
    texts[3] = texts[3].replace("location", "Canada")
    kept = [i for i, one in enumerate(release.changes) if (one.document, one.start) != (3, 32)]
    changes = Changes(
        release.changes.documents[kept],
        release.changes.starts[kept],
        release.changes.stops[kept],
        [release.changes.replacements[i] for i in kept],
        Same("term", len(kept)),
    )
    lied_release = replace(
        spoilt(release, text=texts),
        changes=changes,
        sides=replace(release.sides, terms=lied),
    )
    assert len(kept) == len(release.changes) - 1
    assert not verdicts(lied_release)["k-anonymity"].holds


@pytest.mark.parametrize(
    "numbers",
    [
        [1, 7, 2, 3, 4, 4, 4, 5, 6],  # one person as two
        [1, 1, 2, 3, 4, 4, 4, 5, 5],  # two people as one
        [1, 1, 2, 3, 4, 4, 4, 5, 9],  # a number that counts nobody
        [1, 1, 2, 3, 4, 4, 4, 5, None],
    ],
)
def test_wrong_person_numbers_are_rejected(numbers):
    assert not holds(spoilt(table_5(), id=numbers))


def test_rows_lost_swapped_or_repeated_are_rejected():
    release = table_5()
    for data in (
        release.data[:-1],
        release.data[[1, 0, *range(2, 9)]],
        pl.concat([release.data, release.data[:1]]),
        release.data[[*range(8), 7]],
    ):
        assert not holds(replace(release, data=data))


def test_columns_lost_added_or_exchanged_are_rejected():
    release = table_5()
    for data in (
        release.data.drop("sign"),
        release.data.with_columns(name=pl.lit("x")),
        release.data.select(*reversed(release.data.columns)),
        release.data.drop("text"),
    ):
        assert not holds(replace(release, data=data))


def test_a_claim_about_fewer_columns_is_rejected():
    release = table_5()
    claim = release.claims[0]
    fewer = replace(claim, parameters={**claim.parameters, "quasi": ["age"]})
    assert not holds(replace(release, claims=(fewer,)))


def test_a_larger_k_is_rejected():
    release = table_5()
    claim = replace(release.claims[0], parameters={**release.claims[0].parameters, "k": 3})
    found = verdicts(replace(release, claims=(claim,)))["k-anonymity"]
    assert "smallest 2" in found.reason


def test_suppressed_people_are_left_out_whole():
    """Without people 3 and 5 the rest is verified; with one row of theirs it is not."""
    release = table_5()
    keep = np.array([0, 1, 2, 4, 5, 6, 8])
    numbers = {1: 1, 2: 2, 4: 3, 6: 4}
    data = release.data[keep].with_columns(pl.col("id").replace(numbers))
    sides = replace(release.sides, rows=keep)
    changes = release.changes
    inside = np.isin(changes.documents, keep)
    left = Changes(
        changes.documents[inside],
        changes.starts[inside],
        changes.stops[inside],
        [one for one, ok in zip(changes.replacements, inside, strict=True) if ok],
        Same("term", int(inside.sum())),
    )
    good = replace(release, data=data, sides=sides, changes=left)
    assert holds(good)
    wrong = replace(sides, rows=np.array([0, 1, 2, 4, 5, 6, 7]))
    assert not holds(replace(good, sides=wrong))


def test_dropped_and_untouched_columns():
    schema = as_schema(
        {
            "columns": {
                "age": {"kind": "number"},
                "name": {"role": "drop"},
                "ward": {"role": "insensitive"},
            }
        }
    )
    original = pl.DataFrame(
        {"name": ["a", "b"], "age": [3, 4], "ward": ["x", "y"], "other": [1, 2]}
    )
    data = pl.DataFrame({"age": ["[3-4]", "[3-4]"], "ward": ["x", "y"], "other": [1, 2]})
    claims = (
        Claim("k-anonymity", "", {"k": 2, "person": None, "quasi": ["age"], "text": []}),
        Claim("nothing-else-changed", ""),
    )
    release = Release(
        verb="anonymize",
        data=data,
        claims=claims,
        changes=NONE,
        loss={},
        parameters={},
        sides=Sides(schema=schema),
    )
    assert holds(release, original)
    for bad in (
        data.with_columns(ward=pl.Series(["x", "z"])),
        data.with_columns(other=pl.Series([1, 3])),
        original.select("name").hstack(data),
    ):
        assert not holds(replace(release, data=bad), original)


def test_missing_values_are_values_of_their_own():
    schema = as_schema({"columns": {"age": {"kind": "number"}, "town": {"kind": "category"}}})
    original = pl.DataFrame({"age": [3, None, 5, 6], "town": ["x", "", None, "y"]})
    claims = (
        Claim("k-anonymity", "", {"k": 2, "person": None, "quasi": ["age", "town"], "text": []}),
        Claim("nothing-else-changed", ""),
    )
    data = pl.DataFrame(
        {"age": ["3|missing"] * 2 + ["[5-6]"] * 2, "town": ["x|missing"] * 2 + ["y|missing"] * 2}
    )
    release = Release(
        verb="anonymize",
        data=data,
        claims=claims,
        changes=NONE,
        loss={},
        parameters={},
        sides=Sides(schema=schema),
    )
    assert holds(release, original)
    for bad in (
        data.with_columns(age=pl.Series(["3"] * 2 + ["[5-6]"] * 2)),
        data.with_columns(town=pl.Series(["x|missing"] * 2 + ["y"] * 2)),
        data.with_columns(age=pl.Series([None, None, "[5-6]", "[5-6]"])),
    ):
        assert not holds(replace(release, data=bad), original)


def test_sets_show_what_the_class_shares():
    schema = as_schema({"person": "id", "columns": {"codes": {"kind": "set"}}})
    original = pl.DataFrame(
        {"id": [1, 1, 2, 3, 4], "codes": [["a", "b"], ["c"], ["a", "c"], ["d"], ["d", "e"]]}
    )
    claims = (
        Claim("k-anonymity", "", {"k": 2, "person": "id", "quasi": ["codes"], "text": []}),
        Claim("nothing-else-changed", ""),
    )
    data = pl.DataFrame({"id": [4, 4, 2, 3, 1], "codes": [["a"], ["c"], ["a", "c"], ["d"], ["d"]]})
    release = Release(
        verb="anonymize",
        data=data,
        claims=claims,
        changes=NONE,
        loss={},
        parameters={},
        sides=Sides(schema=schema),
    )
    assert holds(release, original)
    for codes in (
        [["a", "b"], ["c"], ["a", "c"], ["d"], ["d"]],
        [["a"], [], ["a", "c"], ["d"], ["d"]],
        [["a"], ["c"], ["a", "c"], ["d"], ["d", "e"]],
        [["a"], ["c"], ["a", "c"], ["a"], ["a"]],
    ):
        assert not holds(replace(release, data=data.with_columns(codes=pl.Series(codes))), original)
    joined = {
        "original": original.with_columns(pl.col("codes").list.join(";")),
        "data": data.with_columns(pl.col("codes").list.join(";")),
    }
    assert holds(replace(release, data=joined["data"]), joined["original"])


def test_ordered_hierarchies_and_means():
    schema = as_schema(
        {
            "columns": {
                "grade": {"kind": "ordered", "order": ["low", "mid-1", "high"]},
                "zip": {"kind": "category", "hierarchy": {"prefixes": [2]}},
                "pay": {"kind": "number", "recode": "mean"},
            }
        }
    )
    names = ["grade", "zip", "pay"]
    original = pl.DataFrame(
        {"grade": ["low", "mid-1"], "zip": ["8901", "8902"], "pay": [10.0, 13.0]}
    )
    data = pl.DataFrame({"grade": ["[low-mid-1]"] * 2, "zip": ["89**"] * 2, "pay": [11.5] * 2})
    claims = (
        Claim("k-anonymity", "", {"k": 2, "person": None, "quasi": names, "text": []}),
        Claim("nothing-else-changed", ""),
    )
    release = Release(
        verb="anonymize",
        data=data,
        claims=claims,
        changes=NONE,
        loss={},
        parameters={},
        sides=Sides(schema=schema),
    )
    assert holds(release, original)
    for name, cell in (
        ("grade", "[mid-1-high]"),
        ("grade", "[low-top]"),
        ("zip", "88**"),
        ("zip", "*x"),
        ("pay", 14.0),
    ):
        bad = data.with_columns(pl.Series(name, [cell] * 2))
        assert not holds(replace(release, data=bad), original), (name, cell)
    wide = data.with_columns(pl.Series("zip", ["*", "*"]))
    assert holds(replace(release, data=wide), original)


def test_messages_show_no_values():
    release = exchanged("topic", 0, "(Student,Banking)")
    assert "Student" not in repr([one.as_dict() for one in verdicts(release).values()])


def test_a_release_without_its_schema_is_refused():
    release = table_5()
    with pytest.raises(sf.BadInput, match="schema"):
        sf.verify(table_1(), replace(release, sides=Sides()))


def test_table_5_covers_every_person_of_the_paper():
    assert sorted(RECODED) == sorted(table_1()["id"].unique().to_list())
    assert terms().height == 14


@pytest.mark.parametrize(
    ("text", "cell", "more"),
    [
        ("May 14, 2004", "2004", True),
        ("May 14, 2004", "2004-05", True),
        ("May 2004", "2004-05", False),
        ("14/5/04", "2004", True),
        ("2004-05-14", "14.05.2004", False),
        ("2004", "[2004-2005]", True),
        ("2004", "2004", False),
        ("2005", "[2004-2005]", False),
        ("May 15, 2004", "2004", False),  # another day: no repetition of this one
        ("June 2004", "2004", False),
        ("14-5", "2004", False),
    ],
)
def test_how_much_a_text_tells_of_a_date(text, cell, more):
    assert tells_more("date", text, "14.05.2004", cell, "%d.%m.%Y") is more


@pytest.mark.parametrize(
    ("kind", "text", "value", "told"),
    [
        ("number", "thirty-six years", "36", True),
        ("number", "thirty years, six months", "36", False),
        ("number", "aged 36.0", "36", True),
        ("number", "room 136", "36", False),
        ("category", "a Pisces woman", "pisces", True),
        ("category", "episode", "pis", False),
    ],
)
def test_whether_a_text_tells_a_value(kind, text, value, told):
    assert tells_more(kind, text, value, None, None) is told
